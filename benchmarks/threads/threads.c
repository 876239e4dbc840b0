// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * threads: threads that take the next lock of a few for each event and yield the
 * CPU while they hold it, by our own program or by `sysbench threads`, which
 * does the same.
 *
 * Sensitive to sched_yield(), to the futex calls of a contended lock, and to
 * whether threads that wait for one another share a CPU. A poor test of
 * latency, of placement at fork, and of any program that doesn't yield: few do.
 */
#include <errno.h>
#include <math.h>
#include <stdint.h>

#include "benchmarks/all.h"
#include "benchmarks/native.h"
#include "benchmarks/threads/limits.h"
#include "benchmarks/threads/sysbench.h"
#include "lib/err.h"
#include "lib/json.h"

enum { THREAD_BYTES = 64 << 10 /* what a thread touches, in the kernel too */ };

static const struct bench_choice choices[] = {
	{ 0 },
};

static const struct bench_param params[] = {
	{
		.name = "threads",
		.min = 1,
		.max = THREADS_MAX_THREADS,
		.number = 2,
		.help = "threads that share the locks",
	},
	{
		.name = "locks",
		.min = 1,
		.max = THREADS_MAX_LOCKS,
		.number = 8,
		.help = "mutexes; each event has the next of them",
	},
	{
		.name = "yields",
		.min = 1,
		.max = THREADS_MAX_YIELDS,
		.number = 1000,
		.help = "passes of an event: lock, sched_yield, unlock",
	},
	{
		.name = "seconds",
		.min = 1,
		.max = THREADS_MAX_SECONDS,
		.number = 5,
		.unit = "s",
		.help = "time in which a thread begins events",
	},
	{ 0 },
};

static const struct bench_metric metrics[] = {
	{
		.name = "rate",
		.unit = "events/s",
		.better = BETTER_HIGHER,
		.resolution = 1e-6,
		.help = "events of all threads by the time until the last has ended",
	},
	{
		.name = "latency",
		.unit = "ms",
		.better = BETTER_LOWER,
		.resolution = 1e-6,
		.secondary = true,
		.help = "mean time of an event",
	},
	{ 0 },
};

static void needs(const struct workload *workload, struct bench_needs *needs)
{
	uint64_t threads = workload_uint(workload, "threads");

	needs->fds = 16;
	needs->tasks = threads + 1;
	needs->threads = threads;
	needs->memory = (1 << 20) + threads * THREAD_BYTES;
}

static int check_time(const struct workload *workload, const struct jval *result,
		      uint64_t events, double rate, struct err *err)
{
	uint64_t seconds = workload_uint(workload, "seconds");
	double elapsed, expected;

	if (!jval_real(jval_get(result, "elapsed"), &elapsed) ||
	    elapsed < (double)seconds)
		return err_set(err, -EPROTO,
			       "'elapsed' must be at least the %ju seconds "
			       "asked for",
			       (uintmax_t)seconds);
	expected = (double)events / elapsed;
	if (!(fabs(expected - rate) <= 1e-5 + 1e-6 * expected))
		return err_set(err, -EPROTO,
			       "%ju events in %g s and a rate of %g don't go together",
			       (uintmax_t)events, elapsed, rate);
	return 0;
}

/* In turn: no lock had two events more than another. */
static int check_turns(const struct workload *workload, const struct jval *result,
		       uint64_t events, struct err *err)
{
	uint64_t yields = workload_uint(workload, "yields");
	uint64_t locks = workload_uint(workload, "locks");
	uint64_t fewest = events / locks * yields;
	uint64_t least, most;

	if (!jval_uint(jval_get(result, "least"), &least) ||
	    !jval_uint(jval_get(result, "most"), &most))
		return err_set(err, -EPROTO,
			       "the output doesn't say the least and most passes of a "
			       "lock");
	if (least == fewest && most == fewest + ((events % locks) ? yields : 0))
		return 0;
	return err_set(err, -EPROTO,
		       "a lock counted %ju to %ju passes, expected %ju events under "
		       "%ju locks in turn",
		       (uintmax_t)least, (uintmax_t)most, (uintmax_t)events,
		       (uintmax_t)locks);
}

static int check_proof(const struct workload *workload, const struct jval *result,
		       double rate, struct err *err)
{
	uint64_t yields = workload_uint(workload, "yields");
	uint64_t events, passes;

	if (!jval_uint(jval_get(result, "events"), &events) ||
	    !jval_uint(jval_get(result, "passes"), &passes))
		return err_set(err, -EPROTO,
			       "the output has no counts of events and passes");
	if (events < workload_uint(workload, "threads"))
		return err_set(err, -EPROTO,
			       "the program counted %ju events, expected one or more of "
			       "each thread",
			       (uintmax_t)events);
	if (passes % yields || passes / yields != events)
		return err_set(err, -EPROTO,
			       "the locks counted %ju passes, expected %ju for each of "
			       "%ju events",
			       (uintmax_t)passes, (uintmax_t)yields, (uintmax_t)events);
	if (check_turns(workload, result, events, err))
		return err->code;
	return check_time(workload, result, events, rate, err);
}

static int parse(const struct workload *workload, const char *out, size_t len,
		 struct bench_samples *samples, struct err *err)
{
	struct jval *result;
	int bad = bench_native_parse(workload, out, len, samples, &result, err);

	if (bad)
		return bad;
	bad = check_proof(workload, result, samples->sample[0].value, err);
	jval_free(result);
	return bad;
}

static const char *const version_args[] = { "--version", NULL };
/* One event more in a second, the shortest run; of the latency it yields none. */
static const double sysbench_resolution[] = { 1, 0.01 };

static const struct bench_program programs[] = {
	{ .name = "native", .plan = bench_native_plan, .parse = parse },
	{
		.name = "sysbench",
		.command = "sysbench",
		.package = "sysbench",
		.version_args = version_args,
		.resolution = sysbench_resolution,
		.plan = sysbench_plan,
		.parse = sysbench_parse,
	},
	{ 0 },
};

const struct bench_ops threads_ops = {
	.name = "threads",
	.summary = "threads yielding the CPU under locks that they share",
	.axis = "threads",
	.choices = choices,
	.params = params,
	.metrics = metrics,
	.programs = programs,
	.model = &threads_model,
	.needs = needs,
};
