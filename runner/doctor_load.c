// SPDX-License-Identifier: GPL-2.0-or-later
/* What else runs, memory and disk; see doctor_checks.h. */
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/json.h"
#include "lib/topo.h"
#include "record/host.h"
#include "runner/doctor_checks.h"
#include "runner/plan.h"

/* struct ticks - time of all CPUs together, since the start of the kernel */
struct ticks {
	uint64_t all, idle, stolen;
};

static bool read_ticks(const struct doctor_subject *subject, struct ticks *ret)
{
	enum { IDLE = 3, IOWAIT = 4, STEAL = 7, NR = 8 };
	char *line = doctor_line(subject, "/proc/stat");
	char *at = line && !strncmp(line, "cpu ", 4) ? line + 4 : NULL;
	uint64_t part[NR] = { 0 };
	char *end = at;
	size_t i;

	*ret = (struct ticks){ 0 };
	for (i = 0; at && i < NR; i++, at = end) {
		part[i] = strtoull(at, &end, 10);
		ret->all += part[i];
	}
	ret->idle = part[IDLE] + part[IOWAIT];
	ret->stolen = part[STEAL];
	free(line);
	return ret->all > 0;
}

static void check_busy(const struct doctor_subject *subject, struct doctor *doctor)
{
	enum { SPAN_MS = 200, QUIET_PCT = 5 };
	static const struct doctor_advice advice = {
		"what runs besides is in every figure", "stop it, or wait"
	};
	char *average = doctor_line(subject, "/proc/loadavg");
	struct ticks before, after;
	uint64_t all, busy, stolen;
	bool is_quiet;

	if (average)
		average[strcspn(average, " ")] = '\0';
	if (read_ticks(subject, &before)) {
		(void)poll(NULL, 0, SPAN_MS);
		(void)read_ticks(subject, &after);
		/* A tree of another machine stands still, and tells nothing. */
		all = after.all - before.all;
		busy = all - (after.idle - before.idle);
		stolen = after.stolen - before.stolen;
		is_quiet = all && 100 * busy / all < QUIET_PCT;
		if (all)
			doctor_add(doctor, is_quiet ? DOCTOR_OK : DOCTOR_NOTE, "load",
				   is_quiet ? NULL : &advice,
				   "CPUs %ju %% busy just now, %ju %% stolen by the "
				   "hypervisor; load average %s",
				   (uintmax_t)(100 * busy / all),
				   (uintmax_t)(100 * stolen / all),
				   average ? average : "not known");
	}
	free(average);
}

static void check_swap(const struct doctor_subject *subject, struct doctor *doctor)
{
	static const struct doctor_advice advice = {
		"a workload that outgrows the memory gets slow instead of failing",
		"swapoff -a"
	};
	char *path = file_path("%s/proc/swaps", subject->root);
	char *text = NULL;
	const char *newline;

	if (path && !file_read(path, 1 << 20, &text, NULL, NULL)) {
		/* The first line is the heading. */
		newline = strchr(text, '\n');
		if (newline && newline[1])
			doctor_add(doctor, DOCTOR_NOTE, "swap", &advice, "on");
		else
			doctor_add(doctor, DOCTOR_OK, "swap", NULL, "off");
	}
	free(text);
	free(path);
}

static void check_huge_pages(const struct jval *facts, struct doctor *doctor)
{
	static const struct doctor_advice advice = {
		"memory figures depend on how many huge pages happen to be free",
		"echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"
	};
	const char *word = jval_get_text(facts, "transparent_hugepage");
	bool is_always = word && !strcmp(word, "always");

	if (word)
		doctor_add(doctor, is_always ? DOCTOR_NOTE : DOCTOR_OK, "huge pages",
			   is_always ? &advice : NULL, "%s", word);
}

static void check_disk(const struct doctor_subject *subject, struct doctor *doctor)
{
	/* A folder and two files for the raw output, a line in the ledger. */
	const uint64_t per_iteration = 13 << 10, least = UINT64_C(16) << 20;
	static const struct doctor_advice advice = {
		"the run stops when the disk is full, and goes on once there is room",
		"free some, or give -o DIR on another disk"
	};
	const struct plan *plan = subject->plan;
	uint64_t need = least;
	struct statvfs room;
	uint64_t bytes;
	bool is_enough;

	if (statvfs(subject->dir, &room) || !room.f_blocks)
		return;
	if (plan)
		need += plan->nr_cells * (plan->grid->iterations + plan->grid->warmup) *
			per_iteration;
	bytes = (uint64_t)(geteuid() ? room.f_bavail : room.f_bfree) * room.f_frsize;
	is_enough = bytes >= need;
	doctor_add(doctor, is_enough ? DOCTOR_OK : DOCTOR_MISSING, "disk",
		   is_enough ? NULL : &advice, "%ju MiB free in '%s', about %ju needed",
		   (uintmax_t)(bytes >> 20), subject->dir, (uintmax_t)(need >> 20));
}

void doctor_load(const struct doctor_subject *subject, struct doctor *doctor)
{
	check_busy(subject, doctor);
	check_swap(subject, doctor);
	check_huge_pages(subject->host->facts, doctor);
	check_disk(subject, doctor);
}
