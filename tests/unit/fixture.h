/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of workloads share: parse() on saved output. */
#ifndef TESTS_UNIT_FIXTURE_H
#define TESTS_UNIT_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/bench.h"
#include "lib/err.h"
#include "lib/file.h"

/** struct fixture - a saved output that must be refused, and why */
struct fixture {
	const char *name, *reason;
};

/** fixture_parse - parse tests/fixtures/@name.out; the code of parse() */
static inline int fixture_parse(const struct workload *workload, const char *name,
				struct bench_samples *samples, struct err *err)
{
	char *path = file_path("tests/fixtures/%s.out", name);
	char *out = NULL;
	size_t len;
	int ret;

	samples->nr = 0;
	memset(err, 0, sizeof(*err));
	assert_non_null(path);
	if (file_read(path, 1 << 16, &out, &len, err))
		fail_msg("%s", err->text);
	free(path);
	ret = workload_parse(workload, out, len, samples, err);
	free(out);
	return ret;
}

/** fixtures_refused - each of @nr must be refused for its reason */
static inline void fixtures_refused(const struct workload *workload,
				    const struct fixture *fixtures, size_t nr)
{
	struct bench_samples samples;
	struct err err;
	size_t i;

	for (i = 0; i < nr; i++) {
		if (fixture_parse(workload, fixtures[i].name, &samples, &err) != -EPROTO)
			fail_msg("%s was not refused", fixtures[i].name);
		if (!strstr(err.text, fixtures[i].reason))
			fail_msg("%s: '%s' is not in '%s'", fixtures[i].name,
				 fixtures[i].reason, err.text);
	}
}

/** command_is - the command of an iteration must be these @nr arguments */
static inline void command_is(const struct workload *workload, const char *const *args,
			      size_t nr)
{
	struct bench_command command = { NULL, 0 };
	size_t i;

	assert_int_equal(workload_plan(workload, 1, &command), 0);
	assert_int_equal(command.nr_args, nr);
	for (i = 0; i < nr; i++)
		assert_string_equal(command.argv[i], args[i]);
	bench_command_release(&command);
}

#endif
