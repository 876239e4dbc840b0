/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whole files in and out. What is written is on the disk or not there at all:
 * readers see the old file, the new one or none, also after a crash.
 */
#ifndef LIB_FILE_H
#define LIB_FILE_H

#include <stdarg.h>
#include <stddef.h>

struct err;

/**
 * file_open_regular - open a file without ever waiting for somebody else
 * @path: of a regular file, also by a link; files of /proc and /sys are such
 * @flags: of open(); O_CLOEXEC is added, and 0644 is the mode of what O_CREAT makes
 * @err: names the file
 *
 * Return: the descriptor, -EISDIR, -EPROTO for a device, pipe or socket, or the
 * negative errno of open().
 */
int file_open_regular(const char *path, int flags, struct err *err);

/**
 * file_open_inside - open a file of a directory that others may have made, for reading
 * @top: the directory, also by a link
 * @path: in it, without ".."; no part of it may be a link
 * @err: names the file
 *
 * Return: the descriptor; -EPROTO where a part is a link or no directory, or the file
 * isn't regular; or the negative errno of open().
 */
int file_open_inside(const char *top, const char *path, struct err *err);

/** file_read_inside - file_read() of a file as file_open_inside() opens it */
int file_read_inside(const char *top, const char *path, size_t max, char **ret,
		     size_t *ret_len, struct err *err);

/**
 * file_read - all of a file, NUL-terminated
 * @path: also a file of /proc or /sys, whose size isn't known before
 * @max: bytes; a longer file is refused
 * @ret: contents, the caller's to free(); written on success only
 * @ret_len: bytes without the NUL; may be NULL
 * @err: names the file
 *
 * Return: 0, -EFBIG, what file_open_regular() says, or the negative errno of reading.
 */
int file_read(const char *path, size_t max, char **ret, size_t *ret_len, struct err *err);

/**
 * file_read_fd - all of a file that is open, NUL-terminated
 * @fd: of a regular file; where it is in the file doesn't matter and stays
 * @max: bytes; a longer file is refused
 * @ret: contents, the caller's to free(); written on success only
 * @ret_len: bytes without the NUL
 *
 * Return: 0, -EFBIG, -ENOMEM or the negative errno of reading.
 */
int file_read_fd(int fd, size_t max, char **ret, size_t *ret_len);

/**
 * file_read_stream - file_read() of a path that may also be a pipe
 *
 * For what a person names on the command line, such as <(generate): waits for
 * the other side.
 */
int file_read_stream(const char *path, size_t max, char **ret, size_t *ret_len,
		     struct err *err);

/**
 * file_read_line - first line of a small file, without its newline
 *
 * For facts of /proc and /sys that may be absent.
 *
 * Return: the caller's to free(); NULL when it can't be read or is empty.
 */
char *file_read_line(const char *path);

/**
 * file_replace - write a whole file and sync it, in place of an older one
 * @path: a temporary file beside it takes its place when complete
 * @data: contents
 * @len: bytes in @data
 * @err: names the file
 *
 * Two writers of one path at a time are the caller's to exclude.
 *
 * Return: 0 or a negative errno; then nothing half-written stays.
 */
int file_replace(const char *path, const void *data, size_t len, struct err *err);

/**
 * file_write_all - write() until all is out
 *
 * Return: 0 or a negative errno.
 */
int file_write_all(int fd, const void *data, size_t len);

/** file_make_dirs - mkdir -p; 0 or a negative errno, @err names the directory */
int file_make_dirs(const char *path, struct err *err);

/**
 * file_remove_tree - rm -rf, as far as it may
 *
 * Links are removed and never followed, and nothing that is mounted inside is touched.
 */
void file_remove_tree(const char *path);

/** file_sync_dir - make new names in @path last; 0 or a negative errno */
int file_sync_dir(const char *path, struct err *err);

/** file_path - a path from printf parts, the caller's to free(); NULL: no memory */
char *file_path(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
