/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * add_*, mul_* and div_*: loops of twelve operations, in two chains that don't wait
 * for each other; within a chain each needs the one before. KEEP makes the compiler
 * forget what a number is, so that it neither knows the result nor joins operations.
 * Whole numbers stay in a register, the others are in memory: see amounts.h.
 */
#ifndef BENCHMARKS_REAIM_ARITH_H
#define BENCHMARKS_REAIM_ARITH_H

#include "benchmarks/reaim/amounts.h"
#include "benchmarks/reaim/work.h"

#define ARITH_WHOLE(x)	  __asm__ volatile("" : "+r"(x))
#define ARITH_FLOATING(x) __asm__ volatile("" : "+m"(x))

/* y / x and x in turn: a divisor is never 0. */
#define ARITH_ADD(x, y) ((x) + (y))
#define ARITH_MUL(x, y) ((x) * (y))
#define ARITH_DIV(x, y) ((y) / (x))

#define ARITH_0(step)
#define ARITH_4(step)  step step step step
#define ARITH_6(step)  ARITH_4(step) step step
#define ARITH_8(step)  ARITH_4(step) ARITH_4(step)
#define ARITH_12(step) ARITH_8(step) ARITH_4(step)

/* Chains of @long_nr and @short_nr operations @op on numbers from @first, with @second. */
#define ARITH(test, type, loops, first, second, op, keep, long_nr, short_nr)           \
	static inline int job_##test(struct work *work)                                \
	{                                                                              \
		const volatile type seen[2] = { (first), (second) };                   \
		type x = seen[0], y = seen[1], z = seen[0];                            \
		long i;                                                                \
                                                                                       \
		for (i = 0; i < (loops); i++) {                                        \
			ARITH_##long_nr(x = (type)ARITH_##op(x, y); keep(x);)          \
				ARITH_##short_nr(z = (type)ARITH_##op(z, y); keep(z);) \
		}                                                                      \
		work->sink = (double)x + (double)z;                                    \
		return x != x ? work_wrong(work, "the result is no number") : 0;       \
	}

#define ARITH_OF(test, type, loops, first, second, op) \
	ARITH(test, type, loops, first, second, op, ARITH_WHOLE, 6, 6)

ARITH(add_double, double, AMOUNT_ADD_DOUBLE, 1.5, 0.25, ADD, ARITH_FLOATING, 8, 4)
ARITH(add_float, float, AMOUNT_ADD_FLOAT, 1.5F, 0.25F, ADD, ARITH_FLOATING, 8, 4)
ARITH_OF(add_long, unsigned long, AMOUNT_ADD_LONG, 1, 3, ADD)
ARITH_OF(add_int, unsigned int, AMOUNT_ADD_INT, 1, 3, ADD)
ARITH_OF(add_short, unsigned short, AMOUNT_ADD_SHORT, 1, 3, ADD)

/* Around 1, so that nothing runs over or down to nothing. */
ARITH(mul_double, double, AMOUNT_MUL_DOUBLE, 1.5, 1.0000000001, MUL, ARITH_FLOATING, 8, 4)
ARITH(mul_float, float, AMOUNT_MUL_FLOAT, 1.5F, 1.0000001F, MUL, ARITH_FLOATING, 8, 4)
ARITH_OF(mul_long, unsigned long, AMOUNT_MUL_LONG, 7, 3, MUL)
ARITH_OF(mul_int, unsigned int, AMOUNT_MUL_INT, 7, 3, MUL)
ARITH_OF(mul_short, unsigned short, AMOUNT_MUL_SHORT, 7, 3, MUL)

ARITH(div_double, double, AMOUNT_DIV_FLOATING, 1009.0, 1000003.0, DIV, ARITH_FLOATING, 12,
      0)
ARITH(div_float, float, AMOUNT_DIV_FLOATING, 1009.0F, 1000003.0F, DIV, ARITH_FLOATING, 12,
      0)
ARITH_OF(div_long, unsigned long, AMOUNT_DIV_WHOLE, 1009, 1000003, DIV)
ARITH_OF(div_int, unsigned int, AMOUNT_DIV_WHOLE, 1009, 1000003, DIV)
ARITH_OF(div_short, unsigned short, AMOUNT_DIV_WHOLE, 101, 32003, DIV)

#endif
