/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the workloads share in writing commands and reading results: arguments,
 * samples, and the one form in which our own programs take and print both.
 */
#ifndef BENCHMARKS_NATIVE_H
#define BENCHMARKS_NATIVE_H

#include "benchmarks/bench.h"

struct err;
struct jval;

/**
 * bench_arg - add one argument to a command
 *
 * Return: 0 or -ENOMEM.
 */
int bench_arg(struct bench_command *command, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/** bench_is_threaded - whether the choice "task" is "thread" */
bool bench_is_threaded(const struct workload *workload);

/**
 * bench_sample_add - record @value for the metric called @name
 * @ops: whose metric it is
 * @samples: where it goes
 * @name: must be one of the ops' metrics
 * @value: in the metric's unit
 * @err: set when the value isn't a finite number above 0, or 0 where the metric
 *       can be zero, or is there already
 *
 * Return: 0 or -EPROTO.
 */
int bench_sample_add(const struct bench_ops *ops, struct bench_samples *samples,
		     const char *name, double value, struct err *err);

/**
 * bench_native_plan - the command line of one of our own programs
 *
 * argv is the workload's name, then each choice as "--key=word" and each
 * parameter as "--name=value", in the order declared; @iteration changes nothing.
 * Return: 0 or -ENOMEM.
 */
int bench_native_plan(const struct workload *workload, unsigned int iteration,
		      struct bench_command *command);

/**
 * bench_native_parse - read what one of our own programs printed
 * @workload: what was asked
 * @out: standard output: exactly one line, a JSON object
 * @len: bytes in @out
 * @samples: receives every metric of the ops, from the object's "metrics"; an
 *           optional one may be absent
 * @ret: receives the object for further checks, the caller's; may be NULL
 * @err: says what doesn't fit
 *
 * The object must have "program" (the workload's name), each choice and each
 * parameter with the value asked for: proof that the arguments were taken.
 *
 * Return: 0, -EPROTO or -ENOMEM.
 */
int bench_native_parse(const struct workload *workload, const char *out, size_t len,
		       struct bench_samples *samples, struct jval **ret, struct err *err);

/**
 * bench_native_count - check what a program says it has counted
 * @object: of bench_native_parse()
 * @name: of the count in it
 * @what: the words for it in a message
 * @expected: what it must be
 * @err: set when it is not, or isn't there
 *
 * Return: 0 or -EPROTO.
 */
int bench_native_count(const struct jval *object, const char *name, const char *what,
		       uint64_t expected, struct err *err);

#endif
