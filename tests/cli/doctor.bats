#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# schedgrid doctor: what the host can do for a grid. The facts are in test-doctor.

bats_require_minimum_version 1.5.0
load common

@test "a grid that can run is told so, with the path of its program" {
	null_grid 1
	run "$schedgrid" doctor null.yaml
	[ "$status" -eq 0 ]
	says "ok      program null (native): /"
	says "/programs/null"
	says "needs: at most "
	[[ "$output" != *missing* ]]
	[ "$(ls)" = null.yaml ]
}

@test "without a grid all programs are looked at" {
	run "$schedgrid" doctor
	[ "$status" -eq 0 ]
	says "program hackbench (native)"
	says "program stream (native)"
	[ "$(grep -c "program perf" <<< "$output")" -eq 1 ]
}

@test "a program of others that isn't there names its package, and isn't needed" {
	run "$schedgrid" doctor
	# Either way: this machine may have it.
	grep -qE "^(ok +program hackbench \(rt-tests\): /|note +program hackbench \(rt-tests\): not found.*apt-get install rt-tests)" \
		<<< "$output"
}

@test "an empty environment changes nothing" {
	null_grid 1
	run env -i "$schedgrid" doctor null.yaml
	[ "$status" -eq 0 ]
	says "ok      program null (native)"
}

@test "without the suite's own programs exit status 3, each of them named" {
	cp "$(readlink -f "$schedgrid")" .
	run ./schedgrid doctor
	[ "$status" -eq 3 ]
	says "missing program hackbench (native): "
	says "missing program null (native): "
	says "remedy: make, or make install"
}

@test "BL-075: descriptors that aren't enough make the cells missing, with both numbers" {
	null_grid 1
	sed -i '/workload: "null"/,$d' null.yaml
	cat >> null.yaml <<-YAML
	  - workload: hackbench
	    variant: {task: thread, channel: pipes}
	    parameters: {groups: [1, 4], loops: 1}
	YAML
	run bash -c "ulimit -n 64; exec $schedgrid doctor null.yaml"
	[ "$status" -eq 3 ]
	says "missing cells: 1 of 2 can't run here: needs "
	says "the hard limit is 64"
}

@test "a config that is wrong has exit status 2, as with run" {
	null_grid 1
	sed -i 's/workloads:/workload:/' null.yaml
	run "$schedgrid" doctor null.yaml
	[ "$status" -eq 2 ]
	says "null.yaml:"
	run "$schedgrid" doctor a b
	[ "$status" -eq 2 ]
	run "$schedgrid" doctor --jsn
	[ "$status" -eq 2 ]
	says "did you mean '--json'"
}

@test "--json has the same findings and the verdict" {
	null_grid 1
	"$schedgrid" doctor null.yaml --json > out.json
	grep -q '"schema": "schedgrid-doctor-1"' out.json
	grep -q '"fit": true' out.json
	[ "$(grep -c '"thing"' out.json)" -eq "$("$schedgrid" doctor null.yaml | wc -l)" ]
}

@test "--root looks at another machine's files" {
	mkdir -p other/proc/sys/kernel other/sys/devices/system/cpu
	echo 6.1.0-other > other/proc/sys/kernel/osrelease
	echo '#1 SMP' > other/proc/sys/kernel/version
	echo other > other/proc/sys/kernel/hostname
	echo 3 > other/proc/sys/kernel/perf_event_paranoid
	echo 0-1 > other/sys/devices/system/cpu/online
	local cpu
	for cpu in 0 1; do
		mkdir -p other/sys/devices/system/cpu/cpu$cpu/{topology,cpufreq}
		echo 0 > other/sys/devices/system/cpu/cpu$cpu/topology/physical_package_id
		echo $cpu > other/sys/devices/system/cpu/cpu$cpu/topology/core_id
		echo 3 > other/sys/devices/system/cpu/cpu$cpu/topology/package_cpus
		echo $((cpu + 1)) > other/sys/devices/system/cpu/cpu$cpu/topology/core_cpus
		echo powersave > other/sys/devices/system/cpu/cpu$cpu/cpufreq/scaling_governor
	done
	run "$schedgrid" doctor --root other
	[ "$status" -eq 0 ]
	says "note    governor: powersave on all CPUs"
	says "perf_event_paranoid is 3"
	says "CPUs online: 2"
	run "$schedgrid" doctor --root nowhere
	[ "$status" -eq 2 ]
}

@test "a root that isn't there is named as it was given" {
	run -2 "$schedgrid" doctor --root /no/such/root
	says "--root: cannot read '/no/such/root'"
}
