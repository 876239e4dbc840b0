// SPDX-License-Identifier: GPL-2.0-or-later
/* Values that only the machine tells: how a grid writes them, and what they come to. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/err.h"
#include "runner/grid.h"
#include "runner/ladder.h"
#include "runner/plan_sweep.h"

static const struct ladder_machine machine_of_4 = { 4, 1, 4, 4, 1, 1 };
static const struct ladder_machine machine_of_16 = { 16, 2, 8, 8, 2, 2 };

#define ENTRY(parameters) "  - {workload: hackbench, parameters: {" parameters "}}\n"

static int load(const char *workloads, struct grid **ret, struct err *err)
{
	char path[] = "/tmp/schedgrid-sweep-XXXXXX";
	int fd = mkstemp(path);
	int bad;

	assert_true(fd >= 0);
	assert_true(dprintf(fd,
			    "schema: schedgrid-grid-1\nname: t\ncolumns: [{name: a}]\n"
			    "workloads:\n%s",
			    workloads) > 0);
	(void)close(fd);
	bad = grid_load(path, ret, err);
	(void)unlink(path);
	return bad;
}

static struct grid *accept(const char *workloads)
{
	struct grid *grid = NULL;
	struct err err = { 0 };

	if (load(workloads, &grid, &err))
		fail_msg("%s", err.text);
	return grid;
}

static void refuse(const char *workloads, const char *expected)
{
	struct grid *grid = NULL;
	struct err err = { 0 };

	if (load(workloads, &grid, &err) != -EINVAL)
		fail_msg("accepted: %s", workloads);
	if (!strstr(err.text, expected))
		fail_msg("%s\nnot: %s", err.text, expected);
}

static size_t idx_of(const struct plan_sweep *sweep, const char *name)
{
	const struct bench_param *params = sweep->entry->base.ops->params;
	size_t i = 0;

	while (strcmp(params[i].name, name) != 0)
		i++;
	return i;
}

static void check_values(const struct plan_sweep *sweep, const char *name,
			 const char *expected)
{
	size_t idx = idx_of(sweep, name);
	char text[500] = "";
	size_t len = 0;
	size_t i;

	for (i = 0; i < sweep->nr[idx]; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%ju",
					i ? " " : "",
					(uintmax_t)sweep->values[idx][i].number);
	assert_string_equal(text, expected);
}

static void values_as_written_are_lent(void **state)
{
	struct grid *grid = accept(ENTRY("groups: [7, 1], size: 8"));
	struct plan_sweep sweep = { 0 };

	(void)state;
	assert_int_equal(plan_sweep_init(&grid->workloads[0], &machine_of_4, &sweep), 0);
	check_values(&sweep, "groups", "7 1");
	check_values(&sweep, "size", "8");
	assert_ptr_equal(sweep.values[0], grid->workloads[0].sweep[0].values);
	assert_int_equal(plan_sweep_rows(&sweep), 2);
	plan_sweep_release(&sweep);
	assert_null(sweep.entry);
	grid_free(grid);
}

static void percentages_are_of_the_cpus_and_each_number_once(void **state)
{
	struct grid *grid = accept(ENTRY("groups: [1, 25%, 50%, 4, 100%, 1600%]"));
	struct plan_sweep sweep = { 0 };

	(void)state;
	assert_int_equal(plan_sweep_init(&grid->workloads[0], &machine_of_16, &sweep), 0);
	check_values(&sweep, "groups", "1 4 8 16 256");
	plan_sweep_release(&sweep);
	assert_int_equal(plan_sweep_init(&grid->workloads[0], &machine_of_4, &sweep), 0);
	check_values(&sweep, "groups", "1 2 4 64");
	plan_sweep_release(&sweep);
	grid_free(grid);
	/* One percentage is one value, and no further than the parameter goes. */
	grid = accept(ENTRY("groups: 100000%, fds: 100000%"));
	assert_int_equal(plan_sweep_init(&grid->workloads[0], &machine_of_16, &sweep), 0);
	check_values(&sweep, "groups", "5000");
	check_values(&sweep, "fds", "1000");
	assert_false(grid->workloads[0].sweep[0].is_list);
	plan_sweep_release(&sweep);
	grid_free(grid);
}

static void ladders_become_their_rungs(void **state)
{
	struct grid *grid =
		accept(ENTRY("groups: {ladder: mmtests-2016}, loops: [10, 20]"));
	struct plan_sweep sweep = { 0 };

	(void)state;
	assert_true(grid->workloads[0].sweep[0].is_list);
	assert_int_equal(plan_sweep_init(&grid->workloads[0], &machine_of_4, &sweep), 0);
	check_values(&sweep, "groups", "1 3 5 7 12 16");
	assert_int_equal(plan_sweep_rows(&sweep), 12);
	plan_sweep_release(&sweep);
	grid_free(grid);
	grid = accept(ENTRY("groups: {ladder: mmtests, max: 20}"));
	assert_int_equal(plan_sweep_init(&grid->workloads[0], &machine_of_16, &sweep), 0);
	check_values(&sweep, "groups", "1 2 3 5 6 8 12 16 20");
	plan_sweep_release(&sweep);
	grid_free(grid);
}

/* What LKP does: 30000 loops at 100 % of the CPUs, a sixteenth of it at 1600 %. */
static void work_for_each_cpu_follows_the_groups(void **state)
{
	struct grid *grid =
		accept(ENTRY("groups: [100%, 1600%], loops: {per-cpu: 30000}"));
	struct plan_sweep sweep = { 0 };
	struct workload workload;
	size_t i;

	(void)state;
	assert_int_equal(plan_sweep_init(&grid->workloads[0], &machine_of_16, &sweep), 0);
	assert_int_equal(plan_sweep_rows(&sweep), 2);
	for (i = 0; i < 2; i++) {
		workload = grid->workloads[0].base;
		workload_set(&workload, "groups",
			     sweep.values[idx_of(&sweep, "groups")][i].number);
		workload_set(&workload, "loops",
			     sweep.values[idx_of(&sweep, "loops")][0].number);
		plan_sweep_share(&sweep, &machine_of_16, &workload);
		assert_int_equal(workload_uint(&workload, "loops"), i ? 1875 : 30000);
		assert_int_equal(workload_uint(&workload, "groups"), i ? 256 : 16);
	}
	plan_sweep_release(&sweep);
	grid_free(grid);
}

static void mistakes_are_refused_where_they_are(void **state)
{
	(void)state;
	refuse(ENTRY("groups: {ladder: mmtest}"),
	       ":5:57: unknown ladder 'mmtest'; expected one of mmtests, mmtests-2016, "
	       "mmtests-stream; did you mean 'mmtests'?");
	refuse(ENTRY("groups: {ladder: mmtests, step: 2}"),
	       ":5:66: unknown key 'step' in the ladder; expected one of ladder, max");
	refuse(ENTRY("groups: {ladder: [mmtests]}"), "expected the name of a ladder");
	refuse(ENTRY("groups: {ladder: mmtests, max: 0}"),
	       "groups: '0' is out of range (expected 1 to 5000)");
	refuse(ENTRY("groups: {max: 3}"),
	       "expected a value, a list of values, {ladder: NAME} or {per-cpu: NUMBER}");
	refuse(ENTRY("groups: [{ladder: mmtests}]"),
	       "expected groups, a whole number of 1 to 5000, not a mapping");
	refuse(ENTRY("groups: {per-cpu: 3}"),
	       ":5:48: groups: 'per-cpu' is work that the rows' tasks share");
	refuse(ENTRY("loops: {per-cpu: 3, ladder: mmtests}"),
	       "unknown key 'ladder' in the value; expected per-cpu");
	refuse(ENTRY("loops: {per-cpu: 10%}"), "is not a whole number");
	refuse(ENTRY("groups: 0%"),
	       "groups: '0%' is not a percentage of the CPUs (expected 1% to 100000%)");
	refuse(ENTRY("groups: 12.5%"), "is not a percentage of the CPUs");
	refuse(ENTRY("groups: '%'"), "is not a whole number");
	refuse(ENTRY("groups: 99999999999999999999999999%"),
	       "is not a percentage of the CPUs");
	refuse(ENTRY("groups: [50%, 1, 50%]"),
	       "groups: '50%' is in the list already, at 5:49");
	refuse("  - {workload: 'null', parameters: {script: {ladder: mmtests}}}\n",
	       "expected a value or a list of values, not a mapping");
	/* For a text it is no percentage. */
	grid_free(accept("  - {workload: 'null', parameters: {script: [50%, '1']}}\n"));
}

static void rows_that_may_be_the_same_are_refused(void **state)
{
	(void)state;
	refuse(ENTRY("groups: {ladder: mmtests}") ENTRY("groups: {ladder: mmtests}"),
	       ":6:5: this workload repeats a cell of the one at 5:5");
	refuse(ENTRY("groups: [50%]") ENTRY("groups: [50%]"), "repeats a cell");
	refuse(ENTRY("groups: {ladder: mmtests}") ENTRY("groups: [1], loops: 7"),
	       ":6:5: this workload may have the same rows as the one at 5:5 but another "
	       "'loops'");
	refuse(ENTRY("groups: 3, size: 50%") ENTRY("groups: 3, size: 8"),
	       "has the same rows as the one at 5:5 but another 'size'");
	/* Equal cells, if it comes to them, are found on the machine. */
	grid_free(accept(ENTRY("groups: {ladder: mmtests}") ENTRY("groups: [3000]")));
	grid_free(accept(ENTRY("groups: [50%]") ENTRY("groups: [25%]")));
	grid_free(accept(ENTRY("groups: {ladder: mmtests}, loops: [7]")
				 ENTRY("groups: [1], loops: [8]")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_as_written_are_lent),
		cmocka_unit_test(percentages_are_of_the_cpus_and_each_number_once),
		cmocka_unit_test(ladders_become_their_rungs),
		cmocka_unit_test(work_for_each_cpu_follows_the_groups),
		cmocka_unit_test(mistakes_are_refused_where_they_are),
		cmocka_unit_test(rows_that_may_be_the_same_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
