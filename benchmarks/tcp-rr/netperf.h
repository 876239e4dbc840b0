/* SPDX-License-Identifier: GPL-2.0-or-later */
/* netperf as a program of tcp-rr and udp-rr. */
#ifndef BENCHMARKS_TCP_RR_NETPERF_H
#define BENCHMARKS_TCP_RR_NETPERF_H

#include <stddef.h>

struct bench_command;
struct bench_samples;
struct err;
struct workload;

/** netperf_check - check() of the ops: netperf runs one pair */
int netperf_check(const struct workload *workload, unsigned int nr_cpus, struct err *err);
/** netperf_plan - plan() of the program; it talks to the netserver of this machine */
int netperf_plan(const struct workload *workload, unsigned int iteration,
		 struct bench_command *command);
/** netperf_parse - parse() of the program; its only metric is rate */
int netperf_parse(const struct workload *workload, const char *out, size_t len,
		  struct bench_samples *samples, struct err *err);

#endif
