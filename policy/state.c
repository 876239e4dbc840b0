// SPDX-License-Identifier: GPL-2.0-or-later
/* See state.h. */
#include "policy/state.h"

#include "policy/domains.h"

/* Twice the cost of a migration as the kernel assumes it. */
enum { FIRST_AVG_IDLE_NS = 1000000 };

void cpu_states_init(const struct domains *domains, struct cpu_state *cpus)
{
	int cpu;

	for (cpu = 0; cpu < domains->machine->nr_cpus; cpu++)
		cpus[cpu] = (struct cpu_state){
			.capacity = (uint64_t)domains->cpu[cpu].capacity,
			.exit_latency = NO_IDLE_STATE,
			.avg_idle_ns = FIRST_AVG_IDLE_NS,
			.wake_avg_idle_ns = FIRST_AVG_IDLE_NS / 2,
			.has_idle_cores = true,
			.nr_idle_scan = domains->cpu[cpu].llc_size,
		};
}
