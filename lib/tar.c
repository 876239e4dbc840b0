// SPDX-License-Identifier: GPL-2.0-or-later
/* The only user of libarchive; see tar.h. */
#include "lib/tar.h"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/file.h"

enum { MAX_FILE_BYTES = 1 << 30, MAX_DEPTH = 16 };

/**
 * struct packing - a file being written
 * @out: of libarchive
 * @dir: the folder
 * @name: what it is called
 */
struct packing {
	struct archive *out;
	const char *dir, *name;
};

static int refuse(const struct packing *packing, struct err *err)
{
	int code = archive_errno(packing->out);

	return err_set(err, code > 0 ? -code : -EIO, "cannot pack '%s': %s", packing->dir,
		       archive_error_string(packing->out));
}

static int put_bytes(const struct packing *packing, const char *path, const char *bytes,
		     size_t len, struct err *err)
{
	char *name = file_path("%s/%s", packing->name, path);
	struct archive_entry *entry = archive_entry_new2(packing->out);
	int bad = 0;

	if (!name || !entry) {
		bad = err_nomem(err);
		goto out;
	}
	archive_entry_set_pathname(entry, name);
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_perm(entry, 0644);
	archive_entry_set_size(entry, (la_int64_t)len);
	archive_entry_set_mtime(entry, 0, 0);
	if (archive_write_header(packing->out, entry) != ARCHIVE_OK ||
	    archive_write_data(packing->out, bytes, len) != (la_ssize_t)len)
		bad = refuse(packing, err);
out:
	archive_entry_free(entry);
	free(name);
	return bad;
}

static int put_file(const struct packing *packing, const char *path, struct err *err)
{
	char *bytes = NULL;
	size_t len = 0;
	int bad = file_read_inside(packing->dir, path, MAX_FILE_BYTES, &bytes, &len, err);

	if (!bad)
		bad = put_bytes(packing, path, bytes, len, err);
	free(bytes);
	return bad;
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_visible(const struct dirent *entry)
{
	return *entry->d_name != '.';
}

static int put_folder(const struct packing *packing, const char *path, unsigned int depth,
		      struct err *err);

static int put_entry(const struct packing *packing, const char *path, unsigned int depth,
		     struct err *err)
{
	char *full = file_path("%s/%s", packing->dir, path);
	struct stat info;
	int bad = full ? 0 : err_nomem(err);

	if (!bad && lstat(full, &info))
		bad = err_set(err, -errno, "cannot read '%s': %m", full);
	if (!bad && S_ISDIR(info.st_mode))
		bad = put_folder(packing, path, depth + 1, err);
	else if (!bad && S_ISREG(info.st_mode))
		bad = put_file(packing, path, err);
	free(full);
	return bad;
}

static int put_folder(const struct packing *packing, const char *path, unsigned int depth,
		      struct err *err)
{
	char *full = file_path("%s/%s", packing->dir, path);
	struct dirent **entries = NULL;
	int nr = full ? scandir(full, &entries, is_visible, by_bytes) : -1;
	int bad = 0;
	int i;

	if (nr < 0)
		bad = full ? err_set(err, -errno, "cannot read '%s': %m", full)
			   : err_nomem(err);
	if (!bad && depth > MAX_DEPTH)
		bad = err_set(err, -ELOOP, "'%s' has more than %d folders in each other",
			      packing->dir, MAX_DEPTH);
	for (i = 0; i < nr; i++) {
		char *inner =
			file_path("%s%s%s", path, *path ? "/" : "", entries[i]->d_name);

		if (!bad)
			bad = inner ? put_entry(packing, inner, depth, err)
				    : err_nomem(err);
		free(inner);
		free(entries[i]);
	}
	free(entries);
	free(full);
	return bad;
}

static int pack(const struct packing *packing, const char *path, struct err *err)
{
	int bad;

	if (archive_write_add_filter_gzip(packing->out) != ARCHIVE_OK ||
	    archive_write_set_filter_option(packing->out, "gzip", "timestamp", NULL) !=
		    ARCHIVE_OK ||
	    archive_write_set_format_pax_restricted(packing->out) != ARCHIVE_OK ||
	    archive_write_open_filename(packing->out, path) != ARCHIVE_OK)
		return refuse(packing, err);
	bad = put_folder(packing, "", 0, err);
	if (archive_write_close(packing->out) != ARCHIVE_OK && !bad)
		bad = refuse(packing, err);
	return bad;
}

static int sync_file(const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int bad = fd < 0 || fsync(fd) ? -errno : 0;

	if (fd >= 0)
		(void)close(fd);
	return bad ? err_set(err, bad, "cannot write '%s': %m", path) : 0;
}

int tar_write(const char *dir, const char *name, const char *path, struct err *err)
{
	struct packing packing = { archive_write_new(), dir, name };
	char *tmp = file_path("%s.new", path);
	int bad = packing.out && tmp ? pack(&packing, tmp, err) : err_nomem(err);

	if (!bad)
		bad = sync_file(tmp, err);
	if (!bad && rename(tmp, path))
		bad = err_set(err, -errno, "cannot write '%s': %m", path);
	if (bad && tmp)
		(void)unlink(tmp);
	(void)archive_write_free(packing.out);
	free(tmp);
	return bad;
}
