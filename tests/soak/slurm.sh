#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A grid of 60 cells on a Slurm of two nodes, while the runner, the controller and the
# nodes' daemons are killed 20 times at random:
#
#   tests/soak/slurm.sh [SEED]
#
# Prints how many cells were lost or doubled, and fails when it isn't none.

set -eu

RANDOM=${1:-$$}
here=$(cd "$(dirname "$0")" && pwd)
schedgrid=$(readlink -f "${SCHEDGRID:-$here/../../schedgrid}")
SCHEDGRID_SOURCE=$(cd "$here/../.." && pwd)
PATH=$PATH:/usr/sbin
export schedgrid SCHEDGRID_SOURCE PATH

# shellcheck source=/dev/null
. "$here/../host/slurm.bash"

kills=20 rows=30 pid='' cluster=''
work=$(mktemp -d)
cd "$work"

finish() {
	[ -z "$pid" ] || kill -KILL "$pid" 2> /dev/null || true
	stop_cluster
	rm -rf "$work"
}
trap finish EXIT

start_runner() {
	"$schedgrid" run grid.yaml -o run 2>> run.err &
	pid=$!
}

# A worker that is still being ended keeps its lock for a moment.
kill_runner() {
	pkill -KILL -P "$pid" || true
	kill -KILL "$pid" 2> /dev/null || true
	wait "$pid" 2> /dev/null || true
	start_runner
}

kill_controller() {
	kill -KILL "$(cat "$cluster/run/slurmctld.pid")" 2> /dev/null || true
	slurmctld
}

kill_daemon() {
	kill -KILL "$(cat "$cluster/run/slurmd.$1.pid")" 2> /dev/null || true
	start_slurmd "$1"
}

start_cluster
slurm_grid "n1, n2" '"sleep:300"' a "{iterations: 1, warmup: 0}"
sed -i "s/script: .*/step: [$(seq -s, 1 $rows)], script: \"sleep:300\"}/" grid.yaml
start_runner
for ((i = 0; i < kills; i++)); do
	read -rt "$((RANDOM % 3)).$((RANDOM % 10))" <> <(:) || true
	case $((RANDOM % 4)) in
	0) kill_controller ;;
	1) kill_daemon n$((RANDOM % 2 + 1)) ;;
	*) kill_runner ;;
	esac
done
code=0
wait "$pid" || code=$?
# The last kill may have left the lock of the one before; and what gave up goes on.
for _ in 1 2 3; do
	[ "$code" -eq 0 ] && break
	code=0
	"$schedgrid" grid resume run 2>> run.err || code=$?
done
pid=

lost=0 doubled=0
for node in n1 n2; do
	ledger=run/machines/$node/records.jsonl
	seen=$(grep '"status":"ok"' "$ledger" | grep -o '"step":[0-9]*' | sort -u | wc -l)
	all=$(grep -c '"status":"ok"' "$ledger")
	lost=$((lost + rows - seen)) doubled=$((doubled + all - seen))
done
echo "$kills kills, $((2 * rows)) cells: $lost lost, $doubled doubled"
if [ "$code" -ne 0 ] || [ $((lost + doubled)) -ne 0 ]; then
	cat run.err
	exit 1
fi
