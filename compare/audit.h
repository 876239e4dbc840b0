/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether the tables of a mail can be right: what a reader with a calculator would find.
 * Only what can't follow from the printed numbers is a finding, not what looks odd.
 */
#ifndef COMPARE_AUDIT_H
#define COMPARE_AUDIT_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct jval;
struct posted;

/**
 * enum audit_kind - what is wrong
 * @AUDIT_PERCENT: a percentage that rounding the printed means can't give
 * @AUDIT_SIGN: one that has the other sign than the rest of its table
 * @AUDIT_STDDEV: a standard deviation that equals its mean
 * @AUDIT_NOISE: a change that the printed deviations don't tell from none
 * @AUDIT_DUPLICATE: a row that is another one times a whole number
 * @AUDIT_STYLE: percentages are cut throughout
 */
enum audit_kind {
	AUDIT_PERCENT,
	AUDIT_SIGN,
	AUDIT_STDDEV,
	AUDIT_NOISE,
	AUDIT_DUPLICATE,
	AUDIT_STYLE,
};

/**
 * struct audit_finding - one thing that can't be right
 * @line: of the mail, from 1
 * @kind: what is wrong
 * @printed: the number in question; owned
 * @expected: what should be there; NULL where that isn't known; owned
 * @text: one sentence; owned
 */
struct audit_finding {
	size_t line;
	enum audit_kind kind;
	char *printed, *expected, *text;
};

/**
 * struct audit - the result
 * @findings: by line
 * @nr_findings: how many
 * @nr_tables: that were found, without those that a reply repeats
 * @nr_percents: that were held against their means
 */
struct audit {
	struct audit_finding *findings;
	size_t nr_findings, nr_tables, nr_percents;
};

/**
 * audit_posted - look at all tables of a mail
 * @audit: to be released by audit_release(), also after a failure
 * @posted: the tables
 * @err: may be NULL
 *
 * Return: 0 or -ENOMEM.
 */
int audit_posted(struct audit *audit, const struct posted *posted, struct err *err);

/** audit_release - free the findings */
void audit_release(struct audit *audit);

/** audit_kind_name - "percent", "sign" ...; static */
const char *audit_kind_name(enum audit_kind kind);

/** audit_json - as schema schedgrid-audit-1, the caller's; NULL: no memory */
struct jval *audit_json(const struct audit *audit);

#endif
