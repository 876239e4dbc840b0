// SPDX-License-Identifier: GPL-2.0-or-later
/* The workloads of a grid file: variants, parameters and what is swept. */
#include "runner/grid_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/exec/exec.h"
#include "lib/err.h"

static int read_ops(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	const struct bench_ops *const *all = bench_all();
	const char *names[GRID_MAX_CHOSEN] = { NULL };
	struct grid_workload *workload = target;
	const struct bench_ops *ops;
	size_t i;

	if (node->kind != YAML_SCALAR || yaml_is_nothing(node))
		return grid_refuse_kind(in, node, "the name of a workload");
	ops = bench_find(node->text);
	if (ops && ops->runs_command) {
		workload->exec = exec_new();
		if (!workload->exec)
			return err_nomem(in->err);
		ops = exec_ops_of(workload->exec);
	}
	if (ops) {
		workload_init(&workload->base, ops);
		return 0;
	}
	for (i = 0; all[i] && i + 1 < GRID_MAX_CHOSEN; i++)
		names[i] = all[i]->name;
	return grid_refuse_name(in, node, "workload", "", names);
}

static int read_program(const struct grid_in *in, const struct yaml_node *node,
			void *target)
{
	const char *names[GRID_MAX_CHOSEN] = { NULL };
	struct grid_workload *workload = target;
	const struct bench_ops *ops = workload->base.ops;
	const struct bench_program *program;
	char where[100];
	size_t i;

	if (node->kind != YAML_SCALAR || yaml_is_nothing(node))
		return grid_refuse_kind(in, node, "the name of a program");
	program = bench_program_find(ops, node->text);
	if (program) {
		workload->base.program = program;
		return 0;
	}
	for (i = 0; ops->programs[i].name && i + 1 < GRID_MAX_CHOSEN; i++)
		names[i] = ops->programs[i].name;
	(void)snprintf(where, sizeof(where), " of %s", ops->name);
	return grid_refuse_name(in, node, "program", where, names);
}

static int read_word(const struct grid_in *in, const struct yaml_node *node,
		     const struct bench_choice *choice, unsigned int *ret)
{
	unsigned int i;

	if (node->kind != YAML_SCALAR || yaml_is_nothing(node))
		return grid_refuse_kind(in, node, "one word");
	for (i = 0; choice->words[i]; i++) {
		if (!strcmp(choice->words[i], node->text)) {
			*ret = i;
			return 0;
		}
	}
	return grid_refuse_name(in, node, choice->key, "", choice->words);
}

static int read_choice(const struct grid_in *in, const struct yaml_item *item,
		       struct workload *base)
{
	const struct bench_choice *choices = base->ops->choices;
	const char *names[BENCH_MAX_CHOICES + 1] = { NULL };
	size_t i;

	for (i = 0; choices[i].key; i++) {
		if (!strcmp(choices[i].key, item->key->text))
			return read_word(in, item->value, &choices[i], &base->choice[i]);
		names[i] = choices[i].key;
	}
	if (!i)
		return grid_refuse(in, item->key, "unknown choice '%.100s': %s has none",
				   item->key->text, base->ops->name);
	return grid_refuse_name(in, item->key, "choice", " of the workload", names);
}

static int read_variant(const struct grid_in *in, const struct yaml_node *node,
			void *target)
{
	struct grid_workload *workload = target;
	size_t i;

	if (node->kind != YAML_MAPPING)
		return grid_refuse_kind(in, node, "a mapping of choices to words");
	for (i = 0; i < node->nr_items; i++) {
		int ret = read_choice(in, &node->items[i], &workload->base);

		if (ret)
			return ret;
	}
	return 0;
}

static int read_parameter(const struct grid_in *in, const struct yaml_item *item,
			  struct grid_workload *workload)
{
	const struct bench_param *params = workload->base.ops->params;
	const char *names[BENCH_MAX_PARAMS + 1] = { NULL };
	char where[100];
	size_t i;

	for (i = 0; params[i].name; i++) {
		if (!strcmp(params[i].name, item->key->text))
			return grid_read_sweep(in, item->value, workload, i);
		names[i] = params[i].name;
	}
	(void)snprintf(where, sizeof(where), " of %s", workload->base.ops->name);
	return grid_refuse_name(in, item->key, "parameter", where, names);
}

static int read_parameters(const struct grid_in *in, const struct yaml_node *node,
			   void *target)
{
	size_t i;

	if (node->kind != YAML_MAPPING)
		return grid_refuse_kind(in, node, "a mapping of parameters to values");
	for (i = 0; i < node->nr_items; i++) {
		int ret = read_parameter(in, &node->items[i], target);

		if (ret)
			return ret;
	}
	return 0;
}

/* A command has the parameters that its entry has. */
static int read_own_parameters(const struct grid_in *in, const struct yaml_node *node,
			       void *target)
{
	struct grid_workload *workload = target;
	size_t i;

	for (i = 0; node->kind == YAML_MAPPING && i < node->nr_items; i++) {
		const struct yaml_node *key = node->items[i].key;
		struct err why = { 0 };

		if (exec_add_param(workload->exec, key->text, &why))
			return grid_refuse(in, key, "%s", why.text);
	}
	return read_parameters(in, node, target);
}

static int read_pin(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	struct grid_workload *workload = target;

	workload->pin_pos = grid_pos_of(node);
	return grid_read_pin(in, node, &workload->pin);
}

static int fill_defaults(const struct grid_in *in, struct grid_workload *workload)
{
	const struct bench_param *params = workload->base.ops->params;
	size_t i;

	for (i = 0; params[i].name; i++) {
		struct grid_sweep *sweep = &workload->sweep[i];

		if (sweep->nr)
			continue;
		sweep->values = calloc(1, sizeof(*sweep->values));
		if (!sweep->values)
			return err_nomem(in->err);
		sweep->nr = 1;
		if (params[i].type == BENCH_UINT) {
			sweep->values[0].number = params[i].number;
			continue;
		}
		sweep->values[0].text = strdup(params[i].text);
		if (!sweep->values[0].text)
			return err_nomem(in->err);
	}
	return 0;
}

static bool names_command(const struct yaml_node *node)
{
	const struct yaml_node *name = yaml_find(node, "workload");
	const struct bench_ops *ops =
		name && name->kind == YAML_SCALAR ? bench_find(name->text) : NULL;

	return ops && ops->runs_command;
}

static int read_workload(const struct grid_in *in, const struct yaml_node *node,
			 struct grid_workload *workload)
{
	/* "workload" comes first: the others are read as it declares them. */
	static const struct grid_key keys[] = {
		{ "workload", read_ops, true },
		{ "program", read_program, false },
		{ "variant", read_variant, false },
		{ "parameters", read_parameters, false },
		{ "pin", read_pin, false },
		{ NULL, NULL, false },
	};
	/* And a command names the parameters. */
	static const struct grid_key command_keys[] = {
		{ "workload", read_ops, true },
		{ "parameters", read_own_parameters, false },
		{ "command", grid_read_command, true },
		{ "metrics", grid_read_metrics, true },
		{ "sync", grid_read_sync, false },
		{ "pin", read_pin, false },
		{ NULL, NULL, false },
	};
	static const struct grid_mapping mapping = { "the workload",
						     "{workload: hackbench}", keys };
	static const struct grid_mapping command_mapping = { "the workload",
							     "{workload: exec}",
							     command_keys };

	workload->pos = grid_pos_of(node);
	if (grid_read_mapping(in, node, names_command(node) ? &command_mapping : &mapping,
			      workload))
		return in->err->code;
	return fill_defaults(in, workload);
}

int grid_read_workloads(const struct grid_in *in, const struct yaml_node *node,
			void *target)
{
	struct grid *grid = target;
	size_t i;

	if (node->kind != YAML_SEQUENCE || !node->nr_items)
		return grid_refuse_kind(in, node, "a list of workloads");
	if (node->nr_items > GRID_MAX_WORKLOADS)
		return grid_refuse(in, node,
				   "%zu workloads, and at most %d are supported",
				   node->nr_items, GRID_MAX_WORKLOADS);
	grid->workloads = calloc(node->nr_items, sizeof(*grid->workloads));
	if (!grid->workloads)
		return err_nomem(in->err);
	grid->nr_workloads = node->nr_items;
	for (i = 0; i < grid->nr_workloads; i++) {
		if (read_workload(in, node->items[i].value, &grid->workloads[i]))
			return in->err->code;
	}
	return 0;
}

void grid_workload_release(struct grid_workload *workload)
{
	const struct bench_ops *ops = workload->base.ops;
	size_t i, j;

	free(workload->pin);
	for (i = 0; ops && ops->params[i].name; i++) {
		struct grid_sweep *sweep = &workload->sweep[i];

		for (j = 0; ops->params[i].type == BENCH_TEXT && j < sweep->nr; j++)
			free((void *)(uintptr_t)sweep->values[j].text);
		free(sweep->values);
		free(sweep->is_percent);
	}
	exec_free(workload->exec);
}
