// SPDX-License-Identifier: GPL-2.0-or-later
/* Folders for the moment; see scratch.h. */
#include "lib/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/file.h"

/* What the folders' names begin with. */
#define PREFIX "schedgrid-probe-"

/* The folder is locked itself, so it is never there without what it is locked by. */
static int open_folder(int at, const char *name)
{
	return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static void remove_files(int folder);

static void remove_folder(int folder, const char *name)
{
	int inner = open_folder(folder, name);

	if (inner < 0)
		return;
	remove_files(inner);
	(void)close(inner);
	(void)unlinkat(folder, name, AT_REMOVEDIR);
}

static bool is_dots(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

static void remove_files(int folder)
{
	int copy = open_folder(folder, ".");
	DIR *files = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *entry;

	while (files && (entry = readdir(files)))
		if (!is_dots(entry->d_name) && unlinkat(folder, entry->d_name, 0))
			remove_folder(folder, entry->d_name);
	if (files)
		(void)closedir(files);
	else if (copy >= 0)
		(void)close(copy);
}

static void sweep_one(int top, const char *name)
{
	int folder = open_folder(top, name);
	struct stat info;

	if (folder < 0)
		return;
	if (!fstat(folder, &info) && info.st_uid == geteuid() &&
	    !flock(folder, LOCK_EX | LOCK_NB)) {
		remove_files(folder);
		(void)unlinkat(top, name, AT_REMOVEDIR);
	}
	(void)close(folder);
}

static void sweep(const char *top)
{
	DIR *folders = opendir(top);
	struct dirent *entry;

	while (folders && (entry = readdir(folders)))
		if (!strncmp(entry->d_name, PREFIX, strlen(PREFIX)))
			sweep_one(dirfd(folders), entry->d_name);
	if (folders)
		(void)closedir(folders);
}

/* Whether it is ours now: another's sweep may have come before the lock. */
static bool take(struct scratch *scratch)
{
	struct stat info;

	scratch->lock = open_folder(AT_FDCWD, scratch->dir);
	if (scratch->lock >= 0 && !flock(scratch->lock, LOCK_EX | LOCK_NB) &&
	    !stat(scratch->dir, &info))
		return true;
	if (scratch->lock >= 0)
		(void)close(scratch->lock);
	return false;
}

int scratch_open(struct scratch *ret, struct err *err)
{
	enum { MAX_TRIES = 10 };
	const char *top = getenv("TMPDIR");
	struct scratch scratch = { NULL, -1 };
	int i;

	top = top && *top == '/' ? top : "/tmp";
	sweep(top);
	for (i = 0; i < MAX_TRIES; i++) {
		scratch.dir = file_path("%s/" PREFIX "XXXXXX", top);
		if (!scratch.dir)
			return err_nomem(err);
		if (!mkdtemp(scratch.dir)) {
			free(scratch.dir);
			return err_set(err, -errno, "cannot make a folder in '%s': %m",
				       top);
		}
		if (take(&scratch)) {
			*ret = scratch;
			return 0;
		}
		(void)rmdir(scratch.dir);
		free(scratch.dir);
	}
	return err_set(err, -EBUSY, "cannot keep a folder in '%s' locked", top);
}

void scratch_close(struct scratch *scratch)
{
	remove_files(scratch->lock);
	(void)rmdir(scratch->dir);
	(void)close(scratch->lock);
	free(scratch->dir);
	*scratch = (struct scratch){ NULL, -1 };
}
