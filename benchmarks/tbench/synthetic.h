/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A load of our own, for machines without dbench's: the same operations in the
 * same shares, with names and sizes that are about as long on average. It lacks
 * the order of the original, where runs of one operation follow each other, so
 * its figures are no match for those of the original.
 *
 * Shares are dealt out evenly: whatever is furthest behind its share comes next.
 * So the text is the same everywhere.
 */
#ifndef BENCHMARKS_TBENCH_SYNTHETIC_H
#define BENCHMARKS_TBENCH_SYNTHETIC_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { SYNTHETIC_OPS = 14 };

/** struct synthetic_share - a value, and how many of @total have it */
struct synthetic_share {
	uint32_t value;
	int weight;
};

/**
 * struct synthetic_mix - shares, and how many of each were dealt so far
 * @share: ended by a weight of 0, if it isn't full
 * @total: of the weights
 */
struct synthetic_mix {
	struct synthetic_share share[SYNTHETIC_OPS];
	int total;
	int dealt[SYNTHETIC_OPS], nr_dealt;
};

/** struct synthetic_op - an operation as its lines have it */
struct synthetic_op {
	const char *name, *before, *behind; /* the size, if it has one */
	struct synthetic_mix *sizes;
	int names[2]; /* bytes of its names; 0: none */
};

/** synthetic_deal - the value that is furthest behind its share */
static inline uint32_t synthetic_deal(struct synthetic_mix *mix)
{
	size_t best = 0;
	long most = 0;
	size_t i;

	mix->nr_dealt++;
	for (i = 0; i < SYNTHETIC_OPS && mix->share[i].weight; i++) {
		long behind = (long)mix->share[i].weight * mix->nr_dealt -
			      (long)mix->dealt[i] * mix->total;

		if (i && behind <= most)
			continue;
		most = behind;
		best = i;
	}
	mix->dealt[best]++;
	return mix->share[best].value;
}

/* A name that is @len bytes long as client0 has it. */
static inline void synthetic_name(FILE *file, int len)
{
	static const char folder[] = "\\clients\\client1\\";

	(void)fprintf(file, " \"%s%0*d\"", folder, len - (int)sizeof(folder), 0);
}

static inline void synthetic_line(FILE *file, const struct synthetic_op *op, int turn)
{
	int i;

	(void)fputs(op->name, file);
	for (i = 0; i < 2 && op->names[i]; i++)
		synthetic_name(file, op->names[i] + (i == 0 && turn % 2));
	(void)fputs(op->before, file);
	if (op->sizes)
		(void)fprintf(file, "%u", synthetic_deal(op->sizes));
	(void)fprintf(file, "%s NT_STATUS_OK\n", op->behind);
}

/** synthetic_write - write one pass of the load; errors are left to ferror() */
static inline void synthetic_write(FILE *file)
{
	struct synthetic_mix reads = {
		.share = { { 4096, 670 },
			   { 61440, 134 },
			   { 8192, 37 },
			   { 2048, 37 },
			   { 16384, 16 },
			   { 512, 27 },
			   { 1024, 27 },
			   { 2560, 26 },
			   { 4816, 26 } },
		.total = 1000,
	};
	struct synthetic_mix writes = {
		.share = { { 65536, 320 },
			   { 4096, 252 },
			   { 1, 188 },
			   { 2048, 42 },
			   { 8192, 29 },
			   { 510, 10 },
			   { 12288, 53 },
			   { 20480, 53 },
			   { 31051, 53 } },
		.total = 1000,
	};
	struct synthetic_mix finds = {
		.share = { { 0, 516 },
			   { 11, 446 },
			   { 5, 10 },
			   { 6, 9 },
			   { 9, 9 },
			   { 22, 10 } },
		.total = 1000,
	};
	struct synthetic_mix mix = {
		.share = { { 0, 2710 },
			   { 1, 1729 },
			   { 2, 1567 },
			   { 3, 1270 },
			   { 4, 862 },
			   { 5, 606 },
			   { 6, 349 },
			   { 7, 287 },
			   { 8, 275 },
			   { 9, 141 },
			   { 10, 121 },
			   { 11, 73 },
			   { 12, 6 },
			   { 13, 6 } },
		.total = 10002,
	};
	const struct synthetic_op ops[SYNTHETIC_OPS] = {
		{ "ReadX", " 10000 0 65536 ", "", &reads, { 0 } },
		{ "NTCreateX", " 0x1 0x2 10000", "", NULL, { 40 } },
		{ "QUERY_PATH_INFORMATION", " 1004", "", NULL, { 40 } },
		{ "Close", " 10000", "", NULL, { 0 } },
		{ "WriteX", " 10000 0 ", " 65536", &writes, { 0 } },
		{ "FIND_FIRST", " 260 1366 ", "", &finds, { 28 } },
		{ "Unlink", " 0x6", "", NULL, { 40 } },
		{ "QUERY_FS_INFORMATION", " 259", "", NULL, { 0 } },
		{ "QUERY_FILE_INFORMATION", " 10000 258", "", NULL, { 0 } },
		{ "SET_FILE_INFORMATION", " 10000 258", "", NULL, { 0 } },
		{ "Flush", " 10000", "", NULL, { 0 } },
		{ "Rename", "", "", NULL, { 41, 42 } },
		{ "LockX", " 10000 0 1", "", NULL, { 0 } },
		{ "UnlockX", " 10000 0 1", "", NULL, { 0 } },
	};
	int nr;

	for (nr = 0; nr < mix.total; nr++)
		synthetic_line(file, &ops[synthetic_deal(&mix)], nr);
}

#endif
