#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Check that each header can be included alone, and twice:
#
#   tools/check-headers.sh COMPILER FLAG...
#
# Run at the top of the tree. Exits non-zero when one can't.

status=0
for header in $(find lib record benchmarks policy runner compare cli tests \
	-name '*.h' 2>/dev/null | sort); do
	printf '#include "%s"\n#include "%s"\n' "$header" "$header" |
		"$@" -Werror -fsyntax-only -x c - || status=1
done
exit $status
