// SPDX-License-Identifier: GPL-2.0-or-later
/* runner/grid: what grids mean, and each refusal with its place. */
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
#include "lib/file.h"
#include "runner/grid.h"

#define SCHEMA	"schema: schedgrid-grid-1\n"
#define HEAD	SCHEMA "name: n\n"
#define COLUMNS HEAD "columns: [{name: base}]\n"
/* Four lines, so that what a case adds begins at line 5. */
#define MINIMAL COLUMNS "workloads: [{workload: hackbench}]\n"
/* What a case adds is a workload's keys at line 5, indented by 4. */
#define HACKBENCH COLUMNS "workloads:\n  - workload: hackbench\n"
#define WORKLOADS "workloads: [{workload: hackbench}]\n"

static char path[64];

static int load_len(const char *text, size_t len, struct grid **ret, struct err *err)
{
	int fd;

	memset(err, 0, sizeof(*err));
	(void)snprintf(path, sizeof(path), "/tmp/test-grid-XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, text, len), 0);
	(void)close(fd);
	*ret = NULL;
	(void)grid_load(path, ret, err);
	(void)unlink(path);
	return err->code;
}

static struct grid *accept(const char *text)
{
	struct grid *grid;
	struct err err;

	if (load_len(text, strlen(text), &grid, &err))
		fail_msg("refused: %s\n%s", err.text, text);
	assert_non_null(grid);
	assert_string_equal(grid->file, path);
	assert_string_equal(grid->text, text);
	assert_int_equal(grid->len, strlen(text));
	return grid;
}

/* @expected is "line:column: " and how the sentence begins. */
static void refuse_len(const char *text, size_t len, const char *expected)
{
	size_t prefix;
	struct grid *grid;
	struct err err;

	if (!load_len(text, len, &grid, &err))
		fail_msg("accepted, not: %s\n%s", expected, text);
	assert_null(grid);
	assert_int_equal(err.code, -EINVAL);
	prefix = strlen(path);
	if (strncmp(err.text, path, prefix) != 0 || err.text[prefix] != ':' ||
	    strncmp(err.text + prefix + 1, expected, strlen(expected)) != 0)
		fail_msg("%s\nnot: %s\n%s", err.text, expected, text);
}

static void refuse(const char *text, const char *expected)
{
	refuse_len(text, strlen(text), expected);
}

struct refusal {
	const char *text, *expected;
};

static void refuse_all(const struct refusal *refusals)
{
	for (; refusals->text; refusals++)
		refuse(refusals->text, refusals->expected);
}

static void test_defaults(void **state)
{
	struct grid *grid = accept(MINIMAL);
	const struct grid_workload *workload = &grid->workloads[0];
	size_t i;

	(void)state;
	assert_string_equal(grid->name, "n");
	assert_int_equal(grid->seed, 0);
	assert_int_equal(grid->iterations, 10);
	assert_int_equal(grid->warmup, 1);
	assert_int_equal(grid->timeout_ns, 300000000000);
	assert_int_equal(grid->nr_columns, 1);
	assert_string_equal(grid->columns[0].name, "base");
	assert_null(grid->columns[0].pin);
	assert_int_equal(grid->columns[0].pos.line, 3);
	assert_int_equal(grid->columns[0].pos.column, 11);
	assert_int_equal(grid->nr_workloads, 1);
	assert_string_equal(workload->base.ops->name, "hackbench");
	assert_null(workload->pin);
	for (i = 0; workload->base.ops->params[i].name; i++) {
		const struct bench_param *param = &workload->base.ops->params[i];

		assert_int_equal(workload->sweep[i].nr, 1);
		assert_false(workload->sweep[i].is_list);
		assert_int_equal(workload->sweep[i].values[0].number, param->number);
		assert_int_equal(workload->base.value[i].number, param->number);
	}
	grid_free(grid);
	grid_free(NULL);
}

static const struct grid_sweep *sweep(const struct grid_workload *workload,
				      const char *name)
{
	size_t i = 0;

	while (strcmp(workload->base.ops->params[i].name, name) != 0)
		i++;
	return &workload->sweep[i];
}

/* The n-th block of YAML in the reference, so that it can't go stale. */
static char *documented(int nr)
{
	struct err err = { 0 };
	char *page = NULL;
	char *begin, *end, *text;

	if (file_read("docs/grid.md", 1 << 20, &page, NULL, &err))
		fail_msg("%s (tests run in the top directory)", err.text);
	for (begin = page; nr > 0; nr--) {
		begin = strstr(begin, "```yaml\n");
		assert_non_null(begin);
		begin += strlen("```yaml\n");
	}
	end = strstr(begin, "```");
	assert_non_null(end);
	text = strndup(begin, (size_t)(end - begin));
	free(page);
	return text;
}

static void test_documented_example(void **state)
{
	char *text = documented(1);
	struct grid *grid = accept(text);
	const struct grid_workload *workload = grid->workloads;

	(void)state;
	assert_string_equal(grid->name, "spread or packed");
	assert_int_equal(grid->seed, 42);
	assert_int_equal(grid->nr_columns, 2);
	assert_string_equal(grid->columns[0].name, "all CPUs");
	assert_string_equal(grid->columns[1].pin, "0-1");
	assert_int_equal(grid->nr_workloads, 3);
	assert_true(sweep(workload, "groups")->is_list);
	assert_int_equal(sweep(workload, "groups")->nr, 3);
	assert_int_equal(sweep(workload, "groups")->values[2].number, 7);
	assert_false(sweep(workload, "loops")->is_list);
	assert_int_equal(sweep(workload, "loops")->values[0].number, 100);
	assert_string_equal(workload_word(&workload[0].base, "task"), "process");
	assert_string_equal(workload_word(&workload[1].base, "task"), "thread");
	assert_string_equal(workload_word(&workload[1].base, "channel"), "pipes");
	assert_string_equal(workload[2].base.ops->name, "stream");
	grid_free(grid);
	free(text);
	text = documented(2);
	grid_free(accept(text));
	free(text);
}

static void test_accepted_forms(void **state)
{
	struct grid *grid;

	(void)state;
	grid = accept(SCHEMA "name: 5.10\nseed: 9223372036854775807\ntimeout: 250ms\n"
			     "repeat: {iterations: 100000, warmup: 0}\n"
			     "columns: [{name: '!x', pin: [0, 2, 4]}, {name: \"y, z\"}]\n"
			     "workloads: [{workload: null}]\n");
	assert_string_equal(grid->name, "5.10");
	assert_int_equal(grid->seed, INT64_MAX);
	assert_int_equal(grid->timeout_ns, 250000000);
	assert_int_equal(grid->iterations, 100000);
	assert_int_equal(grid->warmup, 0);
	assert_string_equal(grid->columns[0].name, "!x");
	assert_string_equal(grid->columns[0].pin, "0,2,4");
	assert_string_equal(grid->columns[1].name, "y, z");
	assert_string_equal(sweep(grid->workloads, "script")->values[0].text,
			    grid->workloads[0].base.ops->params[1].text);
	grid_free(grid);

	grid = accept(HACKBENCH "    pin: one-per-llc\n  - workload: null\n"
				"    parameters: {script: [1 2, '3'], step: [2, 1]}\n");
	assert_string_equal(grid->workloads[0].pin, "one-per-llc");
	assert_int_equal(grid->workloads[0].pin_pos.line, 6);
	assert_int_equal(grid->workloads[0].pin_pos.column, 10);
	assert_int_equal(sweep(&grid->workloads[1], "script")->nr, 2);
	assert_string_equal(sweep(&grid->workloads[1], "script")->values[0].text, "1 2");
	assert_int_equal(sweep(&grid->workloads[1], "step")->values[0].number, 2);
	grid_free(grid);
	/* An alias is as good as the values it stands for. */
	grid = accept(COLUMNS "workloads:\n  - workload: hackbench\n"
			      "    parameters: &p {groups: [1, 2]}\n"
			      "  - workload: hackbench\n    variant: {task: thread}\n"
			      "    parameters: *p\n");
	assert_int_equal(sweep(&grid->workloads[1], "groups")->nr, 2);
	grid_free(grid);
}

static void test_top_refusals(void **state)
{
	static const struct refusal refusals[] = {
		{ "name: n\n", "1:1: 'schema' is missing in the grid" },
		{ "schema: schedgrid-grid-2\nfuture: 1\n",
		  "1:9: unknown schema 'schedgrid-grid-2'; expected schedgrid-grid-1" },
		{ "schema: 1\n", "1:9: unknown schema '1'" },
		{ "schema:\n", "1:8: expected schedgrid-grid-1, not nothing" },
		{ "- 1\n", "1:1: expected a mapping such as" },
		{ "hello\n", "1:1: expected a mapping such as" },
		{ SCHEMA, "1:1: 'name' is missing in the grid" },
		{ HEAD, "1:1: 'columns' is missing in the grid" },
		{ COLUMNS, "1:1: 'workloads' is missing in the grid" },
		{ SCHEMA "name:\n", "2:6: expected a name, not nothing" },
		{ SCHEMA "name: ''\n",
		  "2:7: expected a name of 1 to 300 bytes, not of 0" },
		{ SCHEMA "name: ' '\n", "2:7: ' ' begins or ends with a space" },
		{ SCHEMA "name: ' a'\n", "2:7: ' a' begins or ends with a space" },
		{ SCHEMA "name: 'a '\n", "2:7: 'a ' begins or ends with a space" },
		{ SCHEMA "name: [a]\n", "2:7: expected a name, not a list" },
		{ MINIMAL "seed: 9223372036854775808\n",
		  "5:7: seed: '9223372036854775808' is out of range (expected 0 to "
		  "9223372036854775807)" },
		{ MINIMAL "seed: [1]\n", "5:7: expected seed, a whole number of 0 to "
					 "9223372036854775807, not a list" },
		{ MINIMAL "seed:\n", "5:6: expected seed, a whole number" },
		{ MINIMAL "timeout: 300\n", "5:10: timeout: '300' is not a duration" },
		{ MINIMAL "timeout: 0s\n", "5:10: timeout: '0s' is not a duration" },
		{ MINIMAL "timeout:\n", "5:9: expected a duration such as 300s, not" },
		{ MINIMAL "colums: []\n",
		  "5:1: unknown key 'colums' in the grid; expected one of schema, name, "
		  "seed, executor, repeat, timeout, quiet, monitors, columns, workloads; did you mean "
		  "'columns'?" },
		{ MINIMAL "<<: {a: b}\n", "5:1: unknown key '<<' in the grid" },
		{ NULL, NULL },
	};

	(void)state;
	refuse_all(refusals);
}

static void test_executor_refusals(void **state)
{
	static const struct refusal refusals[] = {
		{ MINIMAL "executor: local\n",
		  "5:11: expected a mapping such as {type: local}, not a text" },
		{ MINIMAL "executor: {}\n", "5:11: 'type' is missing in 'executor'" },
		{ MINIMAL "executor: {type: reboot}\n",
		  "5:18: executor type 'reboot' is not supported yet" },
		{ MINIMAL "executor: {type: slurm}\n",
		  "3:11: column 'base' has no kernel to boot" },
		{ MINIMAL "executor: {type: sim}\n",
		  "5:11: expected one of 'machine' and 'topology', not none" },
		{ MINIMAL "executor: {type: locale}\n",
		  "5:18: unknown executor type 'locale'; expected one of local, guest, sim, slurm; "
		  "did you mean 'local'?" },
		{ MINIMAL "executor: {type: [local]}\n",
		  "5:18: expected the word local, guest, sim or slurm, not a list" },
		{ MINIMAL "executor: {type: local, topology: x}\n",
		  "5:25: 'topology' is not supported yet" },
		{ MINIMAL "executor: {accel: x, type: local}\n",
		  "5:12: 'accel' is not supported yet" },
		{ MINIMAL "executor: {type: local, machine: x}\n",
		  "5:25: 'machine' is not supported yet" },
		{ MINIMAL "executor: {type: local, mode: x}\n",
		  "5:25: 'mode' is not supported yet" },
		{ MINIMAL "executor: {type: local, partition: x}\n",
		  "5:25: 'partition' is not supported yet" },
		{ MINIMAL "executor: {type: local, nodes: x}\n",
		  "5:25: 'nodes' is not supported yet" },
		{ MINIMAL "executor: {type: local, feature: x}\n",
		  "5:25: 'feature' is not supported yet" },
		{ MINIMAL "executor: {type: local, host: x}\n",
		  "5:25: unknown key 'host' in 'executor'; expected type" },
		{ NULL, NULL },
	};

	(void)state;
	refuse_all(refusals);
}

static void test_repeat_refusals(void **state)
{
	static const struct refusal refusals[] = {
		{ MINIMAL "repeat: 5\n",
		  "5:9: expected a mapping such as {iterations: 10}, not a text" },
		{ MINIMAL "repeat: {iterations: 100001}\n",
		  "5:22: iterations: '100001' is out of range (expected 1 to 100000)" },
		{ MINIMAL "repeat: {warmup: 101}\n",
		  "5:18: warmup: '101' is out of range (expected 0 to 100)" },
		{ MINIMAL "repeat: {order: sequential}\n",
		  "5:17: order 'sequential' is not supported; expected interleaved" },
		{ MINIMAL "repeat: {order: }\n", "5:17: expected the word interleaved" },
		{ MINIMAL "repeat: {boots: 5}\n",
		  "5:17: boots: 5 needs an executor that boots kernels (expected "
		  "executor: {type: guest})" },
		{ MINIMAL "repeat: {boots: 0}\n", "5:17: boots: '0' is out of range" },
		{ MINIMAL "repeat: {until: {max: 5}}\n",
		  "5:17: 'halfwidth' is missing in 'until'" },
		{ MINIMAL "repeat: {until: {halfwidth: 1}}\n",
		  "5:29: halfwidth: '1' is not a percentage above 0% and at most 50%" },
		{ MINIMAL "repeat: {until: {halfwidth: 0%}}\n",
		  "5:29: halfwidth: '0%' is not a percentage above 0%" },
		{ MINIMAL "repeat: {until: {halfwidth: 1e1%}}\n",
		  "5:29: halfwidth: '1e1%' is not a percentage" },
		{ MINIMAL "repeat: {until: {halfwidth: 51%}}\n",
		  "5:29: halfwidth: '51%' is not a percentage" },
		{ MINIMAL "repeat: {until: {halfwidth: 1%, max: 4}}\n",
		  "5:38: max: '4' is out of range (expected 5 to 100000)" },
		{ MINIMAL "repeat: {until: {halfwidth: 1%, budget: 30}}\n",
		  "5:41: budget: " },
		{ MINIMAL "repeat: {iterations: 3, until: {halfwidth: 1%}}\n",
		  "5:32: 'iterations' and 'until' are both given; expected one of them" },
		{ MINIMAL "repeat: {until: {halfwidth: 1%}}\n",
		  "5:17: 'until' waits for the ratio of two columns, and the grid has "
		  "one" },
		{ NULL, NULL },
	};

	(void)state;
	refuse_all(refusals);
}

static void test_column_refusals(void **state)
{
	static const struct refusal refusals[] = {
		{ HEAD "columns: base\n" WORKLOADS,
		  "3:10: expected a list of columns, not a text" },
		{ HEAD "columns: {name: base}\n" WORKLOADS,
		  "3:10: expected a list of columns, not a mapping" },
		{ HEAD "columns: []\n" WORKLOADS,
		  "3:10: expected a list of columns, not an empty one" },
		{ HEAD "columns:\n" WORKLOADS,
		  "3:9: expected a list of columns, not nothing" },
		{ HEAD "columns: [base]\n" WORKLOADS,
		  "3:11: expected a mapping such as {name: base}, not a text" },
		{ HEAD "columns: [{kernel: {running: true}}]\n" WORKLOADS,
		  "3:11: 'name' is missing in the column" },
		{ HEAD "columns: [{name: a}, {name: b}, {name: a}]\n" WORKLOADS,
		  "3:33: column 'a' is there already, at 3:11" },
		{ HEAD "columns: [&x {name: a}, *x]\n" WORKLOADS,
		  "3:25: column 'a' is there already, at 3:11" },
		{ HEAD "columns: [{name: a, kernel: 5.10}]\n" WORKLOADS,
		  "3:29: expected a mapping such as {running: true}, not a text" },
		{ HEAD "columns: [{name: a, kernel: {}}]\n" WORKLOADS,
		  "3:29: 'running' is missing in 'kernel'" },
		{ HEAD "columns: [{name: a, kernel: {running: false}}]\n" WORKLOADS,
		  "3:39: 'running' can only be true" },
		{ HEAD "columns: [{name: a, kernel: {running: 'true'}}]\n" WORKLOADS,
		  "3:39: 'running' can only be true" },
		{ HEAD "columns: [{name: a, kernel: {image: x}}]\n" WORKLOADS,
		  "3:11: column 'a' names a kernel image, which needs executor: {type: guest}" },
		{ HEAD "columns: [{nam: a}]\n" WORKLOADS,
		  "3:12: unknown key 'nam' in the column; expected one of name, kernel, "
		  "pin, settings; did you mean 'name'?" },
		{ NULL, NULL },
	};

	(void)state;
	refuse_all(refusals);
}

static void test_pin_refusals(void **state)
{
	static const struct refusal refusals[] = {
		{ HEAD "columns: [{name: a, pin: }]\n" WORKLOADS,
		  "3:26: expected a CPU list or pin word, not nothing" },
		{ HEAD "columns: [{name: a, pin: ''}]\n" WORKLOADS,
		  "3:26: expected a CPU list or pin word of 1 to 300 bytes" },
		{ HEAD "columns: [{name: a, pin: []}]\n" WORKLOADS,
		  "3:26: expected a CPU list such as 0-3,8 or a pin word, not an empty" },
		{ HEAD "columns: [{name: a, pin: {a: b}}]\n" WORKLOADS,
		  "3:26: expected a CPU list such as 0-3,8 or a pin word, not a map" },
		{ HEAD "columns: [{name: a, pin: [0, 1-3]}]\n" WORKLOADS,
		  "3:30: a CPU: '1-3' is not a whole number" },
		{ HEAD "columns: [{name: a, pin: [0, 65536]}]\n" WORKLOADS,
		  "3:30: a CPU: '65536' is out of range" },
		{ HEAD "columns: [{name: a}, {name: b, pin: 0}]\n"
		       "workloads: [{workload: null}, {workload: hackbench, pin: 1}]\n",
		  "4:58: 'pin' is given here and at 3:37; pin either columns or "
		  "workloads, never both" },
		{ HEAD "workloads: [{workload: hackbench, pin: 1}]\n"
		       "columns: [{name: a, pin: 0}]\n",
		  "4:26: 'pin' is given here and at 3:40" },
		{ NULL, NULL },
	};
	char text[2000] = HEAD "columns: [{name: a, pin: [0";
	char *end = text + strlen(text);
	int i;

	(void)state;
	refuse_all(refusals);
	for (i = 0; i < 100; i++)
		end = stpcpy(end, ", 1234");
	(void)stpcpy(end, "]}]\n" WORKLOADS);
	refuse(text, "3:26: too many CPUs to list singly");
}

static void test_workload_refusals(void **state)
{
	static const struct refusal refusals[] = {
		{ COLUMNS "workloads: hackbench\n",
		  "4:12: expected a list of workloads, not a text" },
		{ COLUMNS "workloads: []\n",
		  "4:12: expected a list of workloads, not an empty one" },
		{ COLUMNS "workloads: [hackbench]\n",
		  "4:13: expected a mapping such as {workload: hackbench}" },
		{ COLUMNS "workloads: [{program: native}]\n",
		  "4:13: 'workload' is missing in the workload" },
		{ COLUMNS "workloads: [{workload: hackbnech}]\n",
		  "4:24: unknown workload 'hackbnech'; expected one of " },
		{ COLUMNS "workloads: [{workload: [a]}]\n",
		  "4:24: expected the name of a workload, not a list" },
		{ COLUMNS "workloads: [{workload: }]\n",
		  "4:24: expected the name of a workload, not nothing" },
		{ HACKBENCH "    metrics: [time]\n",
		  "6:5: unknown key 'metrics' in the workload; expected one of workload, "
		  "program, variant, parameters, pin" },
		{ HACKBENCH "    parameter: {}\n",
		  "6:5: unknown key 'parameter' in the workload; expected one of "
		  "workload, program, variant, parameters, pin; did you mean "
		  "'parameters'?" },
		{ HACKBENCH "    program: rt-test\n",
		  "6:14: unknown program 'rt-test' of hackbench; expected one of native, "
		  "rt-tests; did you mean 'rt-tests'?" },
		{ HACKBENCH "    program: [native]\n",
		  "6:14: expected the name of a program, not a list" },
		{ HACKBENCH "    variant: pipes\n",
		  "6:14: expected a mapping of choices to words, not a text" },
		{ HACKBENCH "    variant: {chanel: pipes}\n",
		  "6:15: unknown choice 'chanel' of the workload; expected one of task, "
		  "channel; did you mean 'channel'?" },
		{ HACKBENCH "    variant: {channel: pipe}\n",
		  "6:24: unknown channel 'pipe'; expected one of pipes, sockets, tcp; did you "
		  "mean 'pipes'?" },
		{ HACKBENCH "    variant: {task: [process, thread]}\n",
		  "6:21: expected one word, not a list" },
		{ COLUMNS "workloads: [{workload: null, variant: {a: b}}]\n",
		  "4:40: unknown choice 'a': null has none" },
		{ HACKBENCH "    parameters: [groups]\n",
		  "6:17: expected a mapping of parameters to values, not a list" },
		{ HACKBENCH "    parameters: {group: 4}\n",
		  "6:18: unknown parameter 'group' of hackbench; expected one of groups, "
		  "loops, fds, size; did you mean 'groups'?" },
		{ NULL, NULL },
	};

	(void)state;
	refuse_all(refusals);
}

static void test_open_values(void **state)
{
	static const char text[] =
		COLUMNS "workloads:\n"
			"  - {workload: stream, variant: {affinity: mask}}\n"
			"  - workload: stream\n    variant: {affinity: per-thread}\n"
			"    parameters: {size: [2000, auto]}\n";
	struct grid *grid = accept(text);

	(void)state;
	assert_true(sweep(&grid->workloads[0], "size")->values[0].number == BENCH_AUTO);
	assert_int_equal(sweep(&grid->workloads[1], "size")->nr, 2);
	assert_int_equal(sweep(&grid->workloads[1], "size")->values[0].number, 2000);
	assert_true(sweep(&grid->workloads[1], "size")->values[1].number == BENCH_AUTO);
	grid_free(grid);
}

static void test_value_refusals(void **state)
{
	static const struct refusal refusals[] = {
		{ HACKBENCH "    parameters: {groups: []}\n",
		  "6:26: expected a value or a list of values, not an empty one" },
		{ HACKBENCH "    parameters: {groups: {a: 1}}\n",
		  "6:26: expected a value, a list of values, {ladder: NAME} or "
		  "{per-cpu: NUMBER}, not a mapping" },
		{ HACKBENCH "    parameters: {groups: }\n",
		  "6:26: expected groups, a whole number of 1 to" },
		{ HACKBENCH "    parameters: {groups: [1, [2]]}\n",
		  "6:30: expected groups, a whole number of 1 to" },
		{ HACKBENCH "    parameters: {groups: auto}\n",
		  "6:26: groups: 'auto' is not a whole number in plain decimal (expected 1" },
		{ COLUMNS "workloads: [{workload: stream, parameters: {size: atuo}}]\n",
		  "4:51: size (auto or a number): 'atuo' is not a whole number" },
		{ COLUMNS "workloads: [{workload: stream, parameters: {size: [auto, "
			  "auto]}}]\n",
		  "4:58: size: 'auto' is in the list already, at 4:52" },
		{ COLUMNS
		  "workloads: [{workload: stream, parameters: {size: [auto, 0]}}]\n",
		  "4:58: size (auto or a number): '0' is out of range (expected 1000 to" },
		{ HACKBENCH "    parameters: {groups: [1, 2, 3, 2]}\n",
		  "6:36: groups: '2' is in the list already, at 6:30" },
		{ HACKBENCH "    parameters: {groups: [1, 2, \"1\"]}\n",
		  "6:33: groups: '1' is in the list already, at 6:27" },
		{ COLUMNS "workloads: [{workload: null, parameters: {script: [1, 1]}}]\n",
		  "4:55: script: '1' is in the list already, at 4:52" },
		{ COLUMNS "workloads: [{workload: null, parameters: {script: ''}}]\n",
		  "4:51: expected script of 1 to 4096 bytes, not of 0" },
		{ NULL, NULL },
	};

	(void)state;
	refuse_all(refusals);
}

static void test_same_rows(void **state)
{
	static const struct refusal refusals[] = {
		{ HACKBENCH "  - workload: hackbench\n",
		  "6:5: this workload repeats a cell of the one at 5:5" },
		{ HACKBENCH "    parameters: {groups: [3, 1]}\n  - workload: hackbench\n"
			    "    parameters: {groups: [2, 3]}\n",
		  "7:5: this workload repeats a cell of the one at 5:5: same variant, pin "
		  "and parameter values" },
		{ HACKBENCH "  - workload: hackbench\n    parameters: {loops: [100]}\n",
		  "6:5: this workload repeats a cell" },
		{ HACKBENCH "    pin: 0\n  - workload: hackbench\n    pin: 0\n",
		  "7:5: this workload repeats a cell" },
		{ HACKBENCH "    parameters: {groups: [1, 2], loops: 7}\n"
			    "  - workload: hackbench\n"
			    "    parameters: {groups: [2, 4], loops: 8}\n",
		  "7:5: this workload has the same rows as the one at 5:5 but another "
		  "'loops', so the rows of a table could not be told apart; sweep 'loops' "
		  "as a list in one entry" },
		{ HACKBENCH "  - workload: null\n  - workload: hackbench\n"
			    "    parameters: {size: 8}\n",
		  "7:5: this workload has the same rows as the one at 5:5 but another "
		  "'size'" },
		{ HACKBENCH "    pin: 0\n  - workload: hackbench\n    pin: 1\n",
		  "7:5: this workload differs from the one at 5:5 only in 'pin'" },
		{ COLUMNS
		  "workloads:\n  - {workload: null, parameters: {script: [1, 2]}}\n"
		  "  - {workload: null, parameters: {script: [3, 2]}}\n",
		  "6:5: this workload repeats a cell of the one at 5:5" },
		{ NULL, NULL },
	};

	(void)state;
	refuse_all(refusals);
	grid_free(accept(HACKBENCH "  - workload: hackbench\n"
				   "    variant: {channel: sockets}\n"));
	grid_free(accept(HACKBENCH "    parameters: {groups: [1, 2]}\n"
				   "  - workload: hackbench\n"
				   "    parameters: {groups: [3, 4], loops: 8}\n"));
	grid_free(accept(HACKBENCH "    parameters: {loops: [7]}\n"
				   "  - workload: hackbench\n"
				   "    parameters: {loops: [8]}\n"));
	grid_free(accept(HACKBENCH "    parameters: {loops: 7}\n"
				   "  - workload: hackbench\n"
				   "    parameters: {loops: [8]}\n"));
	grid_free(accept(COLUMNS
			 "workloads:\n  - {workload: null, parameters: {script: [1]}}\n"
			 "  - {workload: null, parameters: {script: [2]}}\n"));
}

/* "key: [from, from + 1, ...]" */
static char *add_list(char *end, const char *key, int from, int nr)
{
	int i;

	end = stpcpy(stpcpy(end, key), ": [");
	for (i = 0; i < nr; i++)
		end += snprintf(end, 16, "%s%d", i ? ", " : "", from + i);
	return stpcpy(end, "]");
}

static char *cells(int loops, int sizes)
{
	char *text = malloc(4000000);
	char *end;

	assert_non_null(text);
	end = stpcpy(text, HEAD "columns: [{name: a}, {name: b}]\nworkloads:\n"
				"  - workload: hackbench\n    parameters: {");
	end = add_list(end, "loops", 1, loops);
	end = add_list(stpcpy(end, ", "), "size", 1, sizes);
	(void)stpcpy(end, "}\n  - workload: null\n");
	return text;
}

static void test_cell_limit(void **state)
{
	char *text = cells(49999, 1);

	(void)state;
	grid_free(accept(text));
	free(text);
	text = cells(50000, 1);
	refuse(text, "5:3: 2 columns times 50001 points make 100002 cells, and at most "
		     "100000 are supported");
	free(text);
	text = cells(300, 400);
	refuse(text, "5:3: 2 columns times 120001 points make 240002 cells");
	free(text);
}

/* Exactly 2^52, which is 0 to whoever counts in 32 bits. */
static void test_cell_count_beyond_32_bits(void **state)
{
	char *text = malloc(1000000);
	const char *const names[] = { "groups", "loops", "fds", "size" };
	const int nr[] = { 256, 65536, 256, 16384 };
	char *end;
	size_t i;

	(void)state;
	assert_non_null(text);
	end = stpcpy(text, HEAD "columns: [");
	for (i = 0; i < 64; i++)
		end += snprintf(end, 24, "{name: c%zu}, ", i);
	end = stpcpy(end, "]\nworkloads:\n  - workload: hackbench\n    parameters:\n");
	for (i = 0; i < 4; i++)
		end = stpcpy(add_list(stpcpy(end, "      "), names[i], 1, nr[i]), "\n");
	refuse(text,
	       "5:3: 64 columns times 70368744177664 points make 4503599627370496 cells");
	free(text);
}

static void test_count_limits(void **state)
{
	char *text = malloc(100000);
	char *end;
	int i;

	(void)state;
	assert_non_null(text);
	end = stpcpy(text, HEAD "workloads: [{workload: hackbench}]\ncolumns:\n");
	for (i = 0; i < GRID_MAX_COLUMNS; i++)
		end += snprintf(end, 24, "  - name: c%d\n", i);
	grid_free(accept(text));
	(void)stpcpy(end, "  - name: x\n");
	refuse(text, "5:3: 65 columns, and at most 64 are supported");

	end = stpcpy(text, COLUMNS "workloads:\n");
	for (i = 0; i < 1000; i++)
		end += snprintf(end, 64, "  - {workload: null, parameters: {step: %d}}\n",
				i + 2);
	grid_free(accept(text));
	(void)stpcpy(end, "  - workload: hackbench\n");
	refuse(text, "5:3: 1001 workloads, and at most 1000 are supported");
	free(text);
}

static void test_long_names(void **state)
{
	char text[4000];
	char name[1500];

	(void)state;
	memset(name, 'x', sizeof(name));
	name[300] = '\0';
	(void)snprintf(text, sizeof(text), SCHEMA "name: %s\ncolumns: [{name: %s}]\n%s",
		       name, name, WORKLOADS);
	grid_free(accept(text));
	name[300] = 'x';
	name[301] = '\0';
	(void)snprintf(text, sizeof(text), SCHEMA "name: %s\n", name);
	refuse(text, "2:7: expected a name of 1 to 300 bytes, not of 301");
	(void)snprintf(text, sizeof(text), HEAD "columns: [{name: %s}]\n" WORKLOADS,
		       name);
	refuse(text, "3:18: expected a name of 1 to 300 bytes, not of 301");
	/* The sentence keeps what was expected even when the key is endless. */
	name[301] = 'x';
	name[sizeof(name) - 1] = '\0';
	(void)snprintf(text, sizeof(text), "? %s\n: 1\n", name);
	name[100] = '\0';
	(void)snprintf(text + 2000, 2000, "1:3: unknown key '%s' in the grid; expected",
		       name);
	refuse(text, text + 2000);
}

static void test_unreadable_files(void **state)
{
	struct grid *grid = NULL;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(grid_load("/nonexistent/g.yaml", &grid, &err), -ENOENT);
	assert_non_null(strstr(err.text, "/nonexistent/g.yaml"));
	memset(&err, 0, sizeof(err));
	assert_int_equal(grid_load("/", &grid, &err), -EISDIR);
	memset(&err, 0, sizeof(err));
	assert_int_equal(grid_load("/dev/zero", &grid, &err), -EINVAL);
	assert_non_null(strstr(err.text, "/dev/zero"));
	assert_null(grid);
}

static void test_bl_005_tag_swallows_flag(void **state)
{
	(void)state;
	refuse(HEAD "columns:\n  - name: a\n    settings: {flags: !SD_BALANCE_WAKE }\n",
	       "5:23: '!SD_BALANCE_WAKE' is a YAML tag, which is not supported; put text "
	       "that begins with '!' in quotes, and to turn a flag off, name it in a "
	       "'clear:' list");
	refuse(HEAD "flags: [SD_SHARE_PKG_RESOURCES, !SD_BALANCE_WAKE]\n",
	       "3:33: '!SD_BALANCE_WAKE' is a YAML tag");
	refuse(HEAD "flags: ! SD_BALANCE_WAKE\n", "3:8: '!' is a YAML tag");
}

static void test_bl_017_version_as_float(void **state)
{
	struct grid *grid = accept(
		HEAD "columns: [{name: 5.1}, {name: 5.10}, {name: 6.0}]\n" WORKLOADS);

	(void)state;
	assert_int_equal(grid->nr_columns, 3);
	assert_string_equal(grid->columns[0].name, "5.1");
	assert_string_equal(grid->columns[1].name, "5.10");
	assert_string_equal(grid->columns[2].name, "6.0");
	grid_free(grid);
}

static void test_bl_023_unknown_keys(void **state)
{
	(void)state;
	refuse(MINIMAL "repeat: {iteration: 10}\n",
	       "5:10: unknown key 'iteration' in 'repeat'; expected one of iterations, "
	       "warmup, order, boots, until; did you mean 'iterations'?");
	refuse(MINIMAL "nodes: 4\n", "5:1: unknown key 'nodes' in the grid");
	refuse(MINIMAL "iterations: 4\n", "5:1: unknown key 'iterations' in the grid");
}

static void test_bl_031_duplicate_keys(void **state)
{
	(void)state;
	refuse(HACKBENCH "    parameters:\n      groups: [1, 4]\n      groups: [8]\n",
	       "8:7: key 'groups' is given twice, first at line 7 and again at line 8");
}

static void test_bl_061_numbers(void **state)
{
	static const char *const wrong[] = { "010",
					     "0x10",
					     "1_000",
					     "1e3",
					     "1:30",
					     "-1",
					     "+1",
					     "1,5",
					     "1.0",
					     "1 000",
					     "0",
					     "true",
					     "99999999999999999999" };
	static const char *const keys[] = { "groups", "loops" };
	char expected[100];
	char text[400];
	size_t i, j;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		for (j = 0; j < 2; j++) {
			(void)snprintf(text, sizeof(text),
				       HACKBENCH "    parameters:\n      %s: %s\n",
				       keys[j], wrong[i]);
			(void)snprintf(expected, sizeof(expected), "7:%zu: %s: '%s' is ",
				       9 + strlen(keys[j]), keys[j], wrong[i]);
			refuse(text, expected);
		}
		(void)snprintf(text, sizeof(text), MINIMAL "repeat:\n  iterations: %s\n",
			       wrong[i]);
		(void)snprintf(expected, sizeof(expected), "6:15: iterations: '%s' is ",
			       wrong[i]);
		refuse(text, expected);
	}
	refuse(MINIMAL "timeout: 1,5\n", "5:10: timeout: '1,5' is not a duration");
	refuse(MINIMAL "timeout: 1,5s\n", "5:10: timeout: '1,5s' is not a duration");
}

static void test_bl_089_invisible_characters(void **state)
{
	static const char wide[] = "\xff\xfes\0c\0h\0e\0m\0a\0";

	(void)state;
	grid_free(accept("\xef\xbb\xbf" MINIMAL));
	grid_free(accept("schema: schedgrid-grid-1\r\nname: n\r\ncolumns: [{name: a}]\r\n"
			 "workloads: [{workload: hackbench}]\r\n"));
	refuse(MINIMAL "repeat:\n\xc2\xa0\xc2\xa0iterations: 1\n",
	       "6:1: an invisible character (no-break space)");
	refuse(HEAD "columns: [{name: a\xe2\x80\x8b}]\n",
	       "3:19: an invisible character (zero-width character)");
	refuse_len(wide, sizeof(wide) - 1, "1:1: a text in UTF-16; save it as UTF-8");
}

static void test_bl_091_empty_file(void **state)
{
	(void)state;
	refuse("", "1:1: no grid in it: the file is empty or all comments");
	refuse("# todo", "1:1: no grid in it: the file is empty or all comments");
}

/* Each side has its own texts: those of the file's columns are gone by then. */
static void test_make_same(void **state)
{
	struct grid *grid = accept(
		HEAD "executor: {type: guest, topology: two-node-8, accel: tcg}\n"
		     "columns: [{name: base, kernel: {image: vmlinuz, policy: v6.1.192}}]"
		     "\n" WORKLOADS);
	size_t i;

	(void)state;
	assert_int_equal(grid_make_same(grid), 0);
	assert_int_equal(grid->nr_columns, 2);
	assert_string_equal(grid->columns[0].name, "A");
	assert_string_equal(grid->columns[1].name, "B");
	for (i = 0; i < grid->nr_columns; i++) {
		assert_string_equal(grid->columns[i].image, "vmlinuz");
		assert_string_equal(grid->columns[i].policy, "v6.1.192");
		assert_null(grid->columns[i].cmdline);
	}
	assert_ptr_not_equal(grid->columns[0].image, grid->columns[1].image);
	grid_free(grid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_documented_example),
		cmocka_unit_test(test_accepted_forms),
		cmocka_unit_test(test_make_same),
		cmocka_unit_test(test_top_refusals),
		cmocka_unit_test(test_executor_refusals),
		cmocka_unit_test(test_repeat_refusals),
		cmocka_unit_test(test_column_refusals),
		cmocka_unit_test(test_pin_refusals),
		cmocka_unit_test(test_workload_refusals),
		cmocka_unit_test(test_open_values),
		cmocka_unit_test(test_value_refusals),
		cmocka_unit_test(test_same_rows),
		cmocka_unit_test(test_cell_limit),
		cmocka_unit_test(test_cell_count_beyond_32_bits),
		cmocka_unit_test(test_count_limits),
		cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_unreadable_files),
		cmocka_unit_test(test_bl_005_tag_swallows_flag),
		cmocka_unit_test(test_bl_017_version_as_float),
		cmocka_unit_test(test_bl_023_unknown_keys),
		cmocka_unit_test(test_bl_031_duplicate_keys),
		cmocka_unit_test(test_bl_061_numbers),
		cmocka_unit_test(test_bl_089_invisible_characters),
		cmocka_unit_test(test_bl_091_empty_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
