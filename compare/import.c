// SPDX-License-Identifier: GPL-2.0-or-later
/* Builds the ledger of a run from single values; see import.h. */
#include "compare/import.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compare/textmap.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/text.h"
#include "record/cell_id.h"
#include "record/host.h"
#include "record/record.h"

enum { NAME_BYTES_MAX = 1000 };

/**
 * struct import - what was added so far
 * @texts: all names, kept once
 * @by_id: ids of records to their index + 1
 * @counts: cell, boot and metric to the number of their iterations so far; cell and
 *          metric to what they have
 * @records: each owns its point, parameters and metrics
 */
struct import {
	struct textmap texts, by_id, counts;
	struct record *records;
	size_t nr_records, nr_values;
};

struct import *import_new(void)
{
	return calloc(1, sizeof(struct import));
}

static void drop_record(struct record *record)
{
	size_t i;

	for (i = 0; i < record->nr_metrics; i++)
		free(record->metrics[i].samples);
	free(record->metrics);
	jval_free((struct jval *)(uintptr_t)record->point);
	jval_free((struct jval *)(uintptr_t)record->parameters);
}

void import_free(struct import *import)
{
	size_t i;

	if (!import)
		return;
	for (i = 0; i < import->nr_records; i++)
		drop_record(&import->records[i]);
	free(import->records);
	textmap_release(&import->texts);
	textmap_release(&import->by_id);
	textmap_release(&import->counts);
	free(import);
}

size_t import_count(const struct import *import)
{
	return import->nr_values;
}

/* What our own runs call a metric, so that imported and measured ones meet. */
static const char *own_name(const struct import_value *value)
{
	static const struct {
		const char *workload, *theirs, *ours;
	} names[] = {
		{ "stream", "Copy", "copy" },
		{ "stream", "Scale", "scale" },
		{ "stream", "Add", "add" },
		{ "stream", "Triad", "triad" },
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(value->workload, names[i].workload) &&
		    !strcmp(value->metric.name, names[i].theirs))
			return names[i].ours;
	}
	return value->metric.name;
}

static int check_name(const char *what, const char *name, struct err *err)
{
	const char *invisible;
	const char *at;
	long broken;

	if (!name || !*name)
		return err_set(err, -EINVAL, "the %s is empty", what);
	if (strlen(name) > NAME_BYTES_MAX)
		return err_set(err, -EINVAL, "the %s has %zu bytes (expected at most %d)",
			       what, strlen(name), NAME_BYTES_MAX);
	for (at = name; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			return err_set(err, -EINVAL, "%s '%s' holds a control character",
				       what, name);
	broken = text_broken(name);
	if (broken >= 0)
		return err_set(
			err, -EINVAL,
			"%s '%s' holds the byte 0x%02x, which is no text (UTF-8 is "
			"expected)",
			what, name, (unsigned char)name[broken]);
	if (text_invisible(name, &invisible) >= 0)
		return err_set(err, -EINVAL, "%s '%s' holds a %s", what, name, invisible);
	return 0;
}

static int check_metric(const struct import_value *value, struct err *err)
{
	const struct record_metric *metric = &value->metric;

	if (check_name("metric", metric->name, err))
		return err->code;
	if (!isfinite(metric->mean))
		return err_set(err, -EINVAL, "the value of metric '%s' is no number",
			       metric->name);
	if (metric->is_summary && metric->stddev < 0.0)
		return err_set(err, -EINVAL,
			       "the standard deviation of metric '%s' is %g (expected 0 "
			       "or more)",
			       metric->name, metric->stddev);
	return 0;
}

static int check_value(const struct import_value *value, struct err *err)
{
	if (check_name("column", value->column, err) ||
	    check_name("workload", value->workload, err) ||
	    check_name("variant", value->variant, err) ||
	    (value->machine && check_name("machine", value->machine, err)) ||
	    (value->boot && host_check_boot(value->boot, err)))
		return err->code;
	return value->status == RECORD_OK ? check_metric(value, err) : 0;
}

/* What is known of the cell; nobody told which kernel it was, so the label stands in. */
static char *identify(const struct import_value *value)
{
	struct jval *kernel = jval_object();
	struct jval *settings = jval_object();
	struct jval *parameters = jval_object();
	char *id = NULL;
	int bad = 0;

	bad |= jval_put(kernel, "column", jval_from_string(value->column));
	if (value->machine)
		bad |= jval_put(settings, "machine", jval_from_string(value->machine));
	if (value->point)
		bad |= jval_put(parameters, "point", jval_copy(value->point));
	if (value->parameters)
		bad |= jval_put(parameters, "fixed", jval_copy(value->parameters));
	if (!bad)
		id = cell_id(kernel, settings, value->workload, value->variant,
			     parameters);
	jval_free(kernel);
	jval_free(settings);
	jval_free(parameters);
	return id;
}

static char *id_of(const struct import_value *value, const char *cell, uint64_t iteration)
{
	return file_path("%s/%s/i%ju/a1", cell, value->boot ? value->boot : "import",
			 (uintmax_t)iteration);
}

/* Whether a value can't go into this iteration: one of them has no figures. */
static bool is_taken(const struct import *import, const struct import_value *value,
		     const char *id)
{
	const struct textmap_entry *entry = textmap_find(&import->by_id, id);
	const struct record *record =
		entry ? &import->records[(uintptr_t)entry->value - 1] : NULL;

	return record && (value->status != RECORD_OK || record->status != RECORD_OK);
}

/* The iteration that comes next for this metric of the cell. */
static int next_iteration(struct import *import, const struct import_value *value,
			  const char *cell, uint64_t *ret)
{
	const char *name = value->status == RECORD_OK ? value->metric.name : "";
	const char *const parts[] = { cell, value->boot ? value->boot : "", name, NULL };
	char *key = textmap_join(parts);
	struct textmap_entry *entry = key ? textmap_add(&import->counts, key) : NULL;
	bool again = entry;
	int bad = entry ? 0 : -ENOMEM;

	free(key);
	while (again) {
		char *id;

		*ret = (uint64_t)(uintptr_t)entry->value + 1;
		entry->value = (void *)(uintptr_t)*ret;
		id = id_of(value, cell, *ret);
		again = id && is_taken(import, value, id);
		bad = id ? 0 : -ENOMEM;
		free(id);
	}
	return bad;
}

static int copy_objects(struct record *record, const struct import_value *value)
{
	record->point = value->point ? jval_copy(value->point) : jval_object();
	record->parameters = value->parameters ? jval_copy(value->parameters) : NULL;
	return record->point && !value->parameters == !record->parameters ? 0 : -ENOMEM;
}

static const char *keep(struct import *import, const char *text, int *bad)
{
	const char *kept = text ? textmap_keep(&import->texts, text) : NULL;

	if (text && !kept)
		*bad = -ENOMEM;
	return kept;
}

static int add_record(struct import *import, const struct import_value *value,
		      const char *cell, const char *id, uint64_t iteration)
{
	size_t nr = import->nr_records;
	struct record *record;
	int bad = 0;

	/* Room doubles: at every power of two it is used up. */
	if (!(nr & (nr - 1))) {
		record = reallocarray(import->records, nr ? 2 * nr : 1, sizeof(*record));
		if (!record)
			return -ENOMEM;
		import->records = record;
	}
	record = &import->records[nr];
	*record = (struct record){
		.id = keep(import, id, &bad),
		.cell = keep(import, cell, &bad),
		.column = keep(import, value->column, &bad),
		.workload = keep(import, value->workload, &bad),
		.variant = keep(import, value->variant, &bad),
		.machine = keep(import, value->machine, &bad),
		.boot = keep(import, value->boot ? value->boot : "import", &bad),
		.block = value->block ? value->block : iteration,
		.iteration = iteration,
		.attempt = 1,
		.seq = nr + 1,
		.status = value->status,
	};
	if (value->status != RECORD_OK)
		record->reason = keep(import, "imported without a figure", &bad);
	import->nr_records++;
	return bad ? bad : copy_objects(record, value);
}

static struct record *find_record(struct import *import, const struct import_value *value,
				  const char *cell, uint64_t iteration)
{
	char *id = id_of(value, cell, iteration);
	struct textmap_entry *entry = id ? textmap_add(&import->by_id, id) : NULL;

	if (entry && !entry->value) {
		if (add_record(import, value, cell, id, iteration))
			entry = NULL;
		else
			entry->value = (void *)(uintptr_t)import->nr_records;
	}
	free(id);
	return entry ? &import->records[(uintptr_t)entry->value - 1] : NULL;
}

static int add_metric(struct import *import, struct record *record,
		      const struct import_value *value)
{
	const struct record_metric *metric = &value->metric;
	struct record_metric *grown =
		reallocarray(record->metrics, record->nr_metrics + 1, sizeof(*grown));
	double *samples = NULL;
	int bad = 0;

	if (!grown)
		return -ENOMEM;
	record->metrics = grown;
	grown += record->nr_metrics;
	if (!metric->is_summary) {
		samples = malloc(sizeof(*samples));
		if (!samples)
			return -ENOMEM;
		*samples = metric->mean;
	}
	*grown = *metric;
	grown->samples = samples;
	grown->nr_samples = samples ? 1 : 0;
	record->nr_metrics++;
	grown->name = keep(import, own_name(value), &bad);
	grown->unjudged = keep(import, metric->unjudged, &bad);
	grown->unit = keep(import, metric->unit ? metric->unit : "", &bad);
	return bad;
}

static int put_value(struct import *import, struct record *record,
		     const struct import_value *value, struct err *err)
{
	size_t i;

	if (record->status != value->status)
		return err_set(err, -EEXIST,
			       "iteration %ju of column '%s' is both %s and %s",
			       (uintmax_t)record->iteration, value->column,
			       record_status_name(record->status),
			       record_status_name(value->status));
	if (value->status != RECORD_OK)
		return 0;
	for (i = 0; i < record->nr_metrics; i++)
		if (!strcmp(record->metrics[i].name, own_name(value)))
			return err_set(err, -EEXIST,
				       "metric '%s' of column '%s' is given twice for "
				       "iteration %ju (expected once)",
				       value->metric.name, value->column,
				       (uintmax_t)record->iteration);
	return add_metric(import, record, value) ? err_nomem(err) : 0;
}

/*
 * A summary stands for all iterations of its cell: neither another one nor samples can
 * be put beside it.
 */
static int check_summary(struct import *import, const struct import_value *value,
			 const char *cell, struct err *err)
{
	const char *const parts[] = { "summary", cell, own_name(value), NULL };
	const uintptr_t samples = 1, summary = 2;
	const bool is_summary = value->metric.is_summary;
	char *key = textmap_join(parts);
	struct textmap_entry *entry = key ? textmap_add(&import->counts, key) : NULL;
	uintptr_t before = entry ? (uintptr_t)entry->value : 0;

	free(key);
	if (!entry)
		return err_nomem(err);
	if (before == summary || (before && is_summary))
		return err_set(err, -EEXIST,
			       "metric '%s' of column '%s' has a summary and other "
			       "figures in the same cell (expected one summary, or "
			       "samples)",
			       value->metric.name, value->column);
	entry->value = (void *)(is_summary ? summary : samples);
	return 0;
}

int import_add(struct import *import, const struct import_value *value, struct err *err)
{
	struct err local = { 0 };
	uint64_t iteration = value->iteration;
	struct record *record;
	char *cell;
	int bad;

	err = err ? err : &local;
	if (check_value(value, err))
		return err->code;
	cell = identify(value);
	if (!cell || (!iteration && next_iteration(import, value, cell, &iteration))) {
		free(cell);
		return err_nomem(err);
	}
	if (value->status == RECORD_OK && check_summary(import, value, cell, err)) {
		free(cell);
		return err->code;
	}
	record = find_record(import, value, cell, iteration);
	bad = record ? put_value(import, record, value, err) : err_nomem(err);
	free(cell);
	import->nr_values += !bad;
	return bad;
}

bool import_guess_higher(const char *workload, const char *metric)
{
	static const char *const rates[] = { "per_", "throughput", "MBps", "ops", NULL };
	static const char *const times[] = { "time",	"latency", "usec",    "elapsed",
					     "std_dev", "stddev",  "seconds", NULL };
	size_t i;

	for (i = 0; times[i]; i++)
		if (strcasestr(metric, times[i]))
			return false;
	for (i = 0; rates[i]; i++)
		if (strcasestr(metric, rates[i]))
			return true;
	return strcmp(workload, "hackbench") != 0;
}

/* Writing. */

static int write_ledger(const struct import *import, const char *dir, struct err *err)
{
	char *path = file_path("%s/records.jsonl", dir);
	char *text = NULL;
	size_t len = 0;
	size_t i;
	FILE *out = open_memstream(&text, &len);
	int bad = path && out ? 0 : -ENOMEM;

	for (i = 0; !bad && i < import->nr_records; i++) {
		char *line = record_write(&import->records[i]);

		if (!line || fprintf(out, "%s\n", line) < 0)
			bad = -ENOMEM;
		free(line);
	}
	if (out && fclose(out))
		bad = -ENOMEM;
	if (bad)
		(void)err_nomem(err);
	else
		bad = file_replace(path, text, len, err);
	free(text);
	free(path);
	return bad;
}

/* Where a part goes, below @dir; NULL: no memory. */
static char *path_of(const struct import_part *part, const char *dir)
{
	return part->name ? file_path("%s/%s", dir, part->name) : strdup(dir);
}

static void remove_half(const struct import_part *parts, size_t nr, const char *dir)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		char *run = path_of(&parts[i], dir);
		char *path = run ? file_path("%s/records.jsonl", run) : NULL;

		if (path) {
			(void)unlink(path);
			(void)rmdir(run);
		}
		free(path);
		free(run);
	}
	(void)rmdir(dir);
}

static int write_part(const struct import_part *part, const char *dir, struct err *err)
{
	char *run = path_of(part, dir);
	int bad = 0;

	if (!run)
		return err_nomem(err);
	if (part->name && mkdir(run, 0755))
		bad = err_set(err, -errno, "cannot create '%s': %m", run);
	if (!bad)
		bad = write_ledger(part->import, run, err);
	if (!bad)
		bad = file_sync_dir(run, err);
	free(run);
	return bad;
}

/* Fills @tmp and lets it take its place. */
static int fill(const struct import_part *parts, size_t nr, const char *tmp,
		const char *dir, struct err *err)
{
	size_t i;
	int bad = 0;

	for (i = 0; !bad && i < nr; i++)
		bad = write_part(&parts[i], tmp, err);
	if (!bad)
		bad = file_sync_dir(tmp, err);
	/* Of directories, this replaces none but an empty one. */
	if (!bad && rename(tmp, dir))
		bad = err_set(err, -errno, "cannot create '%s': %m", dir);
	return bad;
}

static int make_parent(const char *dir, struct err *err)
{
	const char *end = strrchr(dir, '/');
	char *parent;
	int bad;

	if (!end || end == dir)
		return 0;
	parent = strndup(dir, (size_t)(end - dir));
	if (!parent)
		return err_nomem(err);
	bad = file_make_dirs(parent, err);
	free(parent);
	return bad;
}

static int check_free(const char *dir, struct err *err)
{
	struct stat at;

	if (!*dir)
		return err_set(err, -EINVAL, "'' names no directory");
	if (!lstat(dir, &at))
		return err_set(err, -EEXIST,
			       "'%s' exists already (expected a new directory)", dir);
	return 0;
}

int import_write(const struct import_part *parts, size_t nr, const char *dir,
		 struct err *err)
{
	struct err local = { 0 };
	size_t len = strlen(dir);
	char *place, *tmp;
	size_t i;
	int bad;

	err = err ? err : &local;
	for (i = 0; i < nr; i++) {
		if (!parts[i].import->nr_records)
			return err_set(err, -ENODATA, "there is nothing to import");
	}
	while (len > 1 && dir[len - 1] == '/')
		len--;
	place = strndup(dir, len);
	tmp = place ? file_path("%s.new-%jd", place, (intmax_t)getpid()) : NULL;
	if (!tmp) {
		free(place);
		return err_nomem(err);
	}
	bad = check_free(place, err);
	if (!bad)
		bad = make_parent(place, err);
	if (!bad && mkdir(tmp, 0755))
		bad = err_set(err, -errno, "cannot create '%s': %m", place);
	else if (!bad) {
		bad = fill(parts, nr, tmp, place, err);
		if (bad)
			remove_half(parts, nr, tmp);
	}
	free(tmp);
	free(place);
	return bad;
}
