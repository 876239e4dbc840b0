/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calling a function that may never come back, such as a match of a user's regular
 * expression: a process of its own does it, which is ended when its time is over or
 * the caller is to stop.
 */
#ifndef LIB_APART_H
#define LIB_APART_H

#include <stddef.h>
#include <stdint.h>

/** apart_fn - reads @arg and fills all of @ret; what else it changes is lost */
typedef void apart_fn(const void *arg, void *ret);

/**
 * apart_call - call @fn in a process of its own and wait for it
 * @fn: what to call; must leave signals alone and start nothing
 * @arg: for @fn
 * @ret: what it fills; written on success only
 * @size: bytes at @ret, at most PIPE_BUF
 * @timeout_ns: how long it may take
 *
 * The caller must have one thread. A signal to stop (SIGINT, SIGTERM, SIGHUP, SIGQUIT)
 * that the caller blocks ends the wait and stays pending, for whoever reads it.
 *
 * Return: 0; -ETIME when it took longer; -EINTR when a signal came; -EIO when the
 * process died; or another negative errno when it could not be started.
 */
int apart_call(apart_fn *fn, const void *arg, void *ret, size_t size,
	       uint64_t timeout_ns);

#endif
