/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers in ascending order: a cell may have a million samples, for which qsort() and
 * its calls of a comparing function would take longer than all the rest.
 */
#ifndef COMPARE_SORT_H
#define COMPARE_SORT_H

#include <stddef.h>

/**
 * sort_numbers - sort in place, without memory of its own
 * @numbers: where a NAN ends up isn't defined
 * @nr: how many
 */
void sort_numbers(double *numbers, size_t nr);

#endif
