/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The facts of a simulated machine, where those of real ones are kept. */
#ifndef RUNNER_SIM_HOST_H
#define RUNNER_SIM_HOST_H

#include <stddef.h>

struct err;
struct simulation;

/**
 * sim_host_keep - write hosts/<boot>.json, unless it is there
 * @sim: whose machine
 * @column: whose kernel
 * @dir: of the run
 * @boot: name of this start
 * @err: says what failed
 *
 * Return: 0 or a negative errno.
 */
int sim_host_keep(const struct simulation *sim, size_t column, const char *dir,
		  const char *boot, struct err *err);

#endif
