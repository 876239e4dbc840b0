/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hartigan's dip: how far samples are from any distribution with a single peak. Annals
 * of Statistics 13 (1985), 70; a skewed series has no larger dip than a uniform one.
 */
#ifndef COMPARE_DIP_H
#define COMPARE_DIP_H

#include <stdbool.h>
#include <stddef.h>

/**
 * dip_of - the dip of samples
 * @sorted: ascending
 * @n: at least 1
 * @ret: receives it; from 1 / 2n to 1/4
 *
 * Return: 0 or -ENOMEM.
 */
int dip_of(const double *sorted, size_t n, double *ret);

/**
 * dip_is_large - whether fewer than 5% of uniform series have such a dip
 * @dip: of dip_of()
 * @n: samples; below 10 the answer is always no
 */
bool dip_is_large(double dip, size_t n);

#endif
