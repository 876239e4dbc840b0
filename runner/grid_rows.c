// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whether the workloads of a grid can be told apart. Two entries of one variant
 * may not contain the same cell, nor two cells that a table would show in the
 * same row, which its axis and swept parameters label.
 */
#include "runner/grid_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"

/* A workload with the values of each parameter sorted; NULL behind the last. */
struct entry {
	const struct grid_workload *workload;
	const struct bench_param *params;
	union bench_value *sorted[BENCH_MAX_PARAMS + 1];
};

static int by_number(const void *a, const void *b)
{
	const union bench_value *left = a;
	const union bench_value *right = b;

	if (left->number == right->number)
		return 0;
	return left->number < right->number ? -1 : 1;
}

static int by_text(const void *a, const void *b)
{
	const union bench_value *left = a;
	const union bench_value *right = b;

	return strcmp(left->text, right->text);
}

static int entry_init(struct entry *entry, const struct grid_workload *workload)
{
	size_t i;

	entry->workload = workload;
	entry->params = workload->base.ops->params;
	for (i = 0; entry->params[i].name; i++) {
		const struct grid_sweep *sweep = &workload->sweep[i];
		union bench_value *sorted = calloc(sweep->nr, sizeof(*sorted));

		if (!sorted)
			return -ENOMEM;
		memcpy(sorted, sweep->values, sweep->nr * sizeof(*sorted));
		qsort(sorted, sweep->nr, sizeof(*sorted),
		      entry->params[i].type == BENCH_TEXT ? by_text : by_number);
		entry->sorted[i] = sorted;
	}
	return 0;
}

static void entry_release(struct entry *entry)
{
	size_t i;

	for (i = 0; i < BENCH_MAX_PARAMS; i++)
		free(entry->sorted[i]);
}

/* What two entries have of one parameter; only the machine tells what it may be. */
enum common { NOTHING, MAYBE, SOMETHING };

static bool is_same_number(const struct grid_sweep *a, const struct grid_sweep *b,
			   size_t i)
{
	bool left = a->is_percent && a->is_percent[i];
	bool right = b->is_percent && b->is_percent[i];

	return left == right && a->values[i].number == b->values[i].number;
}

static bool is_written_alike(const struct grid_sweep *a, const struct grid_sweep *b)
{
	size_t i;

	if (a->ladder != b->ladder || a->is_per_cpu != b->is_per_cpu || a->nr != b->nr)
		return false;
	for (i = 0; i < a->nr && is_same_number(a, b, i); i++)
		;
	return i == a->nr;
}

static enum common compare_open(const struct grid_sweep *a, const struct grid_sweep *b)
{
	return is_written_alike(a, b) ? SOMETHING : MAYBE;
}

static enum common compare_values(const struct entry *a, const struct entry *b,
				  size_t param)
{
	const struct grid_sweep *sweep_a = &a->workload->sweep[param];
	const struct grid_sweep *sweep_b = &b->workload->sweep[param];
	bool is_text = a->params[param].type == BENCH_TEXT;
	size_t nr_a = sweep_a->nr;
	size_t nr_b = sweep_b->nr;
	size_t i = 0, j = 0;

	if (grid_sweep_is_open(sweep_a) || grid_sweep_is_open(sweep_b))
		return compare_open(sweep_a, sweep_b);
	while (i < nr_a && j < nr_b) {
		const union bench_value *left = &a->sorted[param][i];
		const union bench_value *right = &b->sorted[param][j];
		int order = is_text ? by_text(left, right) : by_number(left, right);

		if (!order)
			return SOMETHING;
		if (order < 0)
			i++;
		else
			j++;
	}
	return NOTHING;
}

static bool is_label(const struct entry *entry, size_t param)
{
	const char *axis = entry->workload->base.ops->axis;

	return entry->workload->sweep[param].is_list ||
	       (axis && !strcmp(axis, entry->params[param].name));
}

static bool have_same_variant(const struct entry *a, const struct entry *b)
{
	const struct workload *left = &a->workload->base;
	const struct workload *right = &b->workload->base;

	return left->ops == right->ops && left->program == right->program &&
	       !memcmp(left->choice, right->choice, sizeof(left->choice));
}

static bool have_same_pin(const struct entry *a, const struct entry *b)
{
	const char *left = a->workload->pin;
	const char *right = b->workload->pin;

	return left && right ? !strcmp(left, right) : left == right;
}

/* Commands have ops of their own each, but may have the name of one variant. */
static int check_commands(const struct grid_in *in, const struct entry *a,
			  const struct entry *b, const struct yaml_node *node)
{
	const struct bench_ops *left = a->workload->base.ops;
	const struct bench_ops *right = b->workload->base.ops;

	if (!left->runs_command || !right->runs_command ||
	    strcmp(left->label, right->label) != 0)
		return 0;
	return grid_refuse(
		in, node,
		"this workload runs '%.100s' as the one at %u:%u does, so the "
		"rows of a table could not be told apart; sweep a parameter of "
		"the command in one entry",
		right->label, a->workload->pos.line, a->workload->pos.column);
}

/*
 * struct likeness - of two entries of one variant
 * @differs: a parameter by which they differ, NULL: none
 * @is_same_row: some row of a table may be of both
 * @is_certain: whatever the machine
 */
struct likeness {
	const char *differs;
	bool is_same_row, is_certain;
};

static struct likeness compare_entries(const struct entry *a, const struct entry *b)
{
	struct likeness ret = { NULL, true, true };
	size_t i;

	for (i = 0; a->sorted[i] && b->sorted[i]; i++) {
		enum common common = compare_values(a, b, i);
		bool is_shown = is_label(a, i) || is_label(b, i);

		if (is_label(a, i) != is_label(b, i) || (is_label(a, i) && !common))
			ret.is_same_row = false;
		if (!common || (common == MAYBE && !is_shown))
			ret.differs = a->params[i].name;
		else if (common == MAYBE)
			ret.is_certain = false;
	}
	return ret;
}

static int check_pair(const struct grid_in *in, const struct entry *a,
		      const struct entry *b, const struct yaml_node *node)
{
	const struct grid_pos *first = &a->workload->pos;
	struct likeness likeness;

	if (!have_same_variant(a, b))
		return check_commands(in, a, b, node);
	likeness = compare_entries(a, b);
	if (!likeness.differs && have_same_pin(a, b)) {
		/* What only the machine tells is left to the plan, which knows it. */
		if (!likeness.is_certain)
			return 0;
		return grid_refuse(
			in, node,
			"this workload repeats a cell of the one at %u:%u: same "
			"variant, pin and parameter values",
			first->line, first->column);
	}
	if (!likeness.is_same_row)
		return 0;
	if (!likeness.differs)
		return grid_refuse(
			in, node,
			"this workload differs from the one at %u:%u only in "
			"'pin', so the rows of a table could not be told apart; "
			"pin the columns instead",
			first->line, first->column);
	return grid_refuse(in, node,
			   "this workload %s the same rows as the one at %u:%u but "
			   "another '%s', so the rows of a table could not be told "
			   "apart; sweep '%s' as a list in one entry",
			   likeness.is_certain ? "has" : "may have", first->line,
			   first->column, likeness.differs, likeness.differs);
}

int grid_check_rows(const struct grid_in *in, const struct grid *grid,
		    const struct yaml_node *node)
{
	struct entry *entries = calloc(grid->nr_workloads, sizeof(*entries));
	int ret = 0;
	size_t i, j;

	if (!entries)
		return err_nomem(in->err);
	for (i = 0; i < grid->nr_workloads && !ret; i++)
		ret = entry_init(&entries[i], &grid->workloads[i]);
	if (ret)
		err_nomem(in->err);
	for (i = 1; i < grid->nr_workloads && !ret; i++) {
		for (j = 0; j < i && !ret; j++)
			ret = check_pair(in, &entries[j], &entries[i],
					 node->items[i].value);
	}
	for (i = 0; i < grid->nr_workloads; i++)
		entry_release(&entries[i]);
	free(entries);
	return ret;
}
