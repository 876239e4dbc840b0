// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hackbench in the simulator, on machines of two packages with LLCs of up to 24 CPUs:
 *
 *	sim-rate VARIANT CPUS GROUPS LOOPS JOBS
 *
 * CPUS is a multiple of 48, or 2. The first line says what came of it and depends on the
 * arguments only: events, CPUs that idle searches looked at, simulated ns, and a digest
 * of all placements. The second one is the processor time in seconds. JOBS threads do the
 * same at the same time and must agree.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "benchmarks/hackbench/model.h"
#include "lib/err.h"
#include "policy/domain_rules.h"
#include "policy/domains.h"
#include "policy/machine.h"
#include "policy/sim.h"
#include "policy/variant.h"

enum { MAX_JOBS = 8, LLC_CPUS = 24 };

/* In the size of those of configs/machines/reference.yaml; only the ratio of runs counts. */
static const struct cost_model costs = {
	.syscall = 60,
	.message = { 250, 500, 1600, 400 },
	.lines = { 20, 20, 24, 10 },
	.line = { 0, 8, 37, 80, 80 },
	.wake = 250,
	.scan_cpu = 15,
	.switch_same = 400,
	.switch_other = 550,
	.fork_process = 60000,
	.fork_thread = 9000,
	.start_process = 40000,
	.start_thread = 6000,
	.exit = 40000,
	.tick = 2000,
	.ipi = { 0, 700, 700, 700, 1000 },
	.migrate = 2000,
	.refill_kib = { 0, 0, 100, 380, 380 },
	.balance_cpu = 40,
	.idle = { { 2, 2, 1000 }, { 133, 400, 35000 } },
	.nr_idle = 2,
	.smt_permille = 640,
	.smt_memory_permille = 550,
	.thread_mbs = 13000,
	.llc_mbs = 55000,
	.node_mbs = 55000,
	.link_mbs = 30000,
	.remote_permille = 700,
	.jitter_permille = 20,
};

struct job {
	struct sim_options options;
	struct sim_result result;
	uint64_t digest;
};

static void fail(const char *what)
{
	(void)fprintf(stderr, "sim-rate: %s\n", what);
	exit(2);
}

static uint64_t mix(uint64_t digest, uint64_t value)
{
	return (digest ^ value) * UINT64_C(1099511628211);
}

static void note(void *arg, const struct sim_placement *placement)
{
	uint64_t *digest = arg;

	*digest = mix(*digest, placement->time_ns);
	*digest = mix(*digest, (uint64_t)placement->task);
	*digest = mix(*digest, (uint64_t)placement->to);
}

static void *run(void *arg)
{
	struct job *job = arg;
	struct err err = { 0 };

	job->options.observe = note;
	job->options.arg = &job->digest;
	if (sim_run(&job->options, &job->result, &err))
		fail(err.text);
	return NULL;
}

static struct machine *build_machine(int cpus)
{
	struct machine_shape shape = { .cores = cpus };
	struct machine *machine;
	struct err err = { 0 };

	if (cpus >= 2 * LLC_CPUS)
		shape = (struct machine_shape){
			.packages = 2,
			.llcs = cpus / (2 * LLC_CPUS),
			.cores = LLC_CPUS / 2,
			.threads = 2,
		};
	if (machine_regular(&shape, &machine, &err))
		fail(err.text);
	return machine;
}

static void run_all(struct job *jobs, int nr)
{
	pthread_t threads[MAX_JOBS];
	int i;

	for (i = 1; i < nr; i++)
		if (pthread_create(&threads[i], NULL, run, &jobs[i]))
			fail("no thread");
	(void)run(&jobs[0]);
	for (i = 1; i < nr; i++) {
		(void)pthread_join(threads[i], NULL);
		if (jobs[i].digest != jobs[0].digest ||
		    jobs[i].result.nr_events != jobs[0].result.nr_events)
			fail("threads disagree");
	}
}

static int number(const char *text, int most)
{
	long value = strtol(text, NULL, 10);

	if (value < 1 || value > most)
		fail("a number is out of range");
	return (int)value;
}

int main(int argc, char **argv)
{
	struct hackbench_shape shape = { .fds = 20, .size = 100 };
	struct program_graph graph = { 0 };
	struct job jobs[MAX_JOBS] = { 0 };
	struct policy_variant variant;
	struct domain_rules rules;
	struct machine *machine;
	struct domains *domains;
	struct err err = { 0 };
	clock_t start;
	int nr, i;

	if (argc != 6)
		fail("expected VARIANT CPUS GROUPS LOOPS JOBS");
	if (policy_variant_find(argv[1], &variant, &err))
		fail(err.text);
	machine = build_machine(number(argv[2], 4096));
	domain_rules_of(variant.release, &rules);
	if (domains_new(machine, &rules, NULL, 0, &domains, &err))
		fail(err.text);
	shape.groups = (uint64_t)number(argv[3], 1000);
	shape.loops = (uint64_t)number(argv[4], 1000000);
	hackbench_graph(&shape, &graph);
	nr = number(argv[5], MAX_JOBS);
	for (i = 0; i < nr; i++)
		jobs[i].options = (struct sim_options){
			.variant = &variant,
			.domains = domains,
			.costs = &costs,
			.graph = &graph,
			.seed = 42,
		};
	start = clock();
	run_all(jobs, nr);
	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %016" PRIx64 "\n",
	       jobs[0].result.nr_events, jobs[0].result.nr_looked,
	       jobs[0].result.outcome.end_ns, jobs[0].digest);
	printf("%.6f\n", (double)(clock() - start) / CLOCKS_PER_SEC);
	return 0;
}
