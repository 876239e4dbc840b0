// SPDX-License-Identifier: GPL-2.0-or-later
/* What this process may use of the machine; see host_facts.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cgroup.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/text.h"
#include "lib/topo.h"
#include "record/host_facts.h"

/* One line for each hierarchy: version 1 has many. */
static int put_cgroup(const struct host_source *source, struct jval *facts)
{
	char *text = host_read_text(source, "/proc/self/cgroup");
	struct jval *list = jval_array();
	char *rest = NULL;
	char *line;
	int bad = 0;

	for (line = text ? strtok_r(text, "\n", &rest) : NULL; line;
	     line = strtok_r(NULL, "\n", &rest))
		bad |= jval_push(list, jval_from_string(line));
	free(text);
	return bad | host_put_filled(facts, "cgroup", list);
}

/* struct bound - a limit of a control group, by the names of both versions */
struct bound {
	const char *key, *controller, *v1, *v2;
};

/* The lowest number on the way up; absent when unlimited or not known. */
static int put_bound(const struct host_source *source, const struct bound *bound,
		     struct jval *json)
{
	/* Version 1 has no "max": what is above any machine's size means it. */
	const uint64_t no_limit = UINT64_C(1) << 62;
	uint64_t lowest = no_limit;
	struct cgroup group;
	uint64_t number;
	int bad = cgroup_find(source->root, bound->controller, &group);

	if (bad)
		return bad == -ENOENT ? 0 : bad;
	do {
		if (cgroup_number(&group, group.is_v2 ? bound->v2 : bound->v1, &number) &&
		    number < lowest)
			lowest = number;
	} while (cgroup_up(&group));
	cgroup_release(&group);
	return lowest < no_limit ? jval_put(json, bound->key, jval_from_uint(lowest)) : 0;
}

/* Time that a group may have on the CPUs: "100000 100000" or "max 100000" of v2. */
static int put_quota(const struct host_source *source, struct jval *json)
{
	struct cgroup group;
	int bad = cgroup_find(source->root, "cpu", &group);
	char *quota = NULL;

	if (bad)
		return bad == -ENOENT ? 0 : bad;
	do {
		char *path = file_path("%s/%s", group.dir,
				       group.is_v2 ? "cpu.max" : "cpu.cfs_quota_us");

		quota = path ? file_read_line(path) : NULL;
		free(path);
		if (quota && (!strncmp(quota, "max", 3) || !strcmp(quota, "-1"))) {
			free(quota);
			quota = NULL;
		}
	} while (!quota && cgroup_up(&group));
	cgroup_release(&group);
	bad = host_put_text(json, "cpu_quota", quota);
	free(quota);
	return bad;
}

static int put_bounds(const struct host_source *source, struct jval *facts)
{
	static const struct bound bounds[] = {
		{ "tasks", "pids", "pids.max", "pids.max" },
		{ "memory_bytes", "memory", "memory.limit_in_bytes", "memory.max" },
	};
	struct jval *json = jval_object();
	int bad = 0;
	size_t i;

	for (i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++)
		bad |= put_bound(source, &bounds[i], json);
	bad |= put_quota(source, json);
	return bad | host_put_filled(facts, "cgroup_limits", json);
}

static int put_tag(const char *text, const char *tag, struct jval *facts, const char *key)
{
	const char *value = text_behind(text, tag);
	char *line;
	int bad;

	if (!value)
		return 0;
	value += strspn(value, " \t");
	line = strndup(value, strcspn(value, "\n"));
	bad = line ? host_put_text(facts, key, line) : -ENOMEM;
	free(line);
	return bad;
}

static int put_affinity(const struct host_source *source, struct jval *facts)
{
	char *text = host_read_text(source, "/proc/self/status");
	int bad = 0;

	if (text) {
		bad |= put_tag(text, "Cpus_allowed_list:", facts, "affinity");
		bad |= put_tag(text, "Mems_allowed_list:", facts, "memory_nodes_allowed");
	}
	free(text);
	return bad;
}

static int put_memory(const struct host_source *source, struct jval *facts)
{
	char *text = host_read_text(source, "/proc/meminfo");
	const char *total = text ? text_behind(text, "MemTotal:") : NULL;
	uint64_t kib = total ? strtoull(total, NULL, 10) : 0;
	struct jval *json = jval_object();
	struct jval *nodes = jval_object();
	const struct topo *topo = source->topo;
	char name[16];
	int bad = 0;
	size_t i;

	free(text);
	if (kib)
		bad |= jval_put(json, "total_bytes", jval_from_uint(kib * 1024));
	for (i = 0; i < topo->nr_all_nodes; i++) {
		if (!topo->nodes[i].memory_bytes)
			continue;
		(void)snprintf(name, sizeof(name), "%u", topo->nodes[i].node);
		bad |= jval_put(nodes, name, jval_from_uint(topo->nodes[i].memory_bytes));
	}
	bad |= host_put_filled(json, "node_bytes", nodes);
	return bad | host_put_filled(facts, "memory", json);
}

int host_bounds_facts(const struct host_source *source, struct jval *facts)
{
	int bad = 0;

	bad |= put_cgroup(source, facts);
	bad |= put_bounds(source, facts);
	bad |= put_affinity(source, facts);
	bad |= put_memory(source, facts);
	return bad;
}
