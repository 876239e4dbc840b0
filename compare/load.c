// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads runs into a table; see load.h. */
#include "compare/load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compare/table.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "record/host.h"
#include "record/ledger.h"
#include "record/record.h"

enum { PLAN_BYTES_MAX = 1 << 30 };

/**
 * struct source - where a column's records come from
 * @column: its name
 * @dir: index of the directory
 * @boot: of its first record there, NULL when none is named
 */
struct source {
	char *column;
	size_t dir;
	char *boot;
};

/**
 * struct load - reading in progress
 * @names: columns in the order of the plans, ended by NULL
 * @sources: each column of each directory once, few
 */
struct load {
	const struct load_options *options;
	struct table *table;
	size_t dir;
	char **names;
	size_t nr_names;
	struct source *sources;
	size_t nr_sources;
};

static int add_name(struct load *load, const char *name)
{
	char **grown = reallocarray(load->names, load->nr_names + 2, sizeof(*grown));
	size_t i;

	if (!grown)
		return -ENOMEM;
	load->names = grown;
	for (i = 0; i < load->nr_names; i++)
		if (!strcmp(grown[i], name))
			return 0;
	grown[load->nr_names] = strdup(name);
	if (!grown[load->nr_names])
		return -ENOMEM;
	grown[++load->nr_names] = NULL;
	return 0;
}

/* A run without a plan, such as an imported one, keeps its ledger's order. */
static int read_plan(struct load *load, const char *dir, struct err *err)
{
	char *path = file_path("%s/plan.json", dir);
	const struct jval *columns;
	struct jval *plan = NULL;
	struct err why = { 0 };
	char *text = NULL;
	size_t len, i;
	int bad;

	if (!path)
		return err_nomem(err);
	bad = file_read(path, PLAN_BYTES_MAX, &text, &len, &why);
	if (bad == -ENOENT) {
		free(path);
		return 0;
	}
	if (!bad)
		bad = jval_parse(text, len, &plan, &why);
	if (bad)
		err_set(err, bad, "%s: %s", path, why.text);
	columns = jval_get(plan, "columns");
	for (i = 0; !bad && i < jval_count(columns); i++) {
		const char *name = jval_get_text(jval_item(columns, i), "name");

		if (name && add_name(load, name))
			bad = err_nomem(err);
	}
	jval_free(plan);
	free(text);
	free(path);
	return bad;
}

static int refuse_twin(const struct load *load, const struct record *record,
		       const struct source *other, struct err *err)
{
	return err_set(err, -EEXIST,
		       "column '%s' is in '%s' and in '%s' (--merge makes one column of "
		       "both)",
		       record->column, load->options->dirs[other->dir],
		       load->options->dirs[load->dir]);
}

static int note_source(struct load *load, const struct record *record, struct err *err)
{
	struct source *grown;
	size_t i;

	for (i = load->nr_sources; i > 0; i--) {
		const struct source *source = &load->sources[i - 1];

		if (strcmp(source->column, record->column))
			continue;
		if (source->dir == load->dir)
			return 0;
		if (!load->options->merge)
			return refuse_twin(load, record, source, err);
	}
	grown = reallocarray(load->sources, load->nr_sources + 1, sizeof(*grown));
	if (!grown)
		return err_nomem(err);
	load->sources = grown;
	grown[load->nr_sources] = (struct source){
		.column = strdup(record->column),
		.dir = load->dir,
		.boot = record->boot ? strdup(record->boot) : NULL,
	};
	if (!grown[load->nr_sources++].column)
		return err_nomem(err);
	return 0;
}

static int take_record(const struct record *record, void *data, struct err *err)
{
	struct load *load = data;

	if (note_source(load, record, err))
		return err->code;
	return table_add_record(load->table, record, err);
}

static int read_run(struct load *load, const char *dir, struct err *err)
{
	int64_t torn = -1;
	char *note;

	if (load->dir)
		table_next_run(load->table);
	if (read_plan(load, dir, err) || ledger_read(dir, take_record, load, &torn, err))
		return err->code;
	if (torn < 0 || !load->options->on_note)
		return 0;
	note = file_path(
		"the last line of %s/records.jsonl, from byte %jd on, is torn and "
		"left out",
		dir, (intmax_t)torn);
	if (!note)
		return err_nomem(err);
	load->options->on_note(note, load->options->data);
	free(note);
	return 0;
}

/* Facts that a run doesn't have leave the heading without a kernel. */
static int name_kernels(struct load *load, struct err *err)
{
	size_t i;
	int bad = 0;

	for (i = 0; !bad && i < load->nr_sources; i++) {
		const struct source *source = &load->sources[i];
		const char *dir = load->options->dirs[source->dir];
		struct jval *facts = NULL;
		struct err why = { 0 };
		const char *release;

		if (!source->boot)
			continue;
		bad = host_load(dir, source->boot, &facts, &why);
		if (bad == -ENOENT) {
			bad = 0;
			continue;
		}
		if (bad)
			return err_set(err, bad, "%s", why.text);
		release = jval_get_text(jval_get(facts, "kernel"), "release");
		if (release)
			bad = table_set_kernel(load->table, source->column, release);
		jval_free(facts);
	}
	return bad ? err_set(err, bad, "cannot name the kernels of the columns") : 0;
}

static void load_release(struct load *load)
{
	size_t i;

	for (i = 0; i < load->nr_names; i++)
		free(load->names[i]);
	for (i = 0; i < load->nr_sources; i++) {
		free(load->sources[i].column);
		free(load->sources[i].boot);
	}
	free(load->names);
	free(load->sources);
	table_free(load->table);
}

int load_table(const struct load_options *options, struct table **ret, struct err *err)
{
	struct err local = { 0 };
	struct load load = { .options = options, .table = table_new() };
	int bad = load.table ? 0 : -ENOMEM;

	err = err ? err : &local;
	if (bad)
		return err_nomem(err);
	for (; !bad && load.dir < options->nr_dirs; load.dir++)
		bad = read_run(&load, options->dirs[load.dir], err);
	if (!bad)
		bad = table_finish(load.table, (const char *const *)load.names,
				   options->baseline, err);
	if (!bad)
		bad = name_kernels(&load, err);
	if (!bad) {
		*ret = load.table;
		load.table = NULL;
	}
	load_release(&load);
	return bad;
}
