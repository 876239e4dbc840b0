// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of workloads, sorted by name. */
#include "benchmarks/all.h"

#include <string.h>

static const struct bench_ops *const registry[] = {
	&hackbench_ops,
	&null_ops,
	&stream_ops,
	NULL,
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
