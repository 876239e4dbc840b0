// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the output of sysbench; see output.h. */
#include "benchmarks/sysbench/output.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/upstream.h"
#include "lib/err.h"

enum { REST_MAX = 80, READS = 14, OTHERS = 2, MAX_DIGITS = 15 };

/*
 * How far the time behind a rate may be from the time told: both are taken by one
 * thread, one after the other, and it may have to wait for a CPU in between.
 */
#define TIME_SLACK	0.02
#define TIME_SLACK_SEC	0.1
#define RATE_RESOLUTION 0.01

/* Digits and, where asked for, a point and two more; what follows them, or NULL. */
static const char *read_plain(const char *at, bool has_decimals, double *ret)
{
	size_t whole = strspn(at, "0123456789");
	const char *end = at + whole;

	if (!whole || whole > MAX_DIGITS || (*at == '0' && whole > 1))
		return NULL;
	if (has_decimals) {
		if (*end != '.' || strspn(end + 1, "0123456789") != 2)
			return NULL;
		end += 3;
	}
	*ret = strtod(at, NULL);
	return end;
}

/* A line's number behind its blanks, with or without two decimals, and its unit. */
static int read_number(const struct upstream *upstream, const char *name,
		       bool has_decimals, const char *unit, double *ret)
{
	char rest[REST_MAX];
	const char *end;
	double value;
	int bad = upstream_rest(upstream, name, rest, sizeof(rest));

	if (bad)
		return bad;
	end = read_plain(rest, has_decimals, &value);
	if (!end || strcmp(end, unit) != 0)
		return err_set(upstream->err, -EPROTO,
			       "expected a plain number%s%s%s behind '%s', found '%s'",
			       has_decimals ? " with 2 decimals" : "",
			       *unit ? " and " : "", unit, name, rest);
	*ret = value;
	return 0;
}

/* "N (R per sec.)" behind a line's name. */
static int read_rate(const struct upstream *upstream, const char *name, double *ret_nr,
		     double *ret_rate)
{
	char rest[REST_MAX];
	const char *end;
	double nr = 0;
	double rate = 0;
	int bad = upstream_rest(upstream, name, rest, sizeof(rest));

	if (bad)
		return bad;
	end = read_plain(rest, false, &nr);
	if (end)
		end += strspn(end, " ");
	end = end && *end == '(' ? read_plain(end + 1, true, &rate) : NULL;
	if (!end || strcmp(end, " per sec.)") != 0)
		return err_set(upstream->err, -EPROTO,
			       "expected 'N (R per sec.)' behind '%s', found '%s'", name,
			       rest);
	*ret_nr = nr;
	*ret_rate = rate;
	return 0;
}

static int read_version(const struct upstream *upstream, bool *ret_is_04)
{
	char rest[2 * REST_MAX];
	int bad = upstream_rest(upstream, "sysbench ", rest, sizeof(rest));

	if (bad)
		return bad;
	*ret_is_04 = !strncmp(rest, "0.4.", 4);
	if (*ret_is_04 || !strncmp(rest, "1.0.", 4))
		return 0;
	return err_set(upstream->err, -EPROTO,
		       "the output is of sysbench '%s' (expected version 1.0 or 0.4)",
		       rest);
}

static int check_extent(const struct upstream *upstream, const struct sysbench_ask *ask,
			const struct sysbench_result *result)
{
	if (ask->events && result->events != (double)ask->events)
		return err_set(upstream->err, -EPROTO,
			       "asked for %ju events, the program did %.0f",
			       (uintmax_t)ask->events, result->events);
	if (result->seconds <= 0 || result->seconds < (double)ask->seconds)
		return err_set(upstream->err, -EPROTO,
			       "asked for %ju seconds, the program ran %.4f",
			       (uintmax_t)ask->seconds, result->seconds);
	return 0;
}

static int read_latency(const struct upstream *upstream, struct sysbench_result *result)
{
	const char *unit = result->is_04 ? "ms" : "";
	int bad = read_number(upstream, "avg:", true, unit, &result->mean_ms);

	if (!bad)
		bad = read_number(upstream,
				  result->is_04 ? "approx.  95 percentile:"
						: "95th percentile:",
				  true, unit, &result->p95_ms);
	return bad;
}

int sysbench_read(const struct upstream *upstream, const struct sysbench_ask *ask,
		  struct sysbench_result *ret)
{
	struct sysbench_result result = { 0 };
	int bad;

	bad = upstream_says(upstream, "Number of threads:", "", "Number of threads: %ju",
			    (uintmax_t)ask->threads);
	if (!bad)
		bad = read_version(upstream, &result.is_04);
	if (!bad)
		bad = upstream_says(upstream, "Threads started", "", "Threads started!");
	if (!bad)
		bad = upstream_number(upstream,
				      "total time:                          ", "s", 4,
				      &result.seconds);
	if (!bad)
		bad = read_number(upstream, "total number of events:", false, "",
				  &result.events);
	if (!bad)
		bad = check_extent(upstream, ask, &result);
	if (!bad)
		bad = read_latency(upstream, &result);
	if (!bad)
		*ret = result;
	return bad;
}

/* sysbench takes the time of a rate and of the whole at two moments. */
static int check_rate(const struct upstream *upstream,
		      const struct sysbench_result *result, double rate)
{
	double least =
		result->events / (result->seconds * (1 + TIME_SLACK) + TIME_SLACK_SEC);
	double shortest = result->seconds * (1 - TIME_SLACK) - TIME_SLACK_SEC;

	if (rate >= least - RATE_RESOLUTION &&
	    (shortest <= 0.0 || rate <= result->events / shortest + RATE_RESOLUTION))
		return 0;
	return err_set(upstream->err, -EPROTO,
		       "%.0f events in %.4f s and a rate of %.2f don't go together",
		       result->events, result->seconds, rate);
}

int sysbench_read_rate(const struct upstream *upstream,
		       const struct sysbench_result *result, double *ret)
{
	double rate = result->events / result->seconds;
	int bad = 0;

	if (!result->is_04)
		bad = read_number(upstream, "events per second:", true, "", &rate);
	if (!bad)
		bad = check_rate(upstream, result, rate);
	if (!bad)
		*ret = rate;
	return bad;
}

static int check_count(const struct upstream *upstream, const char *what, double expected,
		       double nr)
{
	if (nr == expected)
		return 0;
	return err_set(upstream->err, -EPROTO,
		       "the program counted %.0f %s, expected %.0f", nr, what, expected);
}

/* What may not happen: 0.4 knows deadlocks only, 1.0 all errors that go unnoticed. */
static int check_errors(const struct upstream *upstream, bool is_04)
{
	double nr, rate;
	int bad =
		read_rate(upstream, is_04 ? "deadlocks:" : "ignored errors:", &nr, &rate);

	if (!bad)
		bad = check_count(upstream, is_04 ? "deadlocks" : "ignored errors", 0,
				  nr);
	if (bad || is_04)
		return bad;
	bad = read_rate(upstream, "reconnects:", &nr, &rate);
	return bad ? bad : check_count(upstream, "reconnects", 0, nr);
}

int sysbench_read_queries(const struct upstream *upstream,
			  const struct sysbench_result *result,
			  struct sysbench_queries *ret)
{
	struct sysbench_queries queries;
	double writes, total;
	int bad;

	bad = read_rate(upstream, "transactions:", &queries.transactions, &queries.rate);
	if (!bad)
		bad = read_number(upstream, "read:", false, "", &queries.reads);
	if (!bad)
		bad = read_number(upstream, "write:", false, "", &writes);
	if (!bad)
		bad = read_number(upstream, "other:", false, "", &queries.others);
	if (!bad)
		bad = read_number(upstream, "total:", false, "", &total);
	if (!bad)
		bad = check_errors(upstream, result->is_04);
	if (!bad)
		bad = check_count(upstream, "transactions", result->events,
				  queries.transactions);
	if (!bad)
		bad = check_count(upstream, "reads", READS * result->events,
				  queries.reads);
	if (!bad)
		bad = check_count(upstream, "writes", 0, writes);
	if (!bad)
		bad = check_count(upstream, "other operations", OTHERS * result->events,
				  queries.others);
	if (!bad)
		bad = check_count(upstream, "queries in all",
				  queries.reads + queries.others, total);
	if (!bad)
		bad = check_rate(upstream, result, queries.rate);
	if (!bad)
		*ret = queries;
	return bad;
}
