/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Guests as a plan sees them: the kernel of each column, the emulator, and
 * the machine that it emulates. Reads images and starts no guest.
 */
#ifndef RUNNER_GUEST_H
#define RUNNER_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/guest_image.h"
#include "runner/program.h"

struct bench_command;
struct err;
struct grid;
struct jval;
struct topo;

/**
 * struct guest - what boots the columns of a grid
 * @grid: lent
 * @topo: the emulated machine
 * @kernels: of each column of the grid
 * @nr_kernels: how many
 * @qemu: the emulator; its path is NULL when it isn't installed
 * @init: path of the program that is a guest's first process
 * @is_emulated: TCG and not KVM: time is no evidence
 * @unfit: why no guest can be started here, NULL when it can
 */
struct guest {
	const struct grid *grid;
	struct topo *topo;
	struct guest_image *kernels;
	size_t nr_kernels;
	struct program qemu;
	char *init;
	bool is_emulated;
	char *unfit;
};

/**
 * guest_open - find kernels and emulator of a grid whose executor is guest
 * @grid: lent, must outlive the guest
 * @ret: to be freed by guest_free(); written on success only
 * @err: with the grid's file:line:column for an image that can't be used
 *
 * Return: 0, -EINVAL for what the grid says, or another negative errno.
 */
int guest_open(const struct grid *grid, struct guest **ret, struct err *err);

/** guest_free - NULL is fine */
void guest_free(struct guest *guest);

/** guest_kernel - what identifies a column's kernel, a new object; NULL: no memory */
struct jval *guest_kernel(const struct guest *guest, size_t column);

/**
 * guest_settings - what else of the guest determines a column's figures
 *
 * Machine, accelerator, mode, version of the emulator, the command line asked for.
 *
 * Return: new object; NULL: out of memory.
 */
struct jval *guest_settings(const struct guest *guest, size_t column);

/** guest_json - machine, emulator and boots, for the plan; NULL: out of memory */
struct jval *guest_json(const struct guest *guest);

/**
 * guest_check - whether a program's cells can run in these guests
 * @program: after guest_use_program()
 * @err: says why not
 *
 * Return: 0 or -EOPNOTSUPP.
 */
int guest_check(const struct guest *guest, const struct program *program,
		struct err *err);

/**
 * guest_use_program - have a program's build for guests take its place
 * @program: as found for this machine; path and digest become those of the other
 * @err: says why there is none
 *
 * Guests have no libraries, so they run programs that are linked statically. What isn't
 * there so, as the programs of others, stays as it is, see guest_check().
 *
 * Return: 0, or the negative errno of reading.
 */
int guest_use_program(struct program *program, struct err *err);

/**
 * guest_command - the emulator's command line for one boot of a column
 * @block: which boot of the column, from 1
 * @command: empty; filled on success, to be released by the caller
 *
 * It is started in a directory that has initrd.cpio and gets console.log and
 * guest.jsonl.
 *
 * Return: 0 or -ENOMEM.
 */
int guest_command(const struct guest *guest, size_t column, uint64_t block,
		  struct bench_command *command);

/** guest_seed - of the emulator's random numbers in one boot, the same for all columns */
uint64_t guest_seed(const struct guest *guest, uint64_t block);

/**
 * guest_offset_ns - how long a guest waits before its first turn, by the seed
 *
 * Only in deterministic mode, where all boots would be the same otherwise: up to
 * 20 ms, a few ticks of any kernel. 0 in the other mode.
 */
uint64_t guest_offset_ns(const struct guest *guest, uint64_t block);

#endif
