/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tests that a workfile may name: the one list that ops, program and the
 * reader of workfiles share. job_NAME() in the program is one job of it.
 */
#ifndef BENCHMARKS_REAIM_TESTS_H
#define BENCHMARKS_REAIM_TESTS_H

#include <stddef.h>
#include <string.h>

/* clang-format off */
#define REAIM_TESTS(test) \
	test(add_double) test(add_float) test(add_int) test(add_long) test(add_short) \
	test(array_rtns) test(brk_test) test(creat_clo) test(dgram_pipe) \
	test(dir_rtns_1) test(disk_cp) test(disk_rd) test(disk_rr) test(disk_rw) \
	test(disk_src) test(disk_wrt) test(div_double) test(div_float) test(div_int) \
	test(div_long) test(div_short) test(exec_test) test(fifo_test) test(fork_test) \
	test(jmp_test) test(link_test) test(matrix_rtns) test(mem_rtns_1) \
	test(mem_rtns_2) test(misc_rtns_1) test(mul_double) test(mul_float) \
	test(mul_int) test(mul_long) test(mul_short) test(new_raph) test(num_rtns_1) \
	test(page_test) test(pipe_cpy) test(ram_copy) test(series_1) \
	test(shared_memory) test(shell_rtns_1) test(shell_rtns_2) test(shell_rtns_3) \
	test(sieve) test(signal_test) test(sort_rtns_1) test(stream_pipe) \
	test(string_rtns) test(sync_disk_cp) test(sync_disk_rw) test(sync_disk_update) \
	test(sync_disk_wrt) test(tcp_test) test(trig_rtns) test(udp_test)
/* clang-format on */

#define REAIM_NAME(name) #name,

/** reaim_test_names - of all tests, in order, ended by NULL */
static const char *const reaim_test_names[] = { REAIM_TESTS(REAIM_NAME) NULL };

enum {
	REAIM_NR_TESTS = sizeof(reaim_test_names) / sizeof(reaim_test_names[0]) - 1,
};

/** reaim_test_find - index of the test whose name is the @len bytes at @name, or -1 */
static inline int reaim_test_find(const char *name, size_t len)
{
	int i;

	for (i = 0; i < REAIM_NR_TESTS; i++) {
		if (strlen(reaim_test_names[i]) == len &&
		    !memcmp(reaim_test_names[i], name, len))
			return i;
	}
	return -1;
}

#endif
