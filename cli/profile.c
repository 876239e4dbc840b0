// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the profile of a machine; see profile.h. */
#include "cli/profile.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "compare/profile.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"

int profile_path(const struct jval *machine, char **ret)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	char key[PROFILE_KEY_SIZE];

	*ret = NULL;
	if (profile_key(machine, key))
		return -ENOMEM;
	/* A path that isn't absolute is to be ignored, says the specification. */
	if (state && *state == '/')
		*ret = file_path("%s/schedgrid/profile-%s.json", state, key);
	else if (home && *home == '/')
		*ret = file_path("%s/.local/state/schedgrid/profile-%s.json", home, key);
	else
		return 0;
	return *ret ? 0 : -ENOMEM;
}

static int cite(const char *path, const struct jval *machine, bool is_wanted, char **ret,
		struct err *err)
{
	struct jval *profile = NULL;
	struct err why = { 0 };
	int bad = profile_load(path, &profile, &why);

	if (bad == -ENOENT && !is_wanted)
		return 0;
	if (bad)
		return err_set(err, bad, "%s", why.text);
	if (machine && profile_is_of(profile, machine)) {
		*ret = profile_line(profile);
		bad = *ret ? 0 : err_nomem(err);
	} else if (is_wanted) {
		bad = err_set(err, -EINVAL,
			      "'%s' is the profile of another machine than that of the "
			      "runs",
			      path);
	}
	jval_free(profile);
	return bad;
}

int profile_cite(const char *file, const char *const *dirs, size_t nr_dirs, char **ret,
		 struct err *err)
{
	struct jval *machine = NULL;
	char *path = NULL;
	int bad = profile_machine_of(dirs, nr_dirs, &machine, err);

	*ret = NULL;
	if (bad)
		return bad;
	if (!file && machine && profile_path(machine, &path))
		bad = err_nomem(err);
	if (!bad && (file || path))
		bad = cite(file ? file : path, machine, file, ret, err);
	free(path);
	jval_free(machine);
	return bad;
}
