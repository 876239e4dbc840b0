# SPDX-License-Identifier: GPL-2.0-or-later
# What all tests of the command line share: a scratch directory of their own as the
# working directory, and grids of the null workload.

export schedgrid=${SCHEDGRID:-$BATS_TEST_DIRNAME/../../schedgrid}

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
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
