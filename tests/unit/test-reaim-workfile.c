// SPDX-License-Identifier: GPL-2.0-or-later
/* Workfiles of reaim: grammar, places of faults, and how many jobs they make. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "benchmarks/reaim/mixes.h"
#include "benchmarks/reaim/share.h"

static void read_good(const char *text, struct workfile *ret)
{
	struct workfile_fault fault;

	if (workfile_read(text, strlen(text), ret, &fault))
		fail_msg("%u:%u: %s", fault.line, fault.column, fault.text);
}

static int test_of(const char *name)
{
	int test = reaim_test_find(name, strlen(name));

	assert_true(test >= 0);
	return test;
}

static void lines_are_weights_sizes_comments_or_nothing(void **state)
{
	static const char text[] = "# mine\n\n  20 add_short # fast\nFILESIZE: 80k\r\n"
				   "\t3\tfork_test\t\npoolSize:2M\n#end";
	struct workfile workfile;

	(void)state;
	read_good(text, &workfile);
	assert_int_equal(workfile.total_weight, 23);
	assert_int_equal(workfile.weight[test_of("add_short")], 20);
	assert_int_equal(workfile.weight[test_of("fork_test")], 3);
	assert_int_equal(workfile.file_kib, 80);
	assert_int_equal(workfile.pool_kib, 2048);
	read_good("1 sieve", &workfile);
	assert_int_equal(workfile.file_kib, 0);
	assert_true(workfile.pool_kib == UINT64_MAX);
	read_good("1 sieve\nPOOLSIZE: 0K\n", &workfile);
	assert_int_equal(workfile.pool_kib, 0);
}

static void wrong_line_is_refused_with_its_place(void **state)
{
	static const struct {
		const char *text;
		unsigned int line, column;
		const char *reason;
	} cases[] = {
		{ "", 0, 0, "no test in it" },
		{ "# only\nFILESIZE: 1K\n", 0, 0, "no test in it" },
		{ "1 sieve\n2 sift\n", 2, 3, "unknown test 'sift'" },
		{ "1 sieve\n2 add\n", 2, 3, "unknown test 'add'" },
		{ "1 sieve\n\n 2 sieve\n", 3, 4, "a weight already of 'sieve'" },
		{ "sieve 1\n", 1, 1, "expected a weight and a test" },
		{ "-1 sieve\n", 1, 1, "expected a weight and a test" },
		{ "0 sieve\n", 1, 1, "from 1 to 1000000" },
		{ "01 sieve\n", 1, 1, "from 1 to 1000000" },
		{ "1000001 sieve\n", 1, 1, "from 1 to 1000000" },
		{ "99999999999999999999999 sieve\n", 1, 1, "from 1 to 1000000" },
		{ "1.5 sieve\n", 1, 2, "a space and a test behind the weight" },
		{ "1\n", 1, 2, "a space and a test behind the weight" },
		{ "1 # sieve\n", 1, 3, "a space and a test behind the weight" },
		{ "1 sieve 2\n", 1, 9, "nothing goes behind a test" },
		{ "1 sieve\nFILESIZE: 10\n", 2, 13, "expected K or M" },
		{ "1 sieve\nFILESIZE: 0K\n", 2, 11, "from 1 to 1048576" },
		{ "1 sieve\nFILESIZE: 1025M\n", 2, 15, "1024M at most" },
		{ "1 sieve\nFILESIZE: 1K 2\n", 2, 14, "nothing goes behind a size" },
		{ "1 sieve\nFILESIZE 1K\n", 2, 1, "expected a weight and a test" },
		{ "1 sieve\nJOBS: 3\n", 2, 1, "not 'JOBS:'" },
		{ "1 \x1b[31m\n", 1, 3, "unknown test ''" },
	};
	struct workfile_fault fault;
	struct workfile workfile;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (!workfile_read(cases[i].text, strlen(cases[i].text), &workfile,
				   &fault))
			fail_msg("'%s' was taken", cases[i].text);
		if (!strstr(fault.text, cases[i].reason))
			fail_msg("'%s' is not in '%s'", cases[i].reason, fault.text);
		if (fault.line != cases[i].line || fault.column != cases[i].column)
			fail_msg("'%s' is refused at %u:%u", cases[i].text, fault.line,
				 fault.column);
	}
}

static void bytes_behind_a_nul_are_not_overlooked(void **state)
{
	static const char text[] = "1 sieve\0\n2 sift\n";
	struct workfile_fault fault;
	struct workfile workfile;

	(void)state;
	assert_int_equal(workfile_read(text, sizeof(text) - 1, &workfile, &fault), -1);
	assert_int_equal(fault.line, 1);
}

static void jobs_of_a_mix_come_to_the_known_sum(void **state)
{
	static const struct {
		const char *mix;
		uint64_t total_weight, jobs;
	} cases[] = {
		{ "five_sec", 220, 99 }, { "all_utime", 170, 102 },
		{ "compute", 820, 101 }, { "dbase", 550, 99 },
		{ "fserver", 595, 101 }, { "shared", 780, 97 },
		{ "short", 340, 102 },	 { "high_systime", 260, 104 },
	};
	struct workfile workfile;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_non_null(reaim_mixes[i].name);
		read_good(reaim_mix_text(cases[i].mix), &workfile);
		assert_int_equal(workfile.total_weight, cases[i].total_weight);
		assert_int_equal(workfile_all_jobs(&workfile, 100), cases[i].jobs);
	}
	assert_null(reaim_mixes[i].name);
	assert_null(reaim_mix_text("own"));
}

static void shares_are_rounded_half_upwards_and_never_to_nothing(void **state)
{
	struct workfile workfile;

	(void)state;
	read_good("1 sieve\n", &workfile);
	assert_int_equal(workfile_all_jobs(&workfile, 100), 100);
	read_good("1 sieve\n3 add_int\n", &workfile);
	assert_int_equal(workfile_jobs(&workfile, test_of("sieve"), 2), 1);
	assert_int_equal(workfile_jobs(&workfile, test_of("add_int"), 2), 2);
	assert_int_equal(workfile_jobs(&workfile, test_of("sieve"), 5), 1);
	assert_int_equal(workfile_jobs(&workfile, test_of("add_int"), 5), 4);
	read_good("1 sieve\n1000000 add_int\n", &workfile);
	assert_int_equal(workfile_jobs(&workfile, test_of("sieve"), 100), 1);
	assert_int_equal(workfile_jobs(&workfile, test_of("add_long"), 100), 0);
	assert_int_equal(workfile_jobs(&workfile, test_of("add_int"), 1000000), 999999);
}

static void sum_tells_contents_apart(void **state)
{
	(void)state;
	assert_true(workfile_sum("1 sieve", 7) == workfile_sum("1 sieve", 7));
	assert_true(workfile_sum("1 sieve", 7) != workfile_sum("2 sieve", 7));
	assert_true(workfile_sum("", 0) > 0);
	/* No more than a double of JSON holds. */
	assert_true(workfile_sum("1 sieve", 7) <= UINT64_C(1) << 53);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_weights_sizes_comments_or_nothing),
		cmocka_unit_test(wrong_line_is_refused_with_its_place),
		cmocka_unit_test(bytes_behind_a_nul_are_not_overlooked),
		cmocka_unit_test(jobs_of_a_mix_come_to_the_known_sum),
		cmocka_unit_test(shares_are_rounded_half_upwards_and_never_to_nothing),
		cmocka_unit_test(sum_tells_contents_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
