// SPDX-License-Identifier: GPL-2.0-or-later
/* Puts turns together into boots; see guest_run.h. */
#include "runner/guest_run.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/err.h"
#include "lib/proc.h"
#include "runner/local.h"
#include "runner/plan.h"

/* struct pass - which turns are added to a boot */
struct pass {
	bool is_warmup;
	uint64_t iteration;
};

/* The cells of the boot's column that can run, in the order of the pass. */
static void add_pass(const struct guest_run *run, const struct pass *pass,
		     const size_t *order, struct guest_boot *boot)
{
	const struct plan *plan = run->local->plan;
	size_t i;

	for (i = 0; i < plan->nr_cells; i++) {
		struct local_turn turn = {
			.cell = &plan->cells[order[i]],
			.block = pass->is_warmup ? 0 : boot->block,
			.iteration = pass->iteration,
		};
		bool is_missing;

		if (turn.cell->column != boot->column || turn.cell->unfit)
			continue;
		is_missing = run->is_missing(&turn, &turn.attempt, run->data);
		if (is_missing || pass->is_warmup)
			boot->turns[boot->nr_turns++] = turn;
	}
}

/*
 * All that one boot is for, in the orders that the passes would have on any machine;
 * how many of the turns are warm-ups.
 */
static int gather(const struct guest_run *run, uint64_t first, uint64_t last,
		  struct guest_boot *boot, size_t *ret_warmups)
{
	const struct plan *plan = run->local->plan;
	size_t *order = calloc(plan->nr_cells, sizeof(*order));
	struct pass pass = { .is_warmup = true };
	int bad = order ? 0 : -ENOMEM;

	boot->nr_turns = 0;
	for (pass.iteration = 1; !bad && pass.iteration <= plan->grid->warmup;
	     pass.iteration++) {
		bad = plan_order(plan, UINT64_MAX - pass.iteration, order);
		if (!bad)
			add_pass(run, &pass, order, boot);
	}
	*ret_warmups = boot->nr_turns;
	pass.is_warmup = false;
	for (pass.iteration = first; !bad && pass.iteration <= last; pass.iteration++) {
		bad = plan_order(plan, pass.iteration, order);
		if (!bad)
			add_pass(run, &pass, order, boot);
	}
	free(order);
	return bad;
}

/* One column's boot for iterations @first to @last; none when nothing is missing. */
static int run_boot(const struct guest_run *run, uint64_t first, uint64_t last,
		    struct guest_boot *boot, struct err *err)
{
	size_t nr_warmups;
	int bad;

	if (gather(run, first, last, boot, &nr_warmups))
		return err_nomem(err);
	if (boot->nr_turns == nr_warmups || proc_pending(run->local->watch))
		return 0;
	bad = run->on_boot(&boot->turns[nr_warmups], run->data, err);
	return bad ? bad : guest_boot(boot, err);
}

/* Each column once, in the order that the first pass has them. */
static int run_block(const struct guest_run *run, uint64_t first, uint64_t last,
		     struct guest_boot *boot, struct err *err)
{
	const struct plan *plan = run->local->plan;
	size_t *order = calloc(plan->nr_cells, sizeof(*order));
	int bad = order && !plan_order(plan, first, order) ? 0 : err_nomem(err);
	size_t i;

	for (i = 0; !bad && i < plan->grid->nr_columns; i++) {
		boot->column = plan->cells[order[i]].column;
		bad = run_boot(run, first, last, boot, err);
	}
	free(order);
	return bad;
}

int guest_run(const struct guest_run *run, struct err *err)
{
	const struct plan *plan = run->local->plan;
	uint64_t each = plan->grid->iterations / plan->grid->boots;
	size_t max_turns = plan->nr_cells * (plan->grid->warmup + each);
	struct guest_boot boot = {
		.local = run->local,
		.turns = calloc(max_turns, sizeof(*boot.turns)),
		.on_turn = run->on_turn,
		.data = run->data,
	};
	int bad = boot.turns ? 0 : err_nomem(err);
	uint64_t first;

	for (first = 1; !bad && first <= run->nr_iterations; first += each) {
		uint64_t last = first + each - 1;

		boot.block++;
		bad = run_block(run, first,
				last < run->nr_iterations ? last : run->nr_iterations,
				&boot, err);
	}
	free(boot.turns);
	return bad;
}
