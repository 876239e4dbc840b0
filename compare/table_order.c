// SPDX-License-Identifier: GPL-2.0-or-later
/* The order of columns, metrics and points. */
#include "compare/table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/table_build.h"
#include "compare/table_layout.h"
#include "lib/err.h"
#include "lib/json.h"
#include "lib/text.h"

/* An array that may be of no entries and still isn't NULL. */
static void *new_array(size_t nr, size_t size)
{
	return calloc(nr ? nr : 1, size);
}

/* The first of @names in quotes; NULL: no memory. */
static char *name_list(const char *const *names)
{
	enum { NAMES_MAX = 12 };
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	size_t i;

	if (!out)
		return NULL;
	for (i = 0; i < NAMES_MAX && names[i]; i++)
		(void)fprintf(out, "%s'%s'", i ? ", " : "", names[i]);
	if (names[i])
		(void)fputs(" and more", out);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

static int no_such_baseline(const struct table *table, const char *baseline,
			    struct err *err)
{
	const char **names = new_array(table->nr_columns + 1, sizeof(*names));
	const char *nearest = NULL;
	char *list;
	size_t i;

	if (!names)
		return err_nomem(err);
	for (i = 0; i < table->nr_columns; i++)
		names[i] = table->columns[i].name;
	nearest = text_nearest(baseline, names);
	list = name_list(names);
	if (!list)
		err_nomem(err);
	else
		err_set(err, -EINVAL,
			"no column is called '%s' (expected one of %s)%s%s%s", baseline,
			list, nearest ? "; did you mean '" : "", nearest ? nearest : "",
			nearest ? "'?" : "");
	free(list);
	free(names);
	return list ? -EINVAL : -ENOMEM;
}

static bool has_column(const struct table *table, const char *name)
{
	size_t i;

	for (i = 0; i < table->nr_columns; i++) {
		if (!strcmp(table->columns[i].name, name))
			return true;
	}
	return false;
}

static int place_column(struct table *table, const char *name, size_t *places,
			size_t *nr_placed)
{
	size_t idx;

	if (build_column(table, name, &idx))
		return -ENOMEM;
	if (places[idx] == SIZE_MAX)
		places[idx] = (*nr_placed)++;
	return 0;
}

static int place_columns(struct table *table, const char *const *columns,
			 const char *baseline, size_t *places)
{
	size_t nr_placed = 0;
	int ret = 0;
	size_t i;

	memset(places, 0xff, table->nr_columns * sizeof(*places));
	if (baseline)
		ret = place_column(table, baseline, places, &nr_placed);
	for (i = 0; !ret && columns && columns[i]; i++)
		ret = place_column(table, columns[i], places, &nr_placed);
	for (i = 0; i < table->nr_columns; i++) {
		if (places[i] == SIZE_MAX)
			places[i] = nr_placed++;
	}
	return ret;
}

/* Sort the columns; *@ret says where each went. */
int build_order_columns(struct table *table, const char *const *columns,
			const char *baseline, size_t **ret, struct err *err)
{
	struct table_column *sorted;
	size_t idx, i;

	for (i = 0; columns && columns[i]; i++) {
		if (build_column(table, columns[i], &idx))
			return err_nomem(err);
	}
	if (baseline && !has_column(table, baseline))
		return no_such_baseline(table, baseline, err);
	*ret = new_array(table->nr_columns, sizeof(**ret));
	sorted = new_array(table->nr_columns, sizeof(*sorted));
	if (!*ret || !sorted || place_columns(table, columns, baseline, *ret)) {
		free(sorted);
		return err_nomem(err);
	}
	for (i = 0; i < table->nr_columns; i++)
		sorted[(*ret)[i]] = table->columns[i];
	if (table->nr_columns)
		memcpy(table->columns, sorted, table->nr_columns * sizeof(*sorted));
	free(sorted);
	return 0;
}

static int compare_values(const struct jval *a, const struct jval *b)
{
	const char *x = jval_text(a);
	const char *y = jval_text(b);
	double m = 0.0;
	double n = 0.0;

	if (x && y)
		return text_natural_order(x, y);
	if (jval_real(a, &m) && jval_real(b, &n))
		return (m > n) - (m < n);
	/* Numbers before words, should a parameter have both. */
	return (x != NULL) - (y != NULL);
}

/* All points of a section have the same keys. */
static int by_point(const void *a, const void *b, void *data)
{
	const struct table_point *points = data;
	const struct table_point *x = &points[*(const size_t *)a];
	const struct table_point *y = &points[*(const size_t *)b];
	const struct jval *value;
	const char *key;
	void *pos = NULL;
	int order = 0;

	/* The first point seen says which parameter turns slowest. */
	while (!order && jval_each(points[0].values, &pos, &key, &value))
		order = compare_values(jval_get(x->values, key),
				       jval_get(y->values, key));
	return order ? order : (x > y) - (x < y);
}

/*
 * Sorts @nr elements of @size bytes by their indices, so that equal ones keep
 * their order, and says in @places where each went.
 */
static int sort_in_place(void *elements, size_t nr, size_t size,
			 int (*compare)(const void *, const void *, void *),
			 size_t *places)
{
	char *sorted = new_array(nr, size);
	size_t *order = new_array(nr, sizeof(*order));
	size_t i;
	int ret = -ENOMEM;

	if (!sorted || !order)
		goto out;
	for (i = 0; i < nr; i++)
		order[i] = i;
	qsort_r(order, nr, sizeof(*order), compare, elements);
	for (i = 0; i < nr; i++) {
		places[order[i]] = i;
		memcpy(sorted + i * size, (const char *)elements + order[i] * size, size);
	}
	memcpy(elements, sorted, nr * size);
	ret = 0;
out:
	free(sorted);
	free(order);
	return ret;
}

/* Sort the points and say in @places where each went. */
int build_order_points(struct table_section *section, size_t *places)
{
	return sort_in_place(section->points, section->nr_points,
			     sizeof(*section->points), by_point, places);
}

static int by_rank(const void *a, const void *b, void *data)
{
	const struct table_metric *metrics = data;
	const struct table_metric *x = &metrics[*(const size_t *)a];
	const struct table_metric *y = &metrics[*(const size_t *)b];

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x > y) - (x < y);
}

/* Records of one run may lack some metrics, and any of them may come first. */
int build_order_metrics(struct table_section *section, size_t *places)
{
	return sort_in_place(section->metrics, section->nr_metrics,
			     sizeof(*section->metrics), by_rank, places);
}
