// SPDX-License-Identifier: GPL-2.0-or-later
/* schedgrid restore: put back the settings that a killed run left changed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/restore.h"
#include "lib/err.h"
#include "runner/journal.h"

static const struct option_def options[] = {
	{ "dry-run", 'n', NULL, "print what would be put back only" },
	{ "forget", 0, NULL, "leave everything as it is now, and drop the journal" },
	{ 0 },
};

/* What another run holds passes by itself; what can't be written won't. */
static int exit_code_of(int bad)
{
	switch (bad) {
	case -EWOULDBLOCK:
		return EXIT_TRY_AGAIN;
	case -EINVAL:
		return EXIT_CONFIG;
	case -EPROTO:
		return EXIT_DATA;
	default:
		return EXIT_HOST;
	}
}

int restore_root(const char **ret, struct err *err)
{
	const char *root = getenv("SCHEDGRID_FSROOT");
	char *mark;

	*ret = root ? root : "";
	if (!root)
		return 0;
	/* Only a tree that was made for it is ever taken for the machine. */
	mark = *root == '/' ? journal_read_file(root, "/fake-tree") : NULL;
	if (!mark)
		return err_set(
			err, -EINVAL,
			"SCHEDGRID_FSROOT is '%s' (expected the absolute path of a "
			"folder with a file 'fake-tree' in it)",
			root);
	free(mark);
	return 0;
}

static void tell(const struct journal_report *report)
{
	size_t i;

	for (i = 0; i < report->nr_notes; i++)
		say("%s", report->notes[i]);
	if (report->nr_restored)
		say("%zu settings that a run in '%s' left were put back",
		    report->nr_restored, report->run);
}

int restore_left(struct err *err)
{
	struct journal_report report = { 0 };
	struct journal *journal = NULL;
	const char *root;
	int bad = restore_root(&root, err);

	if (!bad)
		bad = journal_open(root, JOURNAL_MEASURE, &journal, err);
	if (!bad && journal)
		bad = journal_recover(journal, &report, err);
	tell(&report);
	if (!bad && !report.nr_restored && !report.nr_notes)
		bad = -ENOENT;
	journal_report_release(&report);
	journal_close(journal);
	return bad;
}

static int print_left(const struct journal *journal, struct err *err)
{
	struct journal_writes writes = { 0 };
	int bad = journal ? journal_list(journal, &writes, err) : 0;
	size_t i;

	for (i = writes.nr; i > 0; i--) {
		const struct journal_write *write = &writes.write[i - 1];
		char *now = journal_now(journal_root(journal), write);

		(void)printf("%s\tbefore '%s'\tset '%s'\tnow '%s'\n", write->path,
			     write->before ? write->before : "", write->value,
			     now ? now : "");
		free(now);
	}
	journal_writes_release(&writes);
	return bad;
}

static int look_or_forget(bool is_forget)
{
	struct journal *journal = NULL;
	struct err err = { 0 };
	const char *root;
	int bad = restore_root(&root, &err);

	if (!bad)
		bad = journal_open(root, JOURNAL_MEASURE, &journal, &err);
	if (!bad && !is_forget)
		bad = print_left(journal, &err);
	else if (!bad && journal)
		bad = journal_forget(journal, &err);
	journal_close(journal);
	return bad ? complain(&err, exit_code_of(bad)) : finish_stdout();
}

static int restore(void)
{
	struct err err = { 0 };
	int bad = restore_left(&err);

	if (bad == -ENOENT && !err.code) {
		say("nothing to restore");
		return EXIT_DONE;
	}
	return bad ? complain(&err, exit_code_of(bad)) : EXIT_DONE;
}

static int run(int argc, char **argv)
{
	struct options opts = { &cmd_restore, argc, argv };
	const struct option_def *option;
	bool is_dry = false;
	bool is_forget = false;
	const char *argument;
	int code;

	while ((option = options_next(&opts, &argument, &code))) {
		is_dry |= !strcmp(option->name, "dry-run");
		is_forget |= !strcmp(option->name, "forget");
	}
	if (code)
		return code < 0 ? EXIT_DONE : code;
	if (opts.argc || (is_dry && is_forget)) {
		say("restore: %s", opts.argc
					   ? "no argument expected"
					   : "--dry-run or --forget expected, not both");
		return EXIT_CONFIG;
	}
	return is_dry || is_forget ? look_or_forget(is_forget) : restore();
}

const struct command cmd_restore = {
	.name = "restore",
	.synopsis = "[--dry-run] [--forget]",
	.summary = "Put back settings of this machine that a killed run left changed",
	.options = options,
	.run = run,
};
