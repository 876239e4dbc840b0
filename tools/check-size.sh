#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Hold files and functions to the limits of docs/hacking.md (parameters and nesting are
# clang-tidy's part). Exceptions, each with its reason, are in tools/size-exceptions.
#
# Run at the top of the tree. Prints one line a finding; exits non-zero on any.

export LC_ALL=C
FUNCTION_LINES=80 COMPLEXITY=15 SOURCE_LINES=700 HEADER_LINES=250 TEST_LINES=900

sources=$(find lib record benchmarks policy runner compare cli kmod tests \
	\( -name '*.[ch]' -o -name '*.bats' \) 2>/dev/null | sort)

{
	for file in $sources; do
		case $file in
		tests/*) limit=$TEST_LINES ;;
		*.h) limit=$HEADER_LINES ;;
		*) limit=$SOURCE_LINES ;;
		esac
		lines=$(wc -l <"$file")
		[ "$lines" -le $limit ] ||
			echo "$file: $lines lines, the limit is $limit"
	done
	# pmccabe: modified and plain complexity, statements, first line, lines, file, name
	# shellcheck disable=SC2046 # the names hold no spaces
	pmccabe $(echo "$sources" | grep '\.c$') | awk -v lines=$FUNCTION_LINES \
		-v complexity=$COMPLEXITY '{
		at = $6
		sub(/\(.*/, "", at)
		if ($5 > lines)
			printf "%s:%s: %d lines, the limit is %d\n", at, $7, $5, lines
		if ($2 > complexity)
			printf "%s:%s: complexity %d, the limit is %d\n", at, $7, $2,
				complexity
	}'
} | awk '
FILENAME == "tools/size-exceptions" {
	if (/^[^#]/)
		excepted[$1 ":"] = 1
	next
}
!($1 in excepted) { print; found = 1 }
END { exit found }' tools/size-exceptions -
