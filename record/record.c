// SPDX-License-Identifier: GPL-2.0-or-later
/* Records to and from JSON; the schema's field names are all in this file. */
#include "record/record.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/jkept.h"
#include "lib/jline.h"
#include "lib/json.h"
#include "lib/jtext.h"
#include "lib/text.h"

static const char schema[] = "schedgrid-record-1";
static const char statistic_amean[] = "Amean";
static const char statistic_hmean[] = "Hmean";

static const char *const status_names[] = {
	[RECORD_OK] = "ok",
	[RECORD_FAILED] = "failed",
	[RECORD_BROKEN] = "broken",
	[RECORD_SKIPPED] = "skipped",
	[RECORD_TIMEOUT] = "timeout",
	[RECORD_INTERRUPTED] = "interrupted",
	NULL,
};

static const struct {
	enum record_flag flag;
	const char *name;
} flag_names[] = {
	{ RECORD_EMULATED, "emulated" },
	{ RECORD_INTERFERED, "interfered" },
	{ RECORD_UNDERSIZED, "undersized" },
	{ RECORD_KERNEL_WARNING, "kernel-warning" },
	{ RECORD_SETTING_CHANGED, "setting-changed" },
	{ RECORD_WARMUP, "warmup" },
};

enum { NR_FLAGS = sizeof(flag_names) / sizeof(flag_names[0]), MAX_DIGITS = 15 };

const char *record_status_name(enum record_status status)
{
	return status_names[status];
}

/* Reading. */

/**
 * struct record_reader - memory that one record after another is read into
 * @line: the text
 * @remarks: what the record's point to; likewise below
 * @remarks_room: for how many
 * @metrics: ...
 * @metrics_room: ...
 * @samples: of all metrics
 * @samples_room: ...
 * @nr_samples: in use
 * @points: by their text: few differ
 * @parameters: likewise
 */
struct record_reader {
	struct jline line;
	const char **remarks;
	size_t remarks_room;
	struct record_metric *metrics;
	size_t metrics_room;
	double *samples;
	size_t samples_room, nr_samples;
	struct jkept points, parameters;
};

/**
 * struct reading - one line being read
 * @text: as given
 * @top: its object
 */
struct reading {
	struct record_reader *reader;
	const char *text;
	struct jnode *top;
	struct record *record;
};

/* Room for @nr entries where nothing is kept; *@room is how many @array has. */
static void *make_room(void *array, size_t *room, size_t nr, size_t size)
{
	if (nr <= *room)
		return array;
	free(array);
	*room = 0;
	array = reallocarray(NULL, 2 * nr, size);
	if (array)
		*room = 2 * nr;
	return array;
}

static int required_text(struct jnode *object, const char *key, const char **ret,
			 struct err *err)
{
	*ret = jnode_text(jnode_get(object, key));
	if (!*ret || !**ret)
		return err_set(err, -EPROTO, "'%s' is missing or not a text", key);
	return 0;
}

/* The value of @key; NULL also where it is written as null. */
static struct jnode *get_known(struct jnode *object, const char *key)
{
	struct jnode *value = jnode_get(object, key);

	return value && value->kind == JNODE_NULL ? NULL : value;
}

static int optional_text(struct jnode *object, const char *key, const char **ret,
			 struct err *err)
{
	const struct jnode *value = get_known(object, key);

	*ret = jnode_text(value);
	if (value && !*ret)
		return err_set(err, -EPROTO, "'%s' is not a text", key);
	return 0;
}

static int optional_object(struct jnode *object, const char *key, struct jnode **ret,
			   struct err *err)
{
	*ret = get_known(object, key);
	if (*ret && (*ret)->kind != JNODE_OBJECT)
		return err_set(err, -EPROTO, "'%s' is not an object", key);
	return 0;
}

/* NULL for an empty one, too. */
static int optional_list(struct jnode *object, const char *key, struct jnode **ret,
			 struct err *err)
{
	*ret = get_known(object, key);
	if (*ret && (*ret)->kind != JNODE_LIST)
		return err_set(err, -EPROTO, "'%s' is not a list", key);
	if (*ret && !(*ret)->nr)
		*ret = NULL;
	return 0;
}

static int optional_uint(struct jnode *object, const char *key, uint64_t *ret,
			 struct err *err)
{
	const struct jnode *value = get_known(object, key);

	if (value && !jnode_uint(value, ret))
		return err_set(err, -EPROTO, "'%s' is not a whole number", key);
	return 0;
}

static int optional_real(struct jnode *object, const char *key, double *ret,
			 struct err *err)
{
	const struct jnode *value = get_known(object, key);

	if (value && !jnode_real(value, ret))
		return err_set(err, -EPROTO, "'%s' is not a number", key);
	return 0;
}

static bool is_true(struct jnode *object, const char *key)
{
	const struct jnode *value = jnode_get(object, key);

	return value && value->kind == JNODE_TRUE;
}

static int parse_status(const struct reading *in, struct err *err)
{
	const char *text;
	unsigned int i;

	if (required_text(in->top, "status", &text, err))
		return err->code;
	for (i = 0; status_names[i]; i++) {
		if (strcmp(status_names[i], text))
			continue;
		in->record->status = (enum record_status)i;
		return 0;
	}
	return err_set(err, -EPROTO, "status '%s' is not known", text);
}

static int parse_flag(const struct reading *in, const struct jnode *flag, struct err *err)
{
	const char *text = jnode_text(flag);
	size_t i;

	for (i = 0; text && i < NR_FLAGS; i++)
		if (!strcmp(text, flag_names[i].name))
			break;
	if (!text || i == NR_FLAGS)
		return err_set(err, -EPROTO, "flag '%s' is not known", text ? text : "");
	in->record->flags |= flag_names[i].flag;
	return 0;
}

static int parse_flags(const struct reading *in, struct err *err)
{
	struct jnode *flags, *flag;
	uint32_t i;

	if (optional_list(in->top, "flags", &flags, err))
		return err->code;
	if (!flags)
		return 0;
	for (i = 0, flag = jnode_first(flags); i < flags->nr;
	     i++, flag = jnode_next(flag))
		if (parse_flag(in, flag, err))
			return err->code;
	return 0;
}

static int parse_remarks(const struct reading *in, struct err *err)
{
	struct record_reader *reader = in->reader;
	struct jnode *remarks, *remark;
	uint32_t i;

	if (optional_list(in->top, "remarks", &remarks, err))
		return err->code;
	if (!remarks)
		return 0;
	reader->remarks = make_room(reader->remarks, &reader->remarks_room, remarks->nr,
				    sizeof(*reader->remarks));
	if (!reader->remarks)
		return err_nomem(err);
	remark = jnode_first(remarks);
	for (i = 0; i < remarks->nr; i++, remark = jnode_next(remark)) {
		reader->remarks[i] = jnode_text(remark);
		if (!reader->remarks[i])
			return err_set(err, -EPROTO, "a remark is not a text");
	}
	in->record->remarks = reader->remarks;
	in->record->nr_remarks = remarks->nr;
	return 0;
}

/* There is room for all samples that the line can have. */
static int parse_samples(struct record_reader *reader, struct jnode *list,
			 struct record_metric *metric, struct err *err)
{
	struct jnode *sample = jnode_first(list);
	uint32_t i;

	if (list->kind != JNODE_LIST)
		return err_set(err, -EPROTO, "'samples' of metric '%s' is not a list",
			       metric->name);
	metric->samples = reader->samples + reader->nr_samples;
	metric->nr_samples = list->nr;
	reader->nr_samples += list->nr;
	for (i = 0; i < list->nr; i++, sample = jnode_next(sample)) {
		/* A sample that isn't a number is kept as that, never as 0. */
		if (!jnode_real(sample, &metric->samples[i]))
			metric->samples[i] = (double)NAN;
	}
	return 0;
}

static int parse_statistic(struct jnode *json, struct record_metric *metric,
			   struct err *err)
{
	const char *text;

	if (optional_text(json, "statistic", &text, err))
		return err->code;
	metric->is_hmean = text && !strcmp(text, statistic_hmean);
	if (text && !metric->is_hmean && strcmp(text, statistic_amean))
		return err_set(err, -EPROTO,
			       "'statistic' is '%s' (expected Amean or Hmean)", text);
	return 0;
}

static int parse_summary(struct jnode *json, struct record_metric *metric,
			 struct err *err)
{
	const struct jnode *digits = get_known(json, "digits");
	uint64_t nr;

	metric->is_summary = true;
	if (optional_real(json, "mean", &metric->mean, err) ||
	    optional_real(json, "stddev", &metric->stddev, err) ||
	    optional_uint(json, "n", &metric->n, err) ||
	    parse_statistic(json, metric, err))
		return err->code;
	if (metric->stddev < 0.0)
		return err_set(err, -EPROTO,
			       "'stddev' of metric '%s' is %g (expected 0 or more)",
			       metric->name, metric->stddev);
	if (!digits)
		return 0;
	if (!jnode_uint(digits, &nr) || nr > MAX_DIGITS)
		return err_set(err, -EPROTO, "'digits' is not 0 to %d", MAX_DIGITS);
	metric->digits = (int)nr;
	return 0;
}

static int parse_metric(struct record_reader *reader, struct jnode *json,
			struct record_metric *metric, struct err *err)
{
	struct jnode *samples;
	const char *better;

	*metric = (struct record_metric){ .mean = NAN, .stddev = NAN, .digits = -1 };
	if (required_text(json, "name", &metric->name, err) ||
	    optional_text(json, "unit", &metric->unit, err) ||
	    required_text(json, "better", &better, err) ||
	    optional_real(json, "resolution", &metric->resolution, err) ||
	    optional_text(json, "unjudged", &metric->unjudged, err))
		return err->code;
	metric->unit = metric->unit ? metric->unit : "";
	metric->secondary = is_true(json, "secondary");
	metric->better_higher = !strcmp(better, "higher");
	if (!metric->better_higher && strcmp(better, "lower"))
		return err_set(err, -EPROTO,
			       "'better' is '%s' (expected lower or higher)", better);
	samples = get_known(json, "samples");
	if (samples)
		return parse_samples(reader, samples, metric, err);
	if (get_known(json, "mean"))
		return parse_summary(json, metric, err);
	return err_set(err, -EPROTO, "metric '%s' has neither samples nor a mean",
		       metric->name);
}

static int parse_metrics(const struct reading *in, struct err *err)
{
	struct record_reader *reader = in->reader;
	struct jnode *list, *metric;
	uint32_t i;

	if (optional_list(in->top, "metrics", &list, err))
		return err->code;
	if (!list)
		return 0;
	reader->metrics = make_room(reader->metrics, &reader->metrics_room, list->nr,
				    sizeof(*reader->metrics));
	reader->samples = make_room(reader->samples, &reader->samples_room, list->skip,
				    sizeof(*reader->samples));
	if (!reader->metrics || !reader->samples)
		return err_nomem(err);
	reader->nr_samples = 0;
	metric = jnode_first(list);
	for (i = 0; i < list->nr; i++, metric = jnode_next(metric))
		if (parse_metric(reader, metric, &reader->metrics[i], err))
			return err->code;
	in->record->metrics = reader->metrics;
	in->record->nr_metrics = list->nr;
	return 0;
}

static int parse_identity(const struct reading *in, struct err *err)
{
	struct record *record = in->record;
	struct jnode *top = in->top;

	if (required_text(top, "id", &record->id, err) ||
	    required_text(top, "cell", &record->cell, err) ||
	    required_text(top, "column", &record->column, err) ||
	    required_text(top, "workload", &record->workload, err) ||
	    required_text(top, "variant", &record->variant, err))
		return err->code;
	return 0;
}

static int parse_program(const struct reading *in, struct err *err)
{
	struct record *record = in->record;
	struct jnode *program;

	if (optional_object(in->top, "program", &program, err) ||
	    optional_text(program, "name", &record->program.name, err) ||
	    optional_text(program, "version", &record->program.version, err) ||
	    optional_text(program, "sha256", &record->program.sha256, err))
		return err->code;
	return 0;
}

static int parse_reparsed(const struct reading *in, struct err *err)
{
	struct record *record = in->record;
	struct jnode *reparsed;

	if (optional_object(in->top, "reparsed", &reparsed, err) ||
	    optional_text(reparsed, "from", &record->reparsed.from, err) ||
	    optional_text(reparsed, "version", &record->reparsed.version, err))
		return err->code;
	return 0;
}

/* An object that the record lends as a value: most lines repeat an earlier one's. */
static int parse_object(const struct reading *in, const char *key, struct jkept *kept,
			const struct jval **ret, struct err *err)
{
	struct jnode *node;

	if (optional_object(in->top, key, &node, err))
		return err->code;
	*ret = NULL;
	if (!node)
		return 0;
	if (in->reader->line.tree)
		*ret = jval_get(in->reader->line.tree, key);
	else
		*ret = jkept_get(kept, in->text + node->at, node->len);
	return *ret ? 0 : err_nomem(err);
}

static int parse_origin(const struct reading *in, struct err *err)
{
	struct record *record = in->record;
	struct jnode *top = in->top;

	if (optional_text(top, "machine", &record->machine, err) ||
	    optional_text(top, "executor", &record->executor, err) ||
	    optional_text(top, "boot", &record->boot, err) ||
	    optional_uint(top, "block", &record->block, err) ||
	    optional_uint(top, "iteration", &record->iteration, err) ||
	    optional_uint(top, "attempt", &record->attempt, err) ||
	    optional_uint(top, "seq", &record->seq, err))
		return err->code;
	return 0;
}

static int parse_outcome(const struct reading *in, struct err *err)
{
	struct record *record = in->record;
	struct jnode *top = in->top;

	if (parse_status(in, err) || optional_text(top, "reason", &record->reason, err) ||
	    parse_flags(in, err) || parse_remarks(in, err) ||
	    optional_text(top, "start", &record->start, err) ||
	    optional_uint(top, "wall_ns", &record->wall_ns, err) ||
	    optional_real(top, "foreign", &record->foreign, err) ||
	    optional_uint(top, "seed", &record->seed, err))
		return err->code;
	record->has_foreign = get_known(top, "foreign") != NULL;
	record->has_seed = get_known(top, "seed") != NULL;
	record->by_output = is_true(top, "by_output");
	return optional_text(top, "monitors", &record->monitors, err);
}

/* In the order of record_write(), in which jnode_get() is fastest. */
static int parse_fields(const struct reading *in, struct err *err)
{
	struct record *record = in->record;

	if (parse_identity(in, err) ||
	    parse_object(in, "point", &in->reader->points, &record->point, err) ||
	    parse_object(in, "parameters", &in->reader->parameters, &record->parameters,
			 err) ||
	    parse_origin(in, err) || parse_outcome(in, err) || parse_program(in, err) ||
	    parse_reparsed(in, err))
		return err->code;
	return parse_metrics(in, err);
}

struct record_reader *record_reader_new(void)
{
	return calloc(1, sizeof(struct record_reader));
}

void record_reader_free(struct record_reader *reader)
{
	if (!reader)
		return;
	jline_release(&reader->line);
	jkept_release(&reader->points);
	jkept_release(&reader->parameters);
	free(reader->remarks);
	free(reader->metrics);
	free(reader->samples);
	free(reader);
}

int record_read(struct record_reader *reader, const char *line, size_t len,
		struct record *ret, struct err *err)
{
	struct reading in = { .reader = reader, .text = line, .record = ret };
	struct err local = { 0 };
	const char *found;
	int bad;

	err = err ? err : &local;
	*ret = (struct record){ .line = line, .line_len = len };
	bad = jline_read(&reader->line, line, len, err);
	if (!bad) {
		in.top = reader->line.nodes;
		found = jnode_text(jnode_get(in.top, "schema"));
		if (!found || strcmp(found, schema))
			bad = err_set(err, -EPROTO,
				      "schema '%s' is not known (expected '%s')",
				      found ? found : "", schema);
	}
	if (!bad)
		bad = parse_fields(&in, err);
	if (bad)
		*ret = (struct record){ 0 };
	return bad;
}

int record_parse(const char *line, size_t len, struct record *ret, struct err *err)
{
	struct record_reader *reader = record_reader_new();
	int bad;

	*ret = (struct record){ 0 };
	bad = reader ? record_read(reader, line, len, ret, err) : err_nomem(err);
	if (bad)
		record_reader_free(reader);
	else
		ret->reader = reader;
	return bad;
}

void record_release(struct record *record)
{
	record_reader_free(record->reader);
	*record = (struct record){ 0 };
}

/* Writing. What isn't known is left out. */

static void put_text(struct jtext *out, const char *key, const char *text)
{
	if (text)
		jtext_string(out, key, text);
}

static void put_known(struct jtext *out, const char *key, double value)
{
	if (isfinite(value))
		jtext_real(out, key, value);
}

static void put_value(struct jtext *out, const char *key, const struct jval *value)
{
	if (value)
		jtext_value(out, key, value);
}

static void put_flags(struct jtext *out, unsigned int flags)
{
	size_t i;

	jtext_open(out, "flags", '[');
	for (i = 0; i < NR_FLAGS; i++)
		if (flags & flag_names[i].flag)
			jtext_string(out, NULL, flag_names[i].name);
	jtext_close(out, ']');
}

static void put_remarks(struct jtext *out, const struct record *record)
{
	size_t i;

	if (!record->nr_remarks)
		return;
	jtext_open(out, "remarks", '[');
	for (i = 0; i < record->nr_remarks; i++)
		jtext_string(out, NULL, record->remarks[i]);
	jtext_close(out, ']');
}

static void put_samples(struct jtext *out, const struct record_metric *metric)
{
	size_t i;

	jtext_open(out, "samples", '[');
	for (i = 0; i < metric->nr_samples; i++) {
		if (isfinite(metric->samples[i]))
			jtext_real(out, NULL, metric->samples[i]);
		else
			jtext_string(out, NULL, "not a number");
	}
	jtext_close(out, ']');
}

static void put_summary(struct jtext *out, const struct record_metric *metric)
{
	if (metric->is_hmean)
		jtext_string(out, "statistic", statistic_hmean);
	put_known(out, "mean", metric->mean);
	put_known(out, "stddev", metric->stddev);
	if (metric->n)
		jtext_uint(out, "n", metric->n);
	if (metric->digits >= 0 && metric->digits <= MAX_DIGITS)
		jtext_uint(out, "digits", (uint64_t)metric->digits);
}

static void put_metric(struct jtext *out, const struct record_metric *metric)
{
	jtext_open(out, NULL, '{');
	put_text(out, "name", metric->name);
	put_text(out, "unit", metric->unit);
	put_text(out, "better", metric->better_higher ? "higher" : "lower");
	if (metric->resolution > 0)
		put_known(out, "resolution", metric->resolution);
	if (metric->secondary)
		jtext_true(out, "secondary");
	put_text(out, "unjudged", metric->unjudged);
	if (metric->is_summary)
		put_summary(out, metric);
	else
		put_samples(out, metric);
	jtext_close(out, '}');
}

static void put_metrics(struct jtext *out, const struct record *record)
{
	size_t i;

	jtext_open(out, "metrics", '[');
	for (i = 0; i < record->nr_metrics; i++) {
		const struct record_metric *metric = &record->metrics[i];

		/* A summary without a mean says nothing, and could not be read. */
		if (!metric->is_summary || isfinite(metric->mean))
			put_metric(out, metric);
	}
	jtext_close(out, ']');
}

static void put_program(struct jtext *out, const struct record *record)
{
	if (!record->program.name && !record->program.version && !record->program.sha256)
		return;
	jtext_open(out, "program", '{');
	put_text(out, "name", record->program.name);
	put_text(out, "version", record->program.version);
	put_text(out, "sha256", record->program.sha256);
	jtext_close(out, '}');
}

static void put_reparsed(struct jtext *out, const struct record *record)
{
	if (!record->reparsed.from)
		return;
	jtext_open(out, "reparsed", '{');
	put_text(out, "from", record->reparsed.from);
	put_text(out, "version", record->reparsed.version);
	jtext_close(out, '}');
}

static void put_identity(struct jtext *out, const struct record *record)
{
	jtext_string(out, "schema", schema);
	put_text(out, "id", record->id);
	put_text(out, "cell", record->cell);
	put_text(out, "column", record->column);
	put_text(out, "workload", record->workload);
	put_text(out, "variant", record->variant);
	put_value(out, "point", record->point);
	put_value(out, "parameters", record->parameters);
	put_text(out, "machine", record->machine);
	put_text(out, "executor", record->executor);
	put_text(out, "boot", record->boot);
	jtext_uint(out, "block", record->block);
	jtext_uint(out, "iteration", record->iteration);
	jtext_uint(out, "attempt", record->attempt);
	jtext_uint(out, "seq", record->seq);
}

char *record_write(const struct record *record)
{
	struct jtext out = { 0 };

	jtext_open(&out, NULL, '{');
	put_identity(&out, record);
	put_text(&out, "status", record_status_name(record->status));
	put_text(&out, "reason", record->reason);
	put_flags(&out, record->flags);
	put_remarks(&out, record);
	put_text(&out, "start", record->start);
	if (record->wall_ns)
		jtext_uint(&out, "wall_ns", record->wall_ns);
	if (record->has_foreign)
		put_known(&out, "foreign", record->foreign);
	if (record->has_seed)
		jtext_uint(&out, "seed", record->seed);
	if (record->by_output)
		jtext_true(&out, "by_output");
	put_text(&out, "monitors", record->monitors);
	put_program(&out, record);
	put_reparsed(&out, record);
	put_metrics(&out, record);
	jtext_close(&out, '}');
	return jtext_finish(&out);
}
