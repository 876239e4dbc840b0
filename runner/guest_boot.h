/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One boot of a column's kernel in a guest, with all turns that it is for:
 * what the guest gets, the emulator's run, and the records of what came out.
 * A turn has a record of samples only where the guest proved that it runs the
 * kernel and the machine that the column names.
 */
#ifndef RUNNER_GUEST_BOOT_H
#define RUNNER_GUEST_BOOT_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct guest;
struct local;
struct local_result;
struct local_turn;

/**
 * typedef guest_turn_fn - called with the record of each turn, in their order
 *
 * Return: 0, or the negative errno of @err to end the boot's turns.
 */
typedef int guest_turn_fn(const struct local_turn *turn, struct local_result *result,
			  void *data, struct err *err);

/**
 * struct guest_boot - a boot to be done
 * @local: of the run
 * @column: whose kernel
 * @block: which boot of it, from 1
 * @turns: all of @column; the attempt may grow where its output is there already
 * @nr_turns: at least 1
 * @on_turn: gets the records
 * @data: for @on_turn
 */
struct guest_boot {
	struct local *local;
	size_t column;
	uint64_t block;
	struct local_turn *turns;
	size_t nr_turns;
	guest_turn_fn *on_turn;
	void *data;
};

/**
 * guest_boot - boot once and make a record of every turn
 * @boot: what to do
 * @err: says why the run can't go on; whatever the guest did is in the records
 *
 * The emulator's folder is raw/guest/<boot>/ of the run: job.json, console.log,
 * guest.jsonl, its stdout and stderr; the guest's facts are in hosts/<boot>.json.
 *
 * Return: 0 or a negative errno.
 */
int guest_boot(const struct guest_boot *boot, struct err *err);

#endif
