/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The samples of a run in the line protocol of InfluxDB. */
#ifndef COMPARE_PUBLISH_INFLUX_H
#define COMPARE_PUBLISH_INFLUX_H

#include <stddef.h>

struct err;

/**
 * influx_write - one line for each sample of an iteration that went well
 * @dir: directory of the run
 * @run: what the run is called, for the field "run"
 * @ret: the text, the caller's; written on success only
 * @ret_len: bytes in @ret
 * @err: names the file and line that can't be read
 *
 * Tags tell series apart: machine, executor, column, workload, variant, metric, unit,
 * better and each parameter of the point. A point's time is the start of its iteration
 * and a nanosecond for each sample before it, so sending a run again changes nothing.
 * Warm-ups, summaries and samples without a time or that are no number are left out.
 *
 * Return: 0, -ENODATA when no sample is left, or what ledger_read_once() says.
 */
int influx_write(const char *dir, const char *run, char **ret, size_t *ret_len,
		 struct err *err);

#endif
