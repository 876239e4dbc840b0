/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a workfile's weights to numbers of jobs, and one number for all of its bytes. */
#ifndef BENCHMARKS_REAIM_SHARE_H
#define BENCHMARKS_REAIM_SHARE_H

#include "benchmarks/reaim/workfile.h"

/**
 * workfile_jobs - jobs of test @test that a child does, of @jobs asked for
 *
 * Its share by weight, rounded to the nearest, half upwards; at least 1 of each
 * test that is named. So all of them rarely come to @jobs.
 */
static inline uint64_t workfile_jobs(const struct workfile *workfile, int test,
				     uint64_t jobs)
{
	uint64_t total = workfile->total_weight;
	uint64_t nr = (2 * workfile->weight[test] * jobs + total) / (2 * total);

	return nr || !workfile->weight[test] ? nr : 1;
}

/** workfile_all_jobs - jobs that a child does, of @jobs asked for */
static inline uint64_t workfile_all_jobs(const struct workfile *workfile, uint64_t jobs)
{
	uint64_t sum = 0;
	int test;

	for (test = 0; test < REAIM_NR_TESTS; test++)
		sum += workfile_jobs(workfile, test, jobs);
	return sum;
}

/** workfile_sum - 52 bits that tell one workfile's bytes from another's (FNV-1a) */
static inline uint64_t workfile_sum(const char *text, size_t len)
{
	uint64_t sum = UINT64_C(0xcbf29ce484222325);
	size_t i;

	for (i = 0; i < len; i++)
		sum = (sum ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return (sum >> 12) + 1;
}

#endif
