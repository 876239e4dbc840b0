// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers in the output of a user's command; see output.h. */
#include "benchmarks/exec/output.h"

#include <ctype.h>
#include <errno.h>
#include <regex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/exec/exec.h"
#include "lib/apart.h"
#include "lib/clock.h"
#include "lib/err.h"
#include "lib/json.h"
#include "lib/text.h"

enum {
	FLAGS = REG_EXTENDED | REG_NEWLINE,
	MAX_REPEATS = 10000, /* product of all bounds: each is copied so often */
	MAX_NUMBER = 64,
	MAX_PART = 100,
	MAX_IDX = 1000000,
	MATCH_SEC = 10, /* far more than a match takes that ends at all */
};

/* A bound such as {1,255} is expanded, and nested ones exhaust the memory. */
static bool has_modest_bounds(const char *regex)
{
	unsigned long product = 1;

	for (; (regex = strchr(regex, '{')); regex++) {
		unsigned long low, high;
		char *end;

		if (!isdigit((unsigned char)regex[1]) && regex[1] != ',')
			continue;
		low = strtoul(regex + 1, &end, 10);
		high = *end == ',' ? strtoul(end + 1, NULL, 10) : low;
		product *= high > low ? high : low ? low : 1;
		if (product > MAX_REPEATS)
			return false;
	}
	return true;
}

/* Behind the bracket expression that begins at @at. */
static const char *skip_brackets(const char *at)
{
	at += 1 + (at[1] == '^');
	at += *at == ']';
	while (*at && *at != ']') {
		const char closes[] = { at[1], ']', '\0' };
		const char *end = NULL;

		if (*at == '[' && at[1] && strchr(":.=", at[1]))
			end = strstr(at + 2, closes);
		at = end ? end + 2 : at + 1;
	}
	return at + (*at == ']');
}

/* Extended expressions have none; libc takes them, and for some never ends. */
static bool has_back_reference(const char *at)
{
	while (*at) {
		if (*at == '[') {
			at = skip_brackets(at);
			continue;
		}
		if (*at == '\\' && isdigit((unsigned char)at[1]))
			return true;
		at += 1 + (*at == '\\' && at[1]);
	}
	return false;
}

int exec_check_regex(const char *regex, struct err *err)
{
	char why[200];
	regex_t compiled;
	int code;

	if (!has_modest_bounds(regex))
		return err_set(err, -EINVAL,
			       "regex '%.100s' repeats more than %d times in all", regex,
			       MAX_REPEATS);
	if (has_back_reference(regex))
		return err_set(err, -EINVAL,
			       "regex '%.100s' refers back to a group (expected a POSIX "
			       "extended expression, which has no \\1 to \\9)",
			       regex);
	code = regcomp(&compiled, regex, FLAGS);
	if (code) {
		(void)regerror(code, &compiled, why, sizeof(why));
		return err_set(err, -EINVAL, "regex '%.100s': %s", regex, why);
	}
	if (!compiled.re_nsub)
		code = err_set(err, -EINVAL,
			       "regex '%.100s' has no group (expected one in "
			       "parentheses around the number)",
			       regex);
	regfree(&compiled);
	return code;
}

int exec_check_path(const char *path, struct err *err)
{
	size_t len = strlen(path);

	if (len && path[0] != '.' && path[len - 1] != '.' && !strstr(path, ".."))
		return 0;
	return err_set(err, -EINVAL,
		       "'%.100s' is not a path into JSON (expected keys and indices "
		       "joined by points, such as results.0.mean)",
		       path);
}

static bool is_number(const char *text)
{
	static const char digits[] = "0123456789";
	size_t whole = strspn(text, digits);
	const char *at = text + whole;

	if (!whole)
		return false;
	if (*at == '.') {
		if (!isdigit((unsigned char)at[1]))
			return false;
		at += 1 + strspn(at + 1, digits);
	}
	if (*at == 'e' || *at == 'E') {
		at += 1 + (at[1] == '+' || at[1] == '-');
		if (!isdigit((unsigned char)*at))
			return false;
		at += strspn(at, digits);
	}
	return !*at;
}

/*
 * The next match from *@at on; moves behind it, and on by one if it is empty. 0 or what
 * regexec() says.
 */
static int next_match(const regex_t *regex, const char *out, size_t len, size_t *at,
		      regmatch_t groups[2])
{
	int code;

	groups[0] = (regmatch_t){ .rm_so = (regoff_t)*at, .rm_eo = (regoff_t)len };
	if (*at > len)
		return REG_NOMATCH;
	code = regexec(regex, out, 2, groups, REG_STARTEND);
	if (code)
		return code;
	*at = (size_t)groups[0].rm_eo + (groups[0].rm_so == groups[0].rm_eo);
	return 0;
}

static int take_group(const char *regex, const char *out, const regmatch_t *group,
		      double *ret, struct err *err)
{
	char text[MAX_NUMBER + 1] = "";
	size_t len = group->rm_so < 0 ? 0 : (size_t)(group->rm_eo - group->rm_so);

	if (len && len <= MAX_NUMBER)
		memcpy(text, out + group->rm_so, len);
	if (!is_number(text))
		return err_set(err, -EPROTO,
			       "regex '%.100s' found '%.*s', expected a number above 0 "
			       "with a point as decimal sign",
			       regex, (int)(len < MAX_NUMBER ? len : MAX_NUMBER),
			       len ? out + group->rm_so : "");
	*ret = strtod(text, NULL);
	return 0;
}

/* struct search - where to look for which number */
struct search {
	const char *regex, *out;
	size_t len;
};

/* struct found - what came of it: a number, or an error */
struct found {
	double value;
	struct err err;
};

static int no_memory(const char *regex, struct err *err)
{
	return err_set(err, -EPROTO,
		       "matching regex '%.100s' takes more memory than there is", regex);
}

static void search(const void *arg, void *ret)
{
	const struct search *search = arg;
	struct found *found = ret;
	const char *regex = search->regex;
	regmatch_t groups[2], first[2];
	regex_t compiled;
	size_t nr = 0;
	size_t at = 0;
	int code = 0;

	*found = (struct found){ 0 };
	if (regcomp(&compiled, regex, FLAGS)) {
		err_nomem(&found->err);
		return;
	}
	while (nr < 2 && !code) {
		code = next_match(&compiled, search->out, search->len, &at, groups);
		if (!code && !nr++)
			memcpy(first, groups, sizeof(first));
	}
	if (code && code != REG_NOMATCH)
		(void)no_memory(regex, &found->err);
	else if (nr == 1)
		(void)take_group(regex, search->out, &first[1], &found->value,
				 &found->err);
	else
		err_set(&found->err, -EPROTO,
			"regex '%.100s' matches %s, expected exactly one match", regex,
			nr ? "more than once" : "nothing in the output");
	regfree(&compiled);
}

int exec_regex_number(const char *regex, const char *out, size_t len, double *ret,
		      struct err *err)
{
	const struct search asked = { regex, out, len };
	struct found found;
	int bad;

	if (memchr(out, '\0', len))
		return err_set(err, -EPROTO, "there is a NUL in the output");
	bad = apart_call(search, &asked, &found, sizeof(found), MATCH_SEC * CLOCK_SEC);
	switch (bad) {
	case 0:
		break;
	case -ETIME:
		return err_set(err, -EPROTO,
			       "matching regex '%.100s' takes longer than %d s", regex,
			       MATCH_SEC);
	case -EINTR:
		return err_set(err, bad, "stopped by a signal");
	case -EIO:
		return no_memory(regex, err);
	default:
		return err_set(err, -ENOMEM, "cannot start a process: %s",
			       strerror(-bad));
	}
	if (found.err.code)
		return err_set(err, found.err.code, "%s", found.err.text);
	*ret = found.value;
	return 0;
}

static const struct jval *step(const struct jval *json, const char *part)
{
	uint64_t idx;

	if (!jval_is_array(json))
		return jval_get(json, part);
	if (text_uint(part, 0, MAX_IDX, &idx, NULL))
		return NULL;
	return jval_item(json, (size_t)idx);
}

int exec_path_number(const char *path, const struct jval *json, double *ret,
		     struct err *err)
{
	const char *rest = path;

	while (json && *rest) {
		char part[EXEC_MAX_RULE + 1];
		size_t len = strcspn(rest, ".");

		if (len > EXEC_MAX_RULE)
			break;
		memcpy(part, rest, len);
		part[len] = '\0';
		json = step(json, part);
		rest += len + (rest[len] == '.');
	}
	if (!json)
		return err_set(err, -EPROTO, "there is no '%.100s' in the output's JSON",
			       path);
	if (!jval_real(json, ret))
		return err_set(err, -EPROTO,
			       "'%.100s' in the output's JSON is not a number", path);
	return 0;
}
