// SPDX-License-Identifier: GPL-2.0-or-later
/* Samples, columns and runs as JSON; see json_origin.h. */
#include "compare/json_origin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compare/footer.h"
#include "compare/json_put.h"
#include "compare/table.h"
#include "compare/table_plan.h"
#include "lib/json.h"

static int put_known(struct jval *object, const char *key, const char *text)
{
	return text ? json_put_text(object, key, text) : 0;
}

/* Puts @array where it holds anything; takes it in any case. */
static int put_filled(struct jval *object, const char *key, struct jval *array)
{
	if (!array)
		return -ENOMEM;
	if (jval_count(array))
		return jval_put(object, key, array);
	jval_free(array);
	return 0;
}

static int push_sample(struct jval *array, double value,
		       const struct table_origin *origin)
{
	struct jval *object = jval_object();
	int ret;

	if (!object)
		return -ENOMEM;
	ret = json_put_real(object, "value", value);
	ret |= json_put_uint(object, "run", origin->run);
	ret |= put_known(object, "boot", origin->boot);
	if (origin->block)
		ret |= json_put_uint(object, "block", origin->block);
	if (origin->iteration)
		ret |= json_put_uint(object, "iteration", origin->iteration);
	ret |= put_known(object, "start", origin->start);
	return ret | jval_push(array, object);
}

int json_put_samples(struct jval *object, const struct table_cell *cell)
{
	struct jval *array = jval_array();
	int ret = 0;
	size_t i;

	for (i = 0; array && !ret && i < cell->nr_samples; i++)
		ret = push_sample(array, cell->samples[i], &cell->origins[i]);
	return put_filled(object, "samples", array) | ret;
}

static int push_remark(struct jval *array, const char *flag, size_t nr, size_t nr_all)
{
	struct jval *object = jval_object();
	int ret;

	if (!object)
		return -ENOMEM;
	ret = json_put_text(object, "flag", flag);
	ret |= json_put_uint(object, "iterations", nr);
	ret |= json_put_uint(object, "of", nr_all);
	return ret | jval_push(array, object);
}

int json_put_remarks(struct jval *object, const struct table_section *section,
		     size_t column)
{
	const struct table_remarks *remarks = &section->remarks[column];
	struct jval *array = jval_array();
	int ret = 0;
	size_t i;

	for (i = 0; array && !ret && i < TABLE_NR_FLAGS; i++) {
		const char *flag = footer_flag(1U << i);

		if (flag && remarks->nr[i])
			ret = push_remark(array, flag, remarks->nr[i],
					  remarks->nr_iterations);
	}
	return put_filled(object, "remarks", array) | ret;
}

static int put_flags(struct jval *object, unsigned int flags)
{
	struct jval *array = jval_array();
	int ret = 0;
	size_t i;

	for (i = 0; array && !ret && i < TABLE_NR_FLAGS; i++) {
		const char *flag = footer_flag(1U << i);

		if (flag && flags & 1U << i)
			ret = jval_push(array, jval_from_string(flag));
	}
	return put_filled(object, "flags", array) | ret;
}

static int push_column(struct jval *array, const struct table_column *column)
{
	struct jval *object = jval_object();
	int ret;

	if (!object)
		return -ENOMEM;
	ret = json_put_text(object, "column", column->name);
	ret |= put_known(object, "kernel", column->kernel);
	ret |= put_known(object, "machines", column->machines);
	ret |= put_known(object, "executors", column->executors);
	ret |= put_known(object, "monitors", column->monitors);
	ret |= put_known(object, "cpus", column->cpus);
	if (column->nr_boots)
		ret |= json_put_uint(object, "boots", column->nr_boots);
	ret |= json_put_uint(object, "failed", column->nr_failed);
	ret |= put_flags(object, column->flags);
	return ret | jval_push(array, object);
}

int json_put_columns(struct jval *top, const struct table *table)
{
	struct jval *columns = jval_array();
	struct jval *machines = jval_array();
	int ret = columns && machines ? 0 : -ENOMEM;
	size_t i;

	for (i = 0; !ret && i < table->nr_columns; i++)
		ret = push_column(columns, &table->columns[i]);
	for (i = 0; !ret && i < table->nr_machines; i++)
		ret = jval_push(machines, jval_from_string(table->machines[i]));
	ret |= put_filled(top, "columns", columns);
	return ret | put_filled(top, "machines", machines);
}

static int push_lines(struct jval *array, const char *lines)
{
	int ret = 0;

	while (!ret && *lines) {
		size_t len = strcspn(lines, "\n");
		char *line = strndup(lines, len);

		ret = line ? jval_push(array, jval_from_string(line)) : -ENOMEM;
		free(line);
		lines += len + (lines[len] == '\n');
	}
	return ret;
}

static int push_stopped(struct jval *array, const struct table_run *run)
{
	struct jval *object = jval_object();
	int ret;

	if (!object)
		return -ENOMEM;
	ret = json_put_text(object, "directory", run->dir);
	ret |= json_put_text(object, "reason", run->stopped);
	return ret | jval_push(array, object);
}

int json_put_runs(struct jval *top, const struct table *table)
{
	struct jval *terms = jval_array();
	struct jval *stopped = jval_array();
	int ret = terms && stopped ? 0 : -ENOMEM;
	size_t i;

	for (i = 0; !ret && i < table->nr_runs; i++) {
		ret = push_lines(terms, table->runs[i].terms);
		if (*table->runs[i].stopped)
			ret |= push_stopped(stopped, &table->runs[i]);
	}
	ret |= put_filled(top, "terms", terms);
	return ret | put_filled(top, "stopped", stopped);
}
