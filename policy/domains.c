// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Builds chains in the order in which the kernel does: all levels, imb_numa_nr over the
 * full chain, removal of what adds nothing, then the LLC caches; see domains.h.
 */
#include "policy/domains.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/err.h"
#include "policy/flags.h"

enum { FULL_CAPACITY = 1024, SMT_GAIN = 1178, RECLAIM_DISTANCE = 30 };

/* Flags that mean nothing where there is a single sd_group. */
enum {
	GROUP_FLAGS = SD_LOAD_BALANCE | SD_BALANCE_NEWIDLE | SD_BALANCE_EXEC |
		      SD_BALANCE_FORK | SD_SHARE_CPUCAPACITY | SD_SHARE_LLC | SD_CLUSTER |
		      SD_SHARE_POWERDOMAIN | SD_ASYM_CPUCAPACITY |
		      SD_ASYM_CPUCAPACITY_FULL | SD_PREFER_SIBLING,
	GROUP_FLAGS_NUMA = SD_SERIALIZE | SD_OVERLAP | SD_NUMA,
	FAR_LOSES = SD_BALANCE_EXEC | SD_BALANCE_FORK | SD_WAKE_AFFINE,
};

/* One level of the machine: how wide a NUMA level reaches is its index of distance. */
struct domain_position {
	enum sd_level level;
	int distance;
	unsigned int flags;
};

static struct domain *domain_at(const struct domains *domains, int cpu, int position)
{
	return &domains->chains[cpu * domains->nr_positions + position];
}

static const struct cpumask *span_of(const struct domains *domains, int position, int cpu)
{
	const struct machine *machine = domains->machine;
	const struct domain_position *here = &domains->positions[position];
	int node = machine_unit_of(machine, MACHINE_NODE, cpu);

	switch (here->level) {
	case SD_LEVEL_SMT:
		return machine_mask(machine, MACHINE_CORE, cpu);
	case SD_LEVEL_CLS:
		return machine_mask(machine, MACHINE_CLUSTER, cpu);
	case SD_LEVEL_MC:
		return machine_mask(machine, MACHINE_LLC, cpu);
	case SD_LEVEL_PKG:
		return machine_mask(machine, MACHINE_NODE, cpu);
	case SD_LEVEL_NODE:
	case SD_LEVEL_NUMA:
	case SD_LEVELS:
		break;
	}
	return &machine->near[here->distance * machine->nr[MACHINE_NODE] + node];
}

const struct cpumask *domain_group(const struct domains *domains,
				   const struct domain *domain, int nr)
{
	int lead = domain->lead[nr];

	if (!domain->position)
		return &domains->machine->single[lead];
	return span_of(domains, domain->position - 1, lead);
}

/* A package whose CPUs are in several nodes. */
static bool has_split_package(const struct machine *machine)
{
	int cpu;

	for (cpu = cpumask_from(&machine->online, 0); cpu >= 0;
	     cpu = cpumask_from(&machine->online, cpu + 1)) {
		struct cpumask all = *machine_mask(machine, MACHINE_NODE, cpu);

		cpumask_or(&all, machine_mask(machine, MACHINE_PACKAGE, cpu));
		if (!cpumask_equal(&all, machine_mask(machine, MACHINE_NODE, cpu)))
			return true;
	}
	return false;
}

static void add_position(struct domains *domains, enum sd_level level, int distance)
{
	const struct domain_rules *rules = &domains->rules;
	const struct machine *machine = domains->machine;
	int reclaim =
		rules->has_machine_reclaim ? machine->reclaim_distance : RECLAIM_DISTANCE;
	unsigned int flags = rules->flags[level];

	if (!rules->name[level])
		return;
	if (level == SD_LEVEL_NUMA && rules->has_distances) {
		/* Levels from the distance table are always built as overlapping ones. */
		flags |= SD_OVERLAP;
		if (machine->distances[distance] > reclaim)
			flags &= ~(unsigned int)FAR_LOSES;
	}
	domains->positions[domains->nr_positions++] = (struct domain_position){
		.level = level,
		.distance = distance,
		.flags = flags,
	};
}

static void list_positions(struct domains *domains)
{
	const struct domain_rules *rules = &domains->rules;
	const struct machine *machine = domains->machine;
	int distance;

	add_position(domains, SD_LEVEL_SMT, 0);
	add_position(domains, SD_LEVEL_CLS, 0);
	add_position(domains, SD_LEVEL_MC, 0);
	if (!rules->drops_package || !machine->is_x86 || !has_split_package(machine))
		add_position(domains, SD_LEVEL_PKG, 0);
	add_position(domains, SD_LEVEL_NODE, 0);
	if (!rules->has_distances)
		add_position(domains, SD_LEVEL_NUMA, machine->nr_distances - 1);
	else
		for (distance = 1; distance < machine->nr_distances; distance++)
			add_position(domains, SD_LEVEL_NUMA, distance);
}

/* Around the span from @cpu on: a CPU that no sd_group has yet brings its own one. */
static int make_ring(const struct domains *domains, struct domain *domain, int cpu,
		     uint16_t *scratch)
{
	struct cpumask covered = { { 0 } };
	int nr = 0;
	int i;

	domain->lead = scratch;
	for (i = cpumask_ring_first(domain->span, cpu); i >= 0;
	     i = cpumask_ring_next(domain->span, cpu, i)) {
		if (cpumask_has(&covered, i))
			continue;
		scratch[nr] = (uint16_t)i;
		cpumask_or(&covered, domain_group(domains, domain, nr));
		nr++;
	}
	domain->nr_groups = nr;
	/* One more: never of size 0. */
	domain->lead = malloc(((size_t)nr + 1) * sizeof(*domain->lead));
	if (!domain->lead)
		return -ENOMEM;
	memcpy(domain->lead, scratch, (size_t)nr * sizeof(*domain->lead));
	return 0;
}

static int build_domain(const struct domains *domains, int cpu, int position,
			uint16_t *scratch)
{
	const struct domain_position *here = &domains->positions[position];
	struct domain *domain = domain_at(domains, cpu, position);

	domain->level = here->level;
	domain->name = domains->rules.name[here->level];
	domain->position = position;
	domain->span = span_of(domains, position, cpu);
	domain->span_weight = cpumask_count(domain->span);
	domain->flags = here->flags;
	domain->imbalance_pct = domains->rules.imbalance_pct[here->level];
	domain->cache_nice_tries = domains->rules.cache_nice_tries[here->level];
	if (position) {
		domain->child = domain - 1;
		domain->child->parent = domain;
	}
	return make_ring(domains, domain, cpu, scratch);
}

/* Weight of the first NUMA level above @domain, or of @domain. */
static int numa_weight(const struct domain *domain)
{
	const struct domain *top = domain->parent;

	while (top && !(top->flags & SD_NUMA))
		top = top->parent;
	return top ? top->span_weight : domain->span_weight;
}

/* Needs the chain with all levels: a one-LLC node shows at its PKG level only. */
static void set_imb_numa(const struct domain_rules *rules, struct domain *base)
{
	struct domain *domain;
	int imb = 0;
	int span = 1;

	if (!rules->imb_numa_shift)
		return;
	for (domain = base; domain; domain = domain->parent) {
		const struct domain *child = domain->child;
		int nr_llcs;

		if ((domain->flags & SD_SHARE_LLC) || !child ||
		    !(child->flags & SD_SHARE_LLC)) {
			int factor = domain->span_weight / span;

			domain->imb_numa_nr = imb * (factor > 1 ? factor : 1);
			continue;
		}
		nr_llcs = domain->span_weight / child->span_weight;
		imb = nr_llcs == 1 ? domain->span_weight >> rules->imb_numa_shift
				   : nr_llcs;
		if (imb < rules->imb_numa_min)
			imb = rules->imb_numa_min;
		domain->imb_numa_nr = imb;
		span = numa_weight(domain);
	}
}

static unsigned int flags_that_count(const struct domains *domains,
				     const struct domain *domain)
{
	unsigned int idle = GROUP_FLAGS;

	if (domain->nr_groups > 1)
		return domain->flags;
	if (domains->rules.needs_groups_numa)
		idle |= GROUP_FLAGS_NUMA;
	if (domains->machine->nr[MACHINE_NODE] == 1)
		idle |= SD_SERIALIZE;
	return domain->flags & ~idle;
}

static bool adds_nothing(const struct domains *domains, const struct domain *parent)
{
	const struct domain *child = parent->child;

	if (parent->span_weight == 1)
		return true;
	return cpumask_equal(parent->span, child->span) &&
	       !(flags_that_count(domains, parent) & ~child->flags);
}

/* Unlinks levels; returns the lowest that is left, or NULL. */
static struct domain *remove_degenerate(const struct domains *domains,
					struct domain *base)
{
	struct domain *domain = base;

	while (domain->parent) {
		struct domain *parent = domain->parent;

		if (!adds_nothing(domains, parent)) {
			domain = parent;
			continue;
		}
		domain->parent = parent->parent;
		if (parent->parent)
			parent->parent->child = domain;
		domain->flags |= parent->flags & SD_PREFER_SIBLING;
	}
	if (base->span_weight > 1)
		return base;
	if (base->parent)
		base->parent->child = NULL;
	return base->parent;
}

static void attach(struct domains *domains, int cpu)
{
	struct domain_cpu *here = &domains->cpu[cpu];
	struct domain *domain;

	set_imb_numa(&domains->rules, domain_at(domains, cpu, 0));
	here->base = remove_degenerate(domains, domain_at(domains, cpu, 0));
	for (domain = here->base; domain && (domain->flags & SD_SHARE_LLC);
	     domain = domain->parent)
		here->llc = domain;
	here->llc_size = here->llc ? here->llc->span_weight : 1;
	here->llc_id = here->llc ? cpumask_from(here->llc->span, 0) : cpu;
	here->capacity = FULL_CAPACITY;
	if (domains->rules.has_smt_gain && here->base &&
	    (here->base->flags & SD_SHARE_CPUCAPACITY))
		here->capacity = SMT_GAIN / here->base->span_weight;
}

static int build_chains(struct domains *domains)
{
	const struct machine *machine = domains->machine;
	uint16_t *scratch = malloc((size_t)machine->nr_cpus * sizeof(*scratch));
	int bad = scratch ? 0 : -ENOMEM;
	int cpu, position;

	for (cpu = cpumask_from(&machine->online, 0); !bad && cpu >= 0;
	     cpu = cpumask_from(&machine->online, cpu + 1)) {
		for (position = 0; !bad && position < domains->nr_positions; position++)
			bad = build_domain(domains, cpu, position, scratch);
		if (!bad)
			attach(domains, cpu);
	}
	free(scratch);
	return bad;
}

static int prepare(struct domains *domains, const struct flag_change *changes,
		   size_t nr_changes)
{
	size_t nr_cpus = (size_t)domains->machine->nr_cpus;
	size_t i;
	int position;

	domains->positions =
		calloc((size_t)SD_LEVELS + (size_t)domains->machine->nr_distances,
		       sizeof(*domains->positions));
	domains->cpu = calloc(nr_cpus, sizeof(*domains->cpu));
	if (!domains->positions || !domains->cpu)
		return -ENOMEM;
	list_positions(domains);
	for (position = 0; position < domains->nr_positions; position++) {
		struct domain_position *here = &domains->positions[position];

		for (i = 0; i < nr_changes; i++)
			here->flags =
				flag_change_apply(&changes[i], here->level, here->flags);
	}
	domains->chains = calloc(nr_cpus * (size_t)domains->nr_positions + 1,
				 sizeof(*domains->chains));
	return domains->chains ? build_chains(domains) : -ENOMEM;
}

int domains_new(const struct machine *machine, const struct domain_rules *rules,
		const struct flag_change *changes, size_t nr_changes,
		struct domains **ret, struct err *err)
{
	struct domains *domains;

	if (rules->max_nodes && machine->nr[MACHINE_NODE] > rules->max_nodes)
		return err_set(
			err, -ENOTSUP,
			"the machine has %d nodes (expected %d at most for this kernel)",
			machine->nr[MACHINE_NODE], rules->max_nodes);
	domains = calloc(1, sizeof(*domains));
	if (!domains)
		return err_nomem(err);
	domains->machine = machine;
	domains->rules = *rules;
	if (prepare(domains, changes, nr_changes)) {
		domains_free(domains);
		return err_nomem(err);
	}
	*ret = domains;
	return 0;
}

int domains_write(struct domains *domains, const struct flag_change *change)
{
	const struct machine *machine = domains->machine;
	struct domain *domain;
	int changed = 0;
	int cpu;

	for (cpu = cpumask_from(&machine->online, 0); cpu >= 0;
	     cpu = cpumask_from(&machine->online, cpu + 1))
		for (domain = domains->cpu[cpu].base; domain; domain = domain->parent) {
			unsigned int flags =
				flag_change_apply(change, domain->level, domain->flags);

			changed += flags != domain->flags;
			domain->flags = flags;
		}
	return changed;
}

void domains_free(struct domains *domains)
{
	int i;

	if (!domains)
		return;
	for (i = 0;
	     domains->chains && i < domains->machine->nr_cpus * domains->nr_positions;
	     i++)
		free(domains->chains[i].lead);
	free(domains->chains);
	free(domains->positions);
	free(domains->cpu);
	free(domains);
}
