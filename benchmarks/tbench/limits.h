/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tbench's parameters may be, and what its loads come to: one place for
 * its ops and its program.
 */
#ifndef BENCHMARKS_TBENCH_LIMITS_H
#define BENCHMARKS_TBENCH_LIMITS_H

#include <stdint.h>

enum {
	TBENCH_MAX_CLIENTS = 1000,
	TBENCH_MAX_SECONDS = 86400,
	TBENCH_PORT = 7003,	/* of dbench's programs, which can't be told another */
	TBENCH_WARMUP_PART = 5, /* the warm-up is that part of the time with dbench */
	TBENCH_NR_LOADS = 3,
};

/** TBENCH_LOAD_FILE - the load as Debian's package dbench brings it */
#define TBENCH_LOAD_FILE "/usr/share/dbench/client.txt"

/* dbench's programs, as Debian's package brings them. */
#define TBENCH_DBENCH_SERVER "/usr/bin/tbench_srv"
#define TBENCH_DBENCH_CLIENT "/usr/bin/tbench"

/**
 * struct tbench_load - a load, and what one pass of it must come to
 * @word: in the grid
 * @first: of the lines of TBENCH_LOAD_FILE that it consists of; 0: not from there
 * @last: of these lines
 * @packets: that a client sends
 * @payload: bytes that are read and written, without what is around them
 */
struct tbench_load {
	const char *word;
	uint64_t first, last, packets, payload;
};

/** tbench_load_at - load number @i of TBENCH_NR_LOADS; the first is the default */
static inline const struct tbench_load *tbench_load_at(unsigned int i)
{
	static const struct tbench_load loads[TBENCH_NR_LOADS] = {
		{ "synthetic", 0, 0, 10002, 54270063 },
		{ "full", 1, 458344, 458342, 2488062937 },
		/* What mmtests cuts out of it, so that a pass takes a fraction of a second. */
		{ "tiny", 601, 4173, 3573, 19119736 },
	};

	return &loads[i];
}

#endif
