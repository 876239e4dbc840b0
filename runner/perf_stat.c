// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the lines of perf stat; see perf_stat.h. */
#include "runner/perf_stat.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/json.h"

enum { MAX_DIGITS = 20 };

/**
 * struct reader - one file being read
 * @nr_lines: that came so far
 * @nr_starts: of them, how many begin a call of perf stat
 */
struct reader {
	struct perf_counts *counts;
	size_t nr_lines, nr_starts;
	struct err *err;
};

static int refuse(const struct reader *reader, const char *what)
{
	return err_set(reader->err, -EPROTO,
		       "line %zu %s (expected the output of one `perf stat -j`)",
		       reader->nr_lines, what);
}

/* Digits and a point: no grouping, no comma, whatever perf's locale was. */
static bool plain_number(const char *text, double *ret)
{
	size_t whole = strspn(text, "0123456789");
	const char *rest = text + whole;

	if (!whole || whole > MAX_DIGITS)
		return false;
	if (*rest == '.') {
		size_t decimals = strspn(++rest, "0123456789");

		if (!decimals)
			return false;
		rest += decimals;
	}
	if (*rest)
		return false;
	*ret = strtod(text, NULL);
	return true;
}

/* Where the modifier begins, or the end: "cycles:u", "cpu_core/cycles/u". */
static const char *modifier_of(const char *event)
{
	const char *slash = strrchr(event, '/');
	const char *colon = strrchr(event, ':');

	if (slash && slash != event)
		return slash + 1;
	/* A tracepoint is sched:sched_switch, and its own name no modifier. */
	if (colon && !colon[1 + strspn(colon + 1, "ukhGHpPSDWIe")])
		return colon + 1;
	return event + strlen(event);
}

static bool is_user_only(const char *event)
{
	const char *modifier = modifier_of(event);

	return strchr(modifier, 'u') && !strchr(modifier, 'k');
}

/* What only ever happens in the kernel reads 0 with :u. Tracepoints do, as well. */
static bool is_of_kernel(const char *event)
{
	static const char *const names[] = { "context-switches", "cs", "cpu-migrations",
					     "migrations", "cgroup-switches" };
	size_t len = strcspn(event, ":");
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == len && !memcmp(event, names[i], len))
			return true;
	return event[len] && event + len + 1 != modifier_of(event);
}

static const char *why_missing(const char *event, const char *value)
{
	if (!strcmp(value, "<not supported>"))
		return "not supported by this machine";
	if (!strcmp(value, "<not counted>"))
		return "not counted, it never ran";
	if (is_user_only(event) && is_of_kernel(event))
		return "not measurable without the kernel's part (see "
		       "kernel.perf_event_paranoid)";
	return NULL;
}

static int take_text(const struct reader *reader, const struct jval *json,
		     const char *key, char *out, size_t size)
{
	const char *text = jval_get_text(json, key);

	if (!text)
		return refuse(reader, "has no text 'event' or 'unit'");
	if (strlen(text) >= size)
		return refuse(reader, "has an 'event' or 'unit' that is too long");
	memcpy(out, text, strlen(text) + 1);
	return 0;
}

/* Each of them splits an event over several lines, of which none is the count. */
static const char *foreign_key(const struct jval *json)
{
	static const char *const keys[] = { "interval", "cpu",	  "core",     "socket",
					    "die",	"node",	  "cache",    "cluster",
					    "thread",	"cgroup", "variance", NULL };
	size_t i;

	for (i = 0; keys[i]; i++)
		if (jval_get(json, keys[i]))
			return keys[i];
	return NULL;
}

static bool is_known(const struct perf_counts *counts, const char *event)
{
	size_t i;

	for (i = 0; i < counts->nr; i++)
		if (!strcmp(counts->count[i].event, event))
			return true;
	return false;
}

static int take_value(const struct reader *reader, const struct jval *json,
		      struct perf_count *count)
{
	const struct jval *value = jval_get(json, "counter-value");
	const char *text = jval_text(value);

	count->value = count->running = (double)NAN;
	(void)jval_real(jval_get(json, "pcnt-running"), &count->running);
	count->missing = text ? why_missing(count->event, text) : NULL;
	if (count->missing)
		return 0;
	if (text ? !plain_number(text, &count->value) : !jval_real(value, &count->value))
		return refuse(reader, "has no plain number in 'counter-value'");
	/* Never switched on, though perf printed a number for it. */
	if (count->running <= 0.0) {
		count->missing = "not counted, it never ran";
		count->value = (double)NAN;
	}
	return 0;
}

static int take_object(struct reader *reader, const struct jval *json)
{
	struct perf_counts *counts = reader->counts;
	const char *key = foreign_key(json);
	struct perf_count *count;

	if (key)
		return err_set(
			reader->err, -EPROTO,
			"line %zu has a '%s': the output of perf stat with -I, -A, "
			"-r or --per-... isn't read (expected one count an event)",
			reader->nr_lines, key);
	/* Newer perfs give a further figure derived from the event before its own line. */
	if (!jval_get(json, "counter-value") && jval_get(json, "metric-value"))
		return 0;
	if (counts->nr == PERF_STAT_MAX_COUNTS)
		return refuse(reader, "is one event too many");
	count = &counts->count[counts->nr];
	if (take_text(reader, json, "event", count->event, sizeof(count->event)) ||
	    take_text(reader, json, "unit", count->unit, sizeof(count->unit)))
		return -EPROTO;
	if (is_known(counts, count->event))
		return refuse(reader, "has an event that is there already");
	counts->nr++;
	return take_value(reader, json, count);
}

static int take_line(struct reader *reader, const char *line, size_t len)
{
	static const char start[] = "# started on ";
	struct jval *json = NULL;
	int bad;

	reader->nr_lines++;
	while (len && strchr(" \t\r", line[len - 1]))
		len--;
	if (!len)
		return 0;
	if (len > strlen(start) && !memcmp(line, start, strlen(start)))
		return reader->nr_starts++ || reader->counts->nr
			       ? refuse(reader, "begins a second output")
			       : 0;
	if (*line != '{')
		return refuse(reader, "is no JSON object, as those for people and of -x "
				      "aren't");
	if (jval_parse(line, len, &json, NULL))
		return refuse(reader, "is no whole JSON object");
	bad = take_object(reader, json);
	jval_free(json);
	return bad;
}

int perf_stat_parse(const char *text, size_t len, struct perf_counts *ret,
		    struct err *err)
{
	struct perf_counts counts = { 0 };
	struct reader reader = { .counts = &counts, .err = err };
	const char *at = text;
	const char *end = text + len;
	int bad = 0;

	if (memchr(text, '\0', len))
		return err_set(err, -EPROTO, "there is a NUL in the output of perf stat");
	while (!bad && at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *stop = newline ? newline : end;

		bad = take_line(&reader, at, (size_t)(stop - at));
		at = stop + 1;
	}
	if (!bad && !counts.nr)
		bad = err_set(err, -EPROTO, "perf stat counted nothing");
	if (!bad)
		*ret = counts;
	return bad;
}

bool perf_stat_is_of(const char *event, const char *asked)
{
	size_t len = strlen(asked);
	size_t modifier = (size_t)(modifier_of(event) - event);
	const char *slash = strchr(event, '/');

	if (!strncmp(event, asked, len) && (!event[len] || modifier == len + 1))
		return true;
	return slash && !strncmp(slash + 1, asked, len) && slash[1 + len] == '/' &&
	       modifier == (size_t)(slash - event) + len + 2;
}
