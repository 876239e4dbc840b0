// SPDX-License-Identifier: GPL-2.0-or-later
/* Appending to and reading records.jsonl; see ledger.h. */
#include "record/ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/file.h"
#include "record/record.h"

struct ledger {
	int fd;
	char *path;
	bool is_torn;
};

static int read_line(const char *line, size_t len, ledger_fn *fn, void *data,
		     struct err *err)
{
	struct record record;
	int bad = record_parse(line, len, &record, err);

	if (bad)
		return bad;
	bad = fn(&record, data, err);
	record_release(&record);
	return bad;
}

/* A line is whole once its newline is there: that is the last byte written. */
static int read_lines(const char *path, FILE *in, ledger_fn *fn, void *data,
		      int64_t *ret_torn, struct err *err)
{
	char *line = NULL;
	size_t size = 0;
	int64_t offset = 0;
	uint64_t number = 0;
	struct err why = { 0 };
	ssize_t len;
	int bad = 0;

	*ret_torn = -1;
	while (!bad && (len = getline(&line, &size, in)) > 0) {
		if (line[len - 1] != '\n') {
			*ret_torn = offset;
			break;
		}
		number++;
		bad = read_line(line, (size_t)len - 1, fn, data, &why);
		if (bad)
			err_set(err, bad, "%s:%ju: %s", path, (uintmax_t)number,
				why.text);
		offset += len;
	}
	/* Out of memory ends getline() too, and must not look like the end. */
	if (!bad && !feof(in))
		bad = err_set(err, -EIO, "cannot read '%s': %m", path);
	free(line);
	return bad;
}

int ledger_read(const char *dir, ledger_fn *fn, void *data, int64_t *ret_torn,
		struct err *err)
{
	char *path = file_path("%s/records.jsonl", dir);
	int64_t torn = -1;
	FILE *in;
	int bad;

	if (!path)
		return err_nomem(err);
	in = fopen(path, "re");
	if (in) {
		bad = read_lines(path, in, fn, data, &torn, err);
		(void)fclose(in);
	} else {
		bad = err_set(err, -errno, "cannot open '%s': %m", path);
	}
	if (ret_torn)
		*ret_torn = torn;
	free(path);
	return bad;
}

/* Offset behind the last newline of the file, or a negative errno. */
static int64_t whole_length(int fd, int64_t size)
{
	char chunk[4096];
	int64_t end = size;

	while (end > 0) {
		size_t want = end < (int64_t)sizeof(chunk) ? (size_t)end : sizeof(chunk);
		ssize_t got = pread(fd, chunk, want, end - (int64_t)want);
		const char *newline;

		if (got != (ssize_t)want)
			return got < 0 ? -errno : -EIO;
		newline = memrchr(chunk, '\n', want);
		if (newline)
			return end - (int64_t)want + (newline - chunk) + 1;
		end -= (int64_t)want;
	}
	return 0;
}

/* Moves the bytes behind @whole into a file of their own beside the ledger. */
static int set_aside(struct ledger *ledger, int64_t whole, int64_t size, char **ret_torn,
		     struct err *err)
{
	size_t len = (size_t)(size - whole);
	char *torn = malloc(len);
	char *path = file_path("%s.torn-%jd", ledger->path, (intmax_t)whole);
	int bad = 0;

	if (!torn || !path)
		bad = err_nomem(err);
	else if (pread(ledger->fd, torn, len, whole) != (ssize_t)len)
		bad = err_set(err, -EIO, "cannot read '%s'", ledger->path);
	else
		bad = file_replace(path, torn, len, err);
	if (!bad && (ftruncate(ledger->fd, whole) || fsync(ledger->fd)))
		bad = err_set(err, -errno, "cannot mend '%s': %m", ledger->path);
	free(torn);
	if (bad)
		free(path);
	else
		*ret_torn = path;
	return bad;
}

static int lock_and_mend(struct ledger *ledger, char **ret_torn, struct err *err)
{
	struct stat stat;
	int64_t whole;

	if (flock(ledger->fd, LOCK_EX | LOCK_NB))
		return err_set(err, -errno,
			       errno == EWOULDBLOCK ? "another run is writing to '%s'"
						    : "cannot lock '%s': %m",
			       ledger->path);
	if (fstat(ledger->fd, &stat))
		return err_set(err, -errno, "cannot read '%s': %m", ledger->path);
	whole = whole_length(ledger->fd, stat.st_size);
	if (whole < 0)
		return err_set(err, (int)whole, "cannot read '%s'", ledger->path);
	if (whole == stat.st_size)
		return 0;
	return set_aside(ledger, whole, stat.st_size, ret_torn, err);
}

int ledger_open(const char *dir, struct ledger **ret, char **ret_torn, struct err *err)
{
	struct ledger *ledger = calloc(1, sizeof(*ledger));
	char *torn = NULL;
	int bad;

	if (!ledger)
		return err_nomem(err);
	ledger->fd = -1;
	ledger->path = file_path("%s/records.jsonl", dir);
	if (!ledger->path) {
		bad = err_nomem(err);
		goto out;
	}
	ledger->fd = open(ledger->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	if (ledger->fd < 0)
		bad = err_set(err, -errno, "cannot open '%s': %m", ledger->path);
	else
		bad = lock_and_mend(ledger, &torn, err);
	if (!bad)
		bad = file_sync_dir(dir, err);
out:
	if (bad) {
		ledger_close(ledger);
		free(torn);
		return bad;
	}
	*ret = ledger;
	*ret_torn = torn;
	return 0;
}

int ledger_append(struct ledger *ledger, const struct record *record, struct err *err)
{
	off_t before;
	char *line;
	size_t len;
	int bad;

	if (ledger->is_torn)
		return err_set(err, -EIO, "'%s' ends in half a record", ledger->path);
	before = lseek(ledger->fd, 0, SEEK_END);
	line = record_write(record);
	if (!line)
		return err_nomem(err);
	len = strlen(line);
	/* The newline takes the place of the NUL, so that one write() does it. */
	line[len] = '\n';
	bad = file_write_all(ledger->fd, line, len + 1);
	if (!bad && fdatasync(ledger->fd))
		bad = -errno;
	free(line);
	if (!bad)
		return 0;
	errno = -bad;
	err_set(err, bad, "cannot write '%s': %m", ledger->path);
	/* Not cut back, it is for the next run to set aside what is torn. */
	ledger->is_torn = before < 0 || ftruncate(ledger->fd, before);
	return bad;
}

void ledger_close(struct ledger *ledger)
{
	if (!ledger)
		return;
	if (ledger->fd >= 0)
		(void)close(ledger->fd);
	free(ledger->path);
	free(ledger);
}
