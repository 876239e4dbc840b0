// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of workloads, configured workloads, and the form of native programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/native.h"
#include "lib/err.h"
#include "lib/json.h"

static const char *const mode_words[] = { "calm", "wild", NULL };
static const char *const side_words[] = { "left", "right", NULL };
static const struct bench_choice toy_choices[] = {
	{ .key = "mode", .words = mode_words, .silent = true },
	{ .key = "side", .words = side_words },
	{ 0 },
};
static const struct bench_param toy_params[] = {
	{ .name = "groups", .max = UINT32_MAX, .number = 4 },
	{ .name = "note", .type = BENCH_TEXT, .text = "a b" },
	{ 0 },
};
static const struct bench_metric toy_metrics[] = {
	{ .name = "time", .unit = "s", .resolution = 1e-3 },
	{ .name = "rate", .unit = "MB/s", .better = BETTER_HIGHER },
	{ 0 },
};

static int plan_by_hand(const struct workload *workload, unsigned int iteration,
			struct bench_command *command)
{
	(void)workload;
	return bench_arg(command, "hand-%u", iteration);
}

static int parse_by_hand(const struct workload *workload, const char *out, size_t len,
			 struct bench_samples *samples, struct err *err)
{
	return bench_sample_add(workload->ops, samples, out, (double)len, err);
}

static const double by_hand_resolution[] = { 0.5, 2 };
static const struct bench_program toy_programs[] = {
	{ .name = "native" },
	{
		.name = "by-hand",
		.command = "hand",
		.resolution = by_hand_resolution,
		.plan = plan_by_hand,
		.parse = parse_by_hand,
	},
	{ 0 },
};
static const struct bench_ops toy = {
	.name = "toy",
	.choices = toy_choices,
	.params = toy_params,
	.metrics = toy_metrics,
	.programs = toy_programs,
};

#define GOOD                                                                     \
	"{\"program\":\"toy\",\"mode\":\"calm\",\"side\":\"left\",\"groups\":4," \
	"\"note\":\"a b\",\"metrics\":{\"time\":0.5,\"rate\":12000}}"

static void registry_is_sorted_and_complete(void **state)
{
	const struct bench_ops *const *ops = bench_all();
	size_t nr = 0;

	(void)state;
	for (; ops[nr]; nr++) {
		if (nr)
			assert_true(strcmp(ops[nr - 1]->name, ops[nr]->name) < 0);
		assert_ptr_equal(bench_find(ops[nr]->name), ops[nr]);
		assert_true(ops[nr]->summary && *ops[nr]->summary);
		assert_non_null(ops[nr]->programs[0].name);
	}
	assert_in_range(nr, 6, 100);
	assert_null(bench_find("hack"));
	assert_null(bench_find(""));
}

static size_t check_params(const struct bench_ops *ops)
{
	bool has_axis = !ops->axis;
	size_t nr = 0;

	for (; ops->params[nr].name; nr++) {
		const struct bench_param *param = &ops->params[nr];

		assert_true(param->help && *param->help);
		if (ops->axis && !strcmp(ops->axis, param->name))
			has_axis = true;
		if (param->type == BENCH_TEXT) {
			assert_non_null(param->text);
			continue;
		}
		if (param->number == BENCH_AUTO)
			assert_non_null(ops->resolve);
		else
			assert_in_range(param->number, param->min, param->max);
		assert_true(param->max <= INT64_MAX);
	}
	assert_true(has_axis);
	return nr;
}

static size_t check_metrics(const struct bench_ops *ops)
{
	size_t nr = 0;

	for (; ops->metrics[nr].name; nr++) {
		const struct bench_metric *metric = &ops->metrics[nr];

		assert_true(metric->help && *metric->help);
		assert_true(metric->unit && *metric->unit);
		assert_true(metric->resolution > 0.0);
	}
	assert_false(ops->metrics[0].secondary);
	return nr;
}

static size_t check_choices(const struct bench_ops *ops)
{
	size_t nr = 0;

	for (; ops->choices[nr].key; nr++) {
		assert_non_null(ops->choices[nr].words);
		assert_true(ops->choices[nr].words[0] && *ops->choices[nr].words[0]);
	}
	return nr;
}

/* Our own comes first; what is somebody's tells its version, and may have a package. */
static void check_programs(const struct bench_ops *ops)
{
	const struct bench_program *program;

	for (program = ops->programs; program->name; program++) {
		assert_non_null(program->plan);
		assert_non_null(program->parse);
		assert_ptr_equal(bench_program_find(ops, program->name), program);
		assert_int_equal(!strcmp(program->name, "native"),
				 !program->command && !program->starts &&
					 !ops->runs_command);
		assert_true(program->command || !program->package);
		assert_int_equal(program->command != NULL, program->version_args != NULL);
		if (!program->command && !program->starts)
			assert_ptr_equal(program, ops->programs);
	}
	assert_null(bench_program_find(ops, "nativ"));
	assert_null(bench_program_find(ops, ""));
}

static void declarations_are_complete_and_within_limits(void **state)
{
	const struct bench_ops *const *ops;

	(void)state;
	for (ops = bench_all(); *ops; ops++) {
		check_programs(*ops);
		/* Its grid entry declares the rest. */
		if ((*ops)->runs_command)
			continue;
		assert_in_range(check_choices(*ops), 0, BENCH_MAX_CHOICES);
		assert_in_range(check_params(*ops), 0, BENCH_MAX_PARAMS);
		assert_in_range(check_metrics(*ops), 1, BENCH_MAX_METRICS);
	}
}

/* A name is an option of the program and a key of its output: it must be there once. */
static void names_are_unique(void **state)
{
	const struct bench_ops *const *ops;

	(void)state;
	for (ops = bench_all(); *ops; ops++) {
		const char *names[BENCH_MAX_CHOICES + BENCH_MAX_PARAMS];
		size_t nr = 0;
		size_t i, k;

		for (i = 0; (*ops)->choices[i].key; i++)
			names[nr++] = (*ops)->choices[i].key;
		for (i = 0; (*ops)->params[i].name; i++)
			names[nr++] = (*ops)->params[i].name;
		for (i = 0; i < nr; i++) {
			for (k = i + 1; k < nr; k++)
				assert_string_not_equal(names[i], names[k]);
		}
	}
}

static void check_defaults(const struct bench_ops *ops,
			   const struct bench_program *program)
{
	const struct bench_machine machine = { .nr_cpus = 2 };
	struct bench_command command = { NULL, 0 };
	struct bench_remark remark = { 0 };
	struct workload workload;
	struct err err = { 0 };
	size_t i;

	workload_init(&workload, ops);
	assert_ptr_equal(workload.program, ops->programs);
	workload.program = program;
	if (ops->resolve)
		ops->resolve(&workload, &machine, &remark);
	for (i = 0; ops->params[i].name; i++)
		if (ops->params[i].type == BENCH_UINT)
			assert_in_range(workload.value[i].number, ops->params[i].min,
					ops->params[i].max);
	if (ops->check)
		assert_int_equal(ops->check(&workload, 2, &err), 0);
	assert_int_equal(workload_plan(&workload, 1, &command), 0);
	assert_string_equal(command.argv[0],
			    program->command ? program->command : ops->name);
	bench_command_release(&command);
}

static void defaults_are_valid_for_every_program(void **state)
{
	const struct bench_ops *const *ops;
	const struct bench_program *program;

	(void)state;
	for (ops = bench_all(); *ops; ops++) {
		for (program = (*ops)->programs; program->name; program++) {
			if (!(*ops)->runs_command)
				check_defaults(*ops, program);
		}
	}
}

static void program_plans_parses_and_has_its_resolution(void **state)
{
	struct bench_command command = { NULL, 0 };
	struct bench_samples samples = { .nr = 0 };
	struct workload workload;

	(void)state;
	workload_init(&workload, &toy);
	assert_true(workload_resolution(&workload, &toy_metrics[0]) == 1e-3);
	workload.program = bench_program_find(&toy, "by-hand");
	assert_ptr_equal(workload.program, &toy_programs[1]);
	assert_true(workload_resolution(&workload, &toy_metrics[0]) == 0.5);
	assert_true(workload_resolution(&workload, &toy_metrics[1]) == 2.0);
	assert_int_equal(workload_plan(&workload, 7, &command), 0);
	assert_string_equal(command.argv[0], "hand-7");
	bench_command_release(&command);
	assert_int_equal(workload_parse(&workload, "rate", 4, &samples, NULL), 0);
	assert_int_equal(samples.nr, 1);
	assert_ptr_equal(samples.sample[0].metric, &toy_metrics[1]);
}

static void values_are_found_by_name(void **state)
{
	struct workload workload;

	(void)state;
	workload_init(&workload, &toy);
	assert_int_equal(workload_uint(&workload, "groups"), 4);
	assert_string_equal(workload_text(&workload, "note"), "a b");
	assert_string_equal(workload_word(&workload, "mode"), "calm");
	assert_string_equal(workload_word(&workload, "side"), "left");
	workload.choice[1] = 1;
	workload.value[0].number = 7;
	assert_string_equal(workload_word(&workload, "side"), "right");
	assert_int_equal(workload_uint(&workload, "groups"), 7);
	workload_set(&workload, "groups", 9);
	assert_int_equal(workload.value[0].number, 9);
	assert_string_equal(workload_text(&workload, "note"), "a b");
}

static void assert_variant(const struct workload *workload, const char *expected)
{
	char *name = workload_variant(workload);

	assert_non_null(name);
	assert_string_equal(name, expected);
	free(name);
}

static void variant_is_named_by_its_words(void **state)
{
	struct workload workload;

	(void)state;
	workload_init(&workload, &toy);
	assert_variant(&workload, "toy-left");
	workload.choice[0] = 1;
	assert_variant(&workload, "toy-wild-left");
	workload.choice[1] = 1;
	assert_variant(&workload, "toy-wild-right");
	workload.program = &toy_programs[1];
	assert_variant(&workload, "toy-wild-right-by-hand");
	workload_init(&workload, bench_find("null"));
	assert_variant(&workload, "null");
}

static void parameters_keep_their_type(void **state)
{
	struct workload workload;
	struct jval *object;
	char *text;

	(void)state;
	workload_init(&workload, &toy);
	object = workload_parameters(&workload);
	assert_non_null(object);
	text = jval_write(object, JVAL_LINE);
	assert_string_equal(text, "{\"groups\":4,\"note\":\"a b\"}");
	free(text);
	jval_free(object);
}

static void command_has_every_choice_and_parameter(void **state)
{
	static const char *const expected[] = { "toy", "--mode=calm", "--side=right",
						"--groups=4", "--note=a b" };
	struct bench_command command = { NULL, 0 };
	struct workload workload;
	size_t i;

	(void)state;
	workload_init(&workload, &toy);
	workload.choice[1] = 1;
	assert_int_equal(bench_native_plan(&workload, 1, &command), 0);
	assert_int_equal(command.nr_args, 5);
	for (i = 0; i < 5; i++)
		assert_string_equal(command.argv[i], expected[i]);
	assert_null(command.argv[5]);
	bench_command_release(&command);
	assert_null(command.argv);
	assert_int_equal(command.nr_args, 0);
	bench_command_release(&command);
}

static void sample_must_be_a_positive_number_given_once(void **state)
{
	static const double bad[] = {
		0.0, -0.0, -1.0, (double)NAN, (double)INFINITY, -(double)INFINITY
	};
	struct bench_samples samples = { .nr = 0 };
	struct err err = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err.code = 0;
		assert_int_equal(bench_sample_add(&toy, &samples, "time", bad[i], &err),
				 -EPROTO);
		assert_non_null(strstr(err.text, "time"));
	}
	assert_int_equal(samples.nr, 0);
	assert_int_equal(bench_sample_add(&toy, &samples, "pace", 1.0, NULL), -EPROTO);
	assert_int_equal(bench_sample_add(&toy, &samples, "rate", 1e-300, NULL), 0);
	assert_int_equal(bench_sample_add(&toy, &samples, "rate", 2.0, NULL), -EPROTO);
	assert_int_equal(samples.nr, 1);
	assert_ptr_equal(samples.sample[0].metric, &toy_metrics[1]);
	assert_true(samples.sample[0].value == 1e-300);
}

static void sample_may_be_zero_where_the_metric_can(void **state)
{
	static const struct bench_metric metrics[] = {
		{ .name = "share", .unit = "%", .resolution = 1e-3, .can_be_zero = true },
		{ 0 },
	};
	const struct bench_ops shares = { .name = "shares", .metrics = metrics };
	struct bench_samples samples = { .nr = 0 };
	struct err err = { 0 };

	(void)state;
	assert_int_equal(bench_sample_add(&shares, &samples, "share", -1e-9, &err),
			 -EPROTO);
	assert_non_null(strstr(err.text, "expected a number of at least 0"));
	assert_int_equal(bench_sample_add(&shares, &samples, "share", (double)NAN, NULL),
			 -EPROTO);
	assert_int_equal(bench_sample_add(&shares, &samples, "share", 0.0, NULL), 0);
	assert_int_equal(samples.nr, 1);
	assert_true(samples.sample[0].value == 0.0);
}

static int parse_toy(const char *out, struct bench_samples *samples, struct err *err)
{
	struct workload workload;

	memset(samples, 0, sizeof(*samples));
	memset(err, 0, sizeof(*err));
	workload_init(&workload, &toy);
	return bench_native_parse(&workload, out, strlen(out), samples, NULL, err);
}

static void good_line_yields_every_metric(void **state)
{
	struct bench_samples samples;
	struct workload workload;
	struct jval *object = NULL;
	struct err err;

	(void)state;
	assert_int_equal(parse_toy(GOOD "\n", &samples, &err), 0);
	assert_string_equal(err.text, "");
	assert_int_equal(samples.nr, 2);
	assert_true(samples.sample[0].value == 0.5);
	assert_true(samples.sample[1].value == 12000.0);

	workload_init(&workload, &toy);
	samples.nr = 0;
	assert_int_equal(bench_native_parse(&workload, GOOD, strlen(GOOD), &samples,
					    &object, &err),
			 0);
	assert_string_equal(jval_get_text(object, "side"), "left");
	jval_free(object);
}

/* GOOD with @from replaced by @to must be refused with @reason in the sentence. */
static void assert_refused(const char *from, const char *to, const char *reason)
{
	const char *at = strstr(GOOD, from);
	struct bench_samples samples;
	struct err err;
	char out[512];

	assert_non_null(at);
	snprintf(out, sizeof(out), "%.*s%s%s\n", (int)(at - GOOD), GOOD, to,
		 at + strlen(from));
	assert_int_equal(parse_toy(out, &samples, &err), -EPROTO);
	if (!strstr(err.text, reason))
		fail_msg("'%s' is not in '%s'", reason, err.text);
}

static void other_work_than_asked_for_is_refused(void **state)
{
	(void)state;
	assert_refused("\"toy\"", "\"tool\"",
		       "asked for program toy, the program ran program tool");
	assert_refused("\"program\":\"toy\",", "",
		       "the program doesn't say which program it ran");
	assert_refused("\"calm\"", "\"wild\"",
		       "asked for mode calm, the program ran mode wild");
	assert_refused("\"side\":\"left\",", "",
		       "the program doesn't say which side it ran");
	assert_refused("\"groups\":4", "\"groups\":1",
		       "asked for groups 4, the program ran groups 1");
	assert_refused("\"groups\":4", "\"groups\":\"4\"", "asked for groups 4");
	assert_refused("\"groups\":4", "\"groups\":4.0", "asked for groups 4");
	assert_refused("\"groups\":4", "\"groups\":-4", "ran groups -4");
	assert_refused("\"groups\":4", "\"groups\":null", "ran groups null");
	assert_refused("\"groups\":4,", "", "doesn't say which groups");
	assert_refused("\"a b\"", "\"a  b\"", "asked for note a b, the program ran");
	assert_refused("\"a b\"", "5", "the program ran note 5");
}

static void metrics_that_prove_nothing_are_refused(void **state)
{
	(void)state;
	assert_refused("\"time\":0.5,", "", "no metric time");
	assert_refused(",\"rate\":12000", "", "no metric rate");
	assert_refused("0.5", "\"0.5\"", "metric time is not a number");
	assert_refused("0.5", "null", "metric time is not a number");
	assert_refused("0.5", "0", "metric time is 0, expected a number above 0");
	assert_refused("0.5", "-0.5", "metric time is -0.5");
	assert_refused("0.5", "NaN", "not valid JSON");
	assert_refused("0.5", "1e999", "not valid JSON");
	assert_refused("0.5,", "0.5,\"time\":0.6,", "not valid JSON");
	assert_refused("\"metrics\":{\"time\":0.5,\"rate\":12000}", "\"metrics\":[0.5]",
		       "no object 'metrics'");
}

static void output_must_be_one_object_on_one_line(void **state)
{
	static const struct {
		const char *out;
		const char *reason;
	} cases[] = {
		{ "", "printed nothing" },
		{ "\n", "not valid JSON" },
		{ "[1]\n", "not a JSON object" },
		{ "0.5\n", "not a JSON object" },
		{ GOOD "\n" GOOD "\n", "several lines" },
		{ GOOD "\n\n", "several lines" },
		{ "Time: 0.5\n" GOOD "\n", "several lines" },
		{ GOOD "x\n", "not valid JSON" },
		{ GOOD GOOD "\n", "not valid JSON" },
		{ "{\"program\":\"toy\",\"mode\":\"ca", "not valid JSON" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench_samples samples;
		struct err err;

		assert_int_equal(parse_toy(cases[i].out, &samples, &err), -EPROTO);
		if (!strstr(err.text, cases[i].reason))
			fail_msg("'%s' is not in '%s'", cases[i].reason, err.text);
		assert_int_equal(samples.nr, 0);
	}
}

static void bytes_behind_a_nul_are_not_overlooked(void **state)
{
	static const char out[] = GOOD "\0garbage";
	struct bench_samples samples = { .nr = 0 };
	struct workload workload;
	struct err err = { 0 };

	(void)state;
	workload_init(&workload, &toy);
	assert_int_equal(
		bench_native_parse(&workload, out, sizeof(out) - 1, &samples, NULL, &err),
		-EPROTO);
}

static void count_must_be_there_and_as_expected(void **state)
{
	static const char out[] = "{\"sent\":7,\"lost\":\"7\"}";
	struct err err = { 0 };
	struct jval *object;

	(void)state;
	assert_int_equal(jval_parse(out, sizeof(out) - 1, &object, NULL), 0);
	assert_int_equal(bench_native_count(object, "sent", "words sent", 7, NULL), 0);
	assert_int_equal(bench_native_count(object, "sent", "words sent", 8, &err),
			 -EPROTO);
	assert_string_equal(err.text, "the program counted 7 words sent, expected 8");
	err.code = 0;
	assert_int_equal(bench_native_count(object, "lost", "words lost", 7, &err),
			 -EPROTO);
	assert_string_equal(err.text, "the output has no count of words lost");
	jval_free(object);
}

static void task_is_process_or_thread(void **state)
{
	struct workload workload;

	(void)state;
	workload_init(&workload, bench_find("pipe"));
	assert_false(bench_is_threaded(&workload));
	workload.choice[0] = 1;
	assert_true(bench_is_threaded(&workload));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registry_is_sorted_and_complete),
		cmocka_unit_test(declarations_are_complete_and_within_limits),
		cmocka_unit_test(names_are_unique),
		cmocka_unit_test(defaults_are_valid_for_every_program),
		cmocka_unit_test(program_plans_parses_and_has_its_resolution),
		cmocka_unit_test(values_are_found_by_name),
		cmocka_unit_test(variant_is_named_by_its_words),
		cmocka_unit_test(parameters_keep_their_type),
		cmocka_unit_test(command_has_every_choice_and_parameter),
		cmocka_unit_test(sample_must_be_a_positive_number_given_once),
		cmocka_unit_test(sample_may_be_zero_where_the_metric_can),
		cmocka_unit_test(good_line_yields_every_metric),
		cmocka_unit_test(other_work_than_asked_for_is_refused),
		cmocka_unit_test(metrics_that_prove_nothing_are_refused),
		cmocka_unit_test(output_must_be_one_object_on_one_line),
		cmocka_unit_test(bytes_behind_a_nul_are_not_overlooked),
		cmocka_unit_test(count_must_be_there_and_as_expected),
		cmocka_unit_test(task_is_process_or_thread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
