/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time: durations from the monotonic clock, dates for people in UTC. */
#ifndef LIB_CLOCK_H
#define LIB_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum { CLOCK_DATE_SIZE = 32, CLOCK_SPAN_SIZE = 32 };

#define CLOCK_SEC UINT64_C(1000000000)

/** clock_ns - nanoseconds of CLOCK_MONOTONIC */
uint64_t clock_ns(void);

/**
 * clock_left - how long it is until a time, for ppoll()
 * @until_ns: clock_ns() time
 * @ret: receives it; 0 once the time is over
 *
 * Return: false once the time is over.
 */
bool clock_left(uint64_t until_ns, struct timespec *ret);

/** clock_date - now as RFC 3339 in UTC with milliseconds */
void clock_date(char date[CLOCK_DATE_SIZE]);

/** clock_span - a duration for people: 850ms, 12.3s, 4min05s, 3h07min */
void clock_span(uint64_t ns, char span[CLOCK_SPAN_SIZE]);

#endif
