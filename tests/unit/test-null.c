// SPDX-License-Identifier: GPL-2.0-or-later
/* The null workload: its scripts, its commands, and what it reads or refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/bench.h"
#include "benchmarks/null/script.h"
#include "lib/err.h"
#include "lib/file.h"

static struct workload null_of(uint64_t step, const char *script)
{
	struct workload workload;

	workload_init(&workload, bench_find("null"));
	assert_string_equal(workload.ops->params[0].name, "step");
	assert_string_equal(workload.ops->params[1].name, "script");
	workload.value[0].number = step;
	workload.value[1].text = script;
	return workload;
}

static void every_word_is_known(void **state)
{
	static const char *const words[] = {
		"1",	"0.5",	  "12.250", "1000000", "sleep:1", "sleep:9999999",
		"fail", "orphan", "daemon", "deaf",    "bytes",	  "killed",
	};
	size_t i;

	(void)state;
	for (i = 0; i < NULL_NR_NAMED; i++)
		assert_int_equal(null_word_find(null_words[i]), i);
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct workload workload = null_of(1, words[i]);

		assert_int_equal(workload.ops->check(&workload, 2, NULL), 0);
	}
	assert_int_equal(null_word_find("0.001"), NULL_NUMBER);
	assert_int_equal(null_word_find("sleep:200"), NULL_SLEEP);
}

static void numbers_are_positive_plain_decimals(void **state)
{
	static const char *const bad[] = {
		"0",   "0.0", "-1",    "+1",	 "01",	    ".5",	 "5.",
		"1,5", "1e3", "0x10",  "nan ",	 "1.2.3",   "1_000",	 "inf",
		"",    "1s",  "sleep", "sleep:", "sleep:0", "sleep:1.5", "sleep:12345678",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (null_word_find(bad[i]) != NULL_UNKNOWN)
			fail_msg("'%s' was taken", bad[i]);
	}
}

static void words_are_separated_by_any_spaces(void **state)
{
	const char *script = "  1 fail   2.5 ";
	char word[NULL_MAX_WORD + 1];

	(void)state;
	assert_true(null_word_next(&script, word));
	assert_string_equal(word, "1");
	assert_true(null_word_next(&script, word));
	assert_string_equal(word, "fail");
	assert_true(null_word_next(&script, word));
	assert_string_equal(word, "2.5");
	assert_false(null_word_next(&script, word));
	assert_false(null_word_next(&script, word));
}

static void assert_refused(const char *script, const char *reason)
{
	struct workload workload = null_of(1, script);
	struct err err = { 0 };

	assert_int_equal(workload.ops->check(&workload, 2, &err), -EINVAL);
	if (!strstr(err.text, reason))
		fail_msg("'%s' is not in '%s'", reason, err.text);
}

static void unknown_word_is_named_with_the_nearest(void **state)
{
	(void)state;
	assert_refused("1 fial 2", "'fial' is not a word of it, did you mean 'fail'?");
	assert_refused("1 orphans", "did you mean 'orphan'?");
	assert_refused("sleep", "did you mean 'sleep:200'?");
	assert_refused("1 0 2", "'0' is not a word of it (expected a number above 0");
	assert_refused("xyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzy", "'xyzzy");
	assert_refused("1\tfail", "is not a word of it");
	assert_refused("", "there is no word in it");
	assert_refused("   ", "there is no word in it");
}

static void command_ends_with_the_iteration(void **state)
{
	struct workload workload = null_of(3, "1 fail");
	struct bench_command command = { NULL, 0 };

	(void)state;
	assert_int_equal(workload_plan(&workload, 12, &command), 0);
	assert_int_equal(command.nr_args, 4);
	assert_string_equal(command.argv[0], "null");
	assert_string_equal(command.argv[1], "--step=3");
	assert_string_equal(command.argv[2], "--script=1 fail");
	assert_string_equal(command.argv[3], "--iteration=12");
	assert_null(command.argv[4]);
	bench_command_release(&command);
}

static int parse_fixture(const char *name, const char *script,
			 struct bench_samples *samples, struct err *err)
{
	struct workload workload = null_of(3, script);
	char *path = file_path("tests/fixtures/null/%s.out", name);
	char *out = NULL;
	size_t len;
	int ret;

	samples->nr = 0;
	memset(err, 0, sizeof(*err));
	assert_non_null(path);
	assert_int_equal(file_read(path, 1 << 16, &out, &len, err), 0);
	free(path);
	ret = workload_parse(&workload, out, len, samples, err);
	free(out);
	return ret;
}

static void good_output_yields_the_value(void **state)
{
	struct bench_samples samples;
	struct err err;

	(void)state;
	assert_int_equal(parse_fixture("good", "1.25 fail", &samples, &err), 0);
	assert_int_equal(samples.nr, 1);
	assert_string_equal(samples.sample[0].metric->name, "value");
	assert_true(samples.sample[0].value == 1.25);
}

static void other_output_is_refused_with_the_reason(void **state)
{
	static const struct {
		const char *fixture;
		const char *script;
		const char *reason;
	} cases[] = {
		{ "other-step", "1.25 fail", "asked for step 3, the program ran step 2" },
		{ "good", "1.25", "asked for script 1.25, the program ran" },
		{ "partial", "partial", "not valid JSON" },
		{ "silent", "silent", "printed nothing" },
		{ "zero", "zero", "metric value is 0" },
		{ "nan", "nan", "metric value is not a number" },
		{ "twice", "twice", "several lines" },
	};
	struct bench_samples samples;
	struct err err;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(
			parse_fixture(cases[i].fixture, cases[i].script, &samples, &err),
			-EPROTO);
		if (!strstr(err.text, cases[i].reason))
			fail_msg("%s: '%s' is not in '%s'", cases[i].fixture,
				 cases[i].reason, err.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_word_is_known),
		cmocka_unit_test(numbers_are_positive_plain_decimals),
		cmocka_unit_test(words_are_separated_by_any_spaces),
		cmocka_unit_test(unknown_word_is_named_with_the_nearest),
		cmocka_unit_test(command_ends_with_the_iteration),
		cmocka_unit_test(good_output_yields_the_value),
		cmocka_unit_test(other_output_is_refused_with_the_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
