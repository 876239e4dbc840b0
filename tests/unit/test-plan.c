// SPDX-License-Identifier: GPL-2.0-or-later
/* The expansion of a grid: cells, identity, order, and what --only matches. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/topo.h"
#include "record/host.h"
#include "runner/grid.h"
#include "runner/plan.h"
#include "runner/select.h"

/* struct machine - a made-up machine: two packages of four CPUs, one LLC each */
struct machine {
	struct topo_cpu cpus[8];
	struct topo topo;
	struct host host;
};

static void machine_init(struct machine *machine)
{
	static char release[] = "6.1";
	static char first_build[] = "#1";
	unsigned int i;

	*machine = (struct machine){ 0 };
	machine->topo.cpus = machine->cpus;
	machine->topo.nr_cpus = 8;
	for (i = 0; i < 8; i++) {
		machine->cpus[i] = (struct topo_cpu){
			i, (int)i, (int)i / 4, (int)i / 4, (int)i / 4,
		};
		assert_int_equal(cpulist_add(&machine->topo.allowed, i), 0);
	}
	machine->host.release = release;
	machine->host.version = first_build;
}

static struct grid *load(const char *columns, const char *workloads)
{
	char path[] = "/tmp/schedgrid-plan-XXXXXX";
	int fd = mkstemp(path);
	struct grid *grid = NULL;
	struct err err = { 0 };

	assert_true(fd >= 0);
	assert_true(dprintf(fd,
			    "schema: schedgrid-grid-1\nname: t\nseed: 7\n"
			    "executor: {type: local}\nrepeat: {iterations: 3}\n"
			    "columns:\n%sworkloads:\n%s",
			    columns, workloads) > 0);
	(void)close(fd);
	if (grid_load(path, &grid, &err))
		fail_msg("%s", err.text);
	(void)unlink(path);
	return grid;
}

static const char two_columns[] = "  - name: all\n  - name: half\n    pin: one-llc\n";
static const char two_sweeps[] = "  - workload: hackbench\n"
				 "    parameters: {groups: [1, 4], loops: [10, 20, 30]}\n"
				 "  - workload: hackbench\n    variant: {task: thread}\n";

static struct plan *build(struct machine *machine, struct grid *grid)
{
	struct plan *plan = NULL;
	struct err err = { 0 };

	/* The programs lie beside the tests' own directory when built. */
	if (plan_build(grid, &machine->topo, &machine->host, &plan, &err))
		fail_msg("%s", err.text);
	return plan;
}

static void release(struct machine *machine, struct grid *grid, struct plan *plan)
{
	plan_free(plan);
	grid_free(grid);
	cpulist_release(&machine->topo.allowed);
}

static void test_plan_build_takes_the_product(void **state)
{
	struct machine machine;
	struct grid *grid = load(two_columns, two_sweeps);
	struct plan *plan;
	char *point;
	char *cpus;
	size_t i, j;

	(void)state;
	machine_init(&machine);
	plan = build(&machine, grid);
	assert_int_equal(plan->nr_rows, 7);
	assert_int_equal(plan->nr_cells, 14);
	assert_int_equal(plan->nr_programs, 1);
	for (i = 0; i < plan->nr_cells; i++) {
		assert_int_equal(plan->cells[i].column, i % 2);
		assert_int_equal(plan->cells[i].row, i / 2);
		assert_int_equal(strlen(plan->cells[i].id), 16);
		for (j = 0; j < i; j++)
			assert_string_not_equal(plan->cells[i].id, plan->cells[j].id);
	}
	point = cell_point(&plan->cells[2]);
	assert_string_equal(point, "groups=1 loops=20");
	free(point);
	/* The axis labels a row even where nothing is swept. */
	point = cell_point(&plan->cells[12]);
	assert_memory_equal(point, "groups=", 7);
	assert_null(strchr(point, ' '));
	free(point);
	cpus = cpulist_write(&plan->cells[1].cpus);
	assert_string_equal(cpus, "0-3");
	free(cpus);
	assert_string_equal(plan->cells[0].variant, "hackbench-process-pipes");
	assert_string_equal(plan->cells[12].variant, "hackbench-thread-pipes");
	release(&machine, grid, plan);
}

static char *first_id(struct machine *machine, const char *columns)
{
	struct grid *grid = load(columns, two_sweeps);
	struct plan *plan = build(machine, grid);
	char *id = strdup(plan->cells[0].id);

	plan_free(plan);
	grid_free(grid);
	return id;
}

static void test_ids_know_the_kernel_and_the_cpus_but_no_label(void **state)
{
	struct machine machine;
	char *id, *renamed, *listed, *pinned, *rebuilt;
	static char second_build[] = "#2";

	(void)state;
	machine_init(&machine);
	id = first_id(&machine, "  - name: a\n");
	renamed = first_id(&machine, "  - name: b\n");
	listed = first_id(&machine, "  - name: a\n    pin: 0-7\n");
	pinned = first_id(&machine, "  - name: a\n    pin: 0-6\n");
	machine.host.version = second_build;
	rebuilt = first_id(&machine, "  - name: a\n");
	assert_string_equal(id, renamed);
	assert_string_equal(id, listed);
	assert_string_not_equal(id, pinned);
	assert_string_not_equal(id, rebuilt);
	free(id);
	free(renamed);
	free(listed);
	free(pinned);
	free(rebuilt);
	cpulist_release(&machine.topo.allowed);
}

static void test_plan_order_interleaves_and_repeats(void **state)
{
	size_t order[14], again[14], other[14];
	bool seen[14] = { false };
	struct machine machine;
	struct grid *grid = load(two_columns, two_sweeps);
	struct plan *plan;
	bool is_swapped = false;
	size_t i;

	(void)state;
	machine_init(&machine);
	plan = build(&machine, grid);
	assert_int_equal(plan_order(plan, 1, order), 0);
	assert_int_equal(plan_order(plan, 1, again), 0);
	assert_int_equal(plan_order(plan, 2, other), 0);
	assert_memory_equal(order, again, sizeof(order));
	assert_memory_not_equal(order, other, sizeof(order));
	for (i = 0; i < 14; i++) {
		assert_false(seen[order[i]]);
		seen[order[i]] = true;
		/* Both columns of a row run right after each other. */
		assert_int_equal(order[i] / 2, order[i - i % 2] / 2);
	}
	for (i = 1; i < 20; i++) {
		assert_int_equal(plan_order(plan, i, order), 0);
		is_swapped |= order[0] % 2 == 1;
	}
	assert_true(is_swapped);
	release(&machine, grid, plan);
}

static void test_select_cell(void **state)
{
	static const struct {
		const char *pattern;
		bool first, last;
	} cases[] = {
		{ "all", true, false },
		{ "half", false, true },
		{ "hackbench", true, true },
		{ "hackbench-process-*", true, false },
		{ "groups=1", true, false },
		{ "loops=10", true, false },
		{ "groups=1 loops=10", true, false },
		{ "all loops=10", true, false },
		{ "half loops=10", false, false },
		{ "hackbench-thread-pipes  half", false, true },
		{ "*/all", true, false },
		{ "hackbench-process-pipes/groups=1 loops=10/all", true, false },
		{ "hack", false, false },
		{ "groups=", false, false },
	};
	struct machine machine;
	struct grid *grid = load(two_columns, two_sweeps);
	struct plan *plan;
	size_t i;

	(void)state;
	machine_init(&machine);
	plan = build(&machine, grid);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *pattern = cases[i].pattern;

		/* The default of groups must not be 1 for this table. */
		if (!strcmp(pattern, "groups=1"))
			continue;
		assert_int_equal(select_cell(&plan->cells[0], grid, pattern),
				 cases[i].first);
		assert_int_equal(select_cell(&plan->cells[13], grid, pattern),
				 cases[i].last);
	}
	assert_true(select_cell(&plan->cells[0], grid, "groups=1"));
	assert_false(select_cell(&plan->cells[6], grid, "groups=1"));
	assert_true(select_cell(&plan->cells[5], grid, plan->cells[5].id));
	release(&machine, grid, plan);
}

static void test_plan_json_and_command(void **state)
{
	struct bench_command command = { 0 };
	struct machine machine;
	struct grid *grid = load(two_columns, two_sweeps);
	struct plan *plan;
	struct jval *json;
	const struct jval *cell;

	(void)state;
	machine_init(&machine);
	plan = build(&machine, grid);
	json = plan_json(plan);
	assert_string_equal(jval_get_text(json, "schema"), "schedgrid-plan-1");
	assert_int_equal(jval_count(jval_get(json, "cells")), 14);
	cell = jval_item(jval_get(json, "cells"), 3);
	assert_string_equal(jval_get_text(cell, "id"), plan->cells[3].id);
	assert_string_equal(jval_get_text(cell, "column"), "half");
	assert_string_equal(jval_get_text(cell, "cpus"), "0-3");
	assert_int_equal(plan_command(&plan->cells[3], 1, &command), 0);
	assert_int_equal(jval_count(jval_get(cell, "command")), command.nr_args);
	assert_string_equal(command.argv[0], "hackbench");
	assert_int_equal(plan_check_commands(plan, NULL), 0);
	bench_command_release(&command);
	jval_free(json);
	release(&machine, grid, plan);
}

/* A column of one program must never be taken for a column of another. */
static void test_program_is_part_of_a_cell(void **state)
{
	struct machine machine;
	struct grid *grid = load("  - name: a\n", "  - workload: hackbench\n"
						  "  - workload: hackbench\n"
						  "    program: rt-tests\n");
	struct plan *plan;
	struct jval *json;
	const struct jval *cells;

	(void)state;
	machine_init(&machine);
	plan = build(&machine, grid);
	assert_int_equal(plan->nr_programs, 2);
	assert_int_equal(plan->cells[1].program, 1);
	assert_string_equal(plan->programs[0].word, "native");
	assert_string_equal(plan->programs[1].word, "rt-tests");
	assert_string_not_equal(plan->cells[0].id, plan->cells[1].id);
	assert_string_not_equal(plan->cells[0].variant, plan->cells[1].variant);
	json = plan_json(plan);
	cells = jval_get(json, "cells");
	assert_string_equal(jval_get_text(jval_item(cells, 1), "program"), "rt-tests");
	jval_free(json);
	release(&machine, grid, plan);
}

/* The same variant and parameters, by a program of the same name: told apart too. */
static void test_ids_know_the_program(void **state)
{
	struct bench_program other = { 0 };
	struct machine machine;
	struct grid *grid = load("  - name: a\n", "  - workload: hackbench\n");
	struct bench_ops ops = *grid->workloads[0].base.ops;
	struct plan *plan;
	char *id;

	(void)state;
	machine_init(&machine);
	plan = build(&machine, grid);
	id = strdup(plan->cells[0].id);
	plan_free(plan);
	other = ops.programs[0];
	other.name = "other";
	ops.programs = &other;
	grid->workloads[0].base.ops = &ops;
	grid->workloads[0].base.program = &other;
	plan = build(&machine, grid);
	assert_string_equal(plan->cells[0].variant, "hackbench-process-pipes");
	assert_string_not_equal(plan->cells[0].id, id);
	free(id);
	release(&machine, grid, plan);
}

static void test_what_is_not_installed_is_skipped(void **state)
{
	struct bench_program missing = { 0 };
	struct machine machine;
	struct grid *grid = load("  - name: a\n", "  - workload: hackbench\n"
						  "    program: rt-tests\n"
						  "  - workload: hackbench\n");
	struct plan *plan;
	struct jval *json;
	const struct jval *program;

	(void)state;
	machine_init(&machine);
	missing = *grid->workloads[0].base.program;
	missing.command = "schedgrid-no-such-program";
	grid->workloads[0].base.program = &missing;
	plan = build(&machine, grid);
	assert_string_equal(plan->cells[0].unfit,
			    "program 'schedgrid-no-such-program' of rt-tests is not "
			    "installed (Debian package rt-tests)");
	assert_null(plan->cells[1].unfit);
	json = plan_json(plan);
	program = jval_item(jval_get(json, "programs"), 0);
	assert_string_equal(jval_get_text(program, "program"), "rt-tests");
	assert_null(jval_get(program, "sha256"));
	assert_null(jval_get(program, "path"));
	jval_free(json);
	release(&machine, grid, plan);
}

static void test_commands_need_a_consent_and_have_an_identity(void **state)
{
	static const char echo[] = "  - workload: exec\n"
				   "    command: [echo, '{n}', '%s']\n"
				   "    parameters: {n: [a b, '2']}\n"
				   "    metrics: [{name: t, unit: s, better: lower, "
				   "regex: '%s'}]\n";
	static const char *const rest[][2] = { { "x", "(.)" },
					       { "y", "(.)" },
					       { "x", "(..)" } };
	char *ids[3];
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		struct machine machine;
		struct err err = { 0 };
		char text[512];
		struct grid *grid;
		struct plan *plan;

		(void)snprintf(text, sizeof(text), echo, rest[i][0], rest[i][1]);
		grid = load("  - name: a\n", text);
		machine_init(&machine);
		plan = build(&machine, grid);
		assert_int_equal(plan->nr_cells, 2);
		ids[i] = strdup(plan->cells[0].id);
		assert_int_equal(plan_check_commands(plan, &err), -ECANCELED);
		assert_non_null(
			strstr(err.text, i == 1 ? "'echo a b y'" : "'echo a b x'"));
		assert_non_null(strstr(err.text, "--allow-exec"));
		release(&machine, grid, plan);
	}
	assert_string_not_equal(ids[0], ids[1]);
	assert_string_not_equal(ids[0], ids[2]);
	for (i = 0; i < 3; i++)
		free(ids[i]);
}

static void expect_refusal(const char *columns, const char *workloads, const char *text)
{
	struct machine machine;
	struct grid *grid = load(columns, workloads);
	struct plan *plan = NULL;
	struct err err = { 0 };

	machine_init(&machine);
	assert_int_equal(plan_build(grid, &machine.topo, &machine.host, &plan, &err),
			 -EINVAL);
	assert_non_null(strstr(err.text, text));
	assert_null(plan);
	release(&machine, grid, NULL);
}

static void test_plan_build_refuses(void **state)
{
	(void)state;
	expect_refusal("  - name: a\n  - name: b\n    pin: 0-7\n", two_sweeps,
		       ":8:5: columns 'a' and 'b' are the same in effect");
	expect_refusal("  - name: a\n    pin: 0-8\n", two_sweeps,
		       ":8:10: pin '0-8': CPU 8 is not online");
	expect_refusal("  - name: a\n", "  - workload: hackbench\n    pin: one-lcl\n",
		       "did you mean 'one-llc'?");
	expect_refusal("  - name: a\n",
		       "  - workload: \"null\"\n    parameters: {script: fial}\n",
		       ":9:5: ");
}

static void test_more_iterations_than_allowed_are_refused(void **state)
{
	struct machine machine;
	struct grid *grid = load(two_columns, two_sweeps);
	struct plan *plan = NULL;
	struct err err = { 0 };

	(void)state;
	machine_init(&machine);
	grid->iterations = PLAN_MAX_ITERATIONS;
	assert_int_equal(plan_build(grid, &machine.topo, &machine.host, &plan, &err),
			 -EINVAL);
	assert_non_null(strstr(err.text, "14 cells"));
	release(&machine, grid, NULL);
}

/* Two caches of 32 MiB, 64 GiB of memory. */
static struct jval *machine_with_caches(struct machine *machine)
{
	static unsigned long long sizes[] = { 32 << 20, 32 << 20 };
	static const char facts[] = "{\"memory\":{\"total_bytes\":68719476736}}";

	machine_init(machine);
	machine->topo.llc_sizes = sizes;
	assert_int_equal(jval_parse(facts, strlen(facts), &machine->host.facts, NULL), 0);
	return machine->host.facts;
}

static uint64_t size_of(const struct cell *cell)
{
	uint64_t size = 0;

	assert_true(jval_uint(jval_get(cell->parameters, "size"), &size));
	assert_true(size == workload_uint(&cell->workload, "size"));
	return size;
}

static void test_open_size_is_one_for_all_columns(void **state)
{
	static const char stream[] = "  - workload: stream\n";
	static const char written[] = "  - workload: stream\n"
				      "    parameters: {size: 33555000}\n";
	static const char small[] = "  - workload: stream\n"
				    "    parameters: {size: [33555000, 4000]}\n";
	struct machine machine;
	struct jval *facts = machine_with_caches(&machine);
	/* The first half has one cache, both columns have two. */
	struct grid *grid = load("  - name: a\n    pin: 0-3\n"
				 "  - name: b\n    pin: 2-5\n",
				 stream);
	struct plan *plan = build(&machine, grid);
	struct bench_command command = { 0 };
	char *id = strdup(plan->cells[0].id);

	(void)state;
	assert_int_equal(size_of(&plan->cells[0]), 33555000);
	assert_int_equal(size_of(&plan->cells[1]), 33555000);
	assert_string_equal(plan->cells[0].remark.text, "");
	assert_int_equal(plan_command(&plan->cells[0], 1, &command), 0);
	assert_string_equal(command.argv[3], "--size=33555000");
	bench_command_release(&command);
	plan_free(plan);
	grid_free(grid);

	/* Alone it has the size of its own cache, and that is another cell. */
	grid = load("  - name: a\n    pin: 0-3\n", stream);
	plan = build(&machine, grid);
	assert_int_equal(size_of(&plan->cells[0]), 16778000);
	assert_string_not_equal(plan->cells[0].id, id);
	plan_free(plan);
	grid_free(grid);

	/* What it comes to may as well have been written. */
	grid = load("  - name: a\n    pin: 0-3\n", written);
	plan = build(&machine, grid);
	assert_string_equal(plan->cells[0].id, id);
	plan_free(plan);
	grid_free(grid);

	grid = load("  - name: a\n", small);
	plan = build(&machine, grid);
	assert_false(plan->cells[0].remark.is_undersized);
	assert_true(plan->cells[1].remark.is_undersized);
	free(id);
	release(&machine, grid, plan);
	jval_free(facts);
}

static void test_open_size_without_known_caches(void **state)
{
	struct machine machine;
	struct grid *grid = load("  - name: a\n", "  - workload: stream\n");
	struct plan *plan;

	(void)state;
	machine_init(&machine);
	plan = build(&machine, grid);
	assert_int_equal(size_of(&plan->cells[0]), 10000000);
	assert_false(plan->cells[0].remark.is_undersized);
	assert_non_null(strstr(plan->cells[0].remark.text, "not known"));
	release(&machine, grid, plan);
}

/* On another machine the same grid may be fine. */
static void test_what_comes_to_the_same_is_refused(void **state)
{
	static const char twice[] = "  - workload: stream\n"
				    "    parameters: {size: [auto, 33555000]}\n";
	struct machine machine;
	struct jval *facts = machine_with_caches(&machine);
	struct grid *grid = load(two_columns, twice);
	struct plan *plan = NULL;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(plan_build(grid, &machine.topo, &machine.host, &plan, &err),
			 -EINVAL);
	assert_non_null(strstr(err.text,
			       ":11:5: two cells of stream are the same on this "
			       "machine, with threads=1 size=33555000"));
	assert_null(plan);
	machine.topo.llc_sizes = NULL;
	plan = build(&machine, grid);
	assert_int_equal(plan->nr_cells, 4);
	release(&machine, grid, plan);
	jval_free(facts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plan_build_takes_the_product),
		cmocka_unit_test(test_ids_know_the_kernel_and_the_cpus_but_no_label),
		cmocka_unit_test(test_plan_order_interleaves_and_repeats),
		cmocka_unit_test(test_select_cell),
		cmocka_unit_test(test_plan_json_and_command),
		cmocka_unit_test(test_program_is_part_of_a_cell),
		cmocka_unit_test(test_ids_know_the_program),
		cmocka_unit_test(test_what_is_not_installed_is_skipped),
		cmocka_unit_test(test_commands_need_a_consent_and_have_an_identity),
		cmocka_unit_test(test_plan_build_refuses),
		cmocka_unit_test(test_more_iterations_than_allowed_are_refused),
		cmocka_unit_test(test_open_size_is_one_for_all_columns),
		cmocka_unit_test(test_open_size_without_known_caches),
		cmocka_unit_test(test_what_comes_to_the_same_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
