#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# schedgrid compare --format mail: a file for git send-email.

load common

@test "a mail of many columns has no line of more than 78 bytes" {
	local i
	mkdir run
	for i in $(seq 12); do
		printf '{"schema":"schedgrid-record-1","id":"%d","cell":"%d","column":"kernel-number-%d+wake-ü","workload":"null","variant":"null","point":{"step":1},"boot":"b1","iteration":1,"attempt":1,"status":"ok","metrics":[{"name":"value","unit":"s","better":"lower","samples":[%d.5]}]}\n' \
			"$i" "$i" "$i" "$i" >> run/records.jsonl
	done
	"$schedgrid" compare --format mail run > letter 2> err
	[ -z "$(LC_ALL=C awk 'length($0) > 78' letter)" ]
	[ "$(grep -c '^Amean' letter)" -gt 1 ]
	grep -q 'kernel-number-12+wake-ü' letter
	grep -q '12\.5000' letter
}

@test "git takes the mail apart as it was meant" {
	"$schedgrid" compare --format mail -o letter "$BATS_TEST_DIRNAME/../fixtures/seed-000"
	git mailinfo body patch < letter > info
	grep -q '^Subject: schedgrid: ' info
	[ ! -s patch ]
	grep -q '^Amean ' body
	grep -q '^schedgrid [0-9]' body
	# What git cuts off, or takes for a header, would be lost.
	[ "$(wc -l < body)" -eq "$(($(wc -l < letter) - $(grep -n -m 1 '^$' letter | cut -d: -f1)))" ]
}
