// SPDX-License-Identifier: GPL-2.0-or-later
/* What an installed reaim is asked and prints; see osdl.h. */
#include "benchmarks/reaim/osdl.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/native.h"
#include "benchmarks/reaim/formula.h"
#include "benchmarks/reaim/output.h"
#include "benchmarks/upstream.h"
#include "lib/err.h"

enum { NR_COLUMNS = 9, MAX_DIGITS = 15 };

/* Its columns; "users" is no metric. */
static const char *const columns[NR_COLUMNS] = {
	"users",	"parent_time",	   "child_systime",
	"child_utime",	"jobs_per_min",	   "jobs_per_min_child",
	"std_dev_time", "std_dev_percent", "jti",
};

int osdl_check(const struct workload *workload, struct err *err)
{
	const char *word = workload_word(workload, "sync_mode");

	if (strcmp(word, "exec-sync") != 0 && strcmp(word, "off") != 0)
		return err_set(err, -EINVAL,
			       "program reaim knows sync_mode exec-sync and off, not %s",
			       word);
	if (workload_uint(workload, "repeat") != 1)
		return err_set(err, -EINVAL,
			       "program reaim runs one load point: repeat must be 1");
	return 0;
}

int osdl_plan(const struct workload *workload, unsigned int iteration,
	      struct bench_command *command)
{
	int bad = bench_native_plan(workload, iteration, command);

	return bad ? bad : bench_arg(command, "--upstream");
}

/* The next number of a line, digits and at most one point; false for anything else. */
static bool next_number(const char **at, const char *end, double *ret)
{
	char text[2 * MAX_DIGITS + 2] = "";
	size_t len;

	while (*at < end && (**at == ' ' || **at == '\t'))
		(*at)++;
	len = strspn(*at, "0123456789.");
	if (!len || len >= sizeof(text) || *at + len > end || **at == '.')
		return false;
	memcpy(text, *at, len);
	if (strchr(text, '.') != strrchr(text, '.'))
		return false;
	*at += len;
	*ret = strtod(text, NULL);
	return true;
}

/* Whether a line is nine numbers and nothing else. */
static bool read_numbers(const char *at, const char *end, double numbers[NR_COLUMNS])
{
	int i;

	for (i = 0; i < NR_COLUMNS; i++)
		if (!next_number(&at, end, &numbers[i]))
			return false;
	while (at < end && strchr(" \t\r", *at))
		at++;
	return at == end;
}

static int find_numbers(const char *out, size_t len, double ret[NR_COLUMNS],
			struct err *err)
{
	const char *end = out + len;
	const char *at = out;
	double numbers[NR_COLUMNS];
	size_t nr = 0;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		newline = newline ? newline : end;
		if (read_numbers(at, newline, numbers)) {
			memcpy(ret, numbers, sizeof(numbers));
			nr++;
		}
		at = newline < end ? newline + 1 : end;
	}
	if (nr == 1)
		return 0;
	return err_set(err, -EPROTO,
		       "%zu lines of nine numbers in the output, expected exactly one",
		       nr);
}

static int check_numbers(const struct workload *workload, const double *numbers,
			 double best, struct err *err)
{
	uint64_t users = workload_uint(workload, "users");
	uint64_t jobs = reaim_jobs_per_child(workload);
	double rate = formula_rate(jobs, users, numbers[1]);

	if (numbers[0] != (double)users)
		return err_set(err, -EPROTO,
			       "asked for users %ju, the program ran users %.15g",
			       (uintmax_t)users, numbers[0]);
	if (!(numbers[1] > 0))
		return err_set(err, -EPROTO,
			       "all was done in less than a tick of 10 ms, too little to "
			       "be measured: ask for more jobs");
	/* Two decimals are printed. */
	if (jobs && !(fabs(rate - numbers[4]) <= 0.0051))
		return err_set(err, -EPROTO,
			       "%ju jobs of %ju users in %.2f s make %.2f jobs/min, the "
			       "program printed %.2f",
			       (uintmax_t)jobs, (uintmax_t)users, numbers[1], rate,
			       numbers[4]);
	if (best != numbers[4])
		return err_set(err, -EPROTO,
			       "the best rate is %.2f, and the only one %.2f", best,
			       numbers[4]);
	return 0;
}

int osdl_parse(const struct workload *workload, const char *out, size_t len,
	       struct bench_samples *samples, struct err *err)
{
	const struct upstream upstream = { out, len, err };
	struct bench_samples found = { .nr = 0 };
	double numbers[NR_COLUMNS] = { 0 };
	double best;
	int bad = upstream_number(&upstream, "Max Jobs per Minute ", "", 2, &best);
	int i;

	if (!bad)
		bad = find_numbers(out, len, numbers, err);
	if (!bad)
		bad = check_numbers(workload, numbers, best, err);
	for (i = 1; !bad && i < NR_COLUMNS; i++)
		bad = bench_sample_add(workload->ops, &found, columns[i], numbers[i],
				       err);
	if (!bad)
		bad = bench_sample_add(workload->ops, &found, "max_jobs_per_min", best,
				       err);
	if (!bad)
		bad = bench_sample_add(workload->ops, &found, "workload",
				       (double)(workload_uint(workload, "users") *
						workload_uint(workload, "jobs")),
				       err);
	if (!bad)
		*samples = found;
	return bad;
}
