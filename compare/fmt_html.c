// SPDX-License-Identifier: GPL-2.0-or-later
/* The page around its parts; see fmt_html.h. */
#include "compare/fmt_html.h"

#include <errno.h>
#include <stdlib.h>

#include "compare/fmt_html_parts.h"
#include "compare/footer.h"
#include "compare/html.h"
#include "compare/setup.h"
#include "compare/table.h"
#include "lib/err.h"

static int put_title(FILE *out, const struct table *table, const struct setup *setup)
{
	const char *name = setup->nr_grids	? setup->grids[0].name
			   : table->nr_sections ? table->sections[0].title
						: "no results";

	return html_put(out, "schedgrid: %s", name);
}

static int put_head(FILE *out, const struct table *table, const struct setup *setup)
{
	int bad;

	/* Nothing is fetched and nothing runs, whatever a name should turn out to be. */
	(void)fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
		    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
		    "'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
		    "form-action 'none'\">\n"
		    "<meta name=\"viewport\" content=\"width=device-width, "
		    "initial-scale=1\">\n"
		    "<meta name=\"color-scheme\" content=\"light dark\">\n"
		    "<link rel=\"icon\" href=\"data:,\">\n<title>",
		    out);
	bad = put_title(out, table, setup);
	(void)fprintf(out, "</title>\n<style>\n%s</style></head>\n<body>\n", html_style);
	return bad;
}

static int put_header(FILE *out, const struct table *table, const struct setup *setup)
{
	size_t i;
	int bad;

	(void)fputs(
		"<a class=\"skip\" href=\"#verdicts\">To the verdicts</a>\n<header><h1>",
		out);
	bad = put_title(out, table, setup);
	(void)fputs("</h1>\n", out);
	for (i = 0; i < setup->nr_grids; i++) {
		(void)fputs("<p>", out);
		bad |= html_put(out, "Grid %s%s%s", setup->grids[i].name,
				*setup->grids[i].text ? ": " : "", setup->grids[i].text);
		(void)fputs("</p>\n", out);
	}
	(void)fputs("</header>\n<nav aria-label=\"Parts\"><ul><li><a href=\"#verdicts\">"
		    "Verdicts</a></li>",
		    out);
	for (i = 0; i < table->nr_sections; i++) {
		(void)fprintf(out, "<li><a href=\"#s%zu\">", i);
		bad |= html_text(out, table->sections[i].title);
		(void)fputs("</a></li>", out);
	}
	(void)fputs(
		"<li><a href=\"#setup\">What differs</a></li><li><a href=\"#rules\">How "
		"to read it</a></li></ul></nav>\n<main>\n",
		out);
	return bad;
}

static int put_tables(FILE *out, const struct table *table, bool all,
		      const struct html_plots *plots)
{
	const struct footer_statistics statistics = footer_statistics(table, all);
	size_t next = 0;
	size_t i;
	int bad = 0;

	(void)fprintf(
		out,
		"<h2 id=\"tables\">Tables and samples</h2>\n"
		"<p>In each cell: %s ± standard deviation (%s), n samples; gain over "
		"column 1, positive is better, with its 95%% interval.</p>\n",
		statistics.mean, statistics.spread);
	if (*plots->why) {
		(void)fputs("<p class=\"warn\">There are no plots: ", out);
		bad |= html_text(out, plots->why);
		(void)fputs(" (expected that of Debian's gnuplot-nox).</p>\n", out);
	}
	if (table->nr_columns > PLOT_SERIES_MAX)
		(void)fprintf(out,
			      "<p class=\"warn\">Plots show the first %d columns.</p>\n",
			      PLOT_SERIES_MAX);
	for (i = 0; !bad && i < table->nr_sections; i++)
		bad = html_section(out, table, i, all, plots, &next);
	return bad;
}

/* The lines that end a mail or a table on a terminal. */
static int put_rules(FILE *out, const struct table *table,
		     const struct fmt_options *options)
{
	const struct footer_statistics statistics =
		footer_statistics(table, options->all);
	char *text = NULL;
	size_t len = 0;
	FILE *lines = open_memstream(&text, &len);
	int bad;

	if (!lines)
		return -ENOMEM;
	bad = footer_put_end(lines, table, options,
			     "%s ± standard deviation (%s), n: samples, gain over the "
			     "first column, positive = better",
			     statistics.mean, statistics.spread);
	if (fclose(lines))
		bad = -ENOMEM;
	(void)fputs(
		"<section id=\"rules\" aria-labelledby=\"rules-h\"><h2 id=\"rules-h\">How "
		"to read it</h2>\n",
		out);
	if (!bad)
		bad = html_lines(out, text);
	(void)fputs("</section>\n", out);
	free(text);
	return bad;
}

int fmt_html(FILE *out, const struct table *table, const struct setup *setup,
	     const struct fmt_options *options, int *ret_signal, struct err *err)
{
	struct html_plots plots;
	int bad = html_plots_init(&plots, table, options->all, err);

	*ret_signal = plots.drawn.signal;
	if (!bad) {
		bad = put_head(out, table, setup);
		bad |= put_header(out, table, setup);
		bad |= html_summary(out, table, options->all);
		bad |= put_tables(out, table, options->all, &plots);
		bad |= html_setup(out, table, setup);
		bad |= put_rules(out, table, options);
		(void)fputs("</main>\n</body></html>\n", out);
		bad = bad ? err_nomem(err) : 0;
	}
	html_plots_release(&plots);
	return bad;
}
