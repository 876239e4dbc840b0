/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A turn: one iteration of one cell with all of its attempts, and what the records say of
 * them. It takes a number for each, since a run has millions of them.
 */
#ifndef RUNNER_TURN_H
#define RUNNER_TURN_H

#include <stdbool.h>
#include <stdint.h>

struct record;

/**
 * enum turn_state - bits of a turn's state; 0: nothing ran
 * @TURN_ATTEMPTS: number of the last attempt
 * @TURN_DONE: one of them stands
 * @TURN_SKIPPED: the last one was skipped
 * @TURN_FAILED: the last one failed
 * @TURN_INTERFERED: the one that stands was interfered with
 * @TURN_ONE_INTERFERED: from here on: how many attempts were
 */
enum turn_state {
	TURN_ATTEMPTS = 0xfffff,
	TURN_DONE = 1 << 20,
	TURN_SKIPPED = 1 << 21,
	TURN_FAILED = 1 << 22,
	TURN_INTERFERED = 1 << 23,
	TURN_ONE_INTERFERED = 1 << 24,
};

/** turn_nr_interfered - how many attempts were interfered with */
uint32_t turn_nr_interfered(uint32_t state);

/**
 * turn_is_missing - whether a turn waits for a record
 * @state: of the turn
 * @repeat: how often one that was interfered with is repeated
 *
 * For one that stands, or that others didn't interfere with while there are repeats left.
 * A limit that was in the way may be gone by now, so what was skipped is looked at again.
 */
bool turn_is_missing(uint32_t state, uint64_t repeat);

/**
 * turn_note - take an attempt into the state
 * @state: of its turn
 * @record: of the attempt
 *
 * An iteration stands unless the user, a limit or our own set-up was in its way.
 */
void turn_note(uint32_t *state, const struct record *record);

#endif
