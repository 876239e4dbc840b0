/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a grid says of its guests: the machine to emulate and how. Counts only;
 * nothing here looks at this machine or starts anything.
 */
#ifndef RUNNER_GUEST_SPEC_H
#define RUNNER_GUEST_SPEC_H

#include <stdint.h>

struct bench_command;
struct err;
struct jval;
struct topo;

enum { GUEST_MAX_CPUS = 255, GUEST_NAME_SIZE = 64 };

/** enum guest_accel - what executes the guest's instructions */
enum guest_accel {
	GUEST_ACCEL_ANY, /* KVM where this machine has one, else TCG */
	GUEST_KVM,
	GUEST_TCG,
};

/**
 * enum guest_mode - how the virtual CPUs get along
 * @GUEST_PARALLEL: each is a thread of its own
 * @GUEST_DETERMINISTIC: one after the other by counted instructions, so that the same
 *                       seed does the same; TCG only
 */
enum guest_mode { GUEST_PARALLEL, GUEST_DETERMINISTIC };

/**
 * struct guest_topology - an emulated machine
 * @name: as the records call it; empty: guest_spec_finish() makes one of the counts
 * @sockets: packages
 * @llcs: last-level caches of each package
 * @cores: cores of each last-level cache
 * @threads: of each core
 * @nodes: NUMA nodes; the last-level caches are shared out evenly
 * @distance: from one node to another, 10 being its own
 */
struct guest_topology {
	char name[GUEST_NAME_SIZE];
	unsigned int sockets, llcs, cores, threads, nodes, distance;
};

/**
 * struct guest_spec - the guests of a grid
 * @topology: their machine
 * @accel: as the grid says
 * @mode: of the virtual CPUs
 * @memory_mib: of the whole guest, in units of 2^20 bytes
 * @timeout_ns: how long a guest may say nothing, beyond an iteration's own time
 * @boots: starts of each column's kernel
 */
struct guest_spec {
	struct guest_topology topology;
	enum guest_accel accel;
	enum guest_mode mode;
	uint64_t memory_mib;
	uint64_t timeout_ns;
	uint64_t boots;
};

/** guest_spec_init - what holds where the grid says nothing: two-node-8, parallel */
void guest_spec_init(struct guest_spec *spec);

/**
 * guest_topology_find - the topology that is called @name
 * @name: as in the grid
 * @ret: written on success only
 *
 * Return: 0 or -ENOENT.
 */
int guest_topology_find(const char *name, struct guest_topology *ret);

/** guest_topology_names - what guest_topology_find() knows, ended by NULL; static */
const char *const *guest_topology_names(void);

/**
 * guest_topology_finish - check counts that don't go together, and name what has no name
 * @err: says what doesn't fit
 *
 * Return: 0 or -EINVAL.
 */
int guest_topology_finish(struct guest_topology *topology, struct err *err);

/**
 * guest_spec_finish - check what doesn't go together, and fill what was left open
 * @spec: as read; memory of 0 becomes 1 GiB, or more for many CPUs
 * @err: says what doesn't fit
 *
 * Return: 0 or -EINVAL.
 */
int guest_spec_finish(struct guest_spec *spec, struct err *err);

/** guest_nr_cpus - CPUs of the whole machine */
unsigned int guest_nr_cpus(const struct guest_topology *topology);

/**
 * guest_topo - the machine as a guest's kernel has to see it
 * @ret: the caller's to topo_free(); written on success only
 *
 * CPUs are numbered thread by thread, core by core, cache by cache.
 *
 * Return: 0 or -ENOMEM.
 */
int guest_topo(const struct guest_topology *topology, struct topo **ret);

/**
 * guest_check_topo - refuse a machine that isn't the one asked for
 * @topology: asked for
 * @found: as the guest's kernel sees it
 * @err: says what differs
 *
 * Return: 0 or -EPROTO.
 */
int guest_check_topo(const struct guest_topology *topology, const struct topo *found,
		     struct err *err);

/**
 * guest_machine_args - the machine as arguments of QEMU
 * @command: gets them
 *
 * Return: 0 or -ENOMEM.
 */
int guest_machine_args(const struct guest_spec *spec, struct bench_command *command);

/** guest_spec_json - the spec as a new object; NULL: out of memory */
struct jval *guest_spec_json(const struct guest_spec *spec);

#endif
