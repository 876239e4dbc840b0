// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes submissions for KCIDB; see publish_kcidb.h. */
#include "compare/publish_kcidb.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/table.h"
#include "lib/digest.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"

enum { ID_DIGITS = 32 };

/**
 * struct making - a submission under construction
 * @bad: -ENOMEM once anything could not be put
 */
struct making {
	const struct table *table;
	const struct kcidb_source *source;
	struct jval *checkouts, *builds, *tests;
	int bad;
};

static void put(struct making *making, struct jval *object, const char *key,
		struct jval *value)
{
	making->bad |= jval_put(object, key, value);
}

static void put_text(struct making *making, struct jval *object, const char *key,
		     const char *text)
{
	if (text && *text)
		put(making, object, key, jval_from_string(text));
}

static void put_real(struct making *making, struct jval *object, const char *key,
		     double value)
{
	if (isfinite(value))
		put(making, object, key, jval_from_real(value));
}

/* "origin:digest"; takes @text. */
static struct jval *make_id(const struct making *making, char *text)
{
	char hex[DIGEST_HEX + 1];
	struct jval *id;
	char *name;

	if (!text)
		return NULL;
	digest_bytes(text, strlen(text), hex);
	free(text);
	name = file_path("%s:%.*s", making->source->origin, ID_DIGITS, hex);
	id = name ? jval_from_string(name) : NULL;
	free(name);
	return id;
}

static const char *kernel_of(const struct table_column *column)
{
	return column->kernel ? column->kernel : "unknown";
}

static struct jval *checkout_id(const struct making *making,
				const struct table_column *column)
{
	return make_id(making, file_path("checkout\n%s", kernel_of(column)));
}

static struct jval *build_id(const struct making *making,
			     const struct table_column *column)
{
	return make_id(making, file_path("build\n%s\n%s\n%s", making->source->run,
					 column->name, kernel_of(column)));
}

static void add_checkout(struct making *making, const struct table_column *column)
{
	struct jval *checkout = jval_object();
	struct jval *misc = jval_object();

	put_text(making, misc, "kernel_release", column->kernel);
	put(making, checkout, "id", checkout_id(making, column));
	put_text(making, checkout, "origin", making->source->origin);
	put(making, checkout, "misc", misc);
	making->bad |= jval_push(making->checkouts, checkout);
}

static void add_build(struct making *making, const struct table_column *column)
{
	struct jval *build = jval_object();
	struct jval *misc = jval_object();

	put_text(making, misc, "column", column->name);
	put_text(making, misc, "run", making->source->run);
	put(making, build, "id", build_id(making, column));
	put(making, build, "checkout_id", checkout_id(making, column));
	put_text(making, build, "origin", making->source->origin);
	put(making, build, "misc", misc);
	making->bad |= jval_push(making->builds, build);
}

/* Columns of one kernel share a checkout. */
static void add_columns(struct making *making)
{
	const struct table *table = making->table;
	size_t i, j;

	for (i = 0; i < table->nr_columns; i++) {
		for (j = 0; j < i; j++)
			if (!strcmp(kernel_of(&table->columns[i]),
				    kernel_of(&table->columns[j])))
				break;
		if (j == i)
			add_checkout(making, &table->columns[i]);
		add_build(making, &table->columns[i]);
	}
}

/* Segments may have letters, digits, _ and -; dots divide them. */
static void make_segment(char *text)
{
	for (; *text; text++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "0123456789_-",
			    *text))
			*text = '_';
}

static void put_path(struct making *making, struct jval *test,
		     const struct table_section *section, const struct table_row *row)
{
	const char *const parts[] = { section->workload, section->variant,
				      row->point->label, row->metric->name };
	char *path = strdup("schedgrid");
	size_t i;

	for (i = 0; path && i < sizeof(parts) / sizeof(parts[0]); i++) {
		char *segment = strdup(parts[i] ? parts[i] : "");
		char *longer = NULL;

		if (segment) {
			make_segment(segment);
			longer = file_path("%s%s%s", path, *segment ? "." : "", segment);
		}
		free(segment);
		free(path);
		path = longer;
	}
	if (!path)
		making->bad = -ENOMEM;
	put_text(making, test, "path", path);
	free(path);
}

static bool has_number(const struct table_cell *cell)
{
	return cell->nr_samples || cell->is_summary;
}

static const char *status_of(const struct table_cell *cell)
{
	if (has_number(cell))
		return "DONE";
	if (cell->nr_failed || cell->nr_invalid)
		return "ERROR";
	return cell->nr_skipped ? "SKIP" : "MISS";
}

static void put_number(struct making *making, struct jval *test, struct jval *misc,
		       const struct table_row *row, const struct table_cell *cell)
{
	bool is_hmean = !isfinite(cell->stats.amean);
	struct jval *number = jval_object();
	struct jval *samples = jval_array();
	size_t i;

	put_real(making, number, "value",
		 is_hmean ? cell->stats.hmean : cell->stats.amean);
	put_text(making, number, "unit", row->metric->unit);
	put(making, test, "number", number);
	for (i = 0; i < cell->nr_samples; i++)
		making->bad |= jval_push(samples, jval_from_real(cell->samples[i]));
	put_text(making, misc, "statistic", is_hmean ? "Hmean" : "Amean");
	put_real(making, misc, "stddev_n1", cell->stats.stddev_n1);
	put(making, misc, "n",
	    jval_from_uint(cell->is_summary ? cell->summary_n : cell->nr_samples));
	put(making, misc, "samples", samples);
}

static void put_environment(struct making *making, struct jval *test,
			    const struct table_column *column)
{
	struct jval *environment = jval_object();
	struct jval *misc = jval_object();

	put_text(making, misc, "machine", column->machines);
	put_text(making, misc, "executor", column->executors);
	put_text(making, misc, "cpus", column->cpus);
	put(making, environment, "misc", misc);
	put(making, test, "environment", environment);
}

static void add_test(struct making *making, const struct table_section *section,
		     const struct table_row *row, size_t idx)
{
	const struct table_column *column = &making->table->columns[idx];
	const struct table_cell *cell = &row->cells[idx];
	const char *start = cell->nr_samples ? cell->origins[0].start : NULL;
	const char *metric = row->metric->name ? row->metric->name : "";
	struct jval *test = jval_object();
	struct jval *misc = jval_object();

	put(making, test, "id",
	    make_id(making, file_path("test\n%s\n%s\n%s\n%s\n%s\n%s", making->source->run,
				      column->name, section->title, row->point->label,
				      metric, start ? start : "")));
	put(making, test, "build_id", build_id(making, column));
	put_text(making, test, "origin", making->source->origin);
	put_path(making, test, section, row);
	put_text(making, test, "status", status_of(cell));
	put_text(making, test, "start_time", start);
	put_environment(making, test, column);
	put_text(making, misc, "column", column->name);
	put_text(making, misc, "suite_version", making->source->version);
	if (row->metric->name)
		put_text(making, misc, "better",
			 row->metric->better_higher ? "higher" : "lower");
	put(making, misc, "failed", jval_from_uint(cell->nr_failed));
	if (row->point->values)
		put(making, misc, "point", jval_copy(row->point->values));
	if (has_number(cell))
		put_number(making, test, misc, row, cell);
	put(making, test, "misc", misc);
	making->bad |= jval_push(making->tests, test);
}

static void add_tests(struct making *making)
{
	const struct table *table = making->table;
	size_t s, r, i;

	for (s = 0; s < table->nr_sections; s++)
		for (r = 0; r < table->sections[s].nr_rows; r++)
			for (i = 0; i < table->nr_columns; i++)
				add_test(making, &table->sections[s],
					 &table->sections[s].rows[r], i);
}

int kcidb_json(const struct table *table, const struct kcidb_source *source,
	       struct jval **ret, struct err *err)
{
	struct making making = { table,	       source,	     jval_array(),
				 jval_array(), jval_array(), 0 };
	struct jval *version = jval_object();
	struct jval *json = jval_object();
	int bad;

	add_columns(&making);
	add_tests(&making);
	put(&making, version, "major", jval_from_uint(5));
	put(&making, version, "minor", jval_from_uint(3));
	put(&making, json, "version", version);
	put(&making, json, "checkouts", making.checkouts);
	put(&making, json, "builds", making.builds);
	put(&making, json, "tests", making.tests);
	bad = making.bad ? err_nomem(err) : kcidb_check(json, err);
	if (bad)
		jval_free(json);
	else
		*ret = json;
	return bad;
}
