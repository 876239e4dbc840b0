// SPDX-License-Identifier: GPL-2.0-or-later
/* Holds a ledger against a plan; see stock.h. */
#include "runner/stock.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "record/host.h"
#include "record/ledger.h"
#include "record/record.h"
#include "runner/plan.h"
#include "runner/run.h"
#include "runner/rundir.h"
#include "runner/select.h"
#include "runner/turn.h"

/* struct reading - a ledger while it is read: where each cell is, by its id */
struct reading {
	struct stock *stock;
	struct hsearch_data by_id;
};

int stock_open(struct stock *stock, const struct plan *plan, const char *only,
	       struct err *err)
{
	size_t i;

	*stock = (struct stock){
		.plan = plan,
		.is_wanted = calloc(plan->nr_cells, sizeof(*stock->is_wanted)),
	};
	if (!stock->is_wanted)
		return err_nomem(err);
	for (i = 0; i < plan->nr_cells; i++) {
		stock->is_wanted[i] =
			!only || select_cell(&plan->cells[i], plan->grid, only);
		stock->nr_wanted += stock->is_wanted[i];
	}
	if (stock->nr_wanted)
		return 0;
	return err_set(err, -ENXIO,
		       "no cell matches '%s' (expected a column, workload, variant, "
		       "parameter=value or cell id, as `schedgrid plan` prints them)",
		       only ? only : "");
}

void stock_choose(struct stock *stock, const struct run_part *part)
{
	size_t i;

	stock->first = part->first;
	stock->last = part->last;
	stock->nr_wanted = 0;
	for (i = 0; i < stock->plan->nr_cells; i++) {
		const struct cell *cell = &stock->plan->cells[i];

		stock->is_wanted[i] &=
			cell->row == part->row && part->columns[cell->column];
		stock->nr_wanted += stock->is_wanted[i];
	}
}

uint32_t *stock_state(const struct stock *stock, size_t cell, bool is_warmup,
		      uint64_t iteration)
{
	uint64_t first = is_warmup ? 0 : stock->plan->grid->warmup;

	return &stock->state[cell * stock->nr_turns + first + iteration - 1];
}

uint64_t stock_iterations(const struct stock *stock, size_t cell)
{
	return stock->length->iterations + stock->length->extra[cell];
}

/* What warmed up before the machine was started again is cold by now. */
static bool is_cold(const struct stock *stock, const struct record *record)
{
	return record->flags & RECORD_WARMUP && !stock->plan->guest && stock->boot &&
	       record->boot && strcmp(record->boot, stock->boot) != 0;
}

static int note_record(const struct record *record, void *data, struct err *err)
{
	struct reading *reading = data;
	struct stock *stock = reading->stock;
	bool is_warmup = record->flags & RECORD_WARMUP;
	ENTRY wanted = { .key = (char *)(uintptr_t)record->cell };
	ENTRY *found = NULL;
	size_t cell = 0;
	uint64_t most = 0;

	stock->nr_records++;
	stock->spent_ns += record->reparsed.from ? 0 : record->wall_ns;
	stock->seq = record->seq > stock->seq ? record->seq : stock->seq;
	if (record->boot && host_check_boot(record->boot, err))
		return err->code;
	if (hsearch_r(wanted, FIND, &found, &reading->by_id)) {
		cell = (size_t)(uintptr_t)found->data;
		most = is_warmup ? stock->plan->grid->warmup
				 : stock_iterations(stock, cell);
	}
	if (!record->iteration || record->iteration > most)
		return err_set(err, -EPROTO, "record '%s' is not of this run's plan",
			       record->id);
	if (!is_cold(stock, record))
		turn_note(stock_state(stock, cell, is_warmup, record->iteration), record);
	return 0;
}

static int read_ledger(struct stock *stock, const char *dir, struct err *err)
{
	const struct plan *plan = stock->plan;
	struct reading reading = { .stock = stock };
	ENTRY *slot;
	size_t i;
	int bad = 0;

	if (!hcreate_r(2 * plan->nr_cells, &reading.by_id))
		return err_nomem(err);
	for (i = 0; !bad && i < plan->nr_cells; i++) {
		ENTRY entry = { plan->cells[i].id, (void *)(uintptr_t)i };

		if (!hsearch_r(entry, ENTER, &slot, &reading.by_id))
			bad = err_nomem(err);
	}
	if (!bad)
		bad = ledger_read_once(dir, note_record, &reading, &stock->nr_repeated,
				       err);
	hdestroy_r(&reading.by_id);
	return bad;
}

int stock_take(struct stock *stock, const char *dir, const struct rundir_length *length,
	       struct err *err)
{
	free(stock->state);
	stock->length = length;
	stock->nr_turns = stock->plan->grid->warmup + length->most;
	stock->state =
		calloc(stock->plan->nr_cells, stock->nr_turns * sizeof(*stock->state));
	stock->nr_records = stock->nr_repeated = stock->seq = stock->spent_ns = 0;
	return stock->state ? read_ledger(stock, dir, err) : err_nomem(err);
}

static bool is_waiting(const struct stock *stock, size_t cell, bool is_warmup,
		       uint64_t iteration)
{
	return turn_is_missing(*stock_state(stock, cell, is_warmup, iteration),
			       stock->plan->grid->quiet.repeat);
}

static bool is_looked_at(const struct stock *stock, uint64_t iteration)
{
	return !stock->last || (iteration >= stock->first && iteration <= stock->last);
}

bool stock_is_missing(const struct stock *stock, size_t cell, bool is_warmup,
		      uint64_t iteration)
{
	uint64_t nr = stock_iterations(stock, cell);
	uint64_t i = 1;

	if (!stock->is_wanted[cell] ||
	    (!is_warmup && (iteration > nr || !is_looked_at(stock, iteration))) ||
	    !is_waiting(stock, cell, is_warmup, iteration))
		return false;
	while (is_warmup && i <= nr &&
	       (!is_looked_at(stock, i) || !is_waiting(stock, cell, false, i)))
		i++;
	return i <= nr;
}

uint64_t stock_count(const struct stock *stock, size_t cell)
{
	uint64_t warmup = stock->plan->grid->warmup;
	uint64_t nr = 0;
	uint64_t i;

	for (i = 1; i <= warmup; i++)
		nr += stock_is_missing(stock, cell, true, i);
	for (i = 1; i <= stock_iterations(stock, cell); i++)
		nr += stock_is_missing(stock, cell, false, i);
	return nr;
}

uint64_t stock_count_failed(const struct stock *stock)
{
	size_t nr_states = stock->plan->nr_cells * stock->nr_turns;
	uint64_t nr = 0;
	size_t i;

	for (i = 0; i < nr_states; i++)
		nr += (stock->state[i] & TURN_FAILED) != 0;
	return nr;
}

void stock_release(struct stock *stock)
{
	free(stock->state);
	free(stock->is_wanted);
	*stock = (struct stock){ 0 };
}
