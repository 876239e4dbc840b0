/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Applies the rule of until.h to a run between two of its blocks, and notes its end. */
#ifndef RUNNER_UNTIL_RUN_H
#define RUNNER_UNTIL_RUN_H

#include <stdbool.h>

#include "runner/until.h"

struct plan;

/**
 * struct until_run - a run that a precision ends
 * @plan: of the run
 * @dir: of the run, locked by the caller
 * @is_part: not all cells take part: its end isn't that of the run
 * @measure: looks at the precision
 * @data: for @measure
 * @is_warned: that it can't be reached was said; kept by the module
 */
struct until_run {
	const struct plan *plan;
	const char *dir;
	bool is_part;
	until_measure_fn *measure;
	void *data;
	bool is_warned;
};

/**
 * until_run_look - between two blocks: whether the run is over
 * @run: the run
 * @state: where it stands
 * @ret_stop: receives whether it ends here; then that is on the disk
 * @ret_note: receives what to tell the user, the caller's to free(), or NULL
 * @err: says what failed
 *
 * Return: 0 or a negative errno; nothing is received then.
 */
int until_run_look(struct until_run *run, const struct until_state *state, bool *ret_stop,
		   char **ret_note, struct err *err);

#endif
