// SPDX-License-Identifier: GPL-2.0-or-later
/* Hands each execution to the cells, the column and the section it counts for. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "compare/table.h"
#include "compare/table_build.h"
#include "compare/table_layout.h"
#include "lib/err.h"

static int add_sample(struct table_cell *cell, const struct build_value *value,
		      const struct table_origin *origin)
{
	struct table_origin *origins;
	double *samples;

	if (!isfinite(value->number)) {
		cell->nr_invalid++;
		return 0;
	}
	samples = build_grow(cell->samples, cell->nr_samples, sizeof(*samples));
	if (!samples)
		return -ENOMEM;
	cell->samples = samples;
	origins = build_grow(cell->origins, cell->nr_samples, sizeof(*origins));
	if (!origins)
		return -ENOMEM;
	cell->origins = origins;
	cell->resolution = fmax(cell->resolution, value->resolution);
	samples[cell->nr_samples] = value->number;
	origins[cell->nr_samples++] = *origin;
	return 0;
}

static int set_summary(struct table_cell *cell, const struct build_value *value)
{
	if (cell->is_summary || cell->nr_samples || cell->nr_invalid)
		return -EPROTO;
	cell->is_summary = true;
	cell->summary_n = value->n;
	cell->digits = value->digits;
	cell->stats.amean = cell->stats.stddev_n1 = (double)NAN;
	cell->stats.hmean = cell->stats.hstddev = (double)NAN;
	if (value->is_hmean) {
		cell->stats.hmean = value->number;
		cell->stats.hstddev = value->stddev;
	} else {
		cell->stats.amean = value->number;
		cell->stats.stddev_n1 = value->stddev;
	}
	return 0;
}

static int add_value(const struct table_section *section, const struct table_row *row,
		     struct table_cell *cell, const struct build_value *value,
		     const struct table_origin *origin, struct err *err)
{
	int ret;

	if (value->is_summary)
		ret = set_summary(cell, value);
	else
		ret = cell->is_summary ? -EPROTO : add_sample(cell, value, origin);
	if (ret == -ENOMEM)
		return err_nomem(err);
	if (ret)
		return err_set(err, ret,
			       "metric '%s' of %s has more than one summary in the same "
			       "cell, or samples beside it",
			       row->metric->name, section->title);
	return 0;
}

static bool counts_as_failed(enum record_status status)
{
	return status == RECORD_FAILED || status == RECORD_BROKEN ||
	       status == RECORD_TIMEOUT;
}

/* Append @text to the list in *@ret when @column doesn't have it there yet. */
static int list_once(struct table_build *build, const char *kind,
		     const struct table_column *column, const char *text,
		     const char **ret)
{
	const char *parts[] = { kind, column->name, text, NULL };
	char *joined;
	bool first = false;
	int error;

	if (!text)
		return 0;
	if (build_is_new(build, parts, &first))
		return -ENOMEM;
	if (!first)
		return 0;
	if (asprintf(&joined, "%s%s%s", *ret ? *ret : "", *ret ? ", " : "", text) < 0)
		return -ENOMEM;
	error = build_keep(build, joined, ret);
	free(joined);
	return error;
}

static int count_boot(struct table_build *build, const struct table_column *column,
		      const char *cell, const char *boot, size_t *nr_boots)
{
	const char *parts[] = { "boot", column->name, cell, boot, NULL };
	bool first = false;

	if (boot && build_is_new(build, parts, &first))
		return -ENOMEM;
	*nr_boots += first;
	return 0;
}

/* Say that @source gave @cell something; most of the time it gave the last, too. */
static int note_source(struct table_build *build, struct table_column *column,
		       struct table_cell *cell, struct source *source)
{
	char name[32];

	if (cell->last == source)
		return 0;
	cell->last = source;
	if (!cell->source)
		cell->source = source;
	else if (!cell->other && !build_is_alike(cell->source, source))
		cell->other = source;
	/* A published table counts its own boots, if any. */
	if (cell->is_summary)
		return 0;
	if (!source->gave_samples &&
	    count_boot(build, column, "", build_boot_name(source), &column->nr_boots))
		return -ENOMEM;
	source->gave_samples = true;
	(void)snprintf(name, sizeof(name), "%p", (void *)cell);
	return count_boot(build, column, name, build_boot_name(source), &cell->nr_boots);
}

static int add_ok(struct table *table, const struct layout *layout,
		  const struct execution *execution, struct err *err)
{
	struct source *source = &table->build->sources[execution->source_idx];
	struct table_section *section = &table->sections[source->section_idx];
	const size_t *row_of = layout->rows[source->section_idx];
	size_t column = layout->columns[source->column_idx];
	const struct table_origin origin = {
		.boot = build_boot_name(source),
		.start = execution->start,
		.run = source->run,
		.block = execution->block,
		.iteration = execution->iteration,
		.execution = (size_t)(execution - table->build->executions),
	};
	size_t i;

	for (i = 0; i < execution->nr_values; i++) {
		const struct build_value *value = &execution->values[i];
		size_t place = value->metric_idx * section->nr_points + source->point_idx;
		const struct table_row *row = &section->rows[row_of[place]];
		struct table_cell *cell = &row->cells[column];
		int ret = add_value(section, row, cell, value, &origin, err);

		if (ret)
			return ret;
		if (note_source(table->build, &table->columns[column], cell, source))
			return err_nomem(err);
	}
	return 0;
}

static void count_others(struct table *table, const struct layout *layout,
			 const struct execution *execution)
{
	const struct source *source = &table->build->sources[execution->source_idx];
	const struct table_section *section = &table->sections[source->section_idx];
	const size_t *row_of = layout->rows[source->section_idx];
	size_t column = layout->columns[source->column_idx];
	size_t i;

	for (i = 0; i < section->nr_metrics; i++) {
		size_t row = row_of[i * section->nr_points + source->point_idx];
		struct table_cell *cell = &section->rows[row].cells[column];

		if (counts_as_failed(execution->status)) {
			cell->nr_failed++;
		} else if (execution->status == RECORD_OK) {
			cell->nr_invalid++;
		} else {
			cell->nr_skipped++;
			if (!cell->reason)
				cell->reason = execution->reason;
		}
	}
}

static int list_machine(struct table *table, const struct source *source)
{
	const char *parts[] = { "hardware", source->machine ? source->machine : "",
				source->host->hardware, NULL };
	bool is_first = false;
	const char **machines;
	char *text;
	int ret;

	if (!parts[2])
		return 0;
	if (build_is_new(table->build, parts, &is_first))
		return -ENOMEM;
	if (!is_first)
		return 0;
	machines = build_grow(table->machines, table->nr_machines, sizeof(*machines));
	if (!machines)
		return -ENOMEM;
	table->machines = machines;
	if (asprintf(&text, "%s%s%s", parts[1], *parts[1] ? ": " : "", parts[2]) < 0)
		return -ENOMEM;
	ret = build_keep(table->build, text, &machines[table->nr_machines]);
	free(text);
	table->nr_machines += !ret;
	return ret;
}

/* What the footer says of a column comes from sources that count for something. */
static int count_source(struct table *table, struct table_column *column,
			struct source *source)
{
	struct table_build *build = table->build;

	if (source->is_counted)
		return 0;
	source->is_counted = true;
	source->host = build_host_of(build, source);
	if (list_once(build, "machine", column, source->machine, &column->machines) ||
	    list_once(build, "executor", column, source->executor, &column->executors) ||
	    list_once(build, "monitors", column, source->monitors, &column->monitors))
		return -ENOMEM;
	if (!source->host)
		return 0;
	if (list_machine(table, source))
		return -ENOMEM;
	return list_once(build, "kernel", column, source->host->release, &column->kernel);
}

static void count_remarks(struct table_remarks *remarks, const struct source *source,
			  const struct execution *execution)
{
	size_t i;

	remarks->lacks_parameters |= !source->parameters;
	if (execution->status == RECORD_SKIPPED)
		return;
	remarks->nr_iterations++;
	for (i = 0; i < TABLE_NR_FLAGS; i++)
		remarks->nr[i] += execution->flags >> i & 1U;
}

/* Add to what is missing at the point of @source, in each of its rows. */
static void expect(struct table *table, const struct layout *layout,
		   const struct source *source, uint64_t nr, bool is_copy)
{
	const struct table_section *section = &table->sections[source->section_idx];
	const size_t *row_of = layout->rows[source->section_idx];
	size_t column = layout->columns[source->column_idx];
	size_t i;

	for (i = 0; i < section->nr_metrics; i++) {
		size_t row = row_of[i * section->nr_points + source->point_idx];
		size_t *nr_unrecorded = &section->rows[row].cells[column].nr_unrecorded;

		if (!is_copy)
			*nr_unrecorded += nr;
		else if (*nr_unrecorded < nr)
			*nr_unrecorded = nr;
	}
}

void build_expect(struct table *table, const struct layout *layout)
{
	const struct table_build *build = table->build;
	size_t i;

	for (i = 0; i < build->nr_sources; i++) {
		const struct source *source = &build->sources[i];

		if (source->nr_planned)
			expect(table, layout, source, source->nr_planned,
			       build_is_copy(build, source->run));
	}
}

static void count_found(struct table *table, const struct layout *layout,
			const struct source *source)
{
	const struct table_section *section = &table->sections[source->section_idx];
	const size_t *row_of = layout->rows[source->section_idx];
	size_t column = layout->columns[source->column_idx];
	size_t i;

	for (i = 0; i < section->nr_metrics; i++) {
		size_t row = row_of[i * section->nr_points + source->point_idx];
		struct table_cell *cell = &section->rows[row].cells[column];

		cell->nr_unrecorded -= cell->nr_unrecorded > 0;
	}
}

int build_count(struct table *table, const struct layout *layout,
		const struct execution *execution, struct err *err)
{
	struct source *source = &table->build->sources[execution->source_idx];
	size_t column_idx = layout->columns[source->column_idx];
	struct table_column *column = &table->columns[column_idx];

	if (execution->status == RECORD_INTERRUPTED || execution->is_twin)
		return 0;
	column->flags |= execution->flags;
	column->nr_failed += counts_as_failed(execution->status);
	count_remarks(&table->sections[source->section_idx].remarks[column_idx], source,
		      execution);
	count_found(table, layout, source);
	if (count_source(table, column, source))
		return err_nomem(err);
	if (execution->status == RECORD_OK && execution->nr_values)
		return add_ok(table, layout, execution, err);
	count_others(table, layout, execution);
	return 0;
}
