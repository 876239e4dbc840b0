#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# import: figures of others become a run that compare reads, or nothing is left behind.

bats_require_minimum_version 1.5.0
load common

fixtures=$BATS_TEST_DIRNAME/../fixtures/import
head=column,workload,metric,better,point,value

# Imports a CSV of these lines and expects status 4, the sentence, and no directory.
refuses_csv() {
	printf '%s\n' "$head" "${@:2}" > in.csv
	run "$schedgrid" import csv in.csv -o out
	[ "$status" -eq 4 ]
	says "$1"
	[ "${#lines[@]}" -eq 1 ]
	leaves_nothing
}

leaves_nothing() {
	[ "$(find . -name 'out*')" = "" ]
}

@test "a CSV of samples and summaries becomes a run" {
	run --separate-stderr "$schedgrid" import csv "$fixtures/good.csv" -o deep/out
	[ "$status" -eq 0 ]
	[ -z "$output" ]
	[ "$stderr" = "schedgrid: 5 figures imported into deep/out" ]
	run --separate-stderr "$schedgrid" compare deep/out --format csv
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 4 ]
	[[ "${lines[1]}" = *,groups=4,base,2,0,0.126,* ]]
	[[ "${lines[2]}" = *,groups=4,wake,1,1,0.115,* ]]
	[[ "${lines[3]}" = *',groups=4,"wake, ""full""",10,0,0.1101,0.0012,'* ]]
}

@test "a directory that exists is left alone" {
	mkdir out
	touch out/mine
	run "$schedgrid" import csv "$fixtures/good.csv" -o out
	[ "$status" -eq 2 ]
	says "'out' exists already (expected a new directory)"
	[ "$(find out)" = "$(printf 'out\nout/mine')" ]
}

@test "numbers with a decimal comma are refused with their place" {
	refuses_csv "in.csv:2: value '1,327' has a comma (expected a decimal point" \
		'base,null,time,lower,,"1,327"'
}

@test "what is no number is refused" {
	local number
	for number in nan inf 0x10 1e999 1.2.3 ' 1' ''; do
		refuses_csv in.csv:2: "base,null,time,lower,,$number"
	done
}

@test "rows that are cut off, too long or ambiguous are refused" {
	refuses_csv "in.csv:3: 3 fields" 'base,null,time,lower,,1' 'base,null,ti'
	refuses_csv "in.csv:2: more fields" 'base,null,time,lower,,1,2'
	refuses_csv "in.csv:2: a quote is not closed on its line" 'base,"null,time,lower,,1'
	refuses_csv "in.csv:2: text follows a closed quote" '"base"x,null,time,lower,,1'
	refuses_csv "in.csv:2: the point has twice the parameter 'groups'" \
		'base,null,time,lower,groups=1;groups=2,1'
	refuses_csv "in.csv:2: a point is written groups=4" 'base,null,time,lower,4,1'
	refuses_csv "in.csv:2: better is lower or higher" 'base,null,time,Lower,,1'
	refuses_csv "in.csv:2: a field is longer than 4096 bytes" \
		"$(head -c 1000000 /dev/zero | tr '\0' x),null,time,lower,,1"
}

@test "binary input and control characters are refused" {
	refuses_csv "in.csv:2: byte 0x1b is no text" $'b\e[2Jase,null,time,lower,,1'
	head -c 3000 "$schedgrid" > in.csv
	run "$schedgrid" import csv in.csv -o out
	[ "$status" -eq 4 ]
	says "in.csv:1:"
	leaves_nothing
}

@test "a header that lacks a column, has one twice or an unknown one is refused" {
	head=column,workload,metric,better,value
	refuses_csv "in.csv:1: the header lacks the column 'point'"
	head=column,workload,metric,better,point,value,value
	refuses_csv "in.csv:1: the header has twice the column 'value'"
	head=columnn,workload,metric,better,point,value
	refuses_csv "in.csv:1: column 'columnn' is not known; did you mean 'column'?"
	head=column,workload,metric,better,point,value
	refuses_csv "in.csv holds no figures"
}

@test "the same sample twice, and names that lead out of the run, are refused" {
	head=column,workload,metric,better,point,value,iteration,boot
	refuses_csv "in.csv:3: metric 'time' of column 'base' is given twice for iteration 1" \
		base,null,time,lower,,1,1,b1 base,null,time,lower,,2,1,b1
	refuses_csv "in.csv:2: '../../b1' is no name of a boot" base,null,time,lower,,1,1,../../b1
}

@test "a full disk leaves nothing half-written" {
	printf '%s\n' "$head" base,null,time,lower,,1 > in.csv
	trap '' XFSZ
	ulimit -f 0
	run "$schedgrid" import csv in.csv -o out
	[ "$status" -eq 4 ]
	leaves_nothing
}

@test "import says what it wants" {
	run "$schedgrid" import
	[ "$status" -eq 2 ]
	says "a kind and a path expected"
	run "$schedgrid" import cvs x -o out
	[ "$status" -eq 2 ]
	says "unknown kind 'cvs'"
	says "did you mean 'csv'?"
	run "$schedgrid" import csv x
	[ "$status" -eq 2 ]
	says "-o DIR is missing"
	run "$schedgrid" import csv missing.csv -o out
	[ "$status" -eq 2 ]
	says "cannot open 'missing.csv'"
}

mails=$BATS_TEST_DIRNAME/../fixtures/audit

@test "a pasted mmtests table becomes a run that prints it again" {
	"$schedgrid" import table "$mails/seed-004.txt" -o out
	run --separate-stderr "$schedgrid" compare out --format mmtests-2016
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = hackbench-process-pipes ]
	[[ "${lines[2]}" =~ ^\ +tip-sched\ +fix-fig-for-fork\ +fix-sig$ ]]
	[[ "${lines[4]}" =~ ^Amean\ +3\ +0\.4489\ .*\ 0\.3544\ .*\ 0\.3284\  ]]
	says "hackbench-process-pipes: time in s; rows by groups"
}

@test "a mail with several tables becomes a run of several variants, or of one" {
	"$schedgrid" import table "$mails/seed-003.txt" -o out
	[ "$(grep -c '"variant":"stream (table 2)"' out/records.jsonl)" -eq 2 ]
	"$schedgrid" import table "$mails/seed-003.txt" -o one --table 1
	run --separate-stderr "$schedgrid" compare one --format pct
	[ "${lines[0]}" = stream ]
	says "copy:   97699.28 (0.00 pct)   95933.60  (-1.80 pct)  156578.91 (60.26 pct)"
	[[ "${lines[4]}" =~ ^\ +\+\ pinning$ ]]
	run "$schedgrid" import table "$mails/seed-003.txt" -o two --table 4
	[ "$status" -eq 2 ]
	says "has no table 4 (expected 1 to 3)"
	[ ! -e two ]
}

# Iterations of two columns on a kernel whose release has a suffix: column value...
measured() {
	local column=$1 i=0 value
	shift
	mkdir -p own/hosts
	echo '{"schema":"schedgrid-host-1","boot_id":"x","kernel":{"release":"6.18.44-fc-v657"}}' > own/hosts/b1.json
	for value; do
		i=$((i + 1))
		printf '{"schema":"schedgrid-record-1","id":"%s/b1/i%d/a1","cell":"%s","column":"%s","workload":"hackbench","variant":"hackbench-thread-pipes","point":{"groups":4},"boot":"b1","block":%d,"iteration":%d,"attempt":1,"seq":%d,"status":"ok","flags":[],"metrics":[{"name":"time","unit":"s","better":"lower","samples":[%s]}]}\n' \
			"$column" $i "$column" "$column" $i $i $i "$value"
	done >> own/records.jsonl
}

@test "the 40 digits of a commit are shortened in headings, and whole in the footer" {
	"$schedgrid" import table "$mails/seed-001.txt" -o out --table 1
	run --separate-stderr "$schedgrid" compare out
	[ "$status" -eq 0 ]
	[[ "${lines[1]}" =~ ^\ +9f68395333ad\ +070f5e860ee2\ +v5\.7\ +63a5d0fbb5ec\ \(the\ test\ patch\)$ ]]
	[[ "$output" == *9f68395333ad7f5bfe2f83473fed363d4229f11c* ]]
}

@test "tables of a mail that have other baselines become runs of their own" {
	run --separate-stderr "$schedgrid" import table "$mails/seed-002.txt" -o out
	[ "$status" -eq 0 ]
	[[ "$stderr" == *"figures imported into out/table-1"*"figures imported into out/table-4"*"figures imported into out/table-6" ]]
	[ "$(find out -name records.jsonl | sort | tr '\n' ' ')" = "out/table-1/records.jsonl out/table-4/records.jsonl out/table-6/records.jsonl " ]
	run --separate-stderr "$schedgrid" compare out/table-4 --format pct
	[ "$status" -eq 0 ]
	says " pct)"
	[[ "$output" != *"SD_BALANCE_WAKE disabled"* ]]
	[[ "$output" != *"n 0"* ]]
}

@test "tables of our own are read back with kernel, columns and runs" {
	local format
	measured all 1.1 1.2 1.3
	measured one 2.1 2.2 2.3
	for format in mmtests mmtests-2016 pct; do
		rm -rf out
		"$schedgrid" compare own --format "$format" > mine.txt
		"$schedgrid" import table mine.txt -o out
		run --separate-stderr "$schedgrid" compare out --format "$format"
		[ "$status" -eq 0 ]
		[[ "$output" =~ $'\n'\ +6\.18\.44-fc-v657\ +6\.18\.44-fc-v657$'\n'\ +all\ +one$'\n' ]]
		says "each column: n 3"
		[[ "$output" =~ time(-4)?:?\ +1\.2000|Amean\ +(time-)?4\ +1\.2000 ]]
		grep -q '"point":{"groups":4}' out/records.jsonl
	done
}

@test "averages keep their deviations and the number of runs" {
	"$schedgrid" import table "$mails/seed-002.txt" -o out --table 2
	run cat out/records.jsonl
	says '"column":"SD_BALANCE_WAKE enabled","workload":"pipe"'
	says '"mean":111844.3,"stddev":21668.604,"n":10,"digits":3'
	"$schedgrid" import table "$mails/seed-002.txt" -o tb --table 6
	run cat tb/records.jsonl
	says '"column":"!SD_SHARE_PKG_RESOURCES","workload":"tbench"'
	says '"unit":"MB/sec","better":"higher","mean":379.488'
}

@test "a wrapped LKP table keeps its rows, machine and parameters" {
	"$schedgrid" import table "$mails/seed-001.txt" -o out --table 1
	[ "$(wc -l < out/records.jsonl)" -eq 4 ]
	run grep -o '"name":"[a-z_]*","unit":"","better":"[a-z]*","mean":[0-9.]*' out/records.jsonl
	[ "${#lines[@]}" -eq 40 ]
	[ "${lines[2]}" = '"name":"jobs_per_min","unit":"","better":"higher","mean":66870.0' ]
	[ "${lines[38]}" = '"name":"std_dev_time","unit":"","better":"lower","mean":0.0' ]
	run cat out/records.jsonl
	says '"machine":"lkp-ivb-d04"'
	says '"nr_task":"100%","debug-setup":"test","test":"five_sec"'
}

@test "a mail without a table is refused" {
	echo "Looks good to me." > mail
	run "$schedgrid" import table mail -o out
	[ "$status" -eq 4 ]
	says "mail holds no table that can be read"
	leaves_nothing
}

# Logs of hackbench: of a run and an iteration, groups and times.
mmtests_log() {
	mkdir -p "log/$1/iter-$2/hackbench-process-pipes/logs"
	printf '# Running sched/messaging benchmark...\n     Total time: %s [sec]\n' "${@:4}" \
		> "log/$1/iter-$2/hackbench-process-pipes/logs/hackbench-$3"
}

@test "runs of mmtests become columns, an empty log a failed iteration" {
	mmtests_log 6.1-base 0 4 0.125 0.127
	mmtests_log 6.1-base 1 4 0.129
	mmtests_log 6.1-new 0 4 0.115
	: > log/6.1-new/iter-0/hackbench-process-pipes/logs/hackbench-8
	"$schedgrid" import mmtests log -o out
	run --separate-stderr "$schedgrid" compare out --format csv
	[ "${#lines[@]}" -eq 5 ]
	[[ "${lines[1]}" = hackbench,hackbench-process-pipes,time,s,lower,groups=4,6.1-base,3,0,0.127,* ]]
	[[ "${lines[2]}" = *,groups=4,6.1-new,1,0,0.115,* ]]
	[[ "${lines[4]}" = *,groups=8,6.1-new,0,1,,* ]]
	"$schedgrid" import mmtests log/6.1-new -o one
	[ "$(grep -c '"status":"ok"' one/records.jsonl)" -eq 1 ]
}

@test "older mmtests had a file for each iteration, and other directories" {
	mkdir -p old/hackbench-thread-sockets-old/noprofile old/iter-0/stream-omp/logs
	echo 'Time: 0.812' > old/hackbench-thread-sockets-old/noprofile/hackbench-4-1
	: > old/hackbench-thread-sockets-old/noprofile/hackbench-4-2
	echo 'Time: 0.813' > old/hackbench-thread-sockets-old/noprofile/hackbench-4-3
	printf 'Copy:  %s 0.1 0.1 0.1\nTriad:  5 0.1 0.1 0.1\n' 97699.28 \
		> old/iter-0/stream-omp/logs/benchlog-8-_-1
	"$schedgrid" import mmtests old -o out
	run cat out/records.jsonl
	[ "$(grep -c '"variant":"hackbench-thread-sockets"' out/records.jsonl)" -eq 3 ]
	says '"iteration":2,"attempt":1,"seq":3,"status":"failed"'
	says '"point":{"threads":8}'
	says '"name":"copy","unit":"MB/s","better":"higher","samples":[97699.28]'
}

@test "logs of mmtests that can't be read are refused, and nothing is written" {
	mmtests_log bad 0 4 0,125
	run "$schedgrid" import mmtests log/bad -o out
	[ "$status" -eq 4 ]
	says "hackbench-4:2: '0,125 [sec]' is no figure"
	mv log/bad/iter-0/hackbench-process-pipes/logs/hackbench-4{,.gz}
	run "$schedgrid" import mmtests log/bad -o out
	[ "$status" -eq 4 ]
	says "hackbench-4.gz is compressed (expected it unpacked"
	mkdir none
	run "$schedgrid" import mmtests none -o out
	[ "$status" -eq 4 ]
	says "'none' has no results of hackbench or stream"
	leaves_nothing
}

@test "an iteration without a figure comes between others" {
	printf '%s\n' "$head,status" base,null,time,lower,,1,ok base,null,time,lower,,,failed \
		base,null,time,lower,,3,ok > in.csv
	"$schedgrid" import csv in.csv -o out
	run --separate-stderr "$schedgrid" compare out --format csv
	[[ "${lines[1]}" = null,null,time,,lower,,base,2,1,2,* ]]
}

lkp_commit=result/reaim/300s-100%/lkp-ivb-d04/debian/x86_64/gcc-7/070f5e860e

@test "the runs of a commit of LKP become iterations of a column" {
	mkdir -p $lkp_commit/{0,1,2}
	echo '{"reaim.jobs_per_min":66870.5,"reaim.parent_time":0.36,"vmstat.cs":7}' > $lkp_commit/0/stats.json
	echo '{"reaim.jobs_per_min":66880,"reaim.time.user_time":3}' > $lkp_commit/2/stats.json
	"$schedgrid" import lkp $lkp_commit -o out
	run cat out/records.jsonl
	[ "${#lines[@]}" -eq 2 ]
	says '"column":"070f5e860e","workload":"reaim"'
	says '"machine":"lkp-ivb-d04"'
	says '"iteration":3,'
	says '{"name":"jobs_per_min","unit":"","better":"higher","samples":[66870.5]},{"name":"parent_time","unit":"","better":"lower"'
	says '"name":"time.user_time","unit":"","better":"lower","secondary":true'
	[[ "$output" != *vmstat* ]]
}

@test "zeros of an LKP matrix are missing runs" {
	mkdir -p $lkp_commit
	echo '{"reaim.jobs_per_min":[66870.5,0,66880],"stats_source":["a","b","c"]}' > $lkp_commit/matrix.json
	"$schedgrid" import lkp $lkp_commit -o out
	run --separate-stderr "$schedgrid" compare out --format csv
	[[ "${lines[1]}" = *,070f5e860e,2,0,66875.25,* ]]
}

@test "LKP results that are torn, repeat a key or are filed elsewhere are refused" {
	mkdir -p $lkp_commit/0
	echo '{"reaim.jobs_per_min":66870.5,"rea' > $lkp_commit/0/stats.json
	run "$schedgrid" import lkp $lkp_commit -o out
	[ "$status" -eq 4 ]
	says "$lkp_commit/0/stats.json: "
	echo '{"reaim.x":1,"reaim.x":2}' > $lkp_commit/0/stats.json
	run "$schedgrid" import lkp $lkp_commit -o out
	[ "$status" -eq 4 ]
	echo '{"vmstat.cs":7}' > $lkp_commit/0/stats.json
	echo '{}' > $lkp_commit/matrix.json
	run "$schedgrid" import lkp $lkp_commit -o out
	[ "$status" -eq 4 ]
	says "has no figures of 'reaim'"
	run "$schedgrid" import lkp / -o out
	[ "$status" -eq 4 ]
	says "'/' is not filed as LKP does"
	leaves_nothing
}

programs=$BATS_TEST_DIRNAME/../fixtures

@test "outputs of hackbench become iterations of their directory's column" {
	mkdir base new
	cp "$programs/hackbench/rt-tests-process-pipes.out" base/1
	cp "$programs/hackbench/rt-tests-process-pipes.out" base/2
	sed 's/Time: .*/Time: 1.300/' base/1 > new/1
	"$schedgrid" import hackbench base/1 base/2 new/1 -o out
	run --separate-stderr "$schedgrid" compare out --format csv
	[[ "${lines[1]}" = hackbench,hackbench-process,time,s,lower,groups=4,base,2,0,1.481,* ]]
	[[ "${lines[2]}" = *,groups=4,new,1,0,1.3,* ]]
	[ "$(grep -c '"parameters":{"fds":20,"loops":100,"size":100}' out/records.jsonl)" -eq 3 ]
}

@test "outputs of perf bench are read by what they say they are" {
	mkdir base
	cp "$programs/messaging/perf-thread-sockets.out" "$programs/pipe/perf-process.out" base
	"$schedgrid" import perf-bench base/* -o out
	[ "$(grep -c '"variant":"messaging-thread"' out/records.jsonl)" -eq 1 ]
	[ "$(grep -c '"variant":"pipe-process"' out/records.jsonl)" -eq 1 ]
}

@test "BL-043, BL-119: outputs that prove nothing are refused by name" {
	local file
	for file in pipe/perf-decimal-comma pipe/perf-two-results messaging/perf-truncated \
		messaging/perf-zero hackbench/rt-tests-zero; do
		run "$schedgrid" import perf-bench "$programs/$file.out" -o out
		[ "$status" -eq 4 ]
		says "$file.out"
		leaves_nothing
	done
	run "$schedgrid" import csv a b -o out
	[ "$status" -eq 2 ]
	says "one path expected, 'b' is one too many"
}

# What STREAM prints, with the rate of Copy.
stream_output() {
	printf '%s\n' 'Number of Threads requested = 8' 'Number of Threads counted = 8' \
		'Function    Best Rate MB/s  Avg time     Min time     Max time' \
		"Copy:           $1     0.014     0.013     0.015" \
		'Scale:          41000.5     0.014     0.013     0.015' \
		'Add:            43000.1     0.014     0.013     0.015' \
		'Triad:          44000.9     0.014     0.013     0.015' \
		'Solution Validates: avg error less than 1.000000e-13 on all three arrays'
}

@test "outputs of STREAM need their validation, their threads and each rate once" {
	mkdir base
	stream_output 42000.5 > base/1
	stream_output 42001.5 > base/2
	"$schedgrid" import stream base/1 base/2 -o out
	run --separate-stderr "$schedgrid" compare out --format csv
	[[ "${lines[1]}" = stream,stream,copy,MB/s,higher,threads=8,base,2,0,42001,* ]]
	rm -r out
	local missing
	for missing in Solution counted Triad; do
		stream_output 42000.5 | grep -v "$missing" > base/1
		run "$schedgrid" import stream base/1 -o out
		[ "$status" -eq 4 ]
		says base/1
		leaves_nothing
	done
	stream_output 42000,5 > base/1
	run "$schedgrid" import stream base/1 -o out
	[ "$status" -eq 4 ]
	says "base/1:4: '42000,5"
}

@test "an output's number that no run can have is refused, not called a lack of memory" {
	mkdir col
	printf 'Each sender will pass 100 messages of 100 bytes\nRunning in process mode with 99999999999999999999 groups using 40 file descriptors each (== 160 tasks)\nTime: 1.481\n' > col/out
	run "$schedgrid" import hackbench col/out -o new
	[ "$status" -eq 4 ]
	says "col/out: 99999999999999999999 is more than any run can have"
	[ ! -e new ]
}
