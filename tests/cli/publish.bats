#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# schedgrid publish as far as it goes without a server; with real ones: host/publish.bats.

bats_require_minimum_version 1.5.0

load common

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	null_grid 1.5 2
	"$schedgrid" run null.yaml -o run 2> /dev/null
	cat > targets.yaml <<-YAML
	schema: schedgrid-targets-1
	targets:
	  - {name: letter, type: mail-file, dir: letters, from: me@a.example, to: you@b.example}
	YAML
	chmod 600 targets.yaml
}

publish() {
	"$schedgrid" publish --targets targets.yaml --spool spool "$@"
}

@test "what is wrong is named, and nothing is spooled" {
	run -2 publish run
	says "--to TARGET"
	run -2 publish --list --retry
	run -2 publish --retry --anonymize
	run -2 publish run --to lettr
	says "'letter'"
	run -2 publish nowhere --to letter
	says "expected the directory of a run"
	run -2 publish . --to letter
	says "no records.jsonl"
	run -2 publish --retry letter-0
	says "no 'letter-0' in the spool"
	chmod 640 targets.yaml
	run -2 publish run --to letter
	says "chmod 600"
	run -2 "$schedgrid" publish run --to letter --targets none.yaml --spool spool
	says "none.yaml"
	run -2 env -u HOME -u XDG_STATE_HOME "$schedgrid" publish --list
	says "neither XDG_STATE_HOME nor HOME is set"
	[ ! -e spool ]
}

@test "what can't be delivered waits, is listed and goes later" {
	run -75 publish run --to letter
	says "letters"
	run -0 --separate-stderr publish --list
	[[ "$output" == letter-*": 0 of 1 sent, 1 tries, due in "* ]]
	mkdir letters
	# Not yet due.
	run -0 publish --retry
	[ -z "$(ls letters)" ]
	run -0 publish --retry "$(ls spool)"
	[ "$(find letters -type f | wc -l)" -eq 1 ]
	[ -z "$(ls spool)" ]
	run -0 --separate-stderr publish --list
	[ -z "$output" ]
}

@test "places of the user's, or where the environment says" {
	mkdir -p letters home/.config/schedgrid config/schedgrid
	cp -p targets.yaml home/.config/schedgrid
	run -0 env -u XDG_CONFIG_HOME -u XDG_STATE_HOME HOME="$PWD/home" "$schedgrid" publish run --to letter
	[ -d home/.local/state/schedgrid/spool ]
	mv home/.config/schedgrid/targets.yaml config/schedgrid
	run -0 env XDG_CONFIG_HOME="$PWD/config" XDG_STATE_HOME="$PWD/state" HOME=/nowhere "$schedgrid" publish run --to letter
	[ -d state/schedgrid/spool ]
}
