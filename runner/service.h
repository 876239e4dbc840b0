/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The services of a run: servers that workloads declare (benchmarks/service.h).
 * Each is prepared when the first cell needs it and kept to the end of the run;
 * one at a time runs, on the CPUs of the cell that is about to run, and goes on
 * running while the next cells need the same one in the same way.
 */
#ifndef RUNNER_SERVICE_H
#define RUNNER_SERVICE_H

#include <stdbool.h>
#include <stddef.h>

struct bench_command;
struct cell;
struct err;
struct plan;
struct proc_watch;
struct services;

enum { SERVICE_REMARK_SIZE = 120 };

/**
 * services_new - none yet; removes what runs that were killed have left
 * @plan: lent
 * @watch: where signals arrive; lent
 *
 * Return: to be freed by services_free(); NULL: out of memory.
 */
struct services *services_new(const struct plan *plan, struct proc_watch *watch);

/** services_free - end the server and remove all directories; NULL is fine */
void services_free(struct services *services);

/** services_sweep - remove what runs of this user that were killed have left */
void services_sweep(void);

/**
 * services_provide - have the service of @cell, which has one, running
 * @remark: empty; receives what the record has to say of the page cache, if the
 *          service declares that it is to be dropped
 * @err: says what went wrong; then nothing of the service is left
 *
 * Return: 0, -EINTR when a signal stopped it, or another negative errno.
 */
int services_provide(struct services *services, const struct cell *cell,
		     char remark[SERVICE_REMARK_SIZE], struct err *err);

/**
 * services_fill - put the directory of the running service into a command
 *
 * Return: 0 or -ENOMEM.
 */
int services_fill(const struct services *services, struct bench_command *command);

/**
 * services_check - whether the server outlived an iteration
 * @is_suspected: the program failed, which it would if the server had died
 * @err: says how it ended; then nothing of it is left, and it is made anew
 *
 * Return: 0 or -EIO.
 */
int services_check(struct services *services, bool is_suspected, struct err *err);

/**
 * services_version - program and server in one text, so that records made with
 *                    another build of either are told apart
 * @text: receives such as "1.0.20 with postgresql 15.7 (sha256 0123456789ab)"
 * @size: bytes at @text
 */
void services_version(const struct plan *plan, const struct cell *cell, char *text,
		      size_t size);

#endif
