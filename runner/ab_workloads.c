// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads "hackbench task=thread groups=1/4,stream" and writes entries of a grid; see
 * ab_workloads.h. Words are looked up in what the workload declares, so that what is
 * written can be read; whether values are in range is the grid's to say.
 */
#include "runner/ab_workloads.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/bench.h"
#include "lib/err.h"
#include "lib/text.h"

enum { MAX_NAMES = 32, MAX_WORDS = BENCH_MAX_PARAMS + BENCH_MAX_CHOICES };

/*
 * What is run unless told otherwise: a second or so an iteration here, and in an emulated
 * machine that is a hundred times as slow.
 */
static const struct {
	const char *name, *local, *guest;
} defaults[] = {
	{ "chat", "rooms=2", "rooms=1 users=2 messages=5" },
	{ "fork-latency", "", "forks=100" },
	{ "hackbench", "groups=1/2/4 loops=300", "groups=1/2 fds=2 loops=10" },
	{ "messaging", "groups=1/2/4", "" },
	{ "pipe", "loops=100000", "loops=500" },
	{ "stream", "threads=1/2 ntimes=5", "threads=1/2 size=100000 ntimes=3" },
	{ "sysbench", "seconds=2", "" },
	{ "tbench", "seconds=2", "seconds=1" },
	{ "tcp-rr", "seconds=2", "seconds=1" },
	{ "threads", "seconds=2", "seconds=1" },
	{ "udp-rr", "seconds=2", "seconds=1" },
	{ "wakeup-latency", "seconds=2", "seconds=1" },
};

/*
 * struct word - "groups=1/4"
 * @text: lent
 * @key_len: of the part before "="
 * @len: of all of it
 */
struct word {
	const char *text;
	size_t key_len, len;
};

/*
 * struct entry - one workload as asked for
 * @words: its own, then the defaults that they leave
 */
struct entry {
	const struct bench_ops *ops;
	struct word words[MAX_WORDS];
	size_t nr_words;
};

static bool is_key(const struct word *word, const char *key)
{
	return strlen(key) == word->key_len && !memcmp(key, word->text, word->key_len);
}

static const struct bench_param *find_param(const struct entry *entry,
					    const struct word *word)
{
	const struct bench_param *param = entry->ops->params;

	while (param->name && !is_key(word, param->name))
		param++;
	return param->name ? param : NULL;
}

static const struct bench_choice *find_choice(const struct entry *entry,
					      const struct word *word)
{
	const struct bench_choice *choice = entry->ops->choices;

	while (choice && choice->key && !is_key(word, choice->key))
		choice++;
	return choice && choice->key ? choice : NULL;
}

static int refuse_word(const struct entry *entry, const struct word *word,
		       struct err *err)
{
	const char *names[BENCH_MAX_PARAMS + BENCH_MAX_CHOICES + 1] = { NULL };
	const struct bench_choice *choice = entry->ops->choices;
	const struct bench_param *param;
	char key[64];
	const char *nearest;
	size_t nr = 0;

	for (param = entry->ops->params; param->name; param++)
		names[nr++] = param->name;
	for (; choice && choice->key; choice++)
		names[nr++] = choice->key;
	(void)snprintf(key, sizeof(key), "%.*s", (int)word->key_len, word->text);
	nearest = text_nearest(key, names);
	return err_set(err, -EINVAL,
		       "--workload: '%.*s' is no parameter of %s with a value (expected "
		       "such as %s=...; `schedgrid list %s` has them)%s%s%s",
		       (int)word->len, word->text, entry->ops->name, names[0],
		       entry->ops->name, nearest ? "; did you mean '" : "",
		       nearest ? nearest : "", nearest ? "'?" : "");
}

/* The value goes into the grid as it is, so it has to be one plain word or several. */
static int check_value(const struct word *word, struct err *err)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789_.%/+-";
	const char *value = word->text + word->key_len + 1;
	size_t len = word->len - word->key_len - 1;

	if (len && strspn(value, plain) >= len)
		return 0;
	return err_set(err, -EINVAL,
		       "--workload: '%.*s' has no value that can be written here "
		       "(expected a word or a number, several with / between them, or a "
		       "grid file)",
		       (int)word->len, word->text);
}

static bool has_word(const struct entry *entry, const struct word *word)
{
	size_t i;

	for (i = 0; i < entry->nr_words; i++) {
		if (entry->words[i].key_len == word->key_len &&
		    !memcmp(entry->words[i].text, word->text, word->key_len))
			return true;
	}
	return false;
}

/* Takes the words of @text up to @len; those that are there already are passed over. */
static int take_words(struct entry *entry, const char *text, size_t len,
		      bool are_defaults, struct err *err)
{
	const char *end = text + len;

	while (text < end) {
		struct word word = { .text = text };

		while (text + word.len < end && text[word.len] != ' ')
			word.len++;
		while (word.key_len < word.len && text[word.key_len] != '=')
			word.key_len++;
		text += word.len + 1;
		if (!word.len || (are_defaults && has_word(entry, &word)))
			continue;
		if (word.key_len == word.len ||
		    (!find_param(entry, &word) && !find_choice(entry, &word)))
			return refuse_word(entry, &word, err);
		if (check_value(&word, err))
			return err->code;
		if (has_word(entry, &word) || entry->nr_words == MAX_WORDS)
			return err_set(err, -EINVAL,
				       "--workload: '%.*s' is given twice for %s",
				       (int)word.key_len, word.text, entry->ops->name);
		entry->words[entry->nr_words++] = word;
	}
	return 0;
}

static const char *defaults_of(const struct bench_ops *ops, bool is_guest)
{
	size_t i;

	for (i = 0; i < sizeof(defaults) / sizeof(*defaults); i++) {
		if (!strcmp(defaults[i].name, ops->name))
			return is_guest ? defaults[i].guest : defaults[i].local;
	}
	return "";
}

static int find_ops(const char *name, const struct bench_ops **ret, struct err *err)
{
	const struct bench_ops *const *all = bench_all();
	const char *names[MAX_NAMES] = { NULL };
	const char *nearest;
	size_t i;

	*ret = bench_find(name);
	if (*ret && !(*ret)->runs_command)
		return 0;
	if (*ret)
		return err_set(err, -EINVAL,
			       "--workload: '%s' runs a command that only a grid file "
			       "can name",
			       name);
	for (i = 0; i < MAX_NAMES - 1 && all[i]; i++)
		names[i] = all[i]->name;
	nearest = text_nearest(name, names);
	return err_set(err, -EINVAL,
		       "--workload: unknown workload '%s' (`schedgrid list` has "
		       "them)%s%s%s",
		       name, nearest ? "; did you mean '" : "", nearest ? nearest : "",
		       nearest ? "'?" : "");
}

/* "hackbench groups=4", of @len bytes. */
static int read_entry(const char *text, size_t len, bool is_guest, struct entry *entry,
		      struct err *err)
{
	char name[64];
	const char *rest;
	size_t skipped = strspn(text, " ");
	size_t name_len;

	skipped = skipped < len ? skipped : len;
	text += skipped;
	len -= skipped;
	name_len = strcspn(text, ", ");
	if (!name_len)
		return err_set(err, -EINVAL,
			       "--workload: a name is missing (expected such as "
			       "hackbench,stream)");
	(void)snprintf(name, sizeof(name), "%.*s", (int)name_len, text);
	if (find_ops(name, &entry->ops, err) ||
	    take_words(entry, text + name_len, len - name_len, false, err))
		return err->code;
	rest = defaults_of(entry->ops, is_guest);
	return take_words(entry, rest, strlen(rest), true, err);
}

/* One value, or a list of those that have a slash between them. */
static void write_value(FILE *out, const struct word *word, bool is_text)
{
	const char *value = word->text + word->key_len + 1;
	size_t len = word->len - word->key_len - 1;
	bool is_list = !is_text && memchr(value, '/', len);
	size_t i;

	(void)fputs(is_text ? "'" : is_list ? "[" : "", out);
	for (i = 0; i < len; i++) {
		if (is_list && value[i] == '/')
			(void)fputs(", ", out);
		else
			(void)fputc(value[i], out);
	}
	(void)fputs(is_text ? "'" : is_list ? "]" : "", out);
}

/* The choices of the variant, or the parameters, as a mapping; nothing for none. */
static void write_mapping(FILE *out, const struct entry *entry, bool are_choices)
{
	const char *before = are_choices ? "    variant: {" : "    parameters: {";
	bool any = false;
	size_t i;

	for (i = 0; i < entry->nr_words; i++) {
		const struct word *word = &entry->words[i];
		const struct bench_param *param = find_param(entry, word);

		if ((param == NULL) != are_choices)
			continue;
		(void)fprintf(out, "%s%.*s: ", before, (int)word->key_len, word->text);
		write_value(out, word, !param || param->type == BENCH_TEXT);
		before = ", ";
		any = true;
	}
	if (any)
		(void)fputs("}\n", out);
}

static int write_entries(FILE *out, const char *text, bool is_guest, struct err *err)
{
	for (;;) {
		struct entry entry = { 0 };
		size_t len = strcspn(text, ",");

		if (read_entry(text, len, is_guest, &entry, err))
			return err->code;
		(void)fprintf(out, "  - workload: '%s'\n", entry.ops->name);
		write_mapping(out, &entry, true);
		write_mapping(out, &entry, false);
		if (!text[len])
			return 0;
		text += len + 1;
	}
}

int ab_workloads(const char *text, bool is_guest, char **ret, struct err *err)
{
	char *lines = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&lines, &len);
	int bad;

	if (!out)
		return err_nomem(err);
	if (!text)
		text = is_guest ? "hackbench" : "hackbench,stream";
	bad = write_entries(out, text, is_guest, err);
	if (fclose(out) && !bad)
		bad = err_nomem(err);
	if (bad)
		free(lines);
	else
		*ret = lines;
	return bad;
}
