// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes to files of /proc and /sys, and undoes it; see journal_write.h. */
#include "runner/journal_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/file.h"

#define BLANKS " \t\n"

struct journal_write *journal_add(struct journal_writes *writes, enum journal_kind kind,
				  const char *path, const char *value)
{
	struct journal_write *grown =
		reallocarray(writes->write, writes->nr + 1, sizeof(*grown));
	struct journal_write *write;

	if (!grown)
		return NULL;
	writes->write = grown;
	write = &grown[writes->nr++];
	*write = (struct journal_write){
		.kind = kind,
		.path = strdup(path),
		.value = strdup(value),
	};
	return write->path && write->value ? write : NULL;
}

void journal_writes_release(struct journal_writes *writes)
{
	size_t i;

	for (i = 0; i < writes->nr; i++) {
		free(writes->write[i].path);
		free(writes->write[i].value);
		free(writes->write[i].before);
		free(writes->write[i].beside);
		free(writes->write[i].says);
	}
	free(writes->write);
	*writes = (struct journal_writes){ 0 };
}

char *journal_read_file(const char *root, const char *path)
{
	enum { VALUE_MAX = 1 << 16 };
	char *full = file_path("%s%s", root, path);
	char *text = NULL;
	char *ret = NULL;
	size_t len = 0;

	if (full)
		(void)file_read(full, VALUE_MAX, &text, &len, NULL);
	while (len && strchr(BLANKS, text[len - 1]))
		text[--len] = '\0';
	if (text)
		ret = strdup(text + strspn(text, BLANKS));
	free(text);
	free(full);
	return ret;
}

/* The word that is marked among others, or all of the text; takes it over. */
static char *chosen(char *text)
{
	static const char *const marks[] = { "[]", "()" };
	size_t i;

	for (i = 0; text && i < sizeof(marks) / sizeof(marks[0]); i++) {
		char *open = strchr(text, marks[i][0]);
		char *end = open ? strchr(open, marks[i][1]) : NULL;
		char *word = end ? strndup(open + 1, (size_t)(end - open - 1)) : NULL;

		if (!end)
			continue;
		free(text);
		return word;
	}
	return text;
}

static bool has_word(const char *text, const char *word)
{
	size_t len = strlen(word);

	for (text += strspn(text, BLANKS); *text; text += strspn(text, BLANKS)) {
		size_t size = strcspn(text, BLANKS);

		if (size == len && !strncmp(text, word, len))
			return true;
		text += size;
	}
	return false;
}

/* The plain word of "NO_X", "+X" and "-X". */
static const char *plain(const struct journal_write *write)
{
	if (write->kind == JOURNAL_PART)
		return write->value + 1;
	return write->value + (strncmp(write->value, "NO_", 3) ? 0 : 3);
}

static char *word_now(const struct journal_write *write, const char *text)
{
	const char *word = plain(write);
	char *off = file_path("NO_%s", word);
	char *ret = NULL;

	if (write->kind == JOURNAL_PART)
		ret = file_path("%c%s", has_word(text, word) ? '+' : '-', word);
	else if (off && has_word(text, off))
		ret = strdup(off);
	else if (has_word(text, word))
		ret = strdup(word);
	free(off);
	return ret;
}

static bool is_dir(const char *root, const char *path)
{
	char *full = file_path("%s%s", root, path);
	struct stat info;
	bool is = full && !stat(full, &info) && S_ISDIR(info.st_mode);

	free(full);
	return is;
}

char *journal_now(const char *root, const struct journal_write *write)
{
	char *text = NULL;
	char *ret = NULL;

	switch (write->kind) {
	case JOURNAL_MOVE:
		return NULL;
	case JOURNAL_GROUP:
		return is_dir(root, write->path) ? strdup("") : NULL;
	case JOURNAL_VALUE:
		return chosen(journal_read_file(root, write->path));
	case JOURNAL_WORD:
	case JOURNAL_PART:
		text = journal_read_file(root, write->path);
		break;
	}
	if (text)
		ret = word_now(write, text);
	free(text);
	return ret;
}

bool journal_is_same(const char *a, const char *b)
{
	for (;;) {
		size_t len;

		a += strspn(a, BLANKS);
		b += strspn(b, BLANKS);
		len = strcspn(a, BLANKS);
		if (strcspn(b, BLANKS) != len || strncmp(a, b, len) != 0)
			return false;
		if (!len)
			return true;
		a += len;
		b += len;
	}
}

int journal_may_write(const char *root, const char *path, struct err *err)
{
	char *full = file_path("%s%s", root, path);
	struct stat info;
	int bad = 0;

	if (!full)
		return err_nomem(err);
	if (stat(full, &info))
		bad = err_set(err, -errno, "'%s' can't be looked at: %m", path);
	else if (!(info.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)))
		bad = err_set(err, -EACCES, "this kernel lets nobody write '%s'", path);
	else if (faccessat(AT_FDCWD, full, W_OK, AT_EACCESS))
		bad = err_set(err, -EACCES, "'%s' can't be written: %m%s", path,
			      geteuid() ? " (are you root?)" : "");
	free(full);
	return bad;
}

static int put_value(const char *root, const char *path, const char *value,
		     struct err *err)
{
	char *full = file_path("%s%s", root, path);
	char *line = file_path("%s\n", value);
	int fd = -1;
	int bad = 0;

	if (!full || !line) {
		bad = err_nomem(err);
		goto out;
	}
	bad = journal_may_write(root, path, err);
	if (bad)
		goto out;
	fd = open(full, O_WRONLY | O_TRUNC | O_CLOEXEC);
	/* One call takes it or refuses it; a rest of it would be another value. */
	if (fd < 0 || write(fd, line, strlen(line)) != (ssize_t)strlen(line))
		bad = err_set(err, errno ? -errno : -EIO, "'%s' doesn't take '%s': %m",
			      path, value);
	if (fd >= 0 && close(fd) && !bad)
		bad = err_set(err, -errno, "'%s' doesn't take '%s': %m", path, value);
out:
	free(line);
	free(full);
	return bad;
}

int journal_poke(const char *root, const char *path, const char *value, struct err *err)
{
	return put_value(root, path, value, err);
}

static int change_group(const char *root, const char *path, bool is_made, struct err *err)
{
	char *full = file_path("%s%s", root, path);
	int bad = 0;

	if (!full)
		return err_nomem(err);
	if (is_made ? mkdir(full, 0755) : rmdir(full))
		bad = err_set(err, -errno, "cannot %s '%s': %m",
			      is_made ? "make" : "remove", path);
	free(full);
	return bad;
}

int journal_do(const char *root, const struct journal_write *write, struct err *err)
{
	char *now = NULL;
	int bad;

	if (write->kind == JOURNAL_GROUP)
		return change_group(root, write->path, true, err);
	if (write->kind == JOURNAL_MOVE)
		return put_value(root, write->path, write->value, err);
	if (write->before && journal_is_same(write->before, write->value))
		return 0;
	bad = put_value(root, write->path, write->value, err);
	if (bad)
		return bad;
	now = journal_now(root, write);
	if (!now || !journal_is_same(now, write->value))
		bad = err_set(err, -EOPNOTSUPP, "'%s' took '%s' and reads back '%s'",
			      write->path, write->value, now ? now : "");
	free(now);
	return bad;
}

/* Whether what is at the path is what was written to. */
static bool is_another(const char *root, const struct journal_write *write)
{
	char *says = write->beside ? journal_read_file(root, write->beside) : NULL;
	bool is = write->beside && write->says && (!says || strcmp(says, write->says));

	free(says);
	return is;
}

/* We moved ourselves; what was moved by another has ended, or has its number only. */
static int undo_move(const char *root, const struct journal_write *write, struct err *err)
{
	if (strtol(write->value, NULL, 10) != (long)getpid())
		return 0;
	return put_value(root, write->before, write->value, err);
}

static int undo_value(const char *root, const struct journal_write *write,
		      const char *now, char **ret_note, struct err *err)
{
	struct journal_write back = *write;
	int bad;

	if (journal_is_same(now, write->before))
		return 0;
	back.value = write->before;
	back.before = NULL;
	bad = journal_do(root, &back, err);
	if (!bad && *now && !journal_is_same(now, write->value))
		*ret_note = file_path("'%s' had been changed to '%s' meanwhile; it is "
				      "'%s' again",
				      write->path, now, write->before);
	return bad;
}

int journal_undo(const char *root, const struct journal_write *write, char **ret_note,
		 struct err *err)
{
	char *full = file_path("%s%s", root, write->path);
	bool is_gone = full && access(full, F_OK) && errno == ENOENT;
	char *now = NULL;
	int bad = 0;

	*ret_note = NULL;
	if (!full)
		return err_nomem(err);
	free(full);
	if (is_gone || !write->before || is_another(root, write)) {
		if (write->kind != JOURNAL_GROUP && write->before)
			*ret_note =
				file_path("'%s' is %s; there is nothing to put back",
					  write->path, is_gone ? "gone" : "another's");
		return 0;
	}
	if (write->kind == JOURNAL_GROUP)
		return change_group(root, write->path, false, err);
	if (write->kind == JOURNAL_MOVE)
		return undo_move(root, write, err);
	now = journal_now(root, write);
	/* Cut off between two steps of a write, a file may be empty. */
	bad = undo_value(root, write, now ? now : "", ret_note, err);
	free(now);
	return bad;
}
