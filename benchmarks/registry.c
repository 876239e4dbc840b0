// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of workloads, sorted by name. */
#include "benchmarks/all.h"

#include <string.h>

static const struct bench_ops *const registry[] = {
	&chat_ops,	&exec_ops,     &fork_latency_ops,   &hackbench_ops,
	&messaging_ops, &null_ops,     &pipe_ops,	    &reaim_ops,
	&stream_ops,	&sysbench_ops, &tbench_ops,	    &tcp_rr_ops,
	&threads_ops,	&udp_rr_ops,   &wakeup_latency_ops, NULL,
};

const struct bench_ops *const *bench_all(void)
{
	return registry;
}

const struct bench_ops *bench_find(const char *name)
{
	size_t i;

	for (i = 0; registry[i]; i++) {
		if (!strcmp(registry[i]->name, name))
			return registry[i];
	}
	return NULL;
}

const struct bench_program *bench_program_find(const struct bench_ops *ops,
					       const char *name)
{
	const struct bench_program *program = ops->programs;

	while (program->name && strcmp(program->name, name) != 0)
		program++;
	return program->name ? program : NULL;
}
