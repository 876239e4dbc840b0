/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The executor sim: one iteration of one cell in the simulator, as a record. */
#ifndef RUNNER_SIM_TURN_H
#define RUNNER_SIM_TURN_H

#include <stdint.h>

struct err;
struct grid;
struct local;
struct local_result;
struct local_turn;

/**
 * sim_seed - of the simulated runs of one iteration, the same for all of its cells
 * @grid: its seed
 * @iteration: from 1
 */
uint64_t sim_seed(const struct grid *grid, uint64_t iteration);

/**
 * sim_turn - simulate one iteration
 * @local: of the run, whose plan is simulated
 * @turn: which
 * @ret: receives the record, to be released by local_release()
 * @err: says why the run can't go on
 *
 * Times among the metrics are the model's; those of the record are of this machine.
 * Each iteration is a start of the column's kernel, whose facts it keeps if nobody did.
 *
 * Return: 0 or a negative errno.
 */
int sim_turn(const struct local *local, const struct local_turn *turn,
	     struct local_result *ret, struct err *err);

#endif
