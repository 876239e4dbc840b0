// SPDX-License-Identifier: GPL-2.0-or-later
/* What attempts make of a turn; see turn.h. */
#include "runner/turn.h"

#include "record/ledger.h"
#include "record/record.h"
#include "runner/grid.h"

_Static_assert(GRID_MAX_REPEAT + 1 < 1 << 7, "interfered attempts must fit");
_Static_assert((int)LEDGER_MAX_ATTEMPT < (int)TURN_ATTEMPTS, "attempts must fit");

uint32_t turn_nr_interfered(uint32_t state)
{
	return state / TURN_ONE_INTERFERED;
}

bool turn_is_missing(uint32_t state, uint64_t repeat)
{
	return !(state & TURN_DONE) ||
	       (state & TURN_INTERFERED && turn_nr_interfered(state) <= repeat);
}

/* Warm-ups don't count anyway; and what was read again didn't run again. */
static void note_interference(uint32_t *state, const struct record *record)
{
	*state &= ~(uint32_t)TURN_INTERFERED;
	if (record->status != RECORD_OK || !(record->flags & RECORD_INTERFERED) ||
	    record->flags & RECORD_WARMUP)
		return;
	*state |= TURN_INTERFERED;
	if (!record->reparsed.from && turn_nr_interfered(*state) <= GRID_MAX_REPEAT)
		*state += TURN_ONE_INTERFERED;
}

void turn_note(uint32_t *state, const struct record *record)
{
	uint32_t was = *state;

	if (record->attempt >= (was & TURN_ATTEMPTS)) {
		*state = (was & ~(uint32_t)(TURN_ATTEMPTS | TURN_SKIPPED | TURN_FAILED)) |
			 (uint32_t)record->attempt;
		if (record->status == RECORD_SKIPPED)
			*state |= TURN_SKIPPED;
		if (record->status == RECORD_FAILED || record->status == RECORD_TIMEOUT)
			*state |= TURN_FAILED;
	}
	if (record->status != RECORD_OK && record->status != RECORD_FAILED &&
	    record->status != RECORD_TIMEOUT)
		return;
	*state |= TURN_DONE;
	note_interference(state, record);
}
