// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads comma-separated values; see import_csv.h. */
#include "compare/import_csv.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/import.h"
#include "lib/err.h"
#include "lib/json.h"
#include "lib/text.h"
#include "record/ledger.h"
#include "record/record.h"

/** enum field - what a column of the file holds; see docs/import.md */
enum field {
	COLUMN,
	WORKLOAD,
	VARIANT,
	METRIC,
	UNIT,
	BETTER,
	POINT,
	MACHINE,
	BOOT,
	BLOCK,
	ITERATION,
	VALUE,
	STATUS,
	N,
	STDDEV,
	DIGITS,
	NR_FIELDS,
};

static const char *const field_names[NR_FIELDS + 1] = {
	"column", "workload", "variant", "metric", "unit",	"better",
	"point",  "machine",  "boot",	 "block",  "iteration", "value",
	"status", "n",	      "stddev",	 "digits", NULL,
};

static const enum field required[] = { COLUMN, WORKLOAD, METRIC, BETTER, POINT, VALUE };

enum { FIELD_BYTES_MAX = 4096, DIGITS_MAX = 15, STEP_MAX = 1000000000 };

/**
 * struct csv - the file being read
 * @at: what comes next
 * @line: of @at, from 1
 * @start_line: where the current row began
 * @field_at: bytes from the start of the text to the current field
 * @line_at: start of the current line
 * @of: for each field the number of its column, or -1
 * @nr_columns: in the header
 * @fields: of the current row, unquoted, owned
 */
struct csv {
	struct import *import;
	const char *name, *at, *end;
	size_t line, start_line;
	int of[NR_FIELDS];
	size_t nr_columns;
	char *fields[NR_FIELDS];
	struct err *err;
};

static int refuse(const struct csv *csv, const char *what, const char *text)
{
	return err_set(csv->err, -EPROTO, "%s:%zu: %s '%.100s'", csv->name,
		       csv->start_line, what, text);
}

/* The next byte of a field into @out; a quoted field may hold any visible one. */
static int take_byte(struct csv *csv, char *out, size_t *len)
{
	unsigned char c = (unsigned char)*csv->at;

	if ((c < ' ' && c != '\t') || c == 0x7f)
		return err_set(csv->err, -EPROTO,
			       "%s:%zu: byte 0x%02x is no text (expected CSV)", csv->name,
			       csv->line, c);
	if (*len == FIELD_BYTES_MAX)
		return err_set(csv->err, -EPROTO,
			       "%s:%zu: a field is longer than %d bytes", csv->name,
			       csv->line, FIELD_BYTES_MAX);
	out[(*len)++] = *csv->at++;
	return 0;
}

static int take_quoted(struct csv *csv, char *out, size_t *len)
{
	csv->at++;
	while (csv->at < csv->end && *csv->at != '\n' && *csv->at != '\r') {
		if (*csv->at == '"') {
			csv->at++;
			if (csv->at == csv->end || *csv->at != '"')
				return 0;
		}
		if (take_byte(csv, out, len))
			return csv->err->code;
	}
	return err_set(csv->err, -EPROTO, "%s:%zu: a quote is not closed on its line",
		       csv->name, csv->start_line);
}

static bool at_line_end(const struct csv *csv)
{
	return csv->at == csv->end || *csv->at == '\n' ||
	       (*csv->at == '\r' && csv->at + 1 < csv->end && csv->at[1] == '\n');
}

/* One field into @out, which has FIELD_BYTES_MAX + 1 bytes. */
static int take_field(struct csv *csv, char *out)
{
	size_t len = 0;

	if (csv->at < csv->end && *csv->at == '"') {
		if (take_quoted(csv, out, &len))
			return csv->err->code;
		if (!at_line_end(csv) && *csv->at != ',')
			return err_set(csv->err, -EPROTO,
				       "%s:%zu: text follows a closed quote (expected a "
				       "comma)",
				       csv->name, csv->line);
	}
	while (!at_line_end(csv) && *csv->at != ',') {
		if (take_byte(csv, out, &len))
			return csv->err->code;
	}
	out[len] = '\0';
	return 0;
}

static void end_line(struct csv *csv)
{
	if (csv->at < csv->end && *csv->at == '\r')
		csv->at++;
	if (csv->at < csv->end)
		csv->at++;
	csv->line++;
}

static int take_header_name(struct csv *csv, const char *name)
{
	const char *nearest;
	size_t i;

	for (i = 0; i < NR_FIELDS && strcmp(field_names[i], name); i++)
		;
	if (i == NR_FIELDS) {
		nearest = text_nearest(name, field_names);
		return err_set(csv->err, -EPROTO,
			       "%s:1: column '%.100s' is not known%s%s%s", csv->name,
			       name,
			       nearest ? "; did you mean '"
				       : " (docs/import.md "
					 "lists them",
			       nearest ? nearest : "", nearest ? "'?" : ")");
	}
	if (csv->of[i] >= 0)
		return refuse(csv, "the header has twice the column", name);
	csv->of[i] = (int)csv->nr_columns++;
	return 0;
}

static int read_header(struct csv *csv)
{
	char field[FIELD_BYTES_MAX + 1];
	size_t i;

	for (i = 0; i < NR_FIELDS; i++)
		csv->of[i] = -1;
	/* A byte order mark, as spreadsheets write. */
	if (csv->end - csv->at >= 3 && !memcmp(csv->at, "\xef\xbb\xbf", 3))
		csv->at += 3;
	do {
		csv->at += csv->nr_columns > 0;
		if (take_field(csv, field) || take_header_name(csv, field))
			return csv->err->code;
	} while (!at_line_end(csv));
	end_line(csv);
	for (i = 0; i < sizeof(required) / sizeof(required[0]); i++)
		if (csv->of[required[i]] < 0)
			return refuse(csv, "the header lacks the column",
				      field_names[required[i]]);
	return 0;
}

static void drop_fields(struct csv *csv)
{
	size_t i;

	for (i = 0; i < NR_FIELDS; i++) {
		free(csv->fields[i]);
		csv->fields[i] = NULL;
	}
}

static int keep_field(struct csv *csv, size_t column, const char *text)
{
	size_t i;

	for (i = 0; i < NR_FIELDS; i++) {
		if (csv->of[i] != (int)column)
			continue;
		csv->fields[i] = strdup(text);
		return csv->fields[i] ? 0 : err_nomem(csv->err);
	}
	return err_set(csv->err, -EPROTO, "%s:%zu: more fields than the header's %zu",
		       csv->name, csv->start_line, csv->nr_columns);
}

static int read_fields(struct csv *csv)
{
	char field[FIELD_BYTES_MAX + 1];
	size_t nr = 0;

	do {
		csv->at += nr > 0;
		if (take_field(csv, field) || keep_field(csv, nr, field))
			return csv->err->code;
		nr++;
	} while (!at_line_end(csv));
	end_line(csv);
	if (nr < csv->nr_columns)
		return err_set(csv->err, -EPROTO,
			       "%s:%zu: %zu fields (expected the header's %zu; is the "
			       "file cut off?)",
			       csv->name, csv->start_line, nr, csv->nr_columns);
	return 0;
}

/* The text of a field, NULL where there is none. */
static const char *get(const struct csv *csv, enum field field)
{
	const char *text = csv->fields[field];

	return text && *text ? text : NULL;
}

static int get_uint(const struct csv *csv, enum field field, uint64_t max, uint64_t *ret)
{
	const char *text = get(csv, field);
	struct err why = { 0 };

	*ret = 0;
	if (!text || !text_uint(text, field == DIGITS ? 0 : 1, max, ret, &why))
		return 0;
	return err_set(csv->err, -EPROTO, "%s:%zu: %s: %s", csv->name, csv->start_line,
		       field_names[field], why.text);
}

static int get_real(const struct csv *csv, enum field field, double *ret)
{
	const char *text = get(csv, field);
	char *end = NULL;

	*ret = (double)NAN;
	if (!text)
		return 0;
	if (strchr(text, ','))
		return err_set(csv->err, -EPROTO,
			       "%s:%zu: %s '%.100s' has a comma (expected a decimal "
			       "point and no grouping)",
			       csv->name, csv->start_line, field_names[field], text);
	/* strtod() takes blanks, hexadecimal, "inf" and "nan" as well. */
	if (text[strspn(text, "0123456789.eE+-")] == '\0')
		*ret = strtod(text, &end);
	if (end && end != text && !*end && isfinite(*ret))
		return 0;
	return err_set(csv->err, -EPROTO, "%s:%zu: %s '%.100s' is no number", csv->name,
		       csv->start_line, field_names[field], text);
}

static struct jval *point_value(const char *text)
{
	uint64_t number;

	if (!text_uint(text, 0, INT64_MAX, &number, NULL))
		return jval_from_uint(number);
	return jval_from_string(text);
}

/* One "groups=4" of a point, which is written into. */
static int put_pair(const struct csv *csv, struct jval *point, char *pair)
{
	char *value = strchr(pair, '=');

	if (!value || value == pair || !value[1])
		return refuse(csv,
			      "a point is written groups=4 or groups=4;size=100, not",
			      pair);
	if (text_broken(pair) >= 0)
		return refuse(csv, "a point is text in UTF-8, not", pair);
	*value++ = '\0';
	if (jval_get(point, pair))
		return refuse(csv, "the point has twice the parameter", pair);
	return jval_put(point, pair, point_value(value)) ? err_nomem(csv->err) : 0;
}

static int get_point(const struct csv *csv, struct jval **ret)
{
	struct jval *point = jval_object();
	char *text = csv->fields[POINT];
	int bad = point ? 0 : err_nomem(csv->err);

	while (!bad && text && *text) {
		char *next = text + strcspn(text, ";");

		if (*next)
			*next++ = '\0';
		bad = put_pair(csv, point, text);
		text = next;
	}
	if (bad) {
		jval_free(point);
		return bad;
	}
	*ret = point;
	return 0;
}

static int get_status(const struct csv *csv, enum record_status *ret)
{
	static const enum record_status all[] = {
		RECORD_OK,	RECORD_FAILED,	RECORD_BROKEN,
		RECORD_SKIPPED, RECORD_TIMEOUT, RECORD_INTERRUPTED,
	};
	const char *text = get(csv, STATUS);
	size_t i;

	*ret = RECORD_OK;
	for (i = 0; text && i < sizeof(all) / sizeof(all[0]); i++) {
		*ret = all[i];
		if (!strcmp(text, record_status_name(all[i])))
			return 0;
	}
	if (!text)
		return 0;
	return refuse(csv,
		      "a status is ok, failed, broken, skipped, timeout or interrupted, "
		      "not",
		      text);
}

static int get_metric(const struct csv *csv, struct record_metric *metric)
{
	const char *better = get(csv, BETTER);
	uint64_t digits;

	*metric = (struct record_metric){
		.name = get(csv, METRIC),
		.unit = get(csv, UNIT),
		.better_higher = better && !strcmp(better, "higher"),
		.digits = -1,
	};
	if (!metric->better_higher && (!better || strcmp(better, "lower")))
		return refuse(csv, "better is lower or higher, not",
			      better ? better : "");
	if (get_uint(csv, N, INT64_MAX, &metric->n) ||
	    get_uint(csv, DIGITS, DIGITS_MAX, &digits) ||
	    get_real(csv, STDDEV, &metric->stddev) || get_real(csv, VALUE, &metric->mean))
		return csv->err->code;
	if (get(csv, DIGITS))
		metric->digits = (int)digits;
	metric->is_summary = metric->n || get(csv, STDDEV) || get(csv, DIGITS);
	return 0;
}

static int add_row(struct csv *csv, struct import_value *value, struct jval *point)
{
	struct err why = { 0 };
	int bad;

	value->point = point;
	if (get_metric(csv, &value->metric) || get_status(csv, &value->status) ||
	    get_uint(csv, BLOCK, STEP_MAX, &value->block) ||
	    get_uint(csv, ITERATION, STEP_MAX, &value->iteration))
		return csv->err->code;
	if (value->status != RECORD_OK && get(csv, VALUE))
		return refuse(csv, "only what is ok has a value, this one is",
			      get(csv, STATUS));
	bad = import_add(csv->import, value, &why);
	if (!bad || bad == -ENOMEM)
		return bad ? err_nomem(csv->err) : 0;
	return err_set(csv->err, -EPROTO, "%s:%zu: %s", csv->name, csv->start_line,
		       why.text);
}

static int read_row(struct csv *csv)
{
	struct import_value value = { 0 };
	struct jval *point = NULL;
	int bad;

	csv->start_line = csv->line;
	bad = read_fields(csv);
	value.column = get(csv, COLUMN);
	value.workload = get(csv, WORKLOAD);
	value.variant = get(csv, VARIANT) ? get(csv, VARIANT) : value.workload;
	value.machine = get(csv, MACHINE);
	value.boot = get(csv, BOOT);
	if (!bad)
		bad = get_point(csv, &point);
	if (!bad)
		bad = add_row(csv, &value, point);
	jval_free(point);
	drop_fields(csv);
	return bad;
}

int import_csv(struct import *import, const char *text, size_t len, const char *name,
	       struct err *err)
{
	struct err local = { 0 };
	struct csv csv = {
		.import = import,
		.name = name,
		.at = text,
		.end = text + len,
		.line = 1,
		.start_line = 1,
		.err = err ? err : &local,
	};
	int bad = read_header(&csv);

	while (!bad && csv.at < csv.end) {
		if (at_line_end(&csv))
			end_line(&csv);
		else
			bad = read_row(&csv);
	}
	if (!bad && !import_count(import))
		bad = err_set(csv.err, -EPROTO, "%s holds no figures", name);
	return bad;
}
