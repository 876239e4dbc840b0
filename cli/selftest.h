/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a cell measures under Slurm what it measures outside of it. */
#ifndef CLI_SELFTEST_H
#define CLI_SELFTEST_H

struct slurm_cell;

/**
 * selftest - carry out one task of a run outside Slurm, and hold it against the run
 * @cell: its directory, and the node that this is
 *
 * Prints each metric of its cells with both means and the interval of their ratio.
 *
 * Return: the code to exit with: 1 where they differ by more than chance.
 */
int selftest(const struct slurm_cell *cell);

#endif
