// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The values of one parameter as a grid file gives them: a value, a list, a
 * ladder, or work for each CPU. What depends on the machine is kept as written.
 */
#include "runner/grid_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/text.h"
#include "runner/ladder.h"

enum { MAX_PERCENT = 100000 };

bool grid_sweep_is_open(const struct grid_sweep *sweep)
{
	return sweep->ladder || sweep->is_per_cpu || sweep->is_percent;
}

static int read_number(const struct grid_in *in, const struct yaml_node *node,
		       const struct bench_param *param, uint64_t *ret)
{
	char name[100];

	if (param->number != BENCH_AUTO)
		return grid_read_uint(in, node, param->name, param->min, param->max, ret);
	if (node->kind == YAML_SCALAR && !strcmp(node->text, "auto")) {
		*ret = BENCH_AUTO;
		return 0;
	}
	(void)snprintf(name, sizeof(name), "%s (auto or a number)", param->name);
	return grid_read_uint(in, node, name, param->min, param->max, ret);
}

static bool is_percentage(const struct yaml_node *node)
{
	size_t len = node->kind == YAML_SCALAR ? strlen(node->text) : 0;

	return len > 1 && node->text[len - 1] == '%';
}

static int read_percentage(const struct grid_in *in, const struct yaml_node *node,
			   const struct bench_param *param, uint64_t *ret)
{
	char number[24];
	struct err why = { 0 };
	int len = (int)strlen(node->text) - 1;

	/* What is cut off is out of range anyway. */
	(void)snprintf(number, sizeof(number), "%.*s", len, node->text);
	if (text_uint(number, 1, MAX_PERCENT, ret, &why))
		return grid_refuse(in, node,
				   "%s: '%.100s' is not a percentage of the CPUs "
				   "(expected 1%% to %d%%)",
				   param->name, node->text, MAX_PERCENT);
	return 0;
}

static int read_value(const struct grid_in *in, const struct yaml_node *node,
		      const struct bench_param *param, struct grid_sweep *sweep,
		      size_t idx)
{
	union bench_value *ret = &sweep->values[idx];
	char *text;

	if (param->type == BENCH_UINT && is_percentage(node)) {
		if (!sweep->is_percent)
			sweep->is_percent = calloc(sweep->nr, sizeof(bool));
		if (!sweep->is_percent)
			return err_nomem(in->err);
		sweep->is_percent[idx] = true;
		return read_percentage(in, node, param, &ret->number);
	}
	if (param->type == BENCH_UINT)
		return read_number(in, node, param, &ret->number);
	if (grid_read_text(in, node, param->name, GRID_MAX_TEXT, &text))
		return in->err->code;
	ret->text = text;
	return 0;
}

struct written {
	const struct yaml_node *node;
	union bench_value value;
	bool is_percent;
};

static int before(const struct written *a, const struct written *b)
{
	if (a->node->pos.line != b->node->pos.line)
		return a->node->pos.line < b->node->pos.line ? -1 : 1;
	return a->node->pos.column < b->node->pos.column ? -1 : 1;
}

static int by_number(const void *a, const void *b)
{
	const struct written *left = a;
	const struct written *right = b;

	if (left->is_percent != right->is_percent)
		return left->is_percent ? 1 : -1;
	if (left->value.number != right->value.number)
		return left->value.number < right->value.number ? -1 : 1;
	return before(left, right);
}

static int by_text(const void *a, const void *b)
{
	const struct written *left = a;
	const struct written *right = b;
	int order = strcmp(left->value.text, right->value.text);

	return order ? order : before(left, right);
}

static bool is_twin(const struct written *a, const struct written *b, bool is_text)
{
	if (is_text)
		return !strcmp(a->value.text, b->value.text);
	return a->is_percent == b->is_percent && a->value.number == b->value.number;
}

/* Sorted first: a list may be so long that comparing all pairs hangs. */
static int check_unique(const struct grid_in *in, const struct yaml_node *node,
			const struct bench_param *param, const struct grid_sweep *sweep)
{
	struct written *sorted = calloc(sweep->nr, sizeof(*sorted));
	bool is_text = param->type == BENCH_TEXT;
	int ret = 0;
	size_t i;

	if (!sorted)
		return err_nomem(in->err);
	for (i = 0; i < sweep->nr; i++) {
		sorted[i].node = node->items[i].value;
		sorted[i].value = sweep->values[i];
		sorted[i].is_percent = sweep->is_percent && sweep->is_percent[i];
	}
	qsort(sorted, sweep->nr, sizeof(*sorted), is_text ? by_text : by_number);
	for (i = 1; i < sweep->nr && !ret; i++) {
		const struct written *a = &sorted[i - 1];
		const struct written *b = &sorted[i];

		if (is_twin(a, b, is_text))
			ret = grid_refuse(in, b->node,
					  "%s: '%.100s' is in the list already, at %u:%u",
					  param->name, b->node->text, a->node->pos.line,
					  a->node->pos.column);
	}
	free(sorted);
	return ret;
}

static int read_values(const struct grid_in *in, const struct yaml_node *node,
		       const struct bench_param *param, struct grid_sweep *sweep)
{
	bool is_list = node->kind == YAML_SEQUENCE;
	size_t i;

	sweep->nr = is_list ? node->nr_items : 1;
	sweep->is_list = is_list;
	sweep->values = calloc(sweep->nr, sizeof(*sweep->values));
	if (!sweep->values)
		return err_nomem(in->err);
	for (i = 0; i < sweep->nr; i++) {
		if (read_value(in, is_list ? node->items[i].value : node, param, sweep,
			       i))
			return in->err->code;
	}
	return is_list ? check_unique(in, node, param, sweep) : 0;
}

/* struct open - the one number of a sweep that is a mapping, and what it means */
struct open {
	const struct bench_param *param;
	const struct ladder *ladder;
	uint64_t number;
};

static int read_ladder(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	struct open *open = target;

	if (node->kind != YAML_SCALAR || yaml_is_nothing(node))
		return grid_refuse_kind(in, node, "the name of a ladder");
	open->ladder = ladder_find(node->text);
	return open->ladder ? 0
			    : grid_refuse_name(in, node, "ladder", "", ladder_names());
}

static int read_limited(const struct grid_in *in, const struct yaml_node *node,
			void *target)
{
	struct open *open = target;

	return grid_read_uint(in, node, open->param->name, open->param->min,
			      open->param->max, &open->number);
}

static int read_open(const struct grid_in *in, const struct yaml_node *node,
		     const struct bench_param *param, struct grid_sweep *sweep)
{
	static const struct grid_key ladder_keys[] = {
		{ "ladder", read_ladder, true },
		{ "max", read_limited, false },
		{ NULL, NULL, false },
	};
	static const struct grid_key per_cpu_keys[] = {
		{ "per-cpu", read_limited, true },
		{ NULL, NULL, false },
	};
	static const struct grid_mapping mappings[] = {
		{ "the ladder", "{ladder: mmtests}", ladder_keys },
		{ "the value", "{per-cpu: 30000}", per_cpu_keys },
	};
	struct open open = { .param = param, .number = param->max };

	sweep->is_per_cpu = yaml_find(node, "per-cpu");
	if (grid_read_mapping(in, node, &mappings[sweep->is_per_cpu], &open))
		return in->err->code;
	sweep->values = calloc(1, sizeof(*sweep->values));
	if (!sweep->values)
		return err_nomem(in->err);
	sweep->nr = 1;
	sweep->values[0].number = open.number;
	sweep->ladder = open.ladder;
	sweep->is_list = true;
	return 0;
}

int grid_read_sweep(const struct grid_in *in, const struct yaml_node *node,
		    struct grid_workload *workload, size_t idx)
{
	const struct bench_ops *ops = workload->base.ops;
	const struct bench_param *param = &ops->params[idx];
	struct grid_sweep *sweep = &workload->sweep[idx];
	bool is_axis = ops->axis && !strcmp(ops->axis, param->name);

	if (node->kind == YAML_SEQUENCE && !node->nr_items)
		return grid_refuse_kind(in, node, "a value or a list of values");
	if (node->kind != YAML_MAPPING)
		return read_values(in, node, param, sweep);
	if (param->type != BENCH_UINT)
		return grid_refuse_kind(in, node, "a value or a list of values");
	if (!yaml_find(node, "ladder") && !yaml_find(node, "per-cpu"))
		return grid_refuse_kind(in, node,
					"a value, a list of values, {ladder: NAME} or "
					"{per-cpu: NUMBER}");
	if (yaml_find(node, "per-cpu") && (is_axis || !ops->axis))
		return grid_refuse(
			in, node,
			"%s: 'per-cpu' is work that the rows' tasks share, and "
			"no other parameter tells their number",
			param->name);
	return read_open(in, node, param, sweep);
}
