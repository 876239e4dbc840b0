// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading and writing time; see clock.h. */
#include "lib/clock.h"

#include <stdio.h>
#include <string.h>

uint64_t clock_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * CLOCK_SEC + (uint64_t)now.tv_nsec;
}

bool clock_left(uint64_t until_ns, struct timespec *ret)
{
	uint64_t now = clock_ns();
	uint64_t left = now < until_ns ? until_ns - now : 0;

	ret->tv_sec = (time_t)(left / CLOCK_SEC);
	ret->tv_nsec = (long)(left % CLOCK_SEC);
	return left > 0;
}

void clock_date(char date[CLOCK_DATE_SIZE])
{
	struct timespec now;
	struct tm utc;
	size_t len;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	(void)gmtime_r(&now.tv_sec, &utc);
	len = strftime(date, CLOCK_DATE_SIZE, "%Y-%m-%dT%H:%M:%S", &utc);
	(void)snprintf(date + len, CLOCK_DATE_SIZE - len, ".%03ldZ",
		       now.tv_nsec / 1000000);
}

void clock_span(uint64_t ns, char span[CLOCK_SPAN_SIZE])
{
	uint64_t sec = ns / CLOCK_SEC;

	if (ns < CLOCK_SEC)
		(void)snprintf(span, CLOCK_SPAN_SIZE, "%jums", (uintmax_t)(ns / 1000000));
	else if (sec < 60)
		(void)snprintf(span, CLOCK_SPAN_SIZE, "%ju.%jus", (uintmax_t)sec,
			       (uintmax_t)(ns % CLOCK_SEC / 100000000));
	else if (sec < 3600)
		(void)snprintf(span, CLOCK_SPAN_SIZE, "%jumin%02jus",
			       (uintmax_t)(sec / 60), (uintmax_t)(sec % 60));
	else
		(void)snprintf(span, CLOCK_SPAN_SIZE, "%juh%02jumin",
			       (uintmax_t)(sec / 3600), (uintmax_t)(sec / 60 % 60));
}
