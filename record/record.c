// SPDX-License-Identifier: GPL-2.0-or-later
/* Records to and from JSON; the schema's field names are all in this file. */
#include "record/record.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/json.h"
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
		{ "start", &record->start },
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
	    parse_status(record, err) || parse_flags(record, err) ||
	    parse_remarks(record, err))
		return err->code;
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

static int put_text(struct jval *object, const char *key, const char *text)
{
	return text ? jval_put(object, key, jval_from_string(text)) : 0;
}

static int put_uint(struct jval *object, const char *key, uint64_t value)
{
	return jval_put(object, key, jval_from_uint(value));
}

static int put_known(struct jval *object, const char *key, double value)
{
	return isfinite(value) ? jval_put(object, key, jval_from_real(value)) : 0;
}

static int put_copy(struct jval *object, const char *key, const struct jval *value)
{
	return value ? jval_put(object, key, jval_copy(value)) : 0;
}

static struct jval *flags_json(unsigned int flags)
{
	struct jval *list = jval_array();
	int bad = 0;
	size_t i;

	for (i = 0; i < NR_FLAGS; i++)
		if (flags & flag_names[i].flag)
			bad |= jval_push(list, jval_from_string(flag_names[i].name));
	if (!bad)
		return list;
	jval_free(list);
	return NULL;
}

static int put_remarks(struct jval *json, const struct record *record)
{
	struct jval *list;
	int bad = 0;
	size_t i;

	if (!record->nr_remarks)
		return 0;
	list = jval_array();
	for (i = 0; i < record->nr_remarks; i++)
		bad |= jval_push(list, jval_from_string(record->remarks[i]));
	return bad | jval_put(json, "remarks", list);
}

static struct jval *samples_json(const struct record_metric *metric)
{
	struct jval *list = jval_array();
	int bad = 0;
	size_t i;

	for (i = 0; i < metric->nr_samples; i++)
		bad |= jval_push(list, isfinite(metric->samples[i])
					       ? jval_from_real(metric->samples[i])
					       : jval_from_string("not a number"));
	if (!bad)
		return list;
	jval_free(list);
	return NULL;
}

static struct jval *metric_json(const struct record_metric *metric)
{
	struct jval *json = jval_object();
	int bad = 0;

	bad |= put_text(json, "name", metric->name);
	bad |= put_text(json, "unit", metric->unit);
	bad |= put_text(json, "better", metric->better_higher ? "higher" : "lower");
	if (metric->resolution > 0)
		bad |= put_known(json, "resolution", metric->resolution);
	if (metric->secondary)
		bad |= jval_put(json, "secondary", jval_from_bool(true));
	if (metric->is_summary) {
		if (metric->is_hmean)
			bad |= put_text(json, "statistic", statistic_hmean);
		bad |= put_known(json, "mean", metric->mean);
		bad |= put_known(json, "stddev", metric->stddev);
		if (metric->n)
			bad |= put_uint(json, "n", metric->n);
		if (metric->digits >= 0 && metric->digits <= MAX_DIGITS)
			bad |= put_uint(json, "digits", (uint64_t)metric->digits);
	} else {
		bad |= jval_put(json, "samples", samples_json(metric));
	}
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

static struct jval *program_json(const struct record *record)
{
	struct jval *json = jval_object();
	int bad = 0;

	bad |= put_text(json, "name", record->program.name);
	bad |= put_text(json, "version", record->program.version);
	bad |= put_text(json, "sha256", record->program.sha256);
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

static struct jval *reparsed_json(const struct record *record)
{
	struct jval *json = jval_object();
	int bad = 0;

	bad |= put_text(json, "from", record->reparsed.from);
	bad |= put_text(json, "version", record->reparsed.version);
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

static int put_identity(struct jval *json, const struct record *record)
{
	int bad = 0;

	bad |= put_text(json, "schema", schema);
	bad |= put_text(json, "id", record->id);
	bad |= put_text(json, "cell", record->cell);
	bad |= put_text(json, "column", record->column);
	bad |= put_text(json, "workload", record->workload);
	bad |= put_text(json, "variant", record->variant);
	bad |= put_copy(json, "point", record->point);
	bad |= put_copy(json, "parameters", record->parameters);
	bad |= put_text(json, "machine", record->machine);
	bad |= put_text(json, "executor", record->executor);
	bad |= put_text(json, "boot", record->boot);
	bad |= put_uint(json, "block", record->block);
	bad |= put_uint(json, "iteration", record->iteration);
	bad |= put_uint(json, "attempt", record->attempt);
	bad |= put_uint(json, "seq", record->seq);
	return bad;
}

char *record_write(const struct record *record)
{
	struct jval *json = jval_object();
	struct jval *metrics = jval_array();
	int bad = put_identity(json, record);
	char *line = NULL;
	size_t i;

	bad |= put_text(json, "status", record_status_name(record->status));
	bad |= put_text(json, "reason", record->reason);
	bad |= jval_put(json, "flags", flags_json(record->flags));
	bad |= put_remarks(json, record);
	bad |= put_text(json, "start", record->start);
	if (record->wall_ns)
		bad |= put_uint(json, "wall_ns", record->wall_ns);
	if (record->by_output)
		bad |= jval_put(json, "by_output", jval_from_bool(true));
	if (record->program.name || record->program.version || record->program.sha256)
		bad |= jval_put(json, "program", program_json(record));
	if (record->reparsed.from)
		bad |= jval_put(json, "reparsed", reparsed_json(record));
	for (i = 0; i < record->nr_metrics; i++) {
		const struct record_metric *metric = &record->metrics[i];

		/* A summary without a mean says nothing, and could not be read. */
		if (!metric->is_summary || isfinite(metric->mean))
			bad |= jval_push(metrics, metric_json(metric));
	}
	bad |= jval_put(json, "metrics", metrics);
	if (!bad)
		line = jval_write(json, JVAL_LINE);
	jval_free(json);
	return line;
}
