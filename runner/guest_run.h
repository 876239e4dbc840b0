/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The boots of a run: which guests to start in which order, and what each of
 * them is to do. Each block boots the kernel of every column once.
 */
#ifndef RUNNER_GUEST_RUN_H
#define RUNNER_GUEST_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "runner/guest_boot.h"

/**
 * struct guest_run - the boots of a run
 * @local: of the run, whose plan has guests
 * @nr_iterations: of each cell over all boots
 * @is_missing: whether a turn has still to be done, with the number of its next attempt
 * @on_boot: called before each boot with its first turn that counts
 * @on_turn: gets the record of each turn
 * @data: for all three
 */
struct guest_run {
	struct local *local;
	uint64_t nr_iterations;
	bool (*is_missing)(const struct local_turn *turn, uint64_t *ret_attempt,
			   void *data);
	int (*on_boot)(const struct local_turn *turn, void *data, struct err *err);
	guest_turn_fn *on_turn;
	void *data;
};

/**
 * guest_run - do all boots that have turns which are missing
 * @err: says why the run can't go on
 *
 * Warm-ups are done again at every boot. A signal ends it after the boot that it
 * ended; that is no error.
 *
 * Return: 0 or a negative errno.
 */
int guest_run(const struct guest_run *run, struct err *err);

#endif
