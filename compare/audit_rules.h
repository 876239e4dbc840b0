/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rules of the audit, one function each; inside the module only. */
#ifndef COMPARE_AUDIT_RULES_H
#define COMPARE_AUDIT_RULES_H

#include <stddef.h>

#include "compare/audit.h"

struct posted;
struct posted_row;
struct posted_table;
struct posted_token;

enum { AUDIT_TEXT_SIZE = 128 };

/** audit_copy - @token as printed, to @out of AUDIT_TEXT_SIZE bytes */
void audit_copy(const struct posted_token *token, char *out);

/**
 * audit_add - note a finding
 * @audit: receives it
 * @finding: its line and kind; @printed, @expected are copied
 * @fmt: printf format of its text
 *
 * Return: 0 or -ENOMEM.
 */
int audit_add(struct audit *audit, const struct audit_finding *finding, const char *fmt,
	      ...) __attribute__((format(printf, 3, 4)));

/** audit_percents - percentages and signs of a table, cuts of all; 0 or -ENOMEM */
int audit_percents(struct audit *audit, const struct posted *posted);

/** audit_deviations - standard deviations, and changes within them; 0 or -ENOMEM */
int audit_deviations(struct audit *audit, const struct posted_table *table);

/** audit_duplicates - rows that carry one measurement; 0 or -ENOMEM */
int audit_duplicates(struct audit *audit, const struct posted_table *table);

/** audit_claims - subjects that name a change which no table has; 0 or -ENOMEM */
int audit_claims(struct audit *audit, const struct posted *posted);

#endif
