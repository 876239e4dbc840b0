/* SPDX-License-Identifier: GPL-2.0-or-later */
/* schedgrid plan --power: how many runs the rows of a grid need to show an effect. */
#ifndef CLI_POWER_H
#define CLI_POWER_H

#include <stddef.h>

struct plan;

/**
 * struct power_question - what is asked
 * @effect: change to be found, as a share
 * @dirs: directories of earlier runs
 * @nr_dirs: at least 1
 */
struct power_question {
	double effect;
	const char *const *dirs;
	size_t nr_dirs;
};

/** print_power - answer it on stdout; returns the code to exit with */
int print_power(const struct plan *plan, const struct power_question *question);

#endif
