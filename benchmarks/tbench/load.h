/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The load as a file that every client reads for itself, line by line, again
 * and again: reading is part of the figure. What isn't a file already is made
 * one in memory.
 */
#ifndef BENCHMARKS_TBENCH_LOAD_H
#define BENCHMARKS_TBENCH_LOAD_H

#include <sys/mman.h>
#include <unistd.h>

#include "benchmarks/tbench/limits.h"
#include "benchmarks/tbench/synthetic.h"
#include "benchmarks/tbench/wire.h"

enum { LOAD_PATH = 64, LOAD_REASON = 200 };

/**
 * struct load - a load at hand
 * @kind: which
 * @path: what to open, also in child processes
 * @packets: in a pass
 * @payload: bytes of a pass
 * @reason: why there is none
 */
struct load {
	const struct tbench_load *kind;
	char path[LOAD_PATH];
	uint64_t packets, payload;
	char reason[LOAD_REASON];
};

/* Lines of one file; -1 when it hasn't got all of them. */
static inline int load_copy(const struct tbench_load *kind, FILE *from, FILE *to)
{
	char line[WIRE_LINE];
	uint64_t nr;

	for (nr = 1; nr <= kind->last; nr++) {
		if (!fgets(line, sizeof(line), from))
			return -1;
		if (nr >= kind->first)
			(void)fputs(line, to);
	}
	return 0;
}

/* A file in memory; stays open, as its path in /proc is good only for so long. */
static inline int load_make(struct load *load, FILE *from)
{
	int fd = memfd_create("tbench-load", 0);
	int kept = dup(fd);
	FILE *to = fd < 0 || kept < 0 ? NULL : fdopen(fd, "w");
	int bad = 0;

	if (!to) {
		(void)snprintf(load->reason, sizeof(load->reason),
			       "cannot keep the load in memory: %m");
		return -1;
	}
	if (from)
		bad = load_copy(load->kind, from, to);
	else
		synthetic_write(to);
	if (bad)
		(void)snprintf(load->reason, sizeof(load->reason),
			       "%s has fewer than %ju lines", TBENCH_LOAD_FILE,
			       (uintmax_t)load->kind->last);
	else if (fflush(to) || ferror(to))
		bad = snprintf(load->reason, sizeof(load->reason),
			       "cannot write the load into memory: %m");
	(void)fclose(to);
	(void)snprintf(load->path, sizeof(load->path), "/proc/self/fd/%d", kept);
	return bad ? -1 : 0;
}

/* Reads all of it once, so that nothing is wrong with it when the clock runs. */
static inline int load_survey(struct load *load)
{
	FILE *file = fopen(load->path, "re");
	struct wire_request request = { 0 };
	char line[WIRE_LINE];
	uint64_t nr = 0;
	int got = 0;

	while (file && got >= 0 && fgets(line, sizeof(line), file)) {
		got = wire_read(line, 0, &request);
		nr++;
		load->packets += got > 0;
		load->payload += got > 0 ? request.payload : 0;
	}
	if (!file)
		(void)snprintf(load->reason, sizeof(load->reason), "cannot open %s: %m",
			       load->path);
	else if (got < 0)
		(void)snprintf(load->reason, sizeof(load->reason),
			       "line %ju of the load is not an operation with its "
			       "arguments and status",
			       (uintmax_t)nr);
	if (!file)
		return -1;
	(void)fclose(file);
	return got < 0 ? -1 : 0;
}

/**
 * load_prepare - have a load ready to be read
 * @load: filled; its @reason says what is wrong on failure
 * @kind: which one
 *
 * Return: 0, or -1 when it can't be read, or is not what its name stands for.
 */
static inline int load_prepare(struct load *load, const struct tbench_load *kind)
{
	FILE *from;
	int bad = 0;

	*load = (struct load){ .kind = kind };
	(void)snprintf(load->path, sizeof(load->path), "%s", TBENCH_LOAD_FILE);
	from = kind->last ? fopen(TBENCH_LOAD_FILE, "re") : NULL;
	if (kind->last && !from) {
		(void)snprintf(load->reason, sizeof(load->reason),
			       "cannot open %s, of the Debian package dbench: %m",
			       TBENCH_LOAD_FILE);
		return -1;
	}
	if (kind->first != 1)
		bad = load_make(load, from);
	if (from)
		(void)fclose(from);
	if (bad || load_survey(load))
		return -1;
	if (load->packets == kind->packets && load->payload == kind->payload)
		return 0;
	(void)snprintf(load->reason, sizeof(load->reason),
		       "the load %s has %ju packets with %ju bytes of payload, expected "
		       "%ju with %ju as in dbench 4.0",
		       kind->word, (uintmax_t)load->packets, (uintmax_t)load->payload,
		       (uintmax_t)kind->packets, (uintmax_t)kind->payload);
	return -1;
}

#endif
