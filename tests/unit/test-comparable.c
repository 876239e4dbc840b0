// SPDX-License-Identifier: GPL-2.0-or-later
/* Which columns are refused, and what the sentences name. */
#include "tests/unit/compare-records.h"

#include <errno.h>
#include <stdlib.h>

#include "compare/comparable.h"

static void finish(struct table *table)
{
	struct err err = { 0 };

	if (table_finish(table, NULL, NULL, &err))
		fail_msg("%s", err.text);
}

/* Refused with all of @parts, ended by NULL, in the sentence; noted when forced. */
static void assert_refused(struct table *table, const char *const *parts)
{
	struct err err = { 0 };
	size_t i;

	finish(table);
	assert_int_equal(comparable_check(table, false, &err), -EINVAL);
	assert_int_equal(table->nr_notes, 0);
	assert_non_null(strstr(err.text, "--force"));
	assert_int_equal(comparable_check(table, true, NULL), 0);
	assert_int_equal(table->nr_notes, 1);
	for (i = 0; parts[i]; i++) {
		if (!strstr(err.text, parts[i]) || !strstr(table->notes[0], parts[i]))
			fail_msg("'%s' is not in '%s' and '%s'", parts[i], err.text,
				 table->notes[0]);
	}
	table_free(table);
}

#define refused(table, ...) \
	assert_refused((table), (const char *const[]){ __VA_ARGS__, NULL })

static void assert_comparable(struct table *table)
{
	struct err err = { 0 };

	finish(table);
	if (comparable_check(table, false, &err))
		fail_msg("%s", err.text);
	assert_int_equal(table->nr_notes, 0);
	table_free(table);
}

static void test_programs(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .column = "a", .point = "{\"n\":1}", .program = "native",
	    .version = "0.1");
	add(table, .column = "b", .point = "{\"n\":1}", .program = "native",
	    .version = "0.2");
	add(table, .column = "a", .point = "{\"n\":2}", .program = "native",
	    .version = "0.1");
	add(table, .column = "b", .point = "{\"n\":2}", .program = "native",
	    .version = "0.2");
	refused(table, "hackbench-process-pipes", "'a' and 'b'", "native 0.1",
		"native 0.2");

	table = table_new();
	add(table, .column = "a", .program = "native", .sha256 = "0123456789abcdef");
	add(table, .column = "b", .program = "native", .sha256 = "0123456789abcdee");
	refused(table, "0123456789abcdef", "0123456789abcdee");

	/* A program that was rebuilt half-way. */
	table = table_new();
	add(table, .iteration = 1, .program = "native", .version = "0.1");
	add(table, .iteration = 2, .program = "native", .version = "0.2");
	refused(table, "in column 'base'", "native 0.1", "native 0.2");
}

static void test_unknown_programs(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .column = "a", .program = "native", .version = "0.1", .sha256 = "01");
	add(table, .column = "b", .program = "native");
	add(table, .column = "c");
	add(table, .column = "a", .variant = "other", .program = "perf");
	/* What gave no number has no say. */
	add(table, .column = "d", .program = "perf", .status = RECORD_FAILED);
	assert_comparable(table);
}

static void test_machines(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .column = "a", .machine = "m1");
	add(table, .column = "b", .machine = "m2");
	refused(table, "unlike machines", "'a' and 'b'", "'m1'", "'m2'");

	table = table_new();
	add(table, .column = "a", .machine = "m1");
	add(table, .column = "b");
	add(table, .column = "b", .variant = "other", .machine = "m2");
	assert_comparable(table);
}

/* Two machines of one name. */
static void test_hardware(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .column = "a", .boot = "b1", .machine = "m");
	add(table, .column = "b", .boot = "b2", .machine = "m");
	add_host(table, "b1", "{\"cpu_model\":\"one\",\"topology\":{\"cpus\":4}}");
	add_host(table, "b2", "{\"cpu_model\":\"one\",\"topology\":{\"cpus\":8}}");
	refused(table, "'m' (one", "\"cpus\":4", "\"cpus\":8");

	table = table_new();
	add(table, .column = "a", .boot = "b1", .machine = "m");
	add(table, .column = "b", .boot = "b2", .machine = "m");
	add_host(table, "b1", "{\"topology\":{\"cpus\":4,\"allowed\":\"0-3\"}}");
	add_host(table, "b2", "{\"topology\":{\"cpus\":4,\"allowed\":\"0\"}}");
	assert_comparable(table);
}

static void test_BL_003_two_builds_of_one_release(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .boot = "b1");
	add(table, .boot = "b2");
	add_host(table, "b1",
		 "{\"kernel\":{\"release\":\"6.1.0\",\"version\":\"#1 SMP\"}}");
	add_host(table, "b2",
		 "{\"kernel\":{\"release\":\"6.1.0\",\"version\":\"#2 SMP\"}}");
	refused(table, "two kernels in column 'base'", "6.1.0 #1 SMP", "6.1.0 #2 SMP");

	table = table_new();
	add(table, .boot = "b1");
	add(table, .boot = "b2");
	add_host(table, "b1", "{\"kernel\":{\"release\":\"6.1.0\",\"build_id\":\"aa\"}}");
	add_host(table, "b2", "{\"kernel\":{\"release\":\"6.1.0\",\"build_id\":\"bb\"}}");
	refused(table, "build id aa", "build id bb");

	/* Two boots of one build, and another column with another. */
	table = table_new();
	add(table, .boot = "b1");
	add(table, .boot = "b2");
	add(table, .column = "wake", .boot = "b3");
	add_host(table, "b1", "{\"kernel\":{\"release\":\"6.1.0\",\"build_id\":\"aa\"}}");
	add_host(table, "b2", "{\"kernel\":{\"release\":\"6.1.0\"}}");
	add_host(table, "b3", "{\"kernel\":{\"release\":\"6.2.0\",\"build_id\":\"bb\"}}");
	assert_comparable(table);
}

static void test_parameters(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .column = "a", .point = "{\"groups\":4}",
	    .parameters = "{\"groups\":4,\"loops\":100,\"fds\":20}");
	add(table, .column = "b", .point = "{\"groups\":4}",
	    .parameters = "{\"groups\":4,\"loops\":1000,\"fds\":20}");
	refused(table, "hackbench-process-pipes at groups=4", "'a' and 'b'",
		": loops=100 and loops=1000");
}

static void test_parameters_on_purpose(void **state)
{
	static const char *const loops[] = { "{\"loops\":100}", "{\"loops\":1000}" };
	struct table *table = table_new();
	size_t i;

	(void)state;
	/* Both values in the same column: they are two sections. */
	for (i = 0; i < 2; i++) {
		add(table, .column = "a", .cell = loops[i], .parameters = loops[i]);
		add(table, .column = "b", .cell = loops[i], .parameters = loops[i]);
	}
	/* Other points. */
	add(table, .column = "a", .variant = "v", .point = "{\"g\":1}",
	    .parameters = "{\"g\":1,\"loops\":1}");
	add(table, .column = "b", .variant = "v", .point = "{\"g\":2}",
	    .parameters = "{\"g\":2,\"loops\":2}");
	assert_comparable(table);
}

static void test_two_cells_in_one_place(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .point = "{\"groups\":4}", .cell = "1111");
	table_next_run(table);
	add(table, .point = "{\"groups\":4}", .cell = "2222");
	refused(table, "column 'base'", "groups=4", "1111 and 2222");

	table = table_new();
	add(table, .cell = "1111");
	table_next_run(table);
	add(table, .cell = "1111");
	assert_comparable(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_programs),
		cmocka_unit_test(test_unknown_programs),
		cmocka_unit_test(test_machines),
		cmocka_unit_test(test_hardware),
		cmocka_unit_test(test_BL_003_two_builds_of_one_release),
		cmocka_unit_test(test_parameters),
		cmocka_unit_test(test_parameters_on_purpose),
		cmocka_unit_test(test_two_cells_in_one_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
