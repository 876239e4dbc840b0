#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2154 # schedgrid and output come from elsewhere
# The README shows what the program prints today.

load common

top=$BATS_TEST_DIRNAME/../..

# The indented block that follows the marker naming its command.
shown() {
	awk -v marker="<!-- output: $1 -->" '
		$0 == marker { on = 1; next }
		on && NF && !/^    / { exit }
		on { sub(/^    /, ""); lines[++n] = $0 }
		END { while (n && lines[n] == "") n--
		      for (i = 1; i <= n; i++) if (i > 1 || lines[i] != "") print lines[i] }' \
		"$top/README.md"
}

@test "the README's output is the program's" {
	cd "$top"
	local command
	grep -o '<!-- output: .* -->' README.md | sed 's/<!-- output: //; s/ -->//' > "$BATS_TEST_TMPDIR/commands"
	[ -s "$BATS_TEST_TMPDIR/commands" ]
	while read -r command; do
		# shellcheck disable=SC2086 # the words of the command
		diff <(shown "$command") <("$schedgrid" $command)
	done < "$BATS_TEST_TMPDIR/commands"
}

@test "the README's grid is a grid" {
	awk '/^```yaml/ { on = 1; next } /^```/ { on = 0 } on' "$top/README.md" > my.yaml
	fake_machine
	run "$schedgrid" plan my.yaml
	[ "$status" -eq 0 ]
	says "hackbench-thread-sockets  groups=16"
}

@test "the README's mistake is told as it says" {
	printf 'schema: schedgrid-grid-1\nname: a\nexecutor: {type: local}\nrepeat: {iteration: 20}\n' > my.yaml
	run "$schedgrid" plan my.yaml
	[ "$status" -eq 2 ]
	[ "$output" = "$(grep -A1 'schedgrid: my.yaml:4:10' "$top/README.md" | sed 's/^    //' | tr '\n' ' ' | sed 's/ $//')" ]
}
