#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The checks of make lint that are our own must be able to fail.

setup() {
	: "${SCHEDGRID_SOURCE:=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)}"
	cd "$BATS_TEST_TMPDIR" || return
	ln -s "$SCHEDGRID_SOURCE/tools" tools
	mkdir -p lib record benchmarks/stream policy runner compare cli tests
}

# source FILE LINE...
source_file() {
	local file=$1
	shift
	printf '%s\n' '// SPDX-License-Identifier: GPL-2.0-or-later' "$@" >"$file"
}

# refused CHECK TEXT: the check fails and says TEXT
refused() {
	run "tools/check-$1.sh"
	echo "$output"
	[ "$status" -ne 0 ]
	[[ $output == *"$2"* ]]
}

@test "layers: what the arrows allow passes" {
	source_file cli/a.c '#include "runner/a.h"' '#include "compare/a.h"'
	source_file runner/a.c '#include "benchmarks/bench.h"' '#include "record/a.h"'
	source_file compare/a.c '#include "policy/a.h"' '#include "lib/a.h"'
	source_file benchmarks/stream/stream.c '#include "policy/program.h"'
	source_file benchmarks/stream/program.c '#include "benchmarks/stream/limits.h"' \
		'#include "benchmarks/program.h"'
	source_file lib/json.c '#include <jansson.h>'
	source_file runner/program.c '#include "lib/err.h"'
	run tools/check-layers.sh
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "layers: an include upwards is refused" {
	source_file lib/a.c '#include "record/record.h"'
	refused layers 'lib/a.c:2: lib/ may not include record/record.h'
}

@test "layers: compare doesn't know the runner, nor benchmarks the policy" {
	source_file compare/a.c '#include "runner/grid.h"'
	refused layers 'compare/ may not include runner/grid.h'
	rm compare/a.c
	source_file benchmarks/a.c '#include "policy/domain.h"'
	refused layers 'benchmarks/ may not include policy/domain.h'
}

@test "layers: an include without its directory is refused" {
	source_file lib/a.c '#include "err.h"'
	refused layers 'with its directory'
}

@test "layers: a library's header has one home" {
	source_file runner/a.c '#include <jansson.h>'
	refused layers 'jansson.h belongs to lib/json.c'
	rm runner/a.c
	source_file lib/a.c '#include <hwloc/glibc-sched.h>'
	refused layers 'belongs to lib/topo.c'
}

@test "layers: a workload's program stands alone" {
	source_file benchmarks/stream/program.c '#include "lib/err.h"'
	refused layers 'stands alone'
}

@test "layers: policy sees no clock" {
	source_file policy/a.c '#include <time.h>'
	refused layers 'policy/ sees no clock'
}

@test "words: clean code passes, also where a comment or text names a function" {
	source_file lib/a.c '/* not atoi(x), nor' ' * exit(1) */' \
		'int a(void) { return say("sprintf(x)"); } // sleep(1)'
	run tools/check-words.sh
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "words: unwanted functions are refused" {
	local call

	for call in 'atoi(x)' 'strcpy(a, b)' 'sprintf (a, b)' 'system(x)' 'popen(x, y)'; do
		source_file cli/a.c "int a(void) { return $call; }"
		refused words 'cli/a.c:2:'
	done
}

@test "words: only cli/ exits, prints and knows the streams; nothing sleeps" {
	local call

	for call in 'exit(1)' 'printf("x")' 'fputs("x", stderr)' 'usleep(5)'; do
		source_file runner/a.c "int a(void) { return $call; }"
		refused words 'runner/a.c:2:'
	done
}

@test "words: a workload's program prints and exits for itself, its neighbours don't" {
	local code='int a(void) { printf("x"); exit(1); }'

	source_file benchmarks/program.h "$code"
	source_file benchmarks/stream/program.c "$code"
	run tools/check-words.sh
	echo "$output"
	[ "$status" -eq 0 ]
	source_file benchmarks/stream/program.h "$code"
	refused words 'benchmarks/stream/program.h:2:'
}

@test "words: a file without licence line is refused" {
	echo 'int a;' >lib/a.c
	refused words 'lib/a.c'
}

@test "words: a path of one machine is refused" {
	printf 'see /%s/main/x\n' work >tests/notes.md
	refused words 'tests/notes.md:1'
}
