// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts where tasks were placed; see placement.h. */
#include "runner/placement.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/cpulist.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/topo.h"
#include "runner/placement_idle.h"
#include "runner/placement_read.h"
#include "runner/placement_trace.h"

/**
 * struct counter - one trace being counted
 * @ret: what is known
 * @is_main: for each task whether it is the program itself
 * @last_cpu: for each task where it ran last, and one more; 0: not known
 * @nr_new: for each level and unit
 * @idle: CPUs without work beside those with too much
 */
struct counter {
	struct placement *ret;
	bool *is_main;
	uint16_t *last_cpu;
	uint64_t (*nr_new)[PLACEMENT_MAX_CPUS];
	struct placement_idle *idle;
};

static void write_unit(FILE *out, const char *name, int unit)
{
	if (unit < 0)
		(void)fprintf(out, " %s -", name);
	else
		(void)fprintf(out, " %s %d", name, unit);
}

static char *file_text(const struct topo *topo, const struct cpulist *cpus,
		       const char *trace, size_t *ret_len)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, ret_len);
	size_t i;

	if (!out)
		return NULL;
	(void)fputs("schedgrid-placement-1\n", out);
	for (i = 0; i < topo->nr_cpus; i++) {
		const struct topo_cpu *cpu = &topo->cpus[i];

		(void)fprintf(out, "cpu %u", cpu->cpu);
		write_unit(out, "core", cpu->core);
		write_unit(out, "llc", cpu->llc);
		write_unit(out, "node", cpu->node);
		(void)fputs(cpulist_has(cpus, cpu->cpu) ? " allowed\n" : "\n", out);
	}
	(void)fputs(trace, out);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

int placement_write(const char *dir, const struct topo *topo, const struct cpulist *cpus,
		    const char *trace, struct err *err)
{
	char *path = file_path("%s/" PLACEMENT_FILE, dir);
	size_t len;
	char *text = file_text(topo, cpus, trace, &len);
	int bad = path && text ? file_replace(path, text, len, err) : err_nomem(err);

	free(text);
	free(path);
	return bad;
}

int placement_keep(struct placement_trace *trace, const char *dir,
		   const struct topo *topo, const struct cpulist *cpus, struct err *err)
{
	char *text = trace ? placement_trace_end(trace, getpid()) : NULL;
	int bad;

	if (!trace)
		return 0;
	bad = text ? placement_write(dir, topo, cpus, text, err) : err_nomem(err);
	free(text);
	return bad;
}

static void count_new(const struct placement_machine *machine, uint64_t cpu,
		      struct counter *counter)
{
	int node = machine->units[cpu][PLACEMENT_NODE];
	size_t level;

	counter->ret->nr_new++;
	if (node >= 0 && node < PLACEMENT_MAX_NODES)
		counter->ret->new_on_node[node]++;
	for (level = 0; level < PLACEMENT_NR_LEVELS; level++)
		if (machine->units[cpu][level] >= 0)
			counter->nr_new[level][machine->units[cpu][level]]++;
}

/* The nearest level that both CPUs share; PLACEMENT_NR_LEVELS: none. */
static size_t distance(const struct placement_machine *machine, uint64_t a, uint64_t b)
{
	size_t level = 0;

	while (level < PLACEMENT_NR_LEVELS &&
	       (machine->units[a][level] < 0 ||
		machine->units[a][level] != machine->units[b][level]))
		level++;
	return level;
}

static void count_line(const struct placement_machine *machine,
		       const struct placement_line *line, void *data)
{
	struct counter *counter = data;
	struct placement *ret = counter->ret;

	placement_idle_take(counter->idle, machine, line);
	switch (line->kind) {
	case PLACEMENT_MAIN:
		counter->is_main[line->pid] = true;
		counter->last_cpu[line->pid] = 0;
		break;
	case PLACEMENT_FORK:
		counter->is_main[line->args[0]] = false;
		counter->last_cpu[line->args[0]] = 0;
		break;
	case PLACEMENT_NEW:
		if (!counter->is_main[line->pid])
			count_new(machine, line->args[0], counter);
		break;
	case PLACEMENT_WAKE:
		if (!counter->last_cpu[line->pid])
			break;
		ret->nr_woken++;
		ret->nr_woken_near[distance(machine, counter->last_cpu[line->pid] - 1U,
					    line->args[0])]++;
		break;
	case PLACEMENT_RUN:
	case PLACEMENT_STOP:
		counter->last_cpu[line->pid] = (uint16_t)(line->cpu + 1);
		break;
	case PLACEMENT_MOVE:
		ret->nr_moves++;
		ret->nr_node_moves += distance(machine, line->args[0], line->args[1]) ==
				      PLACEMENT_NR_LEVELS;
		break;
	case PLACEMENT_OTHER:
	case PLACEMENT_IDLE:
	case PLACEMENT_NR_KINDS:
		break;
	}
}

static size_t count_units(const struct placement_machine *machine, size_t level)
{
	bool seen[PLACEMENT_MAX_CPUS] = { false };
	size_t nr = 0;
	size_t cpu;

	for (cpu = 0; cpu < machine->nr_cpus; cpu++) {
		int unit = machine->units[cpu][level];

		/* A level is known of all CPUs, or it isn't. */
		if (machine->units[cpu][PLACEMENT_CPU] < 0)
			continue;
		if (unit < 0)
			return 0;
		nr += !seen[unit];
		seen[unit] = true;
	}
	return nr;
}

void placement_measure(const uint64_t *counts, size_t nr, uint64_t sum,
		       struct placement_spread *ret)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		double share = (double)counts[i] / (double)sum;

		if (!counts[i])
			continue;
		ret->nr_used++;
		ret->largest = share > ret->largest ? share : ret->largest;
		ret->entropy -= share * log2(share);
	}
	/* No "-0" for all in one place. */
	if (ret->nr_used == 1)
		ret->entropy = 0.0;
}

int placement_parse(const char *text, struct placement *ret, struct err *err)
{
	struct placement placement = { .idle_share = NAN };
	struct placement_machine machine = { 0 };
	struct counter counter = {
		.ret = &placement,
		.is_main = calloc(PLACEMENT_MAX_PID, sizeof(*counter.is_main)),
		.last_cpu = calloc(PLACEMENT_MAX_PID, sizeof(*counter.last_cpu)),
		.nr_new = calloc(PLACEMENT_NR_LEVELS, sizeof(*counter.nr_new)),
		.idle = placement_idle_new(),
	};
	int bad = counter.is_main && counter.last_cpu && counter.nr_new && counter.idle
			  ? placement_read(text, &machine, count_line, &counter, err)
			  : err_nomem(err);
	size_t level;

	for (level = 0; !bad && level < PLACEMENT_NR_LEVELS; level++) {
		struct placement_spread *spread = &placement.spread[level];

		spread->nr_units = count_units(&machine, level);
		placement_measure(counter.nr_new[level], PLACEMENT_MAX_CPUS,
				  placement.nr_new, spread);
	}
	if (!bad)
		(void)placement_idle_share(counter.idle, &placement.idle_share);
	placement_machine_release(&machine);
	placement_idle_free(counter.idle);
	free(counter.is_main);
	free(counter.last_cpu);
	free(counter.nr_new);
	if (!bad)
		*ret = placement;
	return bad;
}

/* struct list - metrics being put together, and their samples */
struct list {
	struct record_metric *metrics;
	double *values;
	size_t nr;
};

static void add(struct list *list, const struct record_metric *metric, double value)
{
	struct record_metric *next = &list->metrics[list->nr];

	list->values[list->nr] = value;
	*next = *metric;
	next->secondary = true;
	next->samples = &list->values[list->nr++];
	next->nr_samples = 1;
}

static void add_spread(struct list *list, const struct placement *placement)
{
	static const struct record_metric metrics[PLACEMENT_NR_LEVELS][3] = {
		{ { .name = "new-cpus", .unit = "CPUs", .better_higher = true },
		  { .name = "new-cpu-largest", .unit = "%" },
		  { .name = "new-cpu-entropy", .unit = "bits", .better_higher = true } },
		{ { .name = "new-cores", .unit = "cores", .better_higher = true },
		  { .name = "new-core-largest", .unit = "%" },
		  { .name = "new-core-entropy", .unit = "bits", .better_higher = true } },
		{ { .name = "new-llcs", .unit = "LLCs", .better_higher = true },
		  { .name = "new-llc-largest", .unit = "%" },
		  { .name = "new-llc-entropy", .unit = "bits", .better_higher = true } },
		{ { .name = "new-nodes", .unit = "nodes", .better_higher = true },
		  { .name = "new-node-largest", .unit = "%" },
		  { .name = "new-node-entropy", .unit = "bits", .better_higher = true } },
	};
	size_t level;

	for (level = 0; level < PLACEMENT_NR_LEVELS; level++) {
		const struct placement_spread *spread = &placement->spread[level];

		if (!placement->nr_new || spread->nr_units < 2)
			continue;
		add(list, &metrics[level][0], (double)spread->nr_used);
		add(list, &metrics[level][1], 100.0 * spread->largest);
		add(list, &metrics[level][2], spread->entropy);
	}
}

/* How many there were is the program's doing, and no node is better than another. */
static void add_counts(struct list *list, const struct placement *placement)
{
	static const char *const names[PLACEMENT_MAX_NODES] = {
		"new-on-node0", "new-on-node1", "new-on-node2", "new-on-node3",
		"new-on-node4", "new-on-node5", "new-on-node6", "new-on-node7",
	};
	static const struct record_metric nr_new = {
		.name = "new-tasks",
		.unit = "tasks",
		.unjudged = "the program decides how many",
	};
	size_t nr_nodes = placement->spread[PLACEMENT_NODE].nr_units;
	size_t i;

	add(list, &nr_new, (double)placement->nr_new);
	for (i = 0; nr_nodes > 1 && i < nr_nodes && i < PLACEMENT_MAX_NODES; i++)
		add(list,
		    &(const struct record_metric){ .name = names[i],
						   .unit = "tasks",
						   .unjudged = "no node is better than "
							       "another" },
		    (double)placement->new_on_node[i]);
}

static void add_wakeups(struct list *list, const struct placement *placement)
{
	static const struct record_metric nr_woken = {
		.name = "wakeups",
		.unit = "wakeups",
		.unjudged = "the program decides how many",
	};
	static const struct record_metric shares[PLACEMENT_NR_LEVELS + 1] = {
		{ .name = "wake-same-cpu", .unit = "%", .better_higher = true },
		{ .name = "wake-same-core", .unit = "%", .better_higher = true },
		{ .name = "wake-same-llc", .unit = "%", .better_higher = true },
		{ .name = "wake-same-node", .unit = "%" },
		{ .name = "wake-remote", .unit = "%" },
	};
	size_t i;

	add(list, &nr_woken, (double)placement->nr_woken);
	for (i = 0; placement->nr_woken && i <= PLACEMENT_NR_LEVELS; i++)
		add(list, &shares[i],
		    100.0 * (double)placement->nr_woken_near[i] /
			    (double)placement->nr_woken);
}

size_t placement_metrics(const struct placement *placement, struct record_metric *metrics,
			 double *values)
{
	static const struct record_metric moves = { .name = "migrations",
						    .unit = "migrations" };
	static const struct record_metric node_moves = { .name = "migrations-node",
							 .unit = "migrations" };
	static const struct record_metric idle = { .name = "idle-while-overloaded",
						   .unit = "%" };
	struct list list = { .metrics = metrics };

	list.values = values;
	add_counts(&list, placement);
	add_spread(&list, placement);
	add_wakeups(&list, placement);
	add(&list, &moves, (double)placement->nr_moves);
	if (placement->spread[PLACEMENT_NODE].nr_units > 1)
		add(&list, &node_moves, (double)placement->nr_node_moves);
	if (!isnan(placement->idle_share))
		add(&list, &idle, 100.0 * placement->idle_share);
	return list.nr;
}

static void list_line(const struct placement_machine *machine,
		      const struct placement_line *line, void *data)
{
	int llc;

	if (line->kind != PLACEMENT_NEW)
		return;
	llc = machine->units[line->args[0]][PLACEMENT_LLC];
	(void)fprintf(data, "%ju.%06ju [%03u] new task %u: target_cpu=%03u",
		      (uintmax_t)(line->ns / 1000000000),
		      (uintmax_t)(line->ns / 1000 % 1000000), line->cpu, line->pid,
		      (unsigned int)line->args[0]);
	if (llc >= 0)
		(void)fprintf(data, " (LLC: %d)", llc);
	(void)fputc('\n', data);
}

int placement_list(const char *text, char **ret, struct err *err)
{
	struct placement_machine machine = { 0 };
	char *list = NULL;
	size_t size;
	FILE *out = open_memstream(&list, &size);
	int bad = out ? placement_read(text, &machine, list_line, out, err)
		      : err_nomem(err);

	placement_machine_release(&machine);
	if (out && fclose(out) && !bad)
		bad = err_nomem(err);
	if (bad)
		free(list);
	else
		*ret = list;
	return bad;
}
