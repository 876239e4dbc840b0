// SPDX-License-Identifier: GPL-2.0-or-later
/* Privileges, the scheduler's settings, tracing and counters; see doctor_checks.h. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/json.h"
#include "lib/topo.h"
#include "record/host.h"
#include "runner/doctor_checks.h"

static void check_privileges(struct doctor *doctor)
{
	static const struct doctor_advice advice = {
		"settings of the host can't be switched, counters and tracepoints may be "
		"refused, and pipes beyond the user's share are smaller",
		"run as root"
	};

	if (geteuid())
		doctor_add(doctor, DOCTOR_NOTE, "privileges", &advice, "not root");
	else
		doctor_add(doctor, DOCTOR_OK, "privileges", NULL, "root");
}

static void check_domains(const struct doctor_subject *subject, struct doctor *doctor)
{
	static const char *const places[] = {
		"/sys/kernel/debug/sched/domains/cpu0",
		"/proc/sys/kernel/sched_domain/cpu0",
	};
	static const struct doctor_advice absent = {
		"flags of scheduling domains can be neither read back nor set",
		"mount -t debugfs none /sys/kernel/debug; a kernel with "
		"CONFIG_SCHED_DEBUG"
	};
	static const struct doctor_advice alone = { "there is nothing to balance",
						    "more than one CPU" };
	static const struct doctor_advice locked = {
		"flags of scheduling domains can be read back but not set", "run as root"
	};
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char *flags = file_path("%s/domain0/flags", places[i]);
		bool is_there = flags && doctor_has(subject, flags, F_OK);
		bool is_open = flags && doctor_has(subject, flags, W_OK);

		free(flags);
		if (!is_there)
			continue;
		doctor_add(doctor, is_open ? DOCTOR_OK : DOCTOR_NOTE, "sched_domain",
			   is_open ? NULL : &locked, "%s, %s", places[i],
			   is_open ? "writable" : "read-only");
		return;
	}
	doctor_add(doctor, DOCTOR_NOTE, "sched_domain",
		   subject->topo->nr_cpus == 1 ? &alone : &absent,
		   "neither in debugfs nor in procfs");
}

static void check_autogroup(const struct jval *facts, struct doctor *doctor)
{
	static const struct doctor_advice advice = {
		"the session that a run is started from shares the CPUs as one with each "
		"other session",
		"sysctl kernel.sched_autogroup_enabled=0"
	};
	const char *word = jval_get_text(facts, "sched_autogroup");

	if (!word)
		doctor_add(doctor, DOCTOR_OK, "autogroup", NULL, "not in this kernel");
	else if (strcmp(word, "0") != 0)
		doctor_add(doctor, DOCTOR_NOTE, "autogroup", &advice, "on");
	else
		doctor_add(doctor, DOCTOR_OK, "autogroup", NULL, "off");
}

static void check_tracefs(const struct doctor_subject *subject, struct doctor *doctor)
{
	static const char *const places[] = {
		"/sys/kernel/tracing/events/sched",
		"/sys/kernel/debug/tracing/events/sched",
	};
	static const struct doctor_advice advice = {
		"placements can't be traced, and sched:* events can't be counted",
		"mount -t tracefs none /sys/kernel/tracing, as root; a kernel with "
		"CONFIG_FTRACE"
	};
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (!doctor_has(subject, places[i], R_OK | X_OK))
			continue;
		doctor_add(doctor, DOCTOR_OK, "tracefs", NULL, "%s", places[i]);
		return;
	}
	doctor_add(doctor, DOCTOR_NOTE, "tracefs", &advice,
		   "no readable scheduler events");
}

static bool has_hardware_counters(const struct doctor_subject *subject)
{
	static const char *const patterns[] = { "cpu", "cpu_core", "armv*" };
	glob_t found;
	bool has = false;
	size_t i;

	for (i = 0; !has && i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		char *pattern = file_path("%s/sys/bus/event_source/devices/%s",
					  subject->root, patterns[i]);

		has = pattern && !glob(pattern, GLOB_NOSORT, NULL, &found);
		if (has)
			globfree(&found);
		free(pattern);
	}
	return has;
}

/* What each level leaves to somebody who isn't root. */
static void check_perf(const struct doctor_subject *subject, struct doctor *doctor)
{
	static const struct doctor_advice absent = { "there are no counters at all",
						     "a kernel with CONFIG_PERF_EVENTS" };
	static const struct doctor_advice refused = {
		"counting of the whole system is refused, above 1 also of the kernel's "
		"part: events then end in :u and context switches read 0",
		"sysctl kernel.perf_event_paranoid=0, or run as root"
	};
	static const struct doctor_advice no_hardware = {
		"cycles and instructions are not supported; software events work",
		"on a VM: let the host pass its counters on"
	};
	char *level = doctor_line(subject, "/proc/sys/kernel/perf_event_paranoid");
	bool is_free;

	if (!level) {
		doctor_add(doctor, DOCTOR_NOTE, "perf events", &absent,
			   "not in this kernel");
		return;
	}
	is_free = !geteuid() || strtol(level, NULL, 10) <= 0;
	doctor_add(doctor, is_free ? DOCTOR_OK : DOCTOR_NOTE, "perf events",
		   is_free ? NULL : &refused, "perf_event_paranoid is %s%s", level,
		   geteuid() ? "" : ", which doesn't bind root");
	if (!has_hardware_counters(subject))
		doctor_add(doctor, DOCTOR_NOTE, "hardware counters", &no_hardware,
			   "none here");
	free(level);
}

void doctor_kernel(const struct doctor_subject *subject, struct doctor *doctor)
{
	check_privileges(doctor);
	check_domains(subject, doctor);
	check_autogroup(subject->host->facts, doctor);
	check_tracefs(subject, doctor);
	check_perf(subject, doctor);
}
