/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which cells a pattern means: what `--only` of the command line says.
 */
#ifndef RUNNER_SELECT_H
#define RUNNER_SELECT_H

#include <stdbool.h>

struct cell;
struct grid;

/**
 * select_cell - whether @pattern means @cell
 * @cell: of a plan
 * @grid: the plan's
 * @pattern: words separated by spaces, each of which must match
 *
 * A word is a shell pattern for the cell's id, column, workload, variant or a
 * "parameter=value" of its point. All of the pattern may also be one for
 * "variant/parameter=value.../column", or for a column whose name has spaces.
 */
bool select_cell(const struct cell *cell, const struct grid *grid, const char *pattern);

#endif
