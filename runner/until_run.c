// SPDX-License-Identifier: GPL-2.0-or-later
/* Measures, decides, and notes the end in the run's plan; see until_run.h. */
#include "runner/until_run.h"

#include <stdlib.h>

#include "lib/err.h"
#include "lib/file.h"
#include "runner/plan.h"
#include "runner/rundir.h"

static int end_run(const struct until_run *run, const struct until_state *state,
		   const char *why, char **ret_note, struct err *err)
{
	char *note = why ? file_path("stopped: %s", why) : NULL;
	int bad = note ? 0 : err_nomem(err);

	if (!bad && !run->is_part)
		bad = rundir_stop(run->dir, run->plan, state->nr_blocks, why, err);
	if (!bad)
		*ret_note = note;
	else
		free(note);
	return bad;
}

int until_run_look(struct until_run *run, const struct until_state *state, bool *ret_stop,
		   char **ret_note, struct err *err)
{
	const struct grid *grid = run->plan->grid;
	struct until_width width = { 0 };
	enum until_stop stop;
	int bad = 0;

	*ret_note = NULL;
	if (state->nr_blocks)
		bad = run->measure(run->dir, run->data, &width, err);
	if (bad)
		return bad;
	stop = until_decide(grid, state, &width);
	if (stop != UNTIL_GO_ON) {
		char *why = until_sentence(grid, state, &width, stop);

		bad = end_run(run, state, why, ret_note, err);
		free(why);
	} else if (!run->is_warned && until_forecast(grid, state, &width, ret_note)) {
		bad = err_nomem(err);
	}
	run->is_warned |= *ret_note != NULL;
	*ret_stop = stop != UNTIL_GO_ON;
	return bad;
}
