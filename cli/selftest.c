// SPDX-License-Identifier: GPL-2.0-or-later
/* One cell inside Slurm and outside; see selftest.h. */
#include "cli/selftest.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "compare/ratio.h"
#include "compare/stats.h"
#include "lib/err.h"
#include "record/ledger.h"
#include "record/record.h"
#include "runner/run.h"
#include "runner/slurm_cell.h"

static const double level = 0.05;

/* struct samples - of one metric of one cell, inside and outside */
struct samples {
	char *cell, *column, *variant, *metric, *unit;
	double resolution;
	double *x[2];
	size_t nr[2];
};

/* struct test - all of them; @side: which ledger is being read */
struct test {
	struct samples *all;
	size_t nr;
	int side;
};

static struct samples *find_samples(const struct test *test, const struct record *record,
				    const struct record_metric *metric)
{
	size_t i;

	for (i = 0; i < test->nr; i++)
		if (!strcmp(test->all[i].cell, record->cell) &&
		    !strcmp(test->all[i].metric, metric->name))
			return &test->all[i];
	return NULL;
}

/* What was measured outside says which cells the run is asked for. */
static struct samples *add_samples(struct test *test, const struct record *record,
				   const struct record_metric *metric)
{
	struct samples *grown = reallocarray(test->all, test->nr + 1, sizeof(*grown));
	struct samples *to;

	if (!grown)
		return NULL;
	test->all = grown;
	to = &grown[test->nr++];
	*to = (struct samples){
		.cell = strdup(record->cell),
		.column = strdup(record->column),
		.variant = strdup(record->variant),
		.metric = strdup(metric->name),
		.unit = strdup(metric->unit),
		.resolution = metric->resolution,
	};
	return to->cell && to->column && to->variant && to->metric && to->unit ? to
									       : NULL;
}

static int add_values(struct samples *to, int side, const struct record_metric *metric)
{
	double *grown = reallocarray(to->x[side], to->nr[side] + metric->nr_samples,
				     sizeof(*grown));
	size_t i;

	if (!grown)
		return -ENOMEM;
	to->x[side] = grown;
	for (i = 0; i < metric->nr_samples; i++)
		if (isfinite(metric->samples[i]))
			grown[to->nr[side]++] = metric->samples[i];
	return 0;
}

static int take_record(const struct record *record, void *data, struct err *err)
{
	struct test *test = data;
	size_t i;

	if (record->status != RECORD_OK || record->flags & RECORD_WARMUP)
		return 0;
	for (i = 0; i < record->nr_metrics; i++) {
		const struct record_metric *metric = &record->metrics[i];
		struct samples *to = find_samples(test, record, metric);

		if (!metric->nr_samples || (!to && !test->side))
			continue;
		to = to ? to : add_samples(test, record, metric);
		if (!to || add_values(to, test->side, metric))
			return err_nomem(err);
	}
	return 0;
}

static int side(const struct samples *samples, int which, struct side *ret,
		struct err *err)
{
	struct stats stats;
	int bad = stats_init(&stats, samples->x[which], samples->nr[which], err);

	if (bad)
		return bad;
	*ret = side_of(stats.amean, stats.stddev_n1, samples->nr[which],
		       samples->resolution);
	return 0;
}

/* 1: they differ; 0: by chance at most; or a negative errno. */
static int judge(const struct samples *samples, struct err *err)
{
	struct side inside, outside;
	struct effect effect;
	bool differs;

	if (samples->nr[0] < 2 || samples->nr[1] < 2) {
		(void)printf("%s, %s: %s: too few samples, %zu inside and %zu outside\n",
			     samples->variant, samples->column, samples->metric,
			     samples->nr[0], samples->nr[1]);
		return 0;
	}
	if (side(samples, 0, &inside, err) || side(samples, 1, &outside, err))
		return err->code;
	effect_welch(&outside, &inside, level, &effect);
	differs = isnan(effect.p) || effect.p < level;
	(void)printf("%s, %s: %s: %g %s inside (n %zu), %g outside (n %zu)",
		     samples->variant, samples->column, samples->metric, inside.mean,
		     samples->unit, samples->nr[0], outside.mean, samples->nr[1]);
	if (!isnan(effect.ci95[0]))
		(void)printf(", ratio %.4f (95%%: %.4f to %.4f)", effect.ratio,
			     effect.ci95[0], effect.ci95[1]);
	(void)printf(": %s\n", differs ? "differs" : "no difference seen");
	return differs;
}

static void release(struct test *test)
{
	size_t i;

	for (i = 0; i < test->nr; i++) {
		free(test->all[i].cell);
		free(test->all[i].column);
		free(test->all[i].variant);
		free(test->all[i].metric);
		free(test->all[i].unit);
		free(test->all[i].x[0]);
		free(test->all[i].x[1]);
	}
	free(test->all);
}

static int compare(const struct slurm_outside *dirs)
{
	struct test test = { .side = 1 };
	struct err err = { 0 };
	int code = EXIT_DONE;
	int bad = ledger_read(dirs->outside, take_record, &test, NULL, &err);
	size_t i;

	test.side = 0;
	if (!bad)
		bad = ledger_read(dirs->inside, take_record, &test, NULL, &err);
	for (i = 0; !bad && i < test.nr; i++) {
		int differs = judge(&test.all[i], &err);

		bad = differs < 0 ? differs : 0;
		if (differs > 0)
			code = EXIT_CELL_FAILED;
	}
	if (!bad && !test.nr) {
		say("nothing could be measured outside Slurm");
		code = EXIT_CELL_FAILED;
	}
	release(&test);
	if (bad)
		return complain_data(&err);
	return finish_stdout() ? EXIT_DATA : code;
}

int selftest(const struct slurm_cell *cell)
{
	struct slurm_outside dirs;
	struct run_summary summary;
	struct err err = { 0 };
	int bad = slurm_cell_outside(cell, &dirs, &summary, &err);
	int code;

	if (bad)
		return complain(&err, bad == -ENXIO || bad == -ENOENT
					      ? EXIT_HOST
					      : run_error_code(bad));
	code = summary.signal ? EXIT_SIGNAL_BASE + summary.signal : compare(&dirs);
	free(dirs.inside);
	free(dirs.outside);
	return code;
}
