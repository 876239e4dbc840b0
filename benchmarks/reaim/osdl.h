/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The workload by an installed reaim, which our own program gives its workfile
 * and starts; and what it prints.
 */
#ifndef BENCHMARKS_REAIM_OSDL_H
#define BENCHMARKS_REAIM_OSDL_H

#include <stddef.h>
#include <stdint.h>

struct bench_command;
struct bench_ops;
struct bench_samples;
struct err;
struct workload;

/** osdl_check - 0, or -EINVAL for what it can't do: other sync modes, repeats */
int osdl_check(const struct workload *workload, struct err *err);

/** osdl_plan - plan() of it; 0 or -ENOMEM */
int osdl_plan(const struct workload *workload, unsigned int iteration,
	      struct bench_command *command);

/**
 * osdl_parse - parse() of it
 *
 * There must be one line of nine numbers. Its rate must be what the formula makes
 * of the users asked for, the jobs that the mix comes to, and its time.
 */
int osdl_parse(const struct workload *workload, const char *out, size_t len,
	       struct bench_samples *samples, struct err *err);

/**
 * typedef osdl_point_fn - called for each load point of an output
 * @users: how many
 * @samples: what its line says; lent
 * @data: as given to osdl_points()
 * @err: to be set on failure
 *
 * Return: 0, or a negative errno that ends the reading.
 */
typedef int osdl_point_fn(uint64_t users, const struct bench_samples *samples, void *data,
			  struct err *err);

/**
 * osdl_points - read what a reaim printed that somebody else started
 * @ops: of the workload
 * @out: NUL-terminated at @len; any number of lines of nine numbers
 * @len: bytes in @out
 * @fn: called for each line, in their order
 * @data: passed to @fn
 * @err: says what doesn't fit
 *
 * Its jobs aren't known: the rates of a line must agree with each other and with the
 * users, and the last line must name the best of them.
 *
 * Return: 0, -EPROTO, or what @fn returns.
 */
int osdl_points(const struct bench_ops *ops, const char *out, size_t len,
		osdl_point_fn *fn, void *data, struct err *err);

#endif
