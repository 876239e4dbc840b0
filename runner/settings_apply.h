/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings in force: switched when the column of the next iteration has others, looked at
 * again after each one, and put back when the run ends. What is in force is always one
 * column's and nothing else: first all of the last one is put back.
 */
#ifndef RUNNER_SETTINGS_APPLY_H
#define RUNNER_SETTINGS_APPLY_H

#include <stdbool.h>

#include "runner/settings_find.h"

struct cell;
struct err;
struct journal;
struct local;
struct local_result;

/**
 * struct settings_host - this machine's settings, of a run
 * @place: of the plan
 * @local: of the run; learns why the settings of the next iteration can't be had; lent
 * @journal: NULL where nothing was ever changed and nothing is to be
 * @active: what is in force; NULL: the machine is as it was found
 * @unfit: why those of the next iteration can't be had; empty: they can
 * @changed: what was found to have changed under the last one
 */
struct settings_host {
	struct settings_place place;
	struct local *local;
	struct journal *journal;
	const struct settings *active;
	char unfit[1024], changed[512];
};

/**
 * settings_open - get hold of this machine for a run, and put back what a crash left
 * @local: of the run, with plan, directory and guard; lent
 * @ret: to be given to settings_close(), also on failure
 * @ret_note: receives what was put back, the caller's to free(); NULL: nothing was
 * @err: says who has the machine, or what can't be put back
 *
 * Does nothing where cells don't run on this machine.
 *
 * Return: 0; -EWOULDBLOCK while another run is in the way; or another negative errno.
 */
int settings_open(struct local *local, struct settings_host *ret, char **ret_note,
		  struct err *err);

/**
 * settings_provide - have the settings of a cell's column in force, and do what comes
 * before an iteration
 * @err: says why the run can't go on
 *
 * Where they can't be had, the local executor is told why and none are in force. A cell
 * that can't run anyway needs none.
 *
 * Return: 0 or a negative errno.
 */
int settings_provide(struct settings_host *host, const struct cell *cell,
		     struct err *err);

/** settings_note - flag a result if a setting didn't stay as it was set meanwhile */
void settings_note(struct settings_host *host, struct local_result *result);

/** settings_close - put all back; 0 or a negative errno of what can't be */
int settings_close(struct settings_host *host, struct err *err);

#endif
