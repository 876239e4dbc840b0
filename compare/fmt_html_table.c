// SPDX-License-Identifier: GPL-2.0-or-later
/* A section of the page: its table, its notes, its plots; see fmt_html_parts.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "compare/fmt_html_parts.h"
#include "compare/footer.h"
#include "compare/html.h"
#include "compare/judge.h"
#include "compare/table.h"

/*
 * struct page - where a section is written
 */
struct page {
	FILE *out;
	const struct table *table;
	const struct table_section *section;
	const struct view *view;
};

static int put_head(const struct page *page)
{
	FILE *out = page->out;
	size_t i;
	int bad = 0;

	(void)fputs("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"",
		    out);
	bad |= html_put(out, "Table of %s", page->section->title);
	(void)fputs("\"><table><caption>", out);
	bad |= html_text(out, page->section->title);
	(void)fputs("</caption>\n<thead><tr><th scope=\"col\">Row</th>", out);
	for (i = 0; i < page->table->nr_columns; i++) {
		(void)fputs("<th scope=\"col\">", out);
		bad |= html_column(out, page->table, i);
		(void)fputs("</th>", out);
	}
	(void)fputs("</tr></thead><tbody>\n", out);
	return bad;
}

static void put_cell(const struct page *page, const struct table_row *row, size_t column)
{
	const struct judged_row *judged = judgement_row(page->table, page->section, row);
	const struct comparison *c = judged ? &judged->against[column] : NULL;
	enum view_statistic mean = view_mean(row, page->table->nr_columns);
	int digits = view_digits(row, page->table->nr_columns);
	double spread = view_value(&row->cells[column], view_spread(mean));
	char number[VIEW_NUMBER_SIZE];
	FILE *out = page->out;

	view_number(view_value(&row->cells[column], mean), digits, number);
	(void)fprintf(out, "<td><span class=\"line\">%s", number);
	if (!isnan(spread)) {
		view_number(spread, digits, number);
		(void)fprintf(out, " ± %s", number);
	}
	view_counts(&row->cells[column], number, sizeof(number));
	(void)fprintf(out, " <span class=\"n\">n %s</span></span>", number);
	if (column) {
		(void)fputs("<span class=\"line\">", out);
		html_gain(out, view_percent(row, column, mean),
			  c && !c->base_idx ? c : NULL, row->metric->better_higher);
		(void)fputs("</span>", out);
		if (c)
			html_verdict(out, c->verdict);
		if (c && c->base_idx)
			(void)fprintf(out, " against %zu", c->base_idx + 1);
	}
	(void)fputs("</td>", out);
}

static int put_op(FILE *out, const struct view_row *row)
{
	const char *unit = row->row->metric->unit;
	const char *name = row->row->metric->name;
	char *point = table_point_text(row->row->point, " ");
	int bad = point ? 0 : -ENOMEM;

	if (!bad)
		bad = html_put(out, "%s%s%s%s%s%s", name ? name : "", *point ? " " : "",
			       point, *unit ? " (" : "", unit, *unit ? ")" : "");
	free(point);
	return bad;
}

/* Which direction is better, and which mean it is where that isn't the usual one. */
static void put_kind(const struct page *page, const struct table_row *row)
{
	bool is_harmonic = view_mean(row, page->table->nr_columns) == VIEW_HMEAN;

	(void)fprintf(page->out, "<span class=\"line n\">%s is better%s</span>",
		      row->metric->better_higher ? "higher" : "lower",
		      is_harmonic ? "; harmonic means" : "");
}

static int put_table(const struct page *page)
{
	size_t i, j;
	int bad = put_head(page);

	for (i = 0; i < page->view->nr_rows; i++) {
		const struct view_row *row = &page->view->rows[i];

		(void)fputs("<tr><th scope=\"row\">", page->out);
		bad |= put_op(page->out, row);
		put_kind(page, row->row);
		(void)fputs("</th>", page->out);
		for (j = 0; j < page->table->nr_columns; j++)
			put_cell(page, row->row, j);
		(void)fputs("</tr>\n", page->out);
	}
	(void)fputs("</tbody></table></div>\n", page->out);
	return bad;
}

static int put_notes(const struct page *page)
{
	char *text = NULL;
	size_t len = 0;
	FILE *notes = open_memstream(&text, &len);
	int bad;

	if (!notes)
		return -ENOMEM;
	bad = footer_notes(notes, page->table, page->section, page->view);
	if (fclose(notes))
		bad = -ENOMEM;
	if (!bad)
		bad = html_lines(page->out, text);
	free(text);
	return bad;
}

static void put_figure(FILE *out, const char *svg, const char *caption)
{
	if (svg)
		(void)fprintf(out, "<figure>%s<figcaption>%s</figcaption></figure>\n",
			      svg, caption);
}

static int put_plots(const struct page *page, const struct html_plots *plots,
		     size_t *next)
{
	FILE *out = page->out;
	size_t i;
	int bad = 0;

	for (i = 0; i < page->view->nr_rows; i++, *next += 2) {
		char *const *svgs = plots->drawn.svgs;

		if (!svgs || (!svgs[*next] && !svgs[*next + 1]))
			continue;
		(void)fputs("<details open><summary>Samples of ", out);
		bad |= put_op(out, &page->view->rows[i]);
		(void)fputs("</summary><div class=\"plots\">\n", out);
		put_figure(
			out, svgs[*next],
			"Each circle is a sample, the mark below them their mean with its "
			"95% interval, runs taken for independent.");
		put_figure(out, svgs[*next + 1],
			   "The same samples in the order in which they were measured.");
		(void)fputs("</div></details>\n", out);
	}
	return bad;
}

int html_section(FILE *out, const struct table *table, size_t idx, bool all,
		 const struct html_plots *plots, size_t *next)
{
	const struct view_options options = { .all = all, .metric_first = true };
	struct view view;
	const struct page page = { out, table, &table->sections[idx], &view };
	int bad = view_init(&view, table, page.section, &options);

	if (!bad) {
		(void)fprintf(out,
			      "<section id=\"s%zu\" aria-labelledby=\"s%zu-h\">"
			      "<h3 id=\"s%zu-h\">",
			      idx, idx, idx);
		bad = html_text(out, page.section->title);
		(void)fputs("</h3>\n", out);
	}
	if (!bad && view.nr_rows)
		bad = put_table(&page);
	if (!bad)
		bad = put_notes(&page);
	if (!bad)
		bad = put_plots(&page, plots, next);
	(void)fputs("</section>\n", out);
	view_release(&view);
	return bad ? -ENOMEM : 0;
}
