// SPDX-License-Identifier: GPL-2.0-or-later
/* lib/clock: a clock that doesn't run backwards, dates and spans for people. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "lib/clock.h"

static void test_clock_ns(void **state)
{
	struct timespec now;
	uint64_t last = clock_ns();
	int i;

	(void)state;
	for (i = 0; i < 1000; i++) {
		uint64_t next = clock_ns();

		assert_true(next >= last);
		last = next;
	}
	assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &now), 0);
	assert_true((uint64_t)now.tv_sec * CLOCK_SEC + (uint64_t)now.tv_nsec >= last);
	assert_true((uint64_t)now.tv_sec <= last / CLOCK_SEC + 60);
}

static void test_clock_date(void **state)
{
	static const char *const zones[] = { "UTC", "XXX-14", "XXX12" };
	char date[CLOCK_DATE_SIZE];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(zones) / sizeof(zones[0]); i++) {
		time_t before, then;
		struct tm utc = { 0 };
		const char *rest;

		assert_int_equal(setenv("TZ", zones[i], 1), 0);
		tzset();
		before = time(NULL);
		clock_date(date);
		assert_int_equal(strlen(date), strlen("2026-12-01T02:00:00.123Z"));
		rest = strptime(date, "%Y-%m-%dT%H:%M:%S", &utc);
		assert_non_null(rest);
		assert_int_equal(rest[0], '.');
		assert_int_equal(strspn(rest + 1, "0123456789"), 3);
		assert_string_equal(rest + 4, "Z");
		then = timegm(&utc);
		assert_true(then >= before && then <= before + 60);
	}
	assert_int_equal(unsetenv("TZ"), 0);
	tzset();
}

static void test_clock_span(void **state)
{
	static const struct {
		uint64_t ns;
		const char *span;
	} cases[] = {
		{ 0, "0ms" },
		{ 999999, "0ms" },
		{ 850 * UINT64_C(1000000), "850ms" },
		{ CLOCK_SEC - 1, "999ms" },
		{ CLOCK_SEC, "1.0s" },
		{ 12 * CLOCK_SEC + 300000000, "12.3s" },
		{ 60 * CLOCK_SEC - 1, "59.9s" },
		{ 60 * CLOCK_SEC, "1min00s" },
		{ 245 * CLOCK_SEC, "4min05s" },
		{ 3600 * CLOCK_SEC - 1, "59min59s" },
		{ 3600 * CLOCK_SEC, "1h00min" },
		{ (3 * 3600 + 7 * 60 + 59) * CLOCK_SEC, "3h07min" },
		{ 1000 * 3600 * CLOCK_SEC, "1000h00min" },
		{ UINT64_MAX, "5124095h34min" },
	};
	char span[CLOCK_SPAN_SIZE];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		clock_span(cases[i].ns, span);
		assert_string_equal(span, cases[i].span);
	}
}

static void test_clock_left(void **state)
{
	const uint64_t long_ns = 100 * CLOCK_SEC + 5;
	struct timespec left = { .tv_sec = 7 };

	(void)state;
	assert_false(clock_left(clock_ns(), &left));
	assert_true(left.tv_sec == 0 && left.tv_nsec == 0);
	assert_true(clock_left(clock_ns() + long_ns, &left));
	assert_in_range(left.tv_nsec, 0, CLOCK_SEC - 1);
	assert_in_range((uint64_t)left.tv_sec * CLOCK_SEC + (uint64_t)left.tv_nsec,
			CLOCK_SEC, long_ns);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clock_ns),
		cmocka_unit_test(test_clock_date),
		cmocka_unit_test(test_clock_span),
		cmocka_unit_test(test_clock_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
