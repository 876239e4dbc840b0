/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command lines of sysbench for each test, as versions 1.0 and 0.4 take them. */
#ifndef BENCHMARKS_SYSBENCH_COMMAND_H
#define BENCHMARKS_SYSBENCH_COMMAND_H

#include <stdbool.h>

#include "benchmarks/bench.h"

/**
 * enum sysbench_test - what sysbench does, in the order of the choice's words
 * @SYSBENCH_CPU: looks for prime numbers
 * @SYSBENCH_THREADS: threads yield under locks that they share
 * @SYSBENCH_MUTEX: threads take many locks for moments
 * @SYSBENCH_OLTP: transactions of a database that only read
 */
enum sysbench_test { SYSBENCH_CPU, SYSBENCH_THREADS, SYSBENCH_MUTEX, SYSBENCH_OLTP };

/** sysbench_test - the test that @workload chose */
enum sysbench_test sysbench_test(const struct workload *workload);

/** sysbench_uses - whether the parameter called @name means something to @test */
bool sysbench_uses(enum sysbench_test test, const char *name);

/** sysbench_is_04 - whether the program that @workload names is of version 0.4 */
bool sysbench_is_04(const struct workload *workload);

/**
 * sysbench_command - a whole command line
 * @verb: "run", or "prepare" to fill the database; then nothing is said of
 *        threads, time and events
 *
 * Return: 0 or -ENOMEM.
 */
int sysbench_command(const struct workload *workload, const char *verb,
		     struct bench_command *command);

#endif
