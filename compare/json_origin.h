/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of fmt_json.h's document that say where its numbers come from: every sample,
 * the columns and machines, and what the runs' plans ask results to say. All return 0 or a
 * negative errno. */
#ifndef COMPARE_JSON_ORIGIN_H
#define COMPARE_JSON_ORIGIN_H

#include <stddef.h>

struct jval;
struct table;
struct table_cell;
struct table_section;

/** json_put_samples - put all samples of a cell in order; nothing where it has none */
int json_put_samples(struct jval *object, const struct table_cell *cell);

/** json_put_remarks - put how many iterations of @column carry which flag */
int json_put_remarks(struct jval *object, const struct table_section *section,
		     size_t column);

/** json_put_columns - put what is known of each column, and the machines */
int json_put_columns(struct jval *top, const struct table *table);

/** json_put_runs - put terms, and why runs stopped; nothing where there is neither */
int json_put_runs(struct jval *top, const struct table *table);

#endif
