/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What things cost on a machine: the only figures of the simulator that aren't rules of a
 * kernel. The figures themselves are in configs/machines/, estimates with a source each;
 * what follows from a run is a sign and an order, not a time.
 */
#ifndef POLICY_COSTS_H
#define POLICY_COSTS_H

#include <stddef.h>
#include <stdint.h>

/**
 * enum cost_distance - how far two CPUs are from each other
 * @COST_SELF: one CPU
 * @COST_SMT: threads of one core
 * @COST_LLC: cores of one LLC
 * @COST_NODE: LLCs of one package
 * @COST_REMOTE: packages
 */
enum cost_distance {
	COST_SELF,
	COST_SMT,
	COST_LLC,
	COST_NODE,
	COST_REMOTE,
	COST_DISTANCES,
};

/** COST_MEDIA - as many as enum program_medium has; COST_IDLE_STATES - at most */
enum { COST_MEDIA = 4, COST_IDLE_STATES = 4 };

/**
 * struct cost_idle - an idle state of a CPU, as the kernel's table has it
 * @latency_us: exit latency by the table, by which placement prefers shallow states
 * @residency_us: it is entered for idle periods at least as long
 * @exit_ns: what leaving it costs
 */
struct cost_idle {
	unsigned int latency_us, residency_us, exit_ns;
};

/**
 * struct cost_model - of a machine; ns if not said otherwise
 * @syscall: a system call, in and out
 * @message: sending or receiving one message, by enum program_medium
 * @lines: cache lines that a message moves from CPU to CPU, likewise
 * @line: moving one of them, by distance
 * @wake: try_to_wake_up() to the own LLC
 * @scan_cpu: looking whether a CPU is idle
 * @switch_same, @switch_other: context switch within a process, between processes
 * @fork_process, @fork_thread: for the parent
 * @start_process, @start_thread: for the child, until its program begins
 * @exit: for a process that exits; a thread takes @start_thread
 * @tick: the timer's interrupt
 * @ipi: until an interrupt arrives, by distance
 * @migrate: for a task that runs on another CPU than before, whatever its footprint
 * @refill_kib: fetching a KiB of footprint, by distance
 * @balance_cpu: looking at a CPU for balance
 * @idle: idle states, shallow ones first
 * @nr_idle: how many
 * @smt_permille: speed of a CPU whose sibling is busy, of 1000 alone
 * @smt_memory_permille: the same while moving memory
 * @thread_mbs, @llc_mbs, @node_mbs, @link_mbs: bandwidth in MB/s (bytes in a us) of one
 *     task, of an LLC, of a node's memory, and between two nodes
 * @remote_permille: part of @thread_mbs for memory of another node
 * @jitter_permille: computing takes up to so much longer, at random
 */
struct cost_model {
	unsigned int syscall;
	unsigned int message[COST_MEDIA], lines[COST_MEDIA];
	unsigned int line[COST_DISTANCES];
	unsigned int wake, scan_cpu, switch_same, switch_other;
	unsigned int fork_process, fork_thread, start_process, start_thread, exit, tick;
	unsigned int ipi[COST_DISTANCES];
	unsigned int migrate, refill_kib[COST_DISTANCES], balance_cpu;
	struct cost_idle idle[COST_IDLE_STATES];
	size_t nr_idle;
	unsigned int smt_permille, smt_memory_permille;
	unsigned int thread_mbs, llc_mbs, node_mbs, link_mbs, remote_permille;
	unsigned int jitter_permille;
};

#endif
