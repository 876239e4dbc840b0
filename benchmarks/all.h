/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The workloads' ops, for registry.c alone: everybody else asks bench_find()
 * or bench_all().
 */
#ifndef BENCHMARKS_ALL_H
#define BENCHMARKS_ALL_H

#include "benchmarks/bench.h"

extern const struct bench_ops chat_ops;
extern const struct bench_ops exec_ops;
extern const struct bench_ops fork_latency_ops;
extern const struct bench_ops hackbench_ops;
extern const struct bench_ops messaging_ops;
extern const struct bench_ops null_ops;
extern const struct bench_ops pipe_ops;
extern const struct bench_ops reaim_ops;
extern const struct bench_ops stream_ops;
extern const struct bench_ops sysbench_ops;
extern const struct bench_ops tbench_ops;
extern const struct bench_ops tcp_rr_ops;
extern const struct bench_ops threads_ops;
extern const struct bench_ops udp_rr_ops;
extern const struct bench_ops wakeup_latency_ops;

#endif
