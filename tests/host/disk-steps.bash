# SPDX-License-Identifier: GPL-2.0-or-later
# Steps of disk.bats, for a shell with mounts of its own. The run is always null.yaml
# in run/, what it said in run.err.

# The run fails with exit status $1 and says $2 in its last line.
fails_with() {
	local code=0
	"$schedgrid" run null.yaml -o run 2> run.err || code=$?
	cat run.err
	[ "$code" -eq "$1" ]
	tail -n 1 run.err | grep -qF "$2"
}

start() {
	"$schedgrid" run null.yaml -o run 2> run.err &
	pid=$!
}

stops_with() {
	local code=0
	wait "$pid" || code=$?
	cat run.err
	[ "$code" -eq "$1" ]
}

lines_are() {
	[ "$(wc -l < run/records.jsonl)" -eq "$1" ]
}

wait_lines() {
	local _
	for _ in $(seq 400); do
		[ -e run/records.jsonl ] && [ "$(wc -l < run/records.jsonl)" -ge "$1" ] && return 0
		sleep 0.02
	done
	return 1
}

# Takes all the room that there is.
fill() {
	dd if=/dev/zero of="$1" bs=1k 2> /dev/null || true
}

# Every line of the ledger is a whole record.
all_whole() {
	[ -z "$(tail -c 1 run/records.jsonl)" ]
	[ "$(grep -c '^{"schema":"schedgrid-record-1".*}$' run/records.jsonl)" -eq \
		"$(wc -l < run/records.jsonl)" ]
}

# The same command ends well now, with each of $1 iterations ok once.
completes() {
	"$schedgrid" run null.yaml -o run 2> run.err || { cat run.err; return 1; }
	[ "$(grep '"status":"ok"' run/records.jsonl | grep -o '"iteration":[0-9]*' |
		sort -u | wc -l)" -eq "$1" ]
	[ "$(grep -c '"status":"ok"' run/records.jsonl)" -eq "$1" ]
}
