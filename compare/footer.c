// SPDX-License-Identifier: GPL-2.0-or-later
/* Notes below tables and the order of the footer, see footer.h; what the footer says of
 * columns and sections is in footer_facts.c. */
#include "compare/footer.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "compare/judge.h"
#include "lib/text.h"
#include "record/record.h"

/* What an answer to a mail can quote twice without breaking it. */
enum { LINE_MAX_WIDTH = 78 };

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

int footer_put(FILE *out, const char *fmt, ...)
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
		ret = footer_put(
			out,
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
			ret = footer_put(out, "note: column %s was skipped%s%s: %s",
					 table->columns[i].name, *op ? " at " : "", op,
					 reason);
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
			ret = footer_put(
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

static int note_remarks(FILE *out, const struct table *table,
			const struct table_section *section)
{
	size_t i, j;

	for (i = 0; i < table->nr_columns; i++) {
		const struct table_remarks *remarks = &section->remarks[i];

		for (j = 0; j < TABLE_NR_FLAGS; j++) {
			const char *name = footer_flag(1U << j);
			int ret = 0;

			/* All of a column are; its footer says so. */
			if (name && remarks->nr[j] && 1U << j != RECORD_EMULATED)
				ret = footer_put(out,
						 "note: %zu of %zu iterations in %s: %s",
						 remarks->nr[j], remarks->nr_iterations,
						 table->columns[i].name, name);
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

	if (!ret)
		ret = note_remarks(out, table, section);

	for (i = 0; !ret && i < section->nr_metrics; i++) {
		if (section->metrics[i].name)
			ret = note_alike(out, table, view, &section->metrics[i]);
	}
	if (!ret)
		ret = note_repeated(out, table, view);
	if (!ret && view->nr_hidden)
		ret = footer_put(
			out,
			"note: %zu row%s 0 in every column and left out (--all shows them)",
			view->nr_hidden, view->nr_hidden == 1 ? " is" : "s are");
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
	return row->row->metric->better_higher && !row->row->metric->unjudged;
}

static bool is_lower(const struct table *table, const struct view_row *row)
{
	(void)table;
	return !row->row->metric->better_higher && !row->row->metric->unjudged;
}

int footer_harmonic(FILE *out, const struct table *table, const struct view *view)
{
	return list_metrics(out, table, view, is_harmonic, "harmonic means");
}

int footer_directions(FILE *out, const struct table *table, const struct view *view)
{
	int ret = list_metrics(out, table, view, is_higher, "higher is better");

	if (!ret)
		ret = list_metrics(out, table, view, is_lower, "lower is better");
	return ret ? ret : footer_harmonic(out, table, view);
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

static bool has_samples(const struct table_row *row, size_t nr_columns)
{
	size_t i;

	for (i = 0; i < nr_columns; i++) {
		if (row->cells[i].nr_samples)
			return true;
	}
	return false;
}

struct footer_statistics footer_statistics(const struct table *table, bool all)
{
	static const char *const means[] = {
		"arithmetic mean",
		"harmonic mean",
		"arithmetic mean, or where listed harmonic",
	};
	static const char *const spreads[] = {
		"divisor n-1",
		"Hmean^2 times that of the reciprocals, divisor n",
		"divisor n-1; of harmonic means as mmtests has it, HStddev",
	};
	struct footer_statistics ret = { 0 };
	bool is_used[2] = { false, false };
	size_t i, j, kind;

	for (i = 0; i < table->nr_sections; i++) {
		for (j = 0; j < table->sections[i].nr_rows; j++) {
			const struct table_row *row = &table->sections[i].rows[j];

			if (row->metric->secondary && !all)
				continue;
			ret.has_samples |= has_samples(row, table->nr_columns);
			is_used[view_mean(row, table->nr_columns) == VIEW_HMEAN] = true;
		}
	}
	ret.has_samples |= !has_summaries(table);
	kind = is_used[1] ? (is_used[0] ? 2 : 1) : 0;
	ret.mean = means[kind];
	ret.spread = ret.has_samples ? spreads[kind] : "as printed";
	return ret;
}

const char *footer_marks(const struct table *table, bool all)
{
	bool is_used[2] = { false, false };
	size_t i, j, k;

	for (i = 0; i < table->nr_sections; i++) {
		const struct table_section *section = &table->sections[i];

		for (j = 0; j < section->nr_rows * table->nr_columns; j++) {
			const struct table_row *row =
				&section->rows[j / table->nr_columns];
			char mark;

			k = j % table->nr_columns;
			mark = judgement_mark(table, section, row, k);
			if (mark && (all || !row->metric->secondary))
				is_used[mark == '?'] = true;
		}
	}
	if (is_used[0] && is_used[1])
		return "; *: better or worse by the rule below, ?: perhaps";
	if (is_used[1])
		return "; ?: perhaps better or worse by the rule below";
	return is_used[0] ? "; *: better or worse by the rule below" : "";
}

int footer_origin(FILE *out, const struct table *table, bool all)
{
	int ret = footer_sections(out, table, all);
	size_t i;

	if (!ret)
		ret = footer_columns(out, table, all);
	for (i = 0; !ret && i < table->nr_machines; i++)
		ret = footer_put(out, "machine %s", table->machines[i]);
	if (!ret)
		ret = footer_stopped(out, table);
	if (!ret)
		ret = footer_unfinished(out, table);
	return ret ? ret : footer_terms(out, table);
}

int footer_rules(FILE *out, const struct table *table, const char *meanings)
{
	static const char from_summaries[] =
		"published tables: means and Stddev as printed there, divisor not known; "
		"gains are of rounded means";
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < table->nr_notes; i++)
		ret = footer_put(out, "note: not comparable: %s", table->notes[i]);
	if (!ret)
		ret = footer_line(out, meanings);
	if (!ret)
		ret = footer_verdicts(out, table);
	if (!ret && has_summaries(table))
		ret = footer_line(out, from_summaries);
	return ret;
}

int footer_version(FILE *out, const struct fmt_options *options)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && options->facts && options->facts[i]; i++)
		ret = footer_line(out, options->facts[i]);
	if (!ret && options->version)
		ret = footer_put(out, "schedgrid %s", options->version);
	return ret;
}

int footer_end(FILE *out, const struct table *table, const char *meanings,
	       const struct fmt_options *options)
{
	int ret = footer_rules(out, table, meanings);

	if (!ret)
		ret = footer_origin(out, table, options->all);
	return ret ? ret : footer_version(out, options);
}

int footer_put_end(FILE *out, const struct table *table,
		   const struct fmt_options *options, const char *fmt, ...)
{
	va_list args;
	char *meanings;
	int ret;

	va_start(args, fmt);
	ret = vasprintf(&meanings, fmt, args);
	va_end(args);
	if (ret < 0)
		return -ENOMEM;
	ret = footer_end(out, table, meanings, options);
	free(meanings);
	return ret;
}
