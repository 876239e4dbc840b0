// SPDX-License-Identifier: GPL-2.0-or-later
/* Chooses and names what text formats show; see view.h. */
#include "compare/view.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/percent.h"
#include "lib/text.h"

/* More than the digits of a double would be made up. */
enum { DIGITS_SECONDS = 4, DIGITS_OTHER = 2, DIGITS_MAX = 15 };

#define MEMBER(member) offsetof(struct stats, member)

/* Where struct stats has what it has; the coefficients are made of two of them. */
static const size_t members[] = {
	[VIEW_MIN] = MEMBER(min),
	[VIEW_AMEAN] = MEMBER(amean),
	[VIEW_HMEAN] = MEMBER(hmean),
	[VIEW_STDDEV_N] = MEMBER(stddev_n),
	[VIEW_STDDEV_N1] = MEMBER(stddev_n1),
	[VIEW_HSTDDEV] = MEMBER(hstddev),
	[VIEW_MAX] = MEMBER(max),
	[VIEW_BEST50_AMEAN] = MEMBER(best_amean[STATS_50]),
	[VIEW_BEST75_AMEAN] = MEMBER(best_amean[STATS_75]),
	[VIEW_BEST90_AMEAN] = MEMBER(best_amean[STATS_90]),
	[VIEW_BEST95_AMEAN] = MEMBER(best_amean[STATS_95]),
	[VIEW_BEST99_AMEAN] = MEMBER(best_amean[STATS_99]),
	[VIEW_BEST50_HMEAN] = MEMBER(best_hmean[STATS_50]),
	[VIEW_BEST75_HMEAN] = MEMBER(best_hmean[STATS_75]),
	[VIEW_BEST90_HMEAN] = MEMBER(best_hmean[STATS_90]),
	[VIEW_BEST95_HMEAN] = MEMBER(best_hmean[STATS_95]),
	[VIEW_BEST99_HMEAN] = MEMBER(best_hmean[STATS_99]),
	[VIEW_PCTILE50_LOW] = MEMBER(pctile_low[STATS_50]),
	[VIEW_PCTILE75_LOW] = MEMBER(pctile_low[STATS_75]),
	[VIEW_PCTILE90_LOW] = MEMBER(pctile_low[STATS_90]),
	[VIEW_PCTILE95_LOW] = MEMBER(pctile_low[STATS_95]),
	[VIEW_PCTILE99_LOW] = MEMBER(pctile_low[STATS_99]),
	[VIEW_PCTILE50_HIGH] = MEMBER(pctile_high[STATS_50]),
	[VIEW_PCTILE75_HIGH] = MEMBER(pctile_high[STATS_75]),
	[VIEW_PCTILE90_HIGH] = MEMBER(pctile_high[STATS_90]),
	[VIEW_PCTILE95_HIGH] = MEMBER(pctile_high[STATS_95]),
	[VIEW_PCTILE99_HIGH] = MEMBER(pctile_high[STATS_99]),
};

static double member(const struct stats *stats, enum view_statistic statistic)
{
	double value;

	memcpy(&value, (const char *)stats + members[statistic], sizeof(value));
	return value;
}

double view_value(const struct table_cell *cell, enum view_statistic statistic)
{
	const struct stats *stats = &cell->stats;
	/* Which divisor a published table took is not known. */
	enum view_statistic stddev = cell->is_summary ? VIEW_STDDEV_N1 : VIEW_STDDEV_N;

	if (statistic == VIEW_STDDEV_N)
		return member(stats, stddev);
	if (statistic == VIEW_COEFFVAR_N)
		return stats_coeffvar(member(stats, stddev), stats->amean);
	if (statistic == VIEW_COEFFVAR_N1)
		return stats_coeffvar(stats->stddev_n1, stats->amean);
	if (statistic == VIEW_HCOEFFVAR)
		return stats_coeffvar(stats->hstddev, stats->hmean);
	return member(stats, statistic);
}

static bool is_spread(enum view_statistic statistic)
{
	return statistic >= VIEW_STDDEV_N && statistic <= VIEW_HCOEFFVAR;
}

double view_percent(const struct table_row *row, size_t column,
		    enum view_statistic statistic)
{
	return percent_gain(view_value(&row->cells[0], statistic),
			    view_value(&row->cells[column], statistic),
			    row->metric->better_higher && !is_spread(statistic));
}

static bool has_summary(const struct table *table, const struct table_row *row)
{
	size_t i;

	for (i = 0; i < table->nr_columns; i++) {
		if (row->cells[i].is_summary)
			return true;
	}
	return false;
}

/* Whether any cell has @statistic; or any that is a summary. */
static bool has_value(const struct table *table, const struct table_row *row,
		      enum view_statistic statistic, bool of_summary)
{
	size_t i;

	for (i = 0; i < table->nr_columns; i++) {
		if (of_summary && !row->cells[i].is_summary)
			continue;
		if (!isnan(view_value(&row->cells[i], statistic)))
			return true;
	}
	return false;
}

enum view_statistic view_mean(const struct table_row *row, size_t nr_columns)
{
	size_t i;

	for (i = 0; i < nr_columns; i++) {
		if (row->cells[i].is_summary && !isnan(row->cells[i].stats.hmean))
			return VIEW_HMEAN;
	}
	return VIEW_AMEAN;
}

enum view_statistic view_spread(enum view_statistic mean)
{
	return mean == VIEW_HMEAN ? VIEW_HSTDDEV : VIEW_STDDEV_N1;
}

static bool has_failures(const struct table *table, const struct table_row *row)
{
	size_t i;

	for (i = 0; i < table->nr_columns; i++) {
		if (row->cells[i].nr_failed || row->cells[i].nr_invalid)
			return true;
	}
	return false;
}

static bool is_zero(const struct table *table, const struct table_row *row)
{
	bool has_any = false;
	size_t i;

	for (i = 0; i < table->nr_columns; i++) {
		const struct table_cell *cell = &row->cells[i];
		const struct stats *stats = &cell->stats;

		if (cell->is_summary ? view_value(cell, view_mean(row, i + 1)) != 0.0
				     : stats->min < 0.0 || stats->max > 0.0)
			return false;
		has_any |= cell->is_summary || cell->nr_samples;
	}
	return has_any;
}

static bool is_wanted(const struct table_row *row, bool all)
{
	return all || !row->metric->secondary;
}

/* Whether the failures of @row can be seen in another row of its point. */
static bool has_witness(const struct table *table, const struct table_section *section,
			const struct table_row *row)
{
	size_t i;

	for (i = 0; i < section->nr_rows; i++) {
		const struct table_row *other = &section->rows[i];

		if (other->point == row->point && is_wanted(other, false) &&
		    !is_zero(table, other))
			return true;
	}
	return false;
}

static bool is_hidden_zero(const struct table *table, const struct table_section *section,
			   const struct table_row *row)
{
	return is_zero(table, row) &&
	       (!has_failures(table, row) || has_witness(table, section, row));
}

bool view_shows(const struct table *table, const struct table_section *section,
		const struct table_row *row)
{
	return is_wanted(row, false) && !is_hidden_zero(table, section, row);
}

char *view_printable(const char *text)
{
	size_t size = 4 * strlen(text) + 1;
	char *out = malloc(size);

	if (out)
		text_printable(text, out, size);
	return out;
}

static bool shares_name(const struct table_section *section,
			const struct table_metric *metric)
{
	size_t i;

	for (i = 0; i < section->nr_metrics; i++) {
		const struct table_metric *other = &section->metrics[i];

		if (other != metric && other->name && !strcmp(other->name, metric->name))
			return true;
	}
	return false;
}

static char *op_text(const struct table_section *section, const struct table_row *row,
		     bool with_metric)
{
	const struct table_metric *metric = row->metric;
	const char *point = row->point->label;
	bool is_named = metric->name && (with_metric || !*point);
	bool with_unit = is_named && shares_name(section, metric);
	char *raw;
	char *text;

	if (asprintf(&raw, "%s%s%s%s%s%s", is_named ? metric->name : "",
		     with_unit ? "[" : "", with_unit ? metric->unit : "",
		     with_unit ? "]" : "", is_named && *point ? "-" : "", point) < 0)
		return NULL;
	text = view_printable(raw);
	free(raw);
	return text;
}

/* Whether the rows that are wanted belong to more than one metric. */
static bool has_metrics(const struct table *table, const struct table_section *section,
			bool all)
{
	const struct table_metric *first = NULL;
	size_t i;

	for (i = 0; i < section->nr_rows; i++) {
		const struct table_row *row = &section->rows[i];

		if (!is_wanted(row, all) || (!all && is_hidden_zero(table, section, row)))
			continue;
		if (first && first != row->metric)
			return true;
		first = row->metric;
	}
	return false;
}

static int add_rows(struct view *view, const struct table *table,
		    const struct table_section *section,
		    const struct view_options *options)
{
	bool all = options->all;
	bool with_metric = options->metric_first || has_metrics(table, section, all);
	size_t i;

	view->rows = reallocarray(NULL, section->nr_rows + 1, sizeof(*view->rows));
	if (!view->rows)
		return -ENOMEM;
	for (i = 0; i < section->nr_rows; i++) {
		const struct table_row *row = &section->rows[i];
		char *op;

		if (!is_wanted(row, all))
			continue;
		if (!all && is_hidden_zero(table, section, row)) {
			view->nr_hidden++;
			continue;
		}
		op = op_text(section, row, with_metric);
		if (!op)
			return -ENOMEM;
		view->rows[view->nr_rows++] = (struct view_row){ row, op };
	}
	return 0;
}

/* Whether nothing at all is recorded of @row. */
static bool is_unknown(const struct table *table, const struct table_row *row)
{
	size_t i;

	for (i = 0; i < table->nr_columns; i++) {
		if (row->cells[i].nr_failed || row->cells[i].nr_skipped)
			return false;
	}
	return true;
}

static bool is_shown(const struct table *table, const struct table_row *row,
		     const struct view_label *label)
{
	unsigned int kind = row->metric->better_higher ? VIEW_HIGHER : VIEW_LOWER;

	/* No record names a metric; the extremes need no knowledge of it. */
	if (!row->metric->name)
		return is_unknown(table, row) &&
		       (label->statistic == VIEW_MIN || label->statistic == VIEW_MAX);
	if (!has_summary(table, row))
		return label->rows & kind;
	if (label->rows & kind && has_value(table, row, label->statistic, false))
		return true;
	return label->rows & VIEW_SUMMARY &&
	       has_value(table, row, label->statistic, true);
}

static int add_lines(struct view *view, const struct table *table,
		     const struct view_options *options)
{
	const struct view_label *labels = options->labels;
	size_t nr_labels = 0;
	size_t i, j;

	while (labels && labels[nr_labels].text)
		nr_labels++;
	view->lines = calloc(nr_labels * view->nr_rows + 1, sizeof(*view->lines));
	if (!view->lines)
		return -ENOMEM;
	for (i = 0; i < nr_labels; i++) {
		if (labels[i].rows & VIEW_FULL && !options->all)
			continue;
		for (j = 0; j < view->nr_rows; j++) {
			if (!is_shown(table, view->rows[j].row, &labels[i]))
				continue;
			view->lines[view->nr_lines++] =
				(struct view_line){ &labels[i], &view->rows[j] };
		}
	}
	return 0;
}

static uint64_t cell_count(const struct table_cell *cell)
{
	return cell->is_summary ? cell->summary_n : cell->nr_samples;
}

static bool needs_counts(const struct table *table, const struct view *view)
{
	const struct table_cell *first = NULL;
	size_t i, j;

	for (i = 0; i < view->nr_rows; i++) {
		for (j = 0; j < table->nr_columns; j++) {
			const struct table_cell *cell = &view->rows[i].row->cells[j];

			if (!first)
				first = cell;
			if (cell->nr_failed || cell->nr_invalid || cell->nr_skipped ||
			    cell->nr_unrecorded ||
			    (!cell->is_summary && !cell->nr_samples) ||
			    cell_count(cell) == 1 ||
			    cell_count(cell) != cell_count(first))
				return true;
		}
	}
	return false;
}

int view_init(struct view *view, const struct table *table,
	      const struct table_section *section, const struct view_options *options)
{
	*view = (struct view){ .title = view_printable(section->title) };
	if (!view->title || add_rows(view, table, section, options) ||
	    add_lines(view, table, options))
		return -ENOMEM;
	view->shows_counts = needs_counts(table, view);
	return 0;
}

void view_release(struct view *view)
{
	size_t i;

	for (i = 0; i < view->nr_rows; i++)
		free(view->rows[i].op);
	free(view->title);
	free(view->rows);
	free(view->lines);
	*view = (struct view){ 0 };
}

int view_digits(const struct table_row *row, size_t nr_columns)
{
	int digits = strcmp(row->metric->unit, "s") ? DIGITS_OTHER : DIGITS_SECONDS;
	size_t i;

	for (i = 0; i < nr_columns; i++) {
		if (row->cells[i].is_summary && row->cells[i].digits > digits)
			digits = row->cells[i].digits;
	}
	return digits < DIGITS_MAX ? digits : DIGITS_MAX;
}

/* What rounds to 0 has no sign left. */
static void put_plain(double value, int digits, char *out)
{
	int len = snprintf(out, VIEW_NUMBER_SIZE, "%.*f", digits, value);

	if (*out == '-' && !out[1 + strspn(out + 1, "0.")])
		memmove(out, out + 1, (size_t)len);
}

void view_number(double value, int digits, char *out)
{
	/* Beyond this, a decimal would be the digits of rounding. */
	const double plain_limit = 1e15;

	if (!isfinite(value))
		(void)snprintf(out, VIEW_NUMBER_SIZE, "n/a");
	else if (fabs(value) < plain_limit)
		put_plain(value, digits, out);
	else
		(void)snprintf(out, VIEW_NUMBER_SIZE, "%.6e", value);
}

void view_counts(const struct table_cell *cell, char *out, size_t size)
{
	uint64_t nr_ok = cell_count(cell);
	uint64_t nr_lost = cell->nr_failed + cell->nr_invalid + cell->nr_unrecorded;

	/* A published table that doesn't say its n. */
	if (cell->is_summary && !nr_ok)
		nr_lost = 0;
	if (cell->nr_skipped && nr_lost == cell->nr_unrecorded && !nr_ok)
		(void)snprintf(out, size, "skipped");
	else if (nr_lost)
		(void)snprintf(out, size, "%" PRIu64 "/%" PRIu64, nr_ok, nr_ok + nr_lost);
	else if (nr_ok)
		(void)snprintf(out, size, "%" PRIu64, nr_ok);
	else
		(void)snprintf(out, size, "n/a");
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Length of "-rcN" at @text, or 0. */
static size_t rc_len(const char *text)
{
	size_t len = 3;

	if (strncmp(text, "-rc", 3) != 0 || !is_digit(text[3]))
		return 0;
	while (is_digit(text[len]))
		len++;
	return len;
}

/*
 * Length of the version that @name begins with, or 0. A "-" ends it, or a ":" where it
 * has a suffix of somebody's own.
 */
static size_t version_len(const char *name)
{
	const char *at = name + (*name == 'v');
	const char *colon = name + strcspn(name, ": ");

	if (!is_digit(*at))
		return 0;
	while (is_digit(*at))
		at++;
	if (*at != '.')
		return 0;
	at = strchr(at, '-');
	while (at && rc_len(at))
		at = strchr(at + 1, '-');
	if (at && at < colon && *colon == ':' && colon[1])
		return (size_t)(colon - name);
	return at && at[1] ? (size_t)(at - name) : 0;
}

/* How much of the column's name goes above the rest of it. */
static size_t split_len(const struct table_column *column)
{
	size_t len;

	if (!column->kernel || !*column->kernel)
		return version_len(column->name);
	len = strlen(column->kernel);
	if (strncmp(column->name, column->kernel, len) != 0)
		return 0;
	return column->name[len] == '-' && column->name[len + 1] ? len : 0;
}

size_t view_cut(const char *text, size_t nr)
{
	size_t len = 0;

	while (text[len] && nr--) {
		len++;
		while (((unsigned char)text[len] & 0xc0) == 0x80)
			len++;
	}
	return len;
}

/* Both ends of @text where it is too long for a table, which takes it. */
static char *shorten(char *text)
{
	static const char dots[] = "...";
	const size_t nr_kept = VIEW_NAME_WIDTH - (sizeof(dots) - 1);
	size_t width = text ? text_width(text) : 0;
	char *end;
	char *start;

	if (width <= VIEW_NAME_WIDTH)
		return text;
	start = text + view_cut(text, nr_kept - nr_kept / 2);
	end = text + view_cut(text, width - nr_kept / 2);
	memcpy(start, dots, sizeof(dots) - 1);
	memmove(start + sizeof(dots) - 1, end, strlen(end) + 1);
	return text;
}

/* Of commits' names, 12 digits are enough to tell them apart; whether there was any. */
static bool cut_commits(char *text)
{
	enum { WHOLE = 40, KEPT = 12 };
	bool is_cut = false;
	char *at = text;

	while (*at) {
		size_t len = strspn(at, "0123456789abcdef");

		if (len == WHOLE) {
			memmove(at + KEPT, at + len, strlen(at + len) + 1);
			is_cut = true;
			len = KEPT;
		}
		at += len;
		at += strcspn(at, "0123456789abcdef");
	}
	return is_cut;
}

/* Printable, but whole. */
static int split_heading(const struct table_column *column, char **ret_above,
			 char **ret_name)
{
	const char *kernel = column->kernel ? column->kernel : "";
	size_t split = split_len(column);
	char *above;

	if (split)
		above = strndup(column->name, split);
	else
		above = strdup(strcmp(kernel, column->name) ? kernel : "");
	*ret_above = above ? view_printable(above) : NULL;
	*ret_name = view_printable(column->name + (split ? split + 1 : 0));
	free(above);
	if (*ret_above && *ret_name)
		return 0;
	free(*ret_above);
	free(*ret_name);
	return -ENOMEM;
}

int view_heading(const struct table_column *column, char **ret_above, char **ret_name)
{
	int ret = split_heading(column, ret_above, ret_name);

	if (ret)
		return ret;
	(void)cut_commits(*ret_above);
	(void)cut_commits(*ret_name);
	*ret_above = shorten(*ret_above);
	*ret_name = shorten(*ret_name);
	return 0;
}

int view_is_shortened(const struct table_column *column, bool *ret)
{
	char *above;
	char *name;

	if (split_heading(column, &above, &name))
		return -ENOMEM;
	*ret = text_width(name) > VIEW_NAME_WIDTH ||
	       text_width(above) > VIEW_NAME_WIDTH || cut_commits(name) ||
	       cut_commits(above);
	free(above);
	free(name);
	return 0;
}
