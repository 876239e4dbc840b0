// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers of runs by the variance of earlier ones; see power.h. */
#include "cli/power.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/row.h"
#include "compare/past.h"
#include "compare/power.h"
#include "compare/table.h"
#include "compare/variance.h"
#include "compare/verdict.h"
#include "lib/clock.h"
#include "lib/err.h"
#include "lib/text.h"
#include "runner/grid.h"
#include "runner/plan.h"

/* A reboot, and what settles after it. */
#define BOOT_NS (240 * CLOCK_SEC)

enum { NAME_SIZE = 512 };

/**
 * struct answer - what is printed as it comes
 * @most_runs: that any row needs
 * @nr_unknown: rows without history
 * @nr_boots: rows of which boots are known
 */
struct answer {
	const struct plan *plan;
	const struct past *past;
	struct power_goal goal;
	size_t most_runs, nr_rows, nr_unknown, nr_boots;
};

static double squared(double x)
{
	return x * x;
}

/* The row of the table that holds @cell's numbers of @metric; NULL: none does. */
static const struct table_row *find_row(const struct table *table,
					const struct cell *cell, const char *metric)
{
	size_t i, j;

	for (i = 0; i < table->nr_sections; i++) {
		const struct table_section *section = &table->sections[i];

		for (j = 0; j < section->nr_rows; j++) {
			const struct table_row *row = &section->rows[j];

			if (row->metric->name && !strcmp(row->metric->name, metric) &&
			    row_is_of(section, row, cell))
				return row;
		}
	}
	return NULL;
}

static void print_share(double share)
{
	if (isfinite(share))
		(void)printf(" %7.2f%%", 100.0 * share);
	else
		(void)printf(" %8s", "n/a");
}

static void print_numbers(struct answer *answer, const struct variance *a,
			  const struct variance *b)
{
	double run_ns = (double)answer->past->wall_ns /
			(double)(answer->past->nr_records ? answer->past->nr_records : 1);
	double run_variance = squared(a->run_cv) + squared(b->run_cv);
	double boot_variance = squared(a->boot_cv) + squared(b->boot_cv);
	size_t runs = power_runs(&answer->goal, run_variance);
	struct power_split split = power_split(&answer->goal, run_variance, boot_variance,
					       (double)BOOT_NS / fmax(run_ns, 1.0));
	char boots[64] = "n/a";

	if (split.boots)
		(void)snprintf(boots, sizeof(boots), "%zu x %zu", split.boots,
			       split.runs);
	answer->nr_boots += split.boots > 0;
	if (runs > answer->most_runs)
		answer->most_runs = runs;
	(void)printf("%s%7zu %12s", runs == POWER_MOST ? ">" : " ", runs, boots);
	print_share(sqrt(run_variance / 2.0));
	print_share(sqrt(boot_variance / 2.0));
	(void)printf(" %4zu/%zu", a->nr_runs, b->nr_runs);
}

static int name_row(const struct answer *answer, const struct cell *cell,
		    const char *metric, char *text)
{
	char column[NAME_SIZE / 2];
	char *point = cell_point(cell);

	if (!point)
		return -ENOMEM;
	text_printable(answer->plan->grid->columns[cell->column].name, column,
		       sizeof(column));
	(void)snprintf(text, NAME_SIZE, "%s%s%.100s %s, %s", cell->variant,
		       *point ? " " : "", point, metric, column);
	free(point);
	return 0;
}

/* One metric of one candidate's cell, against the baseline's. */
static int print_row(struct answer *answer, const struct cell *cell, const char *metric)
{
	const struct table_row *row = find_row(answer->past->table, cell, metric);
	struct variance a = { .cv = (double)NAN };
	struct variance b = { .cv = (double)NAN };
	char name[NAME_SIZE];

	if (name_row(answer, cell, metric, name) ||
	    (row && (variance_of(&row->cells[0], &a) ||
		     variance_of(&row->cells[cell->column], &b))))
		return -ENOMEM;
	answer->nr_rows++;
	if (isnan(a.cv) || isnan(b.cv)) {
		answer->nr_unknown++;
		(void)printf(" %7s %12s %8s %8s %5zu/%zu", "n/a", "n/a", "n/a", "n/a",
			     a.nr_runs, b.nr_runs);
		(void)printf("  %s: no history of both columns\n", name);
		return 0;
	}
	print_numbers(answer, &a, &b);
	(void)printf("  %s\n", name);
	return 0;
}

static int print_rows(struct answer *answer)
{
	const struct plan *plan = answer->plan;
	size_t i, j;
	int bad = 0;

	(void)printf("%8s %12s %8s %8s %7s  %s\n", "runs", "boots x runs", "CV",
		     "boot CV", "history", "row");
	for (i = 0; !bad && i < plan->nr_cells; i++) {
		const struct cell *cell = &plan->cells[i];
		const struct bench_metric *metric = cell->workload.ops->metrics;

		for (j = 0; !bad && cell->column && metric[j].name; j++) {
			if (!metric[j].secondary)
				bad = print_row(answer, cell, metric[j].name);
		}
	}
	return bad;
}

static void print_sum(const struct answer *answer)
{
	const struct past *past = answer->past;
	char span[CLOCK_SPAN_SIZE];
	char boot[CLOCK_SPAN_SIZE];

	if (past->nr_records)
		clock_span(past->wall_ns / past->nr_records, span);
	clock_span(BOOT_NS, boot);
	(void)printf("\na change of %g%% is found 80 times of 100 at level %g%%, before "
		     "p are adjusted, by pairs\n",
		     100.0 * answer->goal.effect, 100.0 * answer->goal.alpha);
	if (answer->nr_rows > answer->nr_unknown)
		(void)printf("all rows with history: %zu iterations of each cell; the "
			     "grid has %s%" PRIu64 "\n",
			     answer->most_runs,
			     answer->plan->grid->until.halfwidth > 0.0 ? "at most " : "",
			     answer->plan->grid->iterations);
	if (answer->nr_unknown)
		(void)printf("%zu of %zu rows have no history\n", answer->nr_unknown,
			     answer->nr_rows);
	if (answer->nr_boots)
		(void)printf("boots x runs: a boot taken as %s, a run as %s; needed "
			     "where each column has boots of its own\n",
			     boot, span);
	else
		(void)printf("boots x runs: not known before a second boot\n");
}

static int find_past(const struct plan *plan, const struct power_question *question,
		     struct past *ret, struct err *err)
{
	struct past_cell *cells = calloc(plan->nr_cells + 1, sizeof(*cells));
	const struct past_wish wish = { question->dirs, question->nr_dirs, cells,
					plan->nr_cells };
	size_t i;
	int bad;

	if (!cells)
		return err_nomem(err);
	for (i = 0; i < plan->nr_cells; i++)
		cells[i] = (struct past_cell){
			plan->cells[i].id,
			plan->grid->columns[plan->cells[i].column].name,
		};
	bad = past_load(&wish, ret, err);
	free(cells);
	return bad;
}

int print_power(const struct plan *plan, const struct power_question *question)
{
	struct past past = { 0 };
	struct answer answer = {
		.plan = plan,
		.past = &past,
		.goal = { question->effect, rule_default.alpha, true },
	};
	struct err err = { 0 };
	int bad = find_past(plan, question, &past, &err);

	if (bad)
		return bad == -ENOENT ? complain(&err, EXIT_CONFIG) : complain_data(&err);
	bad = print_rows(&answer);
	if (!bad)
		print_sum(&answer);
	table_free(past.table);
	return bad ? complain_nomem() : finish_stdout();
}
