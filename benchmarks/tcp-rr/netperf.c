// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * netperf, which runs one pair against a netserver that somebody has started on
 * this machine. Where there is none, netperf says so and the iteration fails.
 *
 * It prints a title that names the test and the address, a header, and one line of
 * six numbers: two sizes of sockets, request, response, seconds and transactions a
 * second. Sizes and seconds are held against what was asked for.
 */
#include "benchmarks/tcp-rr/netperf.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/native.h"
#include "benchmarks/upstream.h"
#include "lib/err.h"

enum { NR_FIELDS = 6, LINE_SIZE = 256 };

static bool is_tcp(const struct workload *workload)
{
	return !strcmp(workload->ops->name, "tcp-rr");
}

int netperf_check(const struct workload *workload, unsigned int nr_cpus, struct err *err)
{
	uint64_t pairs = workload_uint(workload, "pairs");

	(void)nr_cpus;
	if (strcmp(workload->program->name, "netperf") != 0 || pairs == 1)
		return 0;
	return err_set(err, -EINVAL,
		       "netperf runs one pair, so 'pairs' must be 1, not %ju",
		       (uintmax_t)pairs);
}

int netperf_plan(const struct workload *workload, unsigned int iteration,
		 struct bench_command *command)
{
	bool bad = bench_arg(command, "netperf") || bench_arg(command, "-4") ||
		   bench_arg(command, "-H") || bench_arg(command, "127.0.0.1") ||
		   bench_arg(command, "-t") ||
		   bench_arg(command, is_tcp(workload) ? "TCP_RR" : "UDP_RR") ||
		   bench_arg(command, "-l") ||
		   bench_arg(command, "%ju",
			     (uintmax_t)workload_uint(workload, "seconds")) ||
		   bench_arg(command, "--") || bench_arg(command, "-r") ||
		   bench_arg(command, "%ju,%ju",
			     (uintmax_t)workload_uint(workload, "request"),
			     (uintmax_t)workload_uint(workload, "response"));

	(void)iteration;
	/* Without Nagle's delay, as ours. */
	if (!bad && is_tcp(workload))
		bad = bench_arg(command, "-D");
	return bad ? -ENOMEM : 0;
}

/* Reads a line of nothing but six numbers; false for any other. */
static bool read_fields(const char *line, double field[NR_FIELDS])
{
	const char *at = line + strspn(line, " \t");
	size_t nr = 0;

	while (*at && nr < NR_FIELDS) {
		size_t len = strspn(at, "0123456789.");
		char *end;

		if (!len || at[len - 1] == '.' || (at[len] && !strchr(" \t\r", at[len])))
			return false;
		field[nr++] = strtod(at, &end);
		if (end != at + len)
			return false;
		at += len + strspn(at + len, " \t\r");
	}
	return nr == NR_FIELDS && !*at;
}

/* The one line of results. */
static int find_fields(const struct upstream *upstream, double field[NR_FIELDS])
{
	const char *at = upstream->out;
	size_t nr = 0;

	while (*at) {
		char line[LINE_SIZE] = "";
		size_t len = strcspn(at, "\n");
		double found[NR_FIELDS];

		if (len < sizeof(line))
			memcpy(line, at, len);
		if (read_fields(line, found)) {
			memcpy(field, found, sizeof(found));
			nr++;
		}
		at += len + (at[len] == '\n');
	}
	if (nr == 1)
		return 0;
	return err_set(upstream->err, -EPROTO,
		       "%zu lines of six numbers in the output, expected exactly one",
		       nr);
}

static bool has_title(const struct upstream *upstream, const char *title)
{
	const char *found = strstr(upstream->out, title);

	return found && !strstr(found + 1, title);
}

static int check_title(const struct workload *workload, const struct upstream *upstream)
{
	const char *title = is_tcp(workload) ? "TCP REQUEST/RESPONSE TEST"
					     : "UDP REQUEST/RESPONSE TEST";

	if (!has_title(upstream, title))
		return err_set(upstream->err, -EPROTO,
			       "'%s' is not in the output exactly once", title);
	if (!strstr(upstream->out, " to 127.0.0.1 "))
		return err_set(upstream->err, -EPROTO,
			       "the output doesn't say 'to 127.0.0.1'");
	return 0;
}

static int check_fields(const struct workload *workload, const double field[NR_FIELDS],
			struct err *err)
{
	uint64_t request = workload_uint(workload, "request");
	uint64_t response = workload_uint(workload, "response");
	uint64_t seconds = workload_uint(workload, "seconds");

	if (field[2] != (double)request || field[3] != (double)response)
		return err_set(err, -EPROTO,
			       "asked for a request of %ju and a response of %ju bytes, "
			       "the program ran %g and %g",
			       (uintmax_t)request, (uintmax_t)response, field[2],
			       field[3]);
	if (field[4] < 0.99 * (double)seconds)
		return err_set(err, -EPROTO, "asked for %ju seconds, the program ran %g",
			       (uintmax_t)seconds, field[4]);
	return 0;
}

int netperf_parse(const struct workload *workload, const char *out, size_t len,
		  struct bench_samples *samples, struct err *err)
{
	const struct upstream upstream = { out, len, err };
	double field[NR_FIELDS] = { 0 };
	int bad = 0;

	if (!len)
		return err_set(err, -EPROTO, "the program printed nothing");
	if (memchr(out, '\0', len))
		return err_set(err, -EPROTO, "there is a NUL in the output");
	bad = check_title(workload, &upstream);
	if (!bad)
		bad = find_fields(&upstream, field);
	if (!bad)
		bad = check_fields(workload, field, err);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "rate", field[5], err);
	return bad;
}
