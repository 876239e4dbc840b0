// SPDX-License-Identifier: GPL-2.0-or-later
/* Costs of some machines, with sources; see costs.h. */
#include "policy/costs.h"

/*
 * Sources: "est" is an estimate; "pipe" is the split of a pipe's round trip of 2.79 us on
 * one CPU into its parts; "tcp" lat_tcp on an E5-2699v4; "idle" tables of the kernel's
 * intel_idle and published wake-up times; "likwid" bandwidth files of that project's
 * wiki; "lat_pipe" by distance on a Kunpeng 920.
 */
void cost_model_reference(struct cost_model *ret)
{
	*ret = (struct cost_model){
		.syscall = 60,			       /* getppid(), 115 to 250 cycles */
		.message = { 250, 500, 1600, 400 },    /* pipe, est, tcp, est */
		.lines = { 20, 20, 24, 10 },	       /* lat_pipe, est, tcp, est */
		.line = { 0, 8, 37, 80, 80 },	       /* cache-to-cache, Haswell-EP */
		.wake = 250,			       /* pipe */
		.scan_cpu = 15,			       /* est */
		.switch_same = 400,		       /* pipe between threads */
		.switch_other = 550,		       /* pipe between processes */
		.fork_process = 60000,		       /* est, 35 to 100 us */
		.fork_thread = 9000,		       /* est, 5 to 15 us */
		.start_process = 40000,		       /* est, 20 to 80 us */
		.start_thread = 6000,		       /* est, 3 to 12 us */
		.exit = 40000,			       /* est, 25 to 70 us */
		.tick = 2000,			       /* est */
		.ipi = { 0, 700, 700, 700, 1000 },     /* est, 400 to 1500 ns */
		.migrate = 2000,		       /* est, 1 to 4 us */
		.refill_kib = { 0, 0, 100, 380, 380 }, /* from line and bandwidth */
		.balance_cpu = 40,		       /* est */
		.idle = { { 2, 2, 1000 },	       /* idle: C1 */
			  { 10, 20, 4000 },	       /* C1E */
			  { 33, 100, 10000 },	       /* C3 */
			  { 133, 400, 35000 } },       /* C6 */
		.nr_idle = 4,
		.smt_permille = 640,	    /* OLTP on 1 and 2 threads of a core */
		.smt_memory_permille = 550, /* likwid */
		.thread_mbs = 13000,	    /* likwid */
		.llc_mbs = 55000,	    /* the LLC is the package */
		.node_mbs = 55000,	    /* likwid, Memory Latency Checker */
		.link_mbs = 30000,	    /* Memory Latency Checker */
		.remote_permille = 700,	    /* likewise */
		.jitter_permille = 20,	    /* est */
	};
}

void cost_model_zen3(struct cost_model *ret)
{
	static const unsigned int line[] = { 0, 10, 24, 110, 210 }; /* core-to-core */
	static const unsigned int refill[] = { 0, 0, 70, 460, 870 };
	size_t i;

	cost_model_reference(ret);
	for (i = 0; i < COST_DISTANCES; i++) {
		ret->line[i] = line[i];
		ret->refill_kib[i] = refill[i];
	}
	ret->idle[0] = (struct cost_idle){ 1, 2, 1000 };
	ret->idle[1] = (struct cost_idle){ 400, 800, 15000 };
	ret->nr_idle = 2;
	ret->smt_permille = 730;
	ret->smt_memory_permille = 560;
	ret->thread_mbs = 30000; /* est from Zen 2 by the clock of its fabric */
	ret->llc_mbs = 38000;
	ret->node_mbs = 158000;
	ret->link_mbs = 80000;
	ret->remote_permille = 550;
}

void cost_model_skylake(struct cost_model *ret)
{
	cost_model_reference(ret);
	ret->line[COST_LLC] = 50; /* core-to-core, 8174 */
	ret->line[COST_NODE] = ret->line[COST_REMOTE] = 116;
	ret->refill_kib[COST_LLC] = 110;
	ret->refill_kib[COST_NODE] = ret->refill_kib[COST_REMOTE] = 510;
	ret->idle[2] = (struct cost_idle){ 133, 600, 40000 };
	ret->nr_idle = 3;
	ret->smt_permille = 700;
	ret->smt_memory_permille = 540;
	ret->thread_mbs = 18500; /* likwid, 8174 */
	ret->llc_mbs = ret->node_mbs = 107000;
	ret->link_mbs = 45000;
	ret->remote_permille = 620;
}
