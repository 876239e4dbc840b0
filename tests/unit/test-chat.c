// SPDX-License-Identifier: GPL-2.0-or-later
/* The chat workload: its packets, command and needs, and what is read of its output. */
#include "tests/unit/fixture.h"

#include "benchmarks/chat/wire.h"

static struct workload chat_of(uint64_t rooms, uint64_t users, uint64_t messages)
{
	struct workload workload;

	workload_init(&workload, bench_find("chat"));
	workload_set(&workload, "rooms", rooms);
	workload_set(&workload, "users", users);
	workload_set(&workload, "messages", messages);
	return workload;
}

static void a_packet_is_what_the_protocol_says(void **state)
{
	static const unsigned char start[] = { 0, 3, 0, 0, 0,	1,   1,	  0,   0,
					       0, 0, 0, 5, 'R', 'o', 'o', 'm', '1' };
	struct wire_packet packet, copy;
	struct wire_head head;

	(void)state;
	wire_make(&packet, WIRE_CHAT, WIRE_REQUEST, 0, 0);
	assert_int_equal(packet.len, 87);
	assert_memory_equal(packet.bytes, start, sizeof(start));
	assert_int_equal(wire_read(packet.bytes, packet.len, &head), 1);
	assert_int_equal(head.about, WIRE_CHAT);
	assert_int_equal(head.type, WIRE_REQUEST);
	assert_int_equal(head.len, 87);

	wire_copy(&copy, packet.bytes, packet.len);
	assert_int_equal(wire_read(copy.bytes, copy.len, &head), 1);
	assert_int_equal(head.type, WIRE_INDICATION);
	assert_int_equal(copy.len, 87);
	assert_memory_equal(copy.bytes + 7, packet.bytes + 7, 80);

	wire_make(&packet, WIRE_CHAT, WIRE_CONFIRM, 41, -1);
	assert_int_equal(packet.len, 17 + strlen("Room42"));
	assert_int_equal(wire_read(packet.bytes, packet.len, &head), 1);
	assert_int_equal(head.room, 41);
	wire_make(&packet, WIRE_CHAT, WIRE_REQUEST, 999, 999);
	assert_int_equal(packet.len, 77 + strlen("Room1000") + strlen("Mark1000"));
}

static void a_packet_is_read_when_all_of_it_is_there(void **state)
{
	struct wire_packet packet;
	struct wire_head head = { .len = 0 };
	size_t len;

	(void)state;
	wire_make(&packet, WIRE_CHAT, WIRE_REQUEST, 0, 0);
	for (len = 0; len < packet.len; len++)
		assert_int_equal(wire_read(packet.bytes, len, &head), 0);
	assert_int_equal(head.len, 0);
	/* A length that no name has: whatever comes, it's no packet. */
	packet.bytes[WIRE_HEADER] = 1;
	assert_int_equal(wire_read(packet.bytes, packet.len, &head), -1);
}

static void command_asks_for_all_parameters(void **state)
{
	static const char *const args[] = { "chat", "--rooms=10", "--users=20",
					    "--messages=100" };
	struct workload workload;
	char *name;

	(void)state;
	workload_init(&workload, bench_find("chat"));
	command_is(&workload, args, 4);
	name = workload_variant(&workload);
	assert_string_equal(name, "chat");
	free(name);
}

static void four_threads_and_two_descriptors_a_user_are_needed(void **state)
{
	struct workload workload = chat_of(50, 20, 100);
	struct bench_needs needs = { 0 };

	(void)state;
	workload.ops->needs(&workload, &needs);
	assert_int_equal(needs.fds, 1030); /* one of the two in either process */
	assert_int_equal(needs.tasks, 4003);
	assert_int_equal(needs.threads, 2000);
	assert_true(needs.memory > 4000 * (32 << 10));
}

static void both_figures_are_read(void **state)
{
	struct workload workload = chat_of(2, 5, 20);
	struct bench_samples samples;
	struct err err;

	(void)state;
	if (fixture_parse(&workload, "chat/good", &samples, &err))
		fail_msg("%s", err.text);
	assert_int_equal(samples.nr, 2);
	assert_string_equal(samples.sample[0].metric->name, "rate");
	assert_true(samples.sample[0].metric->better == BETTER_HIGHER);
	assert_true(samples.sample[0].value == 36546.857);
	assert_string_equal(samples.sample[1].metric->name, "time");
	assert_true(samples.sample[1].metric->better == BETTER_LOWER);
	assert_true(samples.sample[1].value == 0.027362134);
}

static void other_output_is_refused(void **state)
{
	static const struct fixture cases[] = {
		{ "chat/other-rooms", "asked for rooms 2, the program ran rooms 3" },
		{ "chat/lost-message", "counted 799 messages received, expected 800" },
		{ "chat/relayed-twice", "counted 801 messages relayed, expected 800" },
		{ "chat/unsent-message", "counted 199 messages sent, expected 200" },
		{ "chat/no-count", "no count of messages sent" },
		{ "chat/too-few-yields", "counted 1399 yields, expected at least 1400" },
		{ "chat/no-yields", "no count of yields" },
		{ "chat/zero", "metric rate is 0" },
		{ "chat/two-results", "several lines" },
		{ "chat/truncated", "not valid JSON" },
		{ "tcp-rr/good", "the program ran program tcp-rr" },
	};
	struct workload workload = chat_of(2, 5, 20);

	(void)state;
	fixtures_refused(&workload, cases, sizeof(cases) / sizeof(cases[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_packet_is_what_the_protocol_says),
		cmocka_unit_test(a_packet_is_read_when_all_of_it_is_there),
		cmocka_unit_test(command_asks_for_all_parameters),
		cmocka_unit_test(four_threads_and_two_descriptors_a_user_are_needed),
		cmocka_unit_test(both_figures_are_read),
		cmocka_unit_test(other_output_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
