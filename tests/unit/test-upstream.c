// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of programs of others: found exactly once, as asked for, numbers plain. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "benchmarks/upstream.h"
#include "lib/err.h"

static void assert_says(const struct err *err, const char *reason)
{
	if (!strstr(err->text, reason))
		fail_msg("'%s' is not in '%s'", reason, err->text);
}

static void number_is_read_between_its_ends(void **state)
{
	static const struct {
		const char *out, *prefix, *suffix;
		size_t nr_decimals;
		double value;
	} cases[] = {
		{ "Time: 0.123\n", "Time: ", "", 3, 0.123 },
		{ "Time: 0.123", "Time: ", "", 3, 0.123 },
		{ "a\n\n  Total time: 12.500 [sec] \r\nb\n", "Total time: ", " [sec]", 3,
		  12.5 },
		{ "  26.700200 usecs/op\n\n  37452 ops/sec\n", "", " usecs/op", 6,
		  26.7002 },
		{ "  26.700200 usecs/op\n\n  37452 ops/sec\n", "", " ops/sec", 0, 37452 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = { 0 };
		const struct upstream upstream = { cases[i].out, strlen(cases[i].out),
						   &err };
		double value = 0;

		if (upstream_number(&upstream, cases[i].prefix, cases[i].suffix,
				    cases[i].nr_decimals, &value))
			fail_msg("%s", err.text);
		assert_true(value == cases[i].value);
	}
}

static void number_that_is_not_plain_is_refused(void **state)
{
	static const char *const bad[] = {
		"",	      "1",	     "1.00",	  "1.0000",
		"1,000",      "1.000,0",     ".000",	  "1.",
		"-1.000",     "+1.000",	     "01.000",	  " 1.000",
		"1e3",	      "nan",	     "inf",	  "0x1.000",
		"1.00x",      "1.000 1.000", "1 000.000", "1111111111111111.000",
		"1.0001.000",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct err err = { 0 };
		struct upstream upstream = { .err = &err };
		char out[100];
		double value = -1;

		upstream.len = (size_t)snprintf(out, sizeof(out), "Time:%s s\n", bad[i]);
		upstream.out = out;
		if (!upstream_number(&upstream, "Time:", " s", 3, &value))
			fail_msg("'%s' was taken as %g", bad[i], value);
		assert_int_equal(err.code, -EPROTO);
		assert_true(value == -1);
	}
}

static void line_must_be_there_exactly_once(void **state)
{
	static const struct {
		const char *out, *reason;
	} cases[] = {
		{ "", "printed nothing" },
		{ "\n", "no line 'Time: ' in the output" },
		{ "time: 1.000\n", "no line 'Time: '" },
		{ "the Time: 1.000\n", "no line 'Time: '" },
		{ "Time: 1.000\nTime: 1.000\n", "2 lines 'Time: ' in the output" },
		{ "Time: 1.000\nx\nTime: x\nTime: 2.000", "3 lines 'Time: '" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = { 0 };
		const struct upstream upstream = { cases[i].out, strlen(cases[i].out),
						   &err };
		double value;

		assert_int_equal(upstream_number(&upstream, "Time: ", "", 3, &value),
				 -EPROTO);
		assert_says(&err, cases[i].reason);
	}
}

static void bytes_behind_a_nul_are_not_overlooked(void **state)
{
	static const char out[] = "Time: 1.000\n\0Time: 2.000\n";
	struct err err = { 0 };
	const struct upstream upstream = { out, sizeof(out) - 1, &err };
	double value;

	(void)state;
	assert_int_equal(upstream_number(&upstream, "Time: ", "", 3, &value), -EPROTO);
	assert_says(&err, "NUL");
}

static void line_must_say_what_was_asked_for(void **state)
{
	static const char out[] = "Running 4 groups\n  # 4 run\n# 4 per x\n";
	struct err err = { 0 };
	const struct upstream upstream = { out, sizeof(out) - 1, &err };

	(void)state;
	assert_int_equal(upstream_says(&upstream, "Running ", "", "Running %d groups", 4),
			 0);
	assert_int_equal(upstream_says(&upstream, "# ", " run", "# 4 run"), 0);
	assert_int_equal(upstream_says(&upstream, "Running ", "", "Running %d groups", 7),
			 -EPROTO);
	assert_says(&err,
		    "asked for 'Running 7 groups', the program said 'Running 4 groups'");
	err = (struct err){ 0 };
	assert_int_equal(upstream_says(&upstream, "# ", "", "# 4 run"), -EPROTO);
	assert_says(&err, "2 lines");
	err = (struct err){ 0 };
	assert_int_equal(upstream_says(&upstream, "Running", "", "Running 4 group"),
			 -EPROTO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(number_is_read_between_its_ends),
		cmocka_unit_test(number_that_is_not_plain_is_refused),
		cmocka_unit_test(line_must_be_there_exactly_once),
		cmocka_unit_test(bytes_behind_a_nul_are_not_overlooked),
		cmocka_unit_test(line_must_say_what_was_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
