// SPDX-License-Identifier: GPL-2.0-or-later
/* Descriptors, tasks and memory; see limits.h. */
#include "runner/limits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "benchmarks/bench.h"
#include "lib/cgroup.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/text.h"

/* Raises a soft limit to @needed; false when the hard limit, in *ret, is lower. */
static bool raise_limit(int resource, uint64_t needed, uint64_t *ret_hard)
{
	struct rlimit limit;

	if (getrlimit((__rlimit_resource_t)resource, &limit) || limit.rlim_cur >= needed)
		return true;
	*ret_hard = limit.rlim_max;
	if (limit.rlim_max < needed)
		return false;
	limit.rlim_cur = needed;
	return !setrlimit((__rlimit_resource_t)resource, &limit);
}

static int provide_fds(uint64_t needed, struct err *err)
{
	uint64_t hard;

	if (raise_limit(RLIMIT_NOFILE, needed, &hard))
		return 0;
	return err_set(err, -EOPNOTSUPP,
		       "needs %ju open descriptors, the hard limit is %ju (ulimit -Hn)",
		       (uintmax_t)needed, (uintmax_t)hard);
}

/* All of a file below the root; 0 or a negative errno. */
static int read_below(const struct limits_host *host, const char *name, char **ret)
{
	char *path = file_path("%s%s", host->root, name);
	int bad = path ? file_read(path, 1 << 20, ret, NULL, NULL) : -ENOMEM;

	free(path);
	return bad;
}

/* The number in the first line of a file; UINT64_MAX where there is none. */
static uint64_t read_limit(const struct limits_host *host, const char *name)
{
	uint64_t value = UINT64_MAX;
	char *text;

	if (read_below(host, name, &text))
		return value;
	text[strcspn(text, "\n")] = '\0';
	if (text_uint(text, 0, UINT64_MAX, &value, NULL))
		value = UINT64_MAX;
	free(text);
	return value;
}

/* Tasks that run already, all users': "0.1 0.2 0.3 2/345 678". */
static uint64_t count_tasks(const struct limits_host *host)
{
	uint64_t nr = 0;
	char *text;
	char *slash;

	if (read_below(host, "/proc/loadavg", &text))
		return 0;
	slash = strchr(text, '/');
	if (slash)
		nr = strtoull(slash + 1, NULL, 10);
	free(text);
	return nr;
}

static int check_kernel(const struct limits_host *host, uint64_t needed, struct err *err)
{
	static const char *const names[] = {
		"/proc/sys/kernel/pid_max",
		"/proc/sys/kernel/threads-max",
	};
	uint64_t running = count_tasks(host);
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		uint64_t most = read_limit(host, names[i]);

		if (most == UINT64_MAX || needed + running < most)
			continue;
		return err_set(err, -EOPNOTSUPP,
			       "needs %ju tasks beside %ju that run, %s is %ju",
			       (uintmax_t)needed, (uintmax_t)running, names[i],
			       (uintmax_t)most);
	}
	return 0;
}

/* Every group from ours up to the mount point counts. */
static int check_group_tasks(const struct limits_host *host, uint64_t needed,
			     struct err *err)
{
	struct cgroup group;
	uint64_t most, used;
	int bad = 0;

	if (cgroup_find(host->root, "pids", &group))
		return 0;
	do {
		if (!cgroup_number(&group, "pids.max", &most) || most == UINT64_MAX)
			continue;
		if (!cgroup_number(&group, "pids.current", &used))
			used = 0;
		if (needed + used > most)
			bad = err_set(err, -EOPNOTSUPP,
				      "needs %ju tasks beside %ju in the control group, "
				      "%s/pids.max is %ju",
				      (uintmax_t)needed, (uintmax_t)used, group.dir,
				      (uintmax_t)most);
	} while (!bad && cgroup_up(&group));
	cgroup_release(&group);
	return bad;
}

static int provide_tasks(const struct limits_host *host, uint64_t needed, struct err *err)
{
	uint64_t hard;

	if (check_kernel(host, needed, err) || check_group_tasks(host, needed, err))
		return -EOPNOTSUPP;
	if (host->is_privileged || raise_limit(RLIMIT_NPROC, needed, &hard))
		return 0;
	return err_set(err, -EOPNOTSUPP,
		       "needs %ju tasks, the hard limit of the user is %ju (ulimit -Hu)",
		       (uintmax_t)needed, (uintmax_t)hard);
}

/* The number behind @tag at the start of a line; false when there is none. */
static bool find_number(const char *text, const char *tag, uint64_t *ret)
{
	size_t len = strlen(tag);
	const char *line = text;

	while (line && strncmp(line, tag, len)) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	if (!line)
		return false;
	*ret = strtoull(line + len, NULL, 10);
	return true;
}

static int check_memory(const struct limits_host *host, uint64_t needed, struct err *err)
{
	uint64_t available_kib = 0;
	bool is_known;
	char *text;

	if (read_below(host, "/proc/meminfo", &text))
		return 0;
	is_known = find_number(text, "MemAvailable:", &available_kib);
	free(text);
	if (!is_known || needed <= available_kib * 1024)
		return 0;
	return err_set(err, -EOPNOTSUPP,
		       "needs %ju MiB of memory, %ju MiB are available (MemAvailable in "
		       "/proc/meminfo)",
		       (uintmax_t)(needed >> 20), (uintmax_t)(available_kib >> 10));
}

/* What the group holds and can't give back: all but the cache of files. */
static uint64_t used_memory(const struct cgroup *group)
{
	char *path = file_path("%s/memory.stat", group->dir);
	uint64_t used = 0, cache = 0, shared = 0;
	char *text = NULL;

	if (!cgroup_number(group,
			   group->is_v2 ? "memory.current" : "memory.usage_in_bytes",
			   &used))
		used = 0;
	if (path && !file_read(path, 1 << 20, &text, NULL, NULL)) {
		(void)find_number(text, group->is_v2 ? "file " : "total_cache ", &cache);
		(void)find_number(text, group->is_v2 ? "shmem " : "total_shmem ",
				  &shared);
	}
	free(text);
	free(path);
	cache -= shared < cache ? shared : cache;
	return used - (cache < used ? cache : used);
}

static int check_group_memory(const struct limits_host *host, uint64_t needed,
			      struct err *err)
{
	struct cgroup group;
	const char *file;
	uint64_t most;
	int bad = 0;

	if (cgroup_find(host->root, "memory", &group))
		return 0;
	file = group.is_v2 ? "memory.max" : "memory.limit_in_bytes";
	do {
		uint64_t used;

		if (!cgroup_number(&group, file, &most) || most == UINT64_MAX)
			continue;
		used = used_memory(&group);
		if (needed > most || used > most - needed)
			bad = err_set(err, -EOPNOTSUPP,
				      "needs %ju MiB of memory beside %ju MiB in the "
				      "control group, %s/%s is %ju MiB",
				      (uintmax_t)(needed >> 20), (uintmax_t)(used >> 20),
				      group.dir, file, (uintmax_t)(most >> 20));
	} while (!bad && cgroup_up(&group));
	cgroup_release(&group);
	return bad;
}

/*
 * A thread's stack and the guard below it are two of the areas that
 * vm.max_map_count allows a process.
 */
static int check_areas(const struct limits_host *host, uint64_t threads, struct err *err)
{
	static const char name[] = "/proc/sys/vm/max_map_count";
	/* The program, its libraries, heaps and their halves. */
	const uint64_t others = 256;
	uint64_t most = read_limit(host, name);
	uint64_t needed = 2 * threads + others;

	if (needed <= most)
		return 0;
	return err_set(err, -EOPNOTSUPP,
		       "needs %ju memory areas for the stacks of %ju threads, %s is %ju",
		       (uintmax_t)needed, (uintmax_t)threads, name, (uintmax_t)most);
}

int limits_provide_at(const struct limits_host *host, const struct bench_needs *needs,
		      struct err *err)
{
	if (provide_fds(needs->fds, err))
		return -EOPNOTSUPP;
	if (needs->tasks && provide_tasks(host, needs->tasks, err))
		return -EOPNOTSUPP;
	if (needs->threads && check_areas(host, needs->threads, err))
		return -EOPNOTSUPP;
	if (needs->memory && (check_memory(host, needs->memory, err) ||
			      check_group_memory(host, needs->memory, err)))
		return -EOPNOTSUPP;
	return 0;
}

int limits_provide(const struct bench_needs *needs, struct err *err)
{
	/* The limit per user doesn't hold for root. */
	const struct limits_host host = { "", !geteuid() };

	return limits_provide_at(&host, needs, err);
}
