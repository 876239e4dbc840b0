// SPDX-License-Identifier: GPL-2.0-or-later
/* Commands of gnuplot; see plot_script.h. */
#include "compare/plot_script.h"

#include <math.h>

#include "lib/text.h"

/* Of a phone's width, so that text there is not much smaller than the page's. */
enum {
	WIDTH = 480,
	FONT = 13,
	LINE_HEIGHT = 44,
	FRAME_HEIGHT = 66,
	ORDER_HEIGHT = 220,
	KEY_HEIGHT = 24
};

/* Seen on white and on black, each with a contrast of 3 at least. */
static const char *const colours[] = { "#2f7fd0", "#c8641e", "#2e9055", "#9a63c8",
				       "#d0485a", "#1d8f96", "#98742c", "#7a8088" };
/* Open and full shapes in turn: colours alone don't tell series apart. */
static const int shapes[] = { 6, 8, 4, 10, 12, 1, 2, 3 };

enum { NR_COLOURS = sizeof(colours) / sizeof(*colours) };

struct range {
	double low, high;
};

static void widen(struct range *range, double value)
{
	if (isnan(value))
		return;
	range->low = isnan(range->low) ? value : fmin(range->low, value);
	range->high = isnan(range->high) ? value : fmax(range->high, value);
}

static struct range range_of(const struct plot *plot)
{
	struct range range = { (double)NAN, (double)NAN };
	size_t i, j;

	for (i = 0; i < plot->nr_series; i++) {
		const struct plot_series *series = &plot->series[i];

		for (j = 0; j < series->nr; j++)
			widen(&range, series->values[j]);
		if (plot->kind != PLOT_SAMPLES)
			continue;
		widen(&range, series->mean);
		widen(&range, series->low);
		widen(&range, series->high);
	}
	return range;
}

bool plot_can_draw(const struct plot *plot)
{
	const double largest = 1e250;
	const struct range range = range_of(plot);

	return plot->nr_series <= PLOT_SERIES_MAX && fabs(range.low) < largest &&
	       fabs(range.high) < largest;
}

/* A round number of which about four fit into @span. */
static double step_of(double span)
{
	double unit = pow(10.0, floor(log10(span / 4.0)));
	double share = span / 4.0 / unit;

	if (share > 5.0)
		return 10.0 * unit;
	if (share > 2.0)
		return 5.0 * unit;
	return (share > 1.0 ? 2.0 : 1.0) * unit;
}

/* Room on both sides; values that are all one, or nearly so, get an axis all the same. */
static void put_range(FILE *out, char axis, const struct plot *plot)
{
	struct range range = range_of(plot);
	double size = fmax(fabs(range.low), fabs(range.high));
	double margin = 0.05 * (range.high - range.low);

	if (margin < 1e-7 * size)
		margin = 1e-2 * size;
	if (margin < 1e-250)
		margin = 1.0;
	range.low -= margin;
	range.high += margin;
	(void)fprintf(out, "set %crange [%.17g:%.17g]\nset %ctics %.17g\n", axis,
		      range.low, range.high, axis, step_of(range.high - range.low));
}

static void put_mark(FILE *out, size_t number, const char *text)
{
	size_t width = text_width(text);

	(void)fprintf(out, "\"@%03zu", number);
	for (; width > 4; width--)
		(void)fputc('.', out);
	(void)fputc('"', out);
}

static void put_samples(FILE *out, const struct plot *plot)
{
	size_t i, j;

	(void)fputs("$d << EOD\n", out);
	for (i = 0; i < plot->nr_series; i++) {
		for (j = 0; j < plot->series[i].nr; j++)
			(void)fprintf(out, "%.17g %zu\n", plot->series[i].values[j], i);
	}
	(void)fputs("EOD\n$m << EOD\n", out);
	for (i = 0; i < plot->nr_series; i++) {
		const struct plot_series *series = &plot->series[i];
		bool has_interval = !isnan(series->low) && !isnan(series->high);

		if (!isnan(series->mean))
			(void)fprintf(out, "%.17g %zu %.17g %.17g\n", series->mean, i,
				      has_interval ? series->low : series->mean,
				      has_interval ? series->high : series->mean);
	}
	(void)fputs("EOD\n", out);
}

static bool has_means(const struct plot *plot)
{
	size_t i;

	for (i = 0; i < plot->nr_series; i++) {
		if (!isnan(plot->series[i].mean))
			return true;
	}
	return false;
}

static bool has_values(const struct plot *plot)
{
	size_t i;

	for (i = 0; i < plot->nr_series; i++) {
		if (plot->series[i].nr)
			return true;
	}
	return false;
}

/* Samples above the line of their column, the interval below it. */
static void plot_samples(FILE *out, const struct plot *plot)
{
	size_t i;

	(void)fputs("set ytics (", out);
	for (i = 0; i < plot->nr_series; i++) {
		(void)fputs(i ? ", " : "", out);
		put_mark(out, i + 1, plot->series[i].label);
		(void)fprintf(out, " %zu", i);
	}
	(void)fprintf(out, ")\nset yrange [%zu.6:-0.6]\n", plot->nr_series - 1);
	put_range(out, 'x', plot);
	(void)fputs("set xlabel ", out);
	put_mark(out, 0, plot->axis);
	(void)fputc('\n', out);
	put_samples(out, plot);
	(void)fputs("plot ", out);
	if (has_values(plot))
		(void)fprintf(out,
			      "$d using 1:($2-0.14) with points pt 6 ps 1 lc "
			      "rgb \"%s\" notitle%s",
			      colours[0], has_means(plot) ? ", " : "");
	if (has_means(plot))
		(void)fprintf(out,
			      "$m using 1:($2+0.22):3:4 with xerrorbars pt 13 ps 1 lw 2 "
			      "lc rgb \"%s\" notitle",
			      colours[1]);
	(void)fputs("\n", out);
}

static void plot_order(FILE *out, const struct plot *plot)
{
	size_t i, j;

	put_range(out, 'y', plot);
	(void)fputs("set xtics auto\nset xrange [*:*]\n"
		    "set key outside top left horizontal reverse Left\n"
		    "set xlabel \"order of execution\"\nset ylabel ",
		    out);
	put_mark(out, 0, plot->axis);
	(void)fputc('\n', out);
	for (i = 0; i < plot->nr_series; i++) {
		(void)fprintf(out, "$s%zu << EOD\n", i);
		for (j = 0; j < plot->series[i].nr; j++)
			(void)fprintf(out, "%.17g %.17g\n", plot->series[i].order[j],
				      plot->series[i].values[j]);
		(void)fputs("EOD\n", out);
	}
	(void)fputs("plot ", out);
	for (i = 0, j = 0; i < plot->nr_series; i++) {
		if (!plot->series[i].nr)
			continue;
		(void)fprintf(out,
			      "%s$s%zu with points pt %d ps 1 lc rgb \"%s\" "
			      "title ",
			      j++ ? ", " : "", i, shapes[i % NR_COLOURS],
			      colours[i % NR_COLOURS]);
		put_mark(out, i + 1, plot->series[i].label);
	}
	(void)fputc('\n', out);
}

static size_t height_of(const struct plot *plot)
{
	if (plot->kind == PLOT_SAMPLES)
		return FRAME_HEIGHT + LINE_HEIGHT * plot->nr_series;
	return ORDER_HEIGHT + KEY_HEIGHT * plot->nr_series;
}

void plot_script(FILE *out, const struct plot *plot, size_t idx)
{
	(void)fprintf(out,
		      "reset session\n"
		      "set encoding utf8\n"
		      "set decimalsign \".\"\n"
		      "set terminal svg size %d,%zu noenhanced name \"p%zu\" font "
		      "\"sans-serif,%d\"\n"
		      "set output \"%zu.svg\"\n"
		      "unset key\n"
		      "set border 3\n"
		      "set tics nomirror scale 0.5\n"
		      "set format \"%%.6g\"\n",
		      WIDTH, height_of(plot), idx, FONT, idx);
	if (plot->kind == PLOT_SAMPLES)
		plot_samples(out, plot);
	else
		plot_order(out, plot);
	(void)fputs("unset output\n", out);
}
