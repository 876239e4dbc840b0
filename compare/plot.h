/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples as pictures, drawn by gnuplot as SVG to stand inside an HTML page. One gnuplot
 * draws all of them; nothing of what it prints is believed before it was looked at.
 */
#ifndef COMPARE_PLOT_H
#define COMPARE_PLOT_H

#include <stddef.h>

struct err;

/** enum plot_kind - what is drawn */
enum plot_kind {
	PLOT_SAMPLES, /* a line for each series: its samples, mean and interval */
	PLOT_ORDER,   /* samples over their place in the order of execution */
};

/**
 * struct plot_series - what one column has
 * @label: printable UTF-8, any characters
 * @values: finite samples
 * @order: of PLOT_ORDER: place of each sample, from 1
 * @nr: how many
 * @mean: of PLOT_SAMPLES, NAN when there is none
 * @low: lower end of the interval of the mean, NAN when not known
 * @high: upper end
 */
struct plot_series {
	const char *label;
	const double *values, *order;
	size_t nr;
	double mean, low, high;
};

/**
 * struct plot - one picture; all is lent
 * @kind: what is drawn
 * @description: for those who can't see it
 * @axis: what the values are, such as "time in s"
 * @series: from top to bottom
 * @nr_series: at most PLOT_SERIES_MAX
 */
struct plot {
	enum plot_kind kind;
	const char *description, *axis;
	const struct plot_series *series;
	size_t nr_series;
};

enum { PLOT_SERIES_MAX = 40 };

/**
 * struct plot_result - what gnuplot drew
 * @svgs: an <svg> element for each plot, NULL for one that can't be drawn; owned
 * @nr: how many plots there were
 * @signal: that stopped the drawing, 0 for none
 */
struct plot_result {
	char **svgs;
	size_t nr;
	int signal;
};

/**
 * plot_draw - draw all plots
 * @plots: what to draw
 * @nr: how many
 * @result: to be released by plot_release(), also after a failure
 * @err: says why there are none
 *
 * Identifiers inside the pictures differ from plot to plot, colours of text and axes are
 * the page's, and there is neither a script nor a reference to anything else in them.
 *
 * Return: 0, -ENOENT where no gnuplot is on PATH, -EINTR when a signal came, -ETIME,
 * -EPROTO when gnuplot failed, or another negative errno.
 */
int plot_draw(const struct plot *plots, size_t nr, struct plot_result *result,
	      struct err *err);

/** plot_release - free the pictures */
void plot_release(struct plot_result *result);

/**
 * plot_clean - turn gnuplot's SVG into an element of a page
 * @svg: what gnuplot wrote
 * @plot: what it was told
 * @idx: number of the plot in the page
 *
 * Return: the caller's to free(); NULL when it isn't a whole SVG, has a script or refers
 * to something outside, or there is no memory.
 */
char *plot_clean(const char *svg, const struct plot *plot, size_t idx);

#endif
