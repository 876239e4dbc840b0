// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the workloads share: commands and samples, and the one form in which
 * our own programs take arguments and print results.
 */
#include "benchmarks/native.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/json.h"

int bench_arg(struct bench_command *command, const char *fmt, ...)
{
	char **argv;
	char *arg;
	va_list ap;
	int len;

	argv = reallocarray(command->argv, command->nr_args + 2, sizeof(*argv));
	if (!argv)
		return -ENOMEM;
	command->argv = argv;
	argv[command->nr_args] = NULL;

	va_start(ap, fmt);
	len = vasprintf(&arg, fmt, ap);
	va_end(ap);
	if (len < 0)
		return -ENOMEM;
	argv[command->nr_args++] = arg;
	argv[command->nr_args] = NULL;
	return 0;
}

void bench_command_release(struct bench_command *command)
{
	size_t i;

	for (i = 0; i < command->nr_args; i++)
		free(command->argv[i]);
	free(command->argv);
	command->argv = NULL;
	command->nr_args = 0;
}

bool bench_is_threaded(const struct workload *workload)
{
	return !strcmp(workload_word(workload, "task"), "thread");
}

int bench_sample_add(const struct bench_ops *ops, struct bench_samples *samples,
		     const char *name, double value, struct err *err)
{
	const struct bench_metric *metric = ops->metrics;
	size_t i;

	while (metric->name && strcmp(metric->name, name) != 0)
		metric++;
	if (!metric->name)
		return err_set(err, -EPROTO, "%s has no metric '%s'", ops->name, name);
	for (i = 0; i < samples->nr; i++) {
		if (samples->sample[i].metric == metric)
			return err_set(err, -EPROTO, "the metric %s is there twice",
				       name);
	}
	if (!isfinite(value) || value < 0.0 || (value == 0.0 && !metric->can_be_zero))
		return err_set(err, -EPROTO,
			       "the metric %s is %g, expected a number %s 0", name, value,
			       metric->can_be_zero ? "of at least" : "above");
	samples->sample[samples->nr].metric = metric;
	samples->sample[samples->nr].value = value;
	samples->nr++;
	return 0;
}

int bench_native_plan(const struct workload *workload, unsigned int iteration,
		      struct bench_command *command)
{
	const struct bench_ops *ops = workload->ops;
	int ret = bench_arg(command, "%s", ops->name);
	size_t i;

	(void)iteration;
	for (i = 0; !ret && ops->choices[i].key; i++)
		ret = bench_arg(command, "--%s=%s", ops->choices[i].key,
				ops->choices[i].words[workload->choice[i]]);
	for (i = 0; !ret && ops->params[i].name; i++) {
		const struct bench_param *param = &ops->params[i];
		const union bench_value *value = &workload->value[i];

		if (param->type == BENCH_TEXT)
			ret = bench_arg(command, "--%s=%s", param->name, value->text);
		else
			ret = bench_arg(command, "--%s=%ju", param->name,
					(uintmax_t)value->number);
	}
	return ret;
}

/* The program ran with another value than asked for, or doesn't say which. */
static int refuse_value(const struct jval *object, const char *name, const char *asked,
			struct err *err)
{
	const struct jval *value = jval_get(object, name);
	const char *text = jval_text(value);
	char *written;
	int ret;

	if (!value)
		return err_set(err, -EPROTO, "the program doesn't say which %s it ran",
			       name);
	if (text)
		return err_set(err, -EPROTO, "asked for %s %s, the program ran %s %s",
			       name, asked, name, text);
	written = jval_write(value, JVAL_LINE);
	if (!written)
		return err_nomem(err);
	ret = err_set(err, -EPROTO, "asked for %s %s, the program ran %s %s", name, asked,
		      name, written);
	free(written);
	return ret;
}

static int check_text(const struct jval *object, const char *name, const char *asked,
		      struct err *err)
{
	const char *text = jval_get_text(object, name);

	if (text && !strcmp(text, asked))
		return 0;
	return refuse_value(object, name, asked, err);
}

static int check_uint(const struct jval *object, const char *name, uint64_t asked,
		      struct err *err)
{
	char text[24];
	uint64_t ran;

	if (jval_uint(jval_get(object, name), &ran) && ran == asked)
		return 0;
	snprintf(text, sizeof(text), "%ju", (uintmax_t)asked);
	return refuse_value(object, name, text, err);
}

/* What ran is what was asked for: program, choices and parameters. */
static int check_echo(const struct workload *workload, const struct jval *object,
		      struct err *err)
{
	const struct bench_ops *ops = workload->ops;
	int ret = check_text(object, "program", ops->name, err);
	size_t i;

	for (i = 0; !ret && ops->choices[i].key; i++)
		ret = check_text(object, ops->choices[i].key,
				 ops->choices[i].words[workload->choice[i]], err);
	for (i = 0; !ret && ops->params[i].name; i++) {
		const char *name = ops->params[i].name;

		if (ops->params[i].type == BENCH_TEXT)
			ret = check_text(object, name, workload->value[i].text, err);
		else
			ret = check_uint(object, name, workload->value[i].number, err);
	}
	return ret;
}

static int take_metrics(const struct bench_ops *ops, const struct jval *object,
			struct bench_samples *samples, struct err *err)
{
	const struct jval *metrics = jval_get(object, "metrics");
	size_t i;

	if (!jval_is_object(metrics))
		return err_set(err, -EPROTO, "the output has no object 'metrics'");
	for (i = 0; ops->metrics[i].name; i++) {
		const char *name = ops->metrics[i].name;
		const struct jval *number = jval_get(metrics, name);
		double value;
		int ret;

		if (!number && ops->metrics[i].optional)
			continue;
		if (!number)
			return err_set(err, -EPROTO, "the output has no metric %s", name);
		if (!jval_real(number, &value))
			return err_set(err, -EPROTO, "the metric %s is not a number",
				       name);
		ret = bench_sample_add(ops, samples, name, value, err);
		if (ret)
			return ret;
	}
	return 0;
}

static int read_line(const char *out, size_t len, struct jval **ret, struct err *err)
{
	const char *newline = memchr(out, '\n', len);
	struct jval *object;
	int code;

	if (!len)
		return err_set(err, -EPROTO, "the program printed nothing");
	if (newline && newline != out + len - 1)
		return err_set(err, -EPROTO,
			       "the program printed several lines, expected exactly one");
	code = jval_parse(out, len, &object, err);
	if (code)
		return code;
	if (!jval_is_object(object)) {
		jval_free(object);
		return err_set(err, -EPROTO, "the program's output is not a JSON object");
	}
	*ret = object;
	return 0;
}

int bench_native_parse(const struct workload *workload, const char *out, size_t len,
		       struct bench_samples *samples, struct jval **ret, struct err *err)
{
	struct jval *object = NULL;
	int code = read_line(out, len, &object, err);

	if (code)
		return code;
	code = check_echo(workload, object, err);
	if (!code)
		code = take_metrics(workload->ops, object, samples, err);
	if (!code && ret) {
		*ret = object;
		return 0;
	}
	jval_free(object);
	return code;
}

int bench_native_count(const struct jval *object, const char *name, const char *what,
		       uint64_t expected, struct err *err)
{
	uint64_t count;

	if (!jval_uint(jval_get(object, name), &count))
		return err_set(err, -EPROTO, "the output has no count of %s", what);
	if (count != expected)
		return err_set(err, -EPROTO, "the program counted %ju %s, expected %ju",
			       (uintmax_t)count, what, (uintmax_t)expected);
	return 0;
}
