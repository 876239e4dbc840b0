// SPDX-License-Identifier: GPL-2.0-or-later
/* Builds the machine that cells are simulated on; see sim_machine.h. */
#include "runner/sim_machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/topo.h"
#include "policy/machine.h"
#include "runner/machine_file.h"

static int fill_cpus(const struct machine *machine, struct topo *topo)
{
	int cpu;

	for (cpu = cpumask_from(&machine->online, 0); cpu >= 0;
	     cpu = cpumask_from(&machine->online, cpu + 1)) {
		topo->cpus[topo->nr_cpus++] = (struct topo_cpu){
			.cpu = (unsigned int)cpu,
			.core = machine_unit_of(machine, MACHINE_CORE, cpu),
			.llc = machine_unit_of(machine, MACHINE_LLC, cpu),
			.node = machine_unit_of(machine, MACHINE_NODE, cpu),
			.package = machine_unit_of(machine, MACHINE_PACKAGE, cpu),
		};
		if (cpulist_add(&topo->allowed, (unsigned int)cpu))
			return -ENOMEM;
	}
	return 0;
}

/* What tools that look at a machine see of it; its memory isn't known. */
static struct topo *topo_of(const struct machine *machine, uint64_t llc_kib)
{
	size_t nr_llcs = (size_t)machine->nr[MACHINE_LLC];
	size_t nr_nodes = (size_t)machine->nr[MACHINE_NODE];
	struct topo *topo = calloc(1, sizeof(*topo));
	size_t i;

	if (!topo)
		return NULL;
	topo->cpus = calloc((size_t)machine->nr_cpus, sizeof(*topo->cpus));
	topo->nodes = calloc(nr_nodes, sizeof(*topo->nodes));
	topo->llc_sizes = calloc(nr_llcs, sizeof(*topo->llc_sizes));
	if (!topo->cpus || !topo->nodes || !topo->llc_sizes || fill_cpus(machine, topo)) {
		topo_free(topo);
		return NULL;
	}
	topo->nr_cores = (unsigned int)machine->nr[MACHINE_CORE];
	topo->nr_llcs = (unsigned int)nr_llcs;
	topo->nr_nodes = (unsigned int)nr_nodes;
	topo->nr_packages = (unsigned int)machine->nr[MACHINE_PACKAGE];
	topo->nr_all_nodes = nr_nodes;
	for (i = 0; i < nr_nodes; i++)
		topo->nodes[i].node = (unsigned int)i;
	topo->llc_bytes = llc_kib << 10;
	for (i = 0; i < nr_llcs; i++)
		topo->llc_sizes[i] = topo->llc_bytes;
	return topo;
}

static void write_machine(const struct sim_machine *sim, FILE *out)
{
	const struct machine *machine = sim->machine;
	int nodes = machine->nr[MACHINE_NODE];
	int cpu, i;

	for (cpu = 0; cpu < machine->nr_cpus; cpu++) {
		(void)fprintf(out, "cpu %d", cpu);
		for (i = 0; i < MACHINE_UNITS; i++)
			(void)fprintf(out, " %d", machine->of[cpu].unit[i]);
		(void)fputc('\n', out);
	}
	for (i = 0; i < nodes * nodes; i++)
		(void)fprintf(out, "distance %d\n", machine->distance[i]);
	(void)fprintf(out, "reclaim %d x86 %d llc %llu\n", machine->reclaim_distance,
		      machine->is_x86, sim->topo->llc_bytes);
	machine_file_write_costs(&sim->costs, out);
}

static int identify(struct sim_machine *sim)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return -ENOMEM;
	write_machine(sim, out);
	if (fclose(out)) {
		free(text);
		return -ENOMEM;
	}
	digest_bytes(text, len, sim->sha256);
	free(text);
	return 0;
}

static int load(const char *name, const char *folder, struct machine_file *ret,
		struct err *err)
{
	char *path = NULL;
	int bad = machine_file_find(name, folder, &path, err);

	if (!bad)
		bad = machine_file_load(path, ret, err);
	free(path);
	return bad;
}

static int from_file(const struct sim_spec *spec, const char *folder,
		     struct sim_machine *sim, struct err *err)
{
	struct machine_file file;
	int bad = load(spec->machine, folder, &file, err);

	if (bad)
		return bad;
	if (!file.has_shape)
		return err_set(err, -EINVAL,
			       "machine '%s' has costs but no topology (expected "
			       "'topology' in its file)",
			       spec->machine);
	(void)snprintf(sim->name, sizeof(sim->name), "%s", file.name);
	sim->costs = file.costs;
	bad = machine_regular(&file.shape, &sim->machine, err);
	if (bad)
		return bad;
	sim->machine->is_x86 = file.is_x86;
	sim->topo = topo_of(sim->machine, file.llc_kib);
	return sim->topo ? 0 : err_nomem(err);
}

/* As a guest with that topology: its CPUs, and costs of no machine in particular. */
static int from_topology(const struct sim_spec *spec, struct sim_machine *sim,
			 struct err *err)
{
	const struct guest_topology *topology = &spec->topology;
	size_t nr = topology->nodes;
	int *distances = calloc(nr * nr, sizeof(*distances));
	struct machine_file file;
	int bad = distances && !guest_topo(topology, &sim->topo) ? 0 : err_nomem(err);
	size_t i;

	for (i = 0; !bad && i < nr * nr; i++)
		distances[i] = i % (nr + 1) == 0 ? 10 : (int)topology->distance;
	if (!bad)
		bad = load(MACHINE_FILE_REFERENCE, ".", &file, err);
	if (!bad)
		bad = machine_from_topo(sim->topo, distances, &sim->machine, err);
	free(distances);
	if (bad)
		return bad;
	(void)snprintf(sim->name, sizeof(sim->name), "%s", topology->name);
	sim->costs = file.costs;
	return 0;
}

int sim_machine_open(const struct sim_spec *spec, const char *folder,
		     struct sim_machine *ret, struct err *err)
{
	struct sim_machine sim = { 0 };
	int bad = spec->machine ? from_file(spec, folder, &sim, err)
				: from_topology(spec, &sim, err);

	if (!bad && identify(&sim))
		bad = err_nomem(err);
	if (bad)
		sim_machine_release(&sim);
	else
		*ret = sim;
	return bad;
}

void sim_machine_release(struct sim_machine *machine)
{
	machine_free(machine->machine);
	topo_free(machine->topo);
	*machine = (struct sim_machine){ 0 };
}

void sim_spec_free(struct sim_spec *spec)
{
	if (spec)
		free(spec->machine);
	free(spec);
}
