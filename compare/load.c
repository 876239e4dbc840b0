// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads runs into a table; see load.h. */
#include "compare/load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compare/comparable.h"
#include "compare/table.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "record/host.h"
#include "record/ledger.h"
#include "record/record.h"

enum { PLAN_BYTES_MAX = 1 << 30 };

/**
 * struct place - a directory that holds records of a column
 * @column: its name
 * @dir: index of the directory
 */
struct place {
	char *column;
	size_t dir;
};

/**
 * struct load - reading in progress
 * @names: columns in the order of the plans, ended by NULL
 * @places: each column of each directory once, few
 * @boots: that the records of this directory name, few
 */
struct load {
	const struct load_options *options;
	struct table *table;
	size_t dir;
	char **names;
	size_t nr_names;
	struct place *places;
	size_t nr_places;
	char **boots;
	size_t nr_boots;
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
		       const struct place *other, struct err *err)
{
	return err_set(err, -EEXIST,
		       "column '%s' is in '%s' and in '%s' (--merge makes one column of "
		       "both)",
		       record->column, load->options->dirs[other->dir],
		       load->options->dirs[load->dir]);
}

static int note_place(struct load *load, const struct record *record, struct err *err)
{
	struct place *grown;
	size_t i;

	for (i = load->nr_places; i > 0; i--) {
		const struct place *place = &load->places[i - 1];

		if (strcmp(place->column, record->column))
			continue;
		if (place->dir == load->dir)
			return 0;
		if (!load->options->merge)
			return refuse_twin(load, record, place, err);
	}
	grown = reallocarray(load->places, load->nr_places + 1, sizeof(*grown));
	if (!grown)
		return err_nomem(err);
	load->places = grown;
	grown[load->nr_places] = (struct place){
		.column = strdup(record->column),
		.dir = load->dir,
	};
	if (!grown[load->nr_places++].column)
		return err_nomem(err);
	return 0;
}

static int note_boot(struct load *load, const char *boot, struct err *err)
{
	char **grown;
	size_t i;

	for (i = load->nr_boots; i > 0; i--) {
		if (!strcmp(load->boots[i - 1], boot))
			return 0;
	}
	grown = reallocarray(load->boots, load->nr_boots + 1, sizeof(*grown));
	if (!grown)
		return err_nomem(err);
	load->boots = grown;
	grown[load->nr_boots] = strdup(boot);
	if (!grown[load->nr_boots])
		return err_nomem(err);
	load->nr_boots++;
	return 0;
}

static int take_record(const struct record *record, void *data, struct err *err)
{
	struct load *load = data;

	if (note_place(load, record, err) ||
	    (record->boot && note_boot(load, record->boot, err)))
		return err->code;
	return table_add_record(load->table, record, err);
}

/* Facts that a run doesn't have are not known, and no error. */
static int read_hosts(struct load *load, const char *dir, struct err *err)
{
	size_t i;

	for (i = 0; i < load->nr_boots; i++) {
		struct jval *facts = NULL;
		struct err why = { 0 };
		int bad = host_load(dir, load->boots[i], &facts, &why);

		if (bad == -ENOENT)
			continue;
		if (bad)
			return err_set(err, bad, "%s", why.text);
		bad = table_add_host(load->table, load->boots[i], facts, err);
		jval_free(facts);
		if (bad)
			return bad;
	}
	return 0;
}

static void forget_boots(struct load *load)
{
	size_t i;

	for (i = 0; i < load->nr_boots; i++)
		free(load->boots[i]);
	load->nr_boots = 0;
}

static int report_torn(const struct load *load, const char *dir, int64_t torn,
		       struct err *err)
{
	char *note;

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

static int read_run(struct load *load, const char *dir, struct err *err)
{
	int64_t torn = -1;

	if (load->dir)
		table_next_run(load->table);
	forget_boots(load);
	if (read_plan(load, dir, err) ||
	    ledger_read(dir, take_record, load, &torn, err) || read_hosts(load, dir, err))
		return err->code;
	return report_torn(load, dir, torn, err);
}

static void load_release(struct load *load)
{
	size_t i;

	for (i = 0; i < load->nr_names; i++)
		free(load->names[i]);
	for (i = 0; i < load->nr_places; i++)
		free(load->places[i].column);
	forget_boots(load);
	free(load->names);
	free(load->places);
	free(load->boots);
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
		bad = comparable_check(load.table, options->force, err);
	if (!bad) {
		*ret = load.table;
		load.table = NULL;
	}
	load_release(&load);
	return bad;
}
