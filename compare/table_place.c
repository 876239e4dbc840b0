// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers what records name: columns, sections, points, metrics, and the sources that
 * iterations share. A record costs one look-up once its source is known. */
#include "compare/table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/table_build.h"
#include "lib/json.h"

void *build_grow(void *array, size_t nr, size_t size)
{
	/* Full exactly when the count is 0 or a power of two. */
	if (nr & (nr - 1))
		return array;
	return reallocarray(array, nr ? 2 * nr : 1, size);
}

int build_index(struct table_build *build, const char *const *parts, size_t next,
		size_t *ret)
{
	struct textmap_entry *entry = NULL;
	char *key = textmap_join(parts);

	if (key)
		entry = textmap_add(&build->indexes, key);
	free(key);
	if (!entry)
		return -ENOMEM;
	if (!entry->value)
		entry->value = (void *)(uintptr_t)(next + 1);
	*ret = (size_t)(uintptr_t)entry->value - 1;
	return 0;
}

int build_keep(struct table_build *build, const char *text, const char **ret)
{
	*ret = text ? textmap_keep(&build->texts, text) : NULL;
	return text && !*ret ? -ENOMEM : 0;
}

int build_column(struct table *table, const char *name, size_t *ret)
{
	const char *parts[] = { "column", name, NULL };
	struct table_column *columns;

	columns = build_grow(table->columns, table->nr_columns, sizeof(*columns));
	if (!columns)
		return -ENOMEM;
	table->columns = columns;
	if (build_index(table->build, parts, table->nr_columns, ret))
		return -ENOMEM;
	if (*ret < table->nr_columns)
		return 0;
	columns[*ret] = (struct table_column){ 0 };
	table->nr_columns++;
	return build_keep(table->build, name, &columns[*ret].name);
}

/* A copy that lives as long as the table; @jval may be NULL. */
static int keep_jval(struct table_build *build, const struct jval *jval,
		     const struct jval **ret)
{
	struct jval **jvals;
	struct jval *copy;

	*ret = NULL;
	if (!jval)
		return 0;
	jvals = build_grow(build->jvals, build->nr_jvals, sizeof(struct jval *));
	if (!jvals)
		return -ENOMEM;
	build->jvals = jvals;
	copy = jval_copy(jval);
	if (!copy)
		return -ENOMEM;
	jvals[build->nr_jvals++] = copy;
	*ret = copy;
	return 0;
}

/* The parameters that the point doesn't hold already. */
static struct jval *fixed_parameters(const struct record *record)
{
	struct jval *fixed = jval_object();
	const struct jval *value;
	const char *key;
	void *pos = NULL;
	int ret = fixed ? 0 : -ENOMEM;

	while (!ret && jval_each(record->parameters, &pos, &key, &value)) {
		if (!jval_get(record->point, key))
			ret = jval_put(fixed, key, jval_copy(value));
	}
	if (ret) {
		jval_free(fixed);
		return NULL;
	}
	return fixed;
}

/* The names of the swept parameters, sorted: points can only be ordered by them. */
static char *axes_text(const struct jval *point)
{
	struct jval *axes = jval_object();
	const struct jval *value;
	const char *key;
	void *pos = NULL;
	char *text = NULL;
	int ret = axes ? 0 : -ENOMEM;

	while (!ret && jval_each(point, &pos, &key, &value))
		ret = jval_put(axes, key, jval_from_bool(true));
	if (!ret)
		text = jval_write(axes, JVAL_CANONICAL);
	jval_free(axes);
	return text;
}

static int add_section(struct table *table, const struct record *record,
		       const struct jval *fixed)
{
	struct table_section *section = &table->sections[table->nr_sections];

	*section = (struct table_section){ 0 };
	table->nr_sections++;
	if (build_keep(table->build, record->workload, &section->workload) ||
	    build_keep(table->build, record->variant, &section->variant))
		return -ENOMEM;
	section->title = section->variant;
	return keep_jval(table->build, fixed, &section->parameters);
}

static int find_section(struct table *table, const struct record *record, size_t *ret)
{
	struct table_section *sections;
	struct jval *fixed = NULL;
	char *fixed_text = NULL;
	char *axes = axes_text(record->point);
	int error = -ENOMEM;

	sections = build_grow(table->sections, table->nr_sections, sizeof(*sections));
	if (!sections)
		goto out;
	table->sections = sections;
	if (record->parameters) {
		fixed = fixed_parameters(record);
		if (fixed)
			fixed_text = jval_write(fixed, JVAL_CANONICAL);
	} else {
		fixed_text = strdup("");
	}
	if (axes && fixed_text) {
		const char *parts[] = { "section", record->workload, record->variant,
					axes,	   fixed_text,	     NULL };

		error = build_index(table->build, parts, table->nr_sections, ret);
	}
	if (!error && *ret == table->nr_sections)
		error = add_section(table, record, fixed);
out:
	free(axes);
	free(fixed_text);
	jval_free(fixed);
	return error;
}

char *build_value_text(const struct jval *value)
{
	const char *text = jval_text(value);
	double number;
	char *out;

	if (text)
		return strdup(text);
	/* 12 digits are more than anybody writes in a grid, and round 0.1 well. */
	if (jval_real(value, &number) && fabs(number) < 1e12)
		return asprintf(&out, "%.12g", number) < 0 ? NULL : out;
	return jval_write(value, JVAL_LINE);
}

/* The values of @point in the order of @axes, which has the same keys. */
static char *point_text(const struct jval *axes, const struct jval *point)
{
	const struct jval *value;
	const char *key;
	void *pos = NULL;
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	bool failed = false;

	if (!out)
		return NULL;
	while (jval_each(axes, &pos, &key, &value)) {
		char *part = build_value_text(jval_get(point, key));

		if (part)
			(void)fprintf(out, "%s%s", ftell(out) ? "-" : "", part);
		else
			failed = true;
		free(part);
	}
	if (fclose(out) || failed) {
		free(text);
		return NULL;
	}
	return text;
}

static int add_point(struct table_build *build, struct table_section *section,
		     const struct jval *values)
{
	struct table_point *point = &section->points[section->nr_points];
	const struct jval *axes = section->nr_points ? section->points[0].values : values;
	char *label = point_text(axes, values);
	int ret = -ENOMEM;

	*point = (struct table_point){ 0 };
	section->nr_points++;
	if (label)
		ret = build_keep(build, label, &point->label);
	free(label);
	if (ret || !jval_count(values))
		return ret;
	return keep_jval(build, values, &point->values);
}

int build_point(struct table *table, size_t section_idx, const struct jval *values,
		size_t *ret)
{
	struct table_section *section = &table->sections[section_idx];
	char *text = values ? jval_write(values, JVAL_CANONICAL) : strdup("{}");
	struct table_point *points;
	char number[32];
	int error = -ENOMEM;

	points = build_grow(section->points, section->nr_points, sizeof(*points));
	if (points)
		section->points = points;
	(void)snprintf(number, sizeof(number), "%zu", section_idx);
	if (text && points) {
		const char *parts[] = { "point", number, text, NULL };

		error = build_index(table->build, parts, section->nr_points, ret);
	}
	free(text);
	if (error || *ret < section->nr_points)
		return error;
	return add_point(table->build, section, values);
}

int build_metric(struct table *table, size_t section_idx,
		 const struct record_metric *from, size_t rank, size_t *ret)
{
	struct table_section *section = &table->sections[section_idx];
	const char *unit = from->unit ? from->unit : "";
	const char *better = from->better_higher ? "higher" : "lower";
	char number[32];
	const char *parts[] = { "metric", number, from->name, unit, better, NULL };
	struct table_metric *metrics;

	(void)snprintf(number, sizeof(number), "%zu", section_idx);
	metrics = build_grow(section->metrics, section->nr_metrics, sizeof(*metrics));
	if (!metrics)
		return -ENOMEM;
	section->metrics = metrics;
	if (build_index(table->build, parts, section->nr_metrics, ret))
		return -ENOMEM;
	if (*ret < section->nr_metrics) {
		if (metrics[*ret].rank < rank)
			metrics[*ret].rank = rank;
		return 0;
	}
	metrics[*ret] = (struct table_metric){
		.better_higher = from->better_higher,
		.secondary = from->secondary,
		.rank = rank,
	};
	section->nr_metrics++;
	if (build_keep(table->build, from->name, &metrics[*ret].name) ||
	    build_keep(table->build, from->unjudged, &metrics[*ret].unjudged))
		return -ENOMEM;
	return build_keep(table->build, unit, &metrics[*ret].unit);
}

int build_is_new(struct table_build *build, const char *const *parts, bool *ret)
{
	size_t idx;

	if (build_index(build, parts, build->nr_seen, &idx))
		return -ENOMEM;
	*ret = idx == build->nr_seen;
	build->nr_seen += *ret;
	return 0;
}

int build_boot(struct table_build *build, const char *boot, const char **ret)
{
	char *text;
	int error;

	*ret = NULL;
	if (!boot)
		return 0;
	if (asprintf(&text, "%zu %s", build->run, boot) < 0)
		return -ENOMEM;
	error = build_keep(build, text, ret);
	free(text);
	return error;
}

static bool is_same_jval(const struct jval *a, const struct jval *b)
{
	return a && b ? jval_equal(a, b) : a == b;
}

/* Whether a source found by its texts also has the point and parameters. */
static bool is_source_of(const struct source *source, const struct record *record)
{
	return is_same_jval(source->point, record->point) &&
	       is_same_jval(source->parameters, record->parameters);
}

static int fill_source(struct table *table, struct source *source,
		       const struct record *record)
{
	struct table_build *build = table->build;

	if (build_column(table, record->column, &source->column_idx) ||
	    find_section(table, record, &source->section_idx) ||
	    build_point(table, source->section_idx, record->point, &source->point_idx))
		return -ENOMEM;
	if (build_keep(build, record->column, &source->column) ||
	    build_keep(build, record->cell, &source->cell) ||
	    build_keep(build, record->program.name, &source->program.name) ||
	    build_keep(build, record->program.version, &source->program.version) ||
	    build_keep(build, record->program.sha256, &source->program.sha256))
		return -ENOMEM;
	if (build_keep(build, record->machine, &source->machine) ||
	    build_keep(build, record->executor, &source->executor) ||
	    build_keep(build, record->monitors, &source->monitors) ||
	    build_boot(build, record->boot, &source->boot))
		return -ENOMEM;
	source->run = build->run;
	if (keep_jval(build, record->point, &source->point))
		return -ENOMEM;
	return keep_jval(build, record->parameters, &source->parameters);
}

static int add_source(struct table *table, const char *const *parts,
		      const struct record *record, size_t *ret)
{
	struct table_build *build = table->build;
	struct source *sources;

	sources = build_grow(build->sources, build->nr_sources, sizeof(*sources));
	if (!sources)
		return -ENOMEM;
	build->sources = sources;
	if (build_index(build, parts, build->nr_sources, ret))
		return -ENOMEM;
	if (*ret < build->nr_sources)
		return 0;
	sources[*ret] = (struct source){ 0 };
	build->nr_sources++;
	return fill_source(table, &sources[*ret], record);
}

/* What is not known reads like an empty text: neither says anything. */
static const char *known(const char *text)
{
	return text ? text : "";
}

int build_source(struct table *table, const struct record *record, size_t *ret)
{
	char run[32];
	const char *parts[] = { "source",
				run,
				record->column,
				record->cell,
				record->workload,
				record->variant,
				known(record->boot),
				known(record->machine),
				known(record->executor),
				known(record->monitors),
				known(record->program.name),
				known(record->program.version),
				known(record->program.sha256),
				NULL,
				NULL,
				NULL };
	const size_t nr = sizeof(parts) / sizeof(parts[0]);
	char *point;
	char *parameters;
	int error;

	(void)snprintf(run, sizeof(run), "%zu", table->build->run);
	error = add_source(table, parts, record, ret);
	if (error || is_source_of(&table->build->sources[*ret], record))
		return error;
	/* One cell with two points: no run of ours writes that, but it must not mix. */
	point = record->point ? jval_write(record->point, JVAL_CANONICAL) : strdup("");
	parameters = record->parameters ? jval_write(record->parameters, JVAL_CANONICAL)
					: strdup("");
	parts[nr - 3] = point;
	parts[nr - 2] = parameters;
	error = point && parameters ? add_source(table, parts, record, ret) : -ENOMEM;
	free(point);
	free(parameters);
	return error;
}

char *table_point_text(const struct table_point *point, const char *separator)
{
	const struct jval *value;
	const char *key;
	void *pos = NULL;
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	const char *before = "";
	bool failed = false;

	if (!out)
		return NULL;
	while (jval_each(point->values, &pos, &key, &value)) {
		char *part = build_value_text(value);

		if (part)
			(void)fprintf(out, "%s%s=%s", before, key, part);
		failed |= !part;
		before = separator;
		free(part);
	}
	if (fclose(out) || failed) {
		free(text);
		return NULL;
	}
	return text;
}
