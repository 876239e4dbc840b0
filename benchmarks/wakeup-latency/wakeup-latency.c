// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wakeup-latency: messagers wake workers through futexes, and the time from the
 * start of waking until a worker runs is counted.
 *
 * Sensitive to where a wakee is put (an idle CPU that must wake, a busy one),
 * to preemption at wakeup once workers outnumber CPUs, and to how many a
 * messager wakes in a row. A poor test of throughput and of load balancing:
 * requests are short and no task runs for long.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "benchmarks/all.h"
#include "benchmarks/native.h"
#include "benchmarks/wakeup-latency/histogram.h"
#include "benchmarks/wakeup-latency/limits.h"
#include "lib/err.h"
#include "lib/json.h"

enum { THREAD_BYTES = 64 << 10 /* what a thread touches, in the kernel too */ };

static const struct bench_choice choices[] = {
	{ 0 },
};

static const struct bench_param params[] = {
	{
		.name = "messagers",
		.min = 1,
		.max = WAKEUP_LATENCY_MAX_MESSAGERS,
		.number = 1,
		.help = "threads that wake workers",
	},
	{
		.name = "workers",
		.min = 1,
		.max = WAKEUP_LATENCY_MAX_WORKERS,
		.number = 2,
		.help = "threads that each messager wakes",
	},
	{
		.name = "seconds",
		.min = 1,
		.max = WAKEUP_LATENCY_MAX_SECONDS,
		.number = 5,
		.unit = "s",
		.help = "time in which wakeups are counted",
	},
	{ 0 },
};

#define PERCENTILE(percent)                                                      \
	{                                                                        \
		.name = "p" percent, .unit = "us", .better = BETTER_LOWER,       \
		.resolution = 1e-3,                                              \
		.help = percent "th percentile (nearest rank) of the time from " \
				"the start of waking until the worker runs, in " \
				"steps of 0.2 %",                                \
	}

static const struct bench_metric metrics[] = {
	PERCENTILE("99"),
	PERCENTILE("50"),
	PERCENTILE("90"),
	PERCENTILE("99.9"),
	{
		.name = "rate",
		.unit = "requests/s",
		.better = BETTER_HIGHER,
		.resolution = 1e-6,
		.secondary = true,
		.help = "requests that all workers served, by the seconds asked for",
	},
	{ 0 },
};

static uint64_t nr_workers(const struct workload *workload)
{
	return workload_uint(workload, "messagers") * workload_uint(workload, "workers");
}

static void needs(const struct workload *workload, struct bench_needs *needs)
{
	uint64_t workers = nr_workers(workload);

	needs->fds = 8;
	needs->threads = workload_uint(workload, "messagers") + workers;
	needs->tasks = needs->threads + 1;
	needs->memory = (1 << 20) + needs->tasks * THREAD_BYTES +
			workers * sizeof(struct histogram);
}

/* A worker's last request may end too late to be counted, its wakeup not. */
static int check_counts(const struct workload *workload, const struct jval *result,
			uint64_t *requests, struct err *err)
{
	uint64_t wakeups;

	if (!jval_uint(jval_get(result, "wakeups"), &wakeups) ||
	    !jval_uint(jval_get(result, "requests"), requests))
		return err_set(err, -EPROTO,
			       "the output has no counts of wakeups and requests");
	if (wakeups < *requests || wakeups - *requests > nr_workers(workload))
		return err_set(err, -EPROTO,
			       "%ju wakeups and %ju requests of %ju workers don't go "
			       "together",
			       (uintmax_t)wakeups, (uintmax_t)*requests,
			       (uintmax_t)nr_workers(workload));
	return 0;
}

static int check_values(const struct workload *workload, uint64_t requests,
			const struct bench_samples *samples, struct err *err)
{
	const struct bench_sample *sample = samples->sample;
	double seconds = (double)workload_uint(workload, "seconds");
	double off = sample[4].value - (double)requests / seconds;

	if (sample[1].value > sample[2].value || sample[2].value > sample[0].value ||
	    sample[0].value > sample[3].value)
		return err_set(err, -EPROTO,
			       "the percentiles fall: p50 %g, p90 %g, p99 %g, p99.9 %g",
			       sample[1].value, sample[2].value, sample[0].value,
			       sample[3].value);
	if (!(off > -1e-5 && off < 1e-5))
		return err_set(err, -EPROTO,
			       "%ju requests in %g s and a rate of %g don't go together",
			       (uintmax_t)requests, seconds, sample[4].value);
	return 0;
}

static int parse(const struct workload *workload, const char *out, size_t len,
		 struct bench_samples *samples, struct err *err)
{
	struct jval *result;
	uint64_t requests = 0;
	int bad = bench_native_parse(workload, out, len, samples, &result, err);

	if (bad)
		return bad;
	bad = check_counts(workload, result, &requests, err);
	if (!bad)
		bad = check_values(workload, requests, samples, err);
	jval_free(result);
	return bad;
}

static const struct bench_program programs[] = {
	{ .name = "native", .plan = bench_native_plan, .parse = parse },
	{ 0 },
};

const struct bench_ops wakeup_latency_ops = {
	.name = "wakeup-latency",
	.summary = "how long workers wait to run once woken",
	.axis = "workers",
	.choices = choices,
	.params = params,
	.metrics = metrics,
	.programs = programs,
	.model = &wakeup_latency_model,
	.needs = needs,
};
