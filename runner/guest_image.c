// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds kernel images and reads their names; see guest_image.h. The header's layout is
 * that of the x86 boot protocol, 2.00 and later.
 */
#include "runner/guest_image.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/digest.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/proc.h"

enum {
	HEAD_SIZE = 0x8000,
	MAGIC_AT = 0x202, /* "HdrS" */
	NAME_AT = 0x20e,  /* where the kernel's name is, from NAME_BASE */
	NAME_BASE = 0x200,
	UNPACK_SEC = 120,
};

static bool is_directory(const char *path)
{
	struct stat info;

	return !stat(path, &info) && S_ISDIR(info.st_mode);
}

/* "RELEASE (BUILDER) VERSION" */
static int take_name(const char *name, struct guest_image *image)
{
	const char *builder = strstr(name, " (");
	const char *version = builder ? strstr(builder, ") ") : NULL;

	if (!version || builder == name)
		return -EINVAL;
	image->release = strndup(name, (size_t)(builder - name));
	image->version = strdup(version + 2);
	return image->release && image->version ? 0 : -ENOMEM;
}

static int read_head(const char *path, char *head, size_t size, struct err *err)
{
	int fd = file_open_regular(path, O_RDONLY, err);
	ssize_t len;

	if (fd < 0)
		return fd;
	memset(head, 0, size);
	len = pread(fd, head, size - 1, 0);
	if (len < 0)
		err_set(err, -errno, "cannot read '%s': %m", path);
	(void)close(fd);
	return len < 0 ? err->code : 0;
}

/* The kernel's own name out of the head of a bzImage. */
static int identify(struct guest_image *image, struct err *err)
{
	char head[HEAD_SIZE];
	char hex[DIGEST_HEX + 1];
	uint16_t at;
	int bad = read_head(image->path, head, sizeof(head), err);

	if (bad)
		return bad;
	memcpy(&at, head + NAME_AT, sizeof(at));
	if (memcmp(head + MAGIC_AT, "HdrS", 4) || !at ||
	    NAME_BASE + (size_t)at >= sizeof(head))
		bad = -EINVAL;
	else
		bad = take_name(head + NAME_BASE + at, image);
	if (bad == -EINVAL)
		return err_set(err, bad,
			       "'%s' is no kernel image (expected a bzImage for x86)",
			       image->path);
	if (!bad)
		bad = digest_file(image->path, hex, err);
	if (!bad)
		image->sha256 = strdup(hex);
	return bad || image->sha256 ? bad : err_nomem(err);
}

/* Whether it is this kernel's is for those to tell who read it. */
static int find_config(struct guest_image *image, struct err *err)
{
	static const char *const names[] = { "config-", "config", "../../../.config" };
	int folder = (int)(strrchr(image->path, '/') - image->path);
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *path = file_path("%.*s/%s%s", folder, image->path, names[i],
				       i ? "" : image->release);

		if (!path)
			return err_nomem(err);
		if (!access(path, R_OK)) {
			image->config = path;
			return 0;
		}
		free(path);
	}
	return 0;
}

/* The only file that one of the patterns matches below @folder. */
static int look_into(const char *folder, char **ret, struct err *err)
{
	static const char *const patterns[] = { "arch/x86/boot/bzImage", "boot/vmlinuz-*",
						"vmlinuz*" };
	size_t i;

	*ret = NULL;
	for (i = 0; !*ret && i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		char *pattern = file_path("%s/%s", folder, patterns[i]);
		glob_t found;

		if (!pattern)
			return err_nomem(err);
		if (!glob(pattern, 0, NULL, &found)) {
			if (found.gl_pathc == 1)
				*ret = strdup(found.gl_pathv[0]);
			else
				err_set(err, -EINVAL,
					"'%s' has %zu kernel images (expected one)",
					folder, (size_t)found.gl_pathc);
			globfree(&found);
		}
		free(pattern);
		if (err->code)
			return err->code;
	}
	if (*ret)
		return 0;
	return err_set(err, -ENOENT,
		       "'%s' has no kernel image (expected arch/x86/boot/bzImage or "
		       "boot/vmlinuz-*)",
		       folder);
}

static int run_dpkg(const char *package, const char *folder, struct err *err)
{
	char *argv[] = { (char *)(uintptr_t) "dpkg-deb", (char *)(uintptr_t) "-x",
			 (char *)(uintptr_t)package, (char *)(uintptr_t) "tree", NULL };
	const struct proc_spec spec = {
		.path = "/usr/bin/dpkg-deb",
		.argv = argv,
		.dir = folder,
		.timeout_ns = UNPACK_SEC * CLOCK_SEC,
	};
	struct proc_result result;
	struct proc_watch watch;
	int bad = proc_watch_open(&watch, err);

	if (bad)
		return bad;
	bad = proc_run(&watch, &spec, &result, err);
	proc_watch_close(&watch);
	if (watch.signal)
		(void)raise(watch.signal);
	if (!bad && (result.end != PROC_EXITED || result.wait_status))
		bad = err_set(err, -EINVAL, "'%s' can't be unpacked by dpkg-deb",
			      package);
	return bad;
}

static char *cache_folder(void)
{
	const char *cache = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");

	if (cache && *cache == '/')
		return file_path("%s/schedgrid/kernels", cache);
	return file_path("%s/.cache/schedgrid/kernels", home && *home ? home : "/root");
}

/* Into a folder of its own first, so that what has the final name is complete. */
static int unpack_into(const char *package, const char *cache, const char *tree,
		       struct err *err)
{
	char *work = file_path("%s/unpack-XXXXXX", cache);
	char *fresh = NULL;
	int bad = work ? file_make_dirs(cache, err) : err_nomem(err);

	if (!bad && !mkdtemp(work))
		bad = err_set(err, -errno, "cannot make a directory in '%s': %m", cache);
	if (bad) {
		free(work);
		return bad;
	}
	bad = run_dpkg(package, work, err);
	if (!bad) {
		fresh = file_path("%s/tree", work);
		bad = fresh ? 0 : err_nomem(err);
	}
	/* Another run may have been faster; its tree is the same. */
	if (!bad && rename(fresh, tree) && !is_directory(tree))
		bad = err_set(err, -errno, "cannot create '%s': %m", tree);
	file_remove_tree(work);
	free(fresh);
	free(work);
	return bad;
}

static int unpack(const char *package, char **ret, struct err *err)
{
	char *cache = cache_folder();
	char hex[DIGEST_HEX + 1];
	char *tree;
	int bad = cache ? digest_file(package, hex, err) : err_nomem(err);

	tree = bad ? NULL : file_path("%s/%.16s", cache, hex);
	if (!bad && !tree)
		bad = err_nomem(err);
	if (!bad && !is_directory(tree))
		bad = unpack_into(package, cache, tree, err);
	if (!bad)
		bad = look_into(tree, ret, err);
	free(tree);
	free(cache);
	return bad;
}

static bool is_package(const char *path)
{
	size_t len = strlen(path);

	return len > 4 && !strcmp(path + len - 4, ".deb");
}

int guest_image_open(const char *name, const char *folder, struct guest_image *ret,
		     struct err *err)
{
	struct guest_image image = { 0 };
	struct err why = { 0 };
	char *path = *name == '/' ? strdup(name) : file_path("%s/%s", folder, name);
	char *real = path ? realpath(path, NULL) : NULL;
	int bad = 0;

	if (!path)
		bad = err_nomem(&why);
	else if (!real)
		bad = err_set(&why, -errno, "cannot open the kernel image '%s': %m",
			      path);
	else if (is_directory(real))
		bad = look_into(real, &image.path, &why);
	else if (is_package(real))
		bad = unpack(real, &image.path, &why);
	else
		image.path = strdup(real);
	if (!bad)
		bad = image.path ? identify(&image, &why) : err_nomem(&why);
	if (!bad)
		bad = find_config(&image, &why);
	free(real);
	free(path);
	if (!bad) {
		*ret = image;
		return 0;
	}
	guest_image_release(&image);
	return err_set(err, bad, "%s", why.text);
}

void guest_image_release(struct guest_image *image)
{
	free(image->path);
	free(image->release);
	free(image->version);
	free(image->sha256);
	free(image->config);
	*image = (struct guest_image){ 0 };
}
