#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What needs no Slurm: grids for it, the scripts of configs/slurm, and what schedgrid grid
# says where there is no run. Runs on a real one are in tests/host/slurm.bats.

bats_require_minimum_version 1.5.0

load common

scripts=${SCHEDGRID_SOURCE:-$BATS_TEST_DIRNAME/../..}/configs/slurm
build=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa

# Writes g.yaml: $1 executor, $2 kernel of a, $3 kernel of b, $4 more lines.
kernel_grid() {
	cat > g.yaml <<-YAML
	schema: schedgrid-grid-1
	name: g
	executor: {type: slurm$1}
	columns:
	  - name: a
	    kernel: {$2}
	  - name: b
	    kernel: {$3}
	workloads:
	  - workload: "null"
	${4:-}
	YAML
}

refuses() {
	run -2 "$schedgrid" plan g.yaml
	says "$1"
}

@test "a grid for Slurm is planned with the kernels that it names" {
	kernel_grid ', nodes: [n1, n2]' "release: 6.1.0-a, build_id: $build" "release: 6.2.0, build_id: $build"
	run -0 "$schedgrid" plan g.yaml
	says "2 columns x 1 row = 2 cells"
	run -0 "$schedgrid" run --dry-run g.yaml
	says "2 columns x 1 row = 2 cells"
	# Two builds of one release, and one kernel under two names, are told apart.
	kernel_grid '' "release: 6.1.0, build_id: $build, feature: one" \
		"release: 6.1.0, build_id: ${build//a/b}, feature: two"
	run -0 "$schedgrid" plan g.yaml
}

@test "what a grid for Slurm can't mean is refused" {
	kernel_grid ', nodes: [n1, n1]' "release: 6.1.0, build_id: $build" "release: 6.2.0, build_id: $build"
	refuses "g.yaml:3:37: node 'n1' is there already"
	kernel_grid ', nodes: [../x]' "release: 6.1.0, build_id: $build" "release: 6.2.0, build_id: $build"
	refuses "'../x' can't be the name of a node"
	kernel_grid ', nodes: [n1], feature: smt' "release: 6.1.0, build_id: $build" "release: 6.2.0, build_id: $build"
	refuses "'nodes' names the machines already"
	kernel_grid ', program: schedgrid' "release: 6.1.0, build_id: $build" "release: 6.2.0, build_id: $build"
	refuses "'schedgrid' is no absolute path"
	kernel_grid '' "release: 6.1.0" "release: 6.2.0, build_id: $build"
	refuses "'build_id' is missing in 'kernel'"
	kernel_grid '' "release: 6.1.0, build_id: 12" "release: 6.2.0, build_id: $build"
	refuses "'12' is no build id"
	kernel_grid '' "release: 6.1 0, build_id: $build" "release: 6.2.0, build_id: $build"
	refuses "'6.1 0' is no release of a kernel"
	kernel_grid '' "release: 6.1.0, build_id: $build" "release: 6.1.0, build_id: ${build//a/b}"
	refuses "has another kernel and the same feature"
	kernel_grid '' "release: 6.1.0, build_id: $build" "release: 6.1.0, build_id: $build, feature: x"
	refuses "has the same kernel and another feature"
	kernel_grid '' "release: 6.1.0, build_id: $build" "release: 6.1.0, build_id: $build"
	refuses "columns 'a' and 'b' are the same in effect"
	kernel_grid '' "running: true" "release: 6.2.0, build_id: $build"
	refuses "column 'a' has no kernel to boot"
	kernel_grid '' "release: 6.1.0, build_id: $build" "release: 6.2.0, build_id: $build" \
		'repeat: {until: {halfwidth: 1%}}'
	refuses "'until' is not supported with slurm yet"
	sed -i 's/type: slurm/type: local/; /^repeat/d' g.yaml
	refuses "names the release of a kernel, which needs executor: {type: slurm}"
}

@test "boots need another kernel in between" {
	cat > g.yaml <<-YAML
	schema: schedgrid-grid-1
	name: g
	executor: {type: slurm}
	repeat: {boots: 2}
	columns: [{name: a, kernel: {release: 6.1.0, build_id: $build}}]
	workloads: [{workload: "null"}]
	YAML
	refuses "g.yaml:4:17: boots: 2 needs two kernels"
	sed -i '/^repeat/d; s/"null"/hackbench, parameters: {groups: 50%}/' g.yaml
	refuses "ladders and shares of the CPUs come to other values on each machine"
}

@test "the scripts and schedgrid have one name for a kernel, and no two kernels share it" {
	mkdir -p root/proc/sys/kernel root/sys/kernel
	echo n1 > root/proc/sys/kernel/hostname
	echo "#1" > root/proc/sys/kernel/version
	printf '\4\0\0\0\2\0\0\0\3\0\0\0GNU\0\252\273\0\0' > root/sys/kernel/notes
	for release in 6.1.0 6.1.0-rc3 6.1.0_rc3 6.1.0+ 6.1.0=p 6.18~rc1-1-amd64 6.1.0=urc3; do
		echo "$release" > root/proc/sys/kernel/osrelease
		run -0 "$schedgrid" grid kernel --root root
		says "kernel: {release: \"$release\", build_id: \"aabb\"}"
		name=$("$scripts/feature" "$release")
		says "feature: $name"
		[ "$name" = "$(SCHEDGRID_ROOT=root "$scripts/helper")" ]
		[[ "$name" =~ ^k[A-Za-z0-9_.=]*$ ]]
		echo "$name" >> names
	done
	[ "$(sort -u names | wc -l)" -eq 7 ]
	run ! "$scripts/feature" "6.1 0"
}

@test "the prolog refuses a job on another kernel than it asks for" {
	mkdir -p root/proc/sys/kernel
	echo 6.1.0-a > root/proc/sys/kernel/osrelease
	export SCHEDGRID_ROOT=$PWD/root
	SLURM_JOB_CONSTRAINTS=k6.1.0_a "$scripts/prolog"
	SLURM_JOB_CONSTRAINTS='smt&k6.1.0_a' "$scripts/prolog"
	SLURM_JOB_CONSTRAINTS='' "$scripts/prolog"
	SLURM_JOB_CONSTRAINTS=smt "$scripts/prolog"
	SLURM_JOB_CONSTRAINTS=k6.1.0_b run -1 "$scripts/prolog"
	SLURM_JOB_CONSTRAINTS='smt&k6.1.0_b' run -1 "$scripts/prolog"
}

@test "the helper has GRUB or kexec boot the kernel of a feature, once" {
	mkdir -p root/boot/grub bin
	touch root/boot/vmlinuz-6.1.0-a root/boot/vmlinuz-6.2.0-b
	cat > root/boot/grub/grub.cfg <<-'CFG'
	menuentry 'Debian' --class debian $menuentry_id_option 'gnulinux-simple-1' {
	submenu 'Advanced options' $menuentry_id_option 'gnulinux-advanced-1' {
		menuentry 'Linux 6.2.0-b' --class debian $menuentry_id_option 'gnulinux-6.2.0-b-advanced-1' {
		menuentry 'Linux 6.2.0-b (recovery)' $menuentry_id_option 'gnulinux-6.2.0-b-recovery-1' {
		menuentry 'Linux 6.1.0-a' --class debian $menuentry_id_option 'gnulinux-6.1.0-a-advanced-1' {
	CFG
	for program in grub-reboot kexec; do
		# shellcheck disable=SC2016 # for the script
		printf '#!/bin/sh\necho "%s $*"\n' $program > bin/$program
		chmod +x bin/$program
	done
	export SCHEDGRID_ROOT=root PATH=$PWD/bin:$PATH
	run -0 "$scripts/helper" k6.1.0_a
	[ "$output" = "grub-reboot gnulinux-advanced-1>gnulinux-6.1.0-a-advanced-1" ]
	run -0 env SCHEDGRID_BOOT=kexec "$scripts/helper" k6.2.0_b
	[ "$output" = "kexec -l root/boot/vmlinuz-6.2.0-b --reuse-cmdline --initrd=root/boot/initrd.img-6.2.0-b" ]
	run -1 "$scripts/helper" k6.3.0
	says "no kernel in /boot has the feature 'k6.3.0'"
	run -1 env SCHEDGRID_BOOT=lilo "$scripts/helper" k6.1.0_a
	says "expected grub or kexec"
}

@test "schedgrid grid says what it lacks" {
	run -2 "$schedgrid" grid
	says "an action expected"
	run -2 "$schedgrid" grid statsu run
	says "did you mean 'status'?"
	run -2 "$schedgrid" grid status
	says "the directory of a run expected"
	mkdir run
	for action in status cancel resume; do
		run -2 "$schedgrid" grid $action run
		says "is no run under Slurm"
	done
	run -2 "$schedgrid" grid cell run 1
	says "expected to be started by Slurm"
	SLURMD_NODENAME=n1 run -2 "$schedgrid" grid cell run x
	says "NUMBER"
}
