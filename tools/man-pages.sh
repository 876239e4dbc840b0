#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Make the man pages: tools/man-pages.sh SCHEDGRID DIR
#
# Synopsis and options of a subcommand are what its --help prints, so the two can't differ;
# the rest of its page is docs/man/<subcommand>.md, or docs/<subcommand>.md. The file
# formats' pages are those of docs/. Needs scdoc.

set -eu
export LC_ALL=C
[ $# -eq 2 ] || { echo 'usage: tools/man-pages.sh SCHEDGRID DIR' >&2; exit 2; }
case $1 in /*) schedgrid=$1 ;; *) schedgrid=$PWD/$1 ;; esac
case $2 in /*) out=$2 ;; *) out=$PWD/$2 ;; esac
cd "$(dirname "$0")/.."
mkdir -p "$out"
version=$(cat VERSION)

# $1 page, $2 section, $3 what it is: a page whose body comes from standard input.
page() {
	{
		printf '%s(%s) "schedgrid %s"\n\n# NAME\n\n%s - %s\n\n' \
			"$1" "$2" "$version" "$1" "$3"
		cat
	} | scdoc > "$out/$1.$2.new" || { rm -f "$out/$1.$2.new"; exit 1; }
	mv "$out/$1.$2.new" "$out/$1.$2"
}

# Literal text for scdoc.
literal() {
	sed 's/\\/\\\\/g; s/[*_]/\\&/g'
}

body_of() {
	awk -f tools/md-to-scd.awk "docs/$1.md"
}

body_of_command() {
	if [ -e "docs/man/$1.md" ]; then
		body_of "man/$1"
	elif [ -e "docs/$1.md" ]; then
		printf '# DESCRIPTION\n\n'
		body_of "$1"
	fi
}

commands() {
	"$schedgrid" --help | awk '/^  [a-z]/ { print $1 }'
}

summary_of() {
	"$schedgrid" --help | awk -v name="$1" '
		/^  [a-z]/ && $1 == name {
			sub(/^  [a-z-]+ +/, "")
			print tolower(substr($0, 1, 1)) substr($0, 2)
		}'
}

# The options of --help on standard input, as a list of terms.
options() {
	awk '/^ +-/ {
		term = $0
		sub(/^ +/, "", term)
		text = term
		if (match(term, /   *| [a-z]/)) {
			text = substr(term, RSTART)
			term = substr(term, 1, RSTART - 1)
		}
		sub(/^ +/, "", text)
		printf "*%s*\001%s\n", term, text
	}' | literal | sed 's/^\\\*\(.*\)\\\*\x01\(.*\)$/*\1*\n\t\2\n/'
}

for command in $(commands); do
	{
		printf '# SYNOPSIS\n\n'
		"$schedgrid" "$command" --help | sed -n '1s/^usage: //p' | literal
		printf '\n# OPTIONS\n\n'
		"$schedgrid" "$command" --help | options
		body_of_command "$command"
		printf '\n# SEE ALSO\n\n*schedgrid*(1), *schedgrid-grid*(5), *schedgrid-run*(5)\n'
	} | page "schedgrid-$command" 1 "$(summary_of "$command")"
done
{
	printf '# SYNOPSIS\n\nschedgrid COMMAND [OPTION...] [ARGUMENT...]\n\n# COMMANDS\n\n'
	for command in $(commands); do
		printf '*schedgrid-%s*(1)\n\t%s\n\n' "$command" "$(summary_of "$command" | literal)"
	done
	body_of man/schedgrid
	printf '\n# SEE ALSO\n\n*schedgrid-grid*(5), *schedgrid-run*(5)\n'
} | page schedgrid 1 'kernel-scheduler benchmarks, compared and judged'
{ printf '# DESCRIPTION\n\n'; body_of grid; } |
	page schedgrid-grid 5 'the grid file: what schedgrid is to measure'
{ printf '# DESCRIPTION\n\n'; body_of run; } |
	page schedgrid-run 5 "a run of schedgrid on the disk"
