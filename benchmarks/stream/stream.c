// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stream: memory bandwidth of the four operations that STREAM defined, by a
 * set of threads that all work at once.
 *
 * Sensitive to where fork placement and the load balancer put few long-running
 * threads: over LLCs, nodes and memory channels or stacked on some of them, and
 * to which node the pages come from. A poor test of wakeups (there are hardly
 * any), of latency, and of anything once the arrays fit into the caches.
 * Results are based on a variant of the STREAM benchmark code and have to be
 * labelled so.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "benchmarks/all.h"
#include "benchmarks/bench.h"
#include "benchmarks/native.h"
#include "lib/err.h"
#include "lib/json.h"

enum {
	NR_ARRAYS = 3,
	/* The benchmark's own rule: below it the arrays are found in the caches. */
	CACHES_PER_ARRAY = 4,
	/* What the size is rounded up to, and the least and the unknown machine's. */
	SIZE_STEP = 1000,
	SIZE_LEAST = 1000000,
	SIZE_UNKNOWN = 10000000,
	/* Kernels differ by a little in how much memory they leave. */
	CAP_STEP = 1000000,
	THREAD_BYTES = 64 << 10, /* touched of a thread's two stacks, with room */
};

#define SIZE_MOST (UINT64_C(1) << 40)

static const char *const affinities[] = { "mask", "per-thread", NULL };

static const struct bench_choice choices[] = {
	{ .key = "affinity", .words = affinities, .silent = true },
	{ 0 },
};

static const struct bench_param params[] = {
	{
		.name = "threads",
		.type = BENCH_UINT,
		.min = 1,
		.max = 4096,
		.number = 1,
		.help = "threads that share the arrays",
	},
	{
		.name = "size",
		.type = BENCH_UINT,
		.min = 1000,
		.max = SIZE_MOST,
		.number = BENCH_AUTO,
		.unit = "elements",
		.help = "elements of 8 bytes in each of the three arrays; auto: 4 times "
			"the last-level caches in use, half of the memory at most",
	},
	{
		.name = "ntimes",
		.type = BENCH_UINT,
		.min = 2,
		.max = 1000000,
		.number = 10,
		.help = "passes over the four operations; the first isn't counted",
	},
	{ 0 },
};

#define RATE(operation, text)                                                 \
	{                                                                     \
		.name = (operation), .unit = "MB/s", .better = BETTER_HIGHER, \
		.resolution = 0.1,                                            \
		.help = text ", bytes by the shortest time of a pass",        \
	}
#define RATE_AVG(operation, text)                                             \
	{                                                                     \
		.name = (operation), .unit = "MB/s", .better = BETTER_HIGHER, \
		.resolution = 0.1, .secondary = true,                         \
		.help = text ", bytes by the average time of a pass",         \
	}

static const struct bench_metric metrics[] = {
	RATE("copy", "c = a"),
	RATE("scale", "b = 3c"),
	RATE("add", "c = a + b"),
	RATE("triad", "a = b + 3c"),
	RATE_AVG("copy-avg", "c = a"),
	RATE_AVG("scale-avg", "b = 3c"),
	RATE_AVG("add-avg", "c = a + b"),
	RATE_AVG("triad-avg", "a = b + 3c"),
	{ 0 },
};

static int check(const struct workload *workload, unsigned int nr_cpus, struct err *err)
{
	uint64_t threads = workload_uint(workload, "threads");
	uint64_t size = workload_uint(workload, "size");

	if (size < threads)
		return err_set(err, -EINVAL,
			       "size %" PRIu64 " leaves some of %" PRIu64
			       " threads without an element",
			       size, threads);
	if (!strcmp(workload_word(workload, "affinity"), "per-thread") &&
	    threads > nr_cpus)
		return err_set(err, -EOPNOTSUPP,
			       "affinity per-thread needs a CPU for each of %" PRIu64
			       " threads, but there are %u CPUs",
			       threads, nr_cpus);
	return 0;
}

/* Elements that three arrays of fill half of the memory. */
static uint64_t most_elements(const struct bench_machine *machine)
{
	uint64_t most = machine->memory_bytes / 2 / NR_ARRAYS / sizeof(double);

	if (!machine->memory_bytes || most > SIZE_MOST)
		return SIZE_MOST;
	most -= most % CAP_STEP;
	return most > SIZE_LEAST ? most : SIZE_LEAST;
}

static uint64_t auto_size(const struct bench_machine *machine)
{
	uint64_t most = most_elements(machine);
	uint64_t caches = machine->llc_bytes_total / sizeof(double);
	uint64_t size;

	if (!caches)
		return most < SIZE_UNKNOWN ? most : SIZE_UNKNOWN;
	if (caches >= most / CACHES_PER_ARRAY)
		return most;
	size = caches * CACHES_PER_ARRAY + SIZE_STEP - 1;
	size -= size % SIZE_STEP;
	return size > SIZE_LEAST ? size : SIZE_LEAST;
}

/*
 * An array that the caches hold is no fault of the run but must not pass for
 * memory bandwidth: also where the grid wants it so, or the memory is too small.
 */
static void judge_size(uint64_t size, const struct bench_machine *machine,
		       struct bench_remark *remark)
{
	uint64_t bytes = size * sizeof(double);
	uint64_t caches = machine->llc_bytes_total;

	if (bytes / CACHES_PER_ARRAY >= caches)
		return;
	remark->is_undersized = true;
	(void)snprintf(remark->text, sizeof(remark->text),
		       "an array has %" PRIu64 " KiB, less than %d times the %" PRIu64
		       " KiB of last-level cache in use",
		       bytes >> 10, CACHES_PER_ARRAY, caches >> 10);
}

static void resolve(struct workload *workload, const struct bench_machine *machine,
		    struct bench_remark *remark)
{
	uint64_t size = workload_uint(workload, "size");
	bool is_chosen = size == BENCH_AUTO;

	if (is_chosen) {
		size = auto_size(machine);
		workload_set(workload, "size", size);
	}
	if (machine->llc_bytes_total)
		judge_size(size, machine, remark);
	else if (is_chosen)
		(void)snprintf(remark->text, sizeof(remark->text),
			       "the last-level caches are not known, so the arrays of "
			       "%" PRIu64 " elements may be found in them",
			       size);
}

static void needs(const struct workload *workload, struct bench_needs *needs)
{
	uint64_t threads = workload_uint(workload, "threads");

	needs->fds = 8;
	needs->tasks = threads + 1;
	needs->threads = threads;
	needs->memory = NR_ARRAYS * sizeof(double) * workload_uint(workload, "size") +
			THREAD_BYTES * threads;
}

static int check_proof(const struct workload *workload, const struct jval *result,
		       struct err *err)
{
	uint64_t ntimes = workload_uint(workload, "ntimes"), passes;

	if (!jval_is_true(jval_get(result, "validated")))
		return err_set(err, -EPROTO,
			       "the arrays were not validated: 'validated' must be true");
	if (!jval_uint(jval_get(result, "passes"), &passes) || passes != ntimes)
		return err_set(err, -EPROTO,
			       "'passes' must be %" PRIu64 ", the ntimes asked for",
			       ntimes);
	return 0;
}

static int parse(const struct workload *workload, const char *out, size_t len,
		 struct bench_samples *samples, struct err *err)
{
	struct bench_samples found = { .nr = 0 };
	struct jval *result = NULL;
	int ret;

	ret = bench_native_parse(workload, out, len, &found, &result, err);
	if (!ret)
		ret = check_proof(workload, result, err);
	if (!ret)
		*samples = found;
	jval_free(result);
	return ret;
}

static const struct bench_program programs[] = {
	{ .name = "native", .plan = bench_native_plan, .parse = parse },
	{ 0 },
};

const struct bench_ops stream_ops = {
	.name = "stream",
	.summary = "memory bandwidth of four array operations (a variant of STREAM)",
	.axis = "threads",
	.terms = "stream: based on a variant of the STREAM benchmark code",
	.choices = choices,
	.params = params,
	.metrics = metrics,
	.programs = programs,
	.model = &stream_model,
	.check = check,
	.resolve = resolve,
	.needs = needs,
};
