#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Check who includes whom, as docs/architecture.md draws it:
#
#   - our headers are included with their directory, downwards only
#   - a library's header has one home
#   - a workload's program.c includes libc's headers, benchmarks/program.h and those of
#     its own folder only
#   - policy/ sees no clock, no file and no host
#
# Run at the top of the tree. Prints one line a finding; exits non-zero on any.

find lib record benchmarks policy runner compare cli tests kmod -name '*.[ch]' \
	2>/dev/null | sort | xargs awk '
BEGIN {
	allow["lib"] = "lib"
	allow["record"] = "record lib"
	allow["policy"] = "policy lib"
	allow["benchmarks"] = "benchmarks lib"
	allow["runner"] = "runner benchmarks policy record lib"
	allow["compare"] = "compare record policy lib"
	allow["cli"] = "cli runner compare benchmarks policy record lib"

	home["jansson"] = "lib/json.c"
	home["yaml"] = "lib/yaml.c"
	home["hwloc"] = "lib/topo.c"
	home["sha2"] = home["md5"] = home["libutil"] = "lib/digest.c"
	home["zlib"] = "lib/gz.c"
	home["Rmath"] = "compare/dist.c"
	home["tracefs"] = home["traceevent"] = home["event-parse"] = "lib/trace.c"
	home["curl"] = "lib/transfer.c"
	home["archive"] = home["archive_entry"] = "lib/tar.c"
	home["numa"] = home["numaif"] = "no file yet"
}
function report(text) {
	printf "%s:%d: %s\n", FILENAME, FNR, text
	found = 1
}
function folder(path) {
	sub(/[^\/]*$/, "", path)
	return path
}
function check_own(name, layer,    target, n, i, words) {
	if (name !~ /\//)
		return report("include \"" name "\" with its directory")
	target = name
	sub(/\/.*/, "", target)
	if (FILENAME ~ /^benchmarks\/[^\/]+\/program\.c$/ &&
	    name != "benchmarks/program.h" && folder(name) != folder(FILENAME))
		return report("a workload program stands alone, it may not include " name)
	if (layer == "benchmarks" && name == "policy/program.h")
		return
	n = split(allow[layer], words, " ")
	for (i = 1; i <= n; i++)
		if (words[i] == target)
			return
	report(layer "/ may not include " name)
}
function check_system(name, layer,    library) {
	library = name
	sub(/[\/.].*/, "", library)
	if (name == "cmocka.h")
		report("cmocka.h belongs to tests/")
	else if (library in home && FILENAME != home[library])
		report(name " belongs to " home[library])
	else if (layer == "policy" &&
		 name ~ /^(sys\/|linux\/|time\.h|unistd\.h|fcntl\.h|sched\.h|dirent\.h)/)
		report("policy/ sees no clock, file or host: " name)
}
{
	layer = FILENAME
	sub(/\/.*/, "", layer)
}
/^[ \t]*#[ \t]*include[ \t]*["<]/ && layer in allow {
	name = $0
	sub(/^[^"<]*["<]/, "", name)
	sub(/[">].*/, "", name)
	if ($0 ~ /include[ \t]*"/)
		check_own(name, layer)
	else
		check_system(name, layer)
}
END {
	exit found
}'
