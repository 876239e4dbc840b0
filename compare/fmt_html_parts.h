/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the page, one file each; inside fmt_html only. */
#ifndef COMPARE_FMT_HTML_PARTS_H
#define COMPARE_FMT_HTML_PARTS_H

#include <stdbool.h>
#include <stdio.h>

#include "compare/plot.h"
#include "compare/verdict.h"
#include "compare/view.h"

struct err;
struct setup;
struct table;

/** html_style - the style sheet */
extern const char html_style[];

/**
 * struct html_plots - two plots for each row that is shown, in the order of the page
 * @plots: what to draw; what they lend is owned
 * @nr: twice the rows
 * @labels: of the columns, owned
 * @nr_labels: how many
 * @drawn: what came of it
 * @why: why there are none, empty when they were drawn; owned
 */
struct html_plots {
	struct plot *plots;
	size_t nr;
	char **labels;
	size_t nr_labels;
	struct plot_result drawn;
	char *why;
};

/**
 * html_plots_init - draw all plots of a table
 * @plots: to be released by html_plots_release(), also after a failure
 * @table: finished
 * @all: also secondary metrics
 * @err: may be NULL
 *
 * Return: 0, also without gnuplot, -EINTR when a signal came, or -ENOMEM.
 */
int html_plots_init(struct html_plots *plots, const struct table *table, bool all,
		    struct err *err);

/** html_plots_release - free all of it */
void html_plots_release(struct html_plots *plots);

/** html_verdict - the verdict with its sign, or that there is none */
void html_verdict(FILE *out, enum verdict verdict);

/** html_column - "2 wake": number and name of a column; 0 or -ENOMEM */
int html_column(FILE *out, const struct table *table, size_t column);

/** html_gain - "+3.10% [2.01, 4.22]", nothing when it isn't known */
void html_gain(FILE *out, double percent, const struct comparison *comparison,
	       bool is_higher_better);

/** html_summary - verdicts of the columns, and the rows that changed; 0 or -ENOMEM */
int html_summary(FILE *out, const struct table *table, bool all);

/**
 * html_section - heading, table, notes and plots of a section
 * @out: the page
 * @table: finished
 * @idx: of the section
 * @all: also secondary metrics
 * @plots: of the table
 * @next: number of the next plot; moved on
 *
 * Return: 0 or -ENOMEM.
 */
int html_section(FILE *out, const struct table *table, size_t idx, bool all,
		 const struct html_plots *plots, size_t *next);

/** html_setup - what differs between the columns, and all facts; 0 or -ENOMEM */
int html_setup(FILE *out, const struct table *table, const struct setup *setup);

#endif
