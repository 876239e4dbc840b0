/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What gnuplot is told to draw; inside plot only. */
#ifndef COMPARE_PLOT_SCRIPT_H
#define COMPARE_PLOT_SCRIPT_H

#include <stdbool.h>
#include <stdio.h>

#include "compare/plot.h"

/** plot_can_draw - whether there are samples, and gnuplot can count as far as they go */
bool plot_can_draw(const struct plot *plot);

/**
 * plot_script - write the commands for one plot
 * @out: the script
 * @plot: one that can be drawn
 * @idx: its number; the picture goes to "<idx>.svg"
 *
 * No text of the caller's gets into the script: labels are marks "@NNN...", as wide as
 * what plot_clean() puts in their place.
 */
void plot_script(FILE *out, const struct plot *plot, size_t idx);

#endif
