#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# schedgrid show: what a run kept of a cell.

bats_require_minimum_version 1.5.0

load common

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	mkdir -p run/raw/c0ffee/b-i1-a1
	cat > run/raw/c0ffee/b-i1-a1/placement.trace <<-TRACE
	schedgrid-placement-1
	cpu 0 core 0 llc 0 node 0
	cpu 48 core 1 llc 6 node 0
	main 0 0 100
	new 5 0 100 0
	fork 1500000 0 100 101
	new 2000000 0 101 48
	end 4
	TRACE
}

@test "the CPU chosen for each new task is listed with its LLC" {
	run -0 --separate-stderr "$schedgrid" show --placement run c0ffee
	[ "${lines[0]}" = "b-i1-a1:" ]
	[ "${lines[2]}" = "0.002000 [000] new task 101: target_cpu=048 (LLC: 6)" ]
	[ "${#lines[@]}" -eq 3 ]
}

@test "a cell or a trace that isn't there is named, with what was meant" {
	run -2 "$schedgrid" show --placement run c0ffe
	says "did you mean 'c0ffee'?"
	run -2 "$schedgrid" show --placement run ../raw
	says "has no cell '../raw'"
	run -2 "$schedgrid" show --placement nowhere c0ffee
	says "expected the directory of a run"
	run -2 "$schedgrid" show run c0ffee
	says "--placement"
	rm run/raw/c0ffee/b-i1-a1/placement.trace
	run -2 "$schedgrid" show --placement run c0ffee
	says "expected a cell that ran with monitors: [placement]"
}

@test "a trace that was cut is refused" {
	sed -i '$d' run/raw/c0ffee/b-i1-a1/placement.trace
	run -4 "$schedgrid" show --placement run c0ffee
	says "was cut"
}

@test "a run is packed into the same bytes each time, and into none that is half" {
	echo '{}' > run/records.jsonl
	cp -r run again
	mkdir other
	mv again other/run
	find other -exec touch -d 2001-01-01 {} +
	run -0 "$schedgrid" show --archive run -o one.tar.gz
	run -0 "$schedgrid" show --archive other/run -o two.tar.gz
	cmp one.tar.gz two.tar.gz
	tar -xzf one.tar.gz -C other --one-top-level=got
	diff -r run other/got/run
	run -2 "$schedgrid" show --archive run/raw -o three.tar.gz
	says "expected the directory of a run"
	run -2 "$schedgrid" show --archive run
	says "-o FILE"
	run ! "$schedgrid" show --archive run -o no/three.tar.gz
	run -0 ls
	[[ "$output" != *three* && "$output" != *.new* ]]
}
