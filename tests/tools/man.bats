#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The man pages: one for each subcommand, with the options of its --help.

bats_require_minimum_version 1.5.0

setup_file() {
	: "${SCHEDGRID_SOURCE:=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)}"
	: "${SCHEDGRID:=$SCHEDGRID_SOURCE/build/release/schedgrid}"
	export SCHEDGRID SCHEDGRID_SOURCE pages=$BATS_FILE_TMPDIR/man
	command -v scdoc > /dev/null || return 0
	"$SCHEDGRID_SOURCE/tools/man-pages.sh" "$SCHEDGRID" "$pages"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	command -v scdoc > /dev/null || skip "scdoc is not installed"
}

# A page without its markup.
text() {
	sed 's/\\f[A-Z]//g; s/\\-/-/g; s/\\&//g; s/\\//g' "$pages/$1"
}

@test "every subcommand has a page with every option of its help" {
	for command in $("$SCHEDGRID" --help | awk '/^  [a-z]/ { print $1 }'); do
		[ -s "$pages/schedgrid-$command.1" ]
		text schedgrid.1 | grep -q "schedgrid-$command"
		"$SCHEDGRID" "$command" --help | grep -oE '^ +(-., )?--[a-z-]+' |
			grep -o -- '--.*' | sort > help
		text "schedgrid-$command.1" | sed -n '/^.SH OPTIONS/,/^.SH [^O]/p' |
			grep -oE '^(-., )?--[a-z-]+' | grep -o -- '--.*' | sort > page
		[ -s help ]
		diff help page
		[ "$(grep -c '^.SH DESCRIPTION' "$pages/schedgrid-$command.1")" -eq 1 ]
	done
}

@test "the pages of the file formats name their keys" {
	for key in schema columns workloads repeat executor monitors; do
		text schedgrid-grid.5 | grep -q "^$key"
	done
	text schedgrid-run.5 | grep -q 'records.jsonl'
}

@test "markdown becomes what scdoc prints literally" {
	printf '# T\n\n## An x_y\n\nOne `a*b_c` and [a link](x.md), \\| bar.\n\n- item `-o`\n  goes on\n\n1. first\n\n| a | b |\n|---|---|\n| `x \\| y` | _z_ |\n\n    code_1\n\nend\n' > in.md
	awk -f "$SCHEDGRID_SOURCE/tools/md-to-scd.awk" in.md > out.scd
	cat out.scd
	grep -qF '# AN X_Y' out.scd
	grep -qF 'One *a\*b\_c* and a link, | bar.' out.scd
	grep -qF -- '- item *-o*' out.scd
	grep -qxF '  goes on' out.scd
	grep -qxF '. first' out.scd
	grep -qxF '[[ a' out.scd
	grep -qxF ':[ b' out.scd
	grep -qxF '|  *x | y*' out.scd
	grep -qxF 'code_1' out.scd
	{ printf 'x(1)\n\n'; cat out.scd; } | scdoc > /dev/null
}

@test "an unwritable directory is an error and leaves no page" {
	touch file
	run "$SCHEDGRID_SOURCE/tools/man-pages.sh" "$SCHEDGRID" file
	[ "$status" -ne 0 ]
}
