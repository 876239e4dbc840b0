// SPDX-License-Identifier: GPL-2.0-or-later
/* policy/events, policy/program: what the simulator is fed with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/rng.h"
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events_come_by_time_then_by_order),
		cmocka_unit_test(test_graphs_grow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
