#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# build-kernel's words and rules; no kernel is built here.

bats_require_minimum_version 1.5.0

setup() {
	: "${SCHEDGRID_SOURCE:=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)}"
	cd "$BATS_TEST_TMPDIR" || return 1
	build=$SCHEDGRID_SOURCE/tools/build-kernel
	rules=$SCHEDGRID_SOURCE/tools/kernel
}

# File $2 as rule $1 leaves it.
applied() {
	command -v spatch > /dev/null || skip "coccinelle is not installed"
	spatch --very-quiet --no-includes --in-place --sp-file "$rules/$1.cocci" "$2"
}

@test "wrong words are refused in one sentence before anything is made" {
	run -2 "$build"
	[[ $output == usage:* ]]
	run -2 "$build" --inot x
	run -1 "$build" --into out 'a b'
	[[ $output == *"'a b' is no name for a kernel"* ]]
	run -1 "$build" --into out base affinity
	[[ $output == *"unknown rule 'affinity' (known: affinity-unaware cpu-relax"* ]]
	[ ! -e out ]
}

@test "a source of another version is refused" {
	mkdir -p source bin
	printf 'VERSION = 6\nPATCHLEVEL = 6\n' > source/Makefile
	# The packages are nobody's business here.
	cp -r "$SCHEDGRID_SOURCE/tools" .
	printf '#!/bin/sh\n' > tools/install-packages.sh
	touch "$BATS_TEST_TMPDIR/objects"
	run -1 tools/build-kernel --source source --into out base
	[[ $output == *"source is no source of Linux 6.1"* || $output == *"MiB left"* ]]
}

@test "every rule names its file" {
	for rule in "$rules"/*.cocci; do
		[ "$(grep -c '^// file: [a-z].*\.c$' "$rule")" -eq 1 ]
	done
}

@test "cpu-relax: a wait for another CPU pauses" {
	cat > boot.c <<-'C'
	static int do_boot_cpu(int cpu)
	{
		while (!is_there(cpu))
			schedule();
		return 0;
	}
	static void other(void)
	{
		schedule();
	}
	C
	applied cpu-relax boot.c
	[ "$(grep -c 'cpu_relax();' boot.c)" -eq 1 ]
	grep -A1 'schedule();' boot.c | grep -q 'cpu_relax();'
}

@test "numa-threshold and affinity-unaware change that and nothing else" {
	cat > place.c <<-'C'
	static void *find_idlest_group(struct domain *sd, struct task *t)
	{
		int most = sd->most;

		if (t->nr_cpus_allowed != NR_CPUS) {
			most = min(weight(t), sd->most);
		}
		imbalance = abs(here - there);
		if (!adjust_numa_imbalance(imbalance, nr + 1, most)) {
			return NULL;
		}
		return sd;
	}
	C
	applied numa-threshold place.c
	cat place.c
	grep -q 'if (nr + 1 <= most)' place.c
	run ! grep -q 'adjust_numa_imbalance\|abs(' place.c
	grep -q 'nr_cpus_allowed' place.c
	applied affinity-unaware place.c
	run ! grep -q 'nr_cpus_allowed' place.c
	grep -q 'int most = sd->most;' place.c
}
