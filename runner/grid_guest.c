// SPDX-License-Identifier: GPL-2.0-or-later
/* The guests of a grid file: executor, kernels of the columns, and boots. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/text.h"
#include "runner/grid_read.h"
#include "runner/guest_spec.h"

enum { MAX_COUNT = 255, MAX_MEMORY_MIB = 1 << 20, MAX_CMDLINE = 1024 };

static int read_type(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	(void)in;
	(void)node;
	(void)target;
	return 0;
}

/* The index of a word among @words, ended by NULL; -1 with the refusal in in->err. */
static int read_word(const struct grid_in *in, const struct yaml_node *node,
		     const char *what, const char *const *words)
{
	int i;

	if (node->kind != YAML_SCALAR || yaml_is_nothing(node)) {
		(void)grid_refuse_kind(in, node, what);
		return -1;
	}
	for (i = 0; words[i]; i++)
		if (!strcmp(words[i], node->text))
			return i;
	(void)grid_refuse_name(in, node, what, "", words);
	return -1;
}

static int read_accel(const struct grid_in *in, const struct yaml_node *node,
		      void *target)
{
	static const char *const words[] = { "kvm", "tcg", NULL };
	struct guest_spec *spec = target;
	int idx = read_word(in, node, "accel", words);

	if (idx < 0)
		return in->err->code;
	spec->accel = idx ? GUEST_TCG : GUEST_KVM;
	return 0;
}

static int read_mode(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	static const char *const words[] = { "parallel", "deterministic", NULL };
	struct guest_spec *spec = target;
	int idx = read_word(in, node, "mode", words);

	if (idx < 0)
		return in->err->code;
	spec->mode = idx ? GUEST_DETERMINISTIC : GUEST_PARALLEL;
	return 0;
}

/* Whole MiB, or GiB behind a G. */
static int read_memory(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	struct guest_spec *spec = target;
	struct err why = { 0 };
	char digits[16] = "";
	uint64_t unit = 1;
	size_t len;

	if (node->kind != YAML_SCALAR || yaml_is_nothing(node))
		return grid_refuse_kind(in, node, "an amount of memory such as 1024M");
	len = strlen(node->text);
	if (len < 2 || len >= sizeof(digits) || !strchr("MG", node->text[len - 1]))
		return grid_refuse(in, node,
				   "memory: expected a whole number with M or G behind "
				   "it, such as 1024M, not '%.40s'",
				   node->text);
	memcpy(digits, node->text, len - 1);
	if (node->text[len - 1] == 'G')
		unit = 1024;
	if (text_uint(digits, 1, MAX_MEMORY_MIB / unit, &spec->memory_mib, &why))
		return grid_refuse(in, node, "memory: %s", why.text);
	spec->memory_mib *= unit;
	return 0;
}

static int read_silence(const struct grid_in *in, const struct yaml_node *node,
			void *target)
{
	struct guest_spec *spec = target;
	struct err why = { 0 };

	if (node->kind != YAML_SCALAR || yaml_is_nothing(node))
		return grid_refuse_kind(in, node, "a duration such as 120s");
	if (text_duration(node->text, &spec->timeout_ns, &why))
		return grid_refuse(in, node, "timeout: %s", why.text);
	return 0;
}

static int read_count(const struct grid_in *in, const struct yaml_node *node,
		      const char *what, unsigned int *ret)
{
	uint64_t number;

	if (grid_read_uint(in, node, what, 1, MAX_COUNT, &number))
		return in->err->code;
	*ret = (unsigned int)number;
	return 0;
}

/* One reader for each count of a topology, called as its key. */
#define READ_COUNT(key)                                                               \
	static int read_##key(const struct grid_in *in, const struct yaml_node *node, \
			      void *target)                                           \
	{                                                                             \
		struct guest_topology *topology = target;                             \
                                                                                      \
		return read_count(in, node, #key, &topology->key);                    \
	}

READ_COUNT(sockets)
READ_COUNT(llcs)
READ_COUNT(cores)
READ_COUNT(threads)
READ_COUNT(nodes)

static int read_distance(const struct grid_in *in, const struct yaml_node *node,
			 void *target)
{
	enum { LEAST = 11, MOST = 254 };
	struct guest_topology *topology = target;
	uint64_t number;

	if (grid_read_uint(in, node, "distance", LEAST, MOST, &number))
		return in->err->code;
	topology->distance = (unsigned int)number;
	return 0;
}

int grid_read_topology(const struct grid_in *in, const struct yaml_node *node,
		       struct guest_topology *ret)
{
	static const struct grid_key keys[] = {
		{ "sockets", read_sockets, false },
		{ "llcs", read_llcs, false },
		{ "cores", read_cores, true },
		{ "threads", read_threads, false },
		{ "nodes", read_nodes, false },
		{ "distance", read_distance, false },
		{ NULL, NULL, false },
	};
	static const struct grid_mapping mapping = {
		"'topology'", "{sockets: 2, llcs: 1, cores: 4, threads: 2, nodes: 2}",
		keys
	};
	if (node->kind == YAML_SCALAR && !yaml_is_nothing(node)) {
		if (!guest_topology_find(node->text, ret))
			return 0;
		return grid_refuse_name(in, node, "topology", "", guest_topology_names());
	}
	*ret = (struct guest_topology){
		.sockets = 1,
		.llcs = 1,
		.threads = 1,
		.nodes = 1,
		.distance = 21,
	};
	return grid_read_mapping(in, node, &mapping, ret);
}

static int read_topology(const struct grid_in *in, const struct yaml_node *node,
			 void *target)
{
	struct guest_spec *spec = target;

	return grid_read_topology(in, node, &spec->topology);
}

int grid_read_guest(const struct grid_in *in, const struct yaml_node *node,
		    struct grid *grid)
{
	static const struct grid_key keys[] = {
		{ "type", read_type, true },
		{ "topology", read_topology, false },
		{ "accel", read_accel, false },
		{ "mode", read_mode, false },
		{ "memory", read_memory, false },
		{ "timeout", read_silence, false },
		{ NULL, NULL, false },
	};
	static const struct grid_mapping mapping = {
		"'executor'", "{type: guest, topology: two-node-8}", keys
	};
	struct err why = { 0 };

	grid->guest = calloc(1, sizeof(*grid->guest));
	if (!grid->guest)
		return err_nomem(in->err);
	guest_spec_init(grid->guest);
	if (grid_read_mapping(in, node, &mapping, grid->guest))
		return in->err->code;
	if (guest_spec_finish(grid->guest, &why))
		return grid_refuse(in, node, "%s", why.text);
	return 0;
}

static int read_image(const struct grid_in *in, const struct yaml_node *node,
		      void *target)
{
	struct grid_column *column = target;

	column->image_pos = grid_pos_of(node);
	return grid_read_text(in, node, "a kernel image", GRID_MAX_TEXT, &column->image);
}

static int read_cmdline(const struct grid_in *in, const struct yaml_node *node,
			void *target)
{
	struct grid_column *column = target;

	return grid_read_text(in, node, "a kernel command line", MAX_CMDLINE,
			      &column->cmdline);
}

int grid_read_image(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	static const struct grid_key keys[] = {
		{ "image", read_image, true },
		{ "cmdline", read_cmdline, false },
		{ "policy", grid_read_policy, false },
		{ NULL, NULL, false },
	};
	static const struct grid_mapping kernel = { "'kernel'", "{image: vmlinuz}",
						    keys };

	return grid_read_mapping(in, node, &kernel, target);
}

/* What needs this machine's own kernel and tools. */
static int check_local_keys(const struct grid_in *in, const struct yaml_node *root,
			    const struct grid *grid)
{
	const struct yaml_node *repeat = yaml_find(root, "repeat");

	if (repeat && yaml_find(repeat, "until"))
		return grid_refuse(in, yaml_find(repeat, "until"),
				   "'until' is not supported with guests yet");
	if (yaml_find(root, "quiet"))
		return grid_refuse(in, yaml_find(root, "quiet"),
				   "'quiet' is not supported with guests yet");
	if (grid->monitors.nr_events)
		return grid_refuse(in, yaml_find(root, "monitors"),
				   "monitor 'perf-stat' is not supported with guests "
				   "yet (expected placement)");
	return 0;
}

static int check_images(const struct grid_in *in, const struct grid *grid)
{
	size_t i;

	for (i = 0; i < grid->nr_columns; i++) {
		const struct grid_column *column = &grid->columns[i];
		bool has_image = column->image != NULL;

		if (has_image == (grid->guest != NULL))
			continue;
		return yaml_refuse(
			in->doc,
			(struct yaml_pos){ column->pos.line, column->pos.column },
			in->err,
			has_image ? "column '%s' names a kernel image, which "
				    "needs executor: {type: guest}"
				  : "column '%s' has no kernel to boot "
				    "(expected kernel: {image: PATH})",
			column->name);
	}
	return 0;
}

int grid_finish_guest(const struct grid_in *in, const struct yaml_node *root,
		      struct grid *grid)
{
	const struct yaml_node *repeat = yaml_find(root, "repeat");
	const struct yaml_node *boots = repeat ? yaml_find(repeat, "boots") : root;

	if (grid->sim)
		return grid_finish_sim(in, root, grid);
	if (check_images(in, grid))
		return in->err->code;
	if (!grid->guest) {
		if (grid->boots == 1 || grid->slurm)
			return 0;
		return grid_refuse(in, boots,
				   "boots: %ju needs an executor that boots kernels "
				   "(expected executor: {type: guest})",
				   (uintmax_t)grid->boots);
	}
	if (grid->boots > GRID_MAX_ITERATIONS / grid->iterations)
		return grid_refuse(in, boots,
				   "%ju boots of %ju iterations each, and at most %d "
				   "iterations are supported",
				   (uintmax_t)grid->boots, (uintmax_t)grid->iterations,
				   GRID_MAX_ITERATIONS);
	grid->guest->boots = grid->boots;
	grid->iterations *= grid->boots;
	return check_local_keys(in, root, grid);
}
