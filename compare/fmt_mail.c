// SPDX-License-Identifier: GPL-2.0-or-later
/* The order of a mail, and its lines made safe; see fmt_mail.h. */
#include "compare/fmt_mail.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/fmt_mail_table.h"
#include "compare/footer.h"
#include "compare/gain.h"
#include "compare/judge.h"
#include "compare/setup.h"
#include "compare/table.h"
#include "compare/view.h"
#include "lib/err.h"

/* A subject up to MORE_BYTES has room to say how many more columns there are. */
enum { LINE_BYTES = 78, MORE_BYTES = 58 };

/* What ends a message, begins another one or a patch in the eyes of a program. */
static bool is_taken_amiss(const char *line)
{
	static const char *const starts[] = { "From ", ">From ",  "---",  "-- ",
					      "diff ", "Index: ", "@@ -", "." };
	size_t i;

	for (i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		if (!strncmp(line, starts[i], strlen(starts[i])))
			return true;
	}
	return false;
}

/* How many bytes of @line, which has @len, go on one line of @max bytes. */
static size_t fitting(const char *line, size_t len, size_t max)
{
	size_t end = max;

	if (len <= max)
		return len;
	while (end && line[end] != ' ')
		end--;
	/* Blanks that only indent are no place to break at. */
	if (end > strspn(line, " "))
		return end;
	for (end = max; end > 1 && ((unsigned char)line[end] & 0xc0) == 0x80; end--)
		;
	return end;
}

static void put_line(FILE *out, const char *line, size_t len)
{
	const char *indent = is_taken_amiss(line) ? " " : "";

	for (;;) {
		size_t part = fitting(line, len, LINE_BYTES - strlen(indent));
		size_t shown = part;

		while (shown && line[shown - 1] == ' ')
			shown--;
		(void)fprintf(out, "%s%.*s\n", shown ? indent : "", (int)shown, line);
		part += part < len && line[part] == ' ';
		line += part;
		len -= part;
		if (!len)
			break;
		indent = "  ";
	}
}

static void put_body(FILE *out, const char *body)
{
	while (*body) {
		size_t len = strcspn(body, "\n");

		put_line(out, body, len);
		body += len + (body[len] == '\n');
	}
}

/* " (3 worse, 1 better of 12 rows)", of the verdicts in @told that there are. */
static bool write_counts(FILE *out, const struct judged_column *column,
			 const enum verdict *told, size_t nr_told)
{
	const char *before = " (";
	size_t i;

	for (i = 0; i < nr_told; i++) {
		if (!column->nr[told[i]])
			continue;
		(void)fprintf(out, "%s%zu %s", before, column->nr[told[i]],
			      verdict_name(told[i]));
		before = ", ";
	}
	if (*before != ',')
		return false;
	(void)fprintf(out, " of %zu row%s)", column->nr_rows,
		      column->nr_rows == 1 ? "" : "s");
	return true;
}

/* What the subject says of the first candidate; empty where there is no verdict. */
static void write_outcome(FILE *out, const struct table *table)
{
	static const enum verdict sure[] = { VERDICT_WORSE, VERDICT_BETTER,
					     VERDICT_MIXED };
	static const enum verdict weak[] = { VERDICT_WORSE_WEAK, VERDICT_BETTER_WEAK };
	const struct judged_column *column;
	const char *verdict;

	if (!table->judgement || table->nr_columns < 2)
		return;
	column = &table->judgement->columns[1];
	verdict = verdict_name(column->verdict);
	(void)fprintf(out, ": %s", verdict ? verdict : "not judged");
	if (!write_counts(out, column, sure, sizeof(sure) / sizeof(*sure)))
		(void)write_counts(out, column, weak, sizeof(weak) / sizeof(*weak));
}

/* Headers are ASCII and one line: what is neither reads "?", what is too long is cut. */
static int put_subject(FILE *out, const struct table *table, const struct setup *setup)
{
	static const char key[] = "Subject: ";
	const char *what = setup->nr_grids	? setup->grids[0].name
			   : table->nr_sections ? table->sections[0].title
						: "no results";
	char *text = NULL;
	size_t len = 0;
	FILE *line = open_memstream(&text, &len);
	size_t i;

	if (!line)
		return -ENOMEM;
	(void)fprintf(line, "schedgrid: %.28s", what);
	write_outcome(line, table);
	if (fclose(line)) {
		free(text);
		return -ENOMEM;
	}
	(void)fputs(key, out);
	for (i = 0; i < len && i < LINE_BYTES - strlen(key); i++)
		(void)fputc(text[i] >= ' ' && text[i] <= '~' ? text[i] : '?', out);
	if (table->nr_columns > 2 && len < MORE_BYTES)
		(void)fprintf(out, ", %zu more", table->nr_columns - 2);
	(void)fputc('\n', out);
	free(text);
	return 0;
}

static int put_grids(FILE *out, const struct setup *setup)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < setup->nr_grids; i++)
		ret = footer_put(out, "grid %s%s%s", setup->grids[i].name,
				 *setup->grids[i].text ? ": " : "", setup->grids[i].text);
	return ret;
}

static int put_difference(FILE *out, const struct table *table,
			  const struct setup_fact *fact)
{
	char *text = setup_line(table, fact);
	int ret = text ? footer_line(out, text) : -ENOMEM;

	free(text);
	return ret;
}

static int put_options(FILE *out, const struct table *table, const struct setup *setup)
{
	char **lines = NULL;
	int ret = setup_option_lines(setup, table, &lines);
	size_t i;

	for (i = 0; lines && lines[i]; i++) {
		if (!ret)
			ret = footer_line(out, lines[i]);
		free(lines[i]);
	}
	free(lines);
	return ret;
}

static int put_setup(FILE *out, const struct table *table, const struct setup *setup,
		     bool all)
{
	size_t i;
	int ret = put_grids(out, setup);

	if (!ret)
		ret = footer_origin(out, table, all);
	for (i = 0; !ret && i < setup->nr_facts; i++) {
		if (setup->facts[i].differs)
			ret = put_difference(out, table, &setup->facts[i]);
	}
	if (!ret)
		ret = put_options(out, table, setup);
	(void)fputc('\n', out);
	return ret;
}

/* "worse: stream triad threads=8, wake against base: -3.10% [-4.02, -2.11], q 0.001" */
static int put_verdict(FILE *out, const struct table *table,
		       const struct table_section *section, const struct table_row *row,
		       size_t column)
{
	const struct judged_row *judged = judgement_row(table, section, row);
	const struct comparison *c = &judged->against[column];
	struct gain gain = gain_of(c, row->metric->better_higher);
	char *point = table_point_text(row->point, " ");
	char interval[2 * VIEW_NUMBER_SIZE] = "";
	char percent[VIEW_NUMBER_SIZE] = "";
	char q[VIEW_NUMBER_SIZE] = "";
	int ret;

	if (!point)
		return -ENOMEM;
	if (!isnan(gain.percent))
		(void)snprintf(percent, sizeof(percent), ": %+.2f%%", gain.percent);
	if (!isnan(gain.low))
		(void)snprintf(interval, sizeof(interval), " [%+.2f, %+.2f]", gain.low,
			       gain.high);
	if (!isnan(c->q))
		(void)snprintf(q, sizeof(q), ", q %.2g", c->q);
	ret = footer_put(out, "%s: %s %s%s%s, %s against %s%s%s%s",
			 verdict_name(c->verdict), section->title, row->metric->name,
			 *point ? " " : "", point, table->columns[column].name,
			 table->columns[c->base_idx].name, percent, interval, q);
	free(point);
	return ret;
}

static int put_section_verdicts(FILE *out, const struct table *table,
				const struct table_section *section,
				const struct view *view)
{
	size_t i, j;
	int ret = 0;

	for (i = 0; !ret && i < view->nr_rows; i++) {
		const struct judged_row *judged =
			judgement_row(table, section, view->rows[i].row);

		for (j = 1; judged && !ret && j < table->nr_columns; j++) {
			if (judged->against[j].verdict >= VERDICT_MIXED)
				ret = put_verdict(out, table, section, view->rows[i].row,
						  j);
		}
	}
	return ret;
}

static int put_verdicts(FILE *out, const struct table *table, bool all)
{
	const struct view_options options = { .all = all };
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < table->nr_sections; i++) {
		struct view view;

		ret = view_init(&view, table, &table->sections[i], &options);
		if (!ret)
			ret = put_section_verdicts(out, table, &table->sections[i],
						   &view);
		view_release(&view);
	}
	return ret;
}

static int write_body(FILE *out, const struct table *table, const struct setup *setup,
		      const struct fmt_options *options)
{
	static const char meanings[] =
		"Amean, Hmean: arithmetic, harmonic mean; Stddev: divisor n-1; HStddev: "
		"Hmean^2 times the stddev of the reciprocals, divisor n; (%): gain over the "
		"first column, positive = better; *: better or worse by the rule below; []: "
		"95% interval of the gain";
	size_t i;
	int ret = put_setup(out, table, setup, options->all);

	for (i = 0; !ret && i < table->nr_sections; i++)
		ret = mail_put_section(out, table, &table->sections[i], options->all);
	if (!ret)
		ret = put_verdicts(out, table, options->all);
	if (!ret)
		ret = footer_rules(out, table, meanings);
	return ret ? ret : footer_version(out, options);
}

int fmt_mail(FILE *out, const struct table *table, const struct setup *setup,
	     const struct fmt_options *options, struct err *err)
{
	char *text = NULL;
	size_t len = 0;
	FILE *body = open_memstream(&text, &len);
	int ret;

	if (!body)
		return err_nomem(err);
	ret = write_body(body, table, setup, options);
	if (fclose(body))
		ret = -ENOMEM;
	if (!ret)
		ret = put_subject(out, table, setup);
	if (!ret) {
		(void)fputs("MIME-Version: 1.0\n"
			    "Content-Type: text/plain; charset=UTF-8\n"
			    "Content-Transfer-Encoding: 8bit\n"
			    "\n",
			    out);
		put_body(out, text);
	}
	free(text);
	return ret ? err_nomem(err) : 0;
}
