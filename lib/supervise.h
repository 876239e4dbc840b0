/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work done in a child under the eyes of its parent, so that nothing the work
 * started outlives it: also when the worker is killed by SIGKILL or crashes,
 * every process below it is found and ended. Should the supervisor be killed
 * instead, the worker gets SIGTERM and ends its tree itself.
 */
#ifndef LIB_SUPERVISE_H
#define LIB_SUPERVISE_H

struct err;

/**
 * struct supervise_result - how the worker ended
 * @status: as from wait()
 * @nr_ended: processes that the worker left and that were ended
 */
struct supervise_result {
	int status;
	unsigned int nr_ended;
};

/**
 * supervise - call @work in a child process and wait for it
 * @work: its return value is the child's exit status
 * @data: for @work
 * @ret: how it ended; written on success only
 * @err: says why it could not be started
 *
 * Signals that would end the caller meanwhile are passed on to the worker.
 * Children that the caller has already are left alone; it must have one thread.
 *
 * Return: 0 or a negative errno.
 */
int supervise(int (*work)(void *data), void *data, struct supervise_result *ret,
	      struct err *err);

#endif
