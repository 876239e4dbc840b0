// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * exec: the user's own command, with numbers found in what it prints.
 *
 * What it is sensitive to and a poor test of, its author knows.
 */
#include "benchmarks/exec/exec.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/all.h"
#include "benchmarks/exec/output.h"
#include "benchmarks/native.h"
#include "lib/err.h"
#include "lib/json.h"
#include "lib/text.h"

/* struct rule - where a metric's number is: one of the two, none if it is elapsed */
struct rule {
	char *regex, *path;
};

struct exec {
	struct bench_ops ops;
	struct bench_param params[BENCH_MAX_PARAMS + 1];
	struct bench_metric metrics[BENCH_MAX_METRICS + 1];
	struct rule rules[BENCH_MAX_METRICS];
	struct bench_program programs[2];
	size_t nr_params, nr_metrics;
	struct bench_command command; /* as written, braces and all */
	char *label;
};

static const struct exec *exec_of(const struct bench_ops *ops)
{
	return ops->data;
}

static void drop(const char *text)
{
	free((void *)(uintptr_t)text);
}

/* Letters, digits and a few signs: what needs no quotes in any table or file. */
static int check_name(const char *what, const char *name, struct err *err)
{
	const char *at = name;

	while (isalnum((unsigned char)*at) || (*at && strchr("_-", *at)))
		at++;
	if (!*at && at != name && isalpha((unsigned char)*name) &&
	    at - name <= EXEC_MAX_NAME)
		return 0;
	return err_set(
		err, -EINVAL,
		"'%.100s' is not the name of a %s (expected a letter, then letters, "
		"digits, - and _, %d at most)",
		name, what, EXEC_MAX_NAME);
}

static const struct bench_param *find_param(const struct exec *exec, const char *name,
					    size_t len)
{
	size_t i;

	for (i = 0; i < exec->nr_params; i++) {
		const struct bench_param *param = &exec->params[i];

		if (strlen(param->name) == len && !memcmp(param->name, name, len))
			return param;
	}
	return NULL;
}

int exec_add_param(struct exec *exec, const char *name, struct err *err)
{
	char *copy;

	if (check_name("parameter", name, err))
		return -EINVAL;
	if (find_param(exec, name, strlen(name)))
		return err_set(err, -EINVAL, "parameter '%s' is there already", name);
	if (exec->nr_params == BENCH_MAX_PARAMS)
		return err_set(err, -EINVAL,
			       "'%s' is one parameter too many (at most %d)", name,
			       BENCH_MAX_PARAMS);
	copy = strdup(name);
	if (!copy)
		return err_nomem(err);
	exec->params[exec->nr_params++] = (struct bench_param){
		.name = copy,
		.type = BENCH_TEXT,
		.text = "",
		.help = "of the grid",
	};
	return 0;
}

static int refuse_param(const struct exec *exec, const char *name, size_t len,
			struct err *err)
{
	const char *names[BENCH_MAX_PARAMS + 1] = { NULL };
	char text[EXEC_MAX_NAME + 1];
	const char *nearest;
	size_t i;

	(void)snprintf(text, sizeof(text), "%.*s", (int)len, name);
	for (i = 0; i < exec->nr_params; i++)
		names[i] = exec->params[i].name;
	nearest = text_nearest(text, names);
	if (nearest)
		return err_set(err, -EINVAL,
			       "there is no parameter '%s'; did you mean '%s'?", text,
			       nearest);
	return err_set(err, -EINVAL,
		       "there is no parameter '%s' (a brace that is no parameter's is "
		       "written twice)",
		       text);
}

/* A part of an argument: so much text, or a parameter. Moves on; false at the end. */
static bool next_part(const struct exec *exec, const char **at, size_t *ret_len,
		      const struct bench_param **ret_param)
{
	const char *start = *at;
	size_t len = strcspn(start, "{}");

	*ret_param = NULL;
	if (!*start)
		return false;
	if (len) {
		*at = start + len;
	} else if (start[1] == start[0]) {
		len = 1;
		*at = start + 2;
	} else {
		len = strcspn(start, "}");
		*ret_param =
			start[len] && len ? find_param(exec, start + 1, len - 1) : NULL;
		*at = start + len + (start[len] == '}');
	}
	*ret_len = len;
	return true;
}

/* Every brace is twice there or around the name of a parameter. */
static int check_braces(const struct exec *exec, const char *text, struct err *err)
{
	const struct bench_param *param;
	const char *start = text;
	const char *at = text;
	size_t len;

	for (; next_part(exec, &at, &len, &param); start = at) {
		if (param || !strchr("{}", *start) || start[0] == start[1])
			continue;
		if (*start == '}' || !start[len])
			return err_set(
				err, -EINVAL,
				"'%.100s' has a single brace (expected {name} for a "
				"parameter's value, {{ or }} for a brace)",
				text);
		return refuse_param(exec, start + 1, len - 1, err);
	}
	return 0;
}

/* The program's name, made fit for the name of a variant. */
static char *label_of(const char *program)
{
	enum { LABEL_MAX = 40 };
	const char *slash = strrchr(program, '/');
	char *label = strndup(slash ? slash + 1 : program, LABEL_MAX);
	char *at;

	for (at = label; at && *at; at++)
		if (!isalnum((unsigned char)*at) && !strchr("._+-", *at))
			*at = '_';
	return label;
}

static int set_program(struct exec *exec, const char *text, struct err *err)
{
	size_t len = strlen(text);

	if (!len || text[len - 1] == '/')
		return err_set(err, -EINVAL, "'%.100s' is not the name of a program",
			       text);
	if (strpbrk(text, "{}"))
		return err_set(err, -EINVAL,
			       "'%.100s' is the program and can't depend on a parameter",
			       text);
	exec->label = label_of(text);
	if (!exec->label)
		return err_nomem(err);
	exec->ops.label = exec->label;
	return 0;
}

int exec_add_arg(struct exec *exec, const char *text, struct err *err)
{
	size_t nr = exec->command.nr_args;
	int bad;

	if (nr == EXEC_MAX_ARGS)
		return err_set(err, -EINVAL, "more than %d arguments", EXEC_MAX_ARGS);
	if (strlen(text) > EXEC_MAX_ARG)
		return err_set(err, -EINVAL, "an argument of more than %d bytes",
			       EXEC_MAX_ARG);
	bad = nr ? check_braces(exec, text, err) : set_program(exec, text, err);
	if (bad)
		return bad;
	if (bench_arg(&exec->command, "%s", text))
		return err_nomem(err);
	exec->programs[0].command = exec->command.argv[0];
	return 0;
}

/* The runner's clock knows one unit and one direction. */
static int check_elapsed(const struct exec_metric *metric, struct err *err)
{
	if (!strcmp(metric->unit, "s") && metric->better == BETTER_LOWER)
		return 0;
	return err_set(err, -EINVAL,
		       "metric '%s' is the time elapsed (expected unit s, better lower)",
		       metric->name);
}

static int check_metric(const struct exec *exec, const struct exec_metric *metric,
			struct err *err)
{
	size_t len = strlen(metric->unit);
	size_t i;

	if (check_name("metric", metric->name, err))
		return -EINVAL;
	for (i = 0; i < exec->nr_metrics; i++)
		if (!strcmp(exec->metrics[i].name, metric->name))
			return err_set(err, -EINVAL, "metric '%s' is there already",
				       metric->name);
	if (exec->nr_metrics == BENCH_MAX_METRICS)
		return err_set(err, -EINVAL, "'%s' is one metric too many (at most %d)",
			       metric->name, BENCH_MAX_METRICS);
	if (!len || len > EXEC_MAX_UNIT)
		return err_set(err, -EINVAL, "expected a unit of 1 to %d bytes",
			       EXEC_MAX_UNIT);
	if ((metric->regex != NULL) + (metric->json != NULL) + metric->is_elapsed != 1)
		return err_set(err, -EINVAL,
			       "metric '%s' needs one of 'regex', 'json' and 'from: "
			       "elapsed' to be found",
			       metric->name);
	if (metric->is_elapsed)
		return check_elapsed(metric, err);
	return metric->regex ? exec_check_regex(metric->regex, err)
			     : exec_check_path(metric->json, err);
}

int exec_add_metric(struct exec *exec, const struct exec_metric *metric, struct err *err)
{
	struct rule *rule = &exec->rules[exec->nr_metrics];
	const char *name, *unit;

	if (check_metric(exec, metric, err))
		return -EINVAL;
	name = strdup(metric->name);
	unit = strdup(metric->unit);
	rule->regex = metric->regex ? strdup(metric->regex) : NULL;
	rule->path = metric->json ? strdup(metric->json) : NULL;
	if (!name || !unit || (!rule->regex && !rule->path && !metric->is_elapsed)) {
		drop(name);
		drop(unit);
		free(rule->regex);
		free(rule->path);
		*rule = (struct rule){ 0 };
		return err_nomem(err);
	}
	exec->metrics[exec->nr_metrics++] = (struct bench_metric){
		.name = name,
		.unit = unit,
		.better = metric->better,
		.resolution = metric->is_elapsed ? 1e-9 : 0.0,
		.is_elapsed = metric->is_elapsed,
		.help = "of the grid",
	};
	return 0;
}

static const char *value_of(const struct workload *workload,
			    const struct bench_param *param)
{
	return workload->value[param - workload->ops->params].text;
}

/* One argument with its values, the caller's; NULL: no memory. */
static char *expand(const struct workload *workload, const char *text)
{
	const struct exec *exec = exec_of(workload->ops);
	const struct bench_param *param;
	const char *start = text;
	const char *at = text;
	char *expanded = NULL;
	size_t size, len;
	FILE *out = open_memstream(&expanded, &size);

	if (!out)
		return NULL;
	for (; next_part(exec, &at, &len, &param); start = at) {
		if (param)
			(void)fputs(value_of(workload, param), out);
		else
			(void)fwrite(start, 1, len, out);
	}
	if (!fclose(out))
		return expanded;
	free(expanded);
	return NULL;
}

static int plan(const struct workload *workload, unsigned int iteration,
		struct bench_command *command)
{
	const struct exec *exec = exec_of(workload->ops);
	size_t i;
	int bad = 0;

	(void)iteration;
	for (i = 0; !bad && i < exec->command.nr_args; i++) {
		char *text = expand(workload, exec->command.argv[i]);

		bad = text ? bench_arg(command, "%s", text) : -ENOMEM;
		free(text);
	}
	return bad;
}

static int check(const struct workload *workload, unsigned int nr_cpus, struct err *err)
{
	struct bench_command command = { 0 };
	size_t total = 0;
	size_t i;
	int bad = plan(workload, 1, &command);

	(void)nr_cpus;
	for (i = 0; i < command.nr_args; i++)
		total += strlen(command.argv[i]) + 1;
	bench_command_release(&command);
	if (bad)
		return err_nomem(err);
	if (total <= EXEC_MAX_EXPANDED)
		return 0;
	return err_set(err, -EINVAL, "the command comes to %zu bytes (at most %d)", total,
		       EXEC_MAX_EXPANDED);
}

static int read_number(const struct rule *rule, const char *out, size_t len, double *ret,
		       struct err *err)
{
	struct jval *json;
	int bad;

	if (rule->regex)
		return exec_regex_number(rule->regex, out, len, ret, err);
	bad = jval_parse(out, len, &json, err);
	if (bad)
		return bad;
	bad = exec_path_number(rule->path, json, ret, err);
	jval_free(json);
	return bad;
}

static int parse(const struct workload *workload, const char *out, size_t len,
		 struct bench_samples *samples, struct err *err)
{
	const struct exec *exec = exec_of(workload->ops);
	int bad = 0;
	size_t i;

	for (i = 0; !bad && i < exec->nr_metrics; i++) {
		double value;

		if (exec->metrics[i].is_elapsed)
			continue;
		if (!len)
			return err_set(err, -EPROTO, "the program printed nothing");
		bad = read_number(&exec->rules[i], out, len, &value, err);
		if (!bad)
			bad = bench_sample_add(workload->ops, samples,
					       exec->metrics[i].name, value, err);
	}
	return bad;
}

static struct jval *metric_json(const struct exec *exec, size_t i)
{
	const struct bench_metric *metric = &exec->metrics[i];
	const struct rule *rule = &exec->rules[i];
	struct jval *json = jval_object();
	int bad = jval_put(json, "name", jval_from_string(metric->name));

	bad |= jval_put(json, "unit", jval_from_string(metric->unit));
	bad |= jval_put(
		json, "better",
		jval_from_string(metric->better == BETTER_HIGHER ? "higher" : "lower"));
	if (metric->is_elapsed)
		bad |= jval_put(json, "from", jval_from_string("elapsed"));
	else
		bad |= jval_put(json, rule->regex ? "regex" : "json",
				jval_from_string(rule->regex ? rule->regex : rule->path));
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

/* Neither variant nor parameters say what the command does with these. */
static struct jval *identify(const struct bench_ops *ops)
{
	const struct exec *exec = exec_of(ops);
	struct jval *json = jval_object();
	struct jval *argv = jval_array();
	struct jval *metrics = jval_array();
	int bad = 0;
	size_t i;

	for (i = 0; i < exec->command.nr_args; i++)
		bad |= jval_push(argv, jval_from_string(exec->command.argv[i]));
	for (i = 0; i < exec->nr_metrics; i++)
		bad |= jval_push(metrics, metric_json(exec, i));
	bad |= jval_put(json, "command", argv);
	bad |= jval_put(json, "metrics", metrics);
	if (ops->syncs)
		bad |= jval_put(json, "sync", jval_from_bool(true));
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

static const struct bench_choice choices[] = { { 0 } };
static const struct bench_param no_params[] = { { 0 } };
static const struct bench_metric no_metrics[] = { { 0 } };
static const struct bench_program programs[] = {
	{ .name = "command", .plan = plan, .parse = parse },
	{ 0 },
};

const struct bench_ops exec_ops = {
	.name = "exec",
	.summary = "a command of your own; parameters and metrics as the grid says",
	.choices = choices,
	.params = no_params,
	.metrics = no_metrics,
	.programs = programs,
	.model = &exec_model,
	.check = check,
	.identify = identify,
	.runs_command = true,
};

struct exec *exec_new(void)
{
	struct exec *exec = calloc(1, sizeof(*exec));

	if (!exec)
		return NULL;
	exec->ops = exec_ops;
	exec->ops.params = exec->params;
	exec->ops.metrics = exec->metrics;
	exec->ops.programs = exec->programs;
	exec->ops.data = exec;
	exec->programs[0] = programs[0];
	return exec;
}

void exec_set_sync(struct exec *exec, bool syncs)
{
	exec->ops.syncs = syncs;
}

const struct bench_ops *exec_ops_of(const struct exec *exec)
{
	return &exec->ops;
}

void exec_free(struct exec *exec)
{
	size_t i;

	if (!exec)
		return;
	for (i = 0; i < exec->nr_params; i++)
		drop(exec->params[i].name);
	for (i = 0; i < exec->nr_metrics; i++) {
		drop(exec->metrics[i].name);
		drop(exec->metrics[i].unit);
		free(exec->rules[i].regex);
		free(exec->rules[i].path);
	}
	bench_command_release(&exec->command);
	free(exec->label);
	free(exec);
}
