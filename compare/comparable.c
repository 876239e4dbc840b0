// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds columns that don't compare; see comparable.h. */
#include "compare/comparable.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/table.h"
#include "compare/table_build.h"
#include "lib/err.h"
#include "lib/json.h"

/**
 * struct check - looking
 * @error: of the first doubt, unless forced, or -ENOMEM
 */
struct check {
	struct table *table;
	bool force;
	struct err *err;
	int error;
};

/* Kept texts are the same where their pointers are. */
static bool is_unlike(const char *a, const char *b)
{
	return a && b && a != b;
}

static bool has_unlike_programs(const struct source *a, const struct source *b)
{
	return is_unlike(a->program.name, b->program.name) ||
	       is_unlike(a->program.version, b->program.version) ||
	       is_unlike(a->program.sha256, b->program.sha256);
}

static bool has_unlike_hardware(const struct source *a, const struct source *b)
{
	return a->host && b->host &&
	       (is_unlike(a->host->cpu_model, b->host->cpu_model) ||
		is_unlike(a->host->topology, b->host->topology));
}

static bool has_unlike_machines(const struct source *a, const struct source *b)
{
	return is_unlike(a->machine, b->machine) || has_unlike_hardware(a, b);
}

/* A monitor takes time of its own; none at all is known of what we ran ourselves. */
static bool has_unlike_monitors(const struct source *a, const struct source *b)
{
	return a->executor && a->executor == b->executor && a->monitors != b->monitors;
}

static bool has_two_cells(const struct source *a, const struct source *b)
{
	return a->column == b->column && a->cell != b->cell;
}

bool build_is_alike(const struct source *a, const struct source *b)
{
	return !has_two_cells(a, b) && !has_unlike_programs(a, b) &&
	       !has_unlike_machines(a, b) && !has_unlike_monitors(a, b);
}

static int keep_note(struct table *table, const char *text)
{
	const char *parts[] = { "note", text, NULL };
	const char **notes;
	bool is_first = false;

	if (build_is_new(table->build, parts, &is_first))
		return -ENOMEM;
	if (!is_first)
		return 0;
	notes = build_grow(table->notes, table->nr_notes, sizeof(*notes));
	if (!notes)
		return -ENOMEM;
	table->notes = notes;
	return build_keep(table->build, text, &notes[table->nr_notes++]);
}

/* Takes @text, which is NULL when there was no memory for it. */
static void doubt(struct check *check, char *text)
{
	if (!text || (check->force && keep_note(check->table, text)))
		check->error = err_nomem(check->err);
	else if (!check->force)
		check->error =
			err_set(check->err, -EINVAL,
				"%s: not comparable (--force does it anyway)", text);
	free(text);
}

__attribute__((format(printf, 1, 2))) static char *text_of(const char *fmt, ...)
{
	va_list args;
	char *text;
	int len;

	va_start(args, fmt);
	len = vasprintf(&text, fmt, args);
	va_end(args);
	return len < 0 ? NULL : text;
}

/* "in column 'a'", or both names: where two unlike things were found. */
static char *columns_text(const struct source *a, const struct source *b)
{
	if (a->column == b->column)
		return text_of("in column '%s'", a->column);
	return text_of("in columns '%s' and '%s'", a->column, b->column);
}

/* Takes all three texts. */
static char *sentence(const char *what, char *columns, char *first, char *second)
{
	char *text = NULL;

	if (columns && first && second)
		text = text_of("%s %s: %s and %s", what, columns, first, second);
	free(columns);
	free(first);
	free(second);
	return text;
}

enum { DIGEST_SHOWN = 12 };

static char *program_text(const struct source *source, const struct source *other)
{
	const char *name = source->program.name;
	const char *version = source->program.version;
	const char *sha256 = source->program.sha256;
	bool is_same = sha256 && other->program.sha256 &&
		       !strncmp(sha256, other->program.sha256, DIGEST_SHOWN);

	return text_of("%s%s%s%s%.*s", name ? name : "a program", version ? " " : "",
		       version ? version : "", sha256 ? " sha256 " : "",
		       is_same ? 64 : DIGEST_SHOWN, sha256 ? sha256 : "");
}

static char *machine_text(const struct source *source, bool with_hardware)
{
	const struct build_host *host = source->host;
	const char *name = source->machine ? source->machine : "a machine";

	if (!with_hardware || !host)
		return text_of("'%s'", name);
	return text_of("'%s' (%s %s)", name, host->cpu_model ? host->cpu_model : "",
		       host->topology ? host->topology : "");
}

static char *cells_text(const struct table_section *section, const struct table_row *row,
			const struct source *a, const struct source *b)
{
	char *point = table_point_text(row->point, " ");
	char *text = NULL;

	if (point)
		text = text_of("column '%s' holds two cells at %s%s%s, %s and %s, which "
			       "differ in kernel, settings or parameters",
			       a->column, section->title, *point ? " " : "", point,
			       a->cell, b->cell);
	free(point);
	return text;
}

static char *monitors_text(const struct source *source)
{
	return strdup(source->monitors ? source->monitors : "none");
}

static void check_pair(struct check *check, const struct table_section *section,
		       const struct table_row *row, const struct source *a,
		       const struct source *b)
{
	char *what;

	if (!check->error && has_two_cells(a, b))
		doubt(check, cells_text(section, row, a, b));
	if (!check->error && has_unlike_programs(a, b)) {
		what = text_of("%s ran unlike programs", section->title);
		doubt(check, what ? sentence(what, columns_text(a, b), program_text(a, b),
					     program_text(b, a))
				  : NULL);
		free(what);
	}
	if (!check->error && has_unlike_monitors(a, b)) {
		what = text_of("%s ran under unlike monitors", section->title);
		doubt(check, what ? sentence(what, columns_text(a, b), monitors_text(a),
					     monitors_text(b))
				  : NULL);
		free(what);
	}
	if (!check->error && has_unlike_machines(a, b)) {
		bool is_known = is_unlike(a->machine, b->machine);

		what = text_of("%s ran on unlike machines", section->title);
		doubt(check, what ? sentence(what, columns_text(a, b),
					     machine_text(a, !is_known),
					     machine_text(b, !is_known))
				  : NULL);
		free(what);
	}
}

static void check_row(struct check *check, const struct table_section *section,
		      const struct table_row *row)
{
	size_t i, j;

	for (i = 0; i < check->table->nr_columns && !check->error; i++) {
		const struct table_cell *cell = &row->cells[i];

		if (!cell->source)
			continue;
		if (cell->other)
			check_pair(check, section, row, cell->source, cell->other);
		for (j = 0; j < i && !check->error; j++) {
			const struct source *before = row->cells[j].source;

			if (before && !build_is_alike(before, cell->source))
				check_pair(check, section, row, before, cell->source);
		}
	}
}

static char *kernel_text(const struct build_host *host)
{
	return text_of("'%s%s%s'%s%s", host->release ? host->release : "",
		       host->version ? " " : "", host->version ? host->version : "",
		       host->build_id ? " build id " : "",
		       host->build_id ? host->build_id : "");
}

static void check_kernels(struct check *check, const struct source *first,
			  const struct source *source)
{
	const struct build_host *a = first->host;
	const struct build_host *b = source->host;

	if (is_unlike(a->release, b->release) || is_unlike(a->version, b->version) ||
	    is_unlike(a->build_id, b->build_id))
		doubt(check, sentence("two kernels", columns_text(first, source),
				      kernel_text(a), kernel_text(b)));
}

static void check_columns(struct check *check)
{
	struct table_build *build = check->table->build;
	const struct source **first =
		calloc(check->table->nr_columns + 1, sizeof(struct source *));
	size_t i;

	if (!first) {
		check->error = err_nomem(check->err);
		return;
	}
	for (i = 0; i < build->nr_sources && !check->error; i++) {
		const struct source *source = &build->sources[i];

		if (!source->gave_samples || !source->host)
			continue;
		if (!first[source->column_idx])
			first[source->column_idx] = source;
		else if (first[source->column_idx]->host != source->host)
			check_kernels(check, first[source->column_idx], source);
	}
	free(first);
}

static bool has_column(const struct table_section *section, size_t column)
{
	size_t i;

	for (i = 0; i < section->nr_rows; i++) {
		if (section->rows[i].cells[column].source)
			return true;
	}
	return false;
}

/* The first column that has anything, or SIZE_MAX; @other must have nothing there. */
static size_t own_column(const struct table *table, const struct table_section *section,
			 const struct table_section *other)
{
	size_t found = SIZE_MAX;
	size_t i;

	for (i = 0; i < table->nr_columns; i++) {
		if (!has_column(section, i))
			continue;
		if (has_column(other, i))
			return SIZE_MAX;
		if (found == SIZE_MAX)
			found = i;
	}
	return found;
}

static const struct table_point *shared_point(const struct table_section *a,
					      const struct table_section *b)
{
	size_t i, j;

	for (i = 0; i < a->nr_points; i++) {
		for (j = 0; j < b->nr_points; j++) {
			const struct jval *x = a->points[i].values;
			const struct jval *y = b->points[j].values;

			if (x && y ? jval_equal(x, y) : x == y)
				return &a->points[i];
		}
	}
	return NULL;
}

static void put_parameters(FILE *out, const struct jval *of, const struct jval *against,
			   bool *failed)
{
	const struct jval *value;
	const char *before = "";
	const char *key;
	void *pos = NULL;

	while (jval_each(of, &pos, &key, &value)) {
		const struct jval *theirs = jval_get(against, key);
		char *text;

		if (theirs && jval_equal(theirs, value))
			continue;
		text = build_value_text(value);
		(void)fprintf(out, "%s%s=%s", before, key, text ? text : "");
		*failed |= !text;
		before = " ";
		free(text);
	}
	if (!*before)
		(void)fputs("without further parameters", out);
}

static char *parameters_text(const struct jval *of, const struct jval *against)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	bool failed = false;

	if (!out)
		return NULL;
	put_parameters(out, of, against, &failed);
	if (fclose(out) || failed) {
		free(text);
		return NULL;
	}
	return text;
}

static char *unlike_parameters(const struct table *table, const struct table_section *a,
			       const struct table_section *b,
			       const struct table_point *point)
{
	size_t columns[] = { own_column(table, a, b), own_column(table, b, a) };
	char *place = table_point_text(point, " ");
	char *mine = parameters_text(a->parameters, b->parameters);
	char *theirs = parameters_text(b->parameters, a->parameters);
	char *text = NULL;

	if (place && mine && theirs)
		text = text_of("%s%s%s ran with unlike parameters in columns '%s' and "
			       "'%s': %s and %s",
			       a->variant, *place ? " at " : "", place,
			       table->columns[columns[0]].name,
			       table->columns[columns[1]].name, mine, theirs);
	free(place);
	free(mine);
	free(theirs);
	return text;
}

static void check_sections(struct check *check, const struct table_section *a,
			   const struct table_section *b)
{
	const struct table_point *point;

	if (strcmp(a->workload, b->workload) != 0 ||
	    strcmp(a->variant, b->variant) != 0 || !a->parameters || !b->parameters)
		return;
	if (own_column(check->table, a, b) == SIZE_MAX ||
	    own_column(check->table, b, a) == SIZE_MAX)
		return;
	point = shared_point(a, b);
	if (point)
		doubt(check, unlike_parameters(check->table, a, b, point));
}

/* The first column that has anything of @metric, NULL when none has. */
static const char *column_with(const struct table *table,
			       const struct table_section *section,
			       const struct table_metric *metric)
{
	size_t i, j;

	for (i = 0; i < section->nr_rows; i++) {
		for (j = 0; j < table->nr_columns; j++) {
			if (section->rows[i].metric == metric &&
			    section->rows[i].cells[j].source)
				return table->columns[j].name;
		}
	}
	return NULL;
}

/* One metric can't be better when lower in one place and when higher in another. */
static void check_directions(struct check *check, const struct table_section *section,
			     const struct table_metric *a, const struct table_metric *b)
{
	const char *first = column_with(check->table, section, a);
	const char *second = column_with(check->table, section, b);

	if (!first || !second || a->better_higher == b->better_higher ||
	    strcmp(a->name, b->name) != 0 || strcmp(a->unit, b->unit) != 0)
		return;
	doubt(check,
	      text_of("metric '%s' of %s is better when %s in column '%s' and when %s in "
		      "column '%s'",
		      a->name, section->title, a->better_higher ? "higher" : "lower",
		      first, b->better_higher ? "higher" : "lower", second));
}

static void check_metrics(struct check *check, const struct table_section *section)
{
	size_t i, j;

	for (i = 0; i < section->nr_metrics && !check->error; i++) {
		for (j = 0; j < i && !check->error; j++)
			check_directions(check, section, &section->metrics[j],
					 &section->metrics[i]);
	}
}

int comparable_check(struct table *table, bool force, struct err *err)
{
	struct check check = { .table = table, .force = force, .err = err };
	size_t i, j;

	check_columns(&check);
	for (i = 0; i < table->nr_sections && !check.error; i++) {
		const struct table_section *section = &table->sections[i];

		for (j = 0; j < section->nr_rows && !check.error; j++)
			check_row(&check, section, &section->rows[j]);
		if (!check.error)
			check_metrics(&check, section);
		for (j = 0; j < i && !check.error; j++)
			check_sections(&check, &table->sections[j], section);
	}
	return check.error;
}
