// SPDX-License-Identifier: GPL-2.0-or-later
/* What the executor sim is made of: policies, plans, jobs, facts. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "record/host.h"
#include "runner/grid.h"
#include "runner/plan.h"
#include "runner/sim_host.h"
#include "runner/sim_job.h"
#include "runner/sim_plan.h"
#include "runner/sim_policy.h"
#include "runner/sim_turn.h"

static void test_policy_by_version(void **state)
{
	static const struct {
		const char *policy, *image, *running, *expected;
	} cases[] = {
		{ "fix-sig", "vmlinuz-6.1", "6.12", "fix-sig" },
		{ NULL, NULL, "6.1.0-37-amd64", "v6.1.192" },
		{ NULL, "../k/vmlinuz-6.12.57+deb13-amd64", "6.1", "v6.12.117" },
		{ NULL, "/boot/5.18/vmlinuz-v5.4.1", "6.1", "v5.4" },
		{ NULL, "vmlinuz", "6.1", NULL },
		{ NULL, NULL, "6.2.1", NULL },
		{ NULL, NULL, NULL, NULL },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct grid_column column = {
			.policy = (char *)(uintptr_t)cases[i].policy,
			.image = (char *)(uintptr_t)cases[i].image,
		};
		struct err err = { 0 };
		char *name = NULL;
		int bad = sim_policy_name(&column, cases[i].running, &name, &err);

		if (cases[i].expected) {
			assert_int_equal(bad, 0);
			assert_string_equal(name, cases[i].expected);
		} else {
			assert_int_equal(bad, -EINVAL);
			assert_non_null(strstr(err.text, "(expected kernel: {policy: "));
		}
		free(name);
	}
}

/* The plan of a simulated grid with columns as written, on a host with kernel 6.1. */
static struct plan *plan_of(const char *columns, struct grid **ret_grid)
{
	static const struct host host = { .release = (char *)(uintptr_t) "6.1.0" };
	char path[] = "/tmp/schedgrid-sim-XXXXXX";
	int fd = mkstemp(path);
	struct plan *plan = NULL;
	struct err err = { 0 };

	assert_true(fd >= 0);
	assert_true(dprintf(fd,
			    "schema: schedgrid-grid-1\nname: t\nseed: 7\n"
			    "executor: {type: sim, machine: numa-2s12c2t}\n"
			    "repeat: {iterations: 3, boots: 2, warmup: 4}\n"
			    "monitors: [perf-stat]\nquiet: {repeat: 2}\n"
			    "columns: [%s]\nworkloads: [{workload: hackbench, "
			    "program: rt-tests, parameters: {loops: 2}}]\n",
			    columns) > 0);
	(void)close(fd);
	if (grid_load(path, ret_grid, &err))
		fail_msg("%s", err.text);
	if (plan_build(*ret_grid, NULL, &host, &plan, &err))
		fail_msg("%s", err.text);
	(void)unlink(path);
	return plan;
}

static void test_plan_of_a_simulated_grid(void **state)
{
	struct grid *grid = NULL;
	struct plan *plan = plan_of("{name: a, kernel: {running: true}}, "
				    "{name: b, kernel: {policy: {base: v5.18, "
				    "numa_imbalance: none}}}",
				    &grid);
	struct jval *json = plan_json(plan);
	struct jval *kernel = plan_kernel(plan, 1);

	(void)state;
	assert_int_equal(grid->iterations, 6);
	assert_int_equal(grid->warmup, 0);
	assert_int_equal(grid->quiet.repeat, 0);
	assert_false(monitors_any(&grid->monitors));
	assert_string_equal(plan_executor(plan), "sim");
	assert_string_equal(plan_machine(plan), "numa-2s12c2t");
	assert_string_equal(plan->sim->columns[0].policy, "v6.1.192");
	assert_string_equal(jval_get_text(kernel, "release"),
			    "v5.18+numa_imbalance=none");
	assert_int_equal(plan->cells[0].cpus.nr, 48);
	/* Nothing has to be installed. */
	assert_null(plan->cells[0].unfit);
	assert_int_equal(plan->nr_programs, 1);
	assert_string_equal(plan->programs[0].word, "sim");
	assert_string_equal(jval_get_text(jval_get(json, "sim"), "machine"),
			    "numa-2s12c2t");
	jval_free(kernel);
	jval_free(json);
	plan_free(plan);
	grid_free(grid);
}

static void test_seeds_are_by_iteration(void **state)
{
	const struct grid grid = { .seed = 7 };
	const struct grid other = { .seed = 8 };

	(void)state;
	assert_true(sim_seed(&grid, 1) == sim_seed(&grid, 1));
	assert_true(sim_seed(&grid, 1) != sim_seed(&grid, 2));
	assert_true(sim_seed(&grid, 1) != sim_seed(&other, 1));
	assert_true(sim_seed(&grid, 1) < UINT64_C(1) << 53);
}

/* struct work - a job, and what came of it */
struct work {
	struct sim_job job;
	struct sim_report report;
	struct err err;
	int bad;
};

static struct work work_of(const struct plan *plan, uint64_t seed)
{
	return (struct work){
		.job = {
			.workload = &plan->cells[0].workload,
			.variant = &plan->sim->columns[0].variant,
			.domains = plan->sim->columns[0].domains,
			.costs = &plan->sim->machine.costs,
			.cpus = &plan->cells[0].cpus,
			.seed = seed,
			.limit_ns = UINT64_C(1000000000000),
		},
	};
}

static void *do_work(void *arg)
{
	struct work *work = arg;

	work->bad = sim_job_run(&work->job, &work->report, &work->err);
	return NULL;
}

static void check_same(const struct work *a, const struct work *b)
{
	size_t i;

	assert_int_equal(a->bad, 0);
	assert_int_equal(b->bad, 0);
	assert_true(a->report.samples.nr > 0);
	assert_int_equal(a->report.samples.nr, b->report.samples.nr);
	for (i = 0; i < a->report.samples.nr; i++) {
		double left = a->report.samples.sample[i].value;
		double right = b->report.samples.sample[i].value;

		assert_false(left < right || left > right);
	}
	assert_int_equal(a->report.placement.nr_woken, b->report.placement.nr_woken);
	assert_true(a->report.placement.idle_share == b->report.placement.idle_share);
}

/* Jobs share machine, domains and costs, and nothing that they change. */
static void test_jobs_in_threads_come_out_the_same(void **state)
{
	enum { THREADS = 3 };
	struct grid *grid = NULL;
	struct plan *plan = plan_of("{name: a, kernel: {policy: fix-sig}}", &grid);
	struct work alone = work_of(plan, 5);
	struct work other = work_of(plan, 6);
	struct work together[THREADS];
	pthread_t threads[THREADS];
	int i;

	(void)state;
	(void)do_work(&alone);
	(void)do_work(&other);
	for (i = 0; i < THREADS; i++) {
		together[i] = work_of(plan, 5);
		assert_int_equal(pthread_create(&threads[i], NULL, do_work, &together[i]),
				 0);
	}
	for (i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], NULL), 0);
		check_same(&alone, &together[i]);
	}
	assert_int_equal(alone.report.placement.nr_new, 40);
	assert_true(alone.report.samples.sample[0].value !=
		    other.report.samples.sample[0].value);
	plan_free(plan);
	grid_free(grid);
}

static void test_jobs_that_fail_leave_nothing(void **state)
{
	struct grid *grid = NULL;
	struct plan *plan = plan_of("{name: a, kernel: {policy: fix-sig}}", &grid);
	struct work work = work_of(plan, 5);
	struct workload bare = plan->cells[0].workload;
	struct bench_ops ops = *bare.ops;

	(void)state;
	work.job.limit_ns = 1000;
	(void)do_work(&work);
	assert_int_equal(work.bad, -ETIME);
	assert_int_equal(work.report.samples.nr, 0);
	ops.model = NULL;
	bare.ops = &ops;
	assert_int_equal(sim_job_check(&bare, NULL), -EOPNOTSUPP);
	assert_int_equal(sim_job_check(&plan->cells[0].workload, NULL), 0);
	plan_free(plan);
	grid_free(grid);
}

static void test_host_facts_are_kept_once(void **state)
{
	char dir[] = "/tmp/schedgrid-sim-XXXXXX";
	struct grid *grid = NULL;
	struct plan *plan = plan_of("{name: a, kernel: {policy: fix-sig}}", &grid);
	struct jval *facts = NULL;
	char *path;

	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_int_equal(sim_host_keep(plan->sim, 0, dir, "b1c1", NULL), 0);
	assert_int_equal(host_load(dir, "b1c1", &facts, NULL), 0);
	assert_string_equal(jval_get_text(facts, "machine"), "numa-2s12c2t");
	assert_string_equal(jval_get_text(jval_get(facts, "kernel"), "release"),
			    "fix-sig");
	assert_string_equal(jval_get_text(jval_get(facts, "sim"), "sha256"),
			    plan->sim->machine.sha256);
	jval_free(facts);
	path = file_path("%s/hosts/b1c1.json", dir);
	assert_int_equal(file_replace(path, "mine", 4, NULL), 0);
	assert_int_equal(sim_host_keep(plan->sim, 0, dir, "b1c1", NULL), 0);
	assert_true(host_load(dir, "b1c1", &facts, NULL) < 0);
	(void)unlink(path);
	free(path);
	path = file_path("%s/hosts", dir);
	(void)rmdir(path);
	(void)rmdir(dir);
	free(path);
	plan_free(plan);
	grid_free(grid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_policy_by_version),
		cmocka_unit_test(test_plan_of_a_simulated_grid),
		cmocka_unit_test(test_seeds_are_by_iteration),
		cmocka_unit_test(test_jobs_in_threads_come_out_the_same),
		cmocka_unit_test(test_jobs_that_fail_leave_nothing),
		cmocka_unit_test(test_host_facts_are_kept_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
