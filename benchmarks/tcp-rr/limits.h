/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parameters of tcp-rr and udp-rr may be: for their ops and their programs. */
#ifndef BENCHMARKS_TCP_RR_LIMITS_H
#define BENCHMARKS_TCP_RR_LIMITS_H

enum {
	RR_MAX_PAIRS = 5000,
	RR_MAX_SECONDS = 86400,
	RR_MAX_SIZE = 65507, /* what a datagram holds */
};

#endif
