// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Request and response over a network protocol: parameters, metrics, and what
 * the output of the programs must prove.
 */
#include "benchmarks/tcp-rr/rr.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>

#include "benchmarks/native.h"
#include "benchmarks/tcp-rr/limits.h"
#include "benchmarks/tcp-rr/netperf.h"
#include "lib/err.h"
#include "lib/json.h"

const struct bench_param rr_params[] = {
	{
		.name = "pairs",
		.min = 1,
		.max = RR_MAX_PAIRS,
		.number = 1,
		.help = "pairs of a client and a server process",
	},
	{
		.name = "seconds",
		.min = 1,
		.max = RR_MAX_SECONDS,
		.number = 10,
		.unit = "s",
		.help = "how long the clients go on",
	},
	{
		.name = "request",
		.min = 1,
		.max = RR_MAX_SIZE,
		.number = 1,
		.unit = "bytes",
		.help = "length of a request",
	},
	{
		.name = "response",
		.min = 1,
		.max = RR_MAX_SIZE,
		.number = 1,
		.unit = "bytes",
		.help = "length of a response",
	},
	{ 0 },
};

const struct bench_metric rr_metrics[] = {
	{
		.name = "rate",
		.unit = "trans/s",
		.better = BETTER_HIGHER,
		.resolution = 1e-3,
		.help = "requests that were answered in a second, summed over the pairs",
	},
	{
		.name = "latency",
		.unit = "us",
		.better = BETTER_LOWER,
		.resolution = 1e-6,
		.secondary = true,
		.help = "mean time of a transaction, there and back",
	},
	{ 0 },
};

void rr_needs(const struct workload *workload, struct bench_needs *needs)
{
	const uint64_t per_process = 256 << 10;
	uint64_t tasks = 1 + 2 * workload_uint(workload, "pairs");

	needs->fds = 32;
	needs->tasks = tasks;
	needs->memory = tasks * (per_process + workload_uint(workload, "request") +
				 workload_uint(workload, "response"));
}

/* Each request was answered, and the clients went on for the time asked for. */
static int check_counts(const struct workload *workload, const struct jval *object,
			double rate, struct err *err)
{
	uint64_t seconds = workload_uint(workload, "seconds");
	uint64_t asked, answered;

	if (!jval_uint(jval_get(object, "transactions"), &asked))
		return err_set(err, -EPROTO, "the output has no count of transactions");
	if (!jval_uint(jval_get(object, "answered"), &answered))
		return err_set(err, -EPROTO, "the output has no count of answered");
	if (asked != answered)
		return err_set(err, -EPROTO,
			       "the program counted %ju transactions and %ju answered",
			       (uintmax_t)asked, (uintmax_t)answered);
	if ((double)asked / rate < 0.999 * (double)seconds)
		return err_set(err, -EPROTO,
			       "%ju transactions at %g trans/s take %.3f s, expected %ju",
			       (uintmax_t)asked, rate, (double)asked / rate,
			       (uintmax_t)seconds);
	return 0;
}

/* Both figures are of the same time: the clients all ran as long as each other. */
static int check_fit(const struct workload *workload, double rate, double latency_us,
		     struct err *err)
{
	double expected = (double)workload_uint(workload, "pairs") * 1e6 / latency_us;

	if (fabs(expected - rate) <= 1e-2 * expected)
		return 0;
	return err_set(err, -EPROTO,
		       "a rate of %g trans/s and a latency of %g us don't go together",
		       rate, latency_us);
}

static int parse(const struct workload *workload, const char *out, size_t len,
		 struct bench_samples *samples, struct err *err)
{
	struct jval *object;
	int bad = bench_native_parse(workload, out, len, samples, &object, err);

	if (bad)
		return bad;
	bad = check_counts(workload, object, samples->sample[0].value, err);
	if (!bad)
		bad = check_fit(workload, samples->sample[0].value,
				samples->sample[1].value, err);
	jval_free(object);
	return bad;
}

static const char *const netperf_version_args[] = { "-V", NULL };
/* It prints the rate alone. */
static const double netperf_resolution[] = { 1e-2, 0 };

const struct bench_program rr_programs[] = {
	{ .name = "native", .plan = bench_native_plan, .parse = parse },
	{
		.name = "netperf",
		.command = "netperf",
		.version_args = netperf_version_args,
		.resolution = netperf_resolution,
		.plan = netperf_plan,
		.parse = netperf_parse,
	},
	{ 0 },
};
