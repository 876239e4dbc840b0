/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A report as one HTML file that needs no network, script or other file: verdicts first,
 * then tables, plots, what differs between the columns, and the facts of their hosts.
 */
#ifndef COMPARE_FMT_HTML_H
#define COMPARE_FMT_HTML_H

#include <stdio.h>

#include "compare/fmt.h"

struct err;
struct setup;
struct table;

/**
 * fmt_html - write the page
 * @out: the stream; its errors are the caller's to look at
 * @table: finished
 * @setup: of the same table
 * @options: how
 * @ret_signal: receives the signal that stopped the drawing of plots, else 0
 * @err: may be NULL
 *
 * Plots are drawn before anything is written. Where gnuplot is missing or fails, the page
 * says so and has all the rest.
 *
 * Return: 0, -EINTR when a signal came, or -ENOMEM.
 */
int fmt_html(FILE *out, const struct table *table, const struct setup *setup,
	     const struct fmt_options *options, int *ret_signal, struct err *err);

#endif
