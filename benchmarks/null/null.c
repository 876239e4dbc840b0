// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * null: does what its script says, to test the suite itself.
 *
 * A script is words separated by spaces; iteration i takes word i, round and
 * round, and the warm-up takes the first. A number is printed as the result,
 * as written; every other word is a way in which programs misbehave. It
 * measures nothing and is sensitive to nothing.
 */
#include "benchmarks/all.h"

#include <errno.h>
#include <string.h>

#include "benchmarks/native.h"
#include "benchmarks/null/script.h"
#include "lib/err.h"
#include "lib/text.h"

static const struct bench_choice choices[] = { { 0 } };

static const struct bench_param params[] = {
	{
		.name = "step",
		.min = 1,
		.max = 1000000,
		.number = 1,
		.help = "labels the rows, changes nothing",
	},
	{
		.name = "script",
		.type = BENCH_TEXT,
		.text = "1",
		.help = "words, one an iteration: a number to print, or a way to misbehave",
	},
	{ 0 },
};

static const struct bench_metric metrics[] = {
	{
		.name = "value",
		.unit = "s",
		.better = BETTER_LOWER,
		.resolution = 1e-9,
		.help = "the number in the script",
	},
	{ 0 },
};

static int refuse_word(const char *word, struct err *err)
{
	const char *nearest = text_nearest(word, null_words);

	if (nearest && !strcmp(nearest, "sleep"))
		nearest = NULL_SLEEP_PREFIX "200";
	if (nearest)
		return err_set(err, -EINVAL,
			       "script: '%s' is not a word of it, did you mean '%s'?",
			       word, nearest);
	return err_set(err, -EINVAL,
		       "script: '%s' is not a word of it (expected a number above 0 "
		       "in plain decimal, or a word such as 'fail')",
		       word);
}

static int check(const struct workload *workload, unsigned int nr_cpus, struct err *err)
{
	const char *script = workload_text(workload, "script");
	char word[NULL_MAX_WORD + 1];
	size_t nr = 0;

	(void)nr_cpus;
	for (; null_word_next(&script, word); nr++) {
		if (null_word_find(word) == NULL_UNKNOWN)
			return refuse_word(word, err);
	}
	if (!nr)
		return err_set(err, -EINVAL,
			       "script: there is no word in it (expected at least one)");
	return 0;
}

static void needs(const struct workload *workload, struct bench_needs *needs)
{
	(void)workload;
	needs->fds = 16;
	needs->tasks = 3;
	needs->memory = 1 << 20;
}

static int plan(const struct workload *workload, unsigned int iteration,
		struct bench_command *command)
{
	int ret = bench_native_plan(workload, iteration, command);

	return ret ? ret : bench_arg(command, "--iteration=%u", iteration);
}

static int parse(const struct workload *workload, const char *out, size_t len,
		 struct bench_samples *samples, struct err *err)
{
	return bench_native_parse(workload, out, len, samples, NULL, err);
}

static const struct bench_program programs[] = {
	{ .name = "native", .plan = plan, .parse = parse },
	{ 0 },
};

const struct bench_ops null_ops = {
	.name = "null",
	.summary = "does what its script says, to test the suite itself",
	.axis = "step",
	.choices = choices,
	.params = params,
	.metrics = metrics,
	.programs = programs,
	.model = &null_model,
	.check = check,
	.needs = needs,
};
