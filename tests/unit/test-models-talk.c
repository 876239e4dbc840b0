// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The models of tcp-rr, udp-rr, tbench, wakeup-latency and chat: as many messages as their programs
 * pass, and metrics that go together.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/model-scene.h"
#include "tests/unit/near.h"

/* One request and one response a transaction, in turn; rate and latency are one time. */
static void check_rr(const char *name)
{
	struct model_scene scene;
	uint64_t transactions;

	model_scene_init(&scene, name);
	workload_set(&scene.workload, "pairs", 4);
	model_scene_run(&scene);
	transactions = model_scene_done(&scene, PROGRAM_SEND) / 2;
	assert_int_equal(model_scene_done(&scene, PROGRAM_FORK), 8);
	assert_int_equal(model_scene_done(&scene, PROGRAM_BLOCK), 8);
	assert_int_equal(model_scene_done(&scene, PROGRAM_RECEIVE), 2 * transactions);
	assert_int_equal(transactions % 4, 0);
	assert_true(transactions >= 1000);
	assert_true(model_scene_value(&scene, "rate") *
			    model_scene_value(&scene, "latency") >=
		    4e6 * 0.999);
	model_scene_release(&scene);
}

static void test_rr_has_two_messages_a_transaction(void **state)
{
	(void)state;
	check_rr("tcp-rr");
	check_rr("udp-rr");
}

/* However many pairs: each has its turns, and the run stays small. */
static void test_rr_is_bounded(void **state)
{
	struct model_scene scene;

	(void)state;
	model_scene_init(&scene, "tcp-rr");
	workload_set(&scene.workload, "pairs", 200);
	workload_set(&scene.workload, "seconds", 86400);
	model_scene_run(&scene);
	assert_in_range(model_scene_done(&scene, PROGRAM_SEND), 400, 40000);
	model_scene_release(&scene);
}

/* A greeting, then a request and a reply each; a server process for each client. */
static void test_tbench_has_the_programs_packets(void **state)
{
	static const uint64_t clients[] = { 1, 3 };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(clients); i++) {
		struct model_scene scene;
		uint64_t packets;

		model_scene_init(&scene, "tbench");
		workload_set(&scene.workload, "clients", clients[i]);
		model_scene_run(&scene);
		packets = model_scene_done(&scene, PROGRAM_NOTE);
		assert_true(packets >= 1000);
		assert_int_equal(packets % clients[i], 0);
		assert_int_equal(model_scene_done(&scene, PROGRAM_SEND),
				 2 * (packets + clients[i]));
		assert_int_equal(model_scene_done(&scene, PROGRAM_FORK),
				 1 + 2 * clients[i]);
		assert_true(model_scene_value(&scene, "rate") > 10);
		assert_true(model_scene_value(&scene, "max-latency") > 0);
		model_scene_release(&scene);
	}
}

static void test_tbench_is_bounded(void **state)
{
	struct model_scene scene;

	(void)state;
	model_scene_init(&scene, "tbench");
	model_scene_choose(&scene, "load", 1);
	workload_set(&scene.workload, "clients", 1000);
	model_scene_run(&scene);
	assert_int_equal(model_scene_done(&scene, PROGRAM_NOTE), 30000);
	model_scene_release(&scene);
}

static void test_wakeup_latency_notes_each_wakeup(void **state)
{
	struct model_scene scene;
	uint64_t requests;

	(void)state;
	model_scene_init(&scene, "wakeup-latency");
	workload_set(&scene.workload, "messagers", 2);
	workload_set(&scene.workload, "workers", 3);
	model_scene_run(&scene);
	requests = model_scene_done(&scene, PROGRAM_NOTE);
	assert_true(requests >= 1000);
	assert_int_equal(requests % 6, 0);
	assert_int_equal(model_scene_done(&scene, PROGRAM_FORK), 8);
	assert_int_equal(model_scene_done(&scene, PROGRAM_BARRIER), 2 * 9);
	assert_int_equal(model_scene_done(&scene, PROGRAM_WAKE), requests);
	assert_int_equal(model_scene_done(&scene, PROGRAM_SLEEP), requests);
	assert_true(model_scene_value(&scene, "p50") > 0);
	assert_true(model_scene_value(&scene, "p50") <= model_scene_value(&scene, "p90"));
	assert_true(model_scene_value(&scene, "p90") <= model_scene_value(&scene, "p99"));
	assert_true(model_scene_value(&scene, "p99") <=
		    model_scene_value(&scene, "p99.9"));
	/* Of a request 100 us are sleep and 40 work. */
	assert_true(model_scene_value(&scene, "rate") < 6 / 140e-6);
	assert_true(model_scene_value(&scene, "rate") > 6 / 250e-6);
	model_scene_release(&scene);
}

/* Where workers outnumber the CPUs they wait for one. */
static void test_wakeup_latency_grows_with_the_workers(void **state)
{
	double few, many;
	struct model_scene scene;

	(void)state;
	model_scene_init(&scene, "wakeup-latency");
	model_scene_run(&scene);
	few = model_scene_value(&scene, "p99");
	model_scene_release(&scene);
	model_scene_init(&scene, "wakeup-latency");
	workload_set(&scene.workload, "workers", 96);
	model_scene_run(&scene);
	many = model_scene_value(&scene, "p99");
	model_scene_release(&scene);
	assert_true(many > 2 * few);
}

/*
 * Sent R U C, received R U C (U - 1); each of them and each confirmation goes through a
 * queue and a connection, and each packet that comes or goes is followed by a yield.
 */
static void test_chat_has_the_programs_packets(void **state)
{
	static const uint64_t cases[][3] = {
		{ 2, 4, 3 }, { 1, 2, 1 }, { 3, 2, 5 }, { 1, 5, 2 }
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(cases); i++) {
		uint64_t users = cases[i][1];
		uint64_t sent = cases[i][0] * users * cases[i][2];
		struct model_scene scene;

		model_scene_init(&scene, "chat");
		workload_set(&scene.workload, "rooms", cases[i][0]);
		workload_set(&scene.workload, "users", users);
		workload_set(&scene.workload, "messages", cases[i][2]);
		model_scene_run(&scene);
		assert_int_equal(model_scene_done(&scene, PROGRAM_FORK),
				 1 + 4 * cases[i][0] * users);
		assert_int_equal(model_scene_done(&scene, PROGRAM_SEND),
				 1 + 2 * sent * (users + 1));
		assert_int_equal(model_scene_done(&scene, PROGRAM_RECEIVE),
				 1 + 2 * sent * (users + 1));
		assert_int_equal(model_scene_done(&scene, PROGRAM_YIELD),
				 2 * sent * (users + 1));
		assert_near(model_scene_value(&scene, "rate") *
				    model_scene_value(&scene, "time"),
			    (double)(sent * users));
		model_scene_release(&scene);
	}
}

/* The default talk of 400000 messages is simulated in part; its time is of all of it. */
static void test_chat_does_a_part_of_long_talks(void **state)
{
	struct model_scene scene;

	(void)state;
	model_scene_init(&scene, "chat");
	model_scene_run(&scene);
	assert_true(model_scene_done(&scene, PROGRAM_SEND) < 140000);
	assert_near(model_scene_value(&scene, "rate") * model_scene_value(&scene, "time"),
		    400000.0);
	model_scene_release(&scene);
}

static void test_percentiles_are_of_the_nearest_rank(void **state)
{
	uint64_t ns[] = { 40, 10, 30, 20 };

	(void)state;
	model_sort(ns, COUNT(ns));
	assert_int_equal(ns[0], 10);
	assert_int_equal(ns[3], 40);
	assert_int_equal(model_percentile(ns, COUNT(ns), 500), 20);
	assert_int_equal(model_percentile(ns, COUNT(ns), 501), 30);
	assert_int_equal(model_percentile(ns, COUNT(ns), 999), 40);
	assert_int_equal(model_percentile(ns, 1, 1), 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rr_has_two_messages_a_transaction),
		cmocka_unit_test(test_rr_is_bounded),
		cmocka_unit_test(test_tbench_has_the_programs_packets),
		cmocka_unit_test(test_tbench_is_bounded),
		cmocka_unit_test(test_wakeup_latency_notes_each_wakeup),
		cmocka_unit_test(test_wakeup_latency_grows_with_the_workers),
		cmocka_unit_test(test_chat_has_the_programs_packets),
		cmocka_unit_test(test_chat_does_a_part_of_long_talks),
		cmocka_unit_test(test_percentiles_are_of_the_nearest_rank),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
