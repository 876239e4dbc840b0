// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads runs into a table; see load.h. */
#include "compare/load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compare/comparable.h"
#include "compare/table.h"
#include "compare/table_plan.h"
#include "compare/textmap.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "record/host.h"
#include "record/ledger.h"
#include "record/record.h"

enum { PLAN_BYTES_MAX = 1 << 30, COLUMNS_MAX = 1000 };

static const char plan_schema[] = "schedgrid-plan-1";

/**
 * struct place - a directory that holds records of a column
 * @column: its name
 * @dir: index of the directory
 */
struct place {
	const char *column;
	size_t dir;
};

/**
 * struct load - reading in progress
 * @has_plan: what is being read has one
 * @has_samples: and records that aren't summaries
 * @no_plans: for each directory, whether samples came without a plan
 * @known_dirs: files behind the directories so far, to their index + 1
 * @places: each column of each directory once
 * @last_places: columns to the index + 1 of their last place
 * @boots: that the records of this directory name
 * @known_boots: the same as a map
 */
struct load {
	const struct load_options *options;
	struct table *table;
	size_t dir;
	bool has_plan, has_samples;
	bool *no_plans;
	struct textmap known_dirs;
	struct place *places;
	size_t nr_places;
	struct textmap last_places;
	const char **boots;
	size_t nr_boots;
	struct textmap known_boots;
};

static int check_width(const struct load *load, struct err *err)
{
	if (load->table->nr_columns <= COLUMNS_MAX)
		return 0;
	return err_set(err, -EINVAL,
		       "'%s' brings more columns than fit into a table (expected at "
		       "most %d)",
		       load->options->dirs[load->dir], COLUMNS_MAX);
}

static int parse_plan(const char *text, size_t len, struct jval **ret, struct err *err)
{
	/* More than that no plan has. */
	enum { ITERATIONS_MAX = 10000000 };
	const char *schema;
	uint64_t iterations;
	int bad = jval_parse(text, len, ret, err);

	if (bad)
		return bad;
	schema = jval_get_text(*ret, "schema");
	if (!schema || strcmp(schema, plan_schema) != 0)
		return err_set(err, -EPROTO, "schema '%s' is not known (expected '%s')",
			       schema ? schema : "", plan_schema);
	if (jval_uint(jval_get(*ret, "iterations"), &iterations) &&
	    iterations > ITERATIONS_MAX)
		return err_set(err, -EPROTO, "'iterations' is %ju (expected at most %d)",
			       (uintmax_t)iterations, ITERATIONS_MAX);
	return 0;
}

/* A run without a plan, such as an imported one, keeps its ledger's order. */
static int read_plan(struct load *load, const char *dir, struct err *err)
{
	char *path = file_path("%s/plan.json", dir);
	struct jval *plan = NULL;
	struct err why = { 0 };
	char *text = NULL;
	size_t len;
	int bad;

	if (!path)
		return err_nomem(err);
	bad = file_read(path, PLAN_BYTES_MAX, &text, &len, &why);
	if (bad == -ENOENT) {
		free(path);
		return 0;
	}
	if (bad) {
		err_set(err, bad, "%s", why.text);
		free(path);
		return bad;
	}
	bad = parse_plan(text, len, &plan, &why);
	if (bad)
		err_set(err, bad, "%s: %s", path, why.text);
	else
		bad = table_add_plan(load->table, dir, plan, err);
	if (!bad)
		bad = check_width(load, err);
	load->has_plan = !bad;
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
	struct textmap_entry *entry = textmap_add(&load->last_places, record->column);
	struct place *grown;

	if (!entry)
		return err_nomem(err);
	if (entry->value) {
		const struct place *last = &load->places[(uintptr_t)entry->value - 1];

		if (last->dir == load->dir)
			return 0;
		if (!load->options->merge)
			return refuse_twin(load, record, last, err);
	}
	grown = reallocarray(load->places, load->nr_places + 1, sizeof(*grown));
	if (!grown)
		return err_nomem(err);
	load->places = grown;
	grown[load->nr_places++] = (struct place){
		.column = entry->key,
		.dir = load->dir,
	};
	entry->value = (void *)(uintptr_t)load->nr_places;
	return 0;
}

static int note_boot(struct load *load, const char *boot, struct err *err)
{
	struct textmap_entry *entry = textmap_add(&load->known_boots, boot);
	const char **grown;

	if (!entry)
		return err_nomem(err);
	if (entry->value)
		return 0;
	grown = reallocarray(load->boots, load->nr_boots + 1, sizeof(*grown));
	if (!grown)
		return err_nomem(err);
	load->boots = grown;
	grown[load->nr_boots++] = entry->key;
	entry->value = entry;
	return 0;
}

static int take_record(const struct record *record, void *data, struct err *err)
{
	struct load *load = data;
	size_t i;

	for (i = 0; i < record->nr_metrics; i++)
		load->has_samples |= record->metrics[i].nr_samples > 0;
	if (note_place(load, record, err) ||
	    (record->boot && note_boot(load, record->boot, err)))
		return err->code;
	if (table_add_record(load->table, record, err))
		return err->code;
	return check_width(load, err);
}

int load_host(struct table *table, const char *dir, const char *boot, struct err *err)
{
	struct jval *facts = NULL;
	struct err why = { 0 };
	int bad = host_load(dir, boot, &facts, &why);

	if (bad == -ENOENT)
		return 0;
	if (bad)
		return err_set(err, bad, "%s", why.text);
	bad = table_add_host(table, boot, facts, err);
	jval_free(facts);
	return bad;
}

static int read_hosts(struct load *load, const char *dir, struct err *err)
{
	size_t i;
	int bad = 0;

	for (i = 0; !bad && i < load->nr_boots; i++)
		bad = load_host(load->table, dir, load->boots[i], err);
	return bad;
}

static void forget_boots(struct load *load)
{
	textmap_release(&load->known_boots);
	load->nr_boots = 0;
}

/* Where a last line without its newline begins, or -1. */
static int64_t torn_offset(const char *dir)
{
	char *path = file_path("%s/records.jsonl", dir);
	FILE *in = path ? fopen(path, "re") : NULL;
	long size = in && !fseek(in, 0, SEEK_END) ? ftell(in) : -1;
	long at = size;

	while (at > 0 && !fseek(in, at - 1, SEEK_SET) && fgetc(in) != '\n')
		at--;
	if (in)
		(void)fclose(in);
	free(path);
	return at < size ? at : -1;
}

static int report_repeated(const struct load *load, const char *dir, uint64_t nr,
			   struct err *err)
{
	char *note;

	if (!nr || !load->options->on_note)
		return 0;
	note = file_path(
		"%ju record%s of %s/records.jsonl repeat%s an earlier one, which "
		"counts once",
		(uintmax_t)nr, nr == 1 ? "" : "s", dir, nr == 1 ? "s" : "");
	if (!note)
		return err_nomem(err);
	load->options->on_note(note, load->options->data);
	free(note);
	return 0;
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

/* The same directory under two names would count its samples twice. */
static int check_once(struct load *load, const struct stat *at, struct err *err)
{
	struct textmap_entry *entry;
	char key[64];

	(void)snprintf(key, sizeof(key), "%ju %ju", (uintmax_t)at->st_dev,
		       (uintmax_t)at->st_ino);
	entry = textmap_add(&load->known_dirs, key);
	if (!entry)
		return err_nomem(err);
	if (entry->value)
		return err_set(err, -EINVAL,
			       "'%s' and '%s' are the same directory (expected each run "
			       "once)",
			       load->options->dirs[(uintptr_t)entry->value - 1],
			       load->options->dirs[load->dir]);
	entry->value = (void *)(uintptr_t)(load->dir + 1);
	return 0;
}

static int check_dir(struct load *load, const char *dir, struct err *err)
{
	const char *end = strrchr(dir, '/');
	int len = end ? (int)(end - dir) : 1;
	struct stat at;

	if (!*dir)
		return err_set(err, -EINVAL, "'' names no directory of a run");
	if (stat(dir, &at))
		return 0;
	if (S_ISDIR(at.st_mode))
		return check_once(load, &at, err);
	return err_set(err, -EINVAL,
		       "'%s' is a file, expected the directory of a run, such as '%.*s'",
		       dir, len ? len : 1, end ? dir : ".");
}

static int read_run(struct load *load, const char *dir, struct err *err)
{
	uint64_t nr_repeated = 0;

	if (load->dir)
		table_next_run(load->table);
	forget_boots(load);
	load->has_plan = load->has_samples = false;
	if (check_dir(load, dir, err) || read_plan(load, dir, err) ||
	    ledger_read_once(dir, take_record, load, &nr_repeated, err) ||
	    read_hosts(load, dir, err))
		return err->code;
	load->no_plans[load->dir] = load->has_samples && !load->has_plan;
	if (report_repeated(load, dir, nr_repeated, err))
		return err->code;
	return report_torn(load, dir, torn_offset(dir), err);
}

static bool is_known_before(const struct load *load, size_t place)
{
	size_t i;

	for (i = 0; i < place; i++) {
		if (!strcmp(load->places[i].column, load->places[place].column))
			return true;
	}
	return false;
}

/* Whether @dir brings columns and not their order; *@ret whether one is the baseline. */
static bool is_order_open(const struct load *load, size_t dir, bool *ret)
{
	size_t nr = 0;
	size_t i;

	*ret = false;
	for (i = 0; load->no_plans[dir] && i < load->nr_places; i++) {
		if (load->places[i].dir != dir || is_known_before(load, i))
			continue;
		nr++;
		*ret |= !strcmp(load->places[i].column, load->table->columns[0].name);
	}
	*ret = *ret && !load->options->baseline;
	return nr > 1;
}

static int note_orders(const struct load *load, struct err *err)
{
	const struct load_options *options = load->options;
	size_t i;

	for (i = 0; options->on_note && i < options->nr_dirs; i++) {
		bool is_baseline;
		char *note;

		if (!is_order_open(load, i, &is_baseline))
			continue;
		note = file_path(
			"%s has no plan.json, so %s columns come in the order of their "
			"first records%s%s%s",
			options->dirs[i], options->nr_dirs > 1 ? "its" : "the",
			is_baseline ? ": '" : "",
			is_baseline ? load->table->columns[0].name : "",
			is_baseline ? "' is the baseline" : "");
		if (!note)
			return err_nomem(err);
		options->on_note(note, options->data);
		free(note);
	}
	return 0;
}

static void load_release(struct load *load)
{
	forget_boots(load);
	textmap_release(&load->known_dirs);
	textmap_release(&load->last_places);
	free(load->no_plans);
	free(load->places);
	free(load->boots);
	table_free(load->table);
}

int load_table(const struct load_options *options, struct table **ret, struct err *err)
{
	struct err local = { 0 };
	struct load load = { .options = options, .table = table_new() };
	int bad = 0;

	err = err ? err : &local;
	load.no_plans = calloc(options->nr_dirs, sizeof(*load.no_plans));
	if (!load.table || !load.no_plans)
		bad = err_nomem(err);
	for (; !bad && load.dir < options->nr_dirs; load.dir++)
		bad = read_run(&load, options->dirs[load.dir], err);
	if (!bad)
		bad = table_finish(load.table, NULL, options->baseline, err);
	if (!bad)
		bad = comparable_check(load.table, options->force, err);
	if (!bad)
		bad = note_orders(&load, err);
	if (!bad) {
		*ret = load.table;
		load.table = NULL;
	}
	load_release(&load);
	return bad;
}
