// SPDX-License-Identifier: GPL-2.0-or-later
/* The rule that ends a run by its precision; see until.h. */
#include "runner/until.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/clock.h"
#include "lib/file.h"
#include "lib/json.h"
#include "runner/grid.h"

enum { WELL_KNOWN = 10 };

/* Whether one more block, as long as those before, would end behind the budget. */
static bool is_spent(const struct grid *grid, const struct until_state *state)
{
	uint64_t budget = grid->until.budget_ns;

	return budget && state->nr_blocks &&
	       state->spent_ns + state->spent_ns / state->nr_blocks > budget;
}

enum until_stop until_decide(const struct grid *grid, const struct until_state *state,
			     const struct until_width *width)
{
	if (state->nr_blocks >= GRID_UNTIL_LEAST && width->nr &&
	    width->halfwidth <= grid->until.halfwidth)
		return UNTIL_REACHED;
	if (state->nr_blocks >= grid->iterations)
		return UNTIL_MOST;
	return is_spent(grid, state) ? UNTIL_BUDGET : UNTIL_GO_ON;
}

/* "it is 1.6% in ROW", the caller's; NULL: no memory. */
static char *width_text(const struct until_width *width)
{
	if (!width->nr)
		return file_path("no row has numbers in two columns");
	if (!isfinite(width->halfwidth))
		return file_path("%s has no interval", width->row);
	return file_path("it is %.2g%% in %s", 100.0 * width->halfwidth, width->row);
}

static char *failed_sentence(const struct grid *grid, const struct until_state *state,
			     const struct until_width *width, bool is_budget)
{
	double percent = 100.0 * grid->until.halfwidth;
	char *now = width_text(width);
	char budget[CLOCK_SPAN_SIZE];
	char *text = NULL;

	clock_span(grid->until.budget_ns, budget);
	if (now && is_budget)
		text = file_path("half-width %g%% not reached within %s, after %ju of at "
				 "most %ju iterations: %s",
				 percent, budget, (uintmax_t)state->nr_blocks,
				 (uintmax_t)grid->iterations, now);
	else if (now)
		text = file_path("half-width %g%% not reached after %ju iterations, the "
				 "most: %s",
				 percent, (uintmax_t)state->nr_blocks, now);
	free(now);
	return text;
}

char *until_sentence(const struct grid *grid, const struct until_state *state,
		     const struct until_width *width, enum until_stop stop)
{
	if (stop != UNTIL_REACHED)
		return failed_sentence(grid, state, width, stop == UNTIL_BUDGET);
	return file_path("half-width %g%% reached after %ju of at most %ju iterations",
			 100.0 * grid->until.halfwidth, (uintmax_t)state->nr_blocks,
			 (uintmax_t)grid->iterations);
}

/* How many iterations there is room for, by their number and by time. */
static uint64_t reachable(const struct grid *grid, const struct until_state *state)
{
	uint64_t each_ns = state->spent_ns / state->nr_blocks;
	uint64_t most = grid->iterations;

	if (grid->until.budget_ns && each_ns && grid->until.budget_ns / each_ns < most)
		most = grid->until.budget_ns / each_ns;
	return most > state->nr_blocks ? most : state->nr_blocks;
}

int until_forecast(const struct grid *grid, const struct until_state *state,
		   const struct until_width *width, char **ret)
{
	double excess = width->halfwidth / grid->until.halfwidth;
	double needed = ceil((double)state->nr_blocks * excess * excess);
	double slack = state->nr_blocks < WELL_KNOWN ? 2.0 : 1.0;
	uint64_t most;

	*ret = NULL;
	if (state->nr_blocks < GRID_UNTIL_LEAST || !width->nr || !isfinite(needed))
		return 0;
	most = reachable(grid, state);
	if (needed <= slack * (double)most)
		return 0;
	*ret = file_path(
		"half-width %g%% can't be reached: %s would need about %.0f iterations, "
		"and there is room for %ju, which come to about %.2g%%",
		100.0 * grid->until.halfwidth, width->row, needed, (uintmax_t)most,
		100.0 * width->halfwidth * sqrt((double)state->nr_blocks / (double)most));
	return *ret ? 0 : -ENOMEM;
}

struct jval *until_json(const struct grid *grid)
{
	struct jval *json = jval_object();
	int bad = jval_put(json, "halfwidth", jval_from_real(grid->until.halfwidth));

	bad |= jval_put(json, "max", jval_from_uint(grid->iterations));
	if (grid->until.budget_ns)
		bad |= jval_put(json, "budget_ns", jval_from_uint(grid->until.budget_ns));
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}
