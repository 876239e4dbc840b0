// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes the command lines of sysbench; see command.h. */
#include "benchmarks/sysbench/command.h"

#include <stdint.h>
#include <string.h>

#include "benchmarks/native.h"
#include "benchmarks/service.h"
#include "benchmarks/sysbench/databases.h"

enum {
	CPU = 1 << SYSBENCH_CPU,
	THREADS = 1 << SYSBENCH_THREADS,
	MUTEX = 1 << SYSBENCH_MUTEX,
	OLTP = 1 << SYSBENCH_OLTP,
	TIMED = CPU | THREADS | OLTP,
};

/*
 * What becomes of a parameter: the option of either version, and the tests that
 * have it. A test of time has no number of events and the other way round; each
 * is said, since 0 stands for no limit and the defaults are others.
 */
static const struct option {
	const char *param, *option, *option_04;
	unsigned int tests;
	bool is_extent;
} options[] = {
	{ "threads", "threads", "num-threads", TIMED | MUTEX, true },
	{ "seconds", "time", "max-time", TIMED, true },
	{ "events", "events", "max-requests", TIMED, true },
	{ "max_prime", "cpu-max-prime", "cpu-max-prime", CPU, false },
	{ "locks", "thread-locks", "thread-locks", THREADS, false },
	{ "yields", "thread-yields", "thread-yields", THREADS, false },
	{ "mutexes", "mutex-num", "mutex-num", MUTEX, false },
	{ "mutex_locks", "mutex-locks", "mutex-locks", MUTEX, false },
	{ "mutex_loops", "mutex-loops", "mutex-loops", MUTEX, false },
	{ "rows", "table-size", "oltp-table-size", OLTP, false },
};

enum { NR_OPTIONS = sizeof(options) / sizeof(options[0]) };

enum sysbench_test sysbench_test(const struct workload *workload)
{
	/* The first of the choices. */
	return (enum sysbench_test)workload->choice[0];
}

bool sysbench_uses(enum sysbench_test test, const char *name)
{
	size_t i;

	for (i = 0; i < NR_OPTIONS; i++)
		if (!strcmp(options[i].param, name))
			return options[i].tests & 1U << test;
	return false;
}

bool sysbench_is_04(const struct workload *workload)
{
	return !strcmp(workload->program->name, SYSBENCH_04);
}

static int add_test(const struct workload *workload, bool is_04,
		    struct bench_command *command)
{
	static const char *const names[] = { "cpu", "threads", "mutex",
					     "oltp_read_only" };
	enum sysbench_test test = sysbench_test(workload);
	int bad;

	if (!is_04)
		return bench_arg(command, "%s", names[test]);
	if (test != SYSBENCH_OLTP)
		return bench_arg(command, "--test=%s", names[test]);
	bad = bench_arg(command, "--test=oltp");
	return bad ? bad : bench_arg(command, "--oltp-read-only=on");
}

static int add_option(const struct workload *workload, const struct option *option,
		      bool is_04, struct bench_command *command)
{
	uint64_t value = workload_uint(workload, option->param);

	if (!strcmp(option->param, "seconds") && workload_uint(workload, "events"))
		value = 0;
	return bench_arg(command, "--%s=%ju", is_04 ? option->option_04 : option->option,
			 (uintmax_t)value);
}

int sysbench_command(const struct workload *workload, const char *verb,
		     struct bench_command *command)
{
	enum sysbench_test test = sysbench_test(workload);
	bool is_04 = sysbench_is_04(workload);
	bool is_run = !strcmp(verb, "run");
	int bad = bench_arg(command, "sysbench");
	size_t i;

	if (!bad)
		bad = add_test(workload, is_04, command);
	if (!bad && test == SYSBENCH_OLTP)
		bad = sysbench_add_database(workload, command);
	for (i = 0; !bad && i < NR_OPTIONS; i++)
		if (options[i].tests & 1U << test && (is_run || !options[i].is_extent))
			bad = add_option(workload, &options[i], is_04, command);
	return bad ? bad : bench_arg(command, "%s", verb);
}
