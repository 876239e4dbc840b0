/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The built-in mixes, each a workfile as a user could write it. Names and
 * weights are those of the workfiles that reaim's users know.
 */
#ifndef BENCHMARKS_REAIM_MIXES_H
#define BENCHMARKS_REAIM_MIXES_H

#include <stddef.h>
#include <string.h>

/* clang-format off */
#define MIX_ADD(weight) \
	weight " add_double\n" weight " add_float\n" weight " add_int\n" \
	weight " add_long\n" weight " add_short\n"
#define MIX_MUL(weight) \
	weight " mul_double\n" weight " mul_float\n" weight " mul_int\n" \
	weight " mul_long\n" weight " mul_short\n"
#define MIX_DIV(weight) \
	weight " div_double\n" weight " div_float\n" weight " div_int\n" \
	weight " div_long\n" weight " div_short\n"
#define MIX_ADD_WHOLE(weight) \
	weight " add_int\n" weight " add_long\n" weight " add_short\n"
#define MIX_MUL_WHOLE(weight) \
	weight " mul_int\n" weight " mul_long\n" weight " mul_short\n"
#define MIX_DIV_WHOLE(weight) \
	weight " div_int\n" weight " div_long\n" weight " div_short\n"
#define MIX_DISK(weight) \
	weight " disk_cp\n" weight " disk_rd\n" weight " disk_rr\n" \
	weight " disk_rw\n" weight " disk_src\n" weight " disk_wrt\n"

/** struct reaim_mix - a built-in mix: its name, and what its workfile says */
struct reaim_mix {
	const char *name, *text;
};

/** reaim_mixes - all of them, ended by a NULL name; the first is the default */
static const struct reaim_mix reaim_mixes[] = {
	{ "five_sec",
	  "20 add_short\n20 dir_rtns_1\n" MIX_DISK("20")
	  "20 link_test\n20 page_test\n20 signal_test\n" },
	{ "all_utime",
	  "20 add_double\n15 add_float\n10 add_long\n10 add_int\n5 add_short\n"
	  "10 jmp_test\n" MIX_DIV("10") MIX_MUL("10") },
	{ "compute",
	  "50 add_double\n30 add_int\n30 add_long\n10 array_rtns\n10 disk_cp\n"
	  "30 disk_rd\n10 disk_src\n20 disk_wrt\n40 div_double\n30 div_int\n"
	  "50 matrix_rtns\n40 mem_rtns_1\n40 mem_rtns_2\n50 mul_double\n"
	  "30 mul_int\n30 mul_long\n40 new_raph\n40 num_rtns_1\n50 page_test\n"
	  "40 series_1\n10 shared_memory\n30 sieve\n20 stream_pipe\n"
	  "30 string_rtns\n40 trig_rtns\n20 udp_test\n" },
	{ "dbase",
	  MIX_ADD_WHOLE("20") "40 disk_rd\n40 disk_rr\n" MIX_DIV_WHOLE("10")
	  "10 jmp_test\n40 mem_rtns_1\n40 mem_rtns_2\n" MIX_MUL_WHOLE("10")
	  "40 page_test\n20 ram_copy\n40 shared_memory\n30 sieve\n"
	  "30 sort_rtns_1\n10 stream_pipe\n30 string_rtns\n30 sync_disk_rw\n"
	  "30 sync_disk_update\n" },
	{ "fserver",
	  MIX_ADD_WHOLE("20") "20 creat_clo\n20 dir_rtns_1\n" MIX_DISK("30")
	  MIX_DIV_WHOLE("10") "10 jmp_test\n20 link_test\n40 mem_rtns_1\n"
	  "10 mem_rtns_2\n20 misc_rtns_1\n" MIX_MUL_WHOLE("10")
	  "20 ram_copy\n10 signal_test\n30 sort_rtns_1\n30 string_rtns\n"
	  "5 sync_disk_cp\n5 sync_disk_rw\n5 sync_disk_wrt\n10 tcp_test\n"
	  "40 udp_test\n" },
	{ "shared",
	  MIX_ADD("30") MIX_MUL("20") MIX_DIV("10") MIX_DISK("20")
	  "20 exec_test\n20 shell_rtns_1\n30 string_rtns\n10 array_rtns\n"
	  "10 brk_test\n10 creat_clo\n10 dgram_pipe\n10 dir_rtns_1\n"
	  "10 fork_test\n10 jmp_test\n10 link_test\n10 matrix_rtns\n"
	  "10 mem_rtns_1\n10 mem_rtns_2\n10 misc_rtns_1\n10 new_raph\n"
	  "10 num_rtns_1\n10 page_test\n10 pipe_cpy\n10 ram_copy\n10 series_1\n"
	  "10 shared_memory\n10 sieve\n10 signal_test\n10 sort_rtns_1\n"
	  "10 stream_pipe\n10 sync_disk_cp\n10 sync_disk_rw\n10 sync_disk_wrt\n"
	  "10 tcp_test\n10 trig_rtns\n10 udp_test\n" },
	{ "short",
	  "20 dgram_pipe\n20 jmp_test\n20 matrix_rtns\n20 mem_rtns_2\n"
	  "20 misc_rtns_1\n" MIX_MUL_WHOLE("20") "20 new_raph\n20 num_rtns_1\n"
	  "20 pipe_cpy\n20 ram_copy\n20 series_1\n20 shared_memory\n"
	  "20 stream_pipe\n20 tcp_test\n20 udp_test\n" },
	{ "high_systime",
	  "20 creat_clo\n20 brk_test\n10 dgram_pipe\n10 dir_rtns_1\n"
	  "20 exec_test\n10 fork_test\n20 link_test\n10 misc_rtns_1\n"
	  "20 page_test\n30 pipe_cpy\n10 shared_memory\n20 shell_rtns_1\n"
	  "10 signal_test\n10 stream_pipe\n10 tcp_test\n10 udp_test\n"
	  "10 shell_rtns_2\n10 shell_rtns_3\n" },
	{ NULL, NULL },
};
/* clang-format on */

/** reaim_mix_text - the workfile of the mix called @name, or NULL; lent, static */
static inline const char *reaim_mix_text(const char *name)
{
	const struct reaim_mix *mix = reaim_mixes;

	while (mix->name && strcmp(mix->name, name) != 0)
		mix++;
	return mix->text;
}

#endif
