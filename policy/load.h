/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What placement and balancing ask of CPUs and domains: load as the variant means it. */
#ifndef POLICY_LOAD_H
#define POLICY_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "policy/state.h"

struct domain;

/** load_by - load of @cpu by @variant's signal */
uint64_t load_by(const struct policy_variant *variant, const struct cpu_state *cpu);

/** load_of_cpu - the same of the CPU with the number @cpu */
uint64_t load_of_cpu(const struct placement *place, int cpu);

/** load_of_task - load of the task by the variant's signal */
uint64_t load_of_task(const struct placement *place);

/** task_is_counted - whether @cpu's signals hold something of the task */
bool task_is_counted(const struct placement *place, int cpu);

/** load_without_task - load_avg of @cpu less what the task left there */
uint64_t load_without_task(const struct placement *place, int cpu);

/** util_without_task - likewise of util_avg */
uint64_t util_without_task(const struct placement *place, int cpu);

/** runnable_without_task - likewise of runnable_avg */
uint64_t runnable_without_task(const struct placement *place, int cpu);

/** domain_is_usable - whether placement looks at @domain: SD_LOAD_BALANCE up to 5.7 */
bool domain_is_usable(const struct placement *place, const struct domain *domain);

/**
 * cpu_allowed_near - @cpu, or another CPU where the task isn't allowed on it
 *
 * The first allowed one of the node that the task is in, else of the machine: what the
 * kernel falls back to.
 */
int cpu_allowed_near(const struct placement *place, int cpu);

#endif
