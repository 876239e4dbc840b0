# SPDX-License-Identifier: GPL-2.0-or-later
# bash completion of schedgrid. Words come from --help, so none is missing here.
# shellcheck shell=bash

_schedgrid_words() {
	schedgrid "$@" --help 2> /dev/null
}

_schedgrid() {
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
	local command=${COMP_WORDS[1]} words

	if [ "$COMP_CWORD" -eq 1 ]; then
		words=$(_schedgrid_words | awk '/^  [a-z]/ { print $1 } END { print "--help --version" }')
	elif [ "$before" = --format ] || [ "$before" = --adjust ] || [ "$before" = --fail-on ]; then
		words=$(_schedgrid_words "$command" | awk -v option="$before" '
			$1 == option {
				sub(/.*[A-Z][A-Z]+ +(p for their number: )?/, "")
				gsub(/\([^)]*\)|,|;/, " ")
				gsub(/ or /, " ")
				print
			}')
		[ "$before" != --fail-on ] || words='worse worse? inconclusive'
	elif [[ $word = -* ]]; then
		words=$(_schedgrid_words "$command" | awk '
			/^ +-/ {
				for (i = 1; i <= NF && $i ~ /^-/; i++) {
					sub(/,$/, "", $i)
					print $i
				}
			}')
	elif [ "$command" = list ]; then
		words=$(schedgrid list 2> /dev/null | awk '/^[a-z]/ { sub(/:.*/, ""); print }')
	elif [ "$command" = import ] && [ "$COMP_CWORD" -eq 2 ]; then
		words=$(_schedgrid_words import | awk 'NR == 1 { gsub(/\|/, " ", $4); print $4 }')
	else
		compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}

complete -F _schedgrid schedgrid
