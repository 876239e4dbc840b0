// SPDX-License-Identifier: GPL-2.0-or-later
/* Carries out a plan; see run.h. */
#include "runner/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/clock.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/proc.h"
#include "record/host.h"
#include "record/ledger.h"
#include "runner/guard.h"
#include "runner/guest_run.h"
#include "runner/local.h"
#include "runner/placement_trace.h"
#include "runner/plan.h"
#include "runner/rundir.h"
#include "runner/service.h"
#include "runner/settings_apply.h"
#include "runner/sim_turn.h"
#include "runner/slurm_run.h"
#include "runner/stock.h"
#include "runner/turn.h"
#include "runner/until_run.h"

#define LEDGER_STANDS_NS (CLOCK_SEC / 10)

/**
 * struct run - one call of run_plan()
 * @length: how long the run is to be
 * @stock: what it has and misses
 * @until: the precision that ends it
 * @appended_ns: when a record was added last, clock_ns() time
 */
struct run {
	const struct plan *plan;
	const struct run_options *options;
	struct run_summary *summary;
	struct ledger *ledger;
	struct local local;
	struct settings_host settings;
	struct proc_watch watch;
	char *boot;
	struct rundir_length length;
	struct stock stock;
	struct until_run until;
	uint64_t seq, nr_done, nr_todo, start_ns, appended_ns;
	struct err *err;
};

/* Where this call's ledger lies: a part has one of its own. */
static const char *ledger_dir(const struct run *run)
{
	return run->options->part ? run->options->part->ledger : run->options->dir;
}

static void tell(const struct run *run, struct run_event *event)
{
	if (event->cell)
		event->nr_iterations = stock_iterations(
			&run->stock, (size_t)(event->cell - run->plan->cells));
	event->nr_done = run->nr_done;
	event->nr_todo = run->nr_todo;
	event->elapsed_ns = clock_ns() - run->start_ns;
	if (run->options->on_event)
		run->options->on_event(event, run->options->data);
}

static int tell_note(const struct run *run, char *note)
{
	struct run_event event = { .note = note };

	if (!note)
		return err_nomem(run->err);
	tell(run, &event);
	free(note);
	return 0;
}

static void count_turns(struct run *run)
{
	size_t i;

	run->nr_todo = 0;
	for (i = 0; i < run->plan->nr_cells; i++)
		run->nr_todo += stock_count(&run->stock, i);
	run->summary->nr_failed_before = stock_count_failed(&run->stock);
}

static bool is_known_skip(uint32_t state, const struct record *record)
{
	return record->status == RECORD_SKIPPED && state & TURN_SKIPPED;
}

/*
 * A record of what came out; but what was skipped before and can't run now
 * either is only told, or every call would add a record that says the same.
 */
static int keep_record(struct run *run, uint32_t state, const struct record *record)
{
	if (is_known_skip(state, record))
		return 0;
	if (ledger_append(run->ledger, record, run->err))
		return run->err->code;
	run->appended_ns = clock_ns();
	run->seq++;
	return 0;
}

/* Whether the attempt between two states of a turn is to be followed by another. */
static bool is_repeated(const struct run *run, uint32_t before, uint32_t after)
{
	return turn_nr_interfered(after) > turn_nr_interfered(before) &&
	       turn_is_missing(after, run->plan->grid->quiet.repeat);
}

/* A turn has its record: what is counted and told then. */
static void end_turn(struct run *run, struct run_event *event,
		     const struct record *record)
{
	run->nr_done++;
	run->summary->nr[record->status]++;
	event->record = record;
	tell(run, event);
}

static char *repeat_note(const struct cell *cell, const struct record *record)
{
	char *point = cell_point(cell);
	char *note = NULL;

	if (point)
		note = file_path("%s%s%s, %s, iteration %ju: %s; it runs again",
				 record->variant, *point ? " " : "", point,
				 record->column, (uintmax_t)record->iteration,
				 record->nr_remarks
					 ? record->remarks[record->nr_remarks - 1]
					 : "it was interfered with");
	free(point);
	return note;
}

/* Which pass over the columns an iteration belongs to; 0 is the warm-up. */
static uint64_t block_of(const struct run *run, bool is_warmup, uint64_t iteration)
{
	if (is_warmup)
		return 0;
	return run->options->part ? run->options->part->block : iteration;
}

static int run_turn(struct run *run, size_t idx, bool is_warmup, uint64_t iteration)
{
	uint32_t *state = stock_state(&run->stock, idx, is_warmup, iteration);
	const uint32_t was = *state;
	struct local_turn turn = {
		.cell = &run->plan->cells[idx],
		.block = block_of(run, is_warmup, iteration),
		.iteration = iteration,
		.attempt = (was & TURN_ATTEMPTS) + 1U,
		.seq = run->seq + 1,
	};
	struct run_event event = {
		.cell = turn.cell,
		.is_warmup = is_warmup,
		.iteration = iteration,
	};
	struct local_result result;
	int bad;

	/* Not a minute of work for a record that has no place; adding one looks too. */
	if (clock_ns() - run->appended_ns > LEDGER_STANDS_NS &&
	    ledger_check(run->ledger, run->err))
		return run->err->code;
	tell(run, &event);
	if (settings_provide(&run->settings, turn.cell, run->err))
		return run->err->code;
	bad = run->plan->sim ? sim_turn(&run->local, &turn, &result, run->err)
			     : local_run(&run->local, &turn, &result, run->err);
	if (bad)
		return bad;
	settings_note(&run->settings, &result);
	event.is_known = is_known_skip(was, &result.record);
	bad = keep_record(run, was, &result.record);
	if (!bad)
		turn_note(state, &result.record);
	if (!bad && is_repeated(run, was, *state)) {
		bad = tell_note(run, repeat_note(turn.cell, &result.record));
	} else if (!bad) {
		end_turn(run, &event, &result.record);
	}
	local_release(&result);
	return bad;
}

/* A turn, and again while others interfere and there are repeats left. */
static int run_turns(struct run *run, size_t idx, bool is_warmup, uint64_t iteration)
{
	const uint32_t *state = stock_state(&run->stock, idx, is_warmup, iteration);
	uint32_t was;

	do {
		was = *state;
		if (proc_pending(&run->watch))
			return 0;
		if (run_turn(run, idx, is_warmup, iteration))
			return run->err->code;
	} while (is_repeated(run, was, *state));
	return 0;
}

/* One pass over the cells that still miss this iteration. */
static int run_block(struct run *run, size_t *order, bool is_warmup, uint64_t iteration)
{
	/* Warm-ups take orders of their own, from the far end of the streams. */
	uint64_t stream = is_warmup ? UINT64_MAX - iteration : iteration;
	size_t i;

	if (plan_order(run->plan, stream, order))
		return err_nomem(run->err);
	for (i = 0; i < run->plan->nr_cells; i++) {
		/* What boots comes boot by boot; only what can't is seen to here. */
		if ((run->plan->guest && !run->plan->cells[order[i]].unfit) ||
		    !stock_is_missing(&run->stock, order[i], is_warmup, iteration))
			continue;
		if (run_turns(run, order[i], is_warmup, iteration))
			return run->err->code;
	}
	return 0;
}

static bool is_guest_turn_missing(const struct local_turn *turn, uint64_t *ret_attempt,
				  void *data)
{
	struct run *run = data;
	size_t idx = (size_t)(turn->cell - run->plan->cells);
	bool is_warmup = !turn->block;
	uint32_t state = *stock_state(&run->stock, idx, is_warmup, turn->iteration);

	*ret_attempt = (state & TURN_ATTEMPTS) + 1U;
	return stock_is_missing(&run->stock, idx, is_warmup, turn->iteration);
}

static int begin_guest(const struct local_turn *turn, void *data, struct err *err)
{
	struct run *run = data;
	struct run_event event = { .cell = turn->cell, .iteration = turn->iteration };

	if (ledger_check(run->ledger, err))
		return err->code;
	tell(run, &event);
	return 0;
}

static int keep_guest_turn(const struct local_turn *turn, struct local_result *result,
			   void *data, struct err *err)
{
	struct run *run = data;
	size_t idx = (size_t)(turn->cell - run->plan->cells);
	bool is_warmup = !turn->block;
	uint32_t *state = stock_state(&run->stock, idx, is_warmup, turn->iteration);
	/* A guest warms up at each start, and the first time only was to be done. */
	bool was_missing = stock_is_missing(&run->stock, idx, is_warmup, turn->iteration);
	struct run_event event = {
		.cell = turn->cell,
		.is_warmup = is_warmup,
		.iteration = turn->iteration,
	};

	result->record.seq = run->seq + 1;
	if (keep_record(run, *state, &result->record))
		return err->code;
	turn_note(state, &result->record);
	if (was_missing)
		end_turn(run, &event, &result->record);
	return 0;
}

static int run_guests(struct run *run)
{
	const struct guest_run guests = {
		.local = &run->local,
		.nr_iterations = run->length.most,
		.is_missing = is_guest_turn_missing,
		.on_boot = begin_guest,
		.on_turn = keep_guest_turn,
		.data = run,
	};

	return guest_run(&guests, run->err);
}

/* Whether nobody ran anything of the block: one that was begun is finished. */
static bool is_untouched(const struct run *run, uint64_t iteration)
{
	size_t i;

	for (i = 0; i < run->plan->nr_cells; i++) {
		if (run->stock.is_wanted[i] &&
		    *stock_state(&run->stock, i, false, iteration) & TURN_ATTEMPTS)
			return false;
	}
	return true;
}

/* Between two blocks; @ret_stop: whether the run is over. */
static int look_at_precision(struct run *run, uint64_t nr_blocks, bool *ret_stop)
{
	const struct until_state state = {
		nr_blocks,
		run->stock.spent_ns + clock_ns() - run->start_ns,
	};
	char *note;

	if (until_run_look(&run->until, &state, ret_stop, &note, run->err))
		return run->err->code;
	return note ? tell_note(run, note) : 0;
}

/* Also behind the last block: then the run is over in any case. */
static int run_iterations(struct run *run, size_t *order)
{
	uint64_t last = run->length.most;
	bool is_over = false;
	uint64_t i;
	int bad = 0;

	for (i = 1; !bad && !run->watch.signal; i++) {
		if (run->length.is_open && (i > last || is_untouched(run, i)))
			bad = look_at_precision(run, i - 1, &is_over);
		if (bad || is_over || i > last)
			break;
		bad = run_block(run, order, false, i);
	}
	return bad;
}

static int run_blocks(struct run *run)
{
	size_t *order = calloc(run->plan->nr_cells, sizeof(*order));
	uint64_t i;
	int bad = order ? 0 : err_nomem(run->err);

	for (i = 1; !bad && !run->watch.signal && i <= run->plan->grid->warmup; i++)
		bad = run_block(run, order, true, i);
	if (!bad)
		bad = run_iterations(run, order);
	if (!bad && run->plan->guest)
		bad = run_guests(run);
	free(order);
	return bad;
}

/* What perf can count here, into local; nothing to do without it. */
static int open_perf(struct run *run, struct err *unfit)
{
	const struct plan *plan = run->plan;
	struct local *local = &run->local;
	char *note = NULL;
	int bad;

	if (!plan->grid->monitors.nr_events || !plan->tools.perf.path)
		return 0;
	bad = monitor_probe(&plan->grid->monitors, &plan->tools, &run->watch,
			    &local->monitors, &note, unfit);
	if (bad == -EOPNOTSUPP) {
		local->monitor_unfit = unfit->text;
		return 0;
	}
	if (bad == -EINTR)
		return 0;
	if (bad)
		return err_set(run->err, bad, "%s", unfit->text);
	return note ? tell_note(run, note) : 0;
}

/* Likewise what records placements; guests do it by themselves. */
static int open_placement(struct run *run, struct err *unfit)
{
	struct local *local = &run->local;
	struct err why = { 0 };

	local->monitors.has_placement = run->plan->grid->monitors.has_placement;
	if (!local->monitors.has_placement || run->plan->guest || local->monitor_unfit)
		return 0;
	if (placement_trace_open(&local->trace, &why) == -ENOMEM)
		return err_nomem(run->err);
	if (why.code) {
		err_set(unfit, why.code, "monitor placement: %s", why.text);
		local->monitor_unfit = unfit->text;
	}
	return 0;
}

static int open_monitors(struct run *run, struct err *unfit)
{
	struct local *local = &run->local;
	int bad = open_perf(run, unfit);

	if (!bad)
		bad = open_placement(run, unfit);
	local->monitors.has_schedstat = run->plan->grid->monitors.has_schedstat;
	if (!bad && local->monitors.has_schedstat && !run->plan->guest &&
	    !local->monitor_unfit && schedstat_check(unfit))
		local->monitor_unfit = unfit->text;
	if (bad || !monitors_any(&local->monitors))
		return bad;
	local->monitor_name = monitor_text(&local->monitors);
	return local->monitor_name ? 0 : err_nomem(run->err);
}

/* This machine as it was, whatever a crash left. */
static int open_settings(struct run *run)
{
	char *note = NULL;
	int bad = settings_open(&run->local, &run->settings, &note, run->err);

	if (note)
		(void)tell_note(run, note);
	return bad;
}

static int carry_out(struct run *run)
{
	struct local *local = &run->local;
	struct err unfit = { 0 };
	int bad = proc_watch_open(&run->watch, run->err);

	if (bad)
		return bad;
	*local = (struct local){
		.plan = run->plan,
		.dir = run->options->dir,
		.boot = run->boot,
		.watch = &run->watch,
		.services = services_new(run->plan, &run->watch),
		.checked_ns = calloc(run->plan->nr_cells, sizeof(*local->checked_ns)),
	};
	bad = local->checked_ns && local->services
		      ? guard_open("", &local->guard, run->err)
		      : err_nomem(run->err);
	run->until = (struct until_run){
		.plan = run->plan,
		.dir = run->options->dir,
		.is_part = run->options->only,
		.measure = run->options->measure,
		.data = run->options->measure_data,
	};
	run->start_ns = clock_ns();
	if (!bad)
		bad = open_settings(run);
	if (!bad)
		bad = open_monitors(run, &unfit);
	if (!bad)
		bad = run_blocks(run);
	if (settings_close(&run->settings, run->err) && !bad)
		bad = run->err->code;
	/* Also what was there when the last record had been written. */
	if (!bad)
		bad = ledger_check(run->ledger, run->err);
	run->summary->signal = run->watch.signal;
	services_free(local->services);
	guard_close(local->guard);
	free(local->checked_ns);
	free((void *)(uintptr_t)local->monitor_name);
	placement_trace_close(local->trace);
	monitors_release(&local->monitors);
	proc_watch_close(&run->watch);
	return bad;
}

/* What is there, from the ledger; a preview may be of a run that hasn't begun. */
static int take_stock(struct run *run)
{
	struct err why = { 0 };
	int bad = stock_take(&run->stock, ledger_dir(run), &run->length, &why);

	if (bad && (bad != -ENOENT || run->ledger))
		return err_set(run->err, bad, "%s", why.text);
	run->seq = run->stock.seq;
	count_turns(run);
	return 0;
}

static int tell_repeats(const struct run *run)
{
	if (!run->stock.nr_repeated)
		return 0;
	return tell_note(run,
			 file_path("%ju lines of %s/records.jsonl are there twice; "
				   "each counts once",
				   (uintmax_t)run->stock.nr_repeated, run->options->dir));
}

/* Output without records: somebody lost the ledger, or a crash its first record. */
static int tell_lost_records(const struct run *run)
{
	const char *dir = run->options->dir;
	bool has_output;

	if (run->stock.nr_records || run->options->part)
		return 0;
	if (rundir_has_output(dir, &has_output, run->err))
		return run->err->code;
	if (!has_output)
		return 0;
	return tell_note(run,
			 file_path("%s/records.jsonl has no record, but %s/raw has "
				   "output of earlier iterations; it stays, and they "
				   "run again",
				   dir, dir));
}

static int lock_ledger(struct run *run)
{
	const char *dir = ledger_dir(run);
	char *torn = NULL;
	char *note;

	if (ledger_open(dir, &run->ledger, &torn, run->err))
		return run->err->code;
	if (!torn)
		return 0;
	note = file_path("the last line of %s/records.jsonl was torn; it was moved to %s "
			 "and its iteration runs again",
			 dir, torn);
	free(torn);
	return tell_note(run, note);
}

/* What is refused here changes nothing. */
static int look(struct run *run, const struct rundir_more *more)
{
	const char *dir = run->options->dir;
	struct err why = { 0 };
	int bad;

	if (rundir_check(dir, run->err) ||
	    rundir_look(dir, run->plan, more, &run->length, run->err))
		return run->err->code;
	bad = host_find(run->plan->host, dir, &run->boot, &why);
	run->stock.boot = run->boot;
	return bad && bad != -ENOENT ? err_set(run->err, bad, "%s", why.text) : 0;
}

/* What --more adds goes to the cells that --only chooses. */
static struct rundir_more more_of(const struct run *run)
{
	bool is_all = run->stock.nr_wanted == run->plan->nr_cells;

	return (struct rundir_more){
		run->options->more,
		is_all ? NULL : run->stock.is_wanted,
	};
}

/* Another run may have added some, or ended it, before we had the lock. */
static int adopt(struct run *run, const struct rundir_more *more)
{
	const size_t nr_cells = run->plan->nr_cells;
	struct rundir_length looked = run->length;
	bool is_same;

	run->length = (struct rundir_length){ 0 };
	if (rundir_adopt(run->options->dir, run->plan, more, &run->length, run->err)) {
		rundir_length_release(&looked);
		return run->err->code;
	}
	is_same = looked.iterations == run->length.iterations &&
		  !memcmp(looked.extra, run->length.extra,
			  nr_cells * sizeof(*looked.extra));
	rundir_length_release(&looked);
	return is_same ? 0 : take_stock(run);
}

/*
 * All that may be refused comes before all that stays: --more would add its
 * iterations for good.
 */
static int open_run(struct run *run)
{
	const char *dir = run->options->dir;
	struct rundir_more more;

	if (stock_open(&run->stock, run->plan, run->options->only, run->err))
		return run->err->code;
	if (run->options->part)
		stock_choose(&run->stock, run->options->part);
	run->summary->nr_matched = run->stock.nr_wanted;
	more = more_of(run);
	if (look(run, &more) || file_make_dirs(dir, run->err) ||
	    file_make_dirs(ledger_dir(run), run->err) || lock_ledger(run) ||
	    take_stock(run) || tell_repeats(run) || tell_lost_records(run))
		return run->err->code;
	free(run->boot);
	run->stock.boot = run->boot = NULL;
	if (host_save(run->plan->host, dir, &run->boot, run->err))
		return run->err->code;
	run->stock.boot = run->boot;
	if (adopt(run, &more))
		return run->err->code;
	return run->length.stopped ? tell_note(run, file_path("stopped before: %s",
							      run->length.stopped))
				   : 0;
}

static void release(struct run *run)
{
	ledger_close(run->ledger);
	stock_release(&run->stock);
	rundir_length_release(&run->length);
	free(run->boot);
}

/* What this machine can't do at all stays skipped. */
static uint64_t count_to_run(const struct run *run, size_t cell)
{
	const struct stock *stock = &run->stock;

	if (!stock->is_wanted[cell])
		return RUN_NOT_WANTED;
	if (run->plan->cells[cell].unfit &&
	    *stock_state(stock, cell, false, 1) & TURN_SKIPPED)
		return 0;
	return stock_count(stock, cell);
}

int run_preview(const struct plan *plan, const struct run_options *options,
		uint64_t *ret_missing, struct err *err)
{
	struct err local = { 0 };
	struct run_summary summary = { 0 };
	struct run run = {
		.plan = plan,
		.options = options,
		.summary = &summary,
		.err = err ? err : &local,
	};
	struct rundir_more more;
	size_t i;
	int bad = stock_open(&run.stock, plan, options->only, run.err);

	if (!bad) {
		more = more_of(&run);
		bad = look(&run, &more);
	}
	if (!bad)
		bad = take_stock(&run);
	for (i = 0; !bad && i < plan->nr_cells; i++)
		ret_missing[i] = count_to_run(&run, i);
	release(&run);
	return bad;
}

int run_plan(const struct plan *plan, const struct run_options *options,
	     struct run_summary *ret, struct err *err)
{
	struct err local = { 0 };
	struct run run = {
		.plan = plan,
		.options = options,
		.summary = ret,
		.err = err ? err : &local,
	};
	int bad;

	*ret = (struct run_summary){ 0 };
	bad = options->allow_exec ? 0 : plan_check_commands(plan, run.err);
	if (!bad && plan->grid->slurm && !options->part)
		return slurm_run(plan, options, ret, run.err);
	if (!bad)
		bad = open_run(&run);
	if (!bad && (run.nr_todo || run.length.is_open))
		bad = carry_out(&run);
	release(&run);
	return bad;
}
