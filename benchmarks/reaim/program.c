// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The reaim workload: users, each a process, who do the jobs of a workfile in
 * random order, all at once.
 *
 * This process forks them, starts them by one signal when all are ready, waits,
 * and prints how long it took by two clocks. Whatever ends it but SIGKILL, it
 * ends the children first and removes their files.
 */
#include <sys/mman.h>

#include "benchmarks/program.h"
#include "benchmarks/reaim/options.h"
#include "benchmarks/reaim/point.h"
#include "benchmarks/reaim/upstream.h"

/* struct totals - of all load points: sums, and the best rate */
struct totals {
	struct measure sum[MEASURE_NR_CLOCKS];
	double rate[MEASURE_NR_CLOCKS], best[MEASURE_NR_CLOCKS];
	struct work_counts counts;
	uint64_t *ticks;
};

static volatile sig_atomic_t stopped_by;

static void stop(int sig)
{
	stopped_by = sig;
	point_kill();
}

/* Those that ask us to end; and what must be as it is after a start by hand. */
static void set_signals(void)
{
	static const int ending[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT };
	const struct sigaction action = { .sa_handler = stop };
	sigset_t start;
	size_t i;

	for (i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		(void)sigaction(ending[i], &action, NULL);
	(void)signal(SIGCHLD, SIG_DFL);
	(void)signal(SIGALRM, SIG_DFL);
	(void)sigemptyset(&start);
	(void)sigaddset(&start, SIGALRM);
	(void)sigaddset(&start, SIGUSR2);
	(void)sigprocmask(SIG_UNBLOCK, &start, NULL);
	(void)sigemptyset(&start);
	(void)sigaddset(&start, SIGUSR1);
	(void)sigprocmask(SIG_BLOCK, &start, NULL);
}

static const char *find_program(const struct options *options)
{
	static const char *const paths[][2] = {
		{ "/bin/sync", "/usr/bin/sync" },
		{ "/bin/true", "/usr/bin/true" },
	};
	const char *const *two = paths[options->sync == WORK_EXEC_TRUE];

	return access(two[0], X_OK) ? two[1] : two[0];
}

static void set_child(const struct options *options, struct child *child)
{
	uint64_t per_user, limit;
	int test;

	*child = (struct child){ .work.sync = options->sync };
	child->work.sync_path = find_program(options);
	child->work.kib = options->filesize + options->poolsize / options->users;
	for (test = 0; test < REAIM_NR_TESTS; test++) {
		child->nr_jobs[test] =
			workfile_jobs(&options->workfile, test, options->jobs);
		child->nr_all += child->nr_jobs[test];
	}
	per_user = child->work.kib > 10 ? child->work.kib : 10;
	limit = options->limit_sec ? options->limit_sec : options->users * per_user;
	child->limit_sec = limit > INT32_MAX ? INT32_MAX : (unsigned int)limit;
}

static void add_point(struct totals *totals, const struct point *point, uint64_t jobs)
{
	uint64_t child;
	int i;

	for (i = 0; i < MEASURE_NR_CLOCKS; i++) {
		const struct measure *clock = &point->clock[i];
		struct measure *sum = &totals->sum[i];
		double rate = formula_rate(jobs, point->users, clock->parent_sec);

		totals->rate[i] += rate;
		totals->best[i] = rate > totals->best[i] ? rate : totals->best[i];
		sum->parent_sec += clock->parent_sec;
		sum->user_sec += clock->user_sec;
		sum->system_sec += clock->system_sec;
		sum->spread.std_dev += clock->spread.std_dev;
		sum->spread.percent += clock->spread.percent;
		sum->spread.jti += clock->spread.jti;
	}
	for (child = 0; child < point->users; child++) {
		totals->counts.jobs += point->counts[child].jobs;
		totals->counts.syncs += point->counts[child].syncs;
		totals->counts.execs += point->counts[child].execs;
	}
}

/* All load points; 0, or -1 with the reason in @point. */
static int run_points(const struct options *options, struct point *point,
		      const struct place *place, struct totals *totals)
{
	struct child child;
	uint64_t i;

	set_child(options, &child);
	for (i = 0; i < options->repeat && !stopped_by; i++) {
		if (place_renew_source(place, child.work.kib)) {
			(void)snprintf(point->reason, POINT_REASON,
				       "cannot write the file to be copied: %s",
				       strerror(errno));
			return -1;
		}
		if (options->sync == WORK_EXEC_SYNC)
			sync();
		if (point_run(point, &child, place))
			return -1;
		if (!point->ticks) {
			(void)snprintf(point->reason, POINT_REASON,
				       "all was done in less than a tick of 10 ms, too "
				       "little to be measured: ask for more jobs");
			return -1;
		}
		totals->ticks[i] = point->ticks;
		add_point(totals, point, child.nr_all);
	}
	return stopped_by ? -1 : 0;
}

/* A jti below 0 is none: left out. A 0 is what this clock showed. */
static void print_metric(const char *name, const char *suffix, double value)
{
	if (value >= 0)
		printf(",\"%s%s\":%.9g", name, suffix, value);
}

static void print_clock(const struct totals *totals, int clock, const char *suffix,
			const struct options *options)
{
	const struct measure *sum = &totals->sum[clock];
	double nr = (double)options->repeat;
	double rate = totals->rate[clock] / nr;

	printf("%s\"jobs_per_min%s\":%.9g", clock ? "," : "", suffix, rate);
	print_metric("jobs_per_min_child", suffix, rate / (double)options->users);
	print_metric("max_jobs_per_min", suffix, totals->best[clock]);
	print_metric("parent_time", suffix, sum->parent_sec / nr);
	print_metric("child_utime", suffix, sum->user_sec / nr);
	print_metric("child_systime", suffix, sum->system_sec / nr);
	print_metric("std_dev_time", suffix, sum->spread.std_dev / nr);
	print_metric("std_dev_percent", suffix, sum->spread.percent / nr);
	print_metric("jti", suffix, sum->spread.jti / nr);
}

static void print_text(const char *name, const char *text)
{
	printf("\"%s\":\"", name);
	for (; *text; text++)
		printf(*text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
	printf("\",");
}

static int print_result(const struct options *options, const struct totals *totals)
{
	uint64_t i;

	printf("{\"program\":\"reaim\",\"mix\":\"%s\",\"sync_mode\":\"%s\",\"users\":%ju,"
	       "\"jobs\":%ju,\"repeat\":%ju,\"filesize\":%ju,\"poolsize\":%ju,",
	       options->mix, options->sync_mode, (uintmax_t)options->users,
	       (uintmax_t)options->jobs, (uintmax_t)options->repeat,
	       (uintmax_t)options->filesize, (uintmax_t)options->poolsize);
	print_text("diskdir", options->diskdir);
	print_text("workfile", options->path);
	printf("\"sum\":%ju,\"jobs_per_child\":%ju,\"done\":%ju,\"syncs\":%ju,"
	       "\"execs\":%ju,\"ticks\":[",
	       (uintmax_t)options->sum,
	       (uintmax_t)workfile_all_jobs(&options->workfile, options->jobs),
	       (uintmax_t)totals->counts.jobs, (uintmax_t)totals->counts.syncs,
	       (uintmax_t)totals->counts.execs);
	for (i = 0; i < options->repeat; i++)
		printf("%s%ju", i ? "," : "", (uintmax_t)totals->ticks[i]);
	printf("],\"metrics\":{");
	print_clock(totals, 0, "", options);
	print_metric("workload", "",
		     (double)(options->users * options->jobs * options->repeat));
	print_clock(totals, 1, "_fine", options);
	printf("}}\n");
	return program_flush("reaim");
}

/* In its place, which is removed whatever comes of it. */
static int run_in_place(const struct options *options, struct point *point,
			struct totals *totals)
{
	struct place place;
	int bad = place_open(&place, options->diskdir);

	if (bad)
		(void)snprintf(point->reason, POINT_REASON,
			       "cannot make files below '%.150s': %s", options->diskdir,
			       strerror(errno));
	else if (options->is_upstream)
		bad = upstream_run(options, &place, point->reason);
	else
		bad = run_points(options, point, &place, totals);
	place_close(&place);
	return bad;
}

static int run(const struct options *options)
{
	size_t users = (size_t)options->users;
	struct point point = { .users = options->users };
	struct totals totals = { .ticks = calloc((size_t)options->repeat,
						 sizeof(*totals.ticks)) };
	size_t size = users * sizeof(*point.counts);
	int bad;

	point.counts = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	point.pids = calloc(users, sizeof(*point.pids));
	point.elapsed[0] = calloc(users, sizeof(double));
	point.elapsed[1] = calloc(users, sizeof(double));
	bad = point.counts == MAP_FAILED || !point.pids || !point.elapsed[0] ||
	      !point.elapsed[1] || !totals.ticks;
	if (bad)
		(void)snprintf(point.reason, POINT_REASON, "out of memory");
	else
		bad = run_in_place(options, &point, &totals);
	if (bad && !stopped_by)
		fprintf(stderr, "reaim: %s\n", point.reason);
	if (!bad && !options->is_upstream)
		bad = print_result(options, &totals);
	if (point.counts != MAP_FAILED)
		(void)munmap(point.counts, size);
	free(point.pids);
	free(point.elapsed[0]);
	free(point.elapsed[1]);
	free(totals.ticks);
	return bad;
}

int main(int argc, char **argv)
{
	char reason[2 * POINT_REASON];
	struct options options;
	int bad;

	if (options_read(&options, argc, argv)) {
		fprintf(stderr,
			"reaim: expected --mix=NAME --sync_mode=exec-sync|exec-true|"
			"fsync|off --users=N --jobs=N --repeat=N --filesize=KIB "
			"--poolsize=KIB --diskdir=PATH --workfile=PATH --sum=N "
			"[--upstream]; to test what becomes of a child that is late: [--limit=SECONDS]\n");
		return 2;
	}
	if (options_workfile(&options, reason, sizeof(reason))) {
		fprintf(stderr, "reaim: %s\n", reason);
		return 2;
	}
	set_signals();
	bad = run(&options);
	if (stopped_by) {
		(void)signal(stopped_by, SIG_DFL);
		(void)raise(stopped_by);
	}
	return bad ? 1 : 0;
}
