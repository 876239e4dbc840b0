/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pairs, clock and result of udp-rr are those of tcp-rr: only the sockets differ. */
#ifndef BENCHMARKS_UDP_RR_PAIRS_H
#define BENCHMARKS_UDP_RR_PAIRS_H

#include "benchmarks/tcp-rr/pairs.h"

#endif
