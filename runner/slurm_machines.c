// SPDX-License-Identifier: GPL-2.0-or-later
/* Chooses nodes and checks that they have the kernels; see slurm_machines.h. */
#include "runner/slurm_machines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/text.h"
#include "runner/grid.h"
#include "runner/slurm_book.h"
#include "runner/slurm_call.h"
#include "runner/slurm_queue.h"
#include "runner/slurm_spec.h"

static int refuse_node(const struct slurm_nodes *nodes, const char *name, struct err *err)
{
	const char **names = calloc(nodes->nr_nodes + 1, sizeof(*names));
	const char *nearest;
	size_t i;

	for (i = 0; names && i < nodes->nr_nodes; i++)
		names[i] = nodes->nodes[i].name;
	nearest = names ? text_nearest(name, names) : NULL;
	err_set(err, -EINVAL,
		"Slurm has no node '%s' (expected one of the %zu that sinfo lists%s%s%s)",
		name, nodes->nr_nodes, nearest ? "; did you mean '" : "",
		nearest ? nearest : "", nearest ? "'?" : "");
	free(names);
	return -EINVAL;
}

static int add_machine(struct slurm_book *book, const char *name, struct err *err)
{
	char **grown =
		reallocarray(book->machines, book->nr_machines + 1, sizeof(*grown));
	char *copy = strdup(name);

	if (grown)
		book->machines = grown;
	if (!grown || !copy) {
		free(copy);
		return err_nomem(err);
	}
	grown[book->nr_machines++] = copy;
	return 0;
}

static bool is_meant(const struct slurm_node *node, const struct slurm_spec *spec)
{
	return (!spec->feature || slurm_has_word(node->features, spec->feature)) &&
	       (!spec->partition || !*node->partitions ||
		slurm_has_word(node->partitions, spec->partition));
}

static int add_machines(const struct slurm_nodes *nodes, const struct slurm_spec *spec,
			struct slurm_book *book, struct err *err)
{
	size_t i;

	for (i = 0; i < spec->nr_nodes; i++)
		if (add_machine(book, spec->nodes[i], err))
			return err->code;
	for (i = 0; !spec->nr_nodes && i < nodes->nr_nodes; i++)
		if (is_meant(&nodes->nodes[i], spec) &&
		    add_machine(book, nodes->nodes[i].name, err))
			return err->code;
	if (!book->nr_machines)
		return err_set(err, -EINVAL,
			       "Slurm has no node with feature '%s' in partition '%s'",
			       spec->feature ? spec->feature : "any",
			       spec->partition ? spec->partition : "any");
	if (book->nr_machines > SLURM_MAX_NODES)
		return err_set(err, -EINVAL,
			       "the grid means %zu nodes, and at most %d are supported "
			       "(expected executor: {nodes: [...]} or a feature)",
			       book->nr_machines, SLURM_MAX_NODES);
	return 0;
}

static int check_machine(const struct slurm_nodes *nodes, const struct grid *grid,
			 const char *name, struct err *err)
{
	const struct slurm_node *node = slurm_nodes_find(nodes, name);
	size_t i;

	if (!node)
		return refuse_node(nodes, name, err);
	for (i = 0; i < grid->nr_columns; i++)
		if (!slurm_has_word(node->features, grid->columns[i].feature))
			return err_set(err, -EINVAL,
				       "node '%s' has no feature '%s' for kernel %s "
				       "(its features: %s)",
				       name, grid->columns[i].feature,
				       grid->columns[i].release, node->features);
	return 0;
}

int slurm_machines_pick(const struct slurm_nodes *nodes, const struct grid *grid,
			struct slurm_book *book, struct err *err)
{
	struct err local = { 0 };
	size_t i;

	err = err ? err : &local;
	if (!book->nr_machines && add_machines(nodes, grid->slurm, book, err))
		return err->code;
	for (i = 0; i < book->nr_machines; i++)
		if (check_machine(nodes, grid, book->machines[i], err))
			return err->code;
	return 0;
}

int slurm_machines_choose(struct proc_watch *watch, const struct grid *grid,
			  struct slurm_book *book, struct err *err)
{
	struct slurm_nodes nodes;
	int bad = slurm_ask_nodes(watch, &nodes, err);

	if (!bad)
		bad = slurm_machines_pick(&nodes, grid, book, err);
	slurm_nodes_release(&nodes);
	return bad;
}
