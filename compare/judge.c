// SPDX-License-Identifier: GPL-2.0-or-later
/* Measures all comparisons of a table, adjusts their p, then decides; see judge.h. */
#include "compare/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/dist.h"
#include "compare/failures.h"
#include "compare/table.h"
#include "compare/view.h"
#include "lib/err.h"
#include "record/record.h"

/* No entries still give an array. */
static void *new_array(size_t nr, size_t size)
{
	return calloc(nr ? nr : 1, size);
}

/*
 * struct session - a judgement in the making
 * @runs: of the row at hand, one for each column
 */
struct session {
	const struct table *table;
	struct judgement *judgement;
	struct runs *runs;
	struct cut_memo memo;
};

static size_t base_of(const struct judgement *judgement, size_t column)
{
	return judgement->rule.is_chain ? column - 1 : 0;
}

static size_t nr_failed(const struct table_cell *cell)
{
	return cell->nr_failed + cell->nr_invalid;
}

static int measure_column(struct session *session, const struct table_row *row,
			  struct judged_row *judged, size_t column)
{
	struct comparison *c = &judged->against[column];
	size_t base = base_of(session->judgement, column);
	struct failures old = { nr_failed(&row->cells[base]), session->runs[base].nr };
	struct failures new = { nr_failed(&row->cells[column]),
				session->runs[column].nr };

	if (verdict_measure(&session->runs[base], &session->runs[column],
			    &session->judgement->rule, &session->memo, c))
		return -1;
	c->base_idx = base;
	old.total += old.failed;
	new.total += new.failed;
	if (old.failed || new.failed)
		c->failures_p = failures_p(&old, &new);
	return 0;
}

static int shape_of(const struct runs *runs, struct shape *shape)
{
	return shape_init(shape, runs->values, runs->boots, runs->values ? runs->nr : 0);
}

static int measure_row(struct session *session, const struct table_row *row,
		       struct judged_row *judged)
{
	size_t nr = session->table->nr_columns;
	bool is_harmonic = view_mean(row, nr) == VIEW_HMEAN;
	size_t nr_runs;
	size_t i;
	int bad = 0;

	judged->against = new_array(nr, sizeof(*judged->against));
	judged->shapes = new_array(nr, sizeof(*judged->shapes));
	if (!judged->against || !judged->shapes)
		return -1;
	for (nr_runs = 0; !bad && nr_runs < nr; nr_runs += !bad)
		bad = runs_init(&session->runs[nr_runs], &row->cells[nr_runs],
				is_harmonic);
	for (i = 0; !bad && i < nr; i++)
		bad = shape_of(&session->runs[i], &judged->shapes[i]);
	for (i = 1; !bad && i < nr; i++)
		bad = measure_column(session, row, judged, i);
	for (i = 0; i < nr_runs; i++)
		runs_release(&session->runs[i]);
	return bad;
}

static int measure(struct session *session)
{
	const struct table *table = session->table;
	size_t i, j;

	for (i = 0; i < table->nr_sections; i++) {
		const struct table_section *section = &table->sections[i];
		struct judged_section *judged = &session->judgement->sections[i];

		judged->rows = new_array(section->nr_rows, sizeof(*judged->rows));
		if (!judged->rows)
			return -1;
		judged->nr_rows = section->nr_rows;
		for (j = 0; j < section->nr_rows; j++) {
			if (measure_row(session, &section->rows[j], &judged->rows[j]))
				return -1;
		}
	}
	return 0;
}

/* Whether @unit is a time, or something by time: then it says how fast a machine is. */
static bool is_timed(const char *unit)
{
	static const char *const times[] = { "s",   "ms",   "us",   "ns",   "sec",
					     "min", "msec", "usec", "nsec", "h" };
	const char *at = unit;
	size_t i;

	while (*at) {
		size_t len = strcspn(at, "/");

		for (i = 0; i < sizeof(times) / sizeof(*times); i++) {
			if (strlen(times[i]) == len && !strncmp(at, times[i], len))
				return true;
		}
		at += len + (at[len] == '/');
	}
	return false;
}

static bool has_figures(const struct table_cell *cell)
{
	return cell->is_summary || cell->nr_samples;
}

/* Whether nothing was to be had of @cell: this machine can't run it. */
static bool is_skipped(const struct table_cell *cell)
{
	return cell->nr_skipped && !has_figures(cell) && !nr_failed(cell);
}

/* Whether nobody planned @cell either; of a row that other columns have. */
static bool is_absent(const struct table_cell *cell)
{
	return !has_figures(cell) && !nr_failed(cell) && !cell->nr_skipped &&
	       !cell->nr_unrecorded;
}

/* Why the rule isn't applied to a comparison; NULL: it is. */
static const char *why_unjudged(const struct table *table, const struct table_row *row,
				const struct comparison *c, size_t column)
{
	const struct table_cell *base = &row->cells[c->base_idx];
	const struct table_cell *other = &row->cells[column];
	unsigned int flags =
		table->columns[c->base_idx].flags | table->columns[column].flags;

	if (is_absent(base) && is_absent(other))
		return "not planned";
	if (is_skipped(base) && is_skipped(other))
		return "skipped";
	if (flags & RECORD_EMULATED && is_timed(row->metric->unit))
		return "emulated";
	return row->metric->unjudged;
}

/*
 * struct visit - what is done with each comparison of one family
 * @p: of those so far
 * @q: @p adjusted, once all are there
 * @nr: how many so far
 */
struct visit {
	const struct session *session;
	bool is_secondary;
	double *p, *q;
	size_t nr;
};

typedef void visit_fn(struct visit *visit, const struct table_row *row,
		      struct comparison *c);

static void visit_row(struct visit *visit, const struct table_row *row,
		      struct judged_row *judged, visit_fn *fn)
{
	size_t i;

	for (i = 1; i < visit->session->table->nr_columns; i++) {
		struct comparison *c = &judged->against[i];

		c->reason = why_unjudged(visit->session->table, row, c, i);
		if (!c->reason)
			fn(visit, row, c);
	}
}

static void visit_all(struct visit *visit, visit_fn *fn)
{
	const struct table *table = visit->session->table;
	size_t i, j;

	for (i = 0; i < table->nr_sections; i++) {
		for (j = 0; j < table->sections[i].nr_rows; j++) {
			const struct table_row *row = &table->sections[i].rows[j];

			if (row->metric->secondary == visit->is_secondary)
				visit_row(visit, row,
					  &visit->session->judgement->sections[i].rows[j],
					  fn);
		}
	}
}

static void take_p(struct visit *visit, const struct table_row *row, struct comparison *c)
{
	(void)row;
	visit->p[visit->nr++] = c->p;
}

static void give_q(struct visit *visit, const struct table_row *row, struct comparison *c)
{
	c->q = visit->q[visit->nr++];
	verdict_decide(c, &visit->session->judgement->rule, row->metric->better_higher);
}

static size_t nr_comparisons(const struct table *table)
{
	size_t nr = 0;
	size_t i;

	for (i = 0; i < table->nr_sections; i++)
		nr += table->sections[i].nr_rows * table->nr_columns;
	return nr;
}

static int decide(const struct session *session, bool is_secondary)
{
	struct visit visit = { .session = session, .is_secondary = is_secondary };
	size_t *family = &session->judgement->family[is_secondary];
	size_t nr = nr_comparisons(session->table);
	size_t i;
	int bad = -1;

	visit.p = new_array(nr, sizeof(*visit.p));
	visit.q = new_array(nr, sizeof(*visit.q));
	if (!visit.p || !visit.q)
		goto out;
	visit_all(&visit, take_p);
	for (i = 0; i < visit.nr; i++)
		*family += !isnan(visit.p[i]);
	bad = family_adjust(visit.p, visit.nr, session->judgement->rule.adjust, visit.q);
	if (bad)
		goto out;
	visit.nr = 0;
	visit_all(&visit, give_q);
out:
	free(visit.p);
	free(visit.q);
	return bad;
}

/* The standard error of the logarithm of a ratio, from its interval. */
static double log_error(const struct comparison *c)
{
	double reach = dist_t_quantile(0.975, c->effect.df);

	return (log(c->effect.ci95[1]) - log(c->effect.ci95[0])) / 2.0 / reach;
}

/* The sums that a geometric mean is made of, in place of it until all rows are in. */
static void add_ratio(struct judged_column *column, const struct comparison *c,
		      bool is_higher_better)
{
	double error = log_error(c);

	if (!(c->effect.ratio > 0.0) || isnan(error))
		return;
	column->gmean += (is_higher_better ? 1.0 : -1.0) * log(c->effect.ratio);
	column->gmean_ci95[0] += error * error;
	column->nr_gmean++;
}

static void finish_gmean(struct judged_column *column)
{
	double nr = (double)column->nr_gmean;
	double error = sqrt(column->gmean_ci95[0]) / nr;
	double reach = dist_normal_quantile(0.975);
	double mean = column->gmean / nr;

	column->gmean = exp(mean);
	column->gmean_ci95[0] = exp(mean - reach * error);
	column->gmean_ci95[1] = exp(mean + reach * error);
}

static void count(struct judged_column *column, const struct table_row *row, size_t idx,
		  const struct comparison *c)
{
	const struct table_cell *base = &row->cells[c->base_idx];
	const struct table_cell *other = &row->cells[idx];

	if (is_absent(base) && is_absent(other))
		return;
	column->nr_rows++;
	column->nr[c->verdict]++;
	column->nr_sequential += c->design == DESIGN_SEQUENTIAL;
	column->nr_weak += c->is_confounded && c->verdict == VERDICT_WORSE_WEAK;
	column->nr_confounded += c->is_confounded && (c->verdict == VERDICT_BETTER_WEAK ||
						      c->verdict == VERDICT_WORSE_WEAK);
	column->nr_failing += nr_failed(other) && !nr_failed(base);
	if (c->verdict == VERDICT_NONE)
		return;
	add_ratio(column, c, row->metric->better_higher);
	if (c->verdict == VERDICT_INCONCLUSIVE) {
		if (column->nr[VERDICT_INCONCLUSIVE] == 1)
			column->reason = c->reason;
		else if (column->reason != c->reason)
			column->reason = NULL;
		column->mde[0] = fmin(column->mde[0], c->effect.mde);
		column->mde[1] = fmax(column->mde[1], c->effect.mde);
	}
}

static void sum_row(const struct table *table, const struct table_row *row,
		    struct judged_row *judged, struct judged_column *columns)
{
	size_t nr[NR_VERDICTS] = { 0 };
	size_t i;

	for (i = 1; i < table->nr_columns; i++) {
		nr[judged->against[i].verdict]++;
		if (!row->metric->secondary && !row->metric->unjudged)
			count(&columns[i], row, i, &judged->against[i]);
	}
	judged->verdict = verdict_sum(nr);
}

static void sum_up(const struct session *session)
{
	const struct table *table = session->table;
	struct judged_column *columns = session->judgement->columns;
	size_t i, j;

	for (i = 0; i < table->nr_columns; i++)
		columns[i].mde[0] = columns[i].mde[1] = (double)NAN;
	for (i = 0; i < table->nr_sections; i++) {
		for (j = 0; j < table->sections[i].nr_rows; j++)
			sum_row(table, &table->sections[i].rows[j],
				&session->judgement->sections[i].rows[j], columns);
	}
	for (i = 0; i < table->nr_columns; i++) {
		columns[i].verdict = verdict_sum(columns[i].nr);
		finish_gmean(&columns[i]);
	}
}

static int judgement_init(struct session *session, const struct rule *rule)
{
	const struct table *table = session->table;
	struct judgement *judgement = session->judgement;

	judgement->rule = *rule;
	judgement->nr_columns = table->nr_columns;
	judgement->columns = new_array(table->nr_columns, sizeof(*judgement->columns));
	judgement->sections = new_array(table->nr_sections, sizeof(*judgement->sections));
	judgement->nr_sections = judgement->sections ? table->nr_sections : 0;
	session->runs = new_array(table->nr_columns, sizeof(*session->runs));
	return judgement->columns && judgement->sections && session->runs ? 0 : -1;
}

int judge_table(const struct table *table, const struct rule *rule,
		struct judgement **ret, struct err *err)
{
	struct session session = { .table = table };
	int bad = -1;

	session.judgement = calloc(1, sizeof(*session.judgement));
	if (session.judgement)
		bad = judgement_init(&session, rule);
	if (!bad)
		bad = measure(&session);
	if (!bad)
		bad = decide(&session, false);
	if (!bad)
		bad = decide(&session, true);
	free(session.runs);
	if (bad) {
		judgement_free(session.judgement);
		return err_nomem(err);
	}
	sum_up(&session);
	*ret = session.judgement;
	return 0;
}

static void section_free(struct judged_section *section)
{
	size_t i;

	for (i = 0; i < section->nr_rows; i++) {
		free(section->rows[i].against);
		free(section->rows[i].shapes);
	}
	free(section->rows);
}

void judgement_free(struct judgement *judgement)
{
	size_t i;

	if (!judgement)
		return;
	for (i = 0; i < judgement->nr_sections; i++)
		section_free(&judgement->sections[i]);
	free(judgement->sections);
	free(judgement->columns);
	free(judgement);
}

const struct judged_row *judgement_row(const struct table *table,
				       const struct table_section *section,
				       const struct table_row *row)
{
	const struct judged_section *judged;

	if (!table->judgement)
		return NULL;
	judged = &table->judgement->sections[section - table->sections];
	return &judged->rows[row - section->rows];
}

char judgement_mark(const struct table *table, const struct table_section *section,
		    const struct table_row *row, size_t column)
{
	const struct judged_row *judged = judgement_row(table, section, row);

	if (!judged || !column || judged->against[column].base_idx)
		return '\0';
	switch (judged->against[column].verdict) {
	case VERDICT_BETTER:
	case VERDICT_WORSE:
		return '*';
	case VERDICT_BETTER_WEAK:
	case VERDICT_WORSE_WEAK:
		return '?';
	case VERDICT_NONE:
	case VERDICT_MISSING:
	case VERDICT_INCONCLUSIVE:
	case VERDICT_SAME:
	case VERDICT_MIXED:
	case NR_VERDICTS:
		break;
	}
	return '\0';
}
