/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What this host can do for a grid, and what it can't: programs, limits,
 * privileges, and the facts that move figures. Looks only, changes nothing.
 */
#ifndef RUNNER_DOCTOR_H
#define RUNNER_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct host;
struct jval;
struct plan;
struct topo;

/**
 * enum doctor_state - what a finding comes to
 * @DOCTOR_OK: as it should be
 * @DOCTOR_MISSING: without it a part of the grid can't run
 * @DOCTOR_NOTE: runs, but a reader of the figures should know, or more is possible
 */
enum doctor_state { DOCTOR_OK, DOCTOR_MISSING, DOCTOR_NOTE };

/**
 * struct doctor_finding - one thing that was looked at
 * @state: what it comes to
 * @thing: such as "governor"
 * @text: what is there
 * @cost: what that costs, NULL: nothing
 * @remedy: what brings it, NULL: nothing does or nothing is wrong
 */
struct doctor_finding {
	enum doctor_state state;
	char *thing, *text, *cost, *remedy;
};

/**
 * struct doctor - all findings
 * @findings: in the order to be printed
 * @nr: how many
 * @nomem: one could not be kept; of the module
 */
struct doctor {
	struct doctor_finding *findings;
	size_t nr;
	bool nomem;
};

/**
 * struct doctor_subject - what to look at
 * @root: directory in front of /proc and /sys; "" for this host
 * @topo: the machine's topology
 * @host: its facts
 * @plan: the grid on this machine; NULL: everything the suite has
 * @dir: where results will be
 * @measures_monitors: run hackbench with and without them, for seconds at most
 */
struct doctor_subject {
	const char *root;
	const struct topo *topo;
	const struct host *host;
	const struct plan *plan;
	const char *dir;
	bool measures_monitors;
};

/**
 * doctor_examine - look
 * @subject: at what
 * @ret: to be freed by doctor_free(); written on success only
 * @err: says what failed
 *
 * Takes a fifth of a second, to see how busy the CPUs are. Raises the soft
 * limit of open descriptors of this process if the grid needs it, as a run does.
 *
 * Return: 0 or a negative errno; what is wrong with the host is in the findings.
 */
int doctor_examine(const struct doctor_subject *subject, struct doctor **ret,
		   struct err *err);

/** doctor_state_name - "ok", "missing", "note"; static */
const char *doctor_state_name(enum doctor_state state);

/** doctor_is_fit - whether nothing is missing */
bool doctor_is_fit(const struct doctor *doctor);

/** doctor_json - as schema "schedgrid-doctor-1"; NULL: out of memory */
struct jval *doctor_json(const struct doctor *doctor);

/** doctor_free - NULL is fine */
void doctor_free(struct doctor *doctor);

#endif
