// SPDX-License-Identifier: GPL-2.0-or-later
/* When a run that a precision ends stops, and what it says. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/clock.h"
#include "lib/json.h"
#include "runner/grid.h"
#include "runner/until.h"

static const struct grid grid_1 = {
	.iterations = 40,
	.until = { .halfwidth = 0.01, .budget_ns = 60 * CLOCK_SEC },
};

static enum until_stop decide(uint64_t nr_blocks, uint64_t spent_sec, double halfwidth)
{
	const struct until_state state = { nr_blocks, spent_sec * CLOCK_SEC };
	const struct until_width width = { halfwidth, isnan(halfwidth) ? 0 : 3, "row" };

	return until_decide(&grid_1, &state, &width);
}

static void test_reached(void **state)
{
	(void)state;
	assert_int_equal(decide(17, 10, 0.01), UNTIL_REACHED);
	assert_int_equal(decide(17, 10, 0.0100001), UNTIL_GO_ON);
	/* Intervals of so few are luck. */
	assert_int_equal(decide(4, 1, 0.001), UNTIL_GO_ON);
	assert_int_equal(decide(5, 1, 0.001), UNTIL_REACHED);
	assert_int_equal(decide(0, 0, (double)NAN), UNTIL_GO_ON);
	/* The precision counts where a limit is reached, too. */
	assert_int_equal(decide(40, 90, 0.01), UNTIL_REACHED);
}

static void test_limits(void **state)
{
	(void)state;
	assert_int_equal(decide(40, 1, 0.02), UNTIL_MOST);
	assert_int_equal(decide(39, 1, 0.02), UNTIL_GO_ON);
	assert_int_equal(decide(39, 1, (double)NAN), UNTIL_GO_ON);
	assert_int_equal(decide(39, 1, (double)INFINITY), UNTIL_GO_ON);
	/* A block takes 10 s: after 50 s there is room for one, after 51 s for none. */
	assert_int_equal(decide(5, 50, 0.02), UNTIL_GO_ON);
	assert_int_equal(decide(5, 51, 0.02), UNTIL_BUDGET);
	assert_int_equal(decide(1, 31, 0.02), UNTIL_BUDGET);
}

static void test_no_budget(void **state)
{
	const struct grid grid = { .iterations = 40, .until = { .halfwidth = 0.01 } };
	const struct until_state late = { 5, 1000 * CLOCK_SEC };
	const struct until_width width = { 0.02, 1, "row" };

	(void)state;
	assert_int_equal(until_decide(&grid, &late, &width), UNTIL_GO_ON);
}

static void assert_sentence(enum until_stop stop, const struct until_width *width,
			    const char *expected)
{
	const struct until_state state = { 17, 17 * CLOCK_SEC };
	char *text = until_sentence(&grid_1, &state, width, stop);

	assert_non_null(text);
	assert_string_equal(text, expected);
	free(text);
}

static void test_sentences(void **state)
{
	const struct until_width width = { 0.0163, 3, "hackbench groups=4 time, wake" };
	const struct until_width none = { (double)NAN, 0, "" };
	const struct until_width open = { (double)INFINITY, 3, "chat rooms=2 rate, b" };

	(void)state;
	assert_sentence(UNTIL_REACHED, &width,
			"half-width 1% reached after 17 of at most 40 iterations");
	assert_sentence(UNTIL_MOST, &width,
			"half-width 1% not reached after 17 iterations, the most: it is "
			"1.6% in hackbench groups=4 time, wake");
	assert_sentence(UNTIL_BUDGET, &open,
			"half-width 1% not reached within 1min00s, after 17 of at most "
			"40 iterations: chat rooms=2 rate, b has no interval");
	assert_sentence(UNTIL_MOST, &none,
			"half-width 1% not reached after 17 iterations, the most: no row "
			"has numbers in two columns");
}

static char *forecast(uint64_t nr_blocks, uint64_t spent_sec, double halfwidth)
{
	const struct until_state state = { nr_blocks, spent_sec * CLOCK_SEC };
	const struct until_width width = { halfwidth, 1, "chat rooms=2 rate, b" };
	char *text = NULL;

	assert_int_equal(until_forecast(&grid_1, &state, &width, &text), 0);
	return text;
}

static void test_forecast(void **state)
{
	char *text;

	(void)state;
	/* Too early, reachable, just reachable, doubtful. */
	assert_null(forecast(4, 4, 0.5));
	assert_null(forecast(10, 10, 0.01));
	assert_null(forecast(10, 10, 0.02));
	assert_null(forecast(5, 5, 0.0399));
	assert_null(forecast(10, 10, (double)INFINITY));
	text = forecast(10, 10, 0.04);
	assert_non_null(text);
	assert_string_equal(text,
			    "half-width 1% can't be reached: chat rooms=2 rate, b would "
			    "need about 160 iterations, and there is room for 40, which "
			    "come to about 2%");
	free(text);
	/* 3 s a block: the budget has room for 20. */
	text = forecast(10, 30, 0.02);
	assert_non_null(text);
	assert_string_equal(text,
			    "half-width 1% can't be reached: chat rooms=2 rate, b would "
			    "need about 40 iterations, and there is room for 20, which "
			    "come to about 1.4%");
	free(text);
}

static void test_json(void **state)
{
	struct jval *json = until_json(&grid_1);
	char *text = jval_write(json, JVAL_LINE);

	(void)state;
	assert_string_equal(text,
			    "{\"halfwidth\":0.01,\"max\":40,\"budget_ns\":60000000000}");
	free(text);
	jval_free(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reached),	  cmocka_unit_test(test_limits),
		cmocka_unit_test(test_no_budget), cmocka_unit_test(test_sentences),
		cmocka_unit_test(test_forecast),  cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
