/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The databases that sysbench's transactions go to, each a service of the run. */
#ifndef BENCHMARKS_SYSBENCH_DATABASES_H
#define BENCHMARKS_SYSBENCH_DATABASES_H

struct bench_command;
struct bench_service;
struct workload;

/** SYSBENCH_04 - the grid's word for sysbench of version 0.4 */
#define SYSBENCH_04 "sysbench-0.4"

/** sysbench_service - the database that @workload needs, NULL: none */
const struct bench_service *sysbench_service(const struct workload *workload);

/**
 * sysbench_add_database - add the options that name the chosen database
 *
 * Return: 0 or -ENOMEM.
 */
int sysbench_add_database(const struct workload *workload, struct bench_command *command);

#endif
