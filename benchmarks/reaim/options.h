/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the program is asked to do: its options, and the workfile that they name. */
#ifndef BENCHMARKS_REAIM_OPTIONS_H
#define BENCHMARKS_REAIM_OPTIONS_H

#include <fcntl.h>

#include "benchmarks/program.h"
#include "benchmarks/reaim/mixes.h"
#include "benchmarks/reaim/share.h"
#include "benchmarks/reaim/work.h"

/**
 * struct options - what was asked
 * @mix: name of a built-in mix, or "own"
 * @sync_mode: word for @sync
 * @diskdir: where the files are
 * @path: of an own workfile, else empty
 * @sum: workfile_sum() of it, else 0
 * @users: children
 * @jobs: of each, before rounding
 * @repeat: load points, one after the other
 * @filesize: KiB of a child's file
 * @poolsize: KiB that the children's files share besides
 * @limit_sec: after that long a child is ended; 0: as filesize and users make it
 * @is_upstream: an installed reaim does the work
 * @workfile: read
 */
struct options {
	const char *mix, *sync_mode, *diskdir, *path;
	enum work_sync sync;
	uint64_t sum, users, jobs, repeat, filesize, poolsize, limit_sec;
	bool is_upstream;
	struct workfile workfile;
};

/* As program_whole(), and 0 as well. */
static inline int options_whole(const char *text, uint64_t max, uint64_t *ret)
{
	if (strcmp(text, "0") != 0)
		return program_whole(text, max, ret);
	*ret = 0;
	return 0;
}

static inline int options_sync(struct options *options, const char *word)
{
	static const char *const words[] = { "exec-sync", "exec-true", "fsync", "off" };
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i], word) != 0)
			continue;
		options->sync_mode = word;
		options->sync = (enum work_sync)i;
		return 0;
	}
	return -1;
}

static inline int options_one(struct options *options, const char *arg)
{
	static const char *const names[] = { "mix",	 "sync_mode", "users",
					     "jobs",	 "repeat",    "filesize",
					     "poolsize", "diskdir",   "workfile",
					     "sum",	 "limit" };
	const char *value;

	if (!strcmp(arg, "--upstream")) {
		options->is_upstream = true;
		return 0;
	}
	switch (program_find(arg, names, sizeof(names) / sizeof(names[0]), &value)) {
	case 0:
		options->mix = value;
		return 0;
	case 1:
		return options_sync(options, value);
	case 2:
		return program_whole(value, REAIM_MAX_USERS, &options->users);
	case 3:
		return program_whole(value, REAIM_MAX_JOBS, &options->jobs);
	case 4:
		return program_whole(value, REAIM_MAX_REPEAT, &options->repeat);
	case 5:
		return program_whole(value, REAIM_MAX_KIB, &options->filesize);
	case 6:
		return options_whole(value, REAIM_MAX_KIB, &options->poolsize);
	case 7:
		options->diskdir = value;
		return *value == '/' ? 0 : -1;
	case 8:
		options->path = value;
		return 0;
	case 9:
		return options_whole(value, INT64_MAX, &options->sum);
	case 10:
		return program_whole(value, UINT32_MAX, &options->limit_sec);
	default:
		return -1;
	}
}

/** options_read - read the arguments; 0, or -1 when they aren't as expected */
static inline int options_read(struct options *options, int argc, char **argv)
{
	int i;

	*options = (struct options){ .poolsize = UINT64_MAX, .sum = UINT64_MAX };
	for (i = 1; i < argc; i++) {
		if (options_one(options, argv[i]))
			return -1;
	}
	return options->mix && options->sync_mode && options->users && options->jobs &&
			       options->repeat && options->filesize &&
			       options->poolsize != UINT64_MAX && options->diskdir &&
			       options->path && options->sum != UINT64_MAX
		       ? 0
		       : -1;
}

/* All of an own workfile into @text; its length, or -1 with errno. */
static inline ssize_t options_load(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	size_t len = 0;
	ssize_t got = 1;

	if (fd < 0)
		return -1;
	while (got > 0 && len < size) {
		got = read(fd, text + len, size - len);
		len += got > 0 ? (size_t)got : 0;
	}
	close(fd);
	if (len == size)
		errno = EFBIG;
	return got < 0 || len == size ? -1 : (ssize_t)len;
}

/**
 * options_workfile - read the workfile, own or built-in
 * @reason: receives the sentence when it can't be used
 *
 * Return: 0 or -1.
 */
static inline int options_workfile(struct options *options, char *reason, size_t size)
{
	static char own[REAIM_MAX_WORKFILE + 1];
	const char *text = reaim_mix_text(options->mix);
	struct workfile_fault fault;
	ssize_t len = text ? (ssize_t)strlen(text) : 0;

	if (!text) {
		len = options_load(options->path, own, sizeof(own));
		text = own;
	}
	if (len < 0) {
		(void)snprintf(reason, size, "cannot read the workfile '%.200s': %s",
			       options->path, strerror(errno));
		return -1;
	}
	if (text == own && workfile_sum(own, (size_t)len) != options->sum) {
		(void)snprintf(reason, size,
			       "the workfile '%.200s' is another one than was asked for",
			       options->path);
		return -1;
	}
	if (!workfile_read(text, (size_t)len, &options->workfile, &fault))
		return 0;
	(void)snprintf(reason, size, "%.200s:%u:%u: %s", options->path, fault.line,
		       fault.column, fault.text);
	return -1;
}

#endif
