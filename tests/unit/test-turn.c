// SPDX-License-Identifier: GPL-2.0-or-later
/* What attempts make of a turn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/record.h"
#include "runner/grid.h"
#include "runner/turn.h"

static void note(uint32_t *state, uint64_t attempt, enum record_status status,
		 unsigned int flags)
{
	const struct record record = {
		.attempt = attempt,
		.status = status,
		.flags = flags,
	};

	turn_note(state, &record);
}

static void test_what_stands(void **state)
{
	static const struct {
		enum record_status status;
		bool stands;
	} cases[] = {
		{ RECORD_OK, true },	   { RECORD_FAILED, true },
		{ RECORD_TIMEOUT, true },  { RECORD_BROKEN, false },
		{ RECORD_SKIPPED, false }, { RECORD_INTERRUPTED, false },
	};
	size_t i;

	(void)state;
	assert_true(turn_is_missing(0, 0));
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		uint32_t turn = 0;

		note(&turn, 3, cases[i].status, 0);
		assert_int_equal(turn & TURN_ATTEMPTS, 3);
		assert_int_equal(turn_is_missing(turn, 0), !cases[i].stands);
	}
}

static void test_last_attempt_counts(void **state)
{
	uint32_t turn = 0;

	(void)state;
	note(&turn, 1, RECORD_SKIPPED, 0);
	assert_true(turn & TURN_SKIPPED);
	note(&turn, 2, RECORD_FAILED, 0);
	assert_false(turn & TURN_SKIPPED);
	assert_true(turn & TURN_FAILED);
	/* In whatever order the ledger has them. */
	note(&turn, 1, RECORD_SKIPPED, 0);
	assert_true(turn & TURN_FAILED);
	assert_int_equal(turn & TURN_ATTEMPTS, 2);
}

static void test_interference(void **state)
{
	uint32_t turn = 0;
	uint64_t i;

	(void)state;
	note(&turn, 1, RECORD_OK, RECORD_INTERFERED);
	assert_int_equal(turn_nr_interfered(turn), 1);
	assert_false(turn_is_missing(turn, 0));
	assert_true(turn_is_missing(turn, 1));
	note(&turn, 2, RECORD_OK, RECORD_INTERFERED);
	assert_false(turn_is_missing(turn, 1));
	assert_true(turn_is_missing(turn, 2));
	note(&turn, 3, RECORD_OK, 0);
	assert_false(turn_is_missing(turn, 2));
	/* A warm-up doesn't count, and the number can't run over. */
	turn = 0;
	note(&turn, 1, RECORD_OK, RECORD_INTERFERED | RECORD_WARMUP);
	assert_int_equal(turn_nr_interfered(turn), 0);
	for (i = 1; i < 1000; i++)
		note(&turn, i, RECORD_OK, RECORD_INTERFERED);
	assert_int_equal(turn_nr_interfered(turn), GRID_MAX_REPEAT + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_stands),
		cmocka_unit_test(test_last_attempt_counts),
		cmocka_unit_test(test_interference),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
