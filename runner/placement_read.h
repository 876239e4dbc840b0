/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of a PLACEMENT_FILE, one after the other and strictly: a file that was cut,
 * that lost events or that has a line nobody knows is refused.
 */
#ifndef RUNNER_PLACEMENT_READ_H
#define RUNNER_PLACEMENT_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/** enum placement_level - what a CPU belongs to, from near to far */
enum placement_level {
	PLACEMENT_CPU,
	PLACEMENT_CORE,
	PLACEMENT_LLC,
	PLACEMENT_NODE,
	PLACEMENT_NR_LEVELS,
};

enum { PLACEMENT_MAX_CPUS = 4096, PLACEMENT_MAX_PID = 1 << 22 };

/**
 * struct placement_machine - where each CPU belongs
 * @units: for each CPU its number at each level; -1: not known, or no such CPU
 * @nr_cpus: the highest CPU and one more
 * @is_allowed: whether the program may use each CPU
 * @nr_allowed: how many it may; 0: the trace doesn't say
 */
struct placement_machine {
	int (*units)[PLACEMENT_NR_LEVELS];
	size_t nr_cpus, nr_allowed;
	bool is_allowed[PLACEMENT_MAX_CPUS];
};

/** enum placement_kind - of a line, see placement_trace.h */
enum placement_kind {
	PLACEMENT_MAIN,
	PLACEMENT_FORK,
	PLACEMENT_NEW,
	PLACEMENT_WAKE,
	PLACEMENT_RUN,
	PLACEMENT_STOP,
	PLACEMENT_MOVE,
	PLACEMENT_OTHER,
	PLACEMENT_IDLE,
	PLACEMENT_NR_KINDS,
};

/**
 * struct placement_line - one event
 * @ns: since the first
 * @cpu: where it happened; a CPU of the machine
 * @pid: of the task; 0 where there is none
 * @args: what stands behind it; CPUs are of the machine
 */
struct placement_line {
	enum placement_kind kind;
	uint64_t ns;
	unsigned int cpu, pid;
	uint64_t args[2];
};

/**
 * placement_read - hand out the events of a file
 * @text: of the file
 * @machine: filled before the first event; the caller's to placement_machine_release()
 *           in any case
 * @take: gets each event
 * @data: for @take
 * @err: says which line is wrong
 *
 * Return: 0, -EPROTO, -ENODATA or -ENOMEM, see placement_parse().
 */
int placement_read(const char *text, struct placement_machine *machine,
		   void (*take)(const struct placement_machine *machine,
				const struct placement_line *line, void *data),
		   void *data, struct err *err);

/** placement_machine_release - free what it owns */
void placement_machine_release(struct placement_machine *machine);

#endif
