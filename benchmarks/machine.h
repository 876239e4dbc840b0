/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a workload takes from a machine, and what it is told of the machine to
 * size its work by.
 */
#ifndef BENCHMARKS_MACHINE_H
#define BENCHMARKS_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/** BENCH_AUTO - number of a parameter that resolve() is to find; no real value */
#define BENCH_AUTO UINT64_MAX

enum { BENCH_REMARK_SIZE = 200 };

/**
 * struct bench_needs - what one iteration takes from the host
 * @fds: open descriptors of the process that holds most
 * @tasks: processes and threads at one time
 * @threads: those of them that map their stacks in one process
 * @memory: bytes
 */
struct bench_needs {
	uint64_t fds, tasks, threads, memory;
};

/**
 * struct bench_machine - the machine that a row of a grid runs on
 * @llc_bytes_total: sum of the last-level caches of the CPUs that any column of
 *                   the row may use; 0 when not known
 * @memory_bytes: all of its memory, free or not; 0 when not known
 * @nr_cpus: CPUs that any column of the row may use
 */
struct bench_machine {
	uint64_t llc_bytes_total, memory_bytes;
	unsigned int nr_cpus;
};

/**
 * struct bench_remark - what each record of a cell has to say of its size
 * @is_undersized: too little work for what the workload measures
 * @text: one sentence; empty: nothing to say
 */
struct bench_remark {
	bool is_undersized;
	char text[BENCH_REMARK_SIZE];
};

#endif
