/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that read and write a file, in the child's own directory. The points at
 * which a test asks for its data on the disk are work_sync()'s. A block is
 * 1 KiB; a child's file has work->kib of them.
 */
#ifndef BENCHMARKS_REAIM_DISK_H
#define BENCHMARKS_REAIM_DISK_H

#include "benchmarks/reaim/work.h"

#define DISK_FILE   "file"
#define DISK_SOURCE "source" /* of copies, in the directory of the run */

/** enum disk_act - what is done to each block */
enum disk_act { DISK_READ = 1, DISK_WRITE = 2 };

static inline int disk_open(struct work *work, const char *name, int flags)
{
	int fd = open(name, flags | O_CLOEXEC, 0600);

	return fd < 0 ? work_fail(work, name) : fd;
}

static inline int disk_remove(struct work *work, const char *name)
{
	return unlink(name) ? work_fail(work, name) : 0;
}

static inline int disk_close(struct work *work, int fd)
{
	return close(fd) ? work_fail(work, "cannot close a file") : 0;
}

static inline int disk_read(struct work *work, int fd)
{
	ssize_t got = read(fd, work->block, WORK_KIB);

	if (got == WORK_KIB)
		return 0;
	errno = got < 0 ? errno : EIO;
	return work_fail(work, "cannot read a block");
}

static inline int disk_write(struct work *work, int fd)
{
	ssize_t done = write(fd, work->block, WORK_KIB);

	if (done == WORK_KIB)
		return 0;
	errno = done < 0 ? errno : ENOSPC;
	return work_fail(work, "cannot write a block");
}

static inline int disk_go(struct work *work, int fd, uint64_t block)
{
	if (lseek(fd, (off_t)(block * WORK_KIB), SEEK_SET) < 0)
		return work_fail(work, "cannot seek");
	return 0;
}

/* A new file of @nr blocks; its descriptor or -1. */
static inline int disk_make(struct work *work, uint64_t nr)
{
	int fd = disk_open(work, DISK_FILE, O_WRONLY | O_CREAT | O_TRUNC);
	uint64_t i;

	for (i = 0; fd >= 0 && i < nr; i++) {
		if (!disk_write(work, fd))
			continue;
		close(fd);
		return -1;
	}
	return fd;
}

/*
 * @nr times a random block of a file of @size. With both acts one is read, and the
 * one after it, where the file stands then, is written.
 */
static inline int disk_random(struct work *work, int fd, uint64_t nr, uint64_t size,
			      int acts)
{
	int bad = 0;
	uint64_t i;

	for (i = 0; !bad && i < nr; i++) {
		bad = disk_go(work, fd, work_random(work, size));
		if (!bad && (acts & DISK_READ))
			bad = disk_read(work, fd);
		if (!bad && (acts & DISK_WRITE))
			bad = disk_write(work, fd);
	}
	return bad;
}

static inline int job_disk_rd(struct work *work)
{
	int fd = disk_make(work, work->kib);
	uint64_t i;
	int bad;

	if (fd < 0 || disk_close(work, fd) || work_sync(work, work->dir))
		return -1;
	fd = disk_open(work, DISK_FILE, O_RDONLY);
	bad = fd < 0;
	for (i = 0; !bad && i < work->kib; i++)
		bad = disk_read(work, fd);
	return bad || disk_close(work, fd) || work_sync(work, work->dir) ||
			       disk_remove(work, DISK_FILE)
		       ? -1
		       : 0;
}

static inline int job_disk_rr(struct work *work)
{
	int fd = disk_make(work, work->kib);

	if (fd < 0 || work_sync(work, fd) || disk_close(work, fd))
		return -1;
	fd = disk_open(work, DISK_FILE, O_RDONLY);
	return fd < 0 || disk_random(work, fd, work->kib, work->kib, DISK_READ) ||
			       disk_close(work, fd) || disk_remove(work, DISK_FILE) ||
			       work_sync(work, work->dir)
		       ? -1
		       : 0;
}

static inline int job_disk_rw(struct work *work)
{
	int fd = disk_make(work, work->kib);

	if (fd < 0 || work_sync(work, fd) || disk_close(work, fd))
		return -1;
	fd = disk_open(work, DISK_FILE, O_WRONLY);
	return fd < 0 || disk_random(work, fd, work->kib, work->kib, DISK_WRITE) ||
			       disk_remove(work, DISK_FILE) || disk_close(work, fd) ||
			       work_sync(work, work->dir)
		       ? -1
		       : 0;
}

/* @nr blocks in order into a new file, opened with @flags besides. */
static inline int disk_fill(struct work *work, uint64_t nr, int flags, int has_sync)
{
	int fd = disk_open(work, DISK_FILE, O_WRONLY | O_CREAT | O_TRUNC | flags);
	int bad = fd < 0 || (has_sync && work_sync(work, fd));
	uint64_t i;

	for (i = 0; !bad && i < nr; i++)
		bad = disk_write(work, fd);
	return bad || disk_remove(work, DISK_FILE) || disk_close(work, fd) ||
			       (has_sync && work_sync(work, work->dir))
		       ? -1
		       : 0;
}

static inline int job_disk_wrt(struct work *work)
{
	return disk_fill(work, work->kib, 0, 1);
}

/* Half of the blocks, at least one: each waits for the disk by itself. */
static inline uint64_t disk_half(const struct work *work)
{
	return work->kib > 1 ? work->kib / 2 : 1;
}

static inline int job_sync_disk_wrt(struct work *work)
{
	return disk_fill(work, disk_half(work), O_SYNC, 0);
}

static inline int disk_copy(struct work *work, uint64_t nr, int flags, int has_sync)
{
	int from, to = -1;
	int bad = has_sync && work_sync(work, work->dir);
	uint64_t i;

	if (bad)
		return -1;
	from = disk_open(work, "../" DISK_SOURCE, O_RDONLY);
	if (from >= 0)
		to = disk_open(work, DISK_FILE, O_WRONLY | O_CREAT | O_TRUNC | flags);
	bad = to < 0 || (has_sync && work_sync(work, to));
	for (i = 0; !bad && i < nr; i++)
		bad = disk_read(work, from) || disk_write(work, to);
	return bad || disk_remove(work, DISK_FILE) || disk_close(work, from) ||
			       disk_close(work, to) ||
			       (has_sync && work_sync(work, work->dir))
		       ? -1
		       : 0;
}

static inline int job_disk_cp(struct work *work)
{
	return disk_copy(work, work->kib, 0, 1);
}

static inline int job_sync_disk_cp(struct work *work)
{
	return disk_copy(work, disk_half(work), O_SYNC, 0);
}

static inline int disk_random_synced(struct work *work, uint64_t size, int acts)
{
	int fd = disk_make(work, size);

	if (fd < 0 || disk_close(work, fd))
		return -1;
	fd = disk_open(work, DISK_FILE, O_RDWR | O_SYNC);
	return fd < 0 || disk_random(work, fd, disk_half(work), size, acts) ||
			       disk_close(work, fd) || disk_remove(work, DISK_FILE)
		       ? -1
		       : 0;
}

static inline int job_sync_disk_rw(struct work *work)
{
	return disk_random_synced(work, disk_half(work), DISK_WRITE);
}

static inline int job_sync_disk_update(struct work *work)
{
	return disk_random_synced(work, work->kib, DISK_READ | DISK_WRITE);
}

#endif
