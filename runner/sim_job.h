/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of a workload in the simulator: rules, machine and seed go in, the workload's
 * figures and what was counted come out. Knows no plan and no records.
 */
#ifndef RUNNER_SIM_JOB_H
#define RUNNER_SIM_JOB_H

#include <stdint.h>

#include "benchmarks/bench.h"
#include "runner/placement.h"

struct cost_model;
struct cpulist;
struct domains;
struct err;
struct policy_variant;

/**
 * struct sim_job - what to run; everything is lent
 * @workload: with a model, and nothing left open
 * @variant: the rules
 * @domains: of the machine, built by the variant's domain rules
 * @costs: of the machine
 * @cpus: where the workload may run; the seed decides on which of them it starts
 * @seed: of all that is random
 * @limit_ns: the longest run, in the model's time
 */
struct sim_job {
	const struct workload *workload;
	const struct policy_variant *variant;
	const struct domains *domains;
	const struct cost_model *costs;
	const struct cpulist *cpus;
	uint64_t seed, limit_ns;
};

/**
 * struct sim_report - what came of it
 * @samples: of the workload's metrics
 * @placement: as the monitor counts it
 */
struct sim_report {
	struct bench_samples samples;
	struct placement placement;
};

/**
 * sim_job_check - whether a workload can be simulated
 * @err: says why not
 *
 * Return: 0, -EOPNOTSUPP or -ENOMEM.
 */
int sim_job_check(const struct workload *workload, struct err *err);

/**
 * sim_job_run - run it
 * @job: of a workload that sim_job_check() passes
 * @ret: written on success only
 * @err: says what went wrong
 *
 * Return: 0, -ETIME (@limit_ns), -ENOMEM, or what model and simulator return.
 */
int sim_job_run(const struct sim_job *job, struct sim_report *ret, struct err *err);

#endif
