/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The change of a candidate against the baseline, as mmtests prints it: in
 * percent of the baseline, positive = better whatever the direction. Formats
 * with another sign or rounding rule have their own.
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

#endif
