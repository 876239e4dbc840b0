/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of fmt_json.h's document that judge.h fills: everything that is needed to
 * compute a verdict again. All return 0 or a negative errno. */
#ifndef COMPARE_JSON_VERDICT_H
#define COMPARE_JSON_VERDICT_H

#include <stddef.h>

struct jval;
struct table;
struct table_row;
struct table_section;

/** json_put_rule - put the rule and how many p it adjusted; nothing without verdicts */
int json_put_rule(struct jval *top, const struct table *table);

/** json_put_summary - put the counts of each column; nothing without verdicts */
int json_put_summary(struct jval *top, const struct table *table);

/** json_put_flags - put the remarks on the runs of a cell, and its median's interval */
int json_put_flags(struct jval *object, const struct table *table,
		   const struct table_section *section, const struct table_row *row,
		   size_t column);

/** json_push_against - append how @column differs from what it is compared with */
int json_push_against(struct jval *array, const struct table *table,
		      const struct table_section *section, const struct table_row *row,
		      size_t column);

/** json_put_row_verdict - put the verdict of all columns of a row */
int json_put_row_verdict(struct jval *object, const struct table *table,
			 const struct table_section *section,
			 const struct table_row *row);

#endif
