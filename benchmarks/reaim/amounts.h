/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much work a job is. The figures are those of the published program, reaim
 * 7.0.1.13 (osdl-aim-7 at commit 584705b of its public repository), found in the
 * file of its src/ that stands above each block. The work itself is our own code.
 *
 * What else decides a job's time: it is built with -ffloat-store, so floating-point
 * numbers live in memory there and here (arith.h); its elementary functions are the
 * C library's, ours are series that take about as long as two of those (numeric.h).
 */
#ifndef BENCHMARKS_REAIM_AMOUNTS_H
#define BENCHMARKS_REAIM_AMOUNTS_H

#include <stddef.h>

enum {
	/* add.c, mul.c, div.c: loops of twelve operations */
	AMOUNT_ADD_DOUBLE = 1500000,
	AMOUNT_ADD_FLOAT = 1000000,
	AMOUNT_ADD_LONG = 5000000,
	AMOUNT_ADD_INT = 5000000,
	AMOUNT_ADD_SHORT = 2000000,
	AMOUNT_MUL_DOUBLE = 1000000,
	AMOUNT_MUL_FLOAT = 1000000,
	AMOUNT_MUL_LONG = 20000,
	AMOUNT_MUL_INT = 20000,
	AMOUNT_MUL_SHORT = 25000,
	AMOUNT_DIV_FLOATING = 250000, /* double and float */
	AMOUNT_DIV_WHOLE = 75000,     /* long, int and short */

	/* int_fcns.c */
	AMOUNT_SIEVE = 1000000, /* numbers */
	AMOUNT_SIEVE_PASSES = 5,

	/* num_fcns.c */
	AMOUNT_SYSTEMS = 20,	/* of linear equations */
	AMOUNT_SYSTEM_STEP = 5, /* equations more in each: 5, 10 ... 100 */
	AMOUNT_POINTS = 100,	/* turned by a matrix of 4 x 4 */
	AMOUNT_ZEROS = 200,	/* of a periodic function */
	AMOUNT_ZERO_TRIES = 100,
	AMOUNT_NUMERIC = 100, /* rounds of logarithms, powers, remainders */
	AMOUNT_SERIES = 100,
	AMOUNT_TRIG = 10000, /* rounds of ten functions */
	AMOUNT_SORT = 10000, /* numbers */
	AMOUNT_SORT_ROUNDS = 2,
	AMOUNT_SORT_LOOKUPS = 2000, /* in each round, half of them in vain */
	AMOUNT_STRINGS = 100,	    /* rounds on a buffer of AMOUNT_STRING bytes */
	AMOUNT_STRING = 1024,
	AMOUNT_ALLOCATIONS = 100, /* rounds of three times AMOUNT_ALLOCATED */
	AMOUNT_ALLOCATED = 100,
	AMOUNT_BLOCKS = 100,
	AMOUNT_DIR_READS = 10000,
	AMOUNT_MISC = 10,

	/* creat_clo.c */
	AMOUNT_CREATED = 1000,
	AMOUNT_PAGE_PASSES = 100,
	AMOUNT_BREAK_PASSES = 1000,
	AMOUNT_JUMPS = 1000,
	AMOUNT_JUMP_DEPTH = 10,
	AMOUNT_SIGNALS = 1000,
	AMOUNT_EXECS = 5,
	AMOUNT_FORKS = 100,
	AMOUNT_LINKS = 7, /* besides the file's own name */
	AMOUNT_LINK_ROUNDS = 9,

	/* pipe_test.c: its loop leaves out the last of 100 messages, and of 90 by TCP */
	AMOUNT_MESSAGES = 99,
	AMOUNT_TCP_MESSAGES = 89,
	AMOUNT_SHARED = 100,
	AMOUNT_SHARED_BYTES = 65536,
	AMOUNT_MESSAGE_MAX = 4096,

	/* disk_src.c, and the directory that comes with it */
	AMOUNT_SEARCHED = 340, /* entries of the directory */
	AMOUNT_LOOKED_UP = 57,
	AMOUNT_MADE = 43,	   /* and removed again */
	AMOUNT_SWAPS = 2 * 5 * 75, /* two lists of 75 places, 5 times */
};

/** struct amount_run - @times times a size of @bytes */
struct amount_run {
	unsigned short times;
	unsigned int bytes;
};

/** amount_copies - ram.c: the 100 copies of a ram_copy, by size; times 0 is the end */
static const struct amount_run amount_copies[] = {
	{ 43, 7 },   { 5, 1 },	   { 5, 2 },	 { 5, 3 },     { 5, 4 },    { 5, 5 },
	{ 5, 6 },    { 2, 8 },	   { 2, 9 },	 { 2, 11 },    { 2, 17 },   { 2, 33 },
	{ 2, 63 },   { 1, 127 },   { 1, 256 },	 { 1, 512 },   { 1, 1001 }, { 1, 1024 },
	{ 1, 1200 }, { 1, 1492 },  { 1, 1500 },	 { 1, 2048 },  { 1, 3172 }, { 1, 4096 },
	{ 1, 8192 }, { 1, 16384 }, { 1, 32768 }, { 1, 65536 }, { 0, 0 },
};

/** amount_blocks - num_fcns.c: bytes of the mem_rtns' blocks; starts over at its end */
static const unsigned short amount_blocks[] = {
	1,    3,    5,	  7,	9,    11, 33, 65, 129, 1024,
	1025, 1023, 8192, 4096, 4095, 11, 33, 65, 129, 1024,
};

enum { AMOUNT_BLOCK_MAX = 8192 };

/** amount_block - bytes of the @nr-th block */
static inline size_t amount_block(size_t nr)
{
	return amount_blocks[nr % (sizeof(amount_blocks) / sizeof(amount_blocks[0]))];
}

/* pipe_test.c: bytes of a message; starts over at its end */
static const unsigned short amount_messages[] = {
	1,  3,	5,   7,	  16,  32,  64,	  512,	1024, 2048, 4096, 1,  3,
	5,  7,	16,  32,  64,  512, 1024, 2048, 4096, 32,   32,	  32, 32,
	32, 32, 512, 512, 512, 512, 512,  2048, 2048, 2048, 2048,
};

/** amount_message - bytes of the next message of a process; *@nr counts them */
static inline size_t amount_message(size_t *nr)
{
	size_t all = sizeof(amount_messages) / sizeof(amount_messages[0]);

	return amount_messages[(*nr)++ % all];
}

#endif
