// SPDX-License-Identifier: GPL-2.0-or-later
/* policy/fair: slices, preemption and picks of both schedulers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "policy/fair.h"
#include "policy/release.h"

enum { MS = 1000000 };

static struct fair_times times_of(unsigned int release, int nr_cpus)
{
	struct fair_times times;

	fair_times_of(release, nr_cpus, &times);
	return times;
}

static void test_times_grow_with_cpus(void **state)
{
	(void)state;
	assert_int_equal(times_of(RELEASE(4, 9, 0), 1).latency_ns, 6 * MS);
	assert_int_equal(times_of(RELEASE(4, 9, 0), 4).latency_ns, 18 * MS);
	assert_int_equal(times_of(RELEASE(4, 9, 0), 6).latency_ns, 18 * MS);
	assert_int_equal(times_of(RELEASE(4, 9, 0), 8).latency_ns, 24 * MS);
	assert_int_equal(times_of(RELEASE(4, 9, 0), 256).wakeup_granularity_ns, 4 * MS);
	assert_int_equal(times_of(RELEASE(4, 9, 0), 256).min_granularity_ns, 3 * MS);
	assert_false(times_of(RELEASE(6, 5, 0), 8).is_eevdf);
	assert_true(times_of(RELEASE(6, 8, 0), 8).is_eevdf);
	assert_int_equal(times_of(RELEASE(6, 8, 0), 8).slice_ns, 3 * MS);
	assert_int_equal(times_of(RELEASE(6, 12, 0), 8).slice_ns, 2800000);
}

static void test_slices(void **state)
{
	struct fair_times times = times_of(RELEASE(4, 9, 0), 8);

	(void)state;
	assert_int_equal(fair_slice(&times, 1, 1024, 1024), 24 * MS);
	assert_int_equal(fair_slice(&times, 8, 1024, 8 * 1024), 3 * MS);
	assert_int_equal(fair_slice(&times, 9, 1024, 9 * 1024), 3 * MS);
	assert_int_equal(fair_slice(&times, 2, 3072, 4096), 18 * MS);
	assert_int_equal(fair_virtual(MS, 1024), MS);
	assert_int_equal(fair_virtual(MS, 2048), MS / 2);
}

static void test_new_and_woken_tasks(void **state)
{
	struct fair_times times = times_of(RELEASE(4, 9, 0), 8);

	(void)state;
	assert_int_equal(fair_place_new(100 * MS, 3 * MS, 1024), 103 * MS);
	assert_int_equal(fair_place_woken(&times, 100 * MS, 20 * MS), 88 * MS);
	assert_int_equal(fair_place_woken(&times, 100 * MS, 99 * MS), 99 * MS);
}

/* A sleeper preempts a CPU hog; a partner that has just run doesn't preempt its waker. */
static void test_wakeup_preemption(void **state)
{
	struct fair_times times = times_of(RELEASE(4, 9, 0), 8);
	struct fair_task hog = { .vruntime = 100 * MS, .weight = 1024 };
	struct fair_task woken = { .vruntime = 88 * MS, .weight = 1024 };

	(void)state;
	assert_true(fair_wakeup_preempts(&times, 2, &hog, &woken));
	woken.vruntime = 96 * MS;
	assert_false(fair_wakeup_preempts(&times, 2, &hog, &woken));
	woken.vruntime--;
	assert_true(fair_wakeup_preempts(&times, 2, &hog, &woken));
	/* A light task needs a larger lead. */
	woken.weight = 512;
	assert_false(fair_wakeup_preempts(&times, 2, &hog, &woken));
}

/* By the number of tasks the lead grows from 4 ms to 8 ms. */
static void test_lead_by_tasks(void **state)
{
	struct fair_times times = times_of(RELEASE(4, 9, 0), 8);
	struct fair_task hog = { .vruntime = 100 * MS, .weight = 1024 };
	struct fair_task woken = { .vruntime = 94 * MS, .weight = 1024 };

	(void)state;
	assert_true(fair_wakeup_preempts(&times, 9, &hog, &woken));
	times.grows_with_tasks = true;
	assert_true(fair_wakeup_preempts(&times, 1, &hog, &woken));
	assert_false(fair_wakeup_preempts(&times, 2, &hog, &woken));
	woken.vruntime = 92 * MS - 1;
	assert_true(fair_wakeup_preempts(&times, 9, &hog, &woken));
}

static void test_tick_preemption(void **state)
{
	struct fair_times times = times_of(RELEASE(4, 9, 0), 8);
	struct fair_task current = { .vruntime = 110 * MS, .weight = 1024 };
	struct fair_task next = { .vruntime = 100 * MS, .weight = 1024 };

	(void)state;
	assert_false(fair_tick_preempts(&times, &current, 50 * MS, 12 * MS, NULL));
	assert_true(fair_tick_preempts(&times, &current, 12 * MS + 1, 12 * MS, &next));
	assert_false(fair_tick_preempts(&times, &current, 12 * MS, 12 * MS, &next));
	next.vruntime = 97 * MS;
	assert_true(fair_tick_preempts(&times, &current, 3 * MS, 12 * MS, &next));
	assert_false(fair_tick_preempts(&times, &current, 3 * MS - 1, 12 * MS, &next));
}

static void test_fair_pick(void **state)
{
	static const struct fair_task tasks[] = { { .vruntime = 5 },
						  { .vruntime = -3 },
						  { .vruntime = -3 } };

	(void)state;
	assert_int_equal(fair_pick(tasks, 0), -1);
	assert_int_equal(fair_pick(tasks, 1), 0);
	assert_int_equal(fair_pick(tasks, 3), 1);
}

static void test_eevdf_average_and_eligibility(void **state)
{
	static const struct fair_task tasks[] = {
		{ .vruntime = 100, .weight = 1024 },
		{ .vruntime = 200, .weight = 1024 },
		{ .vruntime = 400, .weight = 2048 },
	};
	static const struct fair_task below[] = { { .vruntime = 0, .weight = 2 },
						  { .vruntime = -1, .weight = 1 } };

	(void)state;
	assert_int_equal(eevdf_average(tasks, 0), 0);
	assert_int_equal(eevdf_average(tasks, 2), 150);
	assert_int_equal(eevdf_average(tasks, 3), 275);
	assert_true(eevdf_is_eligible(tasks, 3, 0));
	assert_true(eevdf_is_eligible(tasks, 3, 1));
	assert_false(eevdf_is_eligible(tasks, 3, 2));
	assert_int_equal(eevdf_average(below, 2), -1);
	assert_false(eevdf_is_eligible(below, 2, 0));
}

static void test_eevdf_pick(void **state)
{
	static const struct fair_task tasks[] = {
		{ .vruntime = 100, .deadline = 900, .weight = 1024 },
		{ .vruntime = 150, .deadline = 700, .weight = 1024 },
		{ .vruntime = 800, .deadline = 500, .weight = 1024 },
	};

	(void)state;
	assert_int_equal(eevdf_pick(tasks, 0, -1), -1);
	/* The earliest deadline isn't eligible, the second one is. */
	assert_int_equal(eevdf_pick(tasks, 3, -1), 1);
	/* A slice in progress is finished, but not beyond the task's share. */
	assert_int_equal(eevdf_pick(tasks, 3, 0), 0);
	assert_int_equal(eevdf_pick(tasks, 3, 2), 1);
}

static void test_eevdf_place(void **state)
{
	static const struct fair_task tasks[] = { { .vruntime = 1000000, .weight = 1024 },
						  { .vruntime = 3000000,
						    .weight = 1024 } };
	static const int64_t behind = 300000;
	struct fair_times times = times_of(RELEASE(6, 12, 0), 8);
	struct fair_task task = { .weight = 1024 };

	(void)state;
	eevdf_place(&times, tasks, 2, NULL, &task);
	assert_int_equal(task.vruntime, 2000000);
	assert_int_equal(task.deadline, 2000000 + 1400000);
	/* With it the average moves back by a third of the lag it is given. */
	eevdf_place(&times, tasks, 2, &behind, &task);
	assert_int_equal(task.vruntime, 2000000 - 450000);
	assert_int_equal(task.deadline, task.vruntime + 2800000);
	eevdf_place(&times, tasks, 0, &behind, &task);
	assert_int_equal(task.vruntime, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_times_grow_with_cpus),
		cmocka_unit_test(test_slices),
		cmocka_unit_test(test_new_and_woken_tasks),
		cmocka_unit_test(test_wakeup_preemption),
		cmocka_unit_test(test_lead_by_tasks),
		cmocka_unit_test(test_tick_preemption),
		cmocka_unit_test(test_fair_pick),
		cmocka_unit_test(test_eevdf_average_and_eligibility),
		cmocka_unit_test(test_eevdf_pick),
		cmocka_unit_test(test_eevdf_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
