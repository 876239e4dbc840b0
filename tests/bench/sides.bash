# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the figures of `make bench` and `make bench-fidelity` share: rounds of two sides in
# random order, until their ratio is known well enough or the time is up, and the rows of
# the table. To be sourced; docs/figures.md describes the method.
#
# BENCH_SECONDS limits the rounds of one row, BENCH_SEED draws their orders. A side of a
# round that can be made longer takes BENCH_SAMPLE_SECONDS at least: a whole number, but
# for trying things out.

set -u
export LC_ALL=C

: "${BENCH_SECONDS:=300}" "${BENCH_SEED:=42}" "${BENCH_SAMPLE_SECONDS:=1}"
RANDOM=$BENCH_SEED

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
missed=0
export SCHEDGRID=${SCHEDGRID:-$top/build/release/schedgrid}
export PROGRAMS=${SCHEDGRID%/*}/programs

fail() {
	echo "${0##*/}: $*" >&2
	exit 2
}

need() {
	local program

	for program in "$@"; do
		command -v "$program" >/dev/null || fail "'$program' is not installed"
	done
}

# For whatever the figure writes.
WORK=$(mktemp -d) || exit 2
export WORK
trap 'rm -rf "$WORK"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

need "${CC:-cc}"
# Compiles the helper $1, which is then at $WORK/$1; the rest are further flags.
build() {
	local name=$1

	shift
	"${CC:-cc}" -std=gnu11 -O2 -D_GNU_SOURCE "$@" -o "$WORK/$name" \
		"$top/tests/bench/$name.c" -lm || fail "cannot compile $name.c"
}
build ratio

# "reference candidate" pairs of file $1 held against the limits in the rest. Sets
# ratio, low, high, pairs, verdict and precision.
estimate() {
	local file=$1 line

	shift
	line=$("$WORK/ratio" "$@" <"$file") || line='- - - 0 inconclusive wide'
	read -r ratio low high pairs verdict precision <<<"$line"
}

# What a side of a round measured.
take() {
	value=$1
}

taken() {
	echo "$value"
}

# Takes the number behind the name $1 in the line of JSON $2.
take_json() {
	[[ $2 =~ \"$1\":([0-9.e+-]+) ]] || fail "no number '$1' was printed"
	take "${BASH_REMATCH[1]}"
}

# Sets first_cpu and last_cpu to the first and the last CPU allowed.
find_cpus() {
	local list

	list=$(taskset -cp $$) || fail "cannot read the allowed CPUs"
	list=${list##*: }
	first_cpu=${list%%[-,]*}
	last_cpu=${list##*[-,]}
}

# Rounds of the functions `reference`, the same again, and `candidate`, each of which
# gives a number to take(). The pairs go to $WORK/$1.pairs and, reference against
# itself, to $WORK/$1.noise.
measure() {
	local orders=('r s c' 'r c s' 's r c' 's c r' 'c r s' 'c s r')
	local end=$((SECONDS + BENCH_SECONDS)) rounds=0 side r s c

	: >"$WORK/$1.pairs"
	: >"$WORK/$1.noise"
	while :; do
		for side in ${orders[RANDOM % 6]}; do
			case $side in
			c) candidate ;;
			*) reference ;;
			esac
			printf -v "$side" %s "$value"
		done
		echo "$r $c" >>"$WORK/$1.pairs"
		echo "$r $s" >>"$WORK/$1.noise"
		rounds=$((rounds + 1))
		[ $rounds -ge 5 ] || continue
		[ $SECONDS -lt $end ] || return 0
		# Fewer than ten may agree by chance.
		[ $rounds -ge 10 ] || continue
		estimate "$WORK/$1.pairs"
		[ "$precision" = wide ] || return 0
	done
}

heading() {
	printf '%s\n' "$1"
	printf '%-28s %6s %9s  %-18s %-18s %s\n' '' rounds ratio '90% interval' \
		'A/A interval' verdict
}

# The row of what estimate() found last, labelled $1, beside the noise in file $2.
print_row() {
	local found=("$pairs" "$ratio" "$low..$high" "$verdict")

	[ "$verdict" != missed ] || missed=1
	estimate "$2"
	printf '%-28s %6s %9s  %-18s %-18s %s\n' "$1" "${found[@]:0:3}" "$low..$high" \
		"${found[3]}"
}

# A row labelled $1 of the measurement $2; the rest are the limits.
report() {
	local label=$1 name=$2

	shift 2
	estimate "$WORK/$name.pairs" "$@"
	print_row "$label" "$WORK/$name.noise"
}

# The exit status of the whole figure.
conclude() {
	exit "$missed"
}
