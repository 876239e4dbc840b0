// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tcp-rr: a client sends a request over TCP on the loopback device, a server
 * responds, and so on in turn; netperf's TCP_RR.
 *
 * Sensitive to where the wakee of a wakeup is put and to what a wakeup and a
 * switch cost, with the network stack's share around them. A poor test of
 * throughput and, at a few pairs, of load balancing.
 */
#include "benchmarks/all.h"
#include "benchmarks/tcp-rr/netperf.h"
#include "benchmarks/tcp-rr/rr.h"

const struct bench_ops tcp_rr_ops = {
	.name = "tcp-rr",
	.summary = "requests and responses in turn over TCP on the loopback device",
	.axis = "pairs",
	.choices = (const struct bench_choice[]){ { 0 } },
	.params = rr_params,
	.metrics = rr_metrics,
	.programs = rr_programs,
	.model = &rr_model,
	.check = netperf_check,
	.needs = rr_needs,
};
