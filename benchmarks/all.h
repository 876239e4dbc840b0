/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The workloads' ops, for registry.c alone: everybody else asks bench_find()
 * or bench_all().
 */
#ifndef BENCHMARKS_ALL_H
#define BENCHMARKS_ALL_H

#include "benchmarks/bench.h"

extern const struct bench_ops exec_ops;
extern const struct bench_ops hackbench_ops;
extern const struct bench_ops messaging_ops;
extern const struct bench_ops null_ops;
extern const struct bench_ops pipe_ops;
extern const struct bench_ops stream_ops;

#endif
