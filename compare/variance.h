/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much the runs of a cell vary, inside a boot and from boot to boot. */
#ifndef COMPARE_VARIANCE_H
#define COMPARE_VARIANCE_H

#include <stddef.h>

struct table_cell;

/**
 * struct variance - of one cell, as shares of its mean; NAN is what is not known
 * @nr_runs: values behind it
 * @nr_boots: boots that they come from
 * @cv: standard deviation of all runs
 * @run_cv: of runs inside a boot; @cv where there is one boot
 * @boot_cv: what boots add to it; of two boots or more
 */
struct variance {
	size_t nr_runs, nr_boots;
	double cv, run_cv, boot_cv;
};

/**
 * variance_of - measure a cell
 * @cell: of a finished table
 * @ret: receives the figures; all unknown where it has fewer than two runs or a mean that
 *       isn't above 0
 *
 * Return: 0 or -ENOMEM.
 */
int variance_of(const struct table_cell *cell, struct variance *ret);

#endif
