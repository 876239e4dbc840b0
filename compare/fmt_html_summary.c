// SPDX-License-Identifier: GPL-2.0-or-later
/* The verdicts, which a reader wants first; see fmt_html_parts.h. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "compare/fmt_html_parts.h"
#include "compare/gain.h"
#include "compare/html.h"
#include "compare/judge.h"
#include "compare/table.h"

/*
 * struct look - how a verdict looks; a sign besides the colour, for who can't see that
 */
struct look {
	const char *sign, *class;
};

static const struct look looks[NR_VERDICTS] = {
	[VERDICT_NONE] = { "·", "dim" },	 [VERDICT_MISSING] = { "–", "warn" },
	[VERDICT_INCONCLUSIVE] = { "?", "dim" }, [VERDICT_SAME] = { "=", "dim" },
	[VERDICT_MIXED] = { "◆", "warn" },	 [VERDICT_BETTER_WEAK] = { "△", "good" },
	[VERDICT_WORSE_WEAK] = { "▽", "bad" },	 [VERDICT_BETTER] = { "▲", "good" },
	[VERDICT_WORSE] = { "▼", "bad" },
};

static const enum verdict interesting[] = {
	VERDICT_WORSE,	    VERDICT_BETTER,	 VERDICT_MIXED,
	VERDICT_WORSE_WEAK, VERDICT_BETTER_WEAK,
};

enum { NR_INTERESTING = sizeof(interesting) / sizeof(*interesting) };

static const char *name_of(enum verdict verdict)
{
	const char *name = verdict_name(verdict);

	return name ? name : "not judged";
}

void html_verdict(FILE *out, enum verdict verdict)
{
	(void)fprintf(
		out,
		"<span class=\"v %s\"><span aria-hidden=\"true\">%s</span> %s</span>",
		looks[verdict].class, looks[verdict].sign, name_of(verdict));
}

int html_column(FILE *out, const struct table *table, size_t column)
{
	(void)fprintf(out, "<b>%zu</b> ", column + 1);
	return html_text(out, table->columns[column].name);
}

void html_gain(FILE *out, double percent, const struct comparison *comparison,
	       bool is_higher_better)
{
	char number[VIEW_NUMBER_SIZE];
	struct gain gain;

	if (isnan(percent))
		return;
	view_number(percent, 2, number);
	(void)fprintf(out, "<span>%s%s%%</span>", percent > 0.0 ? "+" : "", number);
	if (!comparison)
		return;
	gain = gain_of(comparison, is_higher_better);
	if (!isnan(gain.low))
		(void)fprintf(out, " <span class=\"dim\">[%+.2f, %+.2f]</span>", gain.low,
			      gain.high);
}

static int put_column(FILE *out, const struct table *table, size_t idx)
{
	const struct judged_column *column = &table->judgement->columns[idx];
	const char *before = ": ";
	size_t base = table->judgement->rule.is_chain ? idx - 1 : 0;
	size_t i;
	int bad;

	(void)fprintf(out, "<li class=\"%s\">", looks[column->verdict].class);
	html_verdict(out, column->verdict);
	(void)fputs("<span class=\"line\">", out);
	bad = html_column(out, table, idx);
	(void)fputs(" against ", out);
	bad |= html_column(out, table, base);
	(void)fprintf(out, "</span><span class=\"line\">%zu row%s", column->nr_rows,
		      column->nr_rows == 1 ? "" : "s");
	for (i = NR_VERDICTS; i-- > 0;) {
		if (!column->nr[i])
			continue;
		(void)fprintf(out, "%s%zu %s", before, column->nr[i],
			      name_of((enum verdict)i));
		before = ", ";
	}
	if (column->nr_failing)
		(void)fprintf(out, "; iterations fail in %zu of them that don't there",
			      column->nr_failing);
	(void)fputs("</span></li>\n", out);
	return bad ? -ENOMEM : 0;
}

static int put_row(FILE *out, const struct table *table,
		   const struct table_section *section, const struct table_row *row,
		   size_t column)
{
	const struct comparison *c = &judgement_row(table, section, row)->against[column];
	bool is_higher_better = row->metric->better_higher;
	char *point = table_point_text(row->point, " ");
	int bad = point ? 0 : -ENOMEM;

	(void)fputs("<tr><th scope=\"row\">", out);
	if (!bad)
		bad = html_put(out, "%s %s %s", section->title, row->metric->name, point);
	(void)fputs("</th><td>", out);
	html_verdict(out, c->verdict);
	(void)fputs("</td><td>", out);
	html_gain(out, gain_of(c, is_higher_better).percent, c, is_higher_better);
	(void)fputs("</td><td>", out);
	if (!isnan(c->q))
		(void)fprintf(out, "%.2g", c->q);
	(void)fputs("</td><td>", out);
	bad |= html_column(out, table, column);
	(void)fputs("</td></tr>\n", out);
	free(point);
	return bad;
}

/* Rows of all sections with this verdict; with @out NULL they are counted only. */
static int walk_rows(FILE *out, const struct table *table, enum verdict verdict, bool all,
		     size_t *nr)
{
	size_t i, j, k;
	int bad = 0;

	for (i = 0; i < table->nr_sections; i++) {
		const struct table_section *section = &table->sections[i];

		for (j = 0; j < section->nr_rows * table->nr_columns; j++) {
			const struct table_row *row =
				&section->rows[j / table->nr_columns];
			const struct judged_row *judged =
				judgement_row(table, section, row);

			k = j % table->nr_columns;
			if (!k || judged->against[k].verdict != verdict ||
			    (row->metric->secondary && !all))
				continue;
			++*nr;
			if (out)
				bad |= put_row(out, table, section, row, k);
		}
	}
	return bad;
}

static int put_rows(FILE *out, const struct table *table, bool all)
{
	size_t nr = 0;
	size_t i;
	int bad = 0;

	for (i = 0; i < NR_INTERESTING; i++)
		(void)walk_rows(NULL, table, interesting[i], all, &nr);
	if (!nr) {
		(void)fputs("<p>No row changed as far as these samples can tell.</p>\n",
			    out);
		return 0;
	}
	(void)fputs(
		"<p>Gain: positive is better, with its 95% interval. q: p, adjusted for "
		"the number of rows.</p>\n"
		"<div class=\"scroll\" role=\"region\" aria-label=\"Rows that changed\" "
		"tabindex=\"0\"><table><caption>Rows that changed</caption>\n"
		"<thead><tr><th scope=\"col\">Row</th><th scope=\"col\">Verdict</th>"
		"<th scope=\"col\">Gain</th><th scope=\"col\">q</th>"
		"<th scope=\"col\">Column</th></tr></thead><tbody>\n",
		out);
	for (i = 0; i < NR_INTERESTING; i++)
		bad |= walk_rows(out, table, interesting[i], all, &nr);
	(void)fputs("</tbody></table></div>\n", out);
	return bad ? -ENOMEM : 0;
}

int html_summary(FILE *out, const struct table *table, bool all)
{
	size_t i;
	int bad = 0;

	(void)fputs("<section id=\"verdicts\" aria-labelledby=\"verdicts-h\">"
		    "<h2 id=\"verdicts-h\">Verdicts</h2>\n",
		    out);
	if (!table->judgement || table->nr_columns < 2) {
		(void)fputs("<p>There is one column only, and nothing to compare it with."
			    "</p></section>\n",
			    out);
		return 0;
	}
	(void)fputs("<ul class=\"verdicts\">\n", out);
	for (i = 1; i < table->nr_columns; i++)
		bad |= put_column(out, table, i);
	(void)fputs("</ul>\n", out);
	bad |= put_rows(out, table, all);
	(void)fputs("</section>\n", out);
	return bad ? -ENOMEM : 0;
}
