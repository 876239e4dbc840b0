/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The exit statuses of native programs that mean something to the runner. */
#ifndef BENCHMARKS_EXIT_H
#define BENCHMARKS_EXIT_H

/**
 * enum program_exit - beside 0 and 1
 * @PROGRAM_UNREADY: nothing was done, for want of something that may come back, such as
 *                   a port that another has: the iteration is `broken` and not `failed`
 */
enum program_exit { PROGRAM_UNREADY = 75 };

#endif
