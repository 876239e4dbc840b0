/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests of names: files made, linked, looked up and listed, hardly any data in them. */
#ifndef BENCHMARKS_REAIM_NAMES_H
#define BENCHMARKS_REAIM_NAMES_H

#include <dirent.h>
#include <sys/stat.h>

#include "benchmarks/reaim/amounts.h"
#include "benchmarks/reaim/disk.h"

enum { NAMES_LISTED = AMOUNT_LOOKED_UP + AMOUNT_MADE };

#define NAMES_TREE "tree" /* the directory that is searched, in that of the run */
#define NAMES_LIST "list" /* in it */

static inline int names_visit(struct work *work, unsigned int entry)
{
	struct stat seen;
	char name[40];
	int fd;

	(void)snprintf(name, sizeof(name), "e%u", entry);
	if (entry < AMOUNT_LOOKED_UP)
		return stat(name, &seen) ? work_fail(work, name) : 0;
	/* Children share the directory, so what they add has their number in it. */
	(void)snprintf(name, sizeof(name), "n%u-%u", work->child, entry);
	fd = disk_open(work, name, O_WRONLY | O_CREAT);
	return fd < 0 || disk_close(work, fd) || disk_remove(work, name) ? -1 : 0;
}

/* Reads the list, one byte an entry, shuffles it, and looks at each. */
static inline int job_disk_src(struct work *work)
{
	unsigned char list[NAMES_LISTED];
	int bad = 0;
	int fd, i;

	if (chdir("../" NAMES_TREE))
		return work_fail(work, NAMES_TREE);
	fd = disk_open(work, NAMES_LIST, O_RDONLY);
	if (fd < 0)
		return -1;
	if (read(fd, list, sizeof(list)) != sizeof(list))
		bad = work_wrong(work, "the list of names is too short");
	close(fd);
	for (i = 0; i < AMOUNT_SWAPS; i++) {
		uint64_t a = work_random(work, NAMES_LISTED);
		unsigned char entry = list[a];

		list[a] = list[i % NAMES_LISTED];
		list[i % NAMES_LISTED] = entry;
	}
	for (i = 0; !bad && i < NAMES_LISTED; i++)
		bad = names_visit(work, list[i]);
	if (fchdir(work->dir))
		return work_fail(work, "cannot go back");
	return bad;
}

static inline int job_creat_clo(struct work *work)
{
	int i, fd;

	for (i = 0; i < AMOUNT_CREATED; i++) {
		fd = disk_open(work, DISK_FILE, O_WRONLY | O_CREAT | O_TRUNC);
		if (fd < 0 || disk_close(work, fd))
			return -1;
	}
	return disk_remove(work, DISK_FILE);
}

static inline int names_link(struct work *work, int nr)
{
	const char name[] = { 'l', (char)('0' + nr), '\0' };

	return link(DISK_FILE, name) ? work_fail(work, name) : 0;
}

static inline int names_unlink(struct work *work, int nr)
{
	const char name[] = { 'l', (char)('0' + nr), '\0' };

	return disk_remove(work, name);
}

static inline int job_link_test(struct work *work)
{
	int fd = disk_open(work, DISK_FILE, O_WRONLY | O_CREAT);
	int bad = fd < 0;
	int i;

	for (i = 0; !bad && i < AMOUNT_LINKS; i++)
		bad = names_link(work, i);
	for (i = 0; !bad && i < AMOUNT_LINK_ROUNDS * AMOUNT_LINKS; i++)
		bad = names_unlink(work, i % AMOUNT_LINKS) ||
		      names_link(work, i % AMOUNT_LINKS);
	for (i = 0; !bad && i < AMOUNT_LINKS; i++)
		bad = names_unlink(work, i);
	return bad || disk_remove(work, DISK_FILE) || disk_close(work, fd) ? -1 : 0;
}

static inline int job_dir_rtns_1(struct work *work)
{
	DIR *dir = opendir("/bin");
	int i;

	if (!dir)
		return work_fail(work, "/bin");
	for (i = 0; i < AMOUNT_DIR_READS; i++) {
		if (!readdir(dir))
			rewinddir(dir);
	}
	return closedir(dir) ? work_fail(work, "/bin") : 0;
}

#endif
