#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What `schedgrid run` adds to each iteration of a program that does nothing, beyond the
# program's lifetime and the sync of the record, over what `hyperfine -N` adds to the
# same command. Runs of N and of 2N iterations take out the start of either.
#
# The run directory is in memory where there is such a file system: a disk's sync takes
# a hundred times what is measured here. What is left of the sync there is taken out.

# shellcheck source=/dev/null
. "$(dirname "$0")/sides.bash"
need hyperfine

nr=${BENCH_ITERATIONS:-1000}
memory=/dev/shm
[ -w $memory ] || memory=$WORK
RUNS=$(mktemp -d -p "$memory") || exit 2
trap 'rm -rf "$WORK" "$RUNS"' EXIT
build append

null="'$PROGRAMS/null' --step=1 --script=1 --iteration=1"

write_grid() {
	cat >"$RUNS/$1.yaml" <<-END
		schema: schedgrid-grid-1
		name: bench-runner
		executor: {type: local}
		repeat: {iterations: $1, warmup: 0}
		columns:
		  - name: base
		workloads:
		  - workload: "null"
		    parameters: {script: "1"}
	END
}
write_grid "$nr"
write_grid $((2 * nr))

# Microseconds of a whole command, its output thrown away.
time_of() {
	local start=${EPOCHREALTIME/.}

	"$@" >"$WORK/output" 2>&1 || fail "'$*' failed: $(tail -n 1 "$WORK/output")"
	echo $((${EPOCHREALTIME/.} - start))
}

# Microseconds beyond the children of a run of $1 iterations, the syncs included.
run_beyond_us() {
	local whole

	rm -rf "$RUNS/run"
	whole=$(time_of "$SCHEDGRID" run "$RUNS/$1.yaml" -o "$RUNS/run") || exit 2
	awk -v whole="$whole" -v nr="$1" '
	match($0, /"wall_ns":[0-9]+/) {
		children += substr($0, RSTART + 10, RLENGTH - 10) / 1000
		found++
	}
	END {
		if (found != nr)
			exit 1
		printf "%.3f\n", whole - children
	}' "$RUNS/run/records.jsonl" || fail "the run has not $1 records"
}

hyperfine_beyond_us() {
	local whole

	whole=$(time_of hyperfine -N --style none --runs "$1" \
		--export-json "$WORK/times.json" "$null") || exit 2
	awk -v whole="$whole" -v nr="$1" '
	/"times"/ { inside = 1; next }
	/\]/ { inside = 0 }
	inside { children += $1 * 1e6; found++ }
	END {
		if (found != nr)
			exit 1
		printf "%.3f\n", whole - children
	}' "$WORK/times.json" || fail "hyperfine has not $1 times"
}

# Microseconds of one sync of a line as long as the run's.
sync_us() {
	local bytes

	bytes=$(tail -n 1 "$RUNS/run/records.jsonl" | wc -c)
	rm -f "$RUNS/lines"
	"$WORK/append" "$RUNS/lines" "$nr" "$bytes" || fail "cannot measure a sync"
}

per_iteration() {
	awk "BEGIN { printf \"%.3f\n\", (($2) - ($1)) / $nr - $3 }"
}

reference() {
	local once twice

	once=$(hyperfine_beyond_us "$nr") || exit
	twice=$(hyperfine_beyond_us $((2 * nr))) || exit
	take "$(per_iteration "$once" "$twice" 0)"
}

candidate() {
	local once twice sync

	once=$(run_beyond_us "$nr") || exit
	twice=$(run_beyond_us $((2 * nr))) || exit
	sync=$(sync_us) || exit
	take "$(per_iteration "$once" "$twice" "$sync")"
}

median() {
	cut -d ' ' -f "$1" "$WORK/runner.pairs" | sort -g | awk '
	{ value[NR] = $1 }
	END { printf "%.1f", (value[int((NR + 1) / 2)] + value[int(NR / 2) + 1]) / 2 }'
}

heading "own time per iteration of schedgrid run / of hyperfine -N, to be at most 1.5"
measure runner
report null runner --most=1.5
echo "medians: schedgrid $(median 2) us, hyperfine $(median 1) us"
conclude
