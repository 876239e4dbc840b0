/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The distributions that the statistics need, from R's libRmath. An argument that makes
 * no sense gives NAN in silence; the library would print a line about it.
 */
#ifndef COMPARE_DIST_H
#define COMPARE_DIST_H

#include <stddef.h>

/** dist_t_two_sided - P(|T| >= |@t|) of Student's t with @df degrees of freedom */
double dist_t_two_sided(double t, double df);

/** dist_t_quantile - the t that a share @p of the distribution is below; 0 < @p < 1 */
double dist_t_quantile(double p, double df);

/** dist_normal_two_sided - P(|Z| >= |@z|) of the standard normal distribution */
double dist_normal_two_sided(double z);

/** dist_normal_quantile - the z that a share @p of it is below; 0 < @p < 1 */
double dist_normal_quantile(double p);

/** dist_beta_quantile - the x that a share @p of beta(@a, @b) is below; 0 < @p < 1 */
double dist_beta_quantile(double p, double a, double b);

/** dist_binomial_cdf - P(X <= @k) of @n trials that each succeed with @p */
double dist_binomial_cdf(size_t k, size_t n, double p);

/**
 * dist_hypergeometric - P(X = @k)
 * @k: marked ones in the draw
 * @marked: in the urn
 * @others: in the urn, not marked
 * @draws: taken out, not put back
 */
double dist_hypergeometric(size_t k, size_t marked, size_t others, size_t draws);

#endif
