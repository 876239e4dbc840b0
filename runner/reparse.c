// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads kept output again; see reparse.h. */
#include "runner/reparse.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <search.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "benchmarks/bench.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "record/host.h"
#include "record/ledger.h"
#include "record/record.h"
#include "runner/grid.h"
#include "runner/local.h"
#include "runner/plan.h"
#include "runner/rundir.h"
#include "runner/select.h"

/**
 * struct last - the last attempt of one iteration
 * @key: cell, boot and iteration
 * @attempt: which try
 * @line: the record as JSON text
 */
struct last {
	char *key;
	uint64_t attempt;
	char *line;
};

/**
 * struct reparse - one call of reparse_run()
 * @grid: of the run: it says what each record's program was asked to do
 * @by_key: struct last, sorted as tsearch() wants it
 * @order: the same in the order of the ledger
 */
struct reparse {
	const struct reparse_options *options;
	struct reparse_summary *summary;
	struct ledger *ledger;
	struct grid *grid;
	void *by_key;
	struct last **order;
	size_t nr;
	struct err *err;
};

static int compare_keys(const void *a, const void *b)
{
	const struct last *last_a = a;
	const struct last *last_b = b;

	return strcmp(last_a->key, last_b->key);
}

static void last_free(struct last *last)
{
	if (!last)
		return;
	free(last->key);
	free(last->line);
	free(last);
}

/* tsearch() takes no memory of ours when it fails. */
static struct last *find_last(struct reparse *reparse, const struct record *record)
{
	bool is_warmup = record->flags & RECORD_WARMUP;
	struct last *last = calloc(1, sizeof(*last));
	struct last **order;
	struct last **found;

	if (last)
		last->key =
			file_path("%s/%s/%c%ju", record->cell, record->boot,
				  is_warmup ? 'w' : 'i', (uintmax_t)record->iteration);
	found = last && last->key ? tsearch(last, &reparse->by_key, compare_keys) : NULL;
	if (!found || *found != last) {
		last_free(last);
		return found ? *found : NULL;
	}
	order = reallocarray(reparse->order, reparse->nr + 1, sizeof(struct last *));
	if (!order) {
		(void)tdelete(last, &reparse->by_key, compare_keys);
		last_free(last);
		return NULL;
	}
	reparse->order = order;
	order[reparse->nr++] = last;
	return last;
}

/* The words of the plan's own patterns, so that both commands mean the same. */
static bool is_wanted(const struct record *record, const char *only)
{
	const struct bench_ops ops = { .name = record->workload };
	struct grid_column column = { .name = (char *)(uintptr_t)record->column };
	const struct grid grid = { .columns = &column, .nr_columns = 1 };
	const struct cell cell = {
		.id = (char *)(uintptr_t)record->cell,
		.workload.ops = &ops,
		.variant = (char *)(uintptr_t)record->variant,
		.point = (struct jval *)(uintptr_t)record->point,
	};

	return !only || select_cell(&cell, &grid, only);
}

static int note_record(const struct record *record, void *data, struct err *err)
{
	struct reparse *reparse = data;
	struct last *last;
	char *line;

	if (!record->boot || !is_wanted(record, reparse->options->only))
		return 0;
	if (host_check_boot(record->boot, err))
		return err->code;
	/* Both are parts of the path of its output. */
	if (strchr(record->cell, '/') || *record->cell == '.')
		return err_set(err, -EPROTO,
			       "record '%s': '%s' is no cell (expected an id without "
			       "slashes)",
			       record->id, record->cell);
	last = find_last(reparse, record);
	line = last ? strndup(record->line, record->line_len) : NULL;
	if (!line)
		return err_nomem(err);
	if (last->line && record->attempt <= last->attempt) {
		free(line);
		return 0;
	}
	free(last->line);
	last->line = line;
	last->attempt = record->attempt;
	return 0;
}

static bool set_parameter(struct workload *workload, const char *name,
			  const struct jval *value)
{
	const struct bench_param *params = workload->ops->params;
	size_t i = 0;

	while (params[i].name && strcmp(params[i].name, name) != 0)
		i++;
	if (!params[i].name)
		return false;
	if (params[i].type == BENCH_UINT)
		return jval_uint(value, &workload->value[i].number);
	workload->value[i].text = jval_text(value);
	return workload->value[i].text != NULL;
}

/* The entry of the run's grid that @record comes from, NULL when there is none. */
static const struct grid_workload *find_entry(const struct grid *grid,
					      const struct record *record)
{
	size_t i;

	for (i = 0; i < grid->nr_workloads; i++) {
		const struct workload *base = &grid->workloads[i].base;
		char *variant = workload_variant(base);
		bool found = variant && !strcmp(base->ops->name, record->workload) &&
			     !strcmp(variant, record->variant);

		free(variant);
		if (found)
			return &grid->workloads[i];
	}
	return NULL;
}

/* What the program was asked to do; false when grid and record don't tell. */
static bool restore_workload(const struct grid *grid, const struct record *record,
			     struct workload *workload)
{
	const struct grid_workload *entry = find_entry(grid, record);
	const struct jval *value;
	const char *key;
	void *pos = NULL;

	if (!entry)
		return false;
	*workload = entry->base;
	while (jval_each(record->parameters, &pos, &key, &value))
		if (!set_parameter(workload, key, value))
			return false;
	return true;
}

/* The folder, in the run's, of the attempt that ran; its number ends the id: .../a2. */
static char *raw_dir_of(const struct record *record)
{
	const char *id = record->reparsed.from ? record->reparsed.from : record->id;
	const char *attempt = strrchr(id, '/');

	return file_path("raw/%s/%s-%c%ju-%s", record->cell, record->boot,
			 record->flags & RECORD_WARMUP ? 'w' : 'i',
			 (uintmax_t)record->iteration, attempt ? attempt + 1 : "");
}

/*
 * Opens the kept stdout: its descriptor or a negative errno. Whoever passes on a run
 * must not be able to have other files read.
 */
static int open_output(const char *dir, const char *raw_dir, struct err *err)
{
	char *path = file_path("%s/stdout", raw_dir);
	int out = path ? file_open_inside(dir, path, err) : err_nomem(err);

	free(path);
	return out;
}

/* Lets it decide again, into @result; -ENOENT when it is gone. */
static int judge_again(const struct reparse *reparse, const struct record *before,
		       const struct workload *workload, struct local_result *result)
{
	const char *dir = reparse->options->dir;
	char *inside = raw_dir_of(before);
	char *raw_dir = inside ? file_path("%s/%s", dir, inside) : NULL;
	struct local_output output = { .raw_dir = raw_dir };
	struct err why = { 0 };
	int bad;

	if (!raw_dir) {
		free(inside);
		return err_nomem(reparse->err);
	}
	output.out = open_output(dir, inside, &why);
	free(inside);
	if (output.out >= 0) {
		bad = local_judge_output(
			workload, before->monitors ? &reparse->grid->monitors : NULL,
			&output, result, reparse->err);
		(void)close(output.out);
	} else if (output.out == -ENOENT || output.out == -EACCES) {
		bad = -ENOENT;
	} else {
		bad = err_set(reparse->err, output.out, "%s", why.text);
	}
	free(raw_dir);
	return bad;
}

/* Held against each other as written: that is what a reader would see. */
static int differs(const struct record *before, const struct record *after,
		   bool *ret_differs)
{
	static const char *const keys[] = { "status", "reason", "metrics" };
	char *line = record_write(after);
	struct jval *json = NULL;
	struct jval *json_before = NULL;
	size_t i;

	if (!line || jval_parse(line, strlen(line), &json, NULL) ||
	    jval_parse(before->line, before->line_len, &json_before, NULL)) {
		jval_free(json);
		free(line);
		return -ENOMEM;
	}
	*ret_differs = false;
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct jval *old = jval_get(json_before, keys[i]);
		const struct jval *new = jval_get(json, keys[i]);

		*ret_differs |= (old || new) && !jval_equal(old, new);
	}
	jval_free(json);
	jval_free(json_before);
	free(line);
	return 0;
}

static int keep_change(struct reparse *reparse, const struct record *before,
		       struct record *after)
{
	const char *slash = strrchr(before->id, '/');
	char *id = file_path("%.*s/a%ju", slash ? (int)(slash - before->id) : 0,
			     before->id, (uintmax_t)before->attempt + 1);
	int bad;

	if (!id)
		return err_nomem(reparse->err);
	after->id = id;
	after->attempt = before->attempt + 1;
	if (!after->reparsed.from)
		after->reparsed.from = before->id;
	after->reparsed.version = SCHEDGRID_VERSION;
	bad = ledger_append(reparse->ledger, after, reparse->err);
	if (!bad) {
		reparse->summary->nr_changed++;
		if (reparse->options->on_change)
			reparse->options->on_change(before, after,
						    reparse->options->data);
	}
	free(id);
	return bad;
}

static int read_again(struct reparse *reparse, const struct record *before)
{
	struct reparse_summary *summary = reparse->summary;
	struct local_result result = { .record = *before };
	struct workload workload;
	bool changed = false;
	int bad;

	if (before->status != RECORD_OK && !before->by_output) {
		summary->nr_other++;
		return 0;
	}
	if (!restore_workload(reparse->grid, before, &workload)) {
		summary->nr_unknown++;
		return 0;
	}
	result.record.metrics = NULL;
	result.record.nr_metrics = 0;
	bad = judge_again(reparse, before, &workload, &result);
	if (bad == -ENOENT) {
		summary->nr_gone++;
		return 0;
	}
	if (!bad && differs(before, &result.record, &changed))
		bad = err_nomem(reparse->err);
	if (bad)
		return bad;
	if (changed)
		return keep_change(reparse, before, &result.record);
	summary->nr_unchanged++;
	return 0;
}

static int read_all(struct reparse *reparse)
{
	size_t i;
	int bad = 0;

	for (i = 0; !bad && i < reparse->nr; i++) {
		const char *line = reparse->order[i]->line;
		struct record before;

		bad = record_parse(line, strlen(line), &before, reparse->err);
		if (bad)
			break;
		bad = read_again(reparse, &before);
		record_release(&before);
	}
	return bad;
}

/* Opening it would make a ledger where there is none. */
static int check_run(const char *dir, struct err *err)
{
	char *path = file_path("%s/records.jsonl", dir);
	int bad = path ? 0 : err_nomem(err);

	if (path && access(path, F_OK))
		bad = err_set(err, -errno,
			      "cannot find '%s': %m (expected the directory of a run)",
			      path);
	free(path);
	return bad;
}

static void reparse_release(struct reparse *reparse)
{
	size_t i;

	for (i = 0; i < reparse->nr; i++) {
		(void)tdelete(reparse->order[i], &reparse->by_key, compare_keys);
		last_free(reparse->order[i]);
	}
	free(reparse->order);
	ledger_close(reparse->ledger);
	grid_free(reparse->grid);
}

static int load_grid(struct reparse *reparse)
{
	char *path = file_path("%s/grid.yaml", reparse->options->dir);
	int bad = path ? grid_load(path, &reparse->grid, reparse->err)
		       : err_nomem(reparse->err);

	free(path);
	return bad;
}

int reparse_run(const struct reparse_options *options, struct reparse_summary *ret,
		struct err *err)
{
	struct err local = { 0 };
	struct reparse reparse = {
		.options = options,
		.summary = ret,
		.err = err ? err : &local,
	};
	int bad;

	*ret = (struct reparse_summary){ 0 };
	bad = check_run(options->dir, reparse.err);
	if (!bad)
		bad = rundir_check_plan(options->dir, reparse.err);
	if (!bad)
		bad = load_grid(&reparse);
	if (!bad)
		bad = ledger_open(options->dir, &reparse.ledger, &ret->torn, reparse.err);
	if (!bad)
		bad = ledger_read(options->dir, note_record, &reparse, NULL, reparse.err);
	if (!bad && !reparse.nr && options->only)
		bad = err_set(reparse.err, -ENXIO,
			      "no record matches '%s' (expected a column, workload, "
			      "variant, parameter=value or cell id)",
			      options->only);
	if (!bad)
		bad = read_all(&reparse);
	reparse_release(&reparse);
	return bad;
}
