// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes samples for InfluxDB; see publish_influx.h. */
#include "compare/publish_influx.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/clock.h"
#include "lib/err.h"
#include "lib/json.h"
#include "record/ledger.h"
#include "record/record.h"

/* struct lines - the text so far */
struct lines {
	FILE *out;
	const char *run;
	size_t nr;
};

/* Tags: blanks, commas and equal signs divide; a line can't hold its end. */
static void put_escaped(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (strchr(" ,=", *text))
			(void)fputc('\\', out);
		/* A backslash would mask what follows, and has no escape. */
		(void)fputc(*text == '\\'		     ? '/'
			    : *text == '\n' || *text == '\r' ? ' '
							     : *text,
			    out);
	}
}

static void put_tag(FILE *out, const char *key, const char *text)
{
	if (!text || !*text)
		return;
	(void)fputc(',', out);
	put_escaped(out, key);
	(void)fputc('=', out);
	put_escaped(out, text);
}

static void put_string(FILE *out, const char *text)
{
	(void)fputc('"', out);
	for (; *text; text++) {
		if (strchr("\"\\", *text))
			(void)fputc('\\', out);
		(void)fputc(*text, out);
	}
	(void)fputc('"', out);
}

/* point_ in front: no parameter may be taken for a tag of ours. */
static int put_point(FILE *out, const struct jval *point)
{
	const struct jval *value;
	const char *key;
	void *pos = NULL;

	while (jval_each(point, &pos, &key, &value)) {
		char *text = jval_text(value) ? strdup(jval_text(value))
					      : jval_write(value, JVAL_CANONICAL);

		if (!text)
			return -ENOMEM;
		(void)fputs(",point_", out);
		put_escaped(out, key);
		(void)fputc('=', out);
		put_escaped(out, *text ? text : "-");
		free(text);
	}
	return 0;
}

/* RFC 3339 in UTC with milliseconds, as records have it. */
static int read_start(const char *text, uint64_t *ret_ns)
{
	struct tm utc = { 0 };
	const char *rest = text ? strptime(text, "%Y-%m-%dT%H:%M:%S", &utc) : NULL;
	char *end = NULL;
	unsigned long ms;
	time_t time;

	if (!rest || *rest != '.' || strspn(rest + 1, "0123456789") != 3)
		return -EINVAL;
	ms = strtoul(rest + 1, &end, 10);
	time = timegm(&utc);
	if (strcmp(end, "Z") != 0 || time <= 0)
		return -EINVAL;
	*ret_ns = (uint64_t)time * CLOCK_SEC + ms * (CLOCK_SEC / 1000);
	return 0;
}

static int put_sample(struct lines *lines, const struct record *record,
		      const struct record_metric *metric, double sample, uint64_t time_ns)
{
	FILE *out = lines->out;

	(void)fputs("schedgrid", out);
	put_tag(out, "machine", record->machine);
	put_tag(out, "executor", record->executor);
	put_tag(out, "column", record->column);
	put_tag(out, "workload", record->workload);
	put_tag(out, "variant", record->variant);
	put_tag(out, "metric", metric->name);
	put_tag(out, "unit", metric->unit);
	put_tag(out, "better", metric->better_higher ? "higher" : "lower");
	if (put_point(out, record->point))
		return -ENOMEM;
	(void)fprintf(out, " value=%.17g,run=", sample);
	put_string(out, lines->run);
	(void)fputs(",cell=", out);
	put_string(out, record->cell);
	(void)fprintf(out, ",iteration=%" PRIu64 "i,attempt=%" PRIu64 "i,flags=%ui",
		      record->iteration, record->attempt, record->flags);
	(void)fprintf(out, " %" PRIu64 "\n", time_ns);
	lines->nr++;
	return 0;
}

static int put_record(const struct record *record, void *data, struct err *err)
{
	struct lines *lines = data;
	uint64_t start_ns;
	size_t m, i;

	if (record->status != RECORD_OK || (record->flags & RECORD_WARMUP) ||
	    read_start(record->start, &start_ns))
		return 0;
	for (m = 0; m < record->nr_metrics; m++) {
		const struct record_metric *metric = &record->metrics[m];

		for (i = 0; !metric->is_summary && i < metric->nr_samples; i++)
			if (isfinite(metric->samples[i]) &&
			    put_sample(lines, record, metric, metric->samples[i],
				       start_ns + i))
				return err_nomem(err);
	}
	return 0;
}

int influx_write(const char *dir, const char *run, char **ret, size_t *ret_len,
		 struct err *err)
{
	struct lines lines = { NULL, run, 0 };
	uint64_t repeated;
	char *text = NULL;
	size_t len = 0;
	int bad;

	lines.out = open_memstream(&text, &len);
	if (!lines.out)
		return err_nomem(err);
	bad = ledger_read_once(dir, put_record, &lines, &repeated, err);
	if (fclose(lines.out) && !bad)
		bad = err_nomem(err);
	if (!bad && !lines.nr)
		bad = err_set(err, -ENODATA,
			      "'%s' has no sample for a time series (expected records "
			      "that are ok and say when they began)",
			      dir);
	if (bad) {
		free(text);
		return bad;
	}
	*ret = text;
	*ret_len = len;
	return 0;
}
