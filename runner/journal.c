// SPDX-License-Identifier: GPL-2.0-or-later
/* The journal's file, and putting back by it; see journal.h. */
#include "runner/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/text.h"

enum { JOURNAL_MAX = 1 << 26 };

#define SCHEMA "schedgrid-journal-1"

static const char *const kinds[] = { "value", "word", "part", "group", "move", NULL };

/**
 * struct journal - the files, and what is in force
 * @path: of the journal
 * @lock: descriptor of the lock beside it
 * @active: what journal_apply() wrote, and journal_restore() has not put back
 */
struct journal {
	char *root, *path;
	int lock;
	struct journal_writes active;
};

void journal_report_release(struct journal_report *report)
{
	size_t i;

	for (i = 0; i < report->nr_notes; i++)
		free(report->notes[i]);
	free(report->notes);
	*report = (struct journal_report){ 0 };
}

/* Takes @note over; a note that finds no memory is lost, what it tells of is done. */
static void add_note(struct journal_report *report, char *note)
{
	char **grown = NULL;

	if (note && report)
		grown = reallocarray(report->notes, report->nr_notes + 1, sizeof(*grown));
	if (!grown) {
		free(note);
		return;
	}
	report->notes = grown;
	grown[report->nr_notes++] = note;
}

/* Where the journal lies; NULL with @err set. */
static char *state_dir(const char *root, struct err *err)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	char *dir = NULL;

	if (*root || !geteuid())
		dir = file_path("%s/var/lib/schedgrid", root);
	else if (state && *state == '/')
		dir = file_path("%s/schedgrid", state);
	else if (home && *home == '/')
		dir = file_path("%s/.local/state/schedgrid", home);
	else
		err_set(err, -ENOENT,
			"no place for the journal of settings (expected HOME or "
			"XDG_STATE_HOME to name a folder)");
	if (!dir && err && !err->code)
		err_nomem(err);
	return dir;
}

static int take_lock(struct journal *journal, enum journal_use use, struct err *err)
{
	if (!flock(journal->lock, (use == JOURNAL_CHANGE ? LOCK_EX : LOCK_SH) | LOCK_NB))
		return 0;
	if (errno != EWOULDBLOCK)
		return err_set(err, -errno, "cannot lock '%s.lock': %m", journal->path);
	return err_set(
		err, -EWOULDBLOCK,
		use == JOURNAL_CHANGE
			? "another run measures on this machine, and this one would "
			  "change its settings"
			: "another run has changed settings of this machine until "
			  "it ends");
}

/* -ENOENT without a word: nobody has ever changed anything here. */
static int open_lock(struct journal *journal, const char *dir, enum journal_use use,
		     struct err *err)
{
	char *path = file_path("%s.lock", journal->path);
	int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;

	if (!path)
		return err_nomem(err);
	if (use == JOURNAL_CHANGE && file_make_dirs(dir, err)) {
		free(path);
		return err->code;
	}
	journal->lock = open(path, flags | (use == JOURNAL_CHANGE ? O_CREAT : 0), 0600);
	if (journal->lock < 0 && (errno != ENOENT || use == JOURNAL_CHANGE))
		err_set(err, -errno, "cannot open '%s': %m", path);
	free(path);
	if (journal->lock < 0)
		return err->code ? err->code : -ENOENT;
	return take_lock(journal, use, err);
}

int journal_open(const char *root, enum journal_use use, struct journal **ret,
		 struct err *err)
{
	struct err why = { 0 };
	struct journal *journal = calloc(1, sizeof(*journal));
	char *dir = state_dir(root, &why);
	int bad = why.code;

	*ret = NULL;
	if (!journal) {
		free(dir);
		return err_nomem(err);
	}
	journal->lock = -1;
	journal->root = strdup(root);
	journal->path = dir ? file_path("%s/journal", dir) : NULL;
	if (!bad && (!journal->root || !journal->path))
		bad = err_nomem(&why);
	if (!bad)
		bad = open_lock(journal, dir, use, &why);
	free(dir);
	if (!bad) {
		*ret = journal;
		return 0;
	}
	journal_close(journal);
	/* Nobody made one, or in a place that this user has no business in: HOME of another. */
	if ((bad == -ENOENT || bad == -EACCES) && use == JOURNAL_MEASURE)
		return 0;
	return err_set(err, bad, "%s", why.text);
}

void journal_close(struct journal *journal)
{
	if (!journal)
		return;
	if (journal->lock >= 0)
		(void)close(journal->lock);
	journal_writes_release(&journal->active);
	free(journal->root);
	free(journal->path);
	free(journal);
}

const char *journal_root(const struct journal *journal)
{
	return journal->root;
}

/* The kernel's name of this start; what it says of none is the same each time. */
static char *boot_of(const struct journal *journal)
{
	char *boot = journal_read_file(journal->root, "/proc/sys/kernel/random/boot_id");

	return boot ? boot : strdup("unknown");
}

static int put_text(struct jval *json, const char *key, const char *text)
{
	return text ? jval_put(json, key, jval_from_string(text)) : 0;
}

static struct jval *write_json(const struct journal_write *write)
{
	struct jval *json = jval_object();
	int bad = put_text(json, "kind", kinds[write->kind]);

	bad |= put_text(json, "path", write->path);
	bad |= put_text(json, "before", write->before);
	bad |= put_text(json, "after", write->value);
	bad |= put_text(json, "beside", write->beside);
	bad |= put_text(json, "says", write->says);
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

/* One line; NULL: out of memory. */
static char *line_of(const struct journal *journal, const struct journal_writes *writes,
		     const char *run)
{
	struct jval *json = jval_object();
	struct jval *list = jval_array();
	char *boot = boot_of(journal);
	char *text = NULL;
	char *line = NULL;
	int bad = put_text(json, "schema", SCHEMA);
	size_t i;

	bad |= boot ? put_text(json, "boot_id", boot) : -ENOMEM;
	bad |= put_text(json, "run", run);
	for (i = 0; i < writes->nr; i++)
		bad |= jval_push(list, write_json(&writes->write[i]));
	bad |= jval_put(json, "writes", list);
	if (!bad)
		text = jval_write(json, JVAL_LINE);
	if (text)
		line = file_path("%s\n", text);
	free(text);
	free(boot);
	jval_free(json);
	return line;
}

static int append(const struct journal *journal, const char *line, struct err *err)
{
	int fd = open(journal->path,
		      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	off_t size = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
	int bad = fd < 0 ? -errno : file_write_all(fd, line, strlen(line));

	if (!bad && fdatasync(fd))
		bad = -errno;
	/* Half a line would spoil the next one. */
	if (bad && fd >= 0 && size >= 0)
		(void)!ftruncate(fd, size);
	if (fd >= 0 && close(fd) && !bad)
		bad = -errno;
	if (!bad)
		return 0;
	errno = -bad;
	(void)err_set(err, -EIO, "cannot write '%s': %m", journal->path);
	return -EIO;
}

/* It is never removed, so its name is on the disk from the first time on. */
static int empty(const struct journal *journal, struct err *err)
{
	if (!truncate(journal->path, 0) || errno == ENOENT)
		return 0;
	return err_set(err, -errno, "cannot empty '%s': %m", journal->path);
}

static int damaged(const struct journal *journal, struct err *err)
{
	return err_set(
		err, -EPROTO,
		"'%s' is damaged (expected lines of " SCHEMA
		"); look at what it says, and `schedgrid restore --forget` drops it",
		journal->path);
}

static char *copy_of(const struct jval *json, const char *key, bool *bad)
{
	const char *text = jval_get_text(json, key);
	char *copy = text ? strdup(text) : NULL;

	*bad |= text && !copy;
	return copy;
}

/* Nothing else is ever written to, whoever wrote the journal. */
static bool is_settable(const char *path)
{
	static const char *const tops[] = { "/proc/sys/", "/sys/", "/cgroup/",
					    "/dev/cpuset/" };
	size_t i;

	for (i = 0; i < sizeof(tops) / sizeof(tops[0]); i++)
		if (!strncmp(path, tops[i], strlen(tops[i])))
			return !strstr(path, "/../");
	return false;
}

static int read_write(const struct journal *journal, const struct jval *json,
		      struct journal_writes *writes, struct err *err)
{
	const char *kind = jval_get_text(json, "kind");
	const char *path = jval_get_text(json, "path");
	const char *after = jval_get_text(json, "after");
	struct journal_write *write;
	bool bad = false;
	size_t i = 0;

	while (kind && kinds[i] && strcmp(kinds[i], kind) != 0)
		i++;
	if (!kind || !kinds[i] || !path || !after || !is_settable(path))
		return damaged(journal, err);
	write = journal_add(writes, (enum journal_kind)i, path, after);
	if (!write)
		return err_nomem(err);
	write->before = copy_of(json, "before", &bad);
	write->beside = copy_of(json, "beside", &bad);
	write->says = copy_of(json, "says", &bad);
	return bad ? err_nomem(err) : 0;
}

/* struct found - what a journal has */
struct found {
	struct journal_writes writes;
	char run[256];
	bool is_of_boot;
};

static int read_line(const struct journal *journal, const char *line, size_t len,
		     struct found *found, struct err *err)
{
	struct jval *json = NULL;
	const struct jval *list;
	const char *schema, *boot, *run;
	char *now = boot_of(journal);
	int bad = now ? jval_parse(line, len, &json, NULL) : err_nomem(err);
	size_t i;

	schema = jval_get_text(json, "schema");
	boot = jval_get_text(json, "boot_id");
	run = jval_get_text(json, "run");
	list = jval_get(json, "writes");
	if (bad != -ENOMEM && (!schema || strcmp(schema, SCHEMA) != 0 || !boot || !list))
		bad = damaged(journal, err);
	if (!bad && now)
		found->is_of_boot = !strcmp(boot, now);
	if (!bad && run)
		(void)text_printable(run, found->run, sizeof(found->run));
	for (i = 0; !bad && i < jval_count(list); i++)
		bad = read_write(journal, jval_item(list, i), &found->writes, err);
	jval_free(json);
	free(now);
	return bad;
}

/* A last line without its end: nothing of it was written, as it comes first. */
static int read_journal(const struct journal *journal, struct found *found,
			struct err *err)
{
	struct err why = { 0 };
	struct stat info;
	char *text = NULL;
	char *line;
	int bad;

	*found = (struct found){ 0 };
	if (!lstat(journal->path, &info) && info.st_uid != geteuid())
		return err_set(err, -EPROTO, "'%s' belongs to another user",
			       journal->path);
	bad = file_read(journal->path, JOURNAL_MAX, &text, NULL, &why);
	if (bad)
		return bad == -ENOENT ? 0 : err_set(err, bad, "%s", why.text);
	for (line = text; !bad && *line;) {
		char *end = strchr(line, '\n');

		if (!end)
			break;
		bad = read_line(journal, line, (size_t)(end - line), found, err);
		line = end + 1;
	}
	free(text);
	if (bad)
		journal_writes_release(&found->writes);
	return bad;
}

/*
 * Each, the last first; those that can't be put back stay in @writes, in their order.
 */
static int undo_all(const struct journal *journal, struct journal_writes *writes,
		    struct journal_report *report, struct err *err)
{
	struct journal_writes left = { 0 };
	size_t i;
	int first = 0;

	for (i = writes->nr; i > 0; i--) {
		struct journal_write *write = &writes->write[i - 1];
		char *note = NULL;
		int bad = journal_undo(journal->root, write, &note, err);

		if (bad && !first)
			first = bad;
		if (!bad && report)
			report->nr_restored++;
		add_note(report, note);
		if (!bad) {
			free(write->path);
			write->path = NULL;
		}
	}
	for (i = 0; i < writes->nr; i++) {
		struct journal_write *write = &writes->write[i];
		struct journal_write *kept =
			write->path ? journal_add(&left, write->kind, write->path,
						  write->value)
				    : NULL;

		if (kept) {
			kept->before = write->before;
			kept->beside = write->beside;
			kept->says = write->says;
			write->before = write->beside = write->says = NULL;
		}
	}
	journal_writes_release(writes);
	*writes = left;
	return first;
}

/* Puts @writes back, and has the journal say what couldn't be. */
static int put_back(const struct journal *journal, struct journal_writes *writes,
		    const char *run, struct journal_report *report, struct err *err)
{
	struct err why = { 0 };
	char *line;
	int bad = undo_all(journal, writes, report, &why);

	if (!bad)
		return empty(journal, err);
	line = line_of(journal, writes, run);
	if (line)
		(void)file_replace(journal->path, line, strlen(line), NULL);
	free(line);
	return err_set(err, bad, "a setting can't be put back: %s", why.text);
}

int journal_recover(struct journal *journal, struct journal_report *report,
		    struct err *err)
{
	struct found found;
	int bad = read_journal(journal, &found, err);

	if (bad)
		return bad;
	if (report)
		memcpy(report->run, found.run, sizeof(report->run));
	if (found.writes.nr && found.is_of_boot) {
		bad = put_back(journal, &found.writes, found.run, report, err);
	} else {
		if (found.writes.nr)
			add_note(report, strdup("the machine was started anew since, so "
						"that nothing is left to put back"));
		/* Half a line is nothing either. */
		bad = empty(journal, err);
	}
	journal_writes_release(&found.writes);
	return bad;
}

int journal_forget(struct journal *journal, struct err *err)
{
	return empty(journal, err);
}

int journal_list(const struct journal *journal, struct journal_writes *ret,
		 struct err *err)
{
	struct found found;
	int bad = read_journal(journal, &found, err);

	if (!bad)
		*ret = found.writes;
	return bad;
}

/* What each file is before any of them is changed. */
static int look_before(const struct journal *journal, struct journal_writes *writes,
		       struct err *err)
{
	size_t i;

	for (i = 0; i < writes->nr; i++) {
		struct journal_write *write = &writes->write[i];

		if (write->beside && !write->says)
			write->says = journal_read_file(journal->root, write->beside);
		if (write->kind == JOURNAL_GROUP)
			write->before = strdup("");
		if (write->before)
			continue;
		write->before = journal_now(journal->root, write);
		if (!write->before)
			return err_set(err, -ENOENT, "'%s' can't be read, or has no '%s'",
				       write->path, write->value);
	}
	return 0;
}

/* The writes, taken over by those in force. */
static int take_over(struct journal *journal, struct journal_writes *writes)
{
	struct journal_writes *active = &journal->active;
	struct journal_write *grown =
		reallocarray(active->write, active->nr + writes->nr + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	active->write = grown;
	if (writes->nr)
		memcpy(grown + active->nr, writes->write,
		       writes->nr * sizeof(*writes->write));
	active->nr += writes->nr;
	free(writes->write);
	*writes = (struct journal_writes){ 0 };
	return 0;
}

int journal_apply(struct journal *journal, struct journal_writes *writes, const char *run,
		  struct err *err)
{
	const size_t first = journal->active.nr;
	char *line = NULL;
	size_t i;
	int bad = look_before(journal, writes, err);

	if (!bad) {
		line = line_of(journal, writes, run);
		bad = line ? 0 : err_nomem(err);
	}
	if (!bad && writes->nr)
		bad = append(journal, line, err);
	free(line);
	if (!bad && take_over(journal, writes))
		bad = err_nomem(err);
	journal_writes_release(writes);
	for (i = first; !bad && i < journal->active.nr; i++)
		bad = journal_do(journal->root, &journal->active.write[i], err);
	return bad;
}

bool journal_check(const struct journal *journal, char *text, size_t size)
{
	const struct journal_writes *active = &journal->active;
	size_t i;

	for (i = 0; i < active->nr; i++) {
		const struct journal_write *write = &active->write[i];
		char *now;
		bool is_same;

		if (write->kind == JOURNAL_MOVE)
			continue;
		now = journal_now(journal->root, write);
		is_same = now && journal_is_same(now, write->value);
		if (!is_same)
			(void)snprintf(
				text, size,
				"setting changed under way: '%s' was set to '%s' and "
				"says '%s'",
				write->path, write->value, now ? now : "nothing");
		free(now);
		if (!is_same)
			return false;
	}
	return true;
}

int journal_restore(struct journal *journal, struct err *err)
{
	if (!journal->active.nr)
		return 0;
	return put_back(journal, &journal->active, NULL, NULL, err);
}
