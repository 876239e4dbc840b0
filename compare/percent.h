/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The change of a candidate against the baseline in percent of the baseline:
 * as mmtests prints it, positive = better whatever the direction, or raw,
 * positive = more. Which one and how it is rounded is each format's rule.
 */
#ifndef COMPARE_PERCENT_H
#define COMPARE_PERCENT_H

#include <stdbool.h>

/**
 * percent_gain - how much better @candidate is than @baseline
 * @baseline: unrounded
 * @candidate: unrounded
 * @better_higher: the direction; a spread is always better when lower
 *
 * Return: percent; 0 when both are equal. NAN when there is no such number:
 * either is NAN or negative, or the baseline is 0 and the candidate isn't.
 */
double percent_gain(double baseline, double candidate, bool better_higher);

/**
 * percent_change - how much more than @baseline @candidate is
 * @baseline: unrounded
 * @candidate: unrounded
 *
 * Return: percent, positive = more; NAN where percent_gain() is.
 */
double percent_change(double baseline, double candidate);

/**
 * percent_cut - @percent cut after two decimals, towards 0
 *
 * What lies within the error of its computation below a step counts as that
 * step: 101.1 is 1.10% more than 100, not 1.09%.
 *
 * Return: never -0; NAN for NAN.
 */
double percent_cut(double percent);

#endif
