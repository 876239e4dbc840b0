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
#include "benchmarks/reaim/limits.h"
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

/* The next line of nine numbers from *@at on; false: there is none. */
static bool next_numbers(const char **at, const char *end, double numbers[NR_COLUMNS])
{
	while (*at < end) {
		const char *newline = memchr(*at, '\n', (size_t)(end - *at));
		const char *line = *at;

		newline = newline ? newline : end;
		*at = newline < end ? newline + 1 : end;
		if (read_numbers(line, newline, numbers))
			return true;
	}
	return false;
}

static int find_numbers(const char *out, size_t len, double ret[NR_COLUMNS],
			struct err *err)
{
	const char *end = out + len;
	const char *at = out;
	double numbers[NR_COLUMNS];
	size_t nr = 0;

	while (next_numbers(&at, end, numbers)) {
		memcpy(ret, numbers, sizeof(numbers));
		nr++;
	}
	if (nr == 1)
		return 0;
	return err_set(err, -EPROTO,
		       "%zu lines of nine numbers in the output, expected exactly one",
		       nr);
}

static int add_numbers(const struct bench_ops *ops, const double *numbers,
		       struct bench_samples *samples, struct err *err)
{
	int bad = 0;
	int i;

	for (i = 1; !bad && i < NR_COLUMNS; i++)
		bad = bench_sample_add(ops, samples, columns[i], numbers[i], err);
	return bad;
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

	if (!bad)
		bad = find_numbers(out, len, numbers, err);
	if (!bad)
		bad = check_numbers(workload, numbers, best, err);
	if (!bad)
		bad = add_numbers(workload->ops, numbers, &found, err);
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

/* Both rates have two decimals, and that of a user is taken @users times. */
static int check_point(const double *numbers, struct err *err)
{
	double users = numbers[0];

	if (!(users >= 1 && users <= REAIM_MAX_USERS) || users != floor(users))
		return err_set(err, -EPROTO,
			       "a line of nine numbers begins with %.15g, expected a "
			       "number of users",
			       users);
	if (fabs(users * numbers[5] - numbers[4]) <= 0.0051 * (users + 1))
		return 0;
	return err_set(err, -EPROTO,
		       "%.15g users of %.2f jobs/min each don't make %.2f jobs/min",
		       users, numbers[5], numbers[4]);
}

int osdl_points(const struct bench_ops *ops, const char *out, size_t len,
		osdl_point_fn *fn, void *data, struct err *err)
{
	const struct upstream upstream = { out, len, err };
	double numbers[NR_COLUMNS] = { 0 };
	const char *at = out;
	double most = 0;
	double best;
	int bad = upstream_number(&upstream, "Max Jobs per Minute ", "", 2, &best);

	while (!bad && next_numbers(&at, out + len, numbers)) {
		struct bench_samples samples = { .nr = 0 };

		bad = check_point(numbers, err);
		if (!bad)
			bad = add_numbers(ops, numbers, &samples, err);
		if (!bad)
			bad = fn((uint64_t)numbers[0], &samples, data, err);
		most = fmax(most, numbers[4]);
	}
	if (bad || best == most)
		return bad;
	return err_set(err, -EPROTO, "the best rate is %.2f, that of the lines %.2f",
		       best, most);
}
