// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * udp-rr: as tcp-rr, in datagrams; netperf's UDP_RR.
 *
 * The network stack does less than for TCP, so the scheduler's share is larger.
 */
#include "benchmarks/all.h"
#include "benchmarks/tcp-rr/netperf.h"
#include "benchmarks/tcp-rr/rr.h"

const struct bench_ops udp_rr_ops = {
	.name = "udp-rr",
	.summary = "requests and responses in turn over UDP on the loopback device",
	.axis = "pairs",
	.choices = (const struct bench_choice[]){ { 0 } },
	.params = rr_params,
	.metrics = rr_metrics,
	.programs = rr_programs,
	.model = &rr_model,
	.check = netperf_check,
	.needs = rr_needs,
};
