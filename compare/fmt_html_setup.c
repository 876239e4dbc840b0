// SPDX-License-Identifier: GPL-2.0-or-later
/* What the columns are: facts side by side; see fmt_html_parts.h. */
#include <errno.h>

#include "compare/fmt_html_parts.h"
#include "compare/html.h"
#include "compare/setup.h"
#include "compare/table.h"

static int put_head(FILE *out, const struct table *table, const char *caption)
{
	size_t i;
	int bad = 0;

	(void)fprintf(
		out,
		"<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">"
		"<table class=\"facts\"><caption>%s</caption>\n"
		"<thead><tr><th scope=\"col\">Fact</th>",
		caption, caption);
	for (i = 0; i < table->nr_columns; i++) {
		(void)fputs("<th scope=\"col\">", out);
		bad |= html_column(out, table, i);
		(void)fputs("</th>", out);
	}
	(void)fputs("</tr></thead><tbody>\n", out);
	return bad;
}

static int put_fact(FILE *out, const struct setup *setup, const struct setup_fact *fact,
		    bool is_marked)
{
	size_t i;
	int bad;

	(void)fputs("<tr><th scope=\"row\">", out);
	bad = html_text(out, fact->name);
	(void)fputs(is_marked ? " <mark>differs</mark></th>" : "</th>", out);
	for (i = 0; i < setup->nr_columns; i++) {
		(void)fputs("<td>", out);
		if (fact->values[i])
			bad |= html_text(out, fact->values[i]);
		else
			(void)fputs("<span class=\"dim\">not known</span>", out);
		(void)fputs("</td>", out);
	}
	(void)fputs("</tr>\n", out);
	return bad;
}

static int put_differences(FILE *out, const struct table *table,
			   const struct setup *setup)
{
	size_t nr = setup->nr_options;
	size_t i;
	int bad;

	for (i = 0; i < setup->nr_facts; i++)
		nr += setup->facts[i].differs;
	if (!nr) {
		(void)fputs(
			setup->nr_facts
				? "<p>Nothing that was recorded of plan and hosts differs."
				  "</p>\n"
				: "<p>Nothing is recorded of plan and hosts.</p>\n",
			out);
		return 0;
	}
	bad = put_head(out, table, "What isn't the same in all columns");
	for (i = 0; i < setup->nr_facts; i++) {
		if (setup->facts[i].differs)
			bad |= put_fact(out, setup, &setup->facts[i], false);
	}
	for (i = 0; i < setup->nr_options; i++)
		bad |= put_fact(out, setup, &setup->options[i], false);
	(void)fputs("</tbody></table></div>\n", out);
	return bad;
}

static int put_all(FILE *out, const struct table *table, const struct setup *setup)
{
	size_t i;
	int bad;

	(void)fprintf(out, "<details><summary>All %zu facts</summary>\n",
		      setup->nr_facts);
	bad = put_head(out, table, "Facts of plan and hosts");
	for (i = 0; i < setup->nr_facts; i++)
		bad |= put_fact(out, setup, &setup->facts[i], setup->facts[i].differs);
	(void)fputs("</tbody></table></div></details>\n", out);
	return bad;
}

int html_setup(FILE *out, const struct table *table, const struct setup *setup)
{
	int bad;

	(void)fputs(
		"<section id=\"setup\" aria-labelledby=\"setup-h\"><h2 id=\"setup-h\">"
		"What differs between the columns</h2>\n",
		out);
	bad = put_differences(out, table, setup);
	if (setup->nr_facts)
		bad |= put_all(out, table, setup);
	(void)fputs("</section>\n", out);
	return bad ? -ENOMEM : 0;
}
