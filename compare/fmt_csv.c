// SPDX-License-Identifier: GPL-2.0-or-later
/* Comma-separated values; see fmt_csv.h. */
#include "compare/fmt_csv.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/judge.h"
#include "compare/table.h"
#include "compare/view.h"
#include "lib/err.h"

static const char header[] =
	"workload,variant,metric,unit,better,point,column,n,failed,mean,stddev,min,median,"
	"max,ratio,percent,statistic,hmean,hstddev,primary,verdict\n";

/* One field; a line stays one line, whatever the name. */
static int put_text(FILE *out, const char *text, const char *before)
{
	char *printable = view_printable(text);
	const char *at;

	if (!printable)
		return -ENOMEM;
	(void)fputs(before, out);
	if (!strpbrk(printable, ",\"")) {
		(void)fputs(printable, out);
		free(printable);
		return 0;
	}
	(void)fputc('"', out);
	for (at = printable; *at; at++)
		(void)fprintf(out, "%s%c", *at == '"' ? "\"" : "", *at);
	(void)fputc('"', out);
	free(printable);
	return 0;
}

static void put_number(FILE *out, double value)
{
	(void)fputc(',', out);
	if (isfinite(value))
		(void)fprintf(out, "%.15g", value);
}

static int put_place(FILE *out, const struct table_section *section,
		     const struct table_row *row)
{
	const struct table_metric *metric = row->metric;
	const char *better = metric->better_higher ? "higher" : "lower";
	char *point = table_point_text(row->point, ";");
	int ret = point ? 0 : -ENOMEM;

	if (!ret)
		ret = put_text(out, section->workload, "");
	if (!ret)
		ret = put_text(out, section->title, ",");
	if (!ret)
		ret = put_text(out, metric->name ? metric->name : "", ",");
	if (!ret)
		ret = put_text(out, metric->unit, ",");
	if (!ret)
		ret = put_text(out, metric->name ? better : "", ",");
	if (!ret)
		ret = put_text(out, point, ",");
	free(point);
	return ret;
}

/* What the ratio is of, the other mean, and what is concluded. */
static void put_rest(FILE *out, const struct table *table,
		     const struct table_section *section, const struct table_row *row,
		     size_t column)
{
	const struct judged_row *judged = judgement_row(table, section, row);
	const struct table_cell *cell = &row->cells[column];
	bool is_primary = !row->metric->secondary && !row->metric->unjudged;
	bool is_harmonic = view_mean(row, table->nr_columns) == VIEW_HMEAN;
	const char *verdict = NULL;

	if (judged && column)
		verdict = verdict_name(judged->against[column].verdict);
	(void)fprintf(out, ",%s", is_harmonic ? "Hmean" : "Amean");
	put_number(out, view_value(cell, VIEW_HMEAN));
	put_number(out, view_value(cell, VIEW_HSTDDEV));
	(void)fprintf(out, ",%s,%s\n", is_primary ? "yes" : "no", verdict ? verdict : "");
}

static int put_line(FILE *out, const struct table *table,
		    const struct table_section *section, const struct table_row *row,
		    size_t column)
{
	const struct table_cell *cell = &row->cells[column];
	enum view_statistic mean = view_mean(row, table->nr_columns);
	double ratio = view_value(cell, mean) / view_value(&row->cells[0], mean);
	int ret = put_place(out, section, row);

	if (!ret)
		ret = put_text(out, table->columns[column].name, ",");
	if (ret)
		return ret;
	(void)fputc(',', out);
	if (!cell->is_summary)
		(void)fprintf(out, "%zu", cell->nr_samples);
	else if (cell->summary_n)
		(void)fprintf(out, "%" PRIu64, cell->summary_n);
	(void)fprintf(out, ",%zu", cell->nr_failed + cell->nr_invalid);
	put_number(out, view_value(cell, VIEW_AMEAN));
	put_number(out, view_value(cell, VIEW_STDDEV_N1));
	put_number(out, cell->stats.min);
	put_number(out, cell->stats.median);
	put_number(out, cell->stats.max);
	put_number(out, ratio);
	put_number(out, view_percent(row, column, mean));
	put_rest(out, table, section, row, column);
	return 0;
}

int fmt_csv(FILE *out, const struct table *table, struct err *err)
{
	size_t i, j, k;
	int ret = 0;

	(void)fputs(header, out);
	for (i = 0; i < table->nr_sections; i++) {
		const struct table_section *section = &table->sections[i];

		for (j = 0; j < section->nr_rows; j++) {
			for (k = 0; !ret && k < table->nr_columns; k++)
				ret = put_line(out, table, section, &section->rows[j], k);
		}
	}
	return ret ? err_nomem(err) : 0;
}
