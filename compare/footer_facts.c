// SPDX-License-Identifier: GPL-2.0-or-later
/* What the footer says of columns, sections and runs; see footer.h. */
#include "compare/footer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compare/table_plan.h"
#include "lib/json.h"
#include "record/record.h"

/* What is said of a column, in this order. */
enum fact { COUNTS, CPUS, BOOTS, KERNEL, MACHINE, EXECUTOR, MONITORS, FLAGS, NR_FACTS };

/*
 * struct facts - of one column
 * @text: each owned, NULL when not known
 */
struct facts {
	char *text[NR_FACTS];
};

/*
 * struct range - how many samples the cells of a column have
 * @min: fewest
 * @max: most
 * @is_unknown: a summary doesn't say
 */
struct range {
	uint64_t min, max;
	bool is_unknown;
};

/* Whether anything was to be measured there. */
static bool is_planned(const struct table_cell *cell)
{
	return cell->is_summary || cell->nr_samples || cell->nr_failed ||
	       cell->nr_invalid || cell->nr_skipped || cell->nr_unrecorded;
}

static void count_cell(const struct table_cell *cell, struct range *range)
{
	uint64_t nr = cell->is_summary ? cell->summary_n : cell->nr_samples;

	if (!is_planned(cell))
		return;
	if (cell->is_summary && !nr) {
		range->is_unknown = true;
		return;
	}
	range->min = nr < range->min ? nr : range->min;
	range->max = nr > range->max ? nr : range->max;
}

static struct range count_range(const struct table *table, size_t column, bool all)
{
	struct range range = { .min = UINT64_MAX };
	size_t i, j;

	for (i = 0; i < table->nr_sections; i++) {
		for (j = 0; j < table->sections[i].nr_rows; j++) {
			const struct table_row *row = &table->sections[i].rows[j];

			if (all || !row->metric->secondary)
				count_cell(&row->cells[column], &range);
		}
	}
	return range;
}

static void write_counts(FILE *out, const struct table *table, size_t idx, bool all)
{
	struct range range = count_range(table, idx, all);
	size_t nr_failed = table->columns[idx].nr_failed;

	if (range.min > range.max)
		(void)fputs("n not known", out);
	else if (range.min == range.max)
		(void)fprintf(out, "n %" PRIu64, range.min);
	else
		(void)fprintf(out, "n %" PRIu64 "..%" PRIu64, range.min, range.max);
	if (range.min <= range.max && range.is_unknown)
		(void)fputs(" where known", out);
	if (nr_failed)
		(void)fprintf(out, ", %zu failed", nr_failed);
}

const char *footer_flag(unsigned int flag)
{
	switch (flag) {
	case RECORD_EMULATED:
		return "emulated";
	case RECORD_INTERFERED:
		return "interfered";
	case RECORD_UNDERSIZED:
		return "undersized";
	case RECORD_KERNEL_WARNING:
		return "kernel-warning";
	case RECORD_SETTING_CHANGED:
		return "setting-changed";
	default:
		return NULL;
	}
}

static void write_named(FILE *out, const char *name, const char *value)
{
	if (value)
		(void)fprintf(out, "%s %s", name, value);
}

static bool has_machine(const struct table *table)
{
	size_t i;

	for (i = 0; i < table->nr_columns; i++) {
		if (table->columns[i].machines)
			return true;
	}
	return false;
}

/* Where it is known of other columns, that it isn't of this one matters. */
static void write_machine(FILE *out, const struct table *table,
			  const struct table_column *column)
{
	bool is_said = column->machines || has_machine(table);

	if (is_said)
		write_named(out, "machine",
			    column->machines ? column->machines : "not known");
}

static void write_fact(FILE *out, const struct table *table, size_t idx, enum fact fact,
		       bool all)
{
	const struct table_column *column = &table->columns[idx];

	switch (fact) {
	case COUNTS:
		write_counts(out, table, idx, all);
		break;
	case CPUS:
		if (column->cpus && *column->cpus)
			write_named(out, "CPUs", column->cpus);
		break;
	case BOOTS:
		if (column->nr_boots)
			(void)fprintf(out, "boots %zu", column->nr_boots);
		break;
	case KERNEL:
		write_named(out, "kernel", column->kernel);
		break;
	case MACHINE:
		write_machine(out, table, column);
		break;
	case EXECUTOR:
		write_named(out, "executor", column->executors);
		break;
	case MONITORS:
		write_named(out, "monitors", column->monitors);
		break;
	case FLAGS:
		if (column->flags & RECORD_EMULATED)
			write_named(out, "flags", footer_flag(RECORD_EMULATED));
		break;
	case NR_FACTS:
		break;
	}
}

static int collect_facts(const struct table *table, size_t idx, bool all,
			 struct facts *facts)
{
	size_t i;

	for (i = 0; i < NR_FACTS; i++) {
		size_t len = 0;
		FILE *out = open_memstream(&facts->text[i], &len);

		if (!out)
			return -ENOMEM;
		write_fact(out, table, idx, (enum fact)i, all);
		if (fclose(out))
			return -ENOMEM;
	}
	return 0;
}

static bool is_common(const struct facts *facts, size_t nr_columns, size_t fact)
{
	size_t i;

	for (i = 1; i < nr_columns; i++) {
		if (strcmp(facts[i].text[fact], facts[0].text[fact]) != 0)
			return false;
	}
	return true;
}

/* The facts of @facts that are common, or those that aren't; nothing for none. */
static int put_facts(FILE *out, const char *name, const struct facts *facts,
		     const bool *common, bool is_common)
{
	const char *before = ": ";
	char *text = NULL;
	size_t len = 0;
	FILE *line = open_memstream(&text, &len);
	size_t i;
	int ret;

	if (!line)
		return -ENOMEM;
	(void)fputs(name, line);
	for (i = 0; i < NR_FACTS; i++) {
		if (common[i] != is_common || !*facts->text[i])
			continue;
		(void)fprintf(line, "%s%s", before, facts->text[i]);
		before = ", ";
	}
	ret = fclose(line) ? -ENOMEM : 0;
	if (!ret && *before == ',')
		ret = footer_line(out, text);
	free(text);
	return ret;
}

/* The whole name, where no line of facts begins with it. */
static int put_full_name(FILE *out, const struct table *table, size_t idx,
			 const struct facts *facts, const bool *common)
{
	bool is_short = false;
	size_t i;

	if (view_is_shortened(&table->columns[idx], &is_short))
		return -ENOMEM;
	for (i = 0; i < NR_FACTS; i++)
		is_short &= common[i] || !*facts->text[i];
	if (!is_short)
		return 0;
	return footer_put(out, "column %zu: %s", idx + 1, table->columns[idx].name);
}

static int put_columns(FILE *out, const struct table *table, struct facts *facts)
{
	bool common[NR_FACTS];
	size_t i;
	int ret;

	for (i = 0; i < NR_FACTS; i++)
		common[i] = is_common(facts, table->nr_columns, i);
	/* Where all columns may use the same CPUs, the machine says enough. */
	if (common[CPUS])
		*facts[0].text[CPUS] = '\0';
	ret = put_facts(out, "each column", &facts[0], common, true);
	for (i = 0; !ret && i < table->nr_columns; i++) {
		ret = put_full_name(out, table, i, &facts[i], common);
		if (!ret)
			ret = put_facts(out, table->columns[i].name, &facts[i], common,
					false);
	}
	return ret;
}

int footer_columns(FILE *out, const struct table *table, bool all)
{
	struct facts *facts;
	size_t i, j;
	int ret = 0;

	if (!table->nr_columns)
		return 0;
	facts = calloc(table->nr_columns, sizeof(*facts));
	if (!facts)
		return -ENOMEM;
	for (i = 0; !ret && i < table->nr_columns; i++)
		ret = collect_facts(table, i, all, &facts[i]);
	if (!ret)
		ret = put_columns(out, table, facts);
	for (i = 0; i < table->nr_columns; i++) {
		for (j = 0; j < NR_FACTS; j++)
			free(facts[i].text[j]);
	}
	free(facts);
	return ret;
}

static bool is_shown(const struct table *table, const struct table_section *section,
		     const struct table_metric *metric)
{
	size_t i;

	for (i = 0; i < section->nr_rows; i++) {
		if (section->rows[i].metric == metric &&
		    view_shows(table, section, &section->rows[i]))
			return true;
	}
	return false;
}

/* "time in s", "copy, add in MB/s"; nothing where no unit is known. */
static bool write_units(FILE *out, const struct table *table,
			const struct table_section *section, bool all)
{
	const struct table_metric *last = NULL;
	size_t i;

	for (i = 0; i < section->nr_metrics; i++) {
		const struct table_metric *metric = &section->metrics[i];

		if (!metric->name || !*metric->unit ||
		    (!all && !is_shown(table, section, metric)))
			continue;
		if (last && strcmp(last->unit, metric->unit) != 0)
			(void)fprintf(out, " in %s", last->unit);
		(void)fprintf(out, "%s%s", last ? ", " : "", metric->name);
		last = metric;
	}
	if (last)
		(void)fprintf(out, " in %s", last->unit);
	return last;
}

/* "loops=100 fds=20"; nothing where there are none. */
static int write_parameters(FILE *out, const struct table_section *section,
			    const char *separator, bool *ret_any)
{
	const struct table_point as_point = { .values = section->parameters };
	char *text = table_point_text(&as_point, " ");

	if (!text)
		return -ENOMEM;
	*ret_any = *text;
	if (*text)
		(void)fprintf(out, "%s%s", separator, text);
	free(text);
	return 0;
}

/* Whose figures the parameters don't hold for, as far as anybody knows. */
static void write_unknown(FILE *out, const struct table *table,
			  const struct table_section *section)
{
	const char *before = ", not known of ";
	size_t i;

	for (i = 0; i < table->nr_columns; i++) {
		if (!section->remarks[i].lacks_parameters)
			continue;
		(void)fprintf(out, "%s%s", before, table->columns[i].name);
		before = ", ";
	}
}

static void write_axes(FILE *out, const struct table_section *section,
		       const char *separator)
{
	const struct jval *value;
	const char *key;
	void *pos = NULL;
	const char *before = "rows by ";

	while (jval_each(section->points[0].values, &pos, &key, &value)) {
		(void)fprintf(out, "%s%s%s", separator, before, key);
		separator = "";
		before = ", ";
	}
}

/* What a section's numbers are; the caller's, empty when nothing is known. */
static char *section_text(const struct table *table, const struct table_section *section,
			  bool all)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	bool has_units;
	bool has_parameters = false;
	int ret;

	if (!out)
		return NULL;
	has_units = write_units(out, table, section, all);
	ret = write_parameters(out, section, has_units ? "; " : "", &has_parameters);
	if (has_parameters)
		write_unknown(out, table, section);
	write_axes(out, section, has_units || has_parameters ? "; " : "");
	if (fclose(out) || ret) {
		free(text);
		return NULL;
	}
	return text;
}

/* How many sections from @first on have the same @text. */
static int count_alike(const struct table *table, size_t first, const char *text,
		       bool all, size_t *ret)
{
	size_t i;

	for (i = first + 1; i < table->nr_sections; i++) {
		char *other = section_text(table, &table->sections[i], all);
		bool is_same = other && !strcmp(other, text);

		free(other);
		if (!other)
			return -ENOMEM;
		if (!is_same)
			break;
	}
	*ret = i - first;
	return 0;
}

static int put_sections(FILE *out, const struct table *table, size_t first, size_t nr,
			const char *text)
{
	char *line = NULL;
	size_t len = 0;
	FILE *names = open_memstream(&line, &len);
	size_t i;
	int ret;

	if (!names)
		return -ENOMEM;
	for (i = first; i < first + nr; i++)
		(void)fprintf(names, "%s%s", i > first ? ", " : "",
			      table->sections[i].title);
	(void)fprintf(names, ": %s", text);
	ret = fclose(names) ? -ENOMEM : footer_line(out, line);
	free(line);
	return ret;
}

int footer_sections(FILE *out, const struct table *table, bool all)
{
	size_t nr = 1;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < table->nr_sections; i += nr) {
		char *text = section_text(table, &table->sections[i], all);

		ret = text ? count_alike(table, i, text, all, &nr) : -ENOMEM;
		if (!ret && *text)
			ret = put_sections(out, table, i, nr, text);
		free(text);
	}
	return ret;
}

int footer_terms(FILE *out, const struct table *table)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < table->nr_runs; i++) {
		const char *line = table->runs[i].terms;

		for (; !ret && *line; line += strcspn(line, "\n") + 1)
			ret = footer_put(out, "%.*s", (int)strcspn(line, "\n"), line);
	}
	return ret;
}

int footer_stopped(FILE *out, const struct table *table)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < table->nr_runs; i++) {
		const struct table_run *run = &table->runs[i];
		bool is_one = table->nr_runs == 1;

		if (*run->stopped)
			ret = footer_put(out, "stopped%s%s: %s", is_one ? "" : " ",
					 is_one ? "" : run->dir, run->stopped);
	}
	return ret;
}

int footer_unfinished(FILE *out, const struct table *table)
{
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < table->nr_runs; i++) {
		const struct table_run *run = &table->runs[i];
		bool is_one = table->nr_runs == 1;

		if (run->nr_recorded >= run->nr_planned)
			continue;
		ret = footer_put(out,
				 "unfinished%s%s: %" PRIu64 " of %" PRIu64
				 " iterations are recorded",
				 is_one ? "" : " ", is_one ? "" : run->dir,
				 run->nr_recorded, run->nr_planned);
	}
	return ret;
}
