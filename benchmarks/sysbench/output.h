/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What sysbench prints, of version 1.0 and of 0.4, which words some lines
 * otherwise: read strictly, and held against what was asked.
 */
#ifndef BENCHMARKS_SYSBENCH_OUTPUT_H
#define BENCHMARKS_SYSBENCH_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

struct upstream;

/**
 * struct sysbench_ask - what any test of sysbench was asked to do
 * @threads: that share the events
 * @seconds: how long at least; 0: as long as the events take
 * @events: how many exactly; 0: as many as fit
 */
struct sysbench_ask {
	uint64_t threads, seconds, events;
};

/**
 * struct sysbench_result - what any test of sysbench tells
 * @is_04: the words are those of version 0.4
 * @seconds: from the start until the last thread has ended; 4 decimals
 * @events: that all threads have done
 * @mean_ms: of an event's time; 2 decimals
 * @p95_ms: 95th percentile of the events' times. Version 1.0 counts them in
 *          steps of 1.8 % and tells the upper end of one; 2 decimals
 */
struct sysbench_result {
	bool is_04;
	double seconds, events, mean_ms, p95_ms;
};

/**
 * struct sysbench_queries - what the database tests tell besides
 * @transactions: finished
 * @reads: statements that return rows
 * @others: statements that begin or end a transaction
 * @rate: transactions a second, as printed with 2 decimals
 */
struct sysbench_queries {
	double transactions, reads, others, rate;
};

/**
 * sysbench_read - read what all tests have in common
 *
 * Proven are one run of a known version, its threads, and that it went on for
 * the time or the events asked for.
 *
 * Return: 0 or -EPROTO.
 */
int sysbench_read(const struct upstream *upstream, const struct sysbench_ask *ask,
		  struct sysbench_result *ret);

/**
 * sysbench_read_queries - read what the read-only database test has besides
 * @result: of sysbench_read()
 *
 * Each event is a transaction of 14 reads (10 of one row, 4 of a range) between
 * a BEGIN and a COMMIT; nothing is written and nothing fails.
 *
 * Return: 0 or -EPROTO.
 */
int sysbench_read_queries(const struct upstream *upstream,
			  const struct sysbench_result *result,
			  struct sysbench_queries *ret);

/**
 * sysbench_read_rate - read the events a second that the test of CPUs prints
 * @result: of sysbench_read(), whose events and time the rate must go with
 * @ret: receives it; version 0.4 prints none, so its is events by time
 *
 * Return: 0 or -EPROTO.
 */
int sysbench_read_rate(const struct upstream *upstream,
		       const struct sysbench_result *result, double *ret);

#endif
