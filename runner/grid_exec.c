// SPDX-License-Identifier: GPL-2.0-or-later
/* A workload that is a command: its arguments, and the numbers in its output. */
#include <string.h>

#include "benchmarks/exec/exec.h"
#include "lib/err.h"
#include "runner/grid_read.h"

int grid_read_command(const struct grid_in *in, const struct yaml_node *node,
		      void *target)
{
	struct grid_workload *workload = target;
	size_t i;

	if (node->kind != YAML_SEQUENCE || !node->nr_items)
		return grid_refuse_kind(
			in, node,
			"a list of the program and its arguments, such as "
			"[make, -j4]");
	for (i = 0; i < node->nr_items; i++) {
		const struct yaml_node *arg = node->items[i].value;
		struct err why = { 0 };

		if (arg->kind == YAML_MAPPING)
			return grid_refuse(in, arg,
					   "expected an argument, not a mapping; an "
					   "argument with braces needs quotes");
		if (arg->kind != YAML_SCALAR || yaml_is_nothing(arg))
			return grid_refuse_kind(in, arg, "an argument");
		if (exec_add_arg(workload->exec, arg->text, &why))
			return grid_refuse(in, arg, "%s", why.text);
	}
	return 0;
}

static int read_text(const struct grid_in *in, const struct yaml_node *node,
		     const char **ret)
{
	if (node->kind != YAML_SCALAR || yaml_is_nothing(node))
		return grid_refuse_kind(in, node, "a text");
	if (strlen(node->text) > EXEC_MAX_RULE)
		return grid_refuse(in, node, "expected a text of at most %d bytes",
				   EXEC_MAX_RULE);
	*ret = node->text;
	return 0;
}

static int read_name(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	struct exec_metric *metric = target;

	return read_text(in, node, &metric->name);
}

static int read_unit(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	struct exec_metric *metric = target;

	return read_text(in, node, &metric->unit);
}

static int read_better(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	static const char *const words[] = { "lower", "higher", NULL };
	struct exec_metric *metric = target;

	if (node->kind != YAML_SCALAR || yaml_is_nothing(node))
		return grid_refuse_kind(in, node, "lower or higher");
	if (!strcmp(node->text, "lower"))
		metric->better = BETTER_LOWER;
	else if (!strcmp(node->text, "higher"))
		metric->better = BETTER_HIGHER;
	else
		return grid_refuse_name(in, node, "direction", "", words);
	return 0;
}

static int read_regex(const struct grid_in *in, const struct yaml_node *node,
		      void *target)
{
	struct exec_metric *metric = target;

	return read_text(in, node, &metric->regex);
}

static int read_json(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	struct exec_metric *metric = target;

	return read_text(in, node, &metric->json);
}

static int read_from(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	static const char *const words[] = { "elapsed", NULL };
	struct exec_metric *metric = target;

	if (node->kind != YAML_SCALAR || yaml_is_nothing(node))
		return grid_refuse_kind(in, node, "the word elapsed");
	if (strcmp(node->text, words[0]) != 0)
		return grid_refuse_name(in, node, "source of a metric", "", words);
	metric->is_elapsed = true;
	return 0;
}

int grid_read_sync(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	struct grid_workload *workload = target;
	bool is_true = node->kind == YAML_SCALAR && !strcmp(node->text, "true");

	if (node->kind != YAML_SCALAR || node->is_quoted ||
	    (!is_true && strcmp(node->text, "false") != 0))
		return grid_refuse(in, node, "'sync' can only be true or false");
	exec_set_sync(workload->exec, is_true);
	return 0;
}

int grid_read_metrics(const struct grid_in *in, const struct yaml_node *node,
		      void *target)
{
	static const struct grid_key keys[] = {
		{ "name", read_name, true },	 { "unit", read_unit, true },
		{ "better", read_better, true }, { "regex", read_regex, false },
		{ "json", read_json, false },	 { "from", read_from, false },
		{ NULL, NULL, false },
	};
	static const struct grid_mapping mapping = {
		"the metric",
		"{name: time, unit: s, better: lower, regex: 'took ([0-9.]+) s'}", keys
	};
	struct grid_workload *workload = target;
	size_t i;

	if (node->kind != YAML_SEQUENCE || !node->nr_items)
		return grid_refuse_kind(in, node, "a list of metrics");
	for (i = 0; i < node->nr_items; i++) {
		const struct yaml_node *item = node->items[i].value;
		struct exec_metric metric = { 0 };
		struct err why = { 0 };

		if (grid_read_mapping(in, item, &mapping, &metric))
			return in->err->code;
		if (exec_add_metric(workload->exec, &metric, &why))
			return grid_refuse(in, item, "%s", why.text);
	}
	return 0;
}
