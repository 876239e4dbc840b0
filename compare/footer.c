// SPDX-License-Identifier: GPL-2.0-or-later
/* Notes and facts below tables; see footer.h. */
#include "compare/footer.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/text.h"
#include "record/record.h"

enum { LINE_MAX_WIDTH = 99 };

static size_t char_len(const char *text)
{
	size_t len = 1;

	while (((unsigned char)text[len] & 0xc0) == 0x80)
		len++;
	return len;
}

/* Bytes of @text up to the next space, but no more than @max characters. */
static size_t word_len(const char *text, size_t max, size_t *ret_width)
{
	size_t len = 0;

	*ret_width = 0;
	while (text[len] && text[len] != ' ' && *ret_width < max) {
		len += char_len(text + len);
		(*ret_width)++;
	}
	return len;
}

int footer_line(FILE *out, const char *text)
{
	static const char indent[] = "  ";
	const size_t nr_indent = sizeof(indent) - 1;
	char *printable = view_printable(text);
	const char *at = printable;
	size_t used = 0;

	if (!printable)
		return -ENOMEM;
	while (*at) {
		size_t width;
		size_t len = word_len(at, LINE_MAX_WIDTH - nr_indent, &width);
		bool is_first = at == printable;
		/* A word that had to be cut goes on without a space. */
		bool is_spaced = !is_first && at[-1] == ' ';

		if (!is_first && used + is_spaced + width > LINE_MAX_WIDTH) {
			(void)fprintf(out, "\n%s", indent);
			used = nr_indent;
		} else if (is_spaced) {
			(void)fputc(' ', out);
			used++;
		}
		(void)fwrite(at, 1, len, out);
		used += width;
		at += len;
		at += *at == ' ';
	}
	(void)fputc('\n', out);
	free(printable);
	return 0;
}

__attribute__((format(printf, 2, 3))) static int put(FILE *out, const char *fmt, ...)
{
	va_list args;
	char *text;
	int ret;

	va_start(args, fmt);
	ret = vasprintf(&text, fmt, args);
	va_end(args);
	if (ret < 0)
		return -ENOMEM;
	ret = footer_line(out, text);
	free(text);
	return ret;
}

/* Points of @metric at which all samples of @column are @value; 0 if any isn't. */
static size_t points_alike(const struct view *view, const struct table_metric *metric,
			   size_t column, double *value)
{
	size_t nr = 0;
	size_t i;

	for (i = 0; i < view->nr_rows; i++) {
		const struct table_row *row = view->rows[i].row;
		const struct table_cell *cell = &row->cells[column];

		if (row->metric != metric || !cell->nr_samples)
			continue;
		if (!nr)
			*value = cell->stats.min;
		if (cell->stats.min != *value || cell->stats.max != *value)
			return 0;
		nr++;
	}
	return nr;
}

static int note_alike(FILE *out, const struct table *table, const struct view *view,
		      const struct table_metric *metric)
{
	size_t i;

	for (i = 0; i < table->nr_columns; i++) {
		double value = 0.0;
		size_t nr = points_alike(view, metric, i, &value);
		int ret;

		/* Counters that stay 0 are no sign of a coarse clock. */
		if (nr < 2 || value == 0.0)
			continue;
		ret = put(out,
			  "note: every sample of %s in column %s is %.9g %s, at %zu "
			  "different points: too coarse to compare",
			  metric->name, table->columns[i].name, value, metric->unit, nr);
		if (ret)
			return ret;
	}
	return 0;
}

static int note_skipped(FILE *out, const struct table *table, const struct view *view)
{
	size_t i, j;

	for (i = 0; i < table->nr_columns; i++) {
		const char *reason = NULL;
		const char *op = "";
		int ret = 0;

		for (j = 0; j < view->nr_rows && !reason; j++) {
			reason = view->rows[j].row->cells[i].reason;
			op = view->rows[j].op;
		}
		if (reason)
			ret = put(out, "note: column %s was skipped%s%s: %s",
				  table->columns[i].name, *op ? " at " : "", op, reason);
		if (ret)
			return ret;
	}
	return 0;
}

/* Each of the spreads that formats print, around the mean it belongs to. */
static bool repeats_mean(const struct table_cell *cell, double *mean)
{
	const struct stats *stats = &cell->stats;

	*mean = stats->amean;
	if (*mean != 0.0 && (stats->stddev_n1 == *mean || stats->stddev_n == *mean))
		return true;
	*mean = stats->hmean;
	return *mean != 0.0 && stats->hstddev == *mean;
}

static int note_repeated(FILE *out, const struct table *table, const struct view *view)
{
	size_t i, j;

	for (i = 0; i < view->nr_rows; i++) {
		const struct view_row *row = &view->rows[i];

		for (j = 0; j < table->nr_columns; j++) {
			double mean;
			int ret;

			if (!repeats_mean(&row->row->cells[j], &mean))
				continue;
			ret = put(
				out,
				"note: the standard deviation of %s in column %s equals "
				"its mean, %.9g: perhaps the mean was copied twice",
				row->op, table->columns[j].name, mean);
			if (ret)
				return ret;
		}
	}
	return 0;
}

int footer_notes(FILE *out, const struct table *table,
		 const struct table_section *section, const struct view *view)
{
	int ret = note_skipped(out, table, view);
	size_t i;

	for (i = 0; !ret && i < section->nr_metrics; i++) {
		if (section->metrics[i].name)
			ret = note_alike(out, table, view, &section->metrics[i]);
	}
	if (!ret)
		ret = note_repeated(out, table, view);
	if (!ret && view->nr_hidden)
		ret = put(
			out,
			"note: %zu row%s 0 in every column and left out (--all shows them)",
			view->nr_hidden, view->nr_hidden == 1 ? " is" : "s are");
	return ret;
}

/*
 * struct range - how many samples the cells of a column have
 * @min: fewest
 * @max: most
 * @is_unknown: a summary doesn't say
 */
struct range {
	uint64_t min, max;
	bool is_unknown;
};

static struct range count_range(const struct table *table, size_t column)
{
	struct range range = { .min = UINT64_MAX };
	size_t i, j;

	for (i = 0; i < table->nr_sections; i++) {
		for (j = 0; j < table->sections[i].nr_rows; j++) {
			const struct table_cell *cell =
				&table->sections[i].rows[j].cells[column];
			uint64_t nr =
				cell->is_summary ? cell->summary_n : cell->nr_samples;

			if (cell->is_summary && !nr) {
				range.is_unknown = true;
				continue;
			}
			range.min = nr < range.min ? nr : range.min;
			range.max = nr > range.max ? nr : range.max;
		}
	}
	return range;
}

static void write_range(FILE *out, const struct range *range)
{
	if (range->min > range->max)
		(void)fputs("n not known", out);
	else if (range->min == range->max)
		(void)fprintf(out, "n %" PRIu64, range->min);
	else
		(void)fprintf(out, "n %" PRIu64 "..%" PRIu64, range->min, range->max);
	if (range->min <= range->max && range->is_unknown)
		(void)fputs(" where known", out);
}

static void write_flags(FILE *out, unsigned int flags)
{
	static const struct {
		unsigned int flag;
		const char *name;
	} names[] = {
		{ RECORD_EMULATED, "emulated" },
		{ RECORD_INTERFERED, "interfered" },
		{ RECORD_UNDERSIZED, "undersized" },
		{ RECORD_KERNEL_WARNING, "kernel-warning" },
		{ RECORD_SETTING_CHANGED, "setting-changed" },
	};
	const char *before = ", flags ";
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!(flags & names[i].flag))
			continue;
		(void)fprintf(out, "%s%s", before, names[i].name);
		before = " ";
	}
}

static void write_fact(FILE *out, const char *name, const char *value)
{
	if (value)
		(void)fprintf(out, ", %s %s", name, value);
}

static char *column_facts(const struct table *table, size_t idx)
{
	const struct table_column *column = &table->columns[idx];
	struct range range = count_range(table, idx);
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	write_range(out, &range);
	if (column->nr_boots)
		(void)fprintf(out, ", boots %zu", column->nr_boots);
	write_fact(out, "kernel", column->kernel);
	write_fact(out, "machine", column->machines);
	write_fact(out, "executor", column->executors);
	write_flags(out, column->flags);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

static int write_columns(FILE *out, const struct table *table, char *const *facts)
{
	bool is_same = true;
	size_t i;
	int ret = 0;

	for (i = 1; i < table->nr_columns; i++)
		is_same &= !strcmp(facts[i], facts[0]);
	if (is_same)
		return put(out, "each column: %s", facts[0]);
	for (i = 0; !ret && i < table->nr_columns; i++)
		ret = put(out, "%s: %s", table->columns[i].name, facts[i]);
	return ret;
}

int footer_columns(FILE *out, const struct table *table)
{
	char **facts;
	size_t i;
	int ret = 0;

	if (!table->nr_columns)
		return 0;
	facts = calloc(table->nr_columns, sizeof(char *));
	if (!facts)
		return -ENOMEM;
	for (i = 0; !ret && i < table->nr_columns; i++) {
		facts[i] = column_facts(table, i);
		if (!facts[i])
			ret = -ENOMEM;
	}
	if (!ret)
		ret = write_columns(out, table, facts);
	for (i = 0; i < table->nr_columns; i++)
		free(facts[i]);
	free(facts);
	return ret;
}

static bool is_harmonic(const struct table *table, const struct view_row *row)
{
	return view_mean(row->row, table->nr_columns) == VIEW_HMEAN;
}

/* One line that lists the metrics for which @is_listed; nothing when none is. */
static int list_metrics(FILE *out, const struct table *table, const struct view *view,
			bool (*is_listed)(const struct table *, const struct view_row *),
			const char *what)
{
	const struct table_metric *last = NULL;
	const char *before = ": ";
	char *text = NULL;
	size_t len = 0;
	FILE *line = open_memstream(&text, &len);
	size_t i;
	int ret;

	if (!line)
		return -ENOMEM;
	(void)fputs(what, line);
	for (i = 0; i < view->nr_rows; i++) {
		const struct table_metric *metric = view->rows[i].row->metric;

		if (metric == last || !metric->name || !is_listed(table, &view->rows[i]))
			continue;
		(void)fprintf(line, "%s%s", before, metric->name);
		before = ", ";
		last = metric;
	}
	ret = fclose(line) ? -ENOMEM : 0;
	if (!ret && last)
		ret = footer_line(out, text);
	free(text);
	return ret;
}

static bool is_higher(const struct table *table, const struct view_row *row)
{
	(void)table;
	return row->row->metric->better_higher;
}

static bool is_lower(const struct table *table, const struct view_row *row)
{
	return !is_higher(table, row);
}

int footer_directions(FILE *out, const struct table *table, const struct view *view)
{
	int ret = list_metrics(out, table, view, is_higher, "higher is better");

	if (!ret)
		ret = list_metrics(out, table, view, is_lower, "lower is better");
	if (!ret)
		ret = list_metrics(out, table, view, is_harmonic, "harmonic means");
	return ret;
}

static bool has_summaries(const struct table *table)
{
	size_t i, j, k;

	for (i = 0; i < table->nr_sections; i++) {
		for (j = 0; j < table->sections[i].nr_rows; j++) {
			for (k = 0; k < table->nr_columns; k++) {
				if (table->sections[i].rows[j].cells[k].is_summary)
					return true;
			}
		}
	}
	return false;
}

int footer_end(FILE *out, const struct table *table, const char *meanings,
	       const struct fmt_options *options)
{
	static const char from_summaries[] =
		"means and Stddev are taken from published tables as printed there: the "
		"divisor of their Stddev is not known, and gains come from rounded means";
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < table->nr_notes; i++)
		ret = put(out, "note: not comparable: %s", table->notes[i]);
	if (!ret)
		ret = footer_line(out, meanings);
	if (!ret && has_summaries(table))
		ret = footer_line(out, from_summaries);
	if (!ret)
		ret = footer_columns(out, table);
	for (i = 0; !ret && options->facts && options->facts[i]; i++)
		ret = footer_line(out, options->facts[i]);
	if (!ret && options->version)
		ret = put(out, "schedgrid %s", options->version);
	return ret;
}
