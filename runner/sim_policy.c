// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the policy of a column; see sim_policy.h. */
#include "runner/sim_policy.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "policy/release.h"
#include "policy/variant.h"
#include "runner/grid.h"

enum { PATCH_BITS = 16 };

/* "6.1.0-37-amd64" of "/boot/vmlinuz-6.1.0-37-amd64"; all of it when there is no digit. */
static const char *version_in(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *at = slash ? slash + 1 : path;

	while (*at && !isdigit((unsigned char)*at))
		at++;
	return *at ? at : path;
}

/* Of variants that are versions, the newest one of that major and minor number. */
static const char *variant_of(unsigned int release)
{
	const char *found = NULL;
	unsigned int best = 0;
	unsigned int own;
	const char *name;
	size_t i;

	for (i = 0; (name = policy_variant_name(i)); i++) {
		if (*name != 'v' || strchr(name, '-') || release_parse(name, &own, NULL))
			continue;
		if (own >> PATCH_BITS == release >> PATCH_BITS &&
		    (!found || own > best)) {
			found = name;
			best = own;
		}
	}
	return found;
}

int sim_policy_name(const struct grid_column *column, const char *release, char **ret,
		    struct err *err)
{
	const char *version = column->image ? version_in(column->image) : release;
	const char *name = column->policy;
	unsigned int number;

	if (!name && version && !release_parse(version, &number, NULL))
		name = variant_of(number);
	if (!name)
		return err_set(err, -EINVAL,
			       "no policy is known for kernel '%.200s' (expected kernel: "
			       "{policy: NAME}, such as v6.1.192; docs/policy.md lists "
			       "the names)",
			       version ? version : "");
	*ret = strdup(name);
	return *ret ? 0 : err_nomem(err);
}
