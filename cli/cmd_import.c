// SPDX-License-Identifier: GPL-2.0-or-later
/* schedgrid import: make a run of figures that others measured. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/import_output.h"
#include "compare/import.h"
#include "compare/import_csv.h"
#include "compare/import_lkp.h"
#include "compare/import_mmtests.h"
#include "compare/import_table.h"
#include "compare/posted.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/text.h"

static const struct option_def options[] = {
	{ "output", 'o', "DIR", "the run to make; must not exist" },
	{ "table", 0, "N", "of a mail with several tables, only the N-th" },
	{ 0 },
};

enum { FILE_BYTES_MAX = 256 << 20, MAIL_BYTES_MAX = 4 << 20 };

/**
 * struct wish - what the command line asks for
 * @path: the one being read
 * @paths: all of them
 * @nr_paths: how many
 * @table: number of the only one wanted, 0: all
 */
struct wish {
	const char *path, *dir;
	char **paths;
	int nr_paths;
	size_t table;
};

/** A reader: adds what is at wish->path. Return: 0 or a negative errno. */
typedef int read_fn(struct import *import, const struct wish *wish, struct err *err);

static int read_csv(struct import *import, const struct wish *wish, struct err *err)
{
	char *text = NULL;
	size_t len = 0;
	int bad = file_read_stream(wish->path, FILE_BYTES_MAX, &text, &len, err);

	if (!bad)
		bad = import_csv(import, text, len, wish->path, err);
	free(text);
	return bad;
}

static int read_mmtests(struct import *import, const struct wish *wish, struct err *err)
{
	return import_mmtests(import, wish->path, err);
}

static int read_lkp(struct import *import, const struct wish *wish, struct err *err)
{
	return import_lkp(import, wish->path, err);
}

static int read_hackbench(struct import *import, const struct wish *wish, struct err *err)
{
	return import_hackbench(import, wish->path, err);
}

static int read_perf_bench(struct import *import, const struct wish *wish,
			   struct err *err)
{
	return import_perf_bench(import, wish->path, err);
}

static int read_stream(struct import *import, const struct wish *wish, struct err *err)
{
	return import_stream(import, wish->path, err);
}

static int read_tbench(struct import *import, const struct wish *wish, struct err *err)
{
	return import_tbench(import, wish->path, err);
}

static int read_reaim(struct import *import, const struct wish *wish, struct err *err)
{
	return import_reaim(import, wish->path, err);
}

/**
 * struct kind - what can be imported
 * @name: as typed
 * @read: its reader; NULL: a mail, which may make several runs
 * @is_many: of several paths, an iteration each
 */
static const struct kind {
	const char *name;
	read_fn *read;
	bool is_many;
} kinds[] = {
	{ "csv", read_csv, false },
	{ "hackbench", read_hackbench, true },
	{ "lkp", read_lkp, false },
	{ "mmtests", read_mmtests, false },
	{ "perf-bench", read_perf_bench, true },
	{ "reaim", read_reaim, true },
	{ "stream", read_stream, true },
	{ "table", NULL, false },
	{ "tbench", read_tbench, true },
};

enum { NR_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static int exit_code_of(int bad)
{
	switch (bad) {
	case -EEXIST:
	case -EINVAL:
	case -ENOENT:
	case -ENOTDIR:
		return EXIT_CONFIG;
	case -ENOMEM:
		return EXIT_HOST;
	default:
		return EXIT_DATA;
	}
}

static int import_kind(const struct kind *kind, struct wish *wish)
{
	struct import *import = import_new();
	struct err err = { 0 };
	int bad = import ? 0 : err_nomem(&err);
	int i;

	for (i = 0; !bad && i < wish->nr_paths; i++) {
		wish->path = wish->paths[i];
		bad = kind->read(import, wish, &err);
	}
	if (!bad)
		bad = import_write(&(struct import_part){ import, NULL }, 1, wish->dir,
				   &err);
	if (!bad)
		say("%zu figures imported into %s", import_count(import), wish->dir);
	import_free(import);
	return bad ? complain(&err, exit_code_of(bad)) : EXIT_DONE;
}

/* Tables of one baseline make a run; those of another one more, below the directory. */
enum { PARTS_MAX = 64, PART_NAME_SIZE = 32 };

/**
 * struct mail - the runs that a mail makes
 * @names: of their directories
 */
struct mail {
	struct posted posted;
	struct import_part parts[PARTS_MAX];
	char names[PARTS_MAX][PART_NAME_SIZE];
	size_t nr_parts;
};

static int add_part(struct mail *mail, const struct wish *wish, size_t table,
		    struct err *err)
{
	struct import_part *part = &mail->parts[mail->nr_parts];

	if (mail->nr_parts == PARTS_MAX)
		return err_set(err, -EPROTO,
			       "%s has tables of more than %d baselines (expected "
			       "--table N)",
			       wish->path, PARTS_MAX);
	part->import = import_new();
	if (!part->import)
		return err_nomem(err);
	(void)snprintf(mail->names[mail->nr_parts], PART_NAME_SIZE, "table-%zu", table);
	part->name = mail->names[mail->nr_parts++];
	return import_table(part->import, &mail->posted, wish->path, table,
			    wish->table > 0, err);
}

static int add_parts(struct mail *mail, const struct wish *wish, struct err *err)
{
	size_t table = wish->table ? wish->table : 1;
	int bad;

	do {
		bad = add_part(mail, wish, table, err);
		table = import_table_next(&mail->posted, table);
	} while (!bad && table && !wish->table);
	if (mail->nr_parts == 1)
		mail->parts[0].name = NULL;
	return bad;
}

static int read_mail(struct mail *mail, const char *path, struct err *err)
{
	char *text = NULL;
	size_t len = 0;
	int bad = file_read_stream(path, MAIL_BYTES_MAX, &text, &len, err);

	if (!bad)
		bad = posted_read(&mail->posted, text, len, path, err);
	free(text);
	return bad;
}

static int import_mail(const struct wish *wish)
{
	struct mail *mail = calloc(1, sizeof(*mail));
	struct err err = { 0 };
	int bad;
	size_t i;

	if (!mail)
		return complain(&err, exit_code_of(err_nomem(&err)));
	bad = read_mail(mail, wish->paths[0], &err);
	if (!bad)
		bad = add_parts(mail, wish, &err);
	if (!bad)
		bad = import_write(mail->parts, mail->nr_parts, wish->dir, &err);
	for (i = 0; i < mail->nr_parts; i++) {
		const struct import_part *part = &mail->parts[i];

		if (!bad)
			say("%zu figures imported into %s%s%s",
			    import_count(part->import), wish->dir, part->name ? "/" : "",
			    part->name ? part->name : "");
		import_free(part->import);
	}
	posted_release(&mail->posted);
	free(mail);
	return bad ? complain(&err, exit_code_of(bad)) : EXIT_DONE;
}

/* NULL after saying that there is no such kind. */
static const struct kind *find_kind(const char *text)
{
	const char *names[NR_KINDS + 1] = { NULL };
	int found;
	size_t i;

	for (i = 0; i < NR_KINDS; i++)
		names[i] = kinds[i].name;
	found = find_word(cmd_import.name, "kind", text, names);
	return found < 0 ? NULL : &kinds[found];
}

static int take_number(struct wish *wish, const char *text)
{
	struct err err = { 0 };
	uint64_t number = 0;

	if (text_uint(text, 1, 1000, &number, &err))
		return complain(&err, EXIT_CONFIG);
	wish->table = (size_t)number;
	return 0;
}

static int run(int argc, char **argv)
{
	struct options opts = { &cmd_import, argc, argv };
	struct wish wish = { 0 };
	const struct option_def *option;
	const struct kind *kind;
	const char *argument;
	int code;

	while ((option = options_next(&opts, &argument, &code))) {
		if (!strcmp(option->name, "output"))
			wish.dir = argument;
		else if (take_number(&wish, argument))
			return EXIT_CONFIG;
	}
	if (code)
		return code < 0 ? EXIT_DONE : code;
	if (opts.argc < 2) {
		say("import: a kind and a path expected, such as: schedgrid import csv "
		    "figures.csv -o DIR");
		return EXIT_CONFIG;
	}
	kind = find_kind(opts.argv[0]);
	if (!kind)
		return EXIT_CONFIG;
	if (!wish.dir) {
		say("import: -o DIR is missing (the run to make)");
		return EXIT_CONFIG;
	}
	if (opts.argc > 2 && !kind->is_many) {
		say("import: one path expected, '%s' is one too many", opts.argv[2]);
		return EXIT_CONFIG;
	}
	wish.paths = opts.argv + 1;
	wish.nr_paths = opts.argc - 1;
	wish.path = wish.paths[0];
	return kind->read ? import_kind(kind, &wish) : import_mail(&wish);
}

const struct command cmd_import = {
	.name = "import",
	.synopsis = "csv|hackbench|lkp|mmtests|perf-bench|reaim|stream|table|tbench "
		    "PATH... -o DIR [--table N]",
	.summary = "Make a run of figures that others measured",
	.options = options,
	.run = run,
};
