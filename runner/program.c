// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the suite's own programs; see program.h. */
#include "runner/program.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/digest.h"
#include "lib/err.h"
#include "lib/file.h"

static int look_in(const char *folder, const char *name, struct program *ret,
		   struct err *err)
{
	char hex[DIGEST_HEX + 1];
	char *path = file_path("%s/%s", folder, name);
	char *real;
	int bad;

	if (!path)
		return err_nomem(err);
	real = realpath(path, NULL);
	free(path);
	if (!real)
		return -ENOENT;
	bad = digest_file(real, hex, err);
	if (!bad) {
		ret->name = strdup(name);
		ret->path = real;
		ret->sha256 = strdup(hex);
		if (ret->name && ret->sha256)
			return 0;
		bad = err_nomem(err);
		program_release(ret);
		return bad;
	}
	free(real);
	return bad;
}

int program_find(const char *name, struct program *ret, struct err *err)
{
	char self[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *folder;
	int bad;

	if (len <= 0)
		return err_set(err, -errno, "cannot tell where schedgrid is: %m");
	self[len] = '\0';
	*strrchr(self, '/') = '\0';

	folder = file_path("%s/programs", self);
	bad = folder ? look_in(folder, name, ret, err) : err_nomem(err);
	free(folder);
	if (bad != -ENOENT)
		return bad;
	folder = file_path("%s/../libexec/schedgrid", self);
	bad = folder ? look_in(folder, name, ret, err) : err_nomem(err);
	free(folder);
	if (bad == -ENOENT)
		return err_set(err, bad,
			       "the program '%s' is neither in %s/programs nor in "
			       "%s/../libexec/schedgrid",
			       name, self, self);
	return bad;
}

void program_release(struct program *program)
{
	free(program->name);
	free(program->path);
	free(program->sha256);
	*program = (struct program){ 0 };
}
