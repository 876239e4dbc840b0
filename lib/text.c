// SPDX-License-Identifier: GPL-2.0-or-later
/* Printable text, invisible characters, nearest names, typed numbers, hashes. */
#include "lib/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"

#define DIGITS "0123456789"

/* Bytes of the well-formed UTF-8 character at @s, 0 when it is not one. */
static size_t utf8_char(const unsigned char *s, uint32_t *code)
{
	static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t len;
	size_t i;

	if (s[0] < 0x80) {
		*code = s[0];
		return 1;
	}
	if (s[0] >= 0xc2 && s[0] <= 0xdf)
		len = 2;
	else if ((s[0] & 0xf0) == 0xe0)
		len = 3;
	else if (s[0] >= 0xf0 && s[0] <= 0xf4)
		len = 4;
	else
		return 0;
	*code = s[0] & (0xffU >> (len + 1));
	for (i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (s[i] & 0x3f);
	}
	if (*code < smallest[len] || *code > 0x10ffff ||
	    (*code >= 0xd800 && *code <= 0xdfff))
		return 0;
	return len;
}

static bool is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/* What a reader can't see, NULL for all else. */
static const char *invisible_name(uint32_t code)
{
	static const struct {
		uint32_t first, last;
		const char *name;
	} ranges[] = {
		{ 0x85, 0x85, "next-line character" },
		{ 0xa0, 0xa0, "no-break space" },
		{ 0xad, 0xad, "soft hyphen" },
		{ 0x34f, 0x34f, "zero-width character" },
		{ 0x61c, 0x61c, "direction mark" },
		{ 0x115f, 0x1160, "filler character" },
		{ 0x1680, 0x1680, "ogham space" },
		{ 0x180e, 0x180e, "vowel separator" },
		{ 0x2000, 0x200a, "typographic space" },
		{ 0x200b, 0x200d, "zero-width character" },
		{ 0x200e, 0x200f, "direction mark" },
		{ 0x2028, 0x2029, "line separator" },
		{ 0x202a, 0x202e, "direction mark" },
		{ 0x202f, 0x202f, "narrow no-break space" },
		{ 0x205f, 0x205f, "typographic space" },
		{ 0x2060, 0x2064, "zero-width character" },
		{ 0x2066, 0x206f, "direction mark" },
		{ 0x3000, 0x3000, "ideographic space" },
		{ 0x3164, 0x3164, "filler character" },
		{ 0xfeff, 0xfeff, "byte order mark" },
		{ 0xffa0, 0xffa0, "filler character" },
		{ 0xfff9, 0xfffb, "annotation mark" },
		{ 0xe0000, 0xe007f, "tag character" },
	};
	size_t i;

	for (i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		if (code >= ranges[i].first && code <= ranges[i].last)
			return ranges[i].name;
	}
	return NULL;
}

size_t text_printable(const char *text, char *out, size_t size)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t at = 0;

	while (*s) {
		uint32_t code;
		size_t len = utf8_char(s, &code);

		if (len && !is_control(code) && !invisible_name(code)) {
			if (at + len >= size)
				break;
			memcpy(out + at, s, len);
			at += len;
			s += len;
			continue;
		}
		if (at + 4 >= size)
			break;
		(void)snprintf(out + at, 5, "\\x%02x", *s);
		at += 4;
		s++;
	}
	out[at] = '\0';
	return at;
}

long text_broken(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	while (*s) {
		uint32_t code;
		size_t len = utf8_char(s, &code);

		if (!len)
			return (const char *)s - text;
		s += len;
	}
	return -1;
}

size_t text_width(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

long text_invisible(const char *text, const char **name)
{
	const unsigned char *s = (const unsigned char *)text;

	while (*s) {
		uint32_t code = 0;
		size_t len = utf8_char(s, &code);
		const char *found = len ? invisible_name(code) : NULL;

		if (found) {
			*name = found;
			return (const char *)s - text;
		}
		s += len ? len : 1;
	}
	return -1;
}

/*
 * Edits (insert, delete, replace, swap of neighbours) that turn one text into
 * the other; texts longer than the table are never near.
 */
static size_t edit_distance(const char *a, const char *b)
{
	enum { LONGEST = 48 };
	size_t d[LONGEST + 1][LONGEST + 1];
	size_t len_a = strlen(a);
	size_t len_b = strlen(b);
	size_t i, j;

	if (len_a > LONGEST || len_b > LONGEST)
		return SIZE_MAX;
	for (i = 0; i <= len_a; i++)
		d[i][0] = i;
	for (j = 0; j <= len_b; j++)
		d[0][j] = j;
	for (i = 1; i <= len_a; i++) {
		for (j = 1; j <= len_b; j++) {
			size_t best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);

			if (d[i - 1][j] + 1 < best)
				best = d[i - 1][j] + 1;
			if (d[i][j - 1] + 1 < best)
				best = d[i][j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < best)
				best = d[i - 2][j - 2] + 1;
			d[i][j] = best;
		}
	}
	return d[len_a][len_b];
}

const char *text_nearest(const char *text, const char *const *candidates)
{
	const char *nearest = NULL;
	size_t least = SIZE_MAX;

	for (; *candidates; candidates++) {
		size_t distance = edit_distance(text, *candidates);

		/* One letter in a name of one or two is another name. */
		if (distance > strlen(*candidates) / 3 || distance >= least)
			continue;
		least = distance;
		nearest = *candidates;
	}
	return nearest;
}

int text_uint(const char *text, uint64_t min, uint64_t max, uint64_t *ret,
	      struct err *err)
{
	size_t digits = strspn(text, DIGITS);
	unsigned long long value;

	if (!digits || text[digits] || (text[0] == '0' && digits > 1))
		return err_set(err, -EINVAL,
			       "'%s' is not a whole number in plain decimal "
			       "(expected %ju to %ju)",
			       text, (uintmax_t)min, (uintmax_t)max);
	errno = 0;
	value = strtoull(text, NULL, 10);
	if (errno || value < min || value > max)
		return err_set(err, -ERANGE, "'%s' is out of range (expected %ju to %ju)",
			       text, (uintmax_t)min, (uintmax_t)max);
	*ret = value;
	return 0;
}

int text_duration(const char *text, uint64_t *ret_ns, struct err *err)
{
	static const struct {
		const char *unit;
		uint64_t ns;
	} units[] = {
		{ "ms", 1000000 },
		{ "s", 1000000000 },
		{ "min", 60 * 1000000000ULL },
		{ "h", 3600 * 1000000000ULL },
	};
	const uint64_t longest = UINT64_C(1000) * 3600 * 1000000000;
	size_t digits = strspn(text, DIGITS);
	char number[24];
	int bad = -EINVAL;
	uint64_t value;
	size_t i;

	if (digits && digits < sizeof(number)) {
		memcpy(number, text, digits);
		number[digits] = '\0';
		for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
			if (strcmp(text + digits, units[i].unit))
				continue;
			bad = text_uint(number, 1, longest / units[i].ns, &value, NULL);
			if (bad)
				break;
			*ret_ns = value * units[i].ns;
			return 0;
		}
	}
	return err_set(err, bad,
		       "'%s' is not a duration (expected a whole number and a unit: "
		       "250ms, 300s, 30min or 2h; at most 1000h)",
		       text);
}

const char *text_behind(const char *text, const char *key)
{
	const size_t len = strlen(key);
	const char *line = text;

	while (strncmp(line, key, len) != 0) {
		line = strchr(line, '\n');
		if (!line)
			return NULL;
		line++;
	}
	return line + len;
}

/* Fowler, Noll and Vo's, in its variant 1a. */
uint64_t text_hash(const char *text, size_t len)
{
	uint64_t hash = 0xcbf29ce484222325;
	size_t i;

	for (i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3;
	return hash;
}

/* Compares the numbers at *@a and *@b, both of digits, and moves behind them. */
static int compare_numbers(const char **a, const char **b)
{
	size_t len_a, len_b;
	int order;

	*a += strspn(*a, "0");
	*b += strspn(*b, "0");
	len_a = strspn(*a, DIGITS);
	len_b = strspn(*b, DIGITS);
	if (len_a != len_b)
		return len_a < len_b ? -1 : 1;
	order = memcmp(*a, *b, len_a);
	*a += len_a;
	*b += len_b;
	return order;
}

int text_natural_order(const char *a, const char *b)
{
	const char *const whole_a = a;
	const char *const whole_b = b;

	while (*a && *b) {
		if (strspn(a, DIGITS) && strspn(b, DIGITS)) {
			int order = compare_numbers(&a, &b);

			if (order)
				return order;
		} else if (*a++ != *b++) {
			return (unsigned char)a[-1] - (unsigned char)b[-1];
		}
	}
	/* "01" and "1" are one number but two texts: only equal texts are equal. */
	if (!*a && !*b)
		return strcmp(whole_a, whole_b);
	return (unsigned char)*a - (unsigned char)*b;
}
