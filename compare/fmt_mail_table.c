// SPDX-License-Identifier: GPL-2.0-or-later
/* mmtests' layout without the statistics that a reader of mails passes over; see
 * fmt_mail_table.h. */
#include "compare/fmt_mail_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/footer.h"
#include "compare/judge.h"
#include "compare/table.h"
#include "compare/view.h"
#include "lib/text.h"

enum { WIDTH = 78, OP_WIDTH = 26, PERCENT_EXTRA = 4 };

static const struct view_label labels[] = {
	{ "Amean", VIEW_AMEAN, VIEW_LOWER | VIEW_SUMMARY, "arithmetic mean" },
	{ "Hmean", VIEW_HMEAN, VIEW_HIGHER | VIEW_SUMMARY, "harmonic mean" },
	{ "Stddev", VIEW_STDDEV_N1, VIEW_LOWER | VIEW_SUMMARY, "divisor n-1" },
	{ "HStddev", VIEW_HSTDDEV, VIEW_HIGHER | VIEW_SUMMARY, "divisor n" },
	{ NULL, VIEW_MIN, 0, NULL },
};

/*
 * struct sheaf - a section on its way out
 * @op, @value, @percent: widths
 * @first: of the columns beside the baseline that this table has
 * @nr: how many of them
 */
struct sheaf {
	FILE *out;
	const struct table *table;
	const struct table_section *section;
	const struct view *view;
	size_t op, value, percent;
	size_t first, nr;
};

enum { LABEL_WIDTH = 8 };

static size_t max_size(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t cell_width(const struct sheaf *s)
{
	return s->value + s->percent + PERCENT_EXTRA;
}

static void measure(struct sheaf *s)
{
	char text[VIEW_NUMBER_SIZE];
	size_t i, j;

	s->value = 10;
	s->percent = 7;
	for (i = 0; i < s->view->nr_rows; i++) {
		size_t width = text_width(s->view->rows[i].op);

		/* A longer one gets a line of its own. */
		if (width <= OP_WIDTH)
			s->op = max_size(s->op, width);
	}
	for (i = 0; i < s->view->nr_lines * s->table->nr_columns; i++) {
		const struct view_line *line = &s->view->lines[i / s->table->nr_columns];
		const struct table_row *row = line->row->row;
		enum view_statistic statistic = line->label->statistic;

		j = i % s->table->nr_columns;
		view_number(view_value(&row->cells[j], statistic),
			    view_digits(row, s->table->nr_columns), text);
		s->value = max_size(s->value, strlen(text) + 1);
		view_number(view_percent(row, j, statistic), 2, text);
		s->percent = max_size(s->percent, strlen(text));
		view_counts(&row->cells[j], text, sizeof(text));
		s->value = max_size(s->value, strlen(text) + 1);
	}
}

/* The table's column that stands at place @at: the baseline, then those from first on. */
static size_t column_at(const struct sheaf *s, size_t at)
{
	return at ? s->first + at - 1 : 0;
}

/* Bytes of @text on one line of @width: up to a blank, or cut where there is none. */
static size_t line_len(const char *text, size_t width)
{
	size_t len = 0;
	size_t blank = 0;
	size_t nr;

	for (nr = 0; text[len] && nr < width; nr++) {
		if (text[len] == ' ')
			blank = len;
		len++;
		while (((unsigned char)text[len] & 0xc0) == 0x80)
			len++;
	}
	return text[len] && text[len] != ' ' && blank ? blank : len;
}

/* The next part of each heading below the one before; false when there is none left. */
static bool put_heading_line(const struct sheaf *s, const char **texts)
{
	size_t blanks = LABEL_WIDTH + 1 + s->op;
	bool has_any = false;
	size_t i;

	for (i = 0; i <= s->nr; i++) {
		size_t len = line_len(texts[i], cell_width(s) - 1);
		char *part = strndup(texts[i], len);
		size_t width = part ? text_width(part) : 0;

		blanks += cell_width(s) - width;
		if (part && len) {
			(void)fprintf(s->out, "%*s%s", (int)blanks, "", part);
			blanks = 0;
			has_any = true;
		} else {
			blanks += width;
		}
		texts[i] += len + (texts[i][len] == ' ');
		free(part);
	}
	if (has_any)
		(void)fputc('\n', s->out);
	return has_any;
}

/* Kernels or names of this table's columns; each is the caller's, also after a failure. */
static int make_headings(const struct sheaf *s, bool is_above, char **texts)
{
	size_t i;

	for (i = 0; i <= s->nr; i++) {
		char *above;
		char *name;

		if (view_heading(&s->table->columns[column_at(s, i)], &above, &name))
			return -ENOMEM;
		texts[i] = is_above ? above : name;
		free(is_above ? name : above);
	}
	return 0;
}

static int put_headings(const struct sheaf *s, bool is_above)
{
	char **texts = calloc(s->nr + 1, sizeof(*texts));
	const char **rest = calloc(s->nr + 1, sizeof(*rest));
	size_t i;
	int ret = -ENOMEM;

	if (texts && rest)
		ret = make_headings(s, is_above, texts);
	if (!ret) {
		for (i = 0; i <= s->nr; i++)
			rest[i] = texts[i];
		while (put_heading_line(s, rest))
			;
	}
	for (i = 0; texts && i <= s->nr; i++)
		free(texts[i]);
	free(texts);
	free(rest);
	return ret;
}

static void put_op(const struct sheaf *s, const char *label, const char *op)
{
	if (text_width(op) > s->op) {
		(void)fprintf(s->out, "%s\n", op);
		op = "";
	}
	(void)fprintf(s->out, "%-*s %s%*s", LABEL_WIDTH, label, op,
		      (int)(s->op - text_width(op)), "");
}

static bool is_changed(const struct sheaf *s, const struct view_line *line, size_t column)
{
	enum view_statistic statistic = line->label->statistic;
	const struct judged_row *judged;
	const struct comparison *c;

	judged = judgement_row(s->table, s->section, line->row->row);
	if (!judged || !column || (statistic != VIEW_AMEAN && statistic != VIEW_HMEAN))
		return false;
	c = &judged->against[column];
	return !c->base_idx &&
	       (c->verdict == VERDICT_BETTER || c->verdict == VERDICT_WORSE);
}

static void put_line(const struct sheaf *s, const struct view_line *line)
{
	const struct table_row *row = line->row->row;
	enum view_statistic statistic = line->label->statistic;
	char text[VIEW_NUMBER_SIZE];
	size_t i;

	put_op(s, line->label->text, line->row->op);
	for (i = 0; i <= s->nr; i++) {
		size_t column = column_at(s, i);
		double percent = view_percent(row, column, statistic);
		bool has_mark = is_changed(s, line, column);

		view_number(view_value(&row->cells[column], statistic),
			    view_digits(row, s->table->nr_columns), text);
		(void)fprintf(s->out, "%*s", (int)s->value, text);
		view_number(percent, 2, text);
		(void)fprintf(s->out, " %c%*s%c%c", has_mark ? '*' : '(', (int)s->percent,
			      text, isnan(percent) ? ' ' : '%', has_mark ? '*' : ')');
	}
	(void)fputc('\n', s->out);
}

static void put_counts(const struct sheaf *s, const struct view_row *row)
{
	char text[VIEW_NUMBER_SIZE];
	size_t i;

	put_op(s, "Samples", row->op);
	for (i = 0; i <= s->nr; i++) {
		if (i)
			(void)fprintf(s->out, "%*s", (int)(s->percent + PERCENT_EXTRA),
				      "");
		view_counts(&row->row->cells[column_at(s, i)], text, sizeof(text));
		(void)fprintf(s->out, "%*s", (int)s->value, text);
	}
	(void)fputc('\n', s->out);
}

static int put_table(const struct sheaf *s)
{
	size_t i;
	int ret = put_headings(s, true);

	if (!ret)
		ret = put_headings(s, false);
	for (i = 0; i < s->view->nr_lines; i++)
		put_line(s, &s->view->lines[i]);
	for (i = 0; s->view->shows_counts && i < s->view->nr_rows; i++)
		put_counts(s, &s->view->rows[i]);
	return ret;
}

/* Where there is room, names are not cut; cells are @nr beside the baseline's. */
static int widen(struct sheaf *s, size_t nr)
{
	size_t room = (WIDTH - LABEL_WIDTH - 1 - s->op) / (nr + 1);
	size_t wanted = 0;
	size_t i;

	for (i = 0; i < s->table->nr_columns; i++) {
		char *above;
		char *name;

		if (view_heading(&s->table->columns[i], &above, &name))
			return -ENOMEM;
		wanted = max_size(wanted, max_size(text_width(above), text_width(name)));
		free(above);
		free(name);
	}
	wanted = wanted + 1 < room ? wanted + 1 : room;
	if (wanted > cell_width(s))
		s->value += wanted - cell_width(s);
	return 0;
}

static int put_tables(struct sheaf *s)
{
	size_t nr_others = s->table->nr_columns - 1;
	size_t room;
	int ret;

	measure(s);
	room = (WIDTH - LABEL_WIDTH - 1 - s->op) / cell_width(s);
	room = room > 2 ? room - 1 : 1;
	ret = widen(s, nr_others < room ? nr_others : room);
	if (ret)
		return ret;
	s->first = 1;
	do {
		s->nr = nr_others < room ? nr_others : room;
		ret = put_table(s);
		s->first += s->nr;
		nr_others -= s->nr;
		if (nr_others)
			(void)fputc('\n', s->out);
	} while (!ret && nr_others);
	return ret;
}

int mail_put_section(FILE *out, const struct table *table,
		     const struct table_section *section, bool all)
{
	const struct view_options options = { .labels = labels, .all = all };
	struct view view;
	struct sheaf sheaf = { out, table, section, &view, 0, 0, 0, 0, 0 };
	int ret = view_init(&view, table, section, &options);

	if (!ret)
		(void)fprintf(out, "%s\n", view.title);
	if (!ret && view.nr_rows && table->nr_columns)
		ret = put_tables(&sheaf);
	if (!ret)
		ret = footer_notes(out, table, section, &view);
	(void)fputc('\n', out);
	view_release(&view);
	return ret;
}
