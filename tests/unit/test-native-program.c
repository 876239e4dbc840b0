// SPDX-License-Identifier: GPL-2.0-or-later
/* What the native programs share: options, the result, and the end of a process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "benchmarks/program.h"

static const char *const names[] = { "fds", "size" };

static void value_follows_the_whole_name(void **state)
{
	(void)state;
	assert_string_equal(program_value("--size=12", "size"), "12");
	assert_string_equal(program_value("--size=", "size"), "");
	assert_null(program_value("--size", "size"));
	assert_null(program_value("--sizes=1", "size"));
	assert_null(program_value("--siz=1", "size"));
	assert_null(program_value("-size=1", "size"));
	assert_null(program_value("", "size"));
}

static void whole_numbers_only(void **state)
{
	static const char *const bad[] = {
		"", "0", "01", "-1", "+1", " 1", "1 ", "1x", "8", "18446744073709551617"
	};
	uint64_t value = 99;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(program_whole(bad[i], 7, &value), -1);
		assert_int_equal(value, 99);
	}
	assert_int_equal(program_whole("7", 7, &value), 0);
	assert_int_equal(value, 7);
	assert_int_equal(program_number("--size=6", "size", 7, &value), 0);
	assert_int_equal(value, 6);
	assert_int_equal(program_number("--size=8", "size", 7, &value), -1);
	assert_int_equal(program_number("--fds=6", "size", 7, &value), -1);
}

static void find_knows_all_names(void **state)
{
	const char *value;

	(void)state;
	assert_int_equal(program_find("--fds=2", names, 2, &value), 0);
	assert_string_equal(value, "2");
	assert_int_equal(program_find("--size=x", names, 2, &value), 1);
	assert_string_equal(value, "x");
	assert_int_equal(program_find("--fd=2", names, 2, &value), 2);
	assert_int_equal(program_find("size=2", names, 2, &value), 2);
}

static void lines_are_aligned_and_zero(void **state)
{
	char *memory = program_lines(3, PROGRAM_CACHE_LINE);
	size_t i;

	(void)state;
	assert_non_null(memory);
	assert_int_equal((uintptr_t)memory % PROGRAM_CACHE_LINE, 0);
	for (i = 0; i < (size_t)3 * PROGRAM_CACHE_LINE; i++)
		assert_int_equal(memory[i], 0);
	free(memory);
}

static void clock_goes_forward(void **state)
{
	uint64_t before_ns = program_now_ns();

	(void)state;
	assert_true(before_ns > 0);
	assert_true(program_now_ns() >= before_ns);
}

/* Runs @act in a child with standard output on @path; its status and errors. */
static int run_child(void (*act)(void), const char *path, char *errors, size_t size)
{
	int ends[2], status;
	ssize_t len;
	pid_t pid;

	fflush(stdout);
	assert_int_equal(pipe(ends), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		int out = open(path, O_WRONLY | O_CLOEXEC);

		if (out < 0 || dup2(out, STDOUT_FILENO) < 0 ||
		    dup2(ends[1], STDERR_FILENO) < 0)
			_exit(99);
		act();
		_exit(98);
	}
	close(ends[1]);
	len = read(ends[0], errors, size - 1);
	assert_true(len >= 0);
	errors[len] = '\0';
	close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void leave_with_result(void)
{
	program_leave("x", 0, "the result");
}

static void leave_with_reason(void)
{
	program_leave("x", 2, "no reason");
}

static void complain(void)
{
	_exit(program_complain("x", "cannot fork", EAGAIN) == -1 ? 0 : 97);
}

static void be_orphaned(void)
{
	program_follow(getpid());
}

static void leave_prints_or_says_why(void **state)
{
	char errors[128];

	(void)state;
	assert_int_equal(run_child(leave_with_result, "/dev/null", errors, 128), 0);
	assert_string_equal(errors, "");
	assert_int_equal(run_child(leave_with_result, "/dev/full", errors, 128), 1);
	assert_string_equal(errors,
			    "x: cannot write the result: No space left on device\n");
	assert_int_equal(run_child(leave_with_reason, "/dev/full", errors, 128), 2);
	assert_string_equal(errors, "x: no reason\n");
	assert_int_equal(run_child(complain, "/dev/null", errors, 128), 0);
	assert_string_equal(errors, "x: cannot fork: Resource temporarily unavailable\n");
}

static void follow_ends_without_the_parent(void **state)
{
	char errors[128];

	(void)state;
	assert_int_equal(run_child(be_orphaned, "/dev/null", errors, 128),
			 PROGRAM_ENDED_EARLY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(value_follows_the_whole_name),
		cmocka_unit_test(whole_numbers_only),
		cmocka_unit_test(find_knows_all_names),
		cmocka_unit_test(lines_are_aligned_and_zero),
		cmocka_unit_test(clock_goes_forward),
		cmocka_unit_test(leave_prints_or_says_why),
		cmocka_unit_test(follow_ends_without_the_parent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
