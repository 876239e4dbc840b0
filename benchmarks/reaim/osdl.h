/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The workload by an installed reaim, which our own program gives its workfile
 * and starts; and what it prints.
 */
#ifndef BENCHMARKS_REAIM_OSDL_H
#define BENCHMARKS_REAIM_OSDL_H

#include <stddef.h>

struct bench_command;
struct bench_samples;
struct err;
struct workload;

/** osdl_check - 0, or -EINVAL for what it can't do: other sync modes, repeats */
int osdl_check(const struct workload *workload, struct err *err);

/** osdl_plan - plan() of it; 0 or -ENOMEM */
int osdl_plan(const struct workload *workload, unsigned int iteration,
	      struct bench_command *command);

/**
 * osdl_parse - parse() of it
 *
 * There must be one line of nine numbers. Its rate must be what the formula makes
 * of the users asked for, the jobs that the mix comes to, and its time.
 */
int osdl_parse(const struct workload *workload, const char *out, size_t len,
	       struct bench_samples *samples, struct err *err);

#endif
