// SPDX-License-Identifier: GPL-2.0-or-later
/* What the scheduler was told, and the domains it built; see host_facts.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cpulist.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/topo.h"
#include "record/host_facts.h"

/* More levels than any kernel builds. */
enum { MAX_LEVELS = 16 };

static struct jval *read_level(const struct host_source *source, const char *folder,
			       unsigned int cpu, unsigned int level)
{
	struct jval *json = jval_object();
	char path[128];
	int bad = 0;

	(void)snprintf(path, sizeof(path), "%s/cpu%u/domain%u/name", folder, cpu, level);
	bad |= host_put_line(source, json, "name", path);
	(void)snprintf(path, sizeof(path), "%s/cpu%u/domain%u/flags", folder, cpu, level);
	bad |= host_put_line(source, json, "flags", path);
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

/* The levels of @cpu from the innermost as a list, which may be empty; or NULL. */
static struct jval *read_levels(const struct host_source *source, const char *folder,
				unsigned int cpu)
{
	struct jval *levels = jval_array();
	int bad = levels ? 0 : -ENOMEM;
	unsigned int i;

	for (i = 0; !bad && i < MAX_LEVELS; i++) {
		struct jval *level = read_level(source, folder, cpu, i);

		if (level && !jval_count(level)) {
			jval_free(level);
			break;
		}
		bad = jval_push(levels, level);
	}
	if (!bad)
		return levels;
	jval_free(levels);
	return NULL;
}

/* struct stack - the same levels and flags, and the CPUs that have them */
struct stack {
	struct jval *levels;
	struct cpulist cpus;
};

/* Takes @levels; NULL: out of memory. */
static int add_to_stacks(struct stack *stacks, size_t *nr, struct jval *levels,
			 unsigned int cpu)
{
	size_t i;

	if (!jval_count(levels)) {
		jval_free(levels);
		return levels ? 0 : -ENOMEM;
	}
	for (i = 0; i < *nr; i++)
		if (jval_equal(stacks[i].levels, levels))
			break;
	if (i < *nr)
		jval_free(levels);
	else
		stacks[(*nr)++].levels = levels;
	return cpulist_add(&stacks[i].cpus, cpu);
}

static int put_stacks(struct jval *facts, struct stack *stacks, size_t nr)
{
	struct jval *list = jval_array();
	int bad = 0;
	size_t i;

	for (i = 0; i < nr; i++) {
		struct jval *entry = jval_object();
		char *cpus = cpulist_write(&stacks[i].cpus);

		bad |= cpus ? host_put_text(entry, "cpus", cpus) : -ENOMEM;
		bad |= jval_put(entry, "levels", stacks[i].levels);
		stacks[i].levels = NULL;
		bad |= jval_push(list, entry);
		free(cpus);
	}
	return bad | host_put_filled(facts, "sched_domains", list);
}

static int put_domains_of(const struct host_source *source, const char *folder,
			  struct jval *facts)
{
	const struct topo *topo = source->topo;
	struct stack *stacks = calloc(topo->nr_cpus + 1, sizeof(*stacks));
	int bad = stacks ? 0 : -ENOMEM;
	size_t nr = 0;
	size_t i;

	for (i = 0; !bad && i < topo->nr_cpus; i++)
		bad = add_to_stacks(stacks, &nr,
				    read_levels(source, folder, topo->cpus[i].cpu),
				    topo->cpus[i].cpu);
	if (!bad)
		bad = put_stacks(facts, stacks, nr);
	for (i = 0; i < nr; i++) {
		jval_free(stacks[i].levels);
		cpulist_release(&stacks[i].cpus);
	}
	free(stacks);
	return bad;
}

static int put_domains(const struct host_source *source, struct jval *facts)
{
	/* Since 5.13 the first, before it the second. */
	static const char *const folders[] = {
		"/sys/kernel/debug/sched/domains",
		"/proc/sys/kernel/sched_domain",
	};
	int bad = 0;
	size_t i;

	for (i = 0; !bad && i < sizeof(folders) / sizeof(folders[0]); i++)
		if (!jval_get(facts, "sched_domains") &&
		    host_has_file(source, folders[i]))
			bad = put_domains_of(source, folders[i], facts);
	return bad;
}

/* What debugfs has of the scheduler as one line each, without its long tables. */
static int put_debugfs(const struct host_source *source, struct jval *facts)
{
	static const char *const names[] = {
		"base_slice_ns",
		"latency_ns",
		"latency_warn_ms",
		"min_granularity_ns",
		"idle_min_granularity_ns",
		"wakeup_granularity_ns",
		"migration_cost_ns",
		"nr_migrate",
		"tunable_scaling",
		"preempt",
		"numa_balancing/scan_delay_ms",
		"numa_balancing/scan_period_min_ms",
		"numa_balancing/scan_period_max_ms",
		"numa_balancing/scan_size_mb",
	};
	struct jval *json = jval_object();
	char path[128];
	int bad = 0;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		(void)snprintf(path, sizeof(path), "/sys/kernel/debug/sched/%s",
			       names[i]);
		bad |= host_put_chosen(source, json, names[i], path);
	}
	return bad | host_put_filled(facts, "sched_debugfs", json);
}

int host_sched_facts(const struct host_source *source, struct jval *facts)
{
	static const char sysctls[] = "/proc/sys/kernel";
	int bad = 0;

	bad |= host_put_line(source, facts, "sched_features",
			     "/sys/kernel/debug/sched/features");
	if (!jval_get(facts, "sched_features"))
		bad |= host_put_line(source, facts, "sched_features",
				     "/sys/kernel/debug/sched_features");
	bad |= put_domains(source, facts);
	bad |= host_put_dir(source, facts, "sched_sysctls", sysctls, "sched_");
	bad |= put_debugfs(source, facts);
	bad |= host_put_line(source, facts, "sched_autogroup",
			     "/proc/sys/kernel/sched_autogroup_enabled");
	bad |= host_put_line(source, facts, "sched_schedstats",
			     "/proc/sys/kernel/sched_schedstats");
	bad |= host_put_line(source, facts, "numa_balancing",
			     "/proc/sys/kernel/numa_balancing");
	bad |= host_put_chosen(source, facts, "transparent_hugepage",
			       "/sys/kernel/mm/transparent_hugepage/enabled");
	return bad;
}
