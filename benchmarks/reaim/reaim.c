// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * reaim: users that each do a mix of small jobs in random order, as the AIM7-like
 * programs do; results can be held against reaim's own by its clock and formulas.
 *
 * Sensitive to fork and exec placement where the mix has disk tests, which run a
 * program at each sync point, and to fairness among users that do equal work. A
 * poor test of wakeups: users never wait for each other. On ticks of 10 ms a
 * short run has only a handful of different results.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "benchmarks/all.h"
#include "benchmarks/native.h"
#include "benchmarks/reaim/limits.h"
#include "benchmarks/reaim/osdl.h"
#include "benchmarks/reaim/output.h"
#include "benchmarks/reaim/own.h"
#include "lib/err.h"

enum { FILE_KIB = 10, POOL_KIB = 1024 /* where neither grid nor workfile says */ };

static const char *const mix_words[] = { "five_sec", "all_utime",    "compute",
					 "dbase",    "fserver",	     "shared",
					 "short",    "high_systime", "own",
					 NULL };
static const char *const sync_words[] = { "exec-sync", "exec-true", "fsync", "off",
					  NULL };

static const struct bench_choice choices[] = {
	{ .key = "mix", .words = mix_words },
	{ .key = "sync_mode", .words = sync_words, .silent = true },
	{ 0 },
};

static const struct bench_param params[] = {
	{
		.name = "users",
		.min = 1,
		.max = REAIM_MAX_USERS,
		.number = 4,
		.help = "processes that do the mix, all at once",
	},
	{
		.name = "jobs",
		.min = 1,
		.max = REAIM_MAX_JOBS,
		.number = 100,
		.help = "jobs of each user, before each test's share is rounded",
	},
	{
		.name = "repeat",
		.min = 1,
		.max = REAIM_MAX_REPEAT,
		.number = 1,
		.help = "load points of an iteration, one after the other; figures are "
			"their means",
	},
	{
		.name = "filesize",
		.min = 1,
		.max = REAIM_MAX_KIB,
		.number = BENCH_AUTO,
		.unit = "KiB",
		.help = "size of a user's file; auto: as the workfile says, else 10",
	},
	{
		.name = "poolsize",
		.min = 0,
		.max = REAIM_MAX_KIB,
		.number = BENCH_AUTO,
		.unit = "KiB",
		.help = "added to the users' files in equal shares; auto: as the workfile "
			"says, else 1024",
	},
	{
		.name = "diskdir",
		.type = BENCH_TEXT,
		.text = "/dev/shm",
		.help = "directory for the users' files, an absolute path",
	},
	{
		.name = "workfile",
		.type = BENCH_TEXT,
		.text = "",
		.help = "of mix own: a file of lines such as '20 add_short', an absolute "
			"path",
	},
	{
		.name = "sum",
		.min = 0,
		.max = INT64_MAX,
		.number = BENCH_AUTO,
		.help = "of the workfile's bytes, so that another content is other work; "
			"auto: as the file is now",
	},
	{ 0 },
};

#define RATE(metric, step, on, hide, text)                                     \
	{                                                                      \
		.name = (metric), .unit = "jobs/min", .better = BETTER_HIGHER, \
		.resolution = (step), .optional = (hide), .secondary = (hide), \
		.help = text ", on " on,                                       \
	}
/* All of these but parent_time may well be 0 on ticks: that is what was measured. */
#define SPAN(metric, step, zero, on, text)                                 \
	{                                                                  \
		.name = (metric), .unit = "s", .better = BETTER_LOWER,     \
		.resolution = (step), .optional = true, .secondary = true, \
		.can_be_zero = (zero), .help = text ", on " on,            \
	}
#define SHARE(metric, direction, step, on, text)                           \
	{                                                                  \
		.name = (metric), .unit = "%", .better = (direction),      \
		.resolution = (step), .optional = true, .secondary = true, \
		.can_be_zero = true, .help = text ", on " on,              \
	}
#define CLOCK(suffix, rate_step, step, on, hide)                               \
	RATE("jobs_per_min" suffix, rate_step, on, hide,                       \
	     "jobs of all users by parent_time"),                              \
		RATE("jobs_per_min_child" suffix, rate_step, on, true,         \
		     "jobs of one user by parent_time"),                       \
		RATE("max_jobs_per_min" suffix, rate_step, on, true,           \
		     "jobs_per_min of the best load point"),                   \
		SPAN("parent_time" suffix, step, false, on,                    \
		     "from the start to the last user's end"),                 \
		SPAN("child_utime" suffix, step, true, on,                     \
		     "CPU time of all users in user mode"),                    \
		SPAN("child_systime" suffix, step, true, on,                   \
		     "CPU time of all users in the kernel"),                   \
		SPAN("std_dev_time" suffix, step, true, on,                    \
		     "standard deviation, divided by n, of the users' times"), \
		SHARE("std_dev_percent" suffix, BETTER_LOWER, 0.01, on,        \
		      "std_dev_time by the mean of the users' times"),         \
		SHARE("jti" suffix, BETTER_HIGHER, 1, on, "100 less std_dev_percent")

static const struct bench_metric metrics[] = {
	CLOCK("", 0.01, 0.01, "ticks of 10 ms", false),
	{
		.name = "workload",
		.unit = "jobs",
		.better = BETTER_HIGHER,
		.resolution = 1,
		.secondary = true,
		.help = "users times jobs asked for, of all load points",
	},
	CLOCK("_fine", 1e-6, 1e-9, "a clock of nanoseconds", true),
	{ 0 },
};

static void set_auto(struct workload *workload, const char *name, uint64_t number)
{
	if (workload_uint(workload, name) == BENCH_AUTO)
		workload_set(workload, name, number);
}

/* A workfile that can't be read is check()'s to refuse. */
static void resolve(struct workload *workload, const struct bench_machine *machine,
		    struct bench_remark *remark)
{
	struct own own = { .workfile.pool_kib = UINT64_MAX };

	(void)machine;
	(void)remark;
	if (own_is_asked(workload))
		(void)own_read(workload_text(workload, "workfile"), &own, NULL);
	set_auto(workload, "filesize",
		 own.workfile.file_kib ? own.workfile.file_kib : FILE_KIB);
	set_auto(workload, "poolsize",
		 own.workfile.pool_kib != UINT64_MAX ? own.workfile.pool_kib : POOL_KIB);
	set_auto(workload, "sum", own.sum);
}

static int check_path(const char *name, const char *path, struct err *err)
{
	const char *at = path;

	while (*at >= ' ' && *at < 127)
		at++;
	if (*at)
		return err_set(err, -EINVAL, "%s must be a path in plain ASCII", name);
	if (*path != '/')
		return err_set(err, -EINVAL,
			       "%s '%.100s' is not an absolute path (the program runs in "
			       "a directory of its own)",
			       name, path);
	return 0;
}

static int check_workfile(const struct workload *workload, struct err *err)
{
	const char *path = workload_text(workload, "workfile");
	struct own own = { 0 };
	struct err why = { 0 };

	if (!own_is_asked(workload)) {
		if (*path)
			return err_set(err, -EINVAL,
				       "a workfile goes with mix own, not with mix %s",
				       workload_word(workload, "mix"));
		return 0;
	}
	if (!*path)
		return err_set(err, -EINVAL,
			       "mix own needs a workfile (parameters: {workfile: PATH})");
	if (check_path("workfile", path, err))
		return -EINVAL;
	/* What is wrong with the file is wrong with the grid. */
	if (own_read(path, &own, &why))
		return err_set(err, -EINVAL, "%s", why.text);
	if (own.sum != workload_uint(workload, "sum"))
		return err_set(err, -EINVAL,
			       "the workfile '%.100s' has the sum %ju, not the one asked "
			       "for",
			       path, (uintmax_t)own.sum);
	return 0;
}

static bool uses(const struct workload *workload, const char *name)
{
	return own_is_asked(workload) ||
	       (strcmp(name, "workfile") != 0 && strcmp(name, "sum") != 0);
}

static int check(const struct workload *workload, unsigned int nr_cpus, struct err *err)
{
	const char *dir = workload_text(workload, "diskdir");
	struct stat seen;

	(void)nr_cpus;
	if (workload->program->starts && osdl_check(workload, err))
		return -EINVAL;
	if (check_workfile(workload, err) || check_path("diskdir", dir, err))
		return -EINVAL;
	if (stat(dir, &seen) || !S_ISDIR(seen.st_mode))
		return err_set(err, -EOPNOTSUPP, "diskdir '%.100s' is no directory here",
			       dir);
	return 0;
}

static void needs(const struct workload *workload, struct bench_needs *needs)
{
	/* A user's heap and arrays at their largest, and what runs beside it. */
	const uint64_t per_user = 4 << 20;
	uint64_t users = workload_uint(workload, "users");
	uint64_t files_kib = users * workload_uint(workload, "filesize") +
			     workload_uint(workload, "poolsize");

	/* Those of a user, with both ends of a channel and three directories. */
	needs->fds = 24;
	/* A user, a shell that it starts, and a program that the shell starts. */
	needs->tasks = 3 * users + 1;
	/* The files as well: they may be in memory. */
	needs->memory = users * per_user + 2 * (files_kib << 10);
}

static const char *const version_args[] = { "-h", NULL };
/* A word of its own, as that of ours is the workload's name. */
static const struct bench_program installed[] = {
	{ .name = "osdl", .command = "reaim", .version_args = version_args },
	{ 0 },
};

static const struct bench_program programs[] = {
	{ .name = "native", .plan = bench_native_plan, .parse = reaim_parse },
	{ .name = "reaim", .starts = installed, .plan = osdl_plan, .parse = osdl_parse },
	{ 0 },
};

const struct bench_ops reaim_ops = {
	.name = "reaim",
	.summary = "users doing a mix of small jobs each (AIM7-like)",
	.axis = "users",
	.choices = choices,
	.params = params,
	.metrics = metrics,
	.programs = programs,
	.model = &reaim_model,
	.check = check,
	.uses = uses,
	.resolve = resolve,
	.needs = needs,
};
