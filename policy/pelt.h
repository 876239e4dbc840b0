/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Per-entity load tracking: sums of time that halve every 32 periods of 1024 us, in the
 * kernel's integer arithmetic.
 */
#ifndef POLICY_PELT_H
#define POLICY_PELT_H

#include <stdbool.h>
#include <stdint.h>

/** PELT_PERIOD - a period in us (of 1024 ns each); PELT_MAX - limit of a sum */
enum { PELT_PERIOD = 1024, PELT_MAX = 47742 };

/**
 * pelt_factor - y^n as a fraction of 2^32
 * @n: periods, 0 to 31
 *
 * y^32 = 1/2; rounded down from (2^32 - 1) * y^n.
 */
uint32_t pelt_factor(unsigned int n);

/** pelt_decay - what is left of @value after @periods */
uint64_t pelt_decay(uint64_t value, uint64_t periods);

/**
 * struct pelt - one signal
 * @sum: decayed time in us
 * @contrib: part of the present period that is over, in us
 * @avg: @sum as a share of 1024, as of the last period that ended
 */
struct pelt {
	uint64_t sum;
	unsigned int contrib;
	uint64_t avg;
};

/**
 * pelt_advance - let time pass
 * @signal: to update
 * @delta_us: us of 1024 ns
 * @times: how often the time counts: 1 or 0 for a task, for a CPU how many of its tasks
 *
 * The average is refreshed only where a period ends, and divides by what the sum can be
 * at most at that moment (4.14 and later).
 *
 * Return: whether it was refreshed.
 */
bool pelt_advance(struct pelt *signal, uint64_t delta_us, unsigned int times);

/**
 * pelt_new_task_util - util_avg that a new task starts with
 * @util: util_avg of the runqueue it was placed on
 * @load: its load_avg
 * @weight: the task's: 1024 for nice 0, or 1024 * 1024 as 64-bit kernels from 4.7 to 6.8
 *          have it here
 *
 * Half of what the runqueue leaves of 1024, or less by the share of the load.
 */
uint64_t pelt_new_task_util(uint64_t util, uint64_t load, uint64_t weight);

#endif
