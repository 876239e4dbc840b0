/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the ops of tcp-rr and udp-rr share: all but their names. */
#ifndef BENCHMARKS_TCP_RR_RR_H
#define BENCHMARKS_TCP_RR_RR_H

#include "benchmarks/bench.h"

/** rr_params - pairs, seconds, request and response */
extern const struct bench_param rr_params[];
/** rr_metrics - rate and latency */
extern const struct bench_metric rr_metrics[];
/** rr_programs - our own, called as the workload, and netperf */
extern const struct bench_program rr_programs[];
/** rr_needs - descriptors, processes and memory of all pairs */
void rr_needs(const struct workload *workload, struct bench_needs *needs);

#endif
