// SPDX-License-Identifier: GPL-2.0-or-later
/* A command of the user's: how it is built up, expanded, identified and read. */
#include "tests/unit/fixture.h"

#include <signal.h>
#include <stdio.h>

#include "benchmarks/exec/exec.h"
#include "benchmarks/exec/output.h"
#include "lib/json.h"

static struct exec *exec_with(const char *const *params, const char *const *args)
{
	struct exec *exec = exec_new();
	struct err err = { 0 };

	assert_non_null(exec);
	for (; params && *params; params++)
		assert_int_equal(exec_add_param(exec, *params, NULL), 0);
	for (; *args; args++)
		if (exec_add_arg(exec, *args, &err))
			fail_msg("%s: %s", *args, err.text);
	return exec;
}

static void assert_says(const struct err *err, const char *reason)
{
	if (!strstr(err->text, reason))
		fail_msg("'%s' is not in '%s'", reason, err->text);
}

static void values_take_the_place_of_names(void **state)
{
	static const char *const params[] = { "n", "mode", NULL };
	static const char *const args[] = { "./bench.sh",    "-n",    "{n}",
					    "a{n}{mode}{n}", "{{n}}", "",
					    "}}{{{n}",	     NULL };
	static const char *const expanded[] = { "./bench.sh", "-n", "4",  "a4x y4",
						"{n}",	      "",   "}{4" };
	struct exec *exec = exec_with(params, args);
	struct workload workload;
	char *name;

	(void)state;
	workload_init(&workload, exec_ops_of(exec));
	workload.value[0].text = "4";
	workload.value[1].text = "x y";
	command_is(&workload, expanded, 7);
	name = workload_variant(&workload);
	assert_string_equal(name, "exec-bench.sh");
	free(name);
	assert_string_equal(workload.program->command, "./bench.sh");
	assert_true(workload.ops->runs_command);
	exec_free(exec);
}

static void refuse_arg(const char *text, const char *reason)
{
	static const char *const params[] = { "groups", NULL };
	static const char *const args[] = { "prog", NULL };
	struct exec *exec = exec_with(params, args);
	struct err err = { 0 };

	assert_int_equal(exec_add_arg(exec, text, &err), -EINVAL);
	assert_says(&err, reason);
	exec_free(exec);
}

static void braces_must_name_a_parameter_or_be_double(void **state)
{
	(void)state;
	refuse_arg("{group}", "no parameter 'group'; did you mean 'groups'?");
	refuse_arg("a{zz}b", "no parameter 'zz' (a brace that is no parameter's");
	refuse_arg("{}", "no parameter ''");
	refuse_arg("{groups", "single brace");
	refuse_arg("groups}", "single brace");
	refuse_arg("{", "single brace");
	refuse_arg("{groups}}", "single brace");
	refuse_arg("{{groups}", "single brace");
}

static void program_is_fixed(void **state)
{
	static const char *const bad[] = { "", "bin/", "{n}", "run-{n}", NULL };
	size_t i;

	(void)state;
	for (i = 0; bad[i]; i++) {
		struct exec *exec = exec_new();

		assert_int_equal(exec_add_param(exec, "n", NULL), 0);
		assert_int_equal(exec_add_arg(exec, bad[i], NULL), -EINVAL);
		exec_free(exec);
	}
	exec_free(NULL);
}

static void names_are_plain_and_given_once(void **state)
{
	static const char *const bad[] = { "",	  "1a",	 "a b", "a=b", "-a", "\xc3\xa4",
					   "a\n", "a/b", "{a}", "a.b", NULL };
	struct exec *exec = exec_new();
	struct err err = { 0 };
	char name[8];
	size_t i;

	(void)state;
	for (i = 0; bad[i]; i++)
		assert_int_equal(exec_add_param(exec, bad[i], NULL), -EINVAL);
	assert_int_equal(exec_add_param(exec, "a23456789-123456789-123456789-123", NULL),
			 -EINVAL);
	for (i = 0; i < BENCH_MAX_PARAMS; i++) {
		(void)snprintf(name, sizeof(name), "p%zu", i);
		assert_int_equal(exec_add_param(exec, name, NULL), 0);
	}
	assert_int_equal(exec_add_param(exec, "p3", &err), -EINVAL);
	assert_says(&err, "'p3' is there already");
	err = (struct err){ 0 };
	assert_int_equal(exec_add_param(exec, "one-more", &err), -EINVAL);
	assert_says(&err, "at most 12");
	exec_free(exec);
}

static void command_has_limits(void **state)
{
	static const char *const params[] = { "n", NULL };
	static const char *const args[] = { "prog", NULL };
	struct exec *exec = exec_with(params, args);
	char text[EXEC_MAX_ARG + 2];
	struct workload workload;
	struct err err = { 0 };
	size_t i;

	(void)state;
	memset(text, 'a', sizeof(text));
	text[EXEC_MAX_ARG + 1] = '\0';
	assert_int_equal(exec_add_arg(exec, text, NULL), -EINVAL);
	text[EXEC_MAX_ARG] = '\0';
	for (i = 0; i < 20; i++)
		assert_int_equal(exec_add_arg(exec, "{n}", NULL), 0);
	workload_init(&workload, exec_ops_of(exec));
	workload.value[0].text = "1";
	assert_int_equal(workload.ops->check(&workload, 2, NULL), 0);
	workload.value[0].text = text;
	assert_int_equal(workload.ops->check(&workload, 2, &err), -EINVAL);
	assert_says(&err, "comes to");
	for (; i < EXEC_MAX_ARGS - 1; i++)
		assert_int_equal(exec_add_arg(exec, "x", NULL), 0);
	assert_int_equal(exec_add_arg(exec, "x", NULL), -EINVAL);
	exec_free(exec);
}

static void metric_needs_one_way_to_be_found(void **state)
{
	static const struct {
		struct exec_metric metric;
		const char *reason;
	} cases[] = {
		{ { "t", "s", BETTER_LOWER, NULL, NULL, false },
		  "one of 'regex', 'json' and 'from: elapsed'" },
		{ { "t", "s", BETTER_LOWER, "(a)", "a", false },
		  "one of 'regex', 'json' and 'from: elapsed'" },
		{ { "t", "s", BETTER_LOWER, "(a)", NULL, true }, "one of 'regex'" },
		{ { "t", "ms", BETTER_LOWER, NULL, NULL, true }, "expected unit s" },
		{ { "t", "s", BETTER_HIGHER, NULL, NULL, true }, "better lower" },
		{ { "t t", "s", BETTER_LOWER, "(a)", NULL, false }, "name of a metric" },
		{ { "t", "", BETTER_LOWER, "(a)", NULL, false },
		  "a unit of 1 to 16 bytes" },
		{ { "t", "s", BETTER_LOWER, "(", NULL, false }, "regex '('" },
		{ { "t", "s", BETTER_LOWER, "[0-9]+", NULL, false }, "has no group" },
		{ { "t", "s", BETTER_LOWER, "((((a{200}){200}){200}){200})", NULL,
		    false },
		  "repeats more than" },
		{ { "t", "s", BETTER_LOWER, NULL, "a..b", false },
		  "not a path into JSON" },
		{ { "t", "s", BETTER_LOWER, NULL, "", false }, "not a path into JSON" },
		{ { "ok", "s", BETTER_LOWER, "(a)", NULL, false },
		  "'ok' is there already" },
	};
	static const struct exec_metric good = { "ok",	     "s",  BETTER_HIGHER,
						 "(a{2,3})", NULL, false };
	struct exec *exec = exec_new();
	size_t i;

	(void)state;
	assert_int_equal(exec_add_metric(exec, &good, NULL), 0);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = { 0 };

		assert_int_equal(exec_add_metric(exec, &cases[i].metric, &err), -EINVAL);
		assert_says(&err, cases[i].reason);
	}
	assert_int_equal(exec_ops_of(exec)->metrics[0].better, BETTER_HIGHER);
	assert_null(exec_ops_of(exec)->metrics[1].name);
	exec_free(exec);
}

static void regex_must_match_exactly_once(void **state)
{
	static const struct {
		const char *regex, *out;
		double value; /* 0: refused with: */
		const char *reason;
	} cases[] = {
		{ "took ([0-9.]+) s", "it took 1.25 s\n", 1.25, NULL },
		{ "^([0-9]+)$", "a 1\n2\nb 3\n", 2, NULL },
		{ "^([0-9]+)$", "7", 7, NULL },
		{ "x=(.*)$", "x=1e-3\ny=2\n", 1e-3, NULL },
		{ "took ([0-9.]+) s", "it took a while\n", 0, "matches nothing" },
		{ "took ([0-9.]+) s", "took 1 s, took 1 s", 0, "matches more than once" },
		{ "([0-9]+)", "12 13", 0, "matches more than once" },
		{ "([0-9]*)", "", 0, "expected a number above 0" },
		{ "x=(.*)$", "x=1,5\n", 0, "found '1,5'" },
		{ "x=(.*)$", "x=-1\n", 0, "found '-1'" },
		{ "x=(.*)$", "x=\n", 0, "found ''" },
		{ "x=(.*)$", "x=nan\n", 0, "found 'nan'" },
		{ "x=(.*)$", "x=0x10\n", 0, "found '0x10'" },
		{ "x=(.*)$", "x=1.\n", 0, "found '1.'" },
		{ "x=(.*)$", "x=1e\n", 0, "found '1e'" },
		{ "(y)?x", "x", 0, "found ''" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = { 0 };
		double value = 0;
		int bad = exec_regex_number(cases[i].regex, cases[i].out,
					    strlen(cases[i].out), &value, &err);

		assert_true(value == cases[i].value);
		assert_int_equal(bad, cases[i].reason ? -EPROTO : 0);
		if (cases[i].reason)
			assert_says(&err, cases[i].reason);
	}
	assert_int_equal(exec_regex_number("(1)", "1\0\0", 3, &(double){ 0 }, NULL),
			 -EPROTO);
	assert_int_equal(exec_check_regex("a(b)", NULL), 0);
}

static void path_leads_to_a_number(void **state)
{
	static const char text[] =
		"{\"a\":{\"b\":[1,{\"c\":2.5}],\"0\":3},\"s\":\"4\",\"n\":null}";
	static const struct {
		const char *path;
		double value;
	} cases[] = {
		{ "a.b.1.c", 2.5 }, { "a.b.0", 1 },  { "a.0", 3 }, { "a.b", 0 },
		{ "a.b.2", 0 },	    { "a.b.x", 0 },  { "s", 0 },   { "n", 0 },
		{ "z", 0 },	    { "a.b.01", 0 }, { "s.x", 0 },
	};
	struct jval *json = NULL;
	size_t i;

	(void)state;
	assert_int_equal(jval_parse(text, sizeof(text) - 1, &json, NULL), 0);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double value = 0;

		assert_int_equal(exec_check_path(cases[i].path, NULL), 0);
		assert_int_equal(exec_path_number(cases[i].path, json, &value, NULL),
				 cases[i].value > 0 ? 0 : -EPROTO);
		assert_true(value == cases[i].value);
	}
	jval_free(json);
}

static void output_yields_every_metric_or_a_reason(void **state)
{
	static const char *const args[] = { "prog", NULL };
	static const struct exec_metric metrics[] = {
		{ "time", "s", BETTER_LOWER, "took ([0-9.]+) s", NULL, false },
		{ "rate", "MB/s", BETTER_HIGHER, "([0-9.]+) MB/s", NULL, false },
	};
	static const struct fixture cases[] = {
		{ "exec/two-results", "matches more than once" },
		{ "exec/no-rate", "regex '([0-9.]+) MB/s' matches nothing" },
		{ "exec/zero", "metric time is 0" },
		{ "exec/silent", "printed nothing" },
	};
	struct exec *exec = exec_with(NULL, args);
	struct bench_samples samples;
	struct workload workload;
	struct err err;

	(void)state;
	assert_int_equal(exec_add_metric(exec, &metrics[0], NULL), 0);
	assert_int_equal(exec_add_metric(exec, &metrics[1], NULL), 0);
	workload_init(&workload, exec_ops_of(exec));
	assert_int_equal(fixture_parse(&workload, "exec/good", &samples, &err), 0);
	assert_int_equal(samples.nr, 2);
	assert_true(samples.sample[0].value == 1.25);
	assert_true(samples.sample[1].value == 800.5);
	assert_string_equal(samples.sample[1].metric->unit, "MB/s");
	fixtures_refused(&workload, cases, sizeof(cases) / sizeof(cases[0]));
	exec_free(exec);
}

static void json_output_is_one_value(void **state)
{
	static const char *const args[] = { "prog", NULL };
	static const struct exec_metric metric = { "mean",	     "us",
						   BETTER_LOWER,     NULL,
						   "results.0.mean", false };
	static const struct fixture cases[] = {
		{ "exec/json-two-values", "not valid JSON" },
		{ "exec/json-truncated", "not valid JSON" },
		{ "exec/json-other", "there is no 'results.0.mean'" },
		{ "exec/json-text",
		  "'results.0.mean' in the output's JSON is not a number" },
		{ "exec/good", "not valid JSON" },
	};
	struct exec *exec = exec_with(NULL, args);
	struct bench_samples samples;
	struct workload workload;
	struct err err;

	(void)state;
	assert_int_equal(exec_add_metric(exec, &metric, NULL), 0);
	workload_init(&workload, exec_ops_of(exec));
	assert_int_equal(fixture_parse(&workload, "exec/json-good", &samples, &err), 0);
	assert_true(samples.sample[0].value == 12.5);
	fixtures_refused(&workload, cases, sizeof(cases) / sizeof(cases[0]));
	exec_free(exec);
}

static void identity_has_command_and_metrics(void **state)
{
	static const char *const args[] = { "prog", "{{x", NULL };
	static const struct exec_metric metrics[] = {
		{ "t", "s", BETTER_LOWER, "(.)", NULL, false },
		{ "r", "1/s", BETTER_HIGHER, NULL, "a.b", false },
	};
	struct exec *exec = exec_with(NULL, args);
	const struct bench_ops *ops = exec_ops_of(exec);
	struct jval *json;
	char *text;

	(void)state;
	assert_int_equal(exec_add_metric(exec, &metrics[0], NULL), 0);
	assert_int_equal(exec_add_metric(exec, &metrics[1], NULL), 0);
	json = ops->identify(ops);
	text = jval_write(json, JVAL_CANONICAL);
	assert_string_equal(
		text,
		"{\"command\":[\"prog\",\"{{x\"],\"metrics\":["
		"{\"better\":\"lower\",\"name\":\"t\",\"regex\":\"(.)\",\"unit\":\"s\"},"
		"{\"better\":\"higher\",\"json\":\"a.b\",\"name\":\"r\",\"unit\":\"1/s\"}]}");
	free(text);
	jval_free(json);
	exec_free(exec);
}

static void regex_refers_back_to_no_group(void **state)
{
	static const char *const fine[] = { "(a)[\\1]", "(a)[]\\1]",	     "(a)[^]\\1]",
					    "(a)\\\\1", "(a)[[:digit:]\\1]", NULL };
	static const char *const bad[] = { "(a*)(a*)\\1\\2b", "(a)\\9", "(a)[b]\\1",
					   "(a)\\\\\\1", NULL };
	struct err err = { 0 };
	size_t i;

	(void)state;
	for (i = 0; fine[i]; i++)
		if (exec_check_regex(fine[i], NULL))
			fail_msg("%s is refused", fine[i]);
	for (i = 0; bad[i]; i++) {
		err = (struct err){ 0 };
		if (exec_check_regex(bad[i], &err) != -EINVAL)
			fail_msg("%s is taken", bad[i]);
		assert_says(&err, "refers back to a group");
	}
}

/* As the worker of a run blocks it: it must end the match and stay to be read. */
static void signal_ends_a_match(void **state)
{
	enum { LEN = 200000 };
	char *out = malloc(LEN + 1);
	struct err err = { 0 };
	sigset_t set, before;
	double value;
	int got = 0;

	(void)state;
	assert_non_null(out);
	memset(out, 'a', LEN);
	out[LEN] = '\0';
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	assert_int_equal(sigprocmask(SIG_BLOCK, &set, &before), 0);
	assert_int_equal(raise(SIGTERM), 0);
	assert_int_equal(exec_regex_number("(a|a|a|a)*(a|a|aa)*(a*a*a*a*a*)*b", out, LEN,
					   &value, &err),
			 -EINTR);
	assert_int_equal(sigwait(&set, &got), 0);
	assert_int_equal(got, SIGTERM);
	assert_int_equal(sigprocmask(SIG_SETMASK, &before, NULL), 0);
	free(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_take_the_place_of_names),
		cmocka_unit_test(braces_must_name_a_parameter_or_be_double),
		cmocka_unit_test(program_is_fixed),
		cmocka_unit_test(names_are_plain_and_given_once),
		cmocka_unit_test(command_has_limits),
		cmocka_unit_test(metric_needs_one_way_to_be_found),
		cmocka_unit_test(regex_must_match_exactly_once),
		cmocka_unit_test(regex_refers_back_to_no_group),
		cmocka_unit_test(signal_ends_a_match),
		cmocka_unit_test(path_leads_to_a_number),
		cmocka_unit_test(output_yields_every_metric_or_a_reason),
		cmocka_unit_test(json_output_is_one_value),
		cmocka_unit_test(identity_has_command_and_metrics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
