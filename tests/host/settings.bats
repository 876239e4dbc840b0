#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and root come from elsewhere
# Settings after a hundred crashes, at moments that chance chooses.

bats_require_minimum_version 1.5.0
load ../cli/common
load ../fake-kernels

@test "after kill -9 at 100 random moments restore leaves every value as it was" {
	local pid nr_left=0 nr_same=0 round
	cat > s.yaml <<-YAML
	schema: schedgrid-grid-1
	name: crashes
	repeat: {iterations: 1000, warmup: 0}
	columns:
	  - {name: base}
	  - {name: a, settings: {sched_domain: {set: [SD_BALANCE_WAKE]}, governor: performance}}
	  - {name: b, settings: {smt: "off", thp: never, tunables: {latency_ns: 7}, turbo: "off"}}
	  - {name: c, settings: {offline: "3", sysctl: {vm.swappiness: 1}, autogroup: "off"}}
	workloads: [{workload: "null"}]
	YAML
	fake_kernel 4.9.0
	values > before
	for round in $(seq 100); do
		setsid "$schedgrid" run s.yaml -o "run$((round / 10))" > /dev/null 2>&1 &
		pid=$!
		sleep "0.$((RANDOM % 200 + 100))"
		kill -KILL -- -$pid
		wait $pid || true
		values > left
		cmp -s before left || nr_left=$((nr_left + 1))
		"$schedgrid" restore 2> /dev/null
		values > after
		cmp -s before after && nr_same=$((nr_same + 1))
	done
	echo "# $nr_left of 100 left something changed, $nr_same of 100 are as before" >&3
	[ "$nr_same" -eq 100 ]
	# Chance may spare some, but a test in which nothing was ever left proves nothing.
	[ "$nr_left" -ge 10 ]
}
