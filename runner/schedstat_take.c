// SPDX-License-Identifier: GPL-2.0-or-later
/* Takes a reading, here or in a guest; see schedstat.h. */
#include <stdio.h>
#include <stdlib.h>

#include "lib/err.h"
#include "lib/file.h"
#include "runner/schedstat.h"

enum { READING_MAX = 1 << 25 };

int schedstat_check(struct err *err)
{
	struct err why = { 0 };
	char *reading = schedstat_take(&why);

	free(reading);
	return reading ? 0 : err_set(err, why.code, "monitor schedstat: %s", why.text);
}

char *schedstat_take(struct err *err)
{
	char *is_on = file_read_line("/proc/sys/kernel/sched_schedstats");
	char *text = NULL;
	char *both = NULL;
	size_t len;

	if (!file_read_stream("/proc/schedstat", READING_MAX, &text, &len, err)) {
		both = file_path("sched_schedstats %s\n%s", is_on ? is_on : "?", text);
		if (!both)
			err_nomem(err);
	}
	free(text);
	free(is_on);
	return both;
}
