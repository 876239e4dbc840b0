// SPDX-License-Identifier: GPL-2.0-or-later
/* What the program printed, checked; see output.h. */
#include "benchmarks/reaim/output.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "benchmarks/native.h"
#include "benchmarks/reaim/formula.h"
#include "benchmarks/reaim/mixes.h"
#include "benchmarks/reaim/own.h"
#include "benchmarks/reaim/share.h"
#include "lib/err.h"
#include "lib/json.h"

/* struct expected - what each child must have done; UINT64_MAX: it isn't known */
struct expected {
	uint64_t jobs, syncs;
};

static uint64_t syncs_of(const struct workfile *workfile, uint64_t jobs)
{
	static const struct {
		const char *test;
		uint64_t nr;
	} points[] = {
		{ "disk_cp", 3 }, { "disk_rd", 2 },  { "disk_rr", 2 },
		{ "disk_rw", 2 }, { "disk_wrt", 2 },
	};
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < sizeof(points) / sizeof(points[0]); i++) {
		const char *name = points[i].test;

		sum += points[i].nr *
		       workfile_jobs(workfile, reaim_test_find(name, strlen(name)), jobs);
	}
	return sum;
}

/* What a mix comes to; false where the file isn't the one any more that ran. */
static bool find_workfile(const struct workload *workload, struct workfile *ret)
{
	const char *text = reaim_mix_text(workload_word(workload, "mix"));
	struct workfile_fault fault;
	struct own own = { 0 };

	if (text)
		return !workfile_read(text, strlen(text), ret, &fault);
	if (own_read(workload_text(workload, "workfile"), &own, NULL) ||
	    own.sum != workload_uint(workload, "sum"))
		return false;
	*ret = own.workfile;
	return true;
}

uint64_t reaim_jobs_per_child(const struct workload *workload)
{
	struct workfile workfile;

	if (!find_workfile(workload, &workfile))
		return 0;
	return workfile_all_jobs(&workfile, workload_uint(workload, "jobs"));
}

static int expect(const struct workload *workload, const struct jval *object,
		  struct expected *ret, struct err *err)
{
	uint64_t jobs = workload_uint(workload, "jobs");
	struct workfile workfile;

	ret->syncs = UINT64_MAX;
	if (!find_workfile(workload, &workfile)) {
		if (jval_uint(jval_get(object, "jobs_per_child"), &ret->jobs) &&
		    ret->jobs)
			return 0;
		return err_set(err, -EPROTO, "the output has no count of jobs per child");
	}
	ret->jobs = workfile_all_jobs(&workfile, jobs);
	if (!strcmp(workload_word(workload, "sync_mode"), "off"))
		ret->syncs = 0;
	else
		ret->syncs = syncs_of(&workfile, jobs);
	return bench_native_count(object, "jobs_per_child", "jobs per child", ret->jobs,
				  err);
}

static int check_counts(const struct workload *workload, const struct jval *object,
			const struct expected *expected, struct err *err)
{
	uint64_t children =
		workload_uint(workload, "users") * workload_uint(workload, "repeat");
	bool is_run = !strncmp(workload_word(workload, "sync_mode"), "exec", 4);
	uint64_t syncs;
	int bad = bench_native_count(object, "done", "jobs", children * expected->jobs,
				     err);

	if (bad)
		return bad;
	if (expected->syncs != UINT64_MAX)
		bad = bench_native_count(object, "syncs", "sync points",
					 children * expected->syncs, err);
	if (!bad && !jval_uint(jval_get(object, "syncs"), &syncs))
		bad = err_set(err, -EPROTO, "the output has no count of sync points");
	if (!bad)
		bad = bench_native_count(object, "execs", "programs run at sync points",
					 is_run ? syncs : 0, err);
	return bad;
}

static bool is_same(double a, double b)
{
	return fabs(a - b) <= 1e-6 * fabs(b);
}

/* The mean rate of all load points, by their ticks; false when they aren't there. */
static bool rate_of_ticks(const struct workload *workload, const struct jval *object,
			  uint64_t jobs, double *ret)
{
	const struct jval *ticks = jval_get(object, "ticks");
	uint64_t repeat = workload_uint(workload, "repeat");
	double sum = 0;
	uint64_t nr, i;

	if (jval_count(ticks) != repeat || !jval_is_array(ticks))
		return false;
	for (i = 0; i < repeat; i++) {
		if (!jval_uint(jval_item(ticks, i), &nr) || !nr)
			return false;
		sum += formula_rate(jobs, workload_uint(workload, "users"),
				    (double)nr / REAIM_TICKS_SEC);
	}
	*ret = sum / (double)repeat;
	return true;
}

static int check_formulas(const struct workload *workload, const struct jval *object,
			  uint64_t jobs, struct err *err)
{
	const struct jval *metrics = jval_get(object, "metrics");
	uint64_t users = workload_uint(workload, "users");
	double rate, child, expected, nominal;

	if (!rate_of_ticks(workload, object, jobs, &expected))
		return err_set(err, -EPROTO,
			       "'ticks' must have a number above 0 for each load point");
	if (!jval_real(jval_get(metrics, "jobs_per_min"), &rate) ||
	    !is_same(rate, expected))
		return err_set(err, -EPROTO,
			       "the ticks make %.9g jobs/min, the program printed %.9g",
			       expected, rate);
	if (!jval_real(jval_get(metrics, "jobs_per_min_child"), &child) ||
	    !is_same(child * (double)users, rate))
		return err_set(err, -EPROTO,
			       "jobs_per_min_child must be jobs_per_min by %ju users",
			       (uintmax_t)users);
	nominal = (double)(users * workload_uint(workload, "jobs") *
			   workload_uint(workload, "repeat"));
	if (!jval_real(jval_get(metrics, "workload"), &expected) ||
	    !is_same(expected, nominal))
		return err_set(err, -EPROTO,
			       "the program printed a workload of %.9g, expected %.9g",
			       expected, nominal);
	return 0;
}

int reaim_parse(const struct workload *workload, const char *out, size_t len,
		struct bench_samples *samples, struct err *err)
{
	struct bench_samples found = { .nr = 0 };
	struct expected expected;
	struct jval *object;
	int bad = bench_native_parse(workload, out, len, &found, &object, err);

	if (bad)
		return bad;
	bad = expect(workload, object, &expected, err);
	if (!bad)
		bad = check_counts(workload, object, &expected, err);
	if (!bad)
		bad = check_formulas(workload, object, expected.jobs, err);
	if (!bad)
		*samples = found;
	jval_free(object);
	return bad;
}
