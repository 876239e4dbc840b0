// SPDX-License-Identifier: GPL-2.0-or-later
/* policy/events, policy/program, policy/costs: what the simulator is fed with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/rng.h"
#include "policy/costs.h"
#include "policy/events.h"
#include "policy/program.h"

static void test_events_come_by_time_then_by_order(void **state)
{
	struct events events = { .heap = NULL };
	struct event event;
	struct rng rng;
	uint64_t last_time = 0;
	uint64_t last_order = 0;
	int i;

	(void)state;
	assert_false(events_take(&events, &event));
	rng_seed(&rng, 1, 0);
	for (i = 0; i < 500; i++)
		assert_int_equal(events_put(&events, (struct event){ .time_ns = rng_below(
									     &rng, 50),
								     .who = i }),
				 0);
	for (i = 0; i < 500; i++) {
		assert_true(events_take(&events, &event));
		assert_true(event.time_ns >= last_time);
		if (i && event.time_ns == last_time)
			assert_true(event.order > last_order);
		assert_int_equal(event.order, event.who);
		last_time = event.time_ns;
		last_order = event.order;
	}
	assert_false(events_take(&events, &event));
	events_release(&events);
	assert_null(events.heap);
}

static void test_graphs_grow(void **state)
{
	struct program_graph graph = { .programs = NULL };
	struct program_channel pipe = { PROGRAM_PIPE, 16 };
	int i;

	(void)state;
	assert_int_equal(program_new(&graph, "first", false, 8), 0);
	assert_int_equal(program_new(&graph, "second", true, 4), 1);
	for (i = 0; i < 100; i++)
		program_add(&graph, 1,
			    (struct program_step){ .op = PROGRAM_RUN,
						   .amount = (uint64_t)i });
	assert_int_equal(graph.programs[0].nr_steps, 0);
	assert_int_equal(graph.programs[1].nr_steps, 100);
	assert_int_equal(graph.programs[1].steps[99].amount, 99);
	assert_int_equal(program_channels(&graph, pipe, 3), 0);
	assert_int_equal(program_channels(&graph, pipe, 2), 3);
	assert_int_equal(graph.nr_channels, 5);
	assert_int_equal(program_barrier(&graph, 7), 0);
	assert_int_equal(program_barrier(&graph, 8), 1);
	assert_int_equal(graph.parties[1], 8);
	assert_false(graph.is_short);
	program_graph_free(&graph);
	assert_null(graph.programs);
	program_graph_free(&graph);
}

static void check_costs(const struct cost_model *costs)
{
	size_t i;

	for (i = 1; i < COST_DISTANCES; i++) {
		assert_true(costs->line[i] >= costs->line[i - 1]);
		assert_true(costs->refill_kib[i] >= costs->refill_kib[i - 1]);
	}
	for (i = 1; i < costs->nr_idle; i++) {
		assert_true(costs->idle[i].exit_ns > costs->idle[i - 1].exit_ns);
		assert_true(costs->idle[i].residency_us >
			    costs->idle[i - 1].residency_us);
	}
	assert_true(costs->nr_idle > 0 && costs->nr_idle <= COST_IDLE_STATES);
	assert_true(costs->smt_permille > 500 && costs->smt_permille < 1000);
	assert_true(costs->thread_mbs <= costs->llc_mbs);
	assert_true(costs->llc_mbs <= costs->node_mbs);
	assert_true(costs->link_mbs < costs->node_mbs);
}

/* Farther is never cheaper, deeper is never quicker, wider is never slower. */
static void test_costs_are_in_order(void **state)
{
	struct cost_model costs;

	(void)state;
	cost_model_reference(&costs);
	check_costs(&costs);
	cost_model_zen3(&costs);
	check_costs(&costs);
	cost_model_skylake(&costs);
	check_costs(&costs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events_come_by_time_then_by_order),
		cmocka_unit_test(test_graphs_grow),
		cmocka_unit_test(test_costs_are_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
