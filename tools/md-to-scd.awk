# SPDX-License-Identifier: GPL-2.0-or-later
#
# The documentation's markdown in, scdoc's language out, so that a man page and a page of
# docs/ are one text: headings below the first, paragraphs, lists, tables, code.

# Text as scdoc prints it literally.
function plain(text) {
	gsub(/\\/, "\\\\", text)
	gsub(/[*_]/, "\\\\&", text)
	return text
}
# Code is bold; of a link its words stay.
function inline(text,    out, start) {
	gsub(/\\\|/, "|", text)
	while (match(text, /\[[^]]*\]\([^)]*\)/)) {
		start = substr(text, RSTART + 1, RLENGTH - 1)
		sub(/\].*/, "", start)
		text = substr(text, 1, RSTART - 1) start substr(text, RSTART + RLENGTH)
	}
	gsub(/\*\*/, "", text)
	while (match(text, /`[^`]*`/)) {
		out = out plain(substr(text, 1, RSTART - 1)) \
			"*" plain(substr(text, RSTART + 1, RLENGTH - 2)) "*"
		text = substr(text, RSTART + RLENGTH)
	}
	return out plain(text)
}
function row(line,    n, i, cells) {
	gsub(/\\\|/, "\001", line)
	sub(/^\| */, "", line)
	sub(/ *\|$/, "", line)
	n = split(line, cells, / *\| */)
	for (i = 1; i <= n; i++) {
		gsub("\001", "|", cells[i])
		printf "%s %s\n", (i > 1 ? ":" : in_table ? "|" : "[") \
			(in_table ? " " : "["), inline(cells[i])
	}
	in_table = 1
}
function end_code() {
	if (in_code == 2)
		print "```\n"
	in_code = 0
}

/^```/ {
	in_code = !in_code
	print "```"
	next
}
in_code == 1 {
	print
	next
}
/^    / && (in_code == 2 || was_blank) && !in_list {
	if (!in_code)
		print "```"
	in_code = 2
	print substr($0, 5)
	next
}
in_code == 2 && !/^$/ { end_code() }
/^<!--/ || /^# / { next }
/^##+ / {
	level = $1
	sub(/^#+ /, "")
	in_list = in_table = 0
	print "\n" substr(level, 2) " " (level == "##" ? toupper($0) : $0) "\n"
	was_blank = 1
	next
}
/^\|[-| :]+\|$/ { next }
/^\|/ {
	row($0)
	next
}
/^$/ {
	if (in_code == 2)
		blank = 1
	in_table = 0
	in_list = 0
	was_blank = 1
	print ""
	next
}
/^[-*] / || /^[0-9]+\. / {
	sign = $1 ~ /^[-*]/ ? "- " : ". "
	sub(/^([-*]|[0-9]+\.) +/, "")
	print sign inline($0)
	in_list = 1
	next
}
in_list && /^ / {
	sub(/^ +/, "")
	print "  " inline($0)
	next
}
{
	sub(/^ +/, "")
	print inline($0)
	was_blank = in_list = 0
}
END { end_code() }
