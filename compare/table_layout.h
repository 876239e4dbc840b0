/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What table_finish() has done, step by step, once all records are in. Private to the
 * table's parts, as table_build.h is.
 */
#ifndef COMPARE_TABLE_LAYOUT_H
#define COMPARE_TABLE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct execution;
struct table;
struct table_build;
struct table_section;

/**
 * struct layout - where things that were numbered on arrival have gone
 * @columns: column on arrival to column
 * @rows: for each section, metric on arrival * nr_points + point on arrival,
 *        to the row; lives until empty rows are dropped
 */
struct layout {
	size_t *columns;
	size_t **rows;
};

/** build_expect - take all that was planned for not recorded, until it is counted */
void build_expect(struct table *table, const struct layout *layout);

/**
 * build_count - add an execution to what it counts for
 * @table: laid out
 * @layout: of @table
 * @execution: of the table's
 * @err: says which cell holds more than samples or one summary
 *
 * Return: 0, -EPROTO or -ENOMEM.
 */
int build_count(struct table *table, const struct layout *layout,
		const struct execution *execution, struct err *err);

/**
 * build_find_twins - mark iterations that a copied run holds again
 * @table: all records are in
 *
 * Return: 0 or -ENOMEM.
 */
int build_find_twins(struct table *table);

/**
 * build_count_runs - compare what was planned with what is recorded
 * @table: twins are marked
 *
 * Return: 0 or -ENOMEM.
 */
int build_count_runs(struct table *table);

/** build_is_copy - whether the run numbered @run holds iterations of an earlier one */
bool build_is_copy(const struct table_build *build, size_t run);

/**
 * build_unify - let records without parameters join the section they fit
 * @table: all records are in
 *
 * A published table doesn't say its parameters. It belongs beside the measured
 * columns of its variant, when those all had the same ones.
 *
 * Return: 0 or -ENOMEM.
 */
int build_unify(struct table *table);

/**
 * build_order_columns - sort the columns of @table
 * @table: all records are in
 * @columns: names in the order wanted, ended by NULL; may be NULL
 * @baseline: name of the first, may be NULL
 * @ret: for each column on arrival where it went; the caller's to free()
 * @err: says which column is not there
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int build_order_columns(struct table *table, const char *const *columns,
			const char *baseline, size_t **ret, struct err *err);

/**
 * build_order_metrics - sort the metrics of @section
 * @section: of the table
 * @places: receives where each went
 *
 * Return: 0 or -ENOMEM.
 */
int build_order_metrics(struct table_section *section, size_t *places);

/**
 * build_order_points - sort the points of @section
 * @section: of the table
 * @places: receives where each went
 *
 * Return: 0 or -ENOMEM.
 */
int build_order_points(struct table_section *section, size_t *places);

#endif
