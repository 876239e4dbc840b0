// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dbench's tbench says what it was asked to do, then a line a second, then the
 * result. It ends well even when no client found a server, with a rate of 0, and
 * when a client was killed half-way, with a reply that never comes.
 */
#include "benchmarks/tbench/dbench.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/native.h"
#include "benchmarks/tbench/limits.h"
#include "benchmarks/upstream.h"
#include "lib/err.h"

enum { REST_SIZE = 160 };

/* Whole numbers and such with a point; @at is behind it afterwards. */
static bool take_number(const char **at, double *ret)
{
	static const char digits[] = "0123456789";
	size_t len = strspn(*at, digits);

	if (!len)
		return false;
	if ((*at)[len] == '.')
		len += 1 + strspn(*at + len + 1, digits);
	/* Of digits and a point only; the locale is C, as nobody calls setlocale(). */
	*ret = strtod(*at, NULL);
	*at += len;
	return true;
}

static bool take_text(const char **at, const char *text)
{
	size_t len = strlen(text);
	bool is_there = !strncmp(*at, text, len);

	*at += is_there ? len : 0;
	return is_there;
}

static int check_version(const struct upstream *upstream)
{
	char version[REST_SIZE];
	int bad = upstream_rest(upstream, "dbench version ", version, sizeof(version));

	if (bad || !strncmp(version, "4.00 ", 5))
		return bad;
	return err_set(upstream->err, -EPROTO, "dbench is of version '%s', expected 4.00",
		       version);
}

static int check_request(const struct workload *workload, const struct upstream *upstream,
			 const char *server)
{
	uint64_t seconds = workload_uint(workload, "seconds");
	char running[REST_SIZE], warmup[REST_SIZE];
	bool is_file = tbench_load_at(workload->choice[0])->first == 1;
	double number;
	int bad;

	(void)snprintf(running, sizeof(running), "Running for %ju seconds with load '%s",
		       (uintmax_t)seconds, is_file ? TBENCH_LOAD_FILE : "/proc/self/fd/");
	(void)snprintf(warmup, sizeof(warmup), "' and minimum warmup %ju secs",
		       (uintmax_t)(seconds / TBENCH_WARMUP_PART));
	if (is_file)
		bad = upstream_says(upstream, "Running for ", "", "%s%s", running,
				    warmup);
	else
		bad = upstream_number(upstream, running, warmup, 0, &number);
	if (bad)
		return bad;
	return upstream_says(upstream, "served by ", "", "served by %s", server);
}

/* Not cut short: the last line of its clock is that of the last second or so. */
static int check_time(const struct workload *workload, const struct upstream *upstream)
{
	static const char word[] = " MB/sec  execute ";
	uint64_t seconds = workload_uint(workload, "seconds");
	const char *at = upstream->out;
	double last = 0;

	while ((at = strstr(at, word))) {
		at += strlen(word);
		at += strspn(at, " ");
		if (!take_number(&at, &last))
			return err_set(upstream->err, -EPROTO,
				       "a line with 'execute' has no time");
	}
	if (last >= 1 && last + 2 >= (double)seconds)
		return 0;
	return err_set(upstream->err, -EPROTO,
		       "asked for %ju seconds, the program counted to %g",
		       (uintmax_t)seconds, last);
}

static int read_result(const struct workload *workload, const struct upstream *upstream,
		       double *ret_rate, double *ret_latency)
{
	uint64_t clients = workload_uint(workload, "clients");
	char rest[REST_SIZE], who[REST_SIZE];
	const char *at = rest;
	int bad = upstream_rest(upstream, "Throughput ", rest, sizeof(rest));

	if (bad)
		return bad;
	(void)snprintf(who, sizeof(who), " MB/sec  %ju clients  %ju procs  max_latency=",
		       (uintmax_t)clients, (uintmax_t)clients);
	if (take_number(&at, ret_rate) && take_text(&at, who) &&
	    take_number(&at, ret_latency) && !strcmp(at, " ms"))
		return 0;
	return err_set(upstream->err, -EPROTO,
		       "the program said 'Throughput %s', expected one of %ju clients "
		       "with a latency",
		       rest, (uintmax_t)clients);
}

int dbench_parse(const struct workload *workload, const char *out, size_t len,
		 const char *server, struct bench_samples *samples, struct err *err)
{
	const struct upstream upstream = { out, len, err };
	double seconds = (double)workload_uint(workload, "seconds");
	double rate, latency_ms;
	int bad = read_result(workload, &upstream, &rate, &latency_ms);

	if (!bad && rate <= 0)
		bad = err_set(err, -EPROTO,
			      "0 MB/s: no client was served at 127.0.0.1:%d",
			      TBENCH_PORT);
	if (!bad)
		bad = check_version(&upstream);
	if (!bad && server)
		bad = check_request(workload, &upstream, server);
	if (!bad)
		bad = check_time(workload, &upstream);
	if (!bad && latency_ms >= 500 * seconds)
		bad = err_set(err, -EPROTO,
			      "a client waited %g ms of %g s for a reply, or ended early",
			      latency_ms, seconds);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "rate", rate, err);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "max-latency", latency_ms,
				       err);
	return bad;
}
