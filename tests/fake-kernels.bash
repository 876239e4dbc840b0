# SPDX-License-Identifier: GPL-2.0-or-later
# Machines that don't exist: /proc and /sys of a kernel, with the files that settings are
# written to, in the places, forms and modes that this version has. Four CPUs in two cores
# of two threads. A kernel would answer a write; these are plain files and keep it.

# Writes lines into a file of the tree; the mode is the third argument.
put() {
	mkdir -p "$(dirname "$root$1")"
	printf '%s\n' "$2" > "$root$1"
	chmod "${3:-644}" "$root$1"
}

# sched_domains of all CPUs: folder, mode, then name and flags of each level.
put_domains() {
	local folder=$1 mode=$2 cpu level
	shift 2
	for cpu in 0 1 2 3; do
		for ((level = 0; level * 2 < $#; level++)); do
			put "$folder/cpu$cpu/domain$level/name" "${@:level * 2 + 1:1}" 444
			put "$folder/cpu$cpu/domain$level/flags" "${@:level * 2 + 2:1}" "$mode"
		done
	done
}

put_cpus() {
	local cpu dir=/sys/devices/system/cpu
	put $dir/online 0-3
	for cpu in 0 1 2 3; do
		put $dir/cpu$cpu/topology/thread_siblings_list $((cpu % 2)),$((cpu % 2 + 2))
		[ $cpu -eq 0 ] || put $dir/cpu$cpu/online 1
	done
}

# Frequencies: the folder of each policy.
put_policies() {
	local folder
	for folder in "$@"; do
		put "$folder/scaling_available_governors" "performance powersave"
		put "$folder/scaling_governor" powersave
	done
}

sysctl_domains=/proc/sys/kernel/sched_domain
debug_domains=/sys/kernel/debug/sched/domains

put_2.6.32() {
	put_domains $sysctl_domains 644 SIBLING 175 MC 4655
	put_policies /sys/devices/system/cpu/cpu{0,1,2,3}/cpufreq
	put /proc/sys/kernel/sched_latency_ns 20000000
	put /proc/sys/kernel/sched_migration_cost 500000
	put /sys/kernel/debug/sched_features "FAIR_SLEEPERS NO_WAKEUP_OVERLAP AFFINE_WAKEUPS"
}

put_3.2.0() {
	put_2.6.32
	put_domains $sysctl_domains 644 SIBLING 687 MC 4655
	put /proc/sys/kernel/sched_autogroup_enabled 1
}

put_4.9.0() {
	put_domains $sysctl_domains 644 SMT 4783 MC 4655
	put_policies /sys/devices/system/cpu/cpufreq/policy{0,1,2,3}
	put /sys/devices/system/cpu/intel_pstate/no_turbo 0
	put /proc/sys/kernel/sched_latency_ns 24000000
	put /proc/sys/kernel/sched_migration_cost_ns 500000
	put /proc/sys/kernel/sched_autogroup_enabled 1
	put /proc/sys/kernel/numa_balancing 0
	put /sys/kernel/debug/sched_features "GENTLE_FAIR_SLEEPERS NO_WA_WEIGHT TTWU_QUEUE"
	put /sys/kernel/mm/transparent_hugepage/enabled madvise
}

put_5.7.0() {
	put_4.9.0
	put /sys/devices/system/cpu/smt/control on
}

put_5.10.0() {
	put_5.7.0
	put_domains $sysctl_domains 444 \
		SMT "SD_BALANCE_NEWIDLE SD_BALANCE_EXEC SD_WAKE_AFFINE SD_SHARE_PKG_RESOURCES " \
		MC "SD_BALANCE_NEWIDLE SD_BALANCE_EXEC SD_WAKE_AFFINE SD_PREFER_SIBLING "
}

put_6.1.0() {
	put_5.10.0
	rm -r "$root$sysctl_domains" "$root"/proc/sys/kernel/sched_latency_ns \
		"$root"/sys/kernel/debug/sched_features
	put_domains $debug_domains 444 \
		SMT "SD_BALANCE_NEWIDLE SD_BALANCE_EXEC SD_WAKE_AFFINE SD_SHARE_PKG_RESOURCES " \
		MC "SD_BALANCE_NEWIDLE SD_BALANCE_EXEC SD_WAKE_AFFINE SD_PREFER_SIBLING "
	put /sys/kernel/debug/sched/latency_ns 24000000
	put /sys/kernel/debug/sched/min_granularity_ns 3000000
	put /sys/kernel/debug/sched/features "PLACE_LAG NO_WA_WEIGHT TTWU_QUEUE"
}

put_6.12.0() {
	put_6.1.0
	rm "$root"/sys/kernel/debug/sched/{latency,min_granularity}_ns
	put /sys/kernel/debug/sched/base_slice_ns 3000000
	put_domains $debug_domains 444 \
		SMT "SD_BALANCE_NEWIDLE SD_BALANCE_EXEC SD_WAKE_AFFINE SD_SHARE_LLC " \
		MC "SD_BALANCE_NEWIDLE SD_BALANCE_EXEC SD_WAKE_AFFINE SD_PREFER_SIBLING "
}

# Makes the tree of a version in $root, and lets schedgrid take it for the machine.
fake_kernel() {
	root=$PWD/kernel-$1
	rm -rf "$root"
	put /fake-tree "$1"
	put /proc/sys/kernel/osrelease "$1"
	put /proc/sys/kernel/version "#1 SMP"
	put /proc/sys/kernel/hostname "fake-$1"
	put /proc/sys/kernel/random/boot_id 11111111-2222-3333-4444-555555555555 444
	put /proc/sys/vm/drop_caches 0 200
	put /proc/sys/vm/swappiness 60
	put_cpus
	"put_$1"
	export SCHEDGRID_FSROOT=$root
}

# All values of the tree, one a line, to be held against those of another moment. The
# lists of features are left out: a plain file can't be one after a write.
values() {
	(cd "$root" && find proc sys -type f ! -name 'features' ! -name sched_features \
		! -name drop_caches -exec grep -H '' {} + | sort)
}
