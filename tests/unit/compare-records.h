/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records made in memory, for the tests of tables and formats. */
#ifndef TESTS_UNIT_COMPARE_RECORDS_H
#define TESTS_UNIT_COMPARE_RECORDS_H

#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "compare/table.h"
#include "compare/table_plan.h"
#include "lib/err.h"
#include "lib/json.h"
#include "record/record.h"

/*
 * struct spec - a record in short; what is 0 or NULL gets a default
 * @point: "{\"groups\":4}" and so on, default none
 * @parameters: likewise
 * @has_blocks: each iteration is a block
 * @value: of the only sample, or the mean of a summary
 */
struct spec {
	const char *column, *variant, *boot, *metric, *unit, *point, *parameters;
	const char *reason, *machine, *id;
	const char *cell, *program, *version, *sha256, *start, *monitors, *executor;
	const char *unjudged;
	bool higher, secondary, is_summary, is_hmean, has_blocks;
	unsigned int iteration, attempt, flags, n;
	int digits;
	enum record_status status;
	double value, stddev, resolution;
};

static inline struct jval *parse_json(const char *text)
{
	struct jval *jval = NULL;

	if (text)
		assert_int_equal(jval_parse(text, strlen(text), &jval, NULL), 0);
	return jval;
}

static inline const char *or_else(const char *text, const char *otherwise)
{
	return text ? text : otherwise;
}

static inline int add_spec(struct table *table, const struct spec *spec)
{
	struct jval *point = parse_json(spec->point);
	struct jval *parameters = parse_json(spec->parameters);
	double sample = spec->value;
	struct record_metric metric = {
		.name = or_else(spec->metric, "time"),
		.unit = or_else(spec->unit, "s"),
		.better_higher = spec->higher,
		.secondary = spec->secondary,
		.unjudged = spec->unjudged,
		.samples = spec->is_summary ? NULL : &sample,
		.nr_samples = spec->is_summary ? 0 : 1,
		.is_summary = spec->is_summary,
		.is_hmean = spec->is_hmean,
		.mean = spec->value,
		.stddev = spec->stddev != 0.0 ? spec->stddev : (double)NAN,
		.n = spec->n,
		.digits = spec->digits ? spec->digits : -1,
		.resolution = spec->resolution,
	};
	char cell[512];
	struct record record = {
		.id = or_else(spec->id, "id"),
		.cell = cell,
		.column = or_else(spec->column, "base"),
		.monitors = spec->monitors,
		.executor = spec->executor,
		.workload = "hackbench",
		.variant = or_else(spec->variant, "hackbench-process-pipes"),
		.point = point,
		.parameters = parameters,
		.boot = or_else(spec->boot, "b1"),
		.iteration = spec->iteration ? spec->iteration : 1,
		.attempt = spec->attempt ? spec->attempt : 1,
		.block = spec->has_blocks ? spec->iteration : 0,
		.status = spec->status,
		.flags = spec->flags,
		.reason = spec->reason,
		.machine = spec->machine,
		.start = spec->start,
		.program = { spec->program, spec->version, spec->sha256 },
		.metrics = spec->status == RECORD_OK ? &metric : NULL,
		.nr_metrics = spec->status == RECORD_OK ? 1 : 0,
	};
	int ret;

	(void)snprintf(cell, sizeof(cell), "%s %s %s %s", record.column, record.variant,
		       or_else(spec->point, ""), metric.name);
	if (spec->cell)
		record.cell = spec->cell;
	ret = table_add_record(table, &record, NULL);
	jval_free(point);
	jval_free(parameters);
	return ret;
}

/* add(table, .column = "wake", .value = 1.5) */
#define add(table, ...) \
	assert_int_equal(add_spec((table), &(struct spec){ __VA_ARGS__ }), 0)

/* What the current run was to do, from JSON. */
static inline void add_plan(struct table *table, const char *dir, const char *json)
{
	struct jval *plan = parse_json(json);

	assert_int_equal(table_add_plan(table, dir, plan, NULL), 0);
	jval_free(plan);
}

/* Facts of @boot of the current run, from JSON. */
static inline void add_host(struct table *table, const char *boot, const char *json)
{
	struct jval *facts = parse_json(json);

	assert_int_equal(table_add_host(table, boot, facts, NULL), 0);
	jval_free(facts);
}

/* The row of @metric at the point labelled @label, or NULL. */
static inline const struct table_row *find_row(const struct table *table, size_t section,
					       const char *metric, const char *label)
{
	size_t i;

	for (i = 0; i < table->sections[section].nr_rows; i++) {
		const struct table_row *row = &table->sections[section].rows[i];

		if (row->metric->name && !strcmp(row->metric->name, metric) &&
		    !strcmp(row->point->label, label))
			return row;
	}
	return NULL;
}

#endif
