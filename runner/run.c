// SPDX-License-Identifier: GPL-2.0-or-later
/* Carries out a plan; see run.h. */
#include "runner/run.h"

#include <ctype.h>
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "lib/clock.h"
#include "lib/digest.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/proc.h"
#include "record/host.h"
#include "record/ledger.h"
#include "runner/guard.h"
#include "runner/guest_run.h"
#include "runner/local.h"
#include "runner/plan.h"
#include "runner/rundir.h"
#include "runner/select.h"
#include "runner/service.h"
#include "runner/turn.h"
#include "runner/until_run.h"

#define LEDGER_STANDS_NS (CLOCK_SEC / 10)

/**
 * struct run - one call of run_plan()
 * @nr_turns: warm-ups and iterations of each cell
 * @state: of each turn, warm-ups first, cell by cell
 * @is_wanted: whether the cell is one that --only selects
 * @nr_records: in the ledger
 * @nr_repeated: lines of the ledger that are there twice
 * @length: how long the run is to be
 * @spent_ns: that the iterations of earlier calls took
 * @until: the precision that ends it
 * @appended_ns: when a record was added last, clock_ns() time
 */
struct run {
	const struct plan *plan;
	const struct run_options *options;
	struct run_summary *summary;
	struct ledger *ledger;
	struct local local;
	struct proc_watch watch;
	char *boot;
	struct rundir_length length;
	uint64_t nr_turns, spent_ns;
	struct until_run until;
	uint32_t *state;
	bool *is_wanted;
	uint64_t nr_records, nr_repeated;
	uint64_t seq, nr_done, nr_todo, start_ns, appended_ns;
	struct hsearch_data by_id;
	struct err *err;
};

char *run_default_dir(const struct plan *plan)
{
	enum { NAME_MAX_SHOWN = 80, DIGITS = 8 };
	struct jval *json = plan_json(plan);
	char *text = json ? jval_write(json, JVAL_CANONICAL) : NULL;
	char *name = strndup(plan->grid->name, NAME_MAX_SHOWN);
	char hex[DIGEST_HEX + 1];
	char *dir = NULL;
	char *at;

	if (text && name) {
		digest_bytes(text, strlen(text), hex);
		for (at = name; *at; at++)
			if (!isalnum((unsigned char)*at) && !strchr("._+-", *at))
				*at = '_';
		/* No hidden directory, and nothing that looks like an option. */
		if (*name == '.' || *name == '-')
			*name = '_';
		dir = file_path("results/%s-%.*s", name, DIGITS, hex);
	}
	free(name);
	free(text);
	jval_free(json);
	return dir;
}

static void tell(const struct run *run, struct run_event *event)
{
	event->nr_iterations = run->length.iterations;
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

static uint32_t *turn_state(const struct run *run, size_t cell, bool is_warmup,
			    uint64_t iteration)
{
	uint64_t first = is_warmup ? 0 : run->plan->grid->warmup;

	return &run->state[cell * run->nr_turns + first + iteration - 1];
}

static bool is_missing(const struct run *run, uint32_t state)
{
	return turn_is_missing(state, run->plan->grid->quiet.repeat);
}

static int note_record(const struct record *record, void *data, struct err *err)
{
	struct run *run = data;
	bool is_warmup = record->flags & RECORD_WARMUP;
	uint64_t most = is_warmup ? run->plan->grid->warmup : run->length.iterations;
	ENTRY wanted = { .key = (char *)(uintptr_t)record->cell };
	ENTRY *found = NULL;

	run->nr_records++;
	run->spent_ns += record->reparsed.from ? 0 : record->wall_ns;
	run->seq = record->seq > run->seq ? record->seq : run->seq;
	if (record->boot && host_check_boot(record->boot, err))
		return err->code;
	if (!hsearch_r(wanted, FIND, &found, &run->by_id) || !record->iteration ||
	    record->iteration > most)
		return err_set(err, -EPROTO, "record '%s' is not of this run's plan",
			       record->id);
	turn_note(turn_state(run, (size_t)(uintptr_t)found->data, is_warmup,
			     record->iteration),
		  record);
	return 0;
}

static int read_ledger(struct run *run)
{
	struct err why = { 0 };
	const struct plan *plan = run->plan;
	ENTRY *slot;
	size_t i;
	int bad = 0;

	if (!hcreate_r(2 * plan->nr_cells, &run->by_id))
		return err_nomem(run->err);
	for (i = 0; !bad && i < plan->nr_cells; i++) {
		ENTRY entry = { plan->cells[i].id, (void *)(uintptr_t)i };

		if (!hsearch_r(entry, ENTER, &slot, &run->by_id))
			bad = err_set(&why, -ENOMEM, "out of memory");
	}
	if (!bad)
		bad = ledger_read_once(run->options->dir, note_record, run,
				       &run->nr_repeated, &why);
	hdestroy_r(&run->by_id);
	/* A preview of a run that hasn't begun. */
	if (bad == -ENOENT && !run->ledger)
		return 0;
	return bad ? err_set(run->err, bad, "%s", why.text) : 0;
}

static bool is_selected(const struct run *run, size_t idx)
{
	const struct plan *plan = run->plan;

	return !run->options->only ||
	       select_cell(&plan->cells[idx], plan->grid, run->options->only);
}

/* Known before anything is read or written: a pattern that is wrong costs nothing. */
static int check_pattern(const struct run *run)
{
	size_t i;

	for (i = 0; i < run->plan->nr_cells; i++)
		if (is_selected(run, i))
			return 0;
	return err_set(run->err, -ENXIO,
		       "no cell matches '%s' (expected a column, workload, variant, "
		       "parameter=value or cell id, as `schedgrid plan` prints them)",
		       run->options->only);
}

static void count_turns(struct run *run)
{
	size_t nr_turns = run->plan->nr_cells * run->nr_turns;
	size_t i;

	run->nr_todo = run->summary->nr_matched = run->summary->nr_failed_before = 0;
	for (i = 0; i < run->plan->nr_cells; i++) {
		run->is_wanted[i] = is_selected(run, i);
		run->summary->nr_matched += run->is_wanted[i];
	}
	for (i = 0; i < nr_turns; i++) {
		run->nr_todo += run->is_wanted[i / run->nr_turns] &&
				is_missing(run, run->state[i]);
		run->summary->nr_failed_before += (run->state[i] & TURN_FAILED) != 0;
	}
}

/*
 * A record of what came out; but what was skipped before and can't run now
 * either is only told, or every call would add a record that says the same.
 */
static int keep_record(struct run *run, uint32_t state, const struct record *record)
{
	if (record->status == RECORD_SKIPPED && state & TURN_SKIPPED)
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
	       is_missing(run, after);
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

static char *repeat_note(const struct record *record)
{
	return file_path("%s in %s, iteration %ju: %s; it runs again", record->variant,
			 record->column, (uintmax_t)record->iteration,
			 record->nr_remarks ? record->remarks[record->nr_remarks - 1]
					    : "it was interfered with");
}

static int run_turn(struct run *run, size_t idx, bool is_warmup, uint64_t iteration)
{
	uint32_t state = *turn_state(run, idx, is_warmup, iteration);
	struct local_turn turn = {
		.cell = &run->plan->cells[idx],
		.block = is_warmup ? 0 : iteration,
		.iteration = iteration,
		.attempt = (state & TURN_ATTEMPTS) + 1U,
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
	bad = local_run(&run->local, &turn, &result, run->err);
	if (bad)
		return bad;
	bad = keep_record(run, state, &result.record);
	if (!bad)
		turn_note(turn_state(run, idx, is_warmup, iteration), &result.record);
	if (!bad &&
	    is_repeated(run, state, *turn_state(run, idx, is_warmup, iteration))) {
		bad = tell_note(run, repeat_note(&result.record));
	} else if (!bad) {
		end_turn(run, &event, &result.record);
	}
	local_release(&result);
	return bad;
}

/* A turn, and again while others interfere and there are repeats left. */
static int run_turns(struct run *run, size_t idx, bool is_warmup, uint64_t iteration)
{
	const uint32_t *state = turn_state(run, idx, is_warmup, iteration);
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
		if (!run->is_wanted[order[i]] ||
		    (run->plan->guest && !run->plan->cells[order[i]].unfit) ||
		    !is_missing(run, *turn_state(run, order[i], is_warmup, iteration)))
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
	uint32_t state = *turn_state(run, idx, !turn->block, turn->iteration);

	*ret_attempt = (state & TURN_ATTEMPTS) + 1U;
	return run->is_wanted[idx] && is_missing(run, state);
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
	uint32_t *state = turn_state(run, idx, !turn->block, turn->iteration);
	uint32_t was = *state;
	struct run_event event = {
		.cell = turn->cell,
		.is_warmup = !turn->block,
		.iteration = turn->iteration,
	};

	result->record.seq = run->seq + 1;
	if (keep_record(run, was, &result->record))
		return err->code;
	turn_note(state, &result->record);
	/* A guest warms up at each start, and the first time only was to be done. */
	if (is_missing(run, was))
		end_turn(run, &event, &result->record);
	return 0;
}

static int run_guests(struct run *run)
{
	const struct guest_run guests = {
		.local = &run->local,
		.nr_iterations = run->length.iterations,
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
		if (run->is_wanted[i] &&
		    *turn_state(run, i, false, iteration) & TURN_ATTEMPTS)
			return false;
	}
	return true;
}

/* Between two blocks; @ret_stop: whether the run is over. */
static int look_at_precision(struct run *run, uint64_t nr_blocks, bool *ret_stop)
{
	const struct until_state state = {
		nr_blocks,
		run->spent_ns + clock_ns() - run->start_ns,
	};
	char *note;

	if (until_run_look(&run->until, &state, ret_stop, &note, run->err))
		return run->err->code;
	return note ? tell_note(run, note) : 0;
}

/* Also behind the last block: then the run is over in any case. */
static int run_iterations(struct run *run, size_t *order)
{
	uint64_t last = run->length.iterations;
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

/* What the monitors can count here, into local; nothing to do without them. */
static int open_monitors(struct run *run, struct err *unfit)
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
	local->monitor_name = monitor_text(&local->monitors);
	if (!local->monitor_name) {
		free(note);
		return err_nomem(run->err);
	}
	return note ? tell_note(run, note) : 0;
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
		bad = open_monitors(run, &unfit);
	if (!bad)
		bad = run_blocks(run);
	/* Also what was there when the last record had been written. */
	if (!bad)
		bad = ledger_check(run->ledger, run->err);
	run->summary->signal = run->watch.signal;
	services_free(local->services);
	guard_close(local->guard);
	free(local->checked_ns);
	free((void *)(uintptr_t)local->monitor_name);
	monitors_release(&local->monitors);
	proc_watch_close(&run->watch);
	return bad;
}

/* What is there and what is wanted, from the ledger and --only. */
static int take_stock(struct run *run)
{
	size_t nr_cells = run->plan->nr_cells;

	free(run->state);
	free(run->is_wanted);
	run->nr_records = run->spent_ns = 0;
	run->nr_turns = run->plan->grid->warmup + run->length.iterations;
	run->state = calloc(nr_cells, run->nr_turns * sizeof(*run->state));
	run->is_wanted = calloc(nr_cells, sizeof(*run->is_wanted));
	if (!run->state || !run->is_wanted)
		return err_nomem(run->err);
	if (read_ledger(run))
		return run->err->code;
	count_turns(run);
	return 0;
}

static int tell_repeats(const struct run *run)
{
	if (!run->nr_repeated)
		return 0;
	return tell_note(run, file_path("%ju lines of %s/records.jsonl are there twice; "
					"each counts once",
					(uintmax_t)run->nr_repeated, run->options->dir));
}

/* Output without records: somebody lost the ledger, or a crash its first record. */
static int tell_lost_records(const struct run *run)
{
	const char *dir = run->options->dir;
	bool has_output;

	if (run->nr_records)
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
	const char *dir = run->options->dir;
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

/*
 * All that may be refused comes before all that stays: --more would add its
 * iterations for good.
 */
static int open_run(struct run *run)
{
	const char *dir = run->options->dir;
	const struct plan *plan = run->plan;
	uint64_t more = run->options->more;
	uint64_t looked_at;

	if (check_pattern(run) || rundir_check(dir, run->err) ||
	    rundir_look(dir, plan, more, &run->length, run->err) ||
	    file_make_dirs(dir, run->err) || lock_ledger(run) || take_stock(run) ||
	    tell_repeats(run) || tell_lost_records(run) ||
	    host_save(plan->host, dir, &run->boot, run->err))
		return run->err->code;
	looked_at = run->length.iterations;
	free(run->length.stopped);
	run->length.stopped = NULL;
	if (rundir_adopt(dir, plan, more, &run->length, run->err))
		return run->err->code;
	/* Another run added some, or ended, before we had the lock. */
	if (run->length.iterations != looked_at && take_stock(run))
		return run->err->code;
	return run->length.stopped ? tell_note(run, file_path("stopped before: %s",
							      run->length.stopped))
				   : 0;
}

/* What this machine can't do at all stays skipped. */
static bool would_run(const struct run *run, size_t cell, uint64_t turn)
{
	uint32_t state = run->state[cell * run->nr_turns + turn];

	return is_missing(run, state) &&
	       !(run->plan->cells[cell].unfit && state & TURN_SKIPPED);
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
	uint64_t turn;
	size_t i;
	int bad;

	bad = check_pattern(&run);
	if (!bad)
		bad = rundir_check(options->dir, run.err);
	if (!bad)
		bad = rundir_look(options->dir, plan, options->more, &run.length,
				  run.err);
	if (!bad)
		bad = take_stock(&run);
	for (i = 0; !bad && i < plan->nr_cells; i++) {
		ret_missing[i] = run.is_wanted[i] ? 0 : RUN_NOT_WANTED;
		for (turn = 0; run.is_wanted[i] && turn < run.nr_turns; turn++)
			ret_missing[i] += would_run(&run, i, turn);
	}
	free(run.length.stopped);
	free(run.state);
	free(run.is_wanted);
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
	if (!bad)
		bad = open_run(&run);
	if (!bad && (run.nr_todo || run.length.is_open))
		bad = carry_out(&run);
	ledger_close(run.ledger);
	free(run.length.stopped);
	free(run.state);
	free(run.is_wanted);
	free(run.boot);
	return bad;
}
