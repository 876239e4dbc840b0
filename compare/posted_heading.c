// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the lines above a posted table; see posted_heading.h. */
#include "compare/posted_heading.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/posted.h"

enum { HEADING_LINES = 6, TEXT_LINES = 20, NAME_SIZE = 512, WORDS_A_COLUMN = 3 };
enum { FAR_IN = 10 };

/**
 * struct heading - what becomes of the lines above a table
 * @line: index of the one being looked at
 * @names: of the columns so far
 * @ends: where the text of each column ended on the line that named all
 */
struct heading {
	struct posted *posted;
	struct posted_table *table;
	size_t line;
	char names[POSTED_COLUMNS_MAX][NAME_SIZE];
	size_t ends[POSTED_COLUMNS_MAX];
};

/** struct part - a piece of a line */
struct part {
	size_t at, len;
};

/* A piece ends at a blank outside parentheses, or at @gap of them. */
static size_t split(const char *text, size_t gap, struct part *parts, size_t max)
{
	size_t at = strspn(text, " ");
	size_t nr = 0;

	while (text[at] && nr < max) {
		size_t end = at;
		size_t depth = 0;

		while (text[end]) {
			depth += text[end] == '(';
			depth -= depth && text[end] == ')';
			if (text[end] == ' ' && (gap > 1 || !depth) &&
			    strspn(text + end, " ") >= gap)
				break;
			end++;
		}
		parts[nr++] = (struct part){ at, end - at };
		at = end + strspn(text + end, " ");
	}
	return text[at] ? max + 1 : nr;
}

/* The pieces of a line, one for each column; false when it doesn't look like them. */
static bool split_even(const char *text, size_t nr_columns, struct part *parts)
{
	struct part words[POSTED_COLUMNS_MAX * WORDS_A_COLUMN];
	size_t nr, each, i;

	if (split(text, 2, parts, nr_columns) == nr_columns)
		return true;
	nr = split(text, 1, words, nr_columns * WORDS_A_COLUMN);
	each = nr / nr_columns;
	if (!nr || nr % nr_columns || each > WORDS_A_COLUMN)
		return false;
	/* Blanks collapsed: what a column has several words of, ends like prose in text. */
	if (each > 1 && strchr(".:,", text[strlen(text) - 1]))
		return false;
	for (i = 0; i < nr_columns; i++) {
		const struct part *last = &words[(i + 1) * each - 1];

		parts[i].at = words[i * each].at;
		parts[i].len = last->at + last->len - parts[i].at;
	}
	return true;
}

/* Less pieces than columns: the last lines of long names. */
static bool is_remainder(const char *text, size_t nr_columns)
{
	struct part parts[POSTED_COLUMNS_MAX];
	size_t indent = strspn(text, " ");

	return split(text, 2, parts, nr_columns) < nr_columns &&
	       (indent >= FAR_IN || text[indent] == '(');
}

static bool is_release(const char *name)
{
	return isdigit((unsigned char)name[name[0] == 'v']) && strchr(name, '.') &&
	       !strchr(name, ' ');
}

/*
 * Whether @name is a release without a suffix of somebody's own: behind one, a dash would
 * not tell where the kernel ends.
 */
static bool is_version(const char *name)
{
	const char *dash = strchr(name, '-');

	return is_release(name) && (!dash || !strncmp(dash, "-rc", 3)) &&
	       (!dash || !strchr(dash + 1, '-'));
}

static void append(struct heading *heading, size_t column, const char *text, size_t len)
{
	char *name = heading->names[column];
	size_t used = strlen(name);
	/* A kernel and what is on top of it, as mmtests joins them. */
	const char *between = !used		 ? ""
			      : is_version(name) ? "-"
			      : is_release(name) ? ":"
						 : " ";

	(void)snprintf(name + used, NAME_SIZE - used, "%s%.*s", between, (int)len, text);
}

static void append_remainder(struct heading *heading, const char *text)
{
	struct part parts[POSTED_COLUMNS_MAX];
	size_t nr = split(text, 2, parts, POSTED_COLUMNS_MAX);
	size_t i, j;

	for (i = 0; i < nr && i < POSTED_COLUMNS_MAX; i++) {
		size_t end = parts[i].at + parts[i].len;
		size_t best = heading->table->nr_columns - 1;

		for (j = heading->table->nr_columns; strspn(text, " ") && j-- > 0;) {
			size_t far = end > heading->ends[j] ? end - heading->ends[j]
							    : heading->ends[j] - end;
			size_t least = end > heading->ends[best]
					       ? end - heading->ends[best]
					       : heading->ends[best] - end;

			if (far < least)
				best = j;
		}
		append(heading, best, text + parts[i].at, parts[i].len);
	}
}

/* Names of the columns from the lines between @from and the table. */
static void read_names(struct heading *heading, size_t from, size_t to)
{
	size_t nr_columns = heading->table->nr_columns;
	struct part parts[POSTED_COLUMNS_MAX];
	size_t i, j;

	for (i = from; i < to; i++) {
		const char *text = heading->posted->lines.lines[i].text;

		if (!split_even(text, nr_columns, parts)) {
			append_remainder(heading, text);
			continue;
		}
		for (j = 0; j < nr_columns; j++) {
			append(heading, j, text + parts[j].at, parts[j].len);
			heading->ends[j] = parts[j].at + parts[j].len;
		}
	}
}

/* Where the heading of the table begins; all its lines look like names. */
static size_t find_start(const struct heading *heading, size_t end)
{
	const struct posted_line *lines = heading->posted->lines.lines;
	struct part parts[POSTED_COLUMNS_MAX];
	size_t nr_columns = heading->table->nr_columns;
	size_t start = end;
	size_t i;

	for (i = end; i-- > 0 && end - i <= HEADING_LINES;) {
		if (posted_is_blank(&lines[i]) || lines[i].depth != heading->table->depth)
			break;
		if (split_even(lines[i].text, nr_columns, parts))
			start = i;
		else if (!is_remainder(lines[i].text, nr_columns))
			break;
	}
	return start;
}

static size_t skip_blank_up(const struct heading *heading, size_t end)
{
	const struct posted_line *lines = heading->posted->lines.lines;

	while (end && posted_is_blank(&lines[end - 1]) &&
	       lines[end - 1].depth == heading->table->depth)
		end--;
	return end;
}

static int keep_names(struct heading *heading)
{
	struct posted_table *table = heading->table;
	size_t i, j;

	for (i = 0; i < table->nr_columns; i++) {
		char *name = heading->names[i];
		size_t len;

		if (table->columns[i])
			(void)snprintf(name, NAME_SIZE, "%s", table->columns[i]);
		if (!*name)
			(void)snprintf(name, NAME_SIZE, "column %zu", i + 1);
		len = strlen(name);
		for (j = 0; j < i; j++) {
			if (strcmp(heading->names[j], name))
				continue;
			/* Equal names would make one column of two. */
			(void)snprintf(name + len, NAME_SIZE - len, " (%zu)", i + 1);
		}
		table->columns[i] = textmap_keep(&heading->posted->texts, name);
		if (!table->columns[i])
			return -ENOMEM;
	}
	return 0;
}

/* mmtests prints its test on a line of its own, such as "hackbench-process-pipes". */
static int take_title(struct heading *heading, size_t start)
{
	size_t at = skip_blank_up(heading, start);
	const char *text = at ? heading->posted->lines.lines[at - 1].text : "";
	struct posted_table *table = heading->table;
	char workload[NAME_SIZE];

	text += strspn(text, " ");
	if (!isalpha((unsigned char)*text) || strchr(text, ' ') || strchr(text, ','))
		return 0;
	(void)snprintf(workload, sizeof(workload), "%.*s", (int)strcspn(text, "-:"),
		       text);
	table->variant = textmap_keep(&heading->posted->texts, text);
	table->workload = textmap_keep(&heading->posted->texts, workload);
	return table->variant && table->workload ? 0 : -ENOMEM;
}

/* Benchmarks by what people call them in text. */
static const struct {
	const char *said, *workload, *variant;
} known[] = {
	{ "sched pipe", "pipe", "perf-bench-sched-pipe" },
	{ "sched messaging", "messaging", "perf-bench-sched-messaging" },
	{ "hackbench", "hackbench", "hackbench" },
	{ "olano", "chat", "volanomark" },
	{ "sysbench", "sysbench", "sysbench" },
	{ "tbench", "tbench", "tbench" },
	{ "schbench", "wakeup-latency", "schbench" },
	{ "tream", "stream", "stream" },
	{ "reaim", "reaim", "reaim" },
};

/* The benchmark that is named last before the table. */
static void guess_workload(struct heading *heading)
{
	const struct posted_line *lines = heading->posted->lines.lines;
	size_t end = heading->table->first_line;
	size_t i, j;

	for (i = end; i-- > 0 && end - i <= TEXT_LINES;) {
		for (j = 0; j < sizeof(known) / sizeof(known[0]); j++) {
			if (!strstr(lines[i].text, known[j].said))
				continue;
			heading->table->workload = known[j].workload;
			heading->table->variant = known[j].variant;
			return;
		}
	}
}

/* "run 10 times", "avg of 5 run", "mean of 10 runs": the number, or 0. */
static uint64_t runs_said(const char *text)
{
	static const char *const words[] = { " times", " run" };
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const char *word = strstr(text, words[i]);
		const char *from = word;

		while (from && from > text && isdigit((unsigned char)from[-1]))
			from--;
		if (from && from < word && word - from < 6 &&
		    (from == text || from[-1] == ' '))
			return strtoull(from, NULL, 10);
	}
	return 0;
}

static void find_runs(struct heading *heading)
{
	const struct posted_line *lines = heading->posted->lines.lines;
	size_t end = heading->table->first_line;
	size_t i;

	for (i = end; i-- > 0 && end - i <= TEXT_LINES && !heading->table->runs;)
		heading->table->runs = runs_said(lines[i].text);
}

int posted_heading(struct posted *posted, struct posted_table *table)
{
	struct heading *heading = calloc(1, sizeof(*heading));
	bool is_named = table->columns[0];
	size_t end, start;
	int bad;

	if (!heading)
		return -ENOMEM;
	heading->posted = posted;
	heading->table = table;
	end = skip_blank_up(heading, table->first_line - 1);
	start = is_named ? end : find_start(heading, end);
	read_names(heading, start, end);
	bad = keep_names(heading);
	guess_workload(heading);
	find_runs(heading);
	if (!bad && table->layout == POSTED_MMTESTS)
		bad = take_title(heading, start);
	free(heading);
	return bad;
}

/* LKP. */

/* The last line above @idx at the same depth that says anything; NULL: none near. */
static const char *above(const struct posted *posted, size_t *idx)
{
	const struct posted_line *lines = posted->lines.lines;
	size_t depth = lines[*idx].depth;
	size_t far;

	for (far = 0; *idx && far < HEADING_LINES; far++) {
		--*idx;
		if (lines[*idx].depth == depth && !posted_is_blank(&lines[*idx]))
			return lines[*idx].text + strspn(lines[*idx].text, " ");
	}
	return NULL;
}

/* The value of an axis such as "testcase", kept; NULL when it isn't there. */
static const char *axis_value(struct posted *posted, const struct posted_table *table,
			      const char *axis)
{
	const char *name = table->axes;
	const char *value = table->axis_values;
	char text[NAME_SIZE];

	while (name && value && *name && *value) {
		size_t len = strcspn(name, "/:");

		if (len == strlen(axis) && !strncmp(name, axis, len)) {
			(void)snprintf(text, sizeof(text), "%.*s",
				       (int)strcspn(value, "/"), value);
			return textmap_keep(&posted->texts, text);
		}
		name += len + (name[len] != '\0');
		value += strcspn(value, "/");
		value += *value != '\0';
	}
	return NULL;
}

static void read_axes(struct posted *posted, struct posted_table *table, size_t idx)
{
	const char *values = above(posted, &idx);
	const char *names = values ? above(posted, &idx) : NULL;

	if (!names || !strchr(names, '/') || names[strlen(names) - 1] != ':')
		return;
	table->axes = textmap_keep(&posted->texts, names);
	table->axis_values = textmap_keep(&posted->texts, values);
	if (axis_value(posted, table, "testcase"))
		table->workload = table->variant = axis_value(posted, table, "testcase");
	table->machine = axis_value(posted, table, "tbox_group");
}

int posted_lkp_heading(struct posted *posted, struct posted_table *table, size_t idx)
{
	struct heading *heading = calloc(1, sizeof(*heading));
	const struct posted_lines *lines = &posted->lines;
	size_t i;
	int bad;

	if (!heading)
		return -ENOMEM;
	heading->posted = posted;
	heading->table = table;
	for (i = idx + 1; i < lines->nr_lines; i++) {
		const struct posted_line *line = &lines->lines[i];

		if (posted_is_blank(line) || line->depth != table->depth ||
		    table->nr_columns == POSTED_COLUMNS_MAX)
			break;
		append(heading, table->nr_columns++, line->text + strspn(line->text, " "),
		       strlen(line->text));
	}
	read_axes(posted, table, idx);
	bad = keep_names(heading);
	free(heading);
	return bad;
}
