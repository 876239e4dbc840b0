// SPDX-License-Identifier: GPL-2.0-or-later
/* schedgrid audit: whether the tables of a mail can be right. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "compare/audit.h"
#include "compare/posted.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/text.h"

static const struct option_def options[] = {
	{ "format", 0, "FORMAT", "text (default) or json" },
	{ 0 },
};

static const char *const formats[] = { "text", "json", NULL };

enum { MAIL_BYTES_MAX = 4 << 20 };

static int print_text(const struct audit *audit, const char *path)
{
	size_t i;

	for (i = 0; i < audit->nr_findings; i++) {
		const struct audit_finding *finding = &audit->findings[i];
		/* Mails may hold bytes of any charset, and each becomes four. */
		size_t size = 4 * strlen(finding->text) + 1;
		char *text = malloc(size);

		if (!text)
			return complain_nomem();
		(void)text_printable(finding->text, text, size);
		(void)printf("%s:%zu: %s: %s\n", path, finding->line,
			     audit_kind_name(finding->kind), text);
		free(text);
	}
	return finish_stdout();
}

static int audit(const char *path, bool is_json)
{
	struct posted posted = { 0 };
	struct audit audit = { 0 };
	struct err err = { 0 };
	char *text = NULL;
	size_t len = 0;
	int code;
	int bad = file_read_stream(path, MAIL_BYTES_MAX, &text, &len, &err);

	if (!bad)
		bad = posted_read(&posted, text, len, path, &err);
	if (!bad)
		bad = audit_posted(&audit, &posted, &err);
	if (bad) {
		code = bad == -ENOENT ? complain(&err, EXIT_CONFIG) : complain_data(&err);
	} else {
		code = is_json ? print_json(audit_json(&audit))
			       : print_text(&audit, path);
		say("%s: tables: %zu, percentages checked: %zu%s, findings: %zu", path,
		    audit.nr_tables, audit.nr_percents,
		    audit.nr_tables && !audit.nr_percents ? " (the tables have none)"
							  : "",
		    audit.nr_findings);
	}
	audit_release(&audit);
	posted_release(&posted);
	free(text);
	return code;
}

static int run(int argc, char **argv)
{
	struct options opts = { &cmd_audit, argc, argv };
	const char *format = "text";
	const char *argument;
	int code;

	while (options_next(&opts, &argument, &code))
		format = argument;
	if (code)
		return code < 0 ? EXIT_DONE : code;
	if (find_word(cmd_audit.name, "format", format, formats) < 0)
		return EXIT_CONFIG;
	if (opts.argc != 1) {
		say("audit: one file with a mail expected");
		return EXIT_CONFIG;
	}
	return audit(opts.argv[0], !strcmp(format, "json"));
}

const struct command cmd_audit = {
	.name = "audit",
	.synopsis = "FILE [--format FORMAT]",
	.summary = "Whether the tables of a mail can be right",
	.options = options,
	.run = run,
};
