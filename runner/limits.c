// SPDX-License-Identifier: GPL-2.0-or-later
/* Descriptors, tasks and memory; see limits.h. */
#include "runner/limits.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "benchmarks/bench.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/text.h"

static int provide_fds(uint64_t needed, struct err *err)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= needed)
		return 0;
	if (limit.rlim_max >= needed) {
		limit.rlim_cur = needed;
		if (!setrlimit(RLIMIT_NOFILE, &limit))
			return 0;
	}
	return err_set(err, -EOPNOTSUPP,
		       "needs %ju open descriptors, the hard limit is %ju (ulimit -Hn)",
		       (uintmax_t)needed, (uintmax_t)limit.rlim_max);
}

/* The number in the first line of a file; UINT64_MAX where there is none. */
static uint64_t read_limit(const char *path)
{
	char *line = file_read_line(path);
	uint64_t value = UINT64_MAX;

	if (line && text_uint(line, 0, UINT64_MAX, &value, NULL))
		value = UINT64_MAX;
	free(line);
	return value;
}

static int provide_tasks(uint64_t needed, struct err *err)
{
	static const char *const paths[] = {
		"/proc/sys/kernel/pid_max",
		"/proc/sys/kernel/threads-max",
	};
	struct rlimit limit;
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		uint64_t most = read_limit(paths[i]);

		if (needed >= most)
			return err_set(err, -EOPNOTSUPP, "needs %ju tasks, %s is %ju",
				       (uintmax_t)needed, paths[i], (uintmax_t)most);
	}
	/* The limit per user doesn't hold for root. */
	if (!getuid() || getrlimit(RLIMIT_NPROC, &limit) || needed < limit.rlim_cur)
		return 0;
	return err_set(err, -EOPNOTSUPP, "needs %ju tasks, the limit is %ju (ulimit -u)",
		       (uintmax_t)needed, (uintmax_t)limit.rlim_cur);
}

/* MemAvailable of /proc/meminfo in bytes; UINT64_MAX where it isn't told. */
static uint64_t memory_available(void)
{
	static const char tag[] = "\nMemAvailable:";
	uint64_t bytes = UINT64_MAX;
	char *text;
	char *found;

	if (file_read("/proc/meminfo", 1 << 20, &text, NULL, NULL))
		return bytes;
	found = strstr(text, tag);
	if (found)
		bytes = strtoull(found + sizeof(tag) - 1, NULL, 10) * 1024;
	free(text);
	return bytes;
}

int limits_provide(const struct bench_needs *needs, struct err *err)
{
	uint64_t available;

	if (provide_fds(needs->fds, err) || provide_tasks(needs->tasks, err))
		return -EOPNOTSUPP;
	if (!needs->memory)
		return 0;
	available = memory_available();
	if (needs->memory <= available)
		return 0;
	return err_set(err, -EOPNOTSUPP, "needs %ju MiB of memory, %ju MiB are available",
		       (uintmax_t)(needs->memory >> 20), (uintmax_t)(available >> 20));
}
