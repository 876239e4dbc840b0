/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Between doctor.c and the files that look at one side each: what a check gets,
 * and how it says what it found.
 */
#ifndef RUNNER_DOCTOR_CHECKS_H
#define RUNNER_DOCTOR_CHECKS_H

#include "runner/doctor.h"

/**
 * struct doctor_advice - the rest of a finding
 * @cost: see struct doctor_finding
 * @remedy: likewise
 */
struct doctor_advice {
	const char *cost, *remedy;
};

/**
 * doctor_add - add a finding
 * @doctor: where; running out of memory is remembered there
 * @state: what it comes to
 * @thing: such as "governor"
 * @advice: may be NULL
 * @fmt: printf format of the text
 */
void doctor_add(struct doctor *doctor, enum doctor_state state, const char *thing,
		const struct doctor_advice *advice, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/** doctor_line - first line of @path below the subject's root, the caller's; or NULL */
char *doctor_line(const struct doctor_subject *subject, const char *path);
/** doctor_has - whether @path below the root may be used so, as access() */
bool doctor_has(const struct doctor_subject *subject, const char *path, int mode);

/** doctor_programs - the programs that do the work */
int doctor_programs(const struct doctor_subject *subject, struct doctor *doctor,
		    struct err *err);
/** doctor_grid - cells that can't run here, limits against what they need */
void doctor_grid(const struct doctor_subject *subject, struct doctor *doctor);
/** doctor_processor - topology, caches, clock */
void doctor_processor(const struct doctor_subject *subject, struct doctor *doctor);
/** doctor_kernel - privileges, settings of the scheduler, tracing, counters */
void doctor_kernel(const struct doctor_subject *subject, struct doctor *doctor);
/** doctor_monitors - which events count here; what monitors cost, where that is asked */
void doctor_monitors(const struct doctor_subject *subject, struct doctor *doctor);
/** doctor_slurm - whether Slurm keeps out of what it runs; for grids that it runs only */
void doctor_slurm(const struct doctor_subject *subject, struct doctor *doctor);
/** doctor_slurm_config - likewise, by the text of `scontrol show config` */
void doctor_slurm_config(const char *config, struct doctor *doctor);
/** doctor_load - what else runs, swap, disk */
void doctor_load(const struct doctor_subject *subject, struct doctor *doctor);

#endif
