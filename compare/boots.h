/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs by boot. What a boot happens to lay out differently moves all of its runs, so the
 * boots are what may be counted as independent: more runs in a boot say more about that
 * boot only.
 */
#ifndef COMPARE_BOOTS_H
#define COMPARE_BOOTS_H

#include <stddef.h>

#include "compare/ratio.h"

/**
 * struct boots - the runs of one column by boot
 * @means: of each boot, in the order in which they first came; owned
 * @keys: what tells it from others; owned
 * @nr: how many boots
 * @run_variance: of runs inside a boot, divisor runs - boots; NAN when no boot has two
 * @boot_variance: what boots add to it, at least 0; NAN when not known
 * @side: the mean of @means; its variance is no less than the runs alone would give it,
 *        so that boots that are alike by luck prove nothing
 */
struct boots {
	double *means;
	const void **keys;
	size_t nr;
	double run_variance, boot_variance;
	struct side side;
};

/**
 * boots_init - sort runs by boot
 * @boots: to be released by boots_release()
 * @values: finite
 * @keys: what tells boots apart, one for each value
 * @n: at least 1
 * @resolution: of the values, as for side_of()
 *
 * Return: 0 or -ENOMEM.
 */
int boots_init(struct boots *boots, const double *values, const void *const *keys,
	       size_t n, double resolution);

/** boots_release - free what @boots owns */
void boots_release(struct boots *boots);

#endif
