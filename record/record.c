// SPDX-License-Identifier: GPL-2.0-or-later
/* Records to and from JSON; the schema's field names are all in this file. */
#include "record/record.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
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

static int required_text(const struct jval *object, const char *key, const char **ret,
			 struct err *err)
{
	*ret = jval_get_text(object, key);
	if (!*ret || !**ret)
		return err_set(err, -EPROTO, "'%s' is missing or not a text", key);
	return 0;
}

/* The value of @key; NULL also where it is written as null. */
static const struct jval *get_known(const struct jval *object, const char *key)
{
	const struct jval *value = jval_get(object, key);

	return jval_is_null(value) ? NULL : value;
}

static int optional_text(const struct jval *object, const char *key, const char **ret,
			 struct err *err)
{
	const struct jval *value = get_known(object, key);

	*ret = jval_text(value);
	if (value && !*ret)
		return err_set(err, -EPROTO, "'%s' is not a text", key);
	return 0;
}

static int optional_object(const struct jval *object, const char *key,
			   const struct jval **ret, struct err *err)
{
	*ret = get_known(object, key);
	if (*ret && !jval_is_object(*ret))
		return err_set(err, -EPROTO, "'%s' is not an object", key);
	return 0;
}

static int optional_list(const struct jval *object, const char *key,
			 const struct jval **ret, struct err *err)
{
	*ret = get_known(object, key);
	if (*ret && !jval_is_array(*ret))
		return err_set(err, -EPROTO, "'%s' is not a list", key);
	return 0;
}

static int optional_uint(const struct jval *object, const char *key, uint64_t *ret,
			 struct err *err)
{
	const struct jval *value = get_known(object, key);

	if (value && !jval_uint(value, ret))
		return err_set(err, -EPROTO, "'%s' is not a whole number", key);
	return 0;
}

static int optional_real(const struct jval *object, const char *key, double *ret,
			 struct err *err)
{
	const struct jval *value = get_known(object, key);

	if (value && !jval_real(value, ret))
		return err_set(err, -EPROTO, "'%s' is not a number", key);
	return 0;
}

static int parse_status(struct record *record, struct err *err)
{
	const char *text;
	unsigned int i;

	if (required_text(record->json, "status", &text, err))
		return err->code;
	for (i = 0; status_names[i]; i++) {
		if (strcmp(status_names[i], text))
			continue;
		record->status = (enum record_status)i;
		return 0;
	}
	return err_set(err, -EPROTO, "status '%s' is not known", text);
}

static int parse_flags(struct record *record, struct err *err)
{
	const struct jval *flags;
	size_t i, j;

	if (optional_list(record->json, "flags", &flags, err))
		return err->code;
	for (i = 0; i < jval_count(flags); i++) {
		const char *text = jval_text(jval_item(flags, i));

		for (j = 0; text && j < NR_FLAGS; j++)
			if (!strcmp(text, flag_names[j].name))
				break;
		if (!text || j == NR_FLAGS)
			return err_set(err, -EPROTO, "flag '%s' is not known",
				       text ? text : "");
		record->flags |= flag_names[j].flag;
	}
	return 0;
}

static int parse_remarks(struct record *record, struct err *err)
{
	const struct jval *remarks;
	size_t i;

	if (optional_list(record->json, "remarks", &remarks, err))
		return err->code;
	if (!jval_count(remarks))
		return 0;
	record->remarks = calloc(jval_count(remarks), sizeof(*record->remarks));
	if (!record->remarks)
		return err_nomem(err);
	for (i = 0; i < jval_count(remarks); i++) {
		record->remarks[i] = jval_text(jval_item(remarks, i));
		if (!record->remarks[i])
			return err_set(err, -EPROTO, "a remark is not a text");
		record->nr_remarks++;
	}
	return 0;
}

static int parse_samples(const struct jval *list, struct record_metric *metric,
			 struct err *err)
{
	size_t i;

	if (!jval_is_array(list))
		return err_set(err, -EPROTO, "'samples' of metric '%s' is not a list",
			       metric->name);
	metric->samples = calloc(jval_count(list) + 1, sizeof(*metric->samples));
	if (!metric->samples)
		return err_nomem(err);
	for (i = 0; i < jval_count(list); i++) {
		/* A sample that isn't a number is kept as that, never as 0. */
		if (!jval_real(jval_item(list, i), &metric->samples[i]))
			metric->samples[i] = NAN;
		metric->nr_samples++;
	}
	return 0;
}

static int parse_statistic(const struct jval *json, struct record_metric *metric,
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

static int parse_summary(const struct jval *json, struct record_metric *metric,
			 struct err *err)
{
	uint64_t digits;

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
	if (get_known(json, "digits")) {
		if (!jval_uint(jval_get(json, "digits"), &digits) || digits > MAX_DIGITS)
			return err_set(err, -EPROTO, "'digits' is not 0 to %d",
				       MAX_DIGITS);
		metric->digits = (int)digits;
	}
	return 0;
}

static int parse_metric(const struct jval *json, struct record_metric *metric,
			struct err *err)
{
	const char *better;

	*metric = (struct record_metric){ .mean = NAN, .stddev = NAN, .digits = -1 };
	if (required_text(json, "name", &metric->name, err) ||
	    required_text(json, "better", &better, err) ||
	    optional_real(json, "resolution", &metric->resolution, err))
		return err->code;
	metric->unit = jval_get_text(json, "unit");
	metric->unit = metric->unit ? metric->unit : "";
	metric->secondary = jval_is_true(jval_get(json, "secondary"));
	metric->better_higher = !strcmp(better, "higher");
	if (!metric->better_higher && strcmp(better, "lower"))
		return err_set(err, -EPROTO,
			       "'better' is '%s' (expected lower or higher)", better);
	if (get_known(json, "samples"))
		return parse_samples(jval_get(json, "samples"), metric, err);
	if (get_known(json, "mean"))
		return parse_summary(json, metric, err);
	return err_set(err, -EPROTO, "metric '%s' has neither samples nor a mean",
		       metric->name);
}

static int parse_metrics(struct record *record, struct err *err)
{
	const struct jval *list;
	size_t i;

	if (optional_list(record->json, "metrics", &list, err))
		return err->code;
	if (!jval_count(list))
		return 0;
	record->metrics = calloc(jval_count(list), sizeof(*record->metrics));
	if (!record->metrics)
		return err_nomem(err);
	for (i = 0; i < jval_count(list); i++) {
		if (parse_metric(jval_item(list, i), &record->metrics[i], err))
			return err->code;
		record->nr_metrics++;
	}
	return 0;
}

static int parse_texts(struct record *record, struct err *err)
{
	const struct {
		const char *key, **ret;
	} required[] = {
		{ "id", &record->id },
		{ "cell", &record->cell },
		{ "column", &record->column },
		{ "workload", &record->workload },
		{ "variant", &record->variant },
	}, optional[] = {
		{ "machine", &record->machine }, { "executor", &record->executor },
		{ "boot", &record->boot },	 { "reason", &record->reason },
		{ "start", &record->start },	 { "monitors", &record->monitors },
	};
	size_t i;

	for (i = 0; i < sizeof(required) / sizeof(required[0]); i++)
		if (required_text(record->json, required[i].key, required[i].ret, err))
			return err->code;
	for (i = 0; i < sizeof(optional) / sizeof(optional[0]); i++)
		if (optional_text(record->json, optional[i].key, optional[i].ret, err))
			return err->code;
	return 0;
}

static int parse_program(struct record *record, struct err *err)
{
	const struct jval *program;

	if (optional_object(record->json, "program", &program, err) ||
	    optional_text(program, "name", &record->program.name, err) ||
	    optional_text(program, "version", &record->program.version, err) ||
	    optional_text(program, "sha256", &record->program.sha256, err))
		return err->code;
	return 0;
}

static int parse_reparsed(struct record *record, struct err *err)
{
	const struct jval *reparsed;

	record->by_output = jval_is_true(jval_get(record->json, "by_output"));
	if (optional_object(record->json, "reparsed", &reparsed, err) ||
	    optional_text(reparsed, "from", &record->reparsed.from, err) ||
	    optional_text(reparsed, "version", &record->reparsed.version, err))
		return err->code;
	return 0;
}

static int parse_fields(struct record *record, struct err *err)
{
	const struct jval *json = record->json;

	if (parse_texts(record, err) || parse_program(record, err) ||
	    parse_reparsed(record, err) ||
	    optional_object(json, "point", &record->point, err) ||
	    optional_object(json, "parameters", &record->parameters, err) ||
	    optional_uint(json, "block", &record->block, err) ||
	    optional_uint(json, "iteration", &record->iteration, err) ||
	    optional_uint(json, "attempt", &record->attempt, err) ||
	    optional_uint(json, "seq", &record->seq, err) ||
	    optional_uint(json, "wall_ns", &record->wall_ns, err) ||
	    optional_real(json, "foreign", &record->foreign, err) ||
	    parse_status(record, err) || parse_flags(record, err) ||
	    parse_remarks(record, err))
		return err->code;
	record->has_foreign = get_known(json, "foreign") != NULL;
	return parse_metrics(record, err);
}

int record_parse(const char *line, size_t len, struct record *ret, struct err *err)
{
	struct err local = { 0 };
	const char *found;
	int bad;

	err = err ? err : &local;
	*ret = (struct record){ 0 };
	bad = jval_parse(line, len, &ret->json, err);
	if (bad)
		return bad;
	found = jval_get_text(ret->json, "schema");
	if (!found || strcmp(found, schema))
		bad = err_set(err, -EPROTO, "schema '%s' is not known (expected '%s')",
			      found ? found : "", schema);
	if (!bad)
		bad = parse_fields(ret, err);
	if (bad)
		record_release(ret);
	return bad;
}

void record_release(struct record *record)
{
	size_t i;

	for (i = 0; i < record->nr_metrics; i++)
		free(record->metrics[i].samples);
	free(record->metrics);
	free(record->remarks);
	jval_free(record->json);
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
	if (record->by_output)
		jtext_true(&out, "by_output");
	put_text(&out, "monitors", record->monitors);
	put_program(&out, record);
	put_reparsed(&out, record);
	put_metrics(&out, record);
	jtext_close(&out, '}');
	return jtext_finish(&out);
}
