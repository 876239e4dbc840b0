// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sysbench: the tests of that program, which has been used to judge schedulers
 * for long. cpu, threads and mutex need nothing else; oltp-read-only needs a
 * database, which the run prepares, starts and ends, see databases.c.
 *
 * Sensitive, with oltp-read-only, to where the wakee is put and to balancing:
 * each statement is a message to a server process and back. A poor test, with
 * cpu, of anything but how evenly the CPUs are shared.
 */
#include <errno.h>
#include <stdint.h>

#include "benchmarks/all.h"
#include "benchmarks/native.h"
#include "benchmarks/service.h"
#include "benchmarks/sysbench/command.h"
#include "benchmarks/sysbench/databases.h"
#include "benchmarks/sysbench/output.h"
#include "benchmarks/upstream.h"
#include "lib/err.h"

enum {
	MAX_THREADS = 4096,
	MAX_COUNT = 1000000000,
	DEFAULT_SECONDS = 10,
	THREAD_BYTES = 64 << 10, /* what a thread touches, in the kernel too */
	SERVER_THREAD_BYTES = 4 << 20,
	SERVER_BYTES = 256 << 20,
	ROW_BYTES = 250, /* with its indices */
};

static const char *const tests[] = { "cpu", "threads", "mutex", "oltp-read-only", NULL };
static const char *const databases[] = { "postgresql", "mariadb", NULL };

static const struct bench_choice choices[] = {
	{ "test", tests, false },
	{ "database", databases, true },
	{ 0 },
};

static const struct bench_param params[] = {
	{
		.name = "threads",
		.min = 1,
		.max = MAX_THREADS,
		.number = 1,
		.help = "threads that share the events",
	},
	{
		.name = "seconds",
		.min = 1,
		.max = 86400,
		.number = DEFAULT_SECONDS,
		.unit = "s",
		.help = "time in which a thread begins events; of no use with events",
	},
	{
		.name = "events",
		.max = MAX_COUNT,
		.help = "events to do, however long they take; 0: as many as fit",
	},
	{
		.name = "max_prime",
		.min = 3,
		.max = MAX_COUNT,
		.number = 10000,
		.help = "cpu: an event finds the primes up to it",
	},
	{
		.name = "locks",
		.min = 1,
		.max = 65536,
		.number = 8,
		.help = "threads: mutexes, taken one after the other",
	},
	{
		.name = "yields",
		.min = 1,
		.max = 1000000,
		.number = 1000,
		.help = "threads: passes of an event: lock, sched_yield, unlock",
	},
	{
		.name = "mutexes",
		.min = 1,
		.max = 1000000,
		.number = 4096,
		.help = "mutex: mutexes to choose from",
	},
	{
		.name = "mutex_locks",
		.min = 1,
		.max = MAX_COUNT,
		.number = 50000,
		.help = "mutex: locks that each thread takes",
	},
	{
		.name = "mutex_loops",
		.max = MAX_COUNT,
		.number = 10000,
		.help = "mutex: turns of an empty loop before each of them",
	},
	{
		.name = "rows",
		.min = 100,
		.max = 100000000,
		.number = 100000,
		.help = "oltp-read-only: rows of the table",
	},
	{ 0 },
};

static const struct bench_metric metrics[] = {
	{
		.name = "rate",
		.unit = "events/s",
		.better = BETTER_HIGHER,
		.resolution = 0.01,
		.help = "cpu and threads: events of all threads by the time",
	},
	{
		.name = "p95",
		.unit = "ms",
		.better = BETTER_LOWER,
		.resolution = 0.01,
		.help = "mutex: 95th percentile of the threads' times, in steps of 1.8 %",
	},
	{
		.name = "transactions",
		.unit = "trans/s",
		.better = BETTER_HIGHER,
		.resolution = 0.01,
		.help = "oltp-read-only: transactions of all threads by the time",
	},
	{
		.name = "requests",
		.unit = "requests/s",
		.better = BETTER_HIGHER,
		.resolution = 0.14,
		.unjudged = "it is transactions, 14 times",
		.help = "oltp-read-only: statements that read, 14 in a transaction",
	},
	{
		.name = "other",
		.unit = "ops/s",
		.better = BETTER_HIGHER,
		.resolution = 0.02,
		.unjudged = "it is transactions, twice",
		.help = "oltp-read-only: other operations, 2 in a transaction",
	},
	{
		.name = "latency",
		.unit = "ms",
		.better = BETTER_LOWER,
		.resolution = 0.01,
		.secondary = true,
		.help = "mean time of an event",
	},
	{
		.name = "time",
		.unit = "s",
		.better = BETTER_LOWER,
		.resolution = 1e-4,
		.secondary = true,
		.help = "mutex: time until the last thread has ended",
	},
	{ 0 },
};

static struct sysbench_ask asked_of(const struct workload *workload)
{
	struct sysbench_ask ask = { .threads = workload_uint(workload, "threads") };

	/* An event of mutex is all that a thread does. */
	if (sysbench_test(workload) == SYSBENCH_MUTEX)
		ask.events = ask.threads;
	else
		ask.events = workload_uint(workload, "events");
	if (!ask.events)
		ask.seconds = workload_uint(workload, "seconds");
	return ask;
}

static int add_rate(const struct workload *workload, const struct upstream *upstream,
		    const struct sysbench_result *result, struct bench_samples *samples)
{
	uintmax_t max_prime = workload_uint(workload, "max_prime");
	double rate;
	int bad;

	if (result->is_04)
		bad = upstream_says(upstream, "Maximum prime number checked", "",
				    "Maximum prime number checked in CPU test: %ju",
				    max_prime);
	else
		bad = upstream_says(upstream, "Prime numbers limit:", "",
				    "Prime numbers limit: %ju", max_prime);
	if (!bad)
		bad = sysbench_read_rate(upstream, result, &rate);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "rate", rate,
				       upstream->err);
	return bad;
}

static int add_queries(const struct workload *workload, const struct upstream *upstream,
		       const struct sysbench_result *result,
		       struct bench_samples *samples)
{
	const struct bench_ops *ops = workload->ops;
	struct sysbench_queries queries;
	int bad = sysbench_read_queries(upstream, result, &queries);
	double time;

	if (bad)
		return bad;
	bad = bench_sample_add(ops, samples, "transactions", queries.rate, upstream->err);
	if (bad)
		return bad;
	/* The time that the rate of transactions was printed by. */
	time = queries.transactions / queries.rate;
	bad = bench_sample_add(ops, samples, "requests", queries.reads / time,
			       upstream->err);
	if (!bad)
		bad = bench_sample_add(ops, samples, "other", queries.others / time,
				       upstream->err);
	return bad;
}

static int parse(const struct workload *workload, const char *out, size_t len,
		 struct bench_samples *samples, struct err *err)
{
	const struct upstream upstream = { out, len, err };
	const struct sysbench_ask ask = asked_of(workload);
	const struct bench_ops *ops = workload->ops;
	struct sysbench_result result;
	int bad = sysbench_read(&upstream, &ask, &result);

	if (bad)
		return bad;
	switch (sysbench_test(workload)) {
	case SYSBENCH_CPU:
		bad = add_rate(workload, &upstream, &result, samples);
		break;
	case SYSBENCH_THREADS:
		bad = bench_sample_add(ops, samples, "rate",
				       result.events / result.seconds, err);
		break;
	case SYSBENCH_MUTEX:
		bad = bench_sample_add(ops, samples, "p95", result.p95_ms, err);
		if (!bad)
			bad = bench_sample_add(ops, samples, "time", result.seconds, err);
		break;
	case SYSBENCH_OLTP:
		bad = add_queries(workload, &upstream, &result, samples);
		break;
	}
	return bad ? bad : bench_sample_add(ops, samples, "latency", result.mean_ms, err);
}

static int plan(const struct workload *workload, unsigned int iteration,
		struct bench_command *command)
{
	(void)iteration;
	return sysbench_command(workload, "run", command);
}

static bool uses(const struct workload *workload, const char *name)
{
	return sysbench_uses(sysbench_test(workload), name);
}

/* A value that nothing would come of must not stand in a record. */
static int check(const struct workload *workload, unsigned int nr_cpus, struct err *err)
{
	enum sysbench_test test = sysbench_test(workload);
	size_t i;

	(void)nr_cpus;
	for (i = 0; params[i].name; i++)
		if (workload->value[i].number != params[i].number &&
		    !sysbench_uses(test, params[i].name))
			return err_set(err, -EINVAL,
				       "parameter '%s' has no meaning for test '%s'",
				       params[i].name, tests[test]);
	if (workload->choice[1] && test != SYSBENCH_OLTP)
		return err_set(err, -EINVAL,
			       "database '%s' goes with test 'oltp-read-only' only",
			       databases[workload->choice[1]]);
	if (workload_uint(workload, "events") &&
	    workload_uint(workload, "seconds") != DEFAULT_SECONDS)
		return err_set(err, -EINVAL,
			       "'seconds' and 'events' never go together: either ends "
			       "the test");
	return 0;
}

static void needs(const struct workload *workload, struct bench_needs *needs)
{
	uint64_t threads = workload_uint(workload, "threads");

	needs->fds = 32;
	needs->tasks = threads + 1;
	needs->threads = threads;
	needs->memory = (16 << 20) + threads * THREAD_BYTES;
	if (sysbench_test(workload) != SYSBENCH_OLTP)
		return;
	needs->fds += threads;
	needs->tasks += threads + 32;
	needs->memory += SERVER_BYTES + threads * SERVER_THREAD_BYTES +
			 workload_uint(workload, "rows") * ROW_BYTES;
}

static const char *const version_args[] = { "--version", NULL };

static const struct bench_program programs[] = {
	{
		.name = "sysbench",
		.command = "sysbench",
		.package = "sysbench",
		.version_args = version_args,
		.versions = "1.0.",
		.plan = plan,
		.parse = parse,
	},
	{
		.name = SYSBENCH_04,
		.command = "sysbench",
		.package = "sysbench",
		.version_args = version_args,
		.versions = "0.4.",
		.plan = plan,
		.parse = parse,
	},
	{ 0 },
};

const struct bench_ops sysbench_ops = {
	.name = "sysbench",
	.summary = "sysbench's tests of CPUs, locks and transactions of a database",
	.axis = "threads",
	.choices = choices,
	.params = params,
	.metrics = metrics,
	.programs = programs,
	.model = &sysbench_model,
	.service = sysbench_service,
	.check = check,
	.uses = uses,
	.needs = needs,
};
