// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads printed output into an import; see import_output.h. What the output says of its
 * parameters configures a workload, whose parser then decides whether it proves them.
 */
#include "cli/import_output.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/bench.h"
#include "benchmarks/reaim/osdl.h"
#include "benchmarks/tbench/dbench.h"
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

/* By whichever server, and of whichever load: the output doesn't say. */
static int parse_dbench(const struct workload *workload, const char *out, size_t len,
			struct bench_samples *samples, struct err *err)
{
	return dbench_parse(workload, out, len, NULL, samples, err);
}

/**
 * struct output - a kind of output
 * @mark: text that only this kind has
 * @workload: whose parser reads it
 * @program: of the workload's
 * @threads: text that says that threads ran, not processes; NULL: only one can
 * @sayings: ended by a NULL parameter
 * @parse: instead of the program's own, which demands what our runs add
 */
static const struct output {
	const char *mark, *workload, *program, *threads;
	struct saying sayings[5];
	int (*parse)(const struct workload *workload, const char *out, size_t len,
		     struct bench_samples *samples, struct err *err);
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
	{
		.mark = "dbench version ",
		.workload = "tbench",
		.program = "dbench",
		.sayings = {
			{ "clients", " of ", 1 },
			{ "seconds", "Running for ", 1 },
		},
		.parse = parse_dbench,
	},
	{
		.mark = "Jobs/min/",
		.workload = "reaim",
		.program = "reaim",
	},
};

enum { HACKBENCH, MESSAGING, PIPE, TBENCH, REAIM };

/**
 * struct reading - an output on its way in
 * @workload: as the output says it was
 * @point: what labels the row, of what the output says
 * @parameters: the rest of it
 * @column: the directory's name
 * @variant: as far as the output tells it
 */
struct reading {
	struct import *import;
	const struct output *output;
	const char *path, *text;
	size_t len;
	struct workload workload;
	struct jval *point, *parameters;
	char *column, *variant;
};

/* What tables have a row for; a pipe's loops, the axis of its grids, are as ever. */
static bool is_row(const char *parameter)
{
	return !strcmp(parameter, "groups") || !strcmp(parameter, "clients");
}

/* A number as it begins at @text, or -EPROTO: programs print any that they were given. */
static int read_number(const char *text, uint64_t *ret, struct err *err)
{
	errno = 0;
	*ret = strtoull(text, NULL, 10);
	if (!errno && *ret <= INT64_MAX)
		return 0;
	return err_set(err, -EPROTO,
		       "%.*s is more than any run can have (expected at most %jd)",
		       (int)strspn(text, "0123456789"), text, INTMAX_MAX);
}

/* What the output doesn't say keeps its default, and isn't imported. */
static int set_parameters(struct reading *reading, struct err *err)
{
	const struct saying *saying = reading->output->sayings;
	int bad = 0;

	for (; !bad && saying->parameter; saying++) {
		const char *at = strstr(reading->text, saying->before);
		struct jval *object =
			is_row(saying->parameter) ? reading->point : reading->parameters;
		uint64_t number;

		at = at ? at + strlen(saying->before) : "";
		if (!isdigit((unsigned char)*at))
			continue;
		if (read_number(at, &number, err))
			return err->code;
		number /= saying->share;
		workload_set(&reading->workload, saying->parameter, number);
		if (jval_put(object, saying->parameter, jval_from_uint(number)))
			bad = err_nomem(err);
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

static int add_samples(const struct reading *reading, const struct bench_samples *samples,
		       struct err *err)
{
	size_t i;
	int bad = 0;

	for (i = 0; !bad && i < samples->nr; i++) {
		const struct bench_metric *metric = samples->sample[i].metric;
		const struct import_value value = {
			.column = reading->column,
			.workload = reading->workload.ops->name,
			.variant = reading->variant,
			.point = reading->point,
			.parameters = reading->parameters,
			.metric = {
				.name = metric->name,
				.unit = metric->unit,
				.better_higher = metric->better == BETTER_HIGHER,
				.secondary = metric->secondary,
				.unjudged = metric->unjudged,
				.mean = samples->sample[i].value,
				.digits = -1,
			},
		};

		bad = import_add(reading->import, &value, err);
	}
	return bad;
}

/* "hackbench-process"; whether pipes or sockets were used, no output tells. */
static char *variant_of(struct reading *reading)
{
	const struct output *output = reading->output;
	const char *task;

	if (!output->threads)
		return strdup(output->workload);
	task = strstr(reading->text, output->threads) ? "thread" : "process";
	choose_task(&reading->workload, task);
	return file_path("%s-%s", output->workload, task);
}

static int add_point(uint64_t users, const struct bench_samples *samples, void *data,
		     struct err *err)
{
	struct reading *reading = data;

	if (jval_put(reading->point, "users", jval_from_uint(users)))
		return err_nomem(err);
	return add_samples(reading, samples, err);
}

static int parse(struct reading *reading, struct err *err)
{
	const struct output *output = reading->output;
	const struct workload *workload = &reading->workload;
	struct bench_samples samples = { .nr = 0 };
	int bad;

	if (output == &outputs[REAIM])
		return osdl_points(workload->ops, reading->text, reading->len, add_point,
				   reading, err);
	if (output->parse)
		bad = output->parse(workload, reading->text, reading->len, &samples, err);
	else
		bad = workload_parse(workload, reading->text, reading->len, &samples,
				     err);
	return bad ? bad : add_samples(reading, &samples, err);
}

static int take(struct reading *reading, struct err *err)
{
	struct err why = { 0 };
	int bad;

	workload_init(&reading->workload, bench_find(reading->output->workload));
	reading->workload.program =
		bench_program_find(reading->workload.ops, reading->output->program);
	reading->variant = variant_of(reading);
	reading->column = import_dir_of(reading->path);
	if (!reading->variant || !reading->column || !reading->point ||
	    !reading->parameters)
		return err_nomem(err);
	bad = set_parameters(reading, &why);
	if (!bad)
		bad = parse(reading, &why);
	return bad ? err_set(err, bad, "%s: %s", reading->path, why.text) : 0;
}

static int read_output(struct import *import, const struct output *const *kinds,
		       const char *path, struct err *err)
{
	struct reading reading = { .import = import, .path = path };
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
		bad = take(&reading, err);
	free(reading.column);
	free(reading.variant);
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

int import_tbench(struct import *import, const char *path, struct err *err)
{
	static const struct output *const kinds[] = { &outputs[TBENCH], NULL };

	return read_output(import, kinds, path, err);
}

int import_reaim(struct import *import, const char *path, struct err *err)
{
	static const struct output *const kinds[] = { &outputs[REAIM], NULL };

	return read_output(import, kinds, path, err);
}
