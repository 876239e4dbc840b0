// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading and replacing whole files; see file.h. */
#include "lib/file.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/err.h"

char *file_path(const char *fmt, ...)
{
	char *path = NULL;
	va_list args;
	int len;

	va_start(args, fmt);
	len = vasprintf(&path, fmt, args);
	va_end(args);
	return len < 0 ? NULL : path;
}

/* From where the descriptor is, which moves, or from an offset of the file. */
enum origin { FROM_HERE, FROM_START };

/* Reads until the end or @max + 1 bytes, whichever is first. */
static int read_up_to(int fd, enum origin origin, size_t max, char **ret, size_t *ret_len)
{
	size_t size = 4096;
	size_t len = 0;
	char *data = malloc(size + 1);
	char *grown;
	ssize_t got;

	if (!data)
		return -ENOMEM;
	while (len <= max) {
		if (len == size) {
			size *= 4;
			grown = realloc(data, size + 1);
			if (!grown) {
				free(data);
				return -ENOMEM;
			}
			data = grown;
		}
		got = origin == FROM_HERE ? read(fd, data + len, size - len)
					  : pread(fd, data + len, size - len, (off_t)len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			int code = -errno;

			free(data);
			return code;
		}
		len += (size_t)got;
		/* Less than asked is the end of a file, but not of a pipe. */
		if (!got || (origin == FROM_START && len < size))
			break;
	}
	data[len] = '\0';
	*ret = data;
	*ret_len = len;
	return 0;
}

int file_open_regular(const char *path, int flags, struct err *err)
{
	int fd = open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0644);
	struct stat stat_buf = { 0 };

	/* ENXIO: a socket, or a device that nothing is behind. */
	if (fd < 0 && errno != ENXIO)
		return err_set(err, -errno, "cannot open '%s': %m", path);
	if (fd >= 0 && !fstat(fd, &stat_buf) && S_ISREG(stat_buf.st_mode))
		return fd;
	if (fd >= 0)
		(void)close(fd);
	return err_set(err, S_ISDIR(stat_buf.st_mode) ? -EISDIR : -EPROTO,
		       "'%s' is %s (expected a regular file)", path,
		       S_ISDIR(stat_buf.st_mode) ? "a directory"
						 : "a device, pipe or socket");
}

/* What lies in @at under the first part of @path, closing @at; -1 with errno. */
static int open_part(int at, const char *path, size_t len, int flags)
{
	char *part = strndup(path, len);
	int fd = -1;
	int code = ENOMEM;

	if (part) {
		fd = openat(at, part, flags | O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
		code = errno;
	}
	free(part);
	(void)close(at);
	errno = code;
	return fd;
}

int file_open_inside(const char *top, const char *path, struct err *err)
{
	int fd = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const char *at = path;
	struct stat info;

	while (fd >= 0 && *at) {
		size_t len = strcspn(at, "/");
		bool is_last = !at[len];

		fd = open_part(fd, at, len,
			       is_last ? O_NONBLOCK | O_NOCTTY : O_DIRECTORY);
		at += len + !is_last;
	}
	if (fd >= 0 && !fstat(fd, &info) && S_ISREG(info.st_mode))
		return fd;
	if (fd < 0 && errno != ELOOP && errno != ENOTDIR && errno != ENXIO)
		return err_set(err, -errno, "cannot open '%s/%s': %m", top, path);
	if (fd >= 0)
		(void)close(fd);
	return err_set(err, -EPROTO,
		       "'%s/%s' is no regular file in folders of its own (links are not "
		       "followed)",
		       top, path);
}

/* Reads and closes @fd. */
static int read_whole(int fd, const char *path, size_t max, char **ret, size_t *ret_len,
		      struct err *err)
{
	char *data = NULL;
	size_t len = 0;
	int bad;

	bad = read_up_to(fd, FROM_HERE, max, &data, &len);
	if (bad) {
		errno = -bad;
		err_set(err, bad, "cannot read '%s': %m", path);
	} else if (len > max) {
		bad = err_set(err, -EFBIG, "'%s' is larger than %zu bytes", path, max);
		free(data);
	} else {
		*ret = data;
		if (ret_len)
			*ret_len = len;
	}
	(void)close(fd);
	return bad;
}

int file_read_fd(int fd, size_t max, char **ret, size_t *ret_len)
{
	char *data = NULL;
	size_t len = 0;
	int bad = read_up_to(fd, FROM_START, max, &data, &len);

	if (!bad && len > max)
		bad = -EFBIG;
	if (bad) {
		free(data);
		return bad;
	}
	*ret = data;
	*ret_len = len;
	return 0;
}

int file_read(const char *path, size_t max, char **ret, size_t *ret_len, struct err *err)
{
	int fd = file_open_regular(path, O_RDONLY, err);

	return fd < 0 ? fd : read_whole(fd, path, max, ret, ret_len, err);
}

int file_read_inside(const char *top, const char *path, size_t max, char **ret,
		     size_t *ret_len, struct err *err)
{
	int fd = file_open_inside(top, path, err);

	return fd < 0 ? fd : read_whole(fd, path, max, ret, ret_len, err);
}

int file_read_stream(const char *path, size_t max, char **ret, size_t *ret_len,
		     struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return err_set(err, -errno, "cannot open '%s': %m", path);
	return read_whole(fd, path, max, ret, ret_len, err);
}

char *file_read_line(const char *path)
{
	char *data = NULL;

	(void)file_read(path, 1 << 20, &data, NULL, NULL);
	if (!data)
		return NULL;
	data[strcspn(data, "\n")] = '\0';
	if (*data)
		return data;
	free(data);
	return NULL;
}

int file_write_all(int fd, const void *data, size_t len)
{
	const char *at = data;

	while (len) {
		ssize_t put = write(fd, at, len);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return put < 0 ? -errno : -EIO;
		at += put;
		len -= (size_t)put;
	}
	return 0;
}

int file_replace(const char *path, const void *data, size_t len, struct err *err)
{
	/* One name, so that what a crash left makes room for the next try. */
	char *tmp = file_path("%s.new", path);
	int fd, bad;

	if (!tmp)
		return err_nomem(err);
	(void)unlink(tmp);
	fd = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0) {
		bad = err_set(err, -errno, "cannot create a file beside '%s': %m", path);
		goto out_free;
	}
	bad = file_write_all(fd, data, len);
	if (!bad && fsync(fd))
		bad = -errno;
	if (close(fd) && !bad)
		bad = -errno;
	if (!bad && rename(tmp, path))
		bad = -errno;
	if (bad) {
		errno = -bad;
		err_set(err, bad, "cannot write '%s': %m", path);
		(void)unlink(tmp);
	}
out_free:
	free(tmp);
	return bad;
}

static int make_dir(const char *path, struct err *err)
{
	struct stat stat_buf;
	int code;

	if (!mkdir(path, 0755))
		return 0;
	code = -errno;
	/* Something of that name will do if it is a directory, by a link too. */
	if (code == -EEXIST && !stat(path, &stat_buf)) {
		if (S_ISDIR(stat_buf.st_mode))
			return 0;
		code = -ENOTDIR;
	}
	errno = -code;
	return err_set(err, code, "cannot create '%s': %m", path);
}

int file_make_dirs(const char *path, struct err *err)
{
	char *part = strdup(path);
	char *at = part;
	char was = '\0';
	int bad = 0;

	if (!part)
		return err_nomem(err);
	do {
		/* Not a slash at the start: the root is there. */
		at += *at != '\0';
		at += strcspn(at, "/");
		was = *at;
		*at = '\0';
		bad = make_dir(part, err);
		*at = was;
	} while (!bad && was);
	free(part);
	return bad;
}

static int remove_entry(const char *path, const struct stat *info, int type,
			struct FTW *position)
{
	(void)info;
	(void)type;
	(void)position;
	(void)remove(path);
	return 0;
}

void file_remove_tree(const char *path)
{
	enum { MAX_OPEN = 32 };

	(void)nftw(path, remove_entry, MAX_OPEN, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

int file_sync_dir(const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int bad = 0;

	if (fd < 0 || fsync(fd))
		bad = err_set(err, -errno, "cannot sync '%s': %m", path);
	if (fd >= 0)
		(void)close(fd);
	return bad;
}
