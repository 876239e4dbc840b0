// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * policy/sim and the workloads' models: the placements and orders of published reports come out of
 * their machine, workload and variants alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "benchmarks/bench.h"
#include "benchmarks/hackbench/model.h"
#include "policy/flags.h"
#include "tests/unit/sim-scene.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

/* Elements of an array, and passes. */
enum { ELEMENTS = 10000000, PASSES = 10 };

static const struct machine_shape zen3 = ZEN3;
static const struct machine_shape skylake = SKYLAKE;

/* How often each node was chosen at fork, and how long the run was. */
struct streams {
	uint64_t node[2], time_ns;
};

static void add_stream(unsigned int threads, struct program_graph *graph)
{
	struct workload workload;

	workload_init(&workload, bench_find("stream"));
	workload_set(&workload, "threads", threads);
	workload_set(&workload, "size", ELEMENTS);
	workload_set(&workload, "ntimes", PASSES);
	assert_int_equal(workload.ops->model->graph(&workload, graph, NULL), 0);
}

/* Of all operations together. */
static uint64_t sum_of(const struct program_note *notes, size_t nr)
{
	uint64_t sum = 0;
	size_t i, j;

	for (i = 0; i < nr; i++)
		for (j = 0; j < notes[i].nr; j++)
			sum += notes[i].ns[j];
	return sum;
}

static struct streams run_stream(const char *variant, struct machine_shape shape,
				 unsigned int threads, const struct cpumask *pinned)
{
	struct streams ret;
	struct sim_scene sim;
	int node;

	sim_scene_init(&sim, variant, shape);
	if (shape.llcs)
		sim_scene_costs("zen3-2s64c2t-nps1", &sim.costs);
	else
		sim_scene_costs("skylake-2s24c2t", &sim.costs);
	add_stream(threads, &sim.graph);
	sim.options.allowed = pinned;
	sim_scene_run(&sim);
	for (node = 0; node < 2; node++)
		ret.node[node] = sim_placed(&sim.result, sim.scene.machine, SIM_FORK,
					    MACHINE_NODE, node);
	ret.time_ns = sum_of(sim.result.outcome.notes, PROGRAM_NOTES);
	sim_scene_release(&sim);
	return ret;
}

/* One CPU of every second LLC: 0, 16, 32, 48 of one package, 64 to 112 of the other. */
static struct cpumask every_second_llc(void)
{
	struct cpumask mask = { { 0 } };
	int cpu;

	for (cpu = 0; cpu < 128; cpu += 16)
		cpumask_add(&mask, cpu);
	return mask;
}

/* The first thread is the one that forks the others, on node 0. */
static void check_split(const struct streams *streams, unsigned int local,
			unsigned int remote)
{
	assert_int_equal(streams->node[0] + 1, local);
	assert_int_equal(streams->node[1], remote);
}

static void test_stream_placement_on_zen3(void **state)
{
	struct cpumask pinned = every_second_llc();
	struct cpumask two_and_two = { { 0 } };
	struct streams streams;

	(void)state;
	streams = run_stream("e496132", zen3, 8, &pinned);
	check_split(&streams, 8, 0);
	streams = run_stream("e496132-v6", zen3, 8, &pinned);
	check_split(&streams, 4, 4);
	streams = run_stream("e496132", zen3, 8, NULL);
	check_split(&streams, 8, 0);
	streams = run_stream("e496132-v6", zen3, 8, NULL);
	check_split(&streams, 8, 0);
	/* Two allowed CPUs at home: the third thread goes over. */
	cpumask_add(&two_and_two, 0);
	cpumask_add(&two_and_two, 16);
	cpumask_add(&two_and_two, 64);
	cpumask_add(&two_and_two, 80);
	streams = run_stream("e496132", zen3, 4, &two_and_two);
	check_split(&streams, 4, 0);
	streams = run_stream("e496132-v6", zen3, 4, &two_and_two);
	check_split(&streams, 2, 2);
}

static void test_stream_placement_on_skylake(void **state)
{
	struct cpumask pinned = { { 0xffff } };
	struct streams streams;

	(void)state;
	streams = run_stream("e496132", skylake, 16, &pinned);
	check_split(&streams, 12, 4);
	streams = run_stream("e496132-v6", skylake, 16, &pinned);
	check_split(&streams, 8, 8);
	streams = run_stream("e496132", skylake, 16, NULL);
	check_split(&streams, 12, 4);
	streams = run_stream("e496132-v6", skylake, 16, NULL);
	check_split(&streams, 12, 4);
}

/* Pinned with the patch, then unpinned, then pinned; unpinned the patch does nothing. */
static void test_stream_order_on_zen3(void **state)
{
	struct cpumask pinned = every_second_llc();
	struct streams pin = run_stream("e496132", zen3, 8, &pinned);
	struct streams patch = run_stream("e496132-v6", zen3, 8, &pinned);
	struct streams unpinned = run_stream("e496132", zen3, 8, NULL);
	struct streams unpinned_patch = run_stream("e496132-v6", zen3, 8, NULL);

	(void)state;
	assert_true(patch.time_ns * 12 < unpinned.time_ns * 10);
	assert_true(unpinned.time_ns < pin.time_ns);
	assert_int_equal(unpinned.time_ns, unpinned_patch.time_ns);
}

/* Pinned with the patch, then pinned, then unpinned. */
static void test_stream_order_on_skylake(void **state)
{
	struct cpumask pinned = { { 0xffff } };
	struct streams pin = run_stream("e496132", skylake, 16, &pinned);
	struct streams patch = run_stream("e496132-v6", skylake, 16, &pinned);
	struct streams unpinned = run_stream("e496132", skylake, 16, NULL);
	struct streams unpinned_patch = run_stream("e496132-v6", skylake, 16, NULL);

	(void)state;
	assert_true(patch.time_ns < pin.time_ns);
	assert_true(pin.time_ns < unpinned.time_ns);
	assert_int_equal(unpinned.time_ns, unpinned_patch.time_ns);
}

/* What a pair's wakeups did, from when it has settled. */
struct pair {
	uint64_t time_ns;
	unsigned int nr, moves, away;
};

static void watch_pair(void *arg, const struct sim_placement *placement)
{
	struct pair *pair = arg;

	if (placement->event != SIM_WAKEUP || ++pair->nr <= 20)
		return;
	pair->moves += placement->to != placement->from;
	pair->away += placement->to != placement->by;
}

/* One side of a pair: @speaks_first or not. */
static void add_side(struct program_graph *graph, int program, bool speaks_first)
{
	const struct program_step think = { .op = PROGRAM_RUN, .amount = 2000 };
	const struct program_step send = {
		.op = PROGRAM_SEND,
		.object = speaks_first ? 0 : 1,
	};
	const struct program_step receive = {
		.op = PROGRAM_RECEIVE,
		.object = speaks_first ? 1 : 0,
	};

	if (!speaks_first)
		program_add(graph, program, receive);
	program_add(graph, program, think);
	program_add(graph, program, send);
	if (speaks_first)
		program_add(graph, program, receive);
	program_repeat(graph, program, 3, 500, 0);
}

/* Two processes that send one message back and forth over TCP, and think before each. */
static void add_pair(struct program_graph *graph)
{
	const struct program_channel tcp = { PROGRAM_TCP, 16 };
	int client = program_new(graph, "client", false, 4);
	int server = program_new(graph, "server", false, 4);

	(void)program_channels(graph, tcp, 2);
	program_add(graph, client, PROGRAM_STEP(.op = PROGRAM_FORK, .object = server));
	program_add(graph, client,
		    PROGRAM_STEP(.op = PROGRAM_MARK, .object = MODEL_START));
	add_side(graph, client, true);
	program_add(graph, client,
		    PROGRAM_STEP(.op = PROGRAM_MARK, .object = MODEL_STOP));
	program_add(graph, client, PROGRAM_STEP(.op = PROGRAM_WAIT));
	add_side(graph, server, false);
}

static struct pair run_pair(const char *variant, const struct flag_change *change)
{
	struct machine_shape shape = { .cores = 4, .threads = 2 };
	struct pair pair = { 0 };
	struct sim_scene sim;

	sim_scene_init(&sim, variant, shape);
	scene_release(&sim.scene);
	scene_init_flags(&sim.scene, variant, shape, change);
	sim.options.domains = sim.scene.domains;
	sim_scene_costs("reference", &sim.costs);
	add_pair(&sim.graph);
	sim.options.observe = watch_pair;
	sim.options.arg = &pair;
	sim_scene_run(&sim);
	pair.time_ns = sim.result.outcome.mark_ns[MODEL_STOP] -
		       sim.result.outcome.mark_ns[MODEL_START];
	sim_scene_release(&sim);
	return pair;
}

/*
 * A client and a server that talk synchronously: looking for an idle CPU drives them from
 * core to core; without a shared LLC they stay on one CPU, which is quicker.
 */
static void test_sync_pair_with_and_without_llc(void **state)
{
	static const struct flag_change no_llc = { .level = SD_LEVELS,
						   .clear = SD_SHARE_LLC };
	static const char *const variants[] = { "v3.0", "v3.2", "v3.3" };
	size_t i;

	(void)state;
	for (i = 0; i < NR(variants); i++) {
		struct pair with = run_pair(variants[i], NULL);
		struct pair without = run_pair(variants[i], &no_llc);

		assert_true(with.nr > 900 && without.nr > 900);
		assert_int_equal(with.away, with.nr - 20);
		assert_int_equal(without.away, 0);
		assert_int_equal(without.moves, 0);
		assert_true(without.time_ns < with.time_ns);
	}
}

/* An idle previous CPU is taken since 3.10: the pair keeps its two CPUs. */
static void test_sync_pair_keeps_its_cpus_later(void **state)
{
	static const char *const variants[] = { "v5.18", "v6.8" };
	size_t i;

	(void)state;
	for (i = 0; i < NR(variants); i++) {
		struct pair pair = run_pair(variants[i], NULL);

		assert_true(pair.nr > 900);
		assert_int_equal(pair.moves, 0);
	}
}

/* SD_BALANCE_WAKE at SMT and MC: the policy of 3.x has no use for it. */
static void test_balance_wake_changes_nothing(void **state)
{
	static const struct flag_change wakes = { .level = SD_LEVELS,
						  .set = SD_BALANCE_WAKE };
	static const char *const variants[] = { "v3.0", "v3.3", "v3.10" };
	size_t i;

	(void)state;
	for (i = 0; i < NR(variants); i++) {
		struct pair without = run_pair(variants[i], NULL);
		struct pair with = run_pair(variants[i], &wakes);

		assert_memory_equal(&with, &without, sizeof(with));
	}
}

/* Messages all arrive, whatever the variant and medium; nothing is lost on the way. */
static void test_hackbench_sends_all_messages(void **state)
{
	static const char *const variants[] = {
		"v2.6.33", "v3.3",     "v4.9", "fix-sig",
		"v5.18",   "v6.1.192", "v6.8", "v6.12.117"
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(variants); i++) {
		struct hackbench_shape shape = {
			.groups = 1 + (unsigned int)i % 2,
			.fds = 10,
			.loops = 10,
			.size = 100,
			.has_threads = i % 3 == 0,
			.medium = (enum program_medium)(i % 4),
		};
		struct sim_scene sim;

		sim_scene_init(&sim, variants[i], (struct machine_shape)HASWELL);
		sim_scene_costs("reference", &sim.costs);
		hackbench_graph(&shape, &sim.graph);
		sim_scene_run(&sim);
		assert_int_equal(sim.result.nr_tasks, 1 + shape.groups * 20);
		assert_true(sim.result.outcome.mark_ns[MODEL_STOP] >
			    sim.result.outcome.mark_ns[MODEL_START]);
		sim_scene_release(&sim);
	}
}

/* Nodes that hackbench's tasks start on, 40 of them on 2 x 12 cores with 2 threads. */
static void test_hackbench_spreads_with_fix_sig(void **state)
{
	static const struct {
		const char *variant;
		unsigned int least, most;
	} cases[] = {
		/* Spare capacity first keeps most at home; by runnable and blocked
		 * load they spread. */
		{ "tip-sched-2016-12", 30, 40 },
		{ "fix-sig", 8, 28 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct hackbench_shape shape = { 1, 20, 1, 100, false, PROGRAM_PIPE };
		struct sim_scene sim;

		sim_scene_init(&sim, cases[i].variant, (struct machine_shape)HASWELL);
		sim_scene_costs("reference", &sim.costs);
		hackbench_graph(&shape, &sim.graph);
		sim_scene_run(&sim);
		assert_in_range(sim_placed(&sim.result, sim.scene.machine, SIM_FORK,
					   MACHINE_NODE, 0),
				cases[i].least, cases[i].most);
		sim_scene_release(&sim);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stream_placement_on_zen3),
		cmocka_unit_test(test_stream_placement_on_skylake),
		cmocka_unit_test(test_stream_order_on_zen3),
		cmocka_unit_test(test_stream_order_on_skylake),
		cmocka_unit_test(test_sync_pair_with_and_without_llc),
		cmocka_unit_test(test_sync_pair_keeps_its_cpus_later),
		cmocka_unit_test(test_balance_wake_changes_nothing),
		cmocka_unit_test(test_hackbench_sends_all_messages),
		cmocka_unit_test(test_hackbench_spreads_with_fix_sig),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
