// SPDX-License-Identifier: GPL-2.0-or-later
/* Slurm in a grid file: machines of the executor, kernels of the columns. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "runner/grid_read.h"
#include "runner/slurm_spec.h"

enum { MIN_BUILD_ID = 16, MAX_BUILD_ID = 128 };

static int read_type(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	(void)in;
	(void)node;
	(void)target;
	return 0;
}

/* A name that goes onto command lines and into paths. */
static int read_plain(const struct grid_in *in, const struct yaml_node *node,
		      const char *what, char **ret)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789._=-";

	if (grid_read_text(in, node, what, GRID_MAX_NAME, ret))
		return in->err->code;
	if (**ret != '-' && **ret != '.' && strspn(*ret, plain) == strlen(*ret))
		return 0;
	return grid_refuse(in, node,
			   "'%s' can't be %s (expected letters, digits and any of ._=-, "
			   "with none of .- in front)",
			   *ret, what);
}

static int read_nodes(const struct grid_in *in, const struct yaml_node *node,
		      void *target)
{
	struct slurm_spec *spec = target;
	size_t i, j;

	if (node->kind != YAML_SEQUENCE || !node->nr_items)
		return grid_refuse_kind(in, node, "a list of nodes, such as [n1, n2]");
	if (node->nr_items > SLURM_MAX_NODES)
		return grid_refuse(in, node, "%zu nodes, and at most %d are supported",
				   node->nr_items, SLURM_MAX_NODES);
	spec->nodes = calloc(node->nr_items, sizeof(*spec->nodes));
	if (!spec->nodes)
		return err_nomem(in->err);
	for (i = 0; i < node->nr_items; i++) {
		const struct yaml_node *item = node->items[i].value;
		char **name = &spec->nodes[spec->nr_nodes++];

		if (read_plain(in, item, "the name of a node", name))
			return in->err->code;
		for (j = 0; j < i; j++)
			if (!strcmp(spec->nodes[j], *name))
				return grid_refuse(in, item, "node '%s' is there already",
						   *name);
	}
	return 0;
}

static int read_feature(const struct grid_in *in, const struct yaml_node *node,
			void *target)
{
	struct slurm_spec *spec = target;

	return read_plain(in, node, "a feature", &spec->feature);
}

static int read_partition(const struct grid_in *in, const struct yaml_node *node,
			  void *target)
{
	struct slurm_spec *spec = target;

	return read_plain(in, node, "a partition", &spec->partition);
}

static int read_program(const struct grid_in *in, const struct yaml_node *node,
			void *target)
{
	struct slurm_spec *spec = target;

	if (grid_read_text(in, node, "a path", GRID_MAX_TEXT, &spec->program))
		return in->err->code;
	if (*spec->program == '/')
		return 0;
	return grid_refuse(in, node,
			   "program: '%s' is no absolute path (expected where schedgrid "
			   "lies on the nodes)",
			   spec->program);
}

int grid_read_slurm(const struct grid_in *in, const struct yaml_node *node,
		    struct grid *grid)
{
	static const struct grid_key keys[] = {
		{ "type", read_type, true },
		{ "nodes", read_nodes, false },
		{ "feature", read_feature, false },
		{ "partition", read_partition, false },
		{ "program", read_program, false },
		{ NULL, NULL, false },
	};
	static const struct grid_mapping mapping = { "'executor'",
						     "{type: slurm, nodes: [n1, n2]}",
						     keys };

	grid->slurm = calloc(1, sizeof(*grid->slurm));
	if (!grid->slurm)
		return err_nomem(in->err);
	if (grid_read_mapping(in, node, &mapping, grid->slurm))
		return in->err->code;
	if (!grid->slurm->nr_nodes || !grid->slurm->feature)
		return 0;
	return grid_refuse(
		in, yaml_find(node, "feature"),
		"'nodes' names the machines already (expected either nodes or a "
		"feature)");
}

static int read_release(const struct grid_in *in, const struct yaml_node *node,
			void *target)
{
	struct grid_column *column = target;
	struct err why = { 0 };
	char *name = NULL;

	if (grid_read_text(in, node, "a release", GRID_MAX_NAME, &column->release))
		return in->err->code;
	if (slurm_feature(column->release, &name, &why))
		return grid_refuse(in, node, "%s", why.text);
	if (column->feature)
		free(name);
	else
		column->feature = name;
	return 0;
}

static int read_build_id(const struct grid_in *in, const struct yaml_node *node,
			 void *target)
{
	struct grid_column *column = target;
	size_t len;

	if (grid_read_text(in, node, "a build id", GRID_MAX_NAME, &column->build_id))
		return in->err->code;
	len = strlen(column->build_id);
	if (len >= MIN_BUILD_ID && len <= MAX_BUILD_ID && len % 2 == 0 &&
	    strspn(column->build_id, "0123456789abcdef") == len)
		return 0;
	return grid_refuse(in, node,
			   "'%s' is no build id (expected the hexadecimal digits that "
			   "`schedgrid grid kernel` prints on a node)",
			   column->build_id);
}

static int read_kernel_feature(const struct grid_in *in, const struct yaml_node *node,
			       void *target)
{
	struct grid_column *column = target;

	free(column->feature);
	column->feature = NULL;
	return read_plain(in, node, "a feature", &column->feature);
}

static int read_policy(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	struct grid_column *column = target;

	return grid_read_text(in, node, "a policy", GRID_MAX_NAME, &column->policy);
}

int grid_read_release(const struct grid_in *in, const struct yaml_node *node,
		      void *target)
{
	static const struct grid_key keys[] = {
		{ "release", read_release, true },
		{ "build_id", read_build_id, true },
		{ "feature", read_kernel_feature, false },
		{ "policy", read_policy, false },
		{ NULL, NULL, false },
	};
	static const struct grid_mapping kernel = {
		"'kernel'", "{release: 6.1.0-rc3, build_id: 5e4d...}", keys
	};

	return grid_read_mapping(in, node, &kernel, target);
}

static int refuse_column(const struct grid_in *in, const struct grid_column *column,
			 const char *what)
{
	return yaml_refuse(in->doc,
			   (struct yaml_pos){ column->pos.line, column->pos.column },
			   in->err, "column '%s' %s", column->name, what);
}

/* One feature for two kernels would boot either of them. */
static int check_features(const struct grid_in *in, const struct grid *grid)
{
	size_t i, j;

	for (i = 0; i < grid->nr_columns; i++)
		for (j = 0; j < i; j++) {
			bool is_same = !strcmp(grid->columns[i].feature,
					       grid->columns[j].feature);

			if (is_same !=
			    (slurm_kernel_of(grid, i) == slurm_kernel_of(grid, j)))
				return refuse_column(
					in, &grid->columns[i],
					is_same ? "has another kernel and the same "
						  "feature as one before it (expected "
						  "kernel: {feature: NAME} to differ)"
						: "has the same kernel and another "
						  "feature than one before it");
		}
	return 0;
}

static bool has_open_sweep(const struct grid_workload *workload)
{
	const struct bench_param *params = workload->base.ops->params;
	size_t i;

	for (i = 0; params[i].name; i++)
		if (grid_sweep_is_open(&workload->sweep[i]))
			return true;
	return false;
}

/* What would make a row of one machine another's, or isn't known to nodes yet. */
static int check_keys(const struct grid_in *in, const struct yaml_node *root,
		      const struct grid *grid)
{
	const struct yaml_node *repeat = yaml_find(root, "repeat");
	size_t i;

	if (repeat && yaml_find(repeat, "until"))
		return grid_refuse(in, yaml_find(repeat, "until"),
				   "'until' is not supported with slurm yet");
	for (i = 0; i < grid->nr_workloads; i++)
		if (has_open_sweep(&grid->workloads[i]))
			return grid_refuse(
				in, yaml_find(root, "workloads"),
				"ladders and shares of the CPUs come to other "
				"values on each machine (with executor: {type: "
				"slurm} expected numbers)");
	return 0;
}

int grid_finish_slurm(const struct grid_in *in, const struct yaml_node *root,
		      struct grid *grid)
{
	const struct yaml_node *repeat = yaml_find(root, "repeat");
	size_t nr_kernels = 0;
	size_t i;

	for (i = 0; i < grid->nr_columns; i++) {
		const struct grid_column *column = &grid->columns[i];

		if (grid->slurm && !column->release)
			return refuse_column(in, column,
					     "has no kernel to boot (expected kernel: "
					     "{release: R, build_id: B})");
		if (!grid->slurm && column->release)
			return refuse_column(in, column,
					     "names the release of a kernel, which needs "
					     "executor: {type: slurm}");
	}
	if (!grid->slurm)
		return 0;
	for (i = 0; i < grid->nr_columns; i++)
		nr_kernels += slurm_kernel_of(grid, i) == i;
	if (grid->boots > 1 && nr_kernels == 1)
		return grid_refuse(
			in, yaml_find(repeat, "boots"),
			"boots: %ju needs two kernels, since Slurm boots a node "
			"only into another one (expected boots: 1)",
			(uintmax_t)grid->boots);
	if (grid->boots > GRID_MAX_ITERATIONS / grid->iterations)
		return grid_refuse(in, yaml_find(repeat, "boots"),
				   "%ju boots of %ju iterations each, and at most %d "
				   "iterations are supported",
				   (uintmax_t)grid->boots, (uintmax_t)grid->iterations,
				   GRID_MAX_ITERATIONS);
	grid->slurm->boots = grid->boots;
	grid->iterations *= grid->boots;
	return check_features(in, grid) ? in->err->code : check_keys(in, root, grid);
}
