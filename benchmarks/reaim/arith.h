/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * add_*, mul_* and div_*: loops of twelve operations, each of which needs the
 * one before. The compiler must not know the numbers, nor join two operations:
 * KEEP makes it forget what a whole number is; with floating point it may not
 * anyway, as rounding would differ.
 */
#ifndef BENCHMARKS_REAIM_ARITH_H
#define BENCHMARKS_REAIM_ARITH_H

#include "benchmarks/reaim/work.h"

#define ARITH_KEEP(x)  __asm__ volatile("" : "+r"(x))
#define ARITH_FLOAT(x) (void)(x)

#define ARITH_6(step) step step step step step step

/* @x goes between @first and another number, or up, by @op with @y. */
#define ARITH(test, type, loops, first, second, expr, keep)                            \
	static inline int job_##test(struct work *work)                                \
	{                                                                              \
		const volatile type seen[2] = { (first), (second) };                   \
		type x = seen[0], y = seen[1];                                         \
		long i;                                                                \
                                                                                       \
		for (i = 0; i < (loops); i++) {                                        \
			ARITH_6(x = (type)(expr); keep(x); x = (type)(expr); keep(x);) \
		}                                                                      \
		work->sink = (double)x;                                                \
		return x != x ? work_wrong(work, "the result is no number") : 0;       \
	}

ARITH(add_double, double, 1500000, 1.5, 0.25, x + y, ARITH_FLOAT)
ARITH(add_float, float, 1000000, 1.5F, 0.25F, x + y, ARITH_FLOAT)
ARITH(add_long, unsigned long, 5000000, 1, 3, x + y, ARITH_KEEP)
ARITH(add_int, unsigned int, 5000000, 1, 3, x + y, ARITH_KEEP)
ARITH(add_short, unsigned short, 2000000, 1, 3, x + y, ARITH_KEEP)

/* Around 1, so that nothing runs over or down to nothing. */
ARITH(mul_double, double, 1000000, 1.5, 1.0000000001, x *y, ARITH_FLOAT)
ARITH(mul_float, float, 1000000, 1.5F, 1.0000001F, x *y, ARITH_FLOAT)
ARITH(mul_long, unsigned long, 20000, 7, 3, x *y, ARITH_KEEP)
ARITH(mul_int, unsigned int, 20000, 7, 3, x *y, ARITH_KEEP)
ARITH(mul_short, unsigned short, 25000, 7, 3, x *y, ARITH_KEEP)

/* y / x and x in turn: a divisor is never 0. */
ARITH(div_double, double, 250000, 1009.0, 1000003.0, y / x, ARITH_FLOAT)
ARITH(div_float, float, 250000, 1009.0F, 1000003.0F, y / x, ARITH_FLOAT)
ARITH(div_long, unsigned long, 75000, 1009, 1000003, y / x, ARITH_KEEP)
ARITH(div_int, unsigned int, 75000, 1009, 1000003, y / x, ARITH_KEEP)
ARITH(div_short, unsigned short, 75000, 101, 32003, y / x, ARITH_KEEP)

#endif
