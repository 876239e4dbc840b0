#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A grid of guests whose emulator or runner is killed 20 times at random moments:
#
#   tests/soak/guests.sh [SEED [KILLS]]
#
# Prints what was left and what was lost, and fails when it isn't nothing.

set -eu

RANDOM=${1:-$$}
kills=${2:-20}
here=$(cd "$(dirname "$0")" && pwd)
schedgrid=$(readlink -f "${SCHEDGRID:-$here/../../schedgrid}")
command -v qemu-system-x86_64 > /dev/null || {
	echo 'skipped: QEMU is not installed'
	exit 0
}
kernels=$("$here"/../../tools/fetch-kernels.sh)
work=$(mktemp -d)
cd "$work"
pid=''
finish() {
	[ -z "$pid" ] || kill -KILL "$pid" 2> /dev/null || true
	cd /
	rm -rf "$work"
}
trap finish EXIT

iterations=4
cat > grid.yaml <<YAML
schema: schedgrid-grid-1
name: guests
executor: {type: guest, topology: one-node-2, accel: tcg}
repeat: {boots: 2, iterations: $((iterations / 2)), warmup: 0}
timeout: 60s
columns:
  - name: old
    kernel: {image: "$kernels/6.1/vmlinuz"}
  - name: new
    kernel: {image: "$kernels/6.12/vmlinuz"}
workloads: [{workload: "null"}]
YAML

guests() {
	find /proc/[0-9]*/cwd -lname "$work/*/raw/*" 2> /dev/null
}

# Nothing of a run is there 2 s after what was killed.
check_gone() {
	local _
	for _ in $(seq 100); do
		[ -n "$(guests)" ] || return 0
		sleep 0.02
	done
	left=$((left + 1))
	guests >&2
}

left=0 done_runs=0 run=0
for ((i = 0; i < kills; i++)); do
	"$schedgrid" run grid.yaml -o "run$run" 2>> run.err &
	pid=$!
	sleep "$((RANDOM % 4)).$((RANDOM % 10))"
	case $((RANDOM % 3)) in
	0)
		for proc in $(guests); do
			proc=${proc#/proc/}
			kill -KILL "${proc%/cwd}" 2> /dev/null || true
		done
		wait $pid 2> /dev/null || true
		;;
	1)
		pkill -KILL -P $pid || true
		wait $pid 2> /dev/null || true
		;;
	2)
		kill -KILL $pid 2> /dev/null || true
		wait $pid 2> /dev/null || true
		;;
	esac
	pid=''
	check_gone
	# One that came to its end makes room for the next.
	if [ "$(grep -c '"status":"ok"' "run$run/records.jsonl" 2> /dev/null)" = $((2 * iterations)) ]; then
		done_runs=$((done_runs + 1)) run=$((run + 1))
	fi
done

lost=0
for ((i = 0; i <= run; i++)); do
	for _ in 1 2 3 4 5; do
		code=0
		"$schedgrid" run grid.yaml -o "run$i" 2>> run.err || code=$?
		[ $code -ne 0 ] || break
	done
	ok=$(grep '"status":"ok"' "run$i/records.jsonl" | grep -o '"cell":"[^"]*"\|"iteration":[0-9]*' |
		paste - - | sort | uniq -c)
	[ "$(wc -l <<< "$ok")" -eq $((2 * iterations)) ] || lost=$((lost + 1))
	[ -z "$(awk '$1 != 1' <<< "$ok")" ] || lost=$((lost + 1))
	[ -z "$(find "run$i" -name initrd.cpio)" ] || left=$((left + 1))
done
echo "$kills kills over $((run + 1)) runs: $left left something, $lost lost or doubled an iteration"
[ $left -eq 0 ] && [ $lost -eq 0 ]
