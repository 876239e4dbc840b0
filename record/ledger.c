// SPDX-License-Identifier: GPL-2.0-or-later
/* Appending to and reading records.jsonl; see ledger.h. */
#include "record/ledger.h"

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
#include "lib/lines.h"
#include "record/check.h"
#include "record/record.h"
#include "record/seen.h"

/* Most bytes of a line, its newline included: what is longer is no record. */
enum { MAX_LINE = 64 << 20 };

/**
 * struct ledger - a ledger open for appending
 * @device: of the file, as it was opened
 * @inode: likewise
 * @size: as we left it
 * @is_torn: ends in half a record that could not be cut off
 */
struct ledger {
	int fd;
	char *path;
	dev_t device;
	ino_t inode;
	off_t size;
	bool is_torn;
};

/**
 * struct reading - one pass over a ledger
 * @fd: of the file
 * @reader: of its lines
 * @fn: called for each record
 * @data: for @fn
 * @seen: where each id was, to find those that come again; NULL: not wanted
 * @nr_repeated: lines left out because they were there before
 */
struct reading {
	int fd;
	struct record_reader *reader;
	ledger_fn *fn;
	void *data;
	struct seen *seen;
	uint64_t nr_repeated;
};

static int take_line(struct reading *reading, const struct seen_line *line,
		     struct err *err)
{
	struct record record;
	bool is_repeated = false;
	int bad = record_read(reading->reader, line->text, line->len, &record, err);

	if (bad)
		return bad;
	bad = record_check(&record, err);
	if (!bad && reading->seen)
		bad = seen_add(reading->seen, reading->fd, record.id, line, &is_repeated,
			       err);
	reading->nr_repeated += is_repeated;
	if (!bad && !is_repeated)
		bad = reading->fn(&record, reading->data, err);
	return bad;
}

/* A line is whole once its newline is there: that is the last byte written. */
static int read_lines(struct reading *reading, const char *path, int64_t *ret_torn,
		      struct err *err)
{
	struct lines lines = { .fd = reading->fd, .max = MAX_LINE };
	int64_t offset = 0;
	uint64_t number = 0;
	struct err why = { 0 };
	const char *line;
	ssize_t len;
	int bad = 0;

	*ret_torn = -1;
	while (!bad && (len = lines_next(&lines, &line)) > 0) {
		struct seen_line whole = { line, (size_t)len - 1, offset };

		if (line[len - 1] != '\n') {
			*ret_torn = offset;
			break;
		}
		number++;
		bad = take_line(reading, &whole, &why);
		if (bad)
			err_set(err, bad, "%s:%ju: %s", path, (uintmax_t)number,
				why.text);
		offset += len;
	}
	if (!bad && len == -EFBIG) {
		bad = err_set(
			err, -EPROTO,
			"%s:%ju: the line is longer than %d MiB, so it is no record",
			path, (uintmax_t)number + 1, MAX_LINE >> 20);
	} else if (!bad && len < 0) {
		errno = (int)-len;
		bad = err_set(err, -EIO, "cannot read '%s': %m", path);
	}
	lines_release(&lines);
	return bad;
}

static int read_ledger(const char *dir, struct reading *reading, int64_t *ret_torn,
		       struct err *err)
{
	char *path = file_path("%s/records.jsonl", dir);
	int64_t torn = -1;
	int bad;

	if (!path)
		return err_nomem(err);
	reading->fd = file_open_regular(path, O_RDONLY, err);
	bad = reading->fd < 0 ? reading->fd : 0;
	reading->reader = record_reader_new();
	if (!bad)
		bad = reading->reader ? read_lines(reading, path, &torn, err)
				      : err_nomem(err);
	if (reading->fd >= 0)
		(void)close(reading->fd);
	record_reader_free(reading->reader);
	if (ret_torn)
		*ret_torn = torn;
	free(path);
	return bad;
}

int ledger_read(const char *dir, ledger_fn *fn, void *data, int64_t *ret_torn,
		struct err *err)
{
	struct reading reading = { .fn = fn, .data = data };

	return read_ledger(dir, &reading, ret_torn, err);
}

int ledger_read_once(const char *dir, ledger_fn *fn, void *data, uint64_t *ret_repeated,
		     struct err *err)
{
	struct reading reading = { .fn = fn, .data = data, .seen = seen_new() };
	int bad = reading.seen ? read_ledger(dir, &reading, NULL, err) : err_nomem(err);

	seen_free(reading.seen);
	*ret_repeated = reading.nr_repeated;
	return bad;
}

/* Offset behind the last newline of the file; -EFBIG or another negative errno. */
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
		if (size - end > MAX_LINE)
			return -EFBIG;
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
	if (whole == -EFBIG)
		return err_set(
			err, -EPROTO,
			"'%s' ends in more than %d MiB without a newline, which no "
			"run leaves",
			ledger->path, MAX_LINE >> 20);
	if (whole < 0) {
		errno = (int)-whole;
		return err_set(err, (int)whole, "cannot read '%s': %m", ledger->path);
	}
	ledger->device = stat.st_dev;
	ledger->inode = stat.st_ino;
	ledger->size = whole;
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
	ledger->fd = file_open_regular(ledger->path, O_RDWR | O_CREAT | O_APPEND, err);
	bad = ledger->fd < 0 ? ledger->fd : lock_and_mend(ledger, &torn, err);
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

int ledger_check(const struct ledger *ledger, struct err *err)
{
	struct stat named;

	if (ledger->is_torn)
		return err_set(err, -EIO, "'%s' ends in half a record", ledger->path);
	if (stat(ledger->path, &named))
		return err_set(err, -EIO, "'%s' is gone since the run began: %m",
			       ledger->path);
	if (named.st_dev != ledger->device || named.st_ino != ledger->inode)
		return err_set(err, -EIO,
			       "'%s' was replaced by another file since the run began",
			       ledger->path);
	if (named.st_size != ledger->size)
		return err_set(err, -EIO,
			       "'%s' was changed by somebody else: it has %jd bytes "
			       "(expected the %jd that the run left)",
			       ledger->path, (intmax_t)named.st_size,
			       (intmax_t)ledger->size);
	return 0;
}

/* What was measured is on no disk now: the user must not learn it from a gap. */
static int refuse_record(const struct record *record, const struct err *why,
			 struct err *err)
{
	return err_set(err, why->code,
		       "%s; iteration %ju of '%s' in column '%s' has no record (%s)",
		       why->text, (uintmax_t)record->iteration, record->variant,
		       record->column, record->id);
}

int ledger_append(struct ledger *ledger, const struct record *record, struct err *err)
{
	struct err why = { 0 };
	char *line;
	size_t len;
	int bad;

	if (ledger_check(ledger, &why))
		return refuse_record(record, &why, err);
	line = record_write(record);
	if (!line) {
		(void)err_nomem(&why);
		return refuse_record(record, &why, err);
	}
	len = strlen(line);
	/* No reader would take it, nor what stands behind it. */
	if (len + 1 > MAX_LINE) {
		free(line);
		err_set(&why, -EFBIG,
			"'%s' can't have a record of %zu bytes (expected at most %d MiB)",
			ledger->path, len, MAX_LINE >> 20);
		return refuse_record(record, &why, err);
	}
	/* The newline takes the place of the NUL, so that one write() does it. */
	line[len] = '\n';
	bad = file_write_all(ledger->fd, line, len + 1);
	if (!bad && fdatasync(ledger->fd))
		bad = -errno;
	free(line);
	if (!bad) {
		ledger->size += (off_t)len + 1;
		return 0;
	}
	errno = -bad;
	err_set(&why, bad, "cannot write '%s': %m", ledger->path);
	/* Not cut back, it is for the next run to set aside what is torn. */
	ledger->is_torn = ftruncate(ledger->fd, ledger->size) != 0;
	return refuse_record(record, &why, err);
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
