// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes values of posted tables; see import_table.h. */
#include "compare/import_table.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/import.h"
#include "compare/posted.h"
#include "compare/posted_percent.h"
#include "compare/posted_spread.h"
#include "lib/err.h"
#include "lib/json.h"
#include "lib/text.h"

enum { NAME_SIZE = 512, DIGITS_MAX = 15 };

/**
 * struct source - the table that is being imported
 * @parameters: of all its values, NULL: none known
 * @point: of the current row
 * @variant: of all its values
 * @metric: name of the current row's
 */
struct source {
	struct import *import;
	const struct posted_table *table;
	const char *name;
	struct jval *parameters, *point;
	char variant[NAME_SIZE], metric[NAME_SIZE];
	struct err *err;
};

/* Told by the percentages, else by the name. */
static bool is_better_higher(const struct posted_table *table,
			     const struct posted_row *row, const char *metric)
{
	if (table->layout == POSTED_MMTESTS || posted_is_gain(table, row))
		return !posted_is_gain(table, row);
	return import_guess_higher(table->workload, metric);
}

static const struct {
	const char *workload, *parameter, *metric, *unit;
} known[] = {
	{ "hackbench", "groups", "time", "s" },
	{ "stream", "threads", NULL, "MB/s" },
	{ "tbench", "clients", "throughput", "MB/s" },
	{ "reaim", "users", NULL, "" },
	{ NULL, "point", NULL, "" },
};

static size_t find_known(const char *workload)
{
	size_t i = 0;

	while (known[i].workload && strcmp(known[i].workload, workload))
		i++;
	return i;
}

/* "4" is a point, "Copy" a metric, "time-4" both. */
static int split_op(struct source *source, const char *op)
{
	size_t which = find_known(source->table->workload);
	const char *digits = op + strlen(op);
	size_t len;
	uint64_t number;

	while (digits > op && isdigit((unsigned char)digits[-1]))
		digits--;
	if (!text_uint(digits, 0, INT64_MAX, &number, NULL)) {
		if (jval_put(source->point, known[which].parameter,
			     jval_from_uint(number)))
			return -ENOMEM;
	} else {
		digits = op + strlen(op);
	}
	len = (size_t)(digits - op);
	len -= len && op[len - 1] == '-';
	if (len)
		(void)snprintf(source->metric, NAME_SIZE, "%.*s", (int)len, op);
	else if (known[which].metric)
		(void)snprintf(source->metric, NAME_SIZE, "%s", known[which].metric);
	return 0;
}

/* What the row is called, as a metric and a point. */
static int name_row(struct source *source, const struct posted_row *row)
{
	const struct posted_table *table = source->table;
	size_t prefix = strlen(table->workload);

	source->point = jval_object();
	if (!source->point)
		return -ENOMEM;
	if (table->layout == POSTED_LKP && !strncmp(row->name, table->workload, prefix) &&
	    row->name[prefix] == '.' && row->name[prefix + 1])
		(void)snprintf(source->metric, NAME_SIZE, "%s", row->name + prefix + 1);
	else
		(void)snprintf(source->metric, NAME_SIZE, "%s", row->name);
	if (table->layout == POSTED_MMTESTS) {
		(void)snprintf(source->metric, NAME_SIZE, "value");
		return split_op(source, row->op);
	}
	/* As we print them: "time-4". */
	if (table->layout == POSTED_PCT && known[find_known(table->workload)].workload)
		return split_op(source, row->name);
	/* Averages with the number of groups or threads in front. */
	if (table->layout == POSTED_AVG && isdigit((unsigned char)*row->name)) {
		(void)snprintf(source->metric, NAME_SIZE, "value");
		return split_op(source, row->name);
	}
	return 0;
}

static bool is_mean(const struct posted_row *row)
{
	static const char *const means[] = { "Amean", "Hmean", "Mean" };
	size_t i;

	for (i = 0; i < sizeof(means) / sizeof(means[0]); i++)
		if (!strcmp(row->name, means[i]))
			return true;
	return false;
}

static int add_cell(struct source *source, const struct posted_row *row, size_t column)
{
	const struct posted_table *table = source->table;
	const struct posted_token *token = &row->cells[column].value;
	size_t which = find_known(table->workload);
	struct import_value value = {
		.column = table->columns[column],
		.workload = table->workload,
		.variant = source->variant,
		.machine = table->machine,
		.point = source->point,
		.parameters = source->parameters,
		.iteration = 1,
		.metric = {
			.name = source->metric,
			.unit = *row->unit ? row->unit : known[which].unit,
			.better_higher = is_better_higher(table, row, source->metric),
			.is_summary = true,
			.is_hmean = !strcmp(row->name, "Hmean"),
			.mean = token->value,
			.stddev = posted_stddev(table, row, column),
			.n = table->runs,
			.digits = token->digits < DIGITS_MAX ? token->digits : DIGITS_MAX,
		},
	};
	struct err why = { 0 };
	int bad = import_add(source->import, &value, &why);

	if (!bad || bad == -ENOMEM)
		return bad ? err_nomem(source->err) : 0;
	return err_set(source->err, -EPROTO, "%s:%zu: %s", source->name, token->line,
		       why.text);
}

static int add_row(struct source *source, const struct posted_row *row)
{
	size_t i;
	int bad = name_row(source, row) ? err_nomem(source->err) : 0;

	for (i = 0; !bad && i < source->table->nr_columns; i++)
		bad = add_cell(source, row, i);
	jval_free(source->point);
	source->point = NULL;
	return bad;
}

/* LKP's axes as parameters, but the machine, which has a place of its own. */
static int put_axes(const struct posted_table *table, struct jval *parameters)
{
	const char *name = table->axes;
	const char *value = table->axis_values;
	int bad = 0;

	while (!bad && name && value && *name && *value) {
		size_t name_len = strcspn(name, "/:");
		size_t value_len = strcspn(value, "/");
		char key[NAME_SIZE], text[NAME_SIZE];

		/* Bytes that are no text would be no key; values are kept likewise. */
		(void)snprintf(text, sizeof(text), "%.*s", (int)name_len, name);
		(void)text_printable(text, key, sizeof(key));
		(void)snprintf(text, sizeof(text), "%.*s", (int)value_len, value);
		if (strcmp(key, "tbox_group") && strcmp(key, "testcase"))
			bad = jval_put(parameters, key, jval_from_string(text));
		name += name_len + (name[name_len] != '\0');
		value += value_len + (value[value_len] != '\0');
	}
	return bad;
}

static bool is_only_one(const struct posted *posted, size_t idx)
{
	size_t i;

	for (i = 0; i < posted->nr_tables; i++)
		if (i != idx && !posted->tables[i].is_copy &&
		    !strcmp(posted->tables[i].variant, posted->tables[idx].variant))
			return false;
	return true;
}

static int add_table(struct source *source)
{
	const struct posted_table *table = source->table;
	size_t i;
	int bad = 0;

	if (table->axes) {
		source->parameters = jval_object();
		bad = put_axes(table, source->parameters) ? err_nomem(source->err) : 0;
	}
	for (i = 0; !bad && i < table->nr_rows; i++) {
		if (table->layout != POSTED_MMTESTS || is_mean(&table->rows[i]))
			bad = add_row(source, &table->rows[i]);
	}
	jval_free(source->parameters);
	source->parameters = NULL;
	return bad;
}

/* A variant that the mail has in several tables is one of each table. */
static void name_variant(struct source *source, const struct posted *posted, size_t idx,
			 size_t nr, bool is_alone)
{
	const char *variant = posted->tables[idx].variant;

	if (is_alone || is_only_one(posted, idx))
		(void)snprintf(source->variant, NAME_SIZE, "%s", variant);
	else
		(void)snprintf(source->variant, NAME_SIZE, "%s (table %zu)", variant, nr);
}

static int refuse_empty(const struct source *source, size_t only, size_t nr)
{
	if (only && nr)
		return err_set(source->err, -EINVAL,
			       "%s has no table %zu (expected 1 to %zu)", source->name,
			       only, nr);
	return err_set(source->err, -EPROTO,
		       "%s holds no table that can be read (expected one of mmtests, of "
		       "LKP, with percentages or with standard deviations)",
		       source->name);
}

/* The table with this number, which only those have that aren't copies; NULL: none. */
static const struct posted_table *find_table(const struct posted *posted, size_t number)
{
	size_t nr = 0;
	size_t i;

	for (i = 0; i < posted->nr_tables; i++) {
		nr += !posted->tables[i].is_copy;
		if (!posted->tables[i].is_copy && nr == number)
			return &posted->tables[i];
	}
	return NULL;
}

static bool is_same_baseline(const struct posted_table *a, const struct posted_table *b)
{
	return a && b && !strcmp(a->columns[0], b->columns[0]);
}

size_t import_table_next(const struct posted *posted, size_t after)
{
	const struct posted_table *table;
	size_t before;

	while ((table = find_table(posted, ++after))) {
		for (before = 1; before < after; before++) {
			if (is_same_baseline(find_table(posted, before), table))
				break;
		}
		if (before == after)
			return after;
	}
	return 0;
}

int import_table(struct import *import, const struct posted *posted, const char *name,
		 size_t first, bool is_alone, struct err *err)
{
	struct err local = { 0 };
	struct source source = { .import = import, .name = name };
	const struct posted_table *wanted = find_table(posted, first);
	size_t nr = 0;
	size_t i;
	int bad = 0;

	source.err = err ? err : &local;
	for (i = 0; !bad && i < posted->nr_tables; i++) {
		nr += !posted->tables[i].is_copy;
		if (posted->tables[i].is_copy || !wanted ||
		    (is_alone && &posted->tables[i] != wanted) ||
		    !is_same_baseline(&posted->tables[i], wanted))
			continue;
		source.table = &posted->tables[i];
		name_variant(&source, posted, i, nr, is_alone);
		bad = add_table(&source);
	}
	if (!bad && !import_count(import))
		bad = refuse_empty(&source, first, nr);
	return bad;
}
