// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads 'costs' of a machine file: figures by name, each with its source. */
#include "runner/machine_costs.h"

#include <stddef.h>
#include <string.h>

#include "lib/err.h"
#include "runner/machine_file.h"

enum { MAX_COST = 1000000000, MAX_SOURCE = 300, MOST_PERMILLE = 100000 };

/*
 * struct cost_key - one figure
 * @is_cpu: the CPU's own work, which a slower one takes longer for
 */
struct cost_key {
	const char *name;
	size_t at;
	bool is_cpu;
};

#define COST(name, field)                                       \
	{                                                       \
		name, offsetof(struct cost_model, field), false \
	}
#define CPU_NS(name, field)                                    \
	{                                                      \
		name, offsetof(struct cost_model, field), true \
	}

/* In the order of struct cost_model, which says what each one is. */
static const struct cost_key keys[] = {
	CPU_NS("syscall", syscall),
	CPU_NS("message-pipe", message[0]),
	CPU_NS("message-unix", message[1]),
	CPU_NS("message-tcp", message[2]),
	CPU_NS("message-futex", message[3]),
	COST("lines-pipe", lines[0]),
	COST("lines-unix", lines[1]),
	COST("lines-tcp", lines[2]),
	COST("lines-futex", lines[3]),
	COST("line-smt", line[COST_SMT]),
	COST("line-llc", line[COST_LLC]),
	COST("line-node", line[COST_NODE]),
	COST("line-remote", line[COST_REMOTE]),
	CPU_NS("wake", wake),
	CPU_NS("scan-cpu", scan_cpu),
	CPU_NS("switch-same", switch_same),
	CPU_NS("switch-other", switch_other),
	CPU_NS("fork-process", fork_process),
	CPU_NS("fork-thread", fork_thread),
	CPU_NS("start-process", start_process),
	CPU_NS("start-thread", start_thread),
	CPU_NS("exit", exit),
	CPU_NS("tick", tick),
	COST("ipi-smt", ipi[COST_SMT]),
	COST("ipi-llc", ipi[COST_LLC]),
	COST("ipi-node", ipi[COST_NODE]),
	COST("ipi-remote", ipi[COST_REMOTE]),
	CPU_NS("migrate", migrate),
	COST("refill-smt", refill_kib[COST_SMT]),
	COST("refill-llc", refill_kib[COST_LLC]),
	COST("refill-node", refill_kib[COST_NODE]),
	COST("refill-remote", refill_kib[COST_REMOTE]),
	CPU_NS("balance-cpu", balance_cpu),
	COST("smt-permille", smt_permille),
	COST("smt-memory-permille", smt_memory_permille),
	COST("thread-mbs", thread_mbs),
	COST("llc-mbs", llc_mbs),
	COST("node-mbs", node_mbs),
	COST("link-mbs", link_mbs),
	COST("remote-permille", remote_permille),
	COST("jitter-permille", jitter_permille),
};

enum { NR_KEYS = sizeof(keys) / sizeof(keys[0]) };

static unsigned int *cost_of(struct cost_model *model, const struct cost_key *key)
{
	return (unsigned int *)(void *)((char *)model + key->at);
}

/* struct figure - {value: 20, source: where from} while it is read */
struct figure {
	uint64_t value;
};

static int read_value(const struct grid_in *in, const struct yaml_node *node,
		      void *target)
{
	struct figure *figure = target;

	return grid_read_uint(in, node, "value", 0, MAX_COST, &figure->value);
}

/* Nobody reads it here: it is for who reads the file, and has to be there. */
static int read_source(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	(void)target;
	if (node->kind != YAML_SCALAR || yaml_is_nothing(node) || !*node->text ||
	    strlen(node->text) > MAX_SOURCE)
		return grid_refuse_kind(in, node, "where the figure comes from");
	return 0;
}

static int read_figure(const struct grid_in *in, const struct yaml_node *node,
		       uint64_t *ret)
{
	static const struct grid_key figure_keys[] = {
		{ "value", read_value, true },
		{ "source", read_source, true },
		{ NULL, NULL, false },
	};
	static const struct grid_mapping mapping = { "the cost",
						     "{value: 20, source: data sheet}",
						     figure_keys };
	struct figure figure = { 0 };
	int bad = grid_read_mapping(in, node, &mapping, &figure);

	*ret = figure.value;
	return bad;
}

static int read_idle_number(const struct grid_in *in, const struct yaml_node *node,
			    const char *what, unsigned int *ret)
{
	uint64_t number = 0;
	int bad = grid_read_uint(in, node, what, 0, MAX_COST, &number);

	*ret = (unsigned int)number;
	return bad;
}

/* One reader for each number of an idle state, called as its key. */
#define READ_IDLE(key)                                                                \
	static int read_##key(const struct grid_in *in, const struct yaml_node *node, \
			      void *target)                                           \
	{                                                                             \
		struct cost_idle *idle = target;                                      \
                                                                                      \
		return read_idle_number(in, node, #key, &idle->key);                  \
	}

READ_IDLE(latency_us)
READ_IDLE(residency_us)
READ_IDLE(exit_ns)

static int check_depth(const struct grid_in *in, const struct yaml_node *node,
		       const struct cost_model *model)
{
	size_t last = model->nr_idle;

	if (!last || model->idle[last - 1].residency_us <= model->idle[last].residency_us)
		return 0;
	return grid_refuse(in, node,
			   "an idle state for %u us behind one for %u us (expected "
			   "shallow ones first)",
			   model->idle[last].residency_us,
			   model->idle[last - 1].residency_us);
}

static int read_idle(const struct grid_in *in, const struct yaml_node *node,
		     struct cost_model *model)
{
	static const struct grid_key idle_keys[] = {
		{ "latency_us", read_latency_us, true },
		{ "residency_us", read_residency_us, true },
		{ "exit_ns", read_exit_ns, true },
		{ "source", read_source, true },
		{ NULL, NULL, false },
	};
	static const struct grid_mapping mapping = {
		"the idle state",
		"{latency_us: 2, residency_us: 2, exit_ns: 1000, source: C1}", idle_keys
	};
	size_t i;

	if (node->kind != YAML_SEQUENCE || !node->nr_items ||
	    node->nr_items > COST_IDLE_STATES)
		return grid_refuse(in, node, "expected a list of 1 to %d idle states",
				   COST_IDLE_STATES);
	for (i = 0; i < node->nr_items; i++) {
		const struct yaml_node *item = node->items[i].value;

		model->nr_idle = i;
		if (grid_read_mapping(in, item, &mapping, &model->idle[i]) ||
		    check_depth(in, item, model))
			return in->err->code;
	}
	model->nr_idle = node->nr_items;
	return 0;
}

static int refuse_name(const struct grid_in *in, const struct yaml_node *node)
{
	const char *names[NR_KEYS + 3] = { "idle", "cpu-permille" };
	size_t i;

	for (i = 0; i < NR_KEYS; i++)
		names[i + 2] = keys[i].name;
	return grid_refuse_name(in, node, "cost", "", names);
}

static size_t find_key(const char *name)
{
	size_t i = 0;

	while (i < NR_KEYS && strcmp(keys[i].name, name) != 0)
		i++;
	return i;
}

static int read_item(const struct grid_in *in, const struct yaml_item *item,
		     struct machine_costs *costs)
{
	size_t idx = find_key(item->key->text);
	uint64_t value;

	if (!strcmp(item->key->text, "cpu-permille"))
		return 0;
	if (!strcmp(item->key->text, "idle")) {
		costs->has_idle = true;
		return read_idle(in, item->value, &costs->model);
	}
	if (idx == NR_KEYS)
		return refuse_name(in, item->key);
	if (read_figure(in, item->value, &value))
		return in->err->code;
	if (strstr(keys[idx].name, "permille") && value > 1000)
		return grid_refuse(in, item->value,
				   "%s: %ju of 1000 (expected at most 1000)",
				   keys[idx].name, (uintmax_t)value);
	*cost_of(&costs->model, &keys[idx]) = (unsigned int)value;
	costs->given |= UINT64_C(1) << idx;
	return 0;
}

/* What the CPU itself does takes so much of the time that it takes in the file below. */
static int scale(const struct grid_in *in, const struct yaml_node *node,
		 struct cost_model *model)
{
	enum { WHOLE = 1000 };
	uint64_t permille;
	size_t i;

	if (!node)
		return 0;
	if (read_figure(in, node, &permille))
		return in->err->code;
	if (!permille || permille > MOST_PERMILLE)
		return grid_refuse(in, node, "cpu-permille: expected 1 to %d",
				   MOST_PERMILLE);
	for (i = 0; i < NR_KEYS; i++) {
		unsigned int *cost = cost_of(model, &keys[i]);

		if (keys[i].is_cpu)
			*cost = (unsigned int)((*cost * permille + WHOLE / 2) / WHOLE);
	}
	return 0;
}

int machine_costs_read(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	struct machine_costs *costs = target;
	size_t i;

	if (node->kind != YAML_MAPPING)
		return grid_refuse_kind(
			in, node, "a mapping such as {wake: {value: 250, source: ...}}");
	if (scale(in, yaml_find(node, "cpu-permille"), &costs->model))
		return in->err->code;
	for (i = 0; i < node->nr_items; i++)
		if (read_item(in, &node->items[i], costs))
			return in->err->code;
	return 0;
}

const char *machine_costs_missing(const struct machine_costs *costs)
{
	size_t i;

	for (i = 0; i < NR_KEYS; i++)
		if (!(costs->given & UINT64_C(1) << i))
			return keys[i].name;
	return costs->has_idle ? NULL : "idle";
}

void machine_file_write_costs(const struct cost_model *costs, FILE *out)
{
	struct cost_model model = *costs;
	size_t i;

	for (i = 0; i < NR_KEYS; i++)
		(void)fprintf(out, "%s %u\n", keys[i].name, *cost_of(&model, &keys[i]));
	for (i = 0; i < model.nr_idle; i++)
		(void)fprintf(out, "idle %u %u %u\n", model.idle[i].latency_us,
			      model.idle[i].residency_us, model.idle[i].exit_ns);
}
