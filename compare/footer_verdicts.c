// SPDX-License-Identifier: GPL-2.0-or-later
/* What the footer says of verdicts: the rule, and the counts of each column. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/footer.h"
#include "compare/judge.h"
#include "lib/text.h"

/* The verdicts that are worth a count, in the order of a reader's interest. */
static const enum verdict shown[] = {
	VERDICT_BETTER,	    VERDICT_WORSE, VERDICT_MIXED,	 VERDICT_BETTER_WEAK,
	VERDICT_WORSE_WEAK, VERDICT_SAME,  VERDICT_INCONCLUSIVE, VERDICT_MISSING,
};

/* How large a change those that are inconclusive could have told, or why none at all. */
static void put_reason(FILE *out, const struct judged_column *column)
{
	if (!isnan(column->mde[0]))
		(void)fprintf(out, " (could only have seen %.1f%% or more)",
			      100.0 * column->mde[0]);
	else if (column->reason)
		(void)fprintf(out, " (%s)", column->reason);
}

static void put_counts(FILE *out, const struct judged_column *column)
{
	const char *before = ": ";
	size_t i;

	(void)fprintf(out, "%zu row%s", column->nr_rows, column->nr_rows == 1 ? "" : "s");
	for (i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
		if (!column->nr[shown[i]])
			continue;
		(void)fprintf(out, "%s%zu %s", before, column->nr[shown[i]],
			      verdict_name(shown[i]));
		before = ", ";
		if (shown[i] == VERDICT_INCONCLUSIVE)
			put_reason(out, column);
	}
	if (column->nr[VERDICT_NONE])
		(void)fprintf(out, "%s%zu not judged", before, column->nr[VERDICT_NONE]);
}

/* The whole name where a heading has room for it; the caller's, NULL: no memory. */
static char *short_name(const struct table_column *column)
{
	char *above;
	char *name;

	if (text_width(column->name) <= VIEW_NAME_WIDTH)
		return strdup(column->name);
	if (view_heading(column, &above, &name))
		return NULL;
	free(above);
	return name;
}

static void put_names(FILE *out, const char *name, const char *base,
		      const struct judged_column *column)
{
	const char *verdict = verdict_name(column->verdict);

	(void)fprintf(out, "%s against %s: %s; ", name, base,
		      verdict ? verdict : "not judged");
	put_counts(out, column);
	if (column->nr_gmean > 1)
		(void)fprintf(out, "; geometric mean of gains %.2fx [%.2f, %.2f]",
			      column->gmean, column->gmean_ci95[0],
			      column->gmean_ci95[1]);
	if (column->nr_failing)
		(void)fprintf(out, "; iterations fail in %zu row%s and not in %s",
			      column->nr_failing, column->nr_failing == 1 ? "" : "s",
			      base);
	if (column->nr_sequential)
		(void)fputs("; run one after the other, not interleaved", out);
}

static int put_column(FILE *out, const struct table *table, size_t idx)
{
	const struct judgement *judgement = table->judgement;
	size_t base_idx = judgement->rule.is_chain ? idx - 1 : 0;
	char *base = short_name(&table->columns[base_idx]);
	char *name = short_name(&table->columns[idx]);
	int ret = base && name ? 0 : -ENOMEM;

	if (!ret)
		put_names(out, name, base, &judgement->columns[idx]);
	free(base);
	free(name);
	return ret;
}

/* One line made by @put; 0 or -ENOMEM. */
static int put_line(FILE *out, const struct table *table, size_t idx,
		    int (*put)(FILE *, const struct table *, size_t))
{
	char *text = NULL;
	size_t len = 0;
	FILE *line = open_memstream(&text, &len);
	int ret;

	if (!line)
		return -ENOMEM;
	ret = put(line, table, idx);
	if (fclose(line))
		ret = -ENOMEM;
	if (!ret && len)
		ret = footer_line(out, text);
	free(text);
	return ret;
}

/*
 * struct remarks - how many cells have runs of a certain shape
 */
struct remarks {
	size_t nr_cells, nr[8];
};

static void count_row(const struct table *table, const struct table_section *section,
		      const struct table_row *row, struct remarks *remarks)
{
	const struct judged_row *judged = judgement_row(table, section, row);
	size_t i, j;

	for (i = 0; i < table->nr_columns; i++) {
		remarks->nr_cells += row->cells[i].nr_samples > 0;
		for (j = 0; j < sizeof(remarks->nr) / sizeof(*remarks->nr); j++)
			remarks->nr[j] += judged->shapes[i].flags >> j & 1U;
	}
}

static void put_remarks(FILE *out, const struct remarks *remarks)
{
	static const char *const names[] = {
		"outliers",  "an outlier in the first run of a boot (more warm-up?)",
		"two modes", "runs that depend on the one before",
		"a trend",
	};
	const char *before = "remarks: ";
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!remarks->nr[i])
			continue;
		(void)fprintf(out, "%s%s in %zu of %zu cells", before, names[i],
			      remarks->nr[i], remarks->nr_cells);
		before = ", ";
	}
}

static int put_shapes(FILE *out, const struct table *table, size_t idx)
{
	struct remarks remarks = { 0 };
	size_t i, j;

	(void)idx;
	for (i = 0; i < table->nr_sections; i++) {
		const struct table_section *section = &table->sections[i];

		for (j = 0; j < section->nr_rows; j++) {
			if (!section->rows[j].metric->secondary &&
			    !section->rows[j].metric->unjudged)
				count_row(table, section, &section->rows[j], &remarks);
		}
	}
	put_remarks(out, &remarks);
	return 0;
}

/* Rows that are shown, and are none of those that were counted. */
static int put_unjudged(FILE *out, const struct table *table, size_t idx)
{
	const char *before = "not judged: ";
	size_t i, j;

	(void)idx;
	for (i = 0; i < table->nr_sections; i++) {
		const struct table_section *section = &table->sections[i];

		for (j = 0; j < section->nr_metrics; j++) {
			const struct table_metric *metric = &section->metrics[j];

			if (!metric->unjudged || metric->secondary)
				continue;
			(void)fprintf(out, "%s%s of %s (%s)", before, metric->name,
				      section->title, metric->unjudged);
			before = ", ";
		}
	}
	return 0;
}

/* What keeps a verdict from being a firm one, which more runs in the same boot can't mend. */
static int put_boots(FILE *out, const struct table *table)
{
	const struct judgement *judgement = table->judgement;
	size_t nr = 0;
	size_t i;

	for (i = 1; i < table->nr_columns; i++)
		nr += judgement->columns[i].nr_confounded;
	if (!nr)
		return 0;
	return footer_put(
		out,
		"at most better? or worse? in %zu row%s, as a side has only one "
		"boot: reboot, then `schedgrid run GRID -o DIR --more N`",
		nr, nr == 1 ? "" : "s");
}

int footer_verdicts(FILE *out, const struct table *table)
{
	const struct judgement *judgement = table->judgement;
	const struct rule *rule;
	size_t i;
	int ret;

	if (!judgement || table->nr_columns < 2)
		return 0;
	rule = &judgement->rule;
	ret = footer_put(out,
			 "verdicts: less than %.12g%% is no change; alpha %.12g%%, "
			 "adjust %s over %zu p",
			 100.0 * rule->delta, 100.0 * rule->alpha,
			 family_adjust_names[rule->adjust], judgement->family[0]);
	for (i = 1; !ret && i < table->nr_columns; i++)
		ret = put_line(out, table, i, put_column);
	if (!ret)
		ret = put_boots(out, table);
	if (!ret)
		ret = put_line(out, table, 0, put_unjudged);
	return ret ? ret : put_line(out, table, 0, put_shapes);
}
