// SPDX-License-Identifier: GPL-2.0-or-later
/* Lists directories; see import_dir.h. */
#include "compare/import_dir.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/err.h"
#include "lib/text.h"

static int by_name(const void *a, const void *b)
{
	const char *const *left = a;
	const char *const *right = b;

	return text_natural_order(*left, *right);
}

static int add_name(struct import_dir *dir, const char *name)
{
	char **grown = reallocarray(dir->names, dir->nr_names + 1, sizeof(*dir->names));

	if (!grown)
		return -ENOMEM;
	dir->names = grown;
	grown[dir->nr_names] = strdup(name);
	if (!grown[dir->nr_names])
		return -ENOMEM;
	dir->nr_names++;
	return 0;
}

int import_dir_read(struct import_dir *dir, const char *path, struct err *err)
{
	const struct dirent *entry;
	DIR *stream = opendir(path);
	int bad = 0;

	*dir = (struct import_dir){ 0 };
	if (!stream)
		return err_set(err, -errno, "cannot read the directory '%s': %m", path);
	while (!bad && (entry = readdir(stream)))
		if (entry->d_name[0] != '.')
			bad = add_name(dir, entry->d_name);
	(void)closedir(stream);
	if (bad)
		return err_nomem(err);
	if (dir->nr_names)
		qsort(dir->names, dir->nr_names, sizeof(*dir->names), by_name);
	return 0;
}

void import_dir_release(struct import_dir *dir)
{
	size_t i;

	for (i = 0; i < dir->nr_names; i++)
		free(dir->names[i]);
	free(dir->names);
	*dir = (struct import_dir){ 0 };
}

bool import_dir_exists(const char *path)
{
	struct stat at;

	return !stat(path, &at) && S_ISDIR(at.st_mode);
}

char *import_dir_name(const char *path)
{
	char *real = realpath(path, NULL);
	const char *end = real ? strrchr(real, '/') : NULL;
	char *name = end ? strdup(end + 1) : NULL;

	free(real);
	return name;
}

char *import_dir_of(const char *path)
{
	const char *end = strrchr(path, '/');
	char *dir = end ? strndup(path, (size_t)(end - path) + 1) : strdup(".");
	char *name = dir ? import_dir_name(dir) : NULL;

	free(dir);
	return name;
}
