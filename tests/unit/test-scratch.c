// SPDX-License-Identifier: GPL-2.0-or-later
/* Folders for the moment: locked, removed, and swept when their owner was killed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/scratch.h"

static char top[] = "/tmp/schedgrid-scratch-XXXXXX";

static int make_top(void **state)
{
	(void)state;
	return mkdtemp(top) && !setenv("TMPDIR", top, 1) ? 0 : -1;
}

static int remove_top(void **state)
{
	(void)state;
	return rmdir(top);
}

static void put_file(const char *dir)
{
	char *path = file_path("%s/stdout", dir);
	char *inner = file_path("%s/a/b", dir);
	char *deep = file_path("%s/a/b/c", dir);

	assert_int_equal(file_replace(path, "x", 1, NULL), 0);
	assert_int_equal(file_make_dirs(inner, NULL), 0);
	assert_int_equal(file_replace(deep, "x", 1, NULL), 0);
	free(deep);
	free(inner);
	free(path);
}

static void folder_goes_with_its_files(void **state)
{
	struct scratch one, two;
	char *was;

	(void)state;
	assert_int_equal(scratch_open(&one, NULL), 0);
	assert_memory_equal(one.dir, top, strlen(top));
	put_file(one.dir);
	/* Another's sweep leaves it alone. */
	assert_int_equal(scratch_open(&two, NULL), 0);
	assert_string_not_equal(one.dir, two.dir);
	assert_int_equal(access(one.dir, F_OK), 0);
	was = strdup(one.dir);
	scratch_close(&one);
	assert_int_equal(access(was, F_OK), -1);
	assert_int_equal(access(two.dir, F_OK), 0);
	scratch_close(&two);
	free(was);
}

static void killed_owner_leaves_it_to_the_next(void **state)
{
	struct scratch next;
	char left[128] = "";
	int ends[2];
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	pid = fork();
	assert_int_not_equal(pid, -1);
	if (!pid) {
		struct scratch scratch;

		if (scratch_open(&scratch, NULL))
			_exit(1);
		put_file(scratch.dir);
		(void)!write(ends[1], scratch.dir, strlen(scratch.dir));
		(void)raise(SIGKILL);
	}
	assert_true(read(ends[0], left, sizeof(left) - 1) > 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(access(left, F_OK), 0);
	assert_int_equal(scratch_open(&next, NULL), 0);
	assert_int_equal(access(left, F_OK), -1);
	scratch_close(&next);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

static void place_that_is_not_there_is_named(void **state)
{
	struct scratch scratch;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(setenv("TMPDIR", "/nowhere/at/all", 1), 0);
	assert_int_equal(scratch_open(&scratch, &err), -ENOENT);
	assert_non_null(strstr(err.text, "'/nowhere/at/all'"));
	assert_int_equal(setenv("TMPDIR", top, 1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folder_goes_with_its_files),
		cmocka_unit_test(killed_owner_leaves_it_to_the_next),
		cmocka_unit_test(place_that_is_not_there_is_named),
	};

	return cmocka_run_group_tests(tests, make_top, remove_top);
}
