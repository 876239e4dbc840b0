/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The workloads' ops, for registry.c alone: everybody else asks bench_find()
 * or bench_all(). And their models, each for its own ops.
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

/* How they run in the simulator; each is in the model.c of its folder. */
extern const struct bench_model chat_model;
extern const struct bench_model exec_model;
extern const struct bench_model fork_latency_model;
extern const struct bench_model hackbench_model;
extern const struct bench_model messaging_model;
extern const struct bench_model null_model;
extern const struct bench_model pipe_model;
extern const struct bench_model reaim_model;
extern const struct bench_model rr_model;
extern const struct bench_model stream_model;
extern const struct bench_model sysbench_model;
extern const struct bench_model tbench_model;
extern const struct bench_model threads_model;
extern const struct bench_model wakeup_latency_model;

#endif
