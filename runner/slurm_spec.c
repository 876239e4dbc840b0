// SPDX-License-Identifier: GPL-2.0-or-later
/* Machines and kernels as a grid names them; see slurm_spec.h. */
#include "runner/slurm_spec.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/json.h"
#include "runner/grid.h"

void slurm_spec_free(struct slurm_spec *spec)
{
	size_t i;

	if (!spec)
		return;
	for (i = 0; i < spec->nr_nodes; i++)
		free(spec->nodes[i]);
	free(spec->nodes);
	free(spec->feature);
	free(spec->partition);
	free(spec->program);
	free(spec);
}

/* What stands for @c in a feature, at @out; how many bytes, 0: it has no place there. */
static size_t translate(char c, char *out)
{
	static const char escaped[] = "_+~=";
	static const char letter[] = "upte";
	const char *at = strchr(escaped, c);

	out[0] = c;
	if (c == '-')
		out[0] = '_';
	if (isalnum((unsigned char)c) || c == '.' || c == '-')
		return 1;
	if (!at)
		return 0;
	out[0] = '=';
	out[1] = letter[at - escaped];
	return 2;
}

int slurm_feature(const char *release, char **ret, struct err *err)
{
	char *name = calloc(2 * strlen(release) + 2, 1);
	size_t len = 1;
	const char *at;

	if (!name)
		return err_nomem(err);
	*name = 'k';
	for (at = release; *at; at++) {
		size_t more = translate(*at, name + len);

		if (!more)
			break;
		len += more;
	}
	if (!*at && at > release) {
		*ret = name;
		return 0;
	}
	free(name);
	return err_set(err, -EINVAL,
		       "'%s' is no release of a kernel (expected what uname -r prints: "
		       "letters, digits and any of .-_+~=)",
		       release);
}

size_t slurm_kernel_of(const struct grid *grid, size_t column)
{
	const struct grid_column *wanted = &grid->columns[column];
	size_t i = 0;

	while (i < column && (strcmp(grid->columns[i].release, wanted->release) ||
			      strcmp(grid->columns[i].build_id, wanted->build_id)))
		i++;
	return i;
}

struct jval *slurm_kernel_json(const struct grid *grid, size_t column)
{
	const struct grid_column *asked = &grid->columns[column];
	struct jval *json = jval_object();
	int bad = jval_put(json, "release", jval_from_string(asked->release));

	bad |= jval_put(json, "build_id", jval_from_string(asked->build_id));
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}
