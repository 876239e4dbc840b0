# SPDX-License-Identifier: GPL-2.0-or-later
#
# Figures of helpers that are linked with the suite's own objects, and rows of them that
# come from several seeds, of which the worst counts: lines "NAME VALUE" in $WORK/figures.
# To be sourced after sides.bash.

# shellcheck shell=bash disable=SC2154,SC2034 # top, WORK and missed are those of sides.bash

# Compiles the helpers $@ with compare/ and what is below it.
build_with_suite() {
	local built=${SCHEDGRID%/*} helper packages libraries

	read -ra packages <<<"$(sed -n 's/^PKGS *:= //p' "$top/Makefile")"
	read -ra libraries <<<"$(pkg-config --libs "${packages[@]}")"
	for helper; do
		build "$helper" "-I$top" -Wl,--no-as-needed "$built"/compare/*.o \
			"$built"/record/*.o "$built"/lib/*.o "${libraries[@]}"
	done
}

# The figure $1 of the seed it is worst for: $2 is "min" or "max". Held against $3.
figure() {
	local value verdict=-

	value=$(awk -v name="$1" -v want="$2" '
	$1 == name && (!n++ || (want == "min" ? $2 < worst : $2 > worst)) { worst = $2 }
	END { print worst }' "$WORK/figures")
	if [ $# -gt 2 ]; then
		verdict=met
		awk -v value="$value" -v want="$2" -v limit="$3" 'BEGIN {
			exit !(want == "min" ? value >= limit : value <= limit) }' || {
			verdict=missed
			missed=1
		}
	fi
	printf '%-22s %8s %12s  %s\n' "$1" "$value" "${3:+$2 $3}" "$verdict"
}
