// SPDX-License-Identifier: GPL-2.0-or-later
/* A user's own workfile; see own.h. */
#include "benchmarks/reaim/own.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/bench.h"
#include "benchmarks/reaim/share.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/text.h"

bool own_is_asked(const struct workload *workload)
{
	return !strcmp(workload_word(workload, "mix"), "own");
}

static int refuse(const char *path, const struct workfile_fault *fault, struct err *err)
{
	const char *nearest =
		*fault->name ? text_nearest(fault->name, reaim_test_names) : NULL;

	if (!fault->line)
		return err_set(err, -EPROTO, "%s: %s", path, fault->text);
	if (!nearest)
		return err_set(err, -EPROTO, "%s:%u:%u: %s", path, fault->line,
			       fault->column, fault->text);
	return err_set(err, -EPROTO, "%s:%u:%u: %s; did you mean '%s'?", path,
		       fault->line, fault->column, fault->text, nearest);
}

int own_read(const char *path, struct own *ret, struct err *err)
{
	struct workfile_fault fault;
	char *text;
	size_t len;
	int bad = file_read(path, REAIM_MAX_WORKFILE, &text, &len, err);

	if (bad)
		return bad;
	ret->sum = workfile_sum(text, len);
	if (workfile_read(text, len, &ret->workfile, &fault))
		bad = refuse(path, &fault, err);
	free(text);
	return bad;
}
