/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The directory of a run, below the one the grid names: made, filled with what
 * all children share, removed with all in it. Should even SIGKILL keep it from
 * being removed, the next run in the same place does so: whoever uses it holds
 * a lock on it, which goes with the last of its processes.
 */
#ifndef BENCHMARKS_REAIM_PLACE_H
#define BENCHMARKS_REAIM_PLACE_H

#include <stdbool.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "benchmarks/reaim/names.h"
#include "benchmarks/reaim/process.h"

#define PLACE_PREFIX "schedgrid-reaim-"

enum { PLACE_DEPTH = 3 /* directories inside each other, that of the run included */ };

/**
 * struct place - the directory of a run
 * @parent: the directory that the grid names, open
 * @fd: the directory itself, open and locked
 * @name: its name in @parent
 */
struct place {
	int parent, fd;
	char name[sizeof(PLACE_PREFIX) + 24];
};

static inline bool place_is_dots(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

/* Never follows a link, and goes no deeper than what a run makes. */
static inline void place_remove(int parent, const char *name, int depth)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int fd = depth ? openat(parent, name, flags) : -1;
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		if (!place_is_dots(entry->d_name) && unlinkat(fd, entry->d_name, 0))
			place_remove(fd, entry->d_name, depth - 1);
	}
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
	(void)unlinkat(parent, name, AT_REMOVEDIR);
}

/* What an earlier run had to leave; one whose processes live is locked. */
static inline void place_clean_one(int parent, const char *name)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat seen;

	if (fd < 0)
		return;
	if (!fstat(fd, &seen) && seen.st_uid == geteuid() &&
	    !flock(fd, LOCK_EX | LOCK_NB))
		place_remove(parent, name, PLACE_DEPTH);
	close(fd);
}

static inline void place_clean(int parent)
{
	int copy = openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		if (!strncmp(entry->d_name, PLACE_PREFIX, strlen(PLACE_PREFIX)))
			place_clean_one(parent, entry->d_name);
	}
	if (dir)
		closedir(dir);
}

/* A directory of our own, locked before another run's place_clean() could have it. */
static inline int place_claim(struct place *place)
{
	struct stat seen;
	int nr;

	for (nr = 0; nr < 1000; nr++) {
		(void)snprintf(place->name, sizeof(place->name), PLACE_PREFIX "%d-%d",
			       (int)getpid(), nr);
		if (mkdirat(place->parent, place->name, 0700)) {
			if (errno == EEXIST)
				continue;
			return -1;
		}
		place->fd = openat(place->parent, place->name,
				   O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (place->fd >= 0 && !flock(place->fd, LOCK_EX | LOCK_NB) &&
		    !fstat(place->fd, &seen) && seen.st_nlink)
			return 0;
		if (place->fd >= 0)
			close(place->fd);
		place->fd = -1;
	}
	return -1;
}

static inline int place_write(int dir, const char *name, const void *bytes, size_t len)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	ssize_t done;

	if (fd < 0)
		return -1;
	done = write(fd, bytes, len);
	if (done >= 0 && (size_t)done != len)
		errno = ENOSPC;
	return close(fd) || done < 0 || (size_t)done != len ? -1 : 0;
}

static inline int place_plant_tree(int top)
{
	unsigned char list[NAMES_LISTED];
	char name[20];
	int bad, fd, i;

	if (mkdirat(top, NAMES_TREE, 0700))
		return -1;
	fd = openat(top, NAMES_TREE, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	for (i = 0; i < NAMES_LISTED; i++)
		list[i] = (unsigned char)i;
	bad = place_write(fd, NAMES_LIST, list, sizeof(list));
	for (i = 0; !bad && i < AMOUNT_SEARCHED - 1; i++) {
		(void)snprintf(name, sizeof(name), "e%d", i);
		bad = place_write(fd, name, "", 0);
	}
	close(fd);
	return bad;
}

/** place_renew_source - write the file of @kib KiB that children copy, anew */
static inline int place_renew_source(const struct place *place, uint64_t kib)
{
	char block[WORK_KIB];
	uint64_t i;
	int fd = openat(place->fd, DISK_SOURCE, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
			0600);

	if (fd < 0)
		return -1;
	memset(block, 'r', sizeof(block));
	for (i = 0; i < kib; i++) {
		if (write(fd, block, sizeof(block)) != (ssize_t)sizeof(block)) {
			errno = errno ? errno : ENOSPC;
			close(fd);
			return -1;
		}
	}
	return close(fd);
}

/** place_enter - make child @child's directory and go there; its descriptor or -1 */
static inline int place_enter(const struct place *place, unsigned int child)
{
	char name[20];
	int fd;

	(void)snprintf(name, sizeof(name), "c%u", child);
	if (mkdirat(place->fd, name, 0700) && errno != EEXIST)
		return -1;
	fd = openat(place->fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 || fchdir(fd) ? -1 : fd;
}

/** place_open - a directory for a run below @path; 0 or -1 with errno */
static inline int place_open(struct place *place, const char *path)
{
	place->fd = -1;
	place->parent = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (place->parent < 0)
		return -1;
	place_clean(place->parent);
	if (place_claim(place))
		return -1;
	return place_write(place->fd, PROCESS_SCRIPT, PROCESS_SCRIPT_TEXT,
			   strlen(PROCESS_SCRIPT_TEXT)) ||
			       place_plant_tree(place->fd)
		       ? -1
		       : 0;
}

/** place_close - remove all of it; also after place_open() has failed */
static inline void place_close(struct place *place)
{
	if (place->fd >= 0)
		place_remove(place->parent, place->name, PLACE_DEPTH);
	if (place->fd >= 0)
		close(place->fd);
	if (place->parent >= 0)
		close(place->parent);
}

#endif
