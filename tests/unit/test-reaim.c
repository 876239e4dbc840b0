// SPDX-License-Identifier: GPL-2.0-or-later
/* The reaim workload: its command, needs and checks, and what is read of its output. */
#include "tests/unit/fixture.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "benchmarks/reaim/amounts.h"
#include "benchmarks/reaim/formula.h"
#include "benchmarks/reaim/mixes.h"
#include "benchmarks/reaim/own.h"

static void choose(struct workload *workload, size_t choice, const char *word)
{
	const char *const *words = workload->ops->choices[choice].words;

	workload->choice[choice] = 0;
	while (strcmp(words[workload->choice[choice]], word) != 0)
		workload->choice[choice]++;
}

static void set_text(struct workload *workload, const char *name, const char *text)
{
	size_t i = 0;

	while (strcmp(workload->ops->params[i].name, name) != 0)
		i++;
	workload->value[i].text = text;
}

static void resolve(struct workload *workload)
{
	const struct bench_machine machine = { .nr_cpus = 1 };
	struct bench_remark remark = { 0 };

	workload->ops->resolve(workload, &machine, &remark);
	assert_string_equal(remark.text, "");
}

/* As the fixtures were recorded. */
static struct workload reaim_of_two(void)
{
	struct workload workload;

	workload_init(&workload, bench_find("reaim"));
	choose(&workload, 1, "exec-true");
	workload_set(&workload, "users", 2);
	resolve(&workload);
	return workload;
}

/* A file below the directory of the test, with @text in it. */
static const char *own_file(const char *text)
{
	static char path[40];
	FILE *file;
	int fd;

	(void)snprintf(path, sizeof(path), "/dev/shm/schedgrid-test-XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	file = fdopen(fd, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
	return path;
}

static void command_asks_for_all_choices_and_parameters(void **state)
{
	static const char *const args[] = {
		"reaim",	 "--mix=five_sec",  "--sync_mode=exec-sync",
		"--users=4",	 "--jobs=100",	    "--repeat=1",
		"--filesize=10", "--poolsize=1024", "--diskdir=/dev/shm",
		"--workfile=",	 "--sum=0"
	};
	struct workload workload;
	char *name;

	(void)state;
	workload_init(&workload, bench_find("reaim"));
	resolve(&workload);
	command_is(&workload, args, sizeof(args) / sizeof(args[0]));
	name = workload_variant(&workload);
	assert_string_equal(name, "reaim-five_sec");
	free(name);
	choose(&workload, 0, "high_systime");
	choose(&workload, 1, "exec-true");
	name = workload_variant(&workload);
	assert_string_equal(name, "reaim-high_systime-exec-true");
	free(name);
}

static void each_word_but_own_is_a_mix(void **state)
{
	const char *const *words = bench_find("reaim")->choices[0].words;
	size_t i;

	(void)state;
	for (i = 0; reaim_mixes[i].name; i++)
		assert_string_equal(words[i], reaim_mixes[i].name);
	assert_string_equal(words[i], "own");
	assert_null(words[i + 1]);
}

static void three_tasks_a_user_and_few_descriptors_are_needed(void **state)
{
	struct workload workload = reaim_of_two();
	struct bench_needs needs = { 0 };

	(void)state;
	workload_set(&workload, "users", 100);
	workload.ops->needs(&workload, &needs);
	assert_int_equal(needs.tasks, 301);
	assert_in_range(needs.fds, 20, 64);
	assert_true(needs.memory > (100 * 10 + 1024) * 1024);
}

static void every_figure_is_read(void **state)
{
	struct workload workload = reaim_of_two();
	struct bench_samples samples;
	struct err err;
	size_t i;

	(void)state;
	if (fixture_parse(&workload, "reaim/good", &samples, &err))
		fail_msg("%s", err.text);
	assert_int_equal(samples.nr, 19);
	assert_string_equal(samples.sample[0].metric->name, "jobs_per_min");
	assert_true(samples.sample[0].metric->better == BETTER_HIGHER);
	assert_false(samples.sample[0].metric->secondary);
	/* 99 jobs of 2 users: 11880 jobs/min a second. */
	assert_true(fabs(samples.sample[0].value * samples.sample[3].value - 11880) <
		    0.01);
	for (i = 1; i < samples.nr; i++)
		assert_true(samples.sample[i].metric->secondary);
}

/* @samples' value of the metric @name; NAN: it has none. */
static double sample_of(const struct bench_samples *samples, const char *name)
{
	size_t i;

	for (i = 0; i < samples->nr; i++)
		if (!strcmp(samples->sample[i].metric->name, name))
			return samples->sample[i].value;
	return (double)NAN;
}

/* Users who ended within the same tick: their deviation is 0, which was measured. */
static void deviation_of_no_tick_is_a_figure(void **state)
{
	struct workload workload = reaim_of_two();
	struct bench_samples samples;
	struct err err;

	(void)state;
	if (fixture_parse(&workload, "reaim/together", &samples, &err))
		fail_msg("%s", err.text);
	assert_int_equal(samples.nr, 19);
	assert_true(sample_of(&samples, "std_dev_time") == 0.0);
	assert_true(sample_of(&samples, "std_dev_percent") == 0.0);
	assert_true(sample_of(&samples, "jti") == 100.0);
}

static void figure_that_is_absent_is_no_failure(void **state)
{
	struct workload workload = reaim_of_two();
	struct bench_samples samples;
	struct err err;

	(void)state;
	if (fixture_parse(&workload, "reaim/no-jti", &samples, &err))
		fail_msg("%s", err.text);
	assert_int_equal(samples.nr, 18);
	assert_true(isnan(sample_of(&samples, "jti")));
}

static void other_output_is_refused(void **state)
{
	static const struct fixture cases[] = {
		{ "reaim/other-users", "asked for users 2, the program ran users 3" },
		{ "reaim/other-mix", "asked for mix five_sec" },
		{ "reaim/lost-job", "counted 197 jobs, expected 198" },
		{ "reaim/hundred-jobs", "counted 100 jobs per child, expected 99" },
		{ "reaim/lost-exec",
		  "counted 197 programs run at sync points, expected 198" },
		{ "reaim/lost-sync", "counted 196 sync points, expected 198" },
		{ "reaim/no-execs", "no count of programs run" },
		{ "reaim/other-ticks", "jobs/min, the program printed" },
		{ "reaim/no-ticks", "'ticks' must have a number above 0" },
		{ "reaim/zero-ticks", "'ticks' must have a number above 0" },
		{ "reaim/two-points", "'ticks' must have a number above 0" },
		{ "reaim/other-child", "jobs_per_min_child must be jobs_per_min by 2" },
		{ "reaim/other-workload", "a workload of 198, expected 200" },
		{ "reaim/no-rate", "no metric jobs_per_min" },
		{ "reaim/two-results", "several lines" },
		{ "reaim/truncated", "not valid JSON" },
		{ "reaim/comma", "not valid JSON" },
		{ "chat/good", "the program ran program chat" },
	};
	struct workload workload = reaim_of_two();

	(void)state;
	fixtures_refused(&workload, cases, sizeof(cases) / sizeof(cases[0]));
}

static void other_sync_modes_have_other_counts(void **state)
{
	static const struct fixture off[] = {
		{ "reaim/off-syncs", "counted 198 sync points, expected 0" },
	};
	static const struct fixture fsync[] = {
		{ "reaim/fsync-execs",
		  "counted 198 programs run at sync points, expected 0" },
	};
	struct workload workload = reaim_of_two();
	struct bench_samples samples;
	struct err err;

	(void)state;
	choose(&workload, 1, "off");
	fixtures_refused(&workload, off, 1);
	choose(&workload, 1, "fsync");
	fixtures_refused(&workload, fsync, 1);
	if (fixture_parse(&workload, "reaim/fsync", &samples, &err))
		fail_msg("%s", err.text);
	assert_int_equal(samples.nr, 19);
}

static void check_says(const struct workload *workload, int code, const char *reason)
{
	struct err err = { 0 };

	assert_int_equal(workload->ops->check(workload, 1, &err), code);
	if (!strstr(err.text, reason))
		fail_msg("'%s' is not in '%s'", reason, err.text);
}

static void paths_and_words_must_go_together(void **state)
{
	struct workload workload = reaim_of_two();

	(void)state;
	set_text(&workload, "diskdir", "/");
	check_says(&workload, 0, "");
	set_text(&workload, "diskdir", "tmp");
	check_says(&workload, -EINVAL, "diskdir 'tmp' is not an absolute path");
	set_text(&workload, "diskdir", "/a\"\n");
	check_says(&workload, -EINVAL, "a path in plain ASCII");
	set_text(&workload, "diskdir", "/no such directory");
	check_says(&workload, -EOPNOTSUPP, "is no directory here");
	set_text(&workload, "workfile", "/x");
	check_says(&workload, -EINVAL, "goes with mix own, not with mix five_sec");
	choose(&workload, 0, "own");
	check_says(&workload, -EINVAL, "cannot open '/x'");
	set_text(&workload, "workfile", "x");
	check_says(&workload, -EINVAL, "workfile 'x' is not an absolute path");
	set_text(&workload, "workfile", "");
	check_says(&workload, -EINVAL, "mix own needs a workfile");
}

static void own_workfile_sets_what_the_grid_leaves_open(void **state)
{
	const char *path = own_file("FILESIZE: 2K\npoolsize: 1m\n3 add_int\n");
	struct workload workload;

	(void)state;
	workload_init(&workload, bench_find("reaim"));
	choose(&workload, 0, "own");
	set_text(&workload, "diskdir", "/");
	set_text(&workload, "workfile", path);
	workload_set(&workload, "poolsize", 7);
	resolve(&workload);
	assert_int_equal(workload_uint(&workload, "filesize"), 2);
	assert_int_equal(workload_uint(&workload, "poolsize"), 7);
	assert_true(workload_uint(&workload, "sum") > 0);
	check_says(&workload, 0, "");
	workload_set(&workload, "sum", 5);
	check_says(&workload, -EINVAL, "not the one asked for");
	assert_int_equal(unlink(path), 0);
}

static void wrong_workfile_is_refused_with_its_place(void **state)
{
	const char *path = own_file("# mine\n20 add_int\n20  fork_tst\n");
	struct workload workload;
	struct own own = { 0 };
	struct err err = { 0 };
	char expected[200];

	(void)state;
	assert_int_equal(own_read(path, &own, &err), -EPROTO);
	(void)snprintf(expected, sizeof(expected),
		       "%s:3:5: unknown test 'fork_tst'; did you mean 'fork_test'?",
		       path);
	assert_string_equal(err.text, expected);
	assert_true(own.sum > 0);

	workload_init(&workload, bench_find("reaim"));
	assert_false(own_is_asked(&workload));
	choose(&workload, 0, "own");
	assert_true(own_is_asked(&workload));
	set_text(&workload, "workfile", path);
	resolve(&workload);
	check_says(&workload, -EINVAL, ":3:5: unknown test 'fork_tst'");
	assert_int_equal(unlink(path), 0);
}

static struct workload upstream_of_two(void)
{
	struct workload workload = reaim_of_two();

	workload.program = bench_program_find(workload.ops, "reaim");
	choose(&workload, 1, "exec-sync");
	return workload;
}

static void upstream_is_started_by_our_own_program(void **state)
{
	static const char *const args[] = {
		"reaim",	 "--mix=five_sec",  "--sync_mode=exec-sync",
		"--users=2",	 "--jobs=100",	    "--repeat=1",
		"--filesize=10", "--poolsize=1024", "--diskdir=/dev/shm",
		"--workfile=",	 "--sum=0",	    "--upstream"
	};
	struct workload workload = upstream_of_two();

	(void)state;
	set_text(&workload, "diskdir", "/dev/shm");
	command_is(&workload, args, sizeof(args) / sizeof(args[0]));
	assert_string_equal(workload.program->starts->command, "reaim");
	set_text(&workload, "diskdir", "/");
	check_says(&workload, 0, "");
	workload_set(&workload, "repeat", 2);
	check_says(&workload, -EINVAL, "repeat must be 1");
	choose(&workload, 1, "exec-true");
	check_says(&workload, -EINVAL, "sync_mode exec-sync and off, not exec-true");
}

static void figures_of_upstream_are_read(void **state)
{
	struct workload workload = upstream_of_two();
	struct bench_samples samples;
	struct err err;

	(void)state;
	if (fixture_parse(&workload, "reaim/upstream-good", &samples, &err))
		fail_msg("%s", err.text);
	assert_int_equal(samples.nr, 10);
	assert_string_equal(samples.sample[1].metric->name, "child_systime");
	assert_true(samples.sample[1].value == 2.56);
	assert_string_equal(samples.sample[2].metric->name, "child_utime");
	assert_true(samples.sample[2].value == 1.39);
	assert_string_equal(samples.sample[3].metric->name, "jobs_per_min");
	assert_true(samples.sample[3].value == 4733.07);
	assert_string_equal(samples.sample[9].metric->name, "workload");
	assert_true(samples.sample[9].value == 200);
	if (fixture_parse(&workload, "reaim/upstream-together", &samples, &err))
		fail_msg("%s", err.text);
	assert_int_equal(samples.nr, 10);
	assert_true(sample_of(&samples, "std_dev_time") == 0.0);
	assert_true(sample_of(&samples, "std_dev_percent") == 0.0);
}

/* As published: sizes and numbers of what a job copies, allocates and sends. */
static void amounts_of_jobs_come_to_what_is_published(void **state)
{
	const struct amount_run *run;
	size_t copies = 0, bytes = 0, sent = 0, nr = 0, i;

	(void)state;
	for (run = amount_copies; run->times; run++) {
		copies += run->times;
		bytes += (size_t)run->times * run->bytes;
	}
	assert_int_equal(copies, 100);
	assert_int_equal(bytes, 139996);
	for (i = 0; i < 37; i++)
		sent += amount_message(&nr);
	assert_int_equal(nr, 37);
	assert_int_equal(sent, 26560);
	assert_int_equal(amount_message(&nr), 1);
	assert_int_equal(amount_block(12), AMOUNT_BLOCK_MAX);
	assert_int_equal(amount_block(20), amount_block(0));
}

static void other_output_of_upstream_is_refused(void **state)
{
	static const struct fixture cases[] = {
		{ "reaim/upstream-other-users",
		  "asked for users 2, the program ran users 4" },
		{ "reaim/upstream-hundred-jobs",
		  "99 jobs of 2 users in 2.51 s make 4733.07 jobs/min, the program printed "
		  "4780.88" },
		{ "reaim/upstream-two-points", "2 lines of nine numbers" },
		{ "reaim/upstream-no-point", "0 lines of nine numbers" },
		{ "reaim/upstream-ten-columns", "0 lines of nine numbers" },
		{ "reaim/upstream-no-max", "no line 'Max Jobs per Minute '" },
		{ "reaim/upstream-other-max", "the best rate is 4734.07" },
		{ "reaim/upstream-zero-time", "less than a tick of 10 ms" },
		{ "reaim/upstream-comma", "no plain number with 2 decimals" },
		{ "reaim/upstream-truncated", "no line 'Max Jobs per Minute '" },
		{ "reaim/good", "no line 'Max Jobs per Minute '" },
	};
	struct workload workload = upstream_of_two();

	(void)state;
	fixtures_refused(&workload, cases, sizeof(cases) / sizeof(cases[0]));
}

static void formulas_are_those_of_reaim(void **state)
{
	static const double apart[] = { 100, 200, 300, 200 };
	static const double together[] = { 7, 7, 7 };
	struct formula_spread spread;

	(void)state;
	/* Published: five_sec by 4 users within 33, 35, 36 and 37 ticks. */
	assert_true(fabs(formula_rate(99, 4, 0.33) - 72000) < 1e-6);
	assert_int_equal((int)formula_rate(99, 4, 0.35), 67885);
	assert_true(fabs(formula_rate(99, 4, 0.36) - 66000) < 1e-6);
	assert_int_equal((int)formula_rate(99, 4, 0.37), 64216);

	spread = formula_spread(apart, 4, 1);
	assert_true(fabs(spread.std_dev - sqrt(5000)) < 1e-9);
	assert_true(fabs(spread.percent - 100 * sqrt(5000) / 200) < 1e-9);
	assert_true(spread.jti == 64);
	assert_true(fabs(formula_spread(apart, 4, 0).jti - 64.6446609) < 1e-6);
	spread = formula_spread(together, 3, 1);
	assert_true(spread.std_dev == 0 && spread.jti == 100);
	assert_true(formula_spread(apart, 1, 1).jti == 100);

	assert_true(formula_jti(0.4, 1) == 99);
	assert_true(formula_jti(150, 1) == -50);
	assert_true(formula_jti(200, 1) == 0);
	assert_true(formula_jti(200, 0) == -100);
	assert_true(fabs(formula_sqrt(2) - sqrt(2)) < 1e-15);
	assert_true(fabs(formula_sqrt(1e-6) - 1e-3) < 1e-15);
	assert_true(formula_sqrt(0) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(command_asks_for_all_choices_and_parameters),
		cmocka_unit_test(each_word_but_own_is_a_mix),
		cmocka_unit_test(three_tasks_a_user_and_few_descriptors_are_needed),
		cmocka_unit_test(every_figure_is_read),
		cmocka_unit_test(deviation_of_no_tick_is_a_figure),
		cmocka_unit_test(figure_that_is_absent_is_no_failure),
		cmocka_unit_test(other_output_is_refused),
		cmocka_unit_test(other_sync_modes_have_other_counts),
		cmocka_unit_test(paths_and_words_must_go_together),
		cmocka_unit_test(own_workfile_sets_what_the_grid_leaves_open),
		cmocka_unit_test(wrong_workfile_is_refused_with_its_place),
		cmocka_unit_test(upstream_is_started_by_our_own_program),
		cmocka_unit_test(figures_of_upstream_are_read),
		cmocka_unit_test(other_output_of_upstream_is_refused),
		cmocka_unit_test(formulas_are_those_of_reaim),
		cmocka_unit_test(amounts_of_jobs_come_to_what_is_published),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
