/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of a mail, narrow enough for it; inside fmt_mail only. */
#ifndef COMPARE_FMT_MAIL_TABLE_H
#define COMPARE_FMT_MAIL_TABLE_H

#include <stdbool.h>
#include <stdio.h>

struct table;
struct table_section;

/**
 * mail_put_section - title, tables and notes of a section
 * @out: the stream
 * @table: finished
 * @section: of @table
 * @all: also secondary metrics
 *
 * Each table has the baseline and as many of the other columns as fit.
 *
 * Return: 0 or -ENOMEM.
 */
int mail_put_section(FILE *out, const struct table *table,
		     const struct table_section *section, bool all);

#endif
