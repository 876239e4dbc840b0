/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A report as a mail: a subject, what was run and on what, tables, verdicts and the rule,
 * ready for git send-email.
 */
#ifndef COMPARE_FMT_MAIL_H
#define COMPARE_FMT_MAIL_H

#include <stdio.h>

#include "compare/fmt.h"

struct err;
struct setup;
struct table;

/**
 * fmt_mail - write the mail
 * @out: the stream; its errors are the caller's to look at
 * @table: finished
 * @setup: of the same table
 * @options: how
 * @err: may be NULL
 *
 * Headers are Subject, in ASCII, and those that say that the text is UTF-8. No line has
 * more than 78 bytes. A table that is too wide for that becomes several, each with the
 * baseline. Lines that mail programs or git would take for something else, such as
 * "From " and "---", are moved by a blank.
 *
 * Return: 0 or -ENOMEM.
 */
int fmt_mail(FILE *out, const struct table *table, const struct setup *setup,
	     const struct fmt_options *options, struct err *err);

#endif
