// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads printed output into an import; see import_output.h. What the output says of its
 * parameters configures a workload, whose parser then decides whether it proves them.
 */
#include "cli/import_output.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/bench.h"
#include "compare/import.h"
#include "compare/import_dir.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"

enum { OUTPUT_BYTES_MAX = 16 << 20 };

/**
 * struct saying - a number that an output says of a parameter
 * @parameter: its name
 * @before: what stands before the number
 * @share: of the number that is the parameter: 2 is half
 */
struct saying {
	const char *parameter, *before;
	uint64_t share;
};

/**
 * struct output - a kind of output
 * @mark: text that only this kind has
 * @workload: whose parser reads it
 * @program: of the workload's
 * @threads: text that says that threads ran, not processes
 * @sayings: ended by a NULL parameter
 */
static const struct output {
	const char *mark, *workload, *program, *threads;
	struct saying sayings[5];
} outputs[] = {
	{
		.mark = "Running in ",
		.workload = "hackbench",
		.program = "rt-tests",
		.threads = "in threaded mode",
		.sayings = {
			{ "groups", " mode with ", 1 },
			{ "fds", " groups using ", 2 },
			{ "loops", "Each sender will pass ", 1 },
			{ "size", " messages of ", 1 },
		},
	},
	{
		.mark = "'sched/messaging'",
		.workload = "messaging",
		.program = "perf",
		.threads = "receiver threads",
		.sayings = { { "groups", " per group\n# ", 1 } },
	},
	{
		.mark = "'sched/pipe'",
		.workload = "pipe",
		.program = "perf",
		.threads = "between two threads",
		.sayings = { { "loops", "# Executed ", 1 } },
	},
};

enum { HACKBENCH, MESSAGING, PIPE };

/**
 * struct reading - an output on its way in
 * @workload: as the output says it was
 * @point: what labels the row, of what the output says
 * @parameters: the rest of it
 */
struct reading {
	struct import *import;
	const struct output *output;
	const char *path, *text;
	size_t len;
	struct workload workload;
	struct jval *point, *parameters;
	struct err *err;
};

/* What the output doesn't say keeps its default, and isn't imported. */
static int set_parameters(struct reading *reading)
{
	const struct saying *saying = reading->output->sayings;
	int bad = 0;

	for (; !bad && saying->parameter; saying++) {
		const char *at = strstr(reading->text, saying->before);
		struct jval *object = strcmp(saying->parameter, "groups")
					      ? reading->parameters
					      : reading->point;
		uint64_t number;

		at = at ? at + strlen(saying->before) : "";
		if (!isdigit((unsigned char)*at))
			continue;
		number = strtoull(at, NULL, 10) / saying->share;
		workload_set(&reading->workload, saying->parameter, number);
		bad = jval_put(object, saying->parameter, jval_from_uint(number));
	}
	return bad;
}

static void choose_task(struct workload *workload, const char *task)
{
	const struct bench_choice *choices = workload->ops->choices;
	unsigned int i, j;

	for (i = 0; choices[i].key; i++) {
		if (strcmp(choices[i].key, "task") != 0)
			continue;
		for (j = 0; choices[i].words[j]; j++)
			if (!strcmp(choices[i].words[j], task))
				workload->choice[i] = j;
	}
}

static int add_samples(const struct reading *reading, const char *column,
		       const char *variant, const struct bench_samples *samples)
{
	struct err why = { 0 };
	size_t i;
	int bad = 0;

	for (i = 0; !bad && i < samples->nr; i++) {
		const struct bench_metric *metric = samples->sample[i].metric;
		const struct import_value value = {
			.column = column,
			.workload = reading->workload.ops->name,
			.variant = variant,
			.point = reading->point,
			.parameters = reading->parameters,
			.metric = {
				.name = metric->name,
				.unit = metric->unit,
				.better_higher = metric->better == BETTER_HIGHER,
				.secondary = metric->secondary,
				.mean = samples->sample[i].value,
				.digits = -1,
			},
		};

		bad = import_add(reading->import, &value, &why);
	}
	return bad ? err_set(reading->err, bad, "%s: %s", reading->path, why.text) : 0;
}

static int parse(struct reading *reading)
{
	const char *task =
		strstr(reading->text, reading->output->threads) ? "thread" : "process";
	/* Whether pipes or sockets were used, no output tells. */
	char *variant = file_path("%s-%s", reading->output->workload, task);
	char *column = import_dir_of(reading->path);
	struct bench_samples samples = { .nr = 0 };
	struct err why = { 0 };
	int bad = 0;

	workload_init(&reading->workload, bench_find(reading->output->workload));
	reading->workload.program =
		bench_program_find(reading->workload.ops, reading->output->program);
	choose_task(&reading->workload, task);
	if (!variant || !column || !reading->point || !reading->parameters ||
	    set_parameters(reading))
		bad = err_nomem(reading->err);
	if (!bad && workload_parse(&reading->workload, reading->text, reading->len,
				   &samples, &why))
		bad = err_set(reading->err, -EPROTO, "%s: %s", reading->path, why.text);
	if (!bad)
		bad = add_samples(reading, column, variant, &samples);
	free(column);
	free(variant);
	return bad;
}

static int read_output(struct import *import, const struct output *const *kinds,
		       const char *path, struct err *err)
{
	struct reading reading = { .import = import, .path = path, .err = err };
	char *text = NULL;
	int bad = file_read(path, OUTPUT_BYTES_MAX, &text, &reading.len, err);

	if (bad)
		return bad;
	while (*kinds && !strstr(text, (*kinds)->mark))
		kinds++;
	reading.output = *kinds;
	reading.text = text;
	reading.point = jval_object();
	reading.parameters = jval_object();
	if (!reading.output || strlen(text) != reading.len)
		bad = err_set(err, -EPROTO, "%s is no output of that program", path);
	else
		bad = parse(&reading);
	jval_free(reading.point);
	jval_free(reading.parameters);
	free(text);
	return bad;
}

int import_hackbench(struct import *import, const char *path, struct err *err)
{
	static const struct output *const kinds[] = { &outputs[HACKBENCH], NULL };

	return read_output(import, kinds, path, err);
}

int import_perf_bench(struct import *import, const char *path, struct err *err)
{
	static const struct output *const kinds[] = { &outputs[MESSAGING], &outputs[PIPE],
						      NULL };

	return read_output(import, kinds, path, err);
}
