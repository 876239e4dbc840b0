// SPDX-License-Identifier: GPL-2.0-or-later
/* schedgrid reparse: read the kept output of a run with today's parsers. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"
#include "lib/err.h"
#include "record/record.h"
#include "runner/reparse.h"

static const struct option_def options[] = {
	{ "only", 0, "PATTERN",
	  "only cells that match, such as groups=4 or hackbench-*" },
	{ 0 },
};

static void on_change(const struct record *before, const struct record *after, void *data)
{
	const char *was = record_status_name(before->status);
	const char *is = record_status_name(after->status);

	(void)data;
	say("%s: %s, now %s%s%s", after->reparsed.from, was,
	    after->status == before->status ? "read differently" : is,
	    after->reason ? ": " : "", after->reason ? after->reason : "");
}

static void print_summary(const struct reparse_summary *summary)
{
	const struct {
		size_t nr;
		const char *what;
	} rest[] = {
		{ summary->nr_other, "did not fail by their output or never ran" },
		{ summary->nr_gone, "have no raw output any more" },
		{ summary->nr_unknown,
		  "are of a workload that the run's grid doesn't have" },
	};
	size_t i;

	say("%zu iterations read again: %zu changed, %zu unchanged",
	    summary->nr_changed + summary->nr_unchanged, summary->nr_changed,
	    summary->nr_unchanged);
	for (i = 0; i < sizeof(rest) / sizeof(rest[0]); i++)
		if (rest[i].nr)
			say("%zu iterations not read: they %s", rest[i].nr, rest[i].what);
}

static int exit_code_of(int bad)
{
	switch (bad) {
	case -EWOULDBLOCK:
		return EXIT_TRY_AGAIN;
	case -ENOENT:
	case -ENOTDIR:
	case -ENXIO:
		return EXIT_CONFIG;
	case -ENOMEM:
		return EXIT_HOST;
	default:
		return EXIT_DATA;
	}
}

static int reparse(const struct reparse_options *wish)
{
	struct reparse_summary summary;
	struct err err = { 0 };
	int bad = reparse_run(wish, &summary, &err);

	if (summary.torn)
		say("the last line of %s/records.jsonl was torn; it was moved to %s",
		    wish->dir, summary.torn);
	free(summary.torn);
	if (bad)
		return complain(&err, exit_code_of(bad));
	print_summary(&summary);
	return EXIT_DONE;
}

static int run(int argc, char **argv)
{
	struct options opts = { &cmd_reparse, argc, argv };
	struct reparse_options wish = { .on_change = on_change };
	const char *argument;
	int code;

	while (options_next(&opts, &argument, &code))
		wish.only = argument;
	if (code)
		return code < 0 ? EXIT_DONE : code;
	if (opts.argc != 1) {
		say("reparse: one directory of a run expected");
		return EXIT_CONFIG;
	}
	wish.dir = opts.argv[0];
	return reparse(&wish);
}

const struct command cmd_reparse = {
	.name = "reparse",
	.synopsis = "DIR [--only PATTERN]",
	.summary = "Read the kept output of a run again with today's parsers",
	.options = options,
	.run = run,
};
