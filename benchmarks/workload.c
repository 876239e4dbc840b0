// SPDX-License-Identifier: GPL-2.0-or-later
/* A workload as a grid configured it: its values by name, its variant's name. */
#include "benchmarks/bench.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lib/json.h"

void workload_init(struct workload *workload, const struct bench_ops *ops)
{
	size_t i;

	memset(workload, 0, sizeof(*workload));
	workload->ops = ops;
	workload->program = &ops->programs[0];
	for (i = 0; ops->params[i].name; i++) {
		const struct bench_param *param = &ops->params[i];

		if (param->type == BENCH_TEXT)
			workload->value[i].text = param->text;
		else
			workload->value[i].number = param->number;
	}
}

static size_t param_idx(const struct workload *workload, const char *name,
			enum bench_type type)
{
	const struct bench_param *params = workload->ops->params;
	size_t i = 0;

	while (params[i].name && strcmp(params[i].name, name) != 0)
		i++;
	assert(params[i].name && params[i].type == type);
	(void)type;
	return i;
}

uint64_t workload_uint(const struct workload *workload, const char *name)
{
	return workload->value[param_idx(workload, name, BENCH_UINT)].number;
}

void workload_set(struct workload *workload, const char *name, uint64_t number)
{
	workload->value[param_idx(workload, name, BENCH_UINT)].number = number;
}

const char *workload_text(const struct workload *workload, const char *name)
{
	return workload->value[param_idx(workload, name, BENCH_TEXT)].text;
}

const char *workload_word(const struct workload *workload, const char *key)
{
	const struct bench_choice *choices = workload->ops->choices;
	size_t i = 0;

	while (choices[i].key && strcmp(choices[i].key, key) != 0)
		i++;
	assert(choices[i].key);
	return choices[i].words[workload->choice[i]];
}

char *workload_variant(const struct workload *workload)
{
	const struct bench_choice *choices = workload->ops->choices;
	const char *parts[3 + BENCH_MAX_CHOICES] = { workload->ops->name };
	size_t size = 1;
	size_t nr = 1;
	size_t i;
	char *name;
	char *end;

	if (workload->ops->label)
		parts[nr++] = workload->ops->label;
	for (i = 0; choices[i].key; i++) {
		if (!choices[i].silent || workload->choice[i])
			parts[nr++] = choices[i].words[workload->choice[i]];
	}
	if (workload->program != &workload->ops->programs[0])
		parts[nr++] = workload->program->name;
	for (i = 0; i < nr; i++)
		size += strlen(parts[i]) + 1;
	name = malloc(size);
	if (!name)
		return NULL;
	end = stpcpy(name, parts[0]);
	for (i = 1; i < nr; i++) {
		*end++ = '-';
		end = stpcpy(end, parts[i]);
	}
	return name;
}

struct jval *workload_parameters(const struct workload *workload)
{
	const struct bench_param *params = workload->ops->params;
	struct jval *object = jval_object();
	int ret = 0;
	size_t i;

	if (!object)
		return NULL;
	for (i = 0; params[i].name && !ret; i++) {
		const union bench_value *value = &workload->value[i];

		if (workload->ops->uses && !workload->ops->uses(workload, params[i].name))
			continue;
		ret = jval_put(object, params[i].name,
			       params[i].type == BENCH_TEXT
				       ? jval_from_string(value->text)
				       : jval_from_uint(value->number));
	}
	if (ret) {
		jval_free(object);
		return NULL;
	}
	return object;
}

int workload_plan(const struct workload *workload, unsigned int iteration,
		  struct bench_command *command)
{
	return workload->program->plan(workload, iteration, command);
}

int workload_parse(const struct workload *workload, const char *out, size_t len,
		   struct bench_samples *samples, struct err *err)
{
	return workload->program->parse(workload, out, len, samples, err);
}

double workload_resolution(const struct workload *workload,
			   const struct bench_metric *metric)
{
	const double *resolution = workload->program->resolution;

	return resolution ? resolution[metric - workload->ops->metrics]
			  : metric->resolution;
}
