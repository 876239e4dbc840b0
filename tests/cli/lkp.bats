#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# compare --format lkp: the table of a report, from what the report printed.

bats_require_minimum_version 1.5.0
load common

fixtures=$BATS_TEST_DIRNAME/../fixtures

# Rows with blanks collapsed and changes left out: those of unrounded means differ. The
# means of std_dev_time are printed as 0.00, so that nothing beside them can be known.
values() {
	sed -nE '/std_dev_time/d; /reaim\./{s/^ +//; s/ (n\/a|[-+][0-9.]+%) / /g; s/ +/ /g; p}' "$1"
}

@test "the report about 070f5e860e comes out as it was posted" {
	"$schedgrid" import table "$fixtures/audit/seed-001.txt" -o out --table 1
	"$schedgrid" compare out --format lkp > table
	[ "$(values table)" = "$(values "$fixtures/import/seed-001-lkp.txt")" ]
	run cat table
	[ "${lines[1]}" = "tbox_group/testcase/rootfs/kconfig/compiler/runtime/nr_task/debug-setup/test/cpufreq_governor/ucode:" ]
	[ "${lines[2]}" = "  lkp-ivb-d04/reaim/debian-x86_64-20191114.cgz/x86_64-rhel-7.6/gcc-7/300s/100%/test/five_sec/performance/0x21" ]
	[ "${lines[8]}" = "9f68395333ad7f5b 070f5e860ee2bf588c99ef7b4c2 v5.7                        63a5d0fbb5ec62f5148c251c01e" ]
	says "     66870           -10.0%      60187            -7.6%      61787            +1.1%      67636        reaim.jobs_per_min"
	says "      1.58 ±  2%     +70.9%       2.70 ±  2%     +27.2%       2.01 ±  2%     -12.0%       1.39 ±  4%  reaim.std_dev_percent"
}

@test "what it prints can be audited and imported again" {
	"$schedgrid" import table "$fixtures/audit/seed-001.txt" -o out --table 1
	"$schedgrid" compare out --format lkp | sed 's/^/> /' > mail
	run --separate-stderr "$schedgrid" audit mail
	[ "$stderr" = "schedgrid: mail: tables: 1, percentages checked: 27, findings: 1" ]
	"$schedgrid" import table mail -o again
	[ "$("$schedgrid" compare again --format lkp | values /dev/stdin)" = "$(values mail | sed 's/^> *//')" ]
}
