# SPDX-License-Identifier: GPL-2.0-or-later
# What all tests of the command line share: a scratch directory of their own as the
# working directory, and grids of the null workload.

export schedgrid=${SCHEDGRID:-$BATS_TEST_DIRNAME/../../schedgrid}

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
}

# Whatever the test started and is still there, found by its working directory: a test
# that fails midway leaves nothing running.
end_started() {
	local pid found _
	for _ in $(seq 100); do
		found=
		while read -r pid; do
			[ "$pid" -eq $$ ] || [ "$pid" -eq "$BASHPID" ] && continue
			found=1
			kill -KILL "$pid" 2> /dev/null || true
		done < <(cd / && find /proc/[0-9]*/cwd -maxdepth 0 \( -lname "$BATS_TEST_TMPDIR" \
			-o -lname "${BATS_TEST_TMPDIR}[/ ]*" \) 2> /dev/null | cut -d / -f 3)
		[ "$found" ] || return 0
		sleep 0.02
	done
	echo "# something that the test started can't be ended" >&3
	return 1
}

teardown() {
	end_started
}

# Writes a grid of one column into null.yaml: script, iterations, warm-ups, time limit.
null_grid() {
	cat > null.yaml <<-YAML
	schema: schedgrid-grid-1
	name: nulls
	executor: {type: local}
	repeat: {iterations: ${2:-3}, warmup: ${3:-0}}
	timeout: ${4:-20s}
	columns:
	  - name: only
	workloads:
	  - workload: "null"
	    parameters: {script: "$1"}
	YAML
}

# How many lines of the run's ledger hold the text.
records_with() {
	grep -c -- "$1" run/records.jsonl || true
}

# Waits until the ledger of the run has so many lines; 10 s at most.
wait_records() {
	local _
	for _ in $(seq 200); do
		[ "$(wc -l < run/records.jsonl 2> /dev/null || echo 0)" -ge "$1" ] && return 0
		sleep 0.05
	done
	return 1
}

# shellcheck disable=SC2154 # output comes from bats' run
says() {
	[[ "$output" == *"$1"* ]] || {
		printf 'expected: %s\ngot: %s\n' "$1" "$output"
		return 1
	}
}

# A machine of 8 CPUs in two packages with a cache each, and CPU 5 missing.
fake_machine() {
	local cpu package cores
	mkdir -p root/sys/devices/system/cpu root/proc
	printf '0-4,6-7\n' | tee root/sys/devices/system/cpu/online > root/sys/devices/system/cpu/possible
	for cpu in 0 1 2 3 4 6 7; do
		package=$((cpu / 4))
		cores=$([ $package -eq 0 ] && echo 0000000f || echo 000000d0)
		mkdir -p root/sys/devices/system/cpu/cpu$cpu/{topology,cache/index0}
		cd root/sys/devices/system/cpu/cpu$cpu || return 1
		echo $package > topology/physical_package_id
		echo $((cpu % 4)) > topology/core_id
		printf '%08x\n' $((1 << cpu)) | tee topology/core_cpus > topology/thread_siblings
		echo "$cores" | tee topology/package_cpus > topology/core_siblings
		echo 3 > cache/index0/level
		echo Unified > cache/index0/type
		echo 8192K > cache/index0/size
		echo "$cores" > cache/index0/shared_cpu_map
		cd - > /dev/null || return 1
	done
	export HWLOC_FSROOT=$PWD/root HWLOC_THISSYSTEM=0 HWLOC_COMPONENTS=linux,stop
}
