// SPDX-License-Identifier: GPL-2.0-or-later
/* The event that was meant by a name that perf doesn't know; see monitor.h. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/clock.h"
#include "lib/file.h"
#include "lib/proc.h"
#include "lib/scratch.h"
#include "lib/text.h"
#include "runner/monitor.h"

enum { LIST_MAX = 1 << 22, LIST_TIMEOUT_SEC = 20 };

/* perf lists of these only what the machine has. */
static const char *const everywhere[] = {
	"task-clock",	 "cpu-clock",	     "context-switches", "cpu-migrations",
	"page-faults",	 "minor-faults",     "major-faults",	 "cycles",
	"instructions",	 "cache-references", "cache-misses",	 "branches",
	"branch-misses",
};

/* The names that perf lists, separated by blanks, the caller's; NULL: it doesn't. */
static char *list_in(const char *perf, const char *dir)
{
	char *argv[] = { (char *)(uintptr_t)perf, (char *)(uintptr_t) "list",
			 (char *)(uintptr_t) "--raw-dump", NULL };
	const struct proc_spec spec = {
		.path = perf,
		.argv = argv,
		.dir = dir,
		.timeout_ns = LIST_TIMEOUT_SEC * CLOCK_SEC,
		.max_file_bytes = LIST_MAX,
	};
	char *path = file_path("%s/stdout", dir);
	struct proc_watch watch;
	struct proc_result result;
	char *text = NULL;

	if (path && !proc_watch_open(&watch, NULL)) {
		if (!proc_run(&watch, &spec, &result, NULL) &&
		    file_read(path, LIST_MAX, &text, NULL, NULL))
			text = NULL;
		proc_watch_close(&watch);
	}
	free(path);
	return text;
}

/* @list becomes its words; those of all machines come first. */
static const char *nearest_of(const char *event, char *list)
{
	const size_t nr_everywhere = sizeof(everywhere) / sizeof(everywhere[0]);
	size_t room = nr_everywhere + (list ? strlen(list) / 2 : 0) + 2;
	const char **names = calloc(room, sizeof(*names));
	const char *nearest = NULL;
	size_t nr = nr_everywhere;
	char *word;

	if (!names)
		return NULL;
	memcpy(names, everywhere, sizeof(everywhere));
	while (list && (word = strsep(&list, " \n")))
		if (*word)
			names[nr++] = word;
	nearest = text_nearest(event, names);
	free(names);
	return nearest;
}

char *monitor_nearest(const char *event, const struct monitor_tools *tools)
{
	struct scratch scratch;
	const char *nearest;
	char *list, *found;

	if (scratch_open(&scratch, NULL))
		return NULL;
	list = list_in(tools->perf.path, scratch.dir);
	scratch_close(&scratch);
	nearest = nearest_of(event, list);
	found = nearest ? strdup(nearest) : NULL;
	free(list);
	return found;
}
