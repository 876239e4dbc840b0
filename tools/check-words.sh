#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Find what has no place in the sources: functions that this project doesn't use,
# printing and exiting below cli/, sleeping instead of waiting for an event, files
# without a licence line, and paths of somebody's home or checkout.
#
# Run at the top of the tree. Prints one line a finding; exits non-zero on any.

layers='lib record benchmarks policy runner compare cli kmod'

# Code without comments and the contents of strings, as file:line:code.
code_of() {
	# shellcheck disable=SC1003 # a quote inside a quoted program
	awk '
	FNR == 1 { inside = 0 }
	{
		line = $0
		gsub(/\\\\|\\"|\\'\''/, "", line)
		gsub(/"[^"]*"/, "\"\"", line)
		out = ""
		while (line != "") {
			if (inside) {
				at = index(line, "*/")
				line = at ? substr(line, at + 2) : ""
				inside = !at
			} else {
				at = match(line, /\/\*|\/\//)
				out = out (at ? substr(line, 1, at - 1) : line)
				inside = at && substr(line, at, 2) == "/*"
				line = inside ? substr(line, at + 2) : ""
			}
		}
		print FILENAME ":" FNR ":" out
	}' "$@"
}

# remark TEXT: add it to each finding
remark() {
	sed "s|\$|    <- $1|"
}

files() {
	# shellcheck disable=SC2086 # a list of directories
	find $layers -name '*.[ch]' 2>/dev/null | sort
}

everything() {
	find . \( -path ./.git -o -path ./build -o -path ./results -o -path ./schedgrid \
		-o -path ./tests/fixtures \) -prune -o -type f -print | sort
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2046 # the names hold no spaces
code_of $(files) >"$work/code"
grep -vE '^(cli/|benchmarks/([^/]*/program\.c|program\.h):)' "$work/code" >"$work/below-cli"
start='(^|[^A-Za-z0-9_.>])'
open='[[:space:]]*\('

{
	grep -E "$start(atoi|atol|atoll|atof|strcpy|strcat|sprintf|vsprintf|strncpy)$open" \
		"$work/code" | remark 'not used here, see docs/hacking.md'
	grep -E "$start(strncat|strtok|gets|system|popen|mktemp|tmpnam)$open" \
		"$work/code" | remark 'not used here, see docs/hacking.md'
	grep -E "$start(exit|abort|err|errx|warn|warnx)$open" "$work/below-cli" |
		remark 'only cli/ exits'
	grep -E "$start(perror|printf|vprintf|puts|putchar)$open" "$work/below-cli" |
		remark 'only cli/ prints'
	grep -E "$start(stdout|stderr)([^A-Za-z0-9_]|\$)" "$work/below-cli" |
		remark 'only cli/ knows the standard streams'
	grep -v '^benchmarks/[^/]*/program\.c:' "$work/code" |
		grep -E "$start(sleep|usleep|nanosleep|clock_nanosleep)$open" |
		remark 'wait for an event instead of sleeping'
	everything | grep -E '\.(c|h|sh|bats|yaml|scd)$|Makefile$|/\.ci/run$' |
		while read -r file; do
			head -n 3 "$file" | grep -q SPDX-License-Identifier: || echo "$file"
		done | remark 'no SPDX line'
	# Made-up accounts are fine in examples: /home/user, /home/me.
	everything | tr '\n' '\0' |
		xargs -0 grep -HnIE '(^|[^[:alnum:]_.~-])/(work|root|Users|home)/[[:alnum:]]' |
		grep -vE '/home/(user|me)([^[:alnum:]]|$)' | remark 'a path of one machine'
} | awk '{ print } END { exit NR > 0 }'
