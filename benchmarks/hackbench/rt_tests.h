/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hackbench of rt-tests as a program of the workload. */
#ifndef BENCHMARKS_HACKBENCH_RT_TESTS_H
#define BENCHMARKS_HACKBENCH_RT_TESTS_H

#include <stddef.h>

struct bench_command;
struct bench_samples;
struct err;
struct workload;

/** rt_tests_plan - plan() of the program */
int rt_tests_plan(const struct workload *workload, unsigned int iteration,
		  struct bench_command *command);
/** rt_tests_parse - parse() of the program; its only metric is time */
int rt_tests_parse(const struct workload *workload, const char *out, size_t len,
		   struct bench_samples *samples, struct err *err);

#endif
