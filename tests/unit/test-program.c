// SPDX-License-Identifier: GPL-2.0-or-later
/* Finding programs, their digests and versions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "benchmarks/bench.h"
#include "lib/digest.h"
#include "lib/err.h"
#include "lib/file.h"
#include "runner/program.h"

static const char *const version_args[] = { "--version", NULL };

/* A workload done by @command; @program holds its description. */
static struct workload done_by(struct bench_program *program, const char *command)
{
	struct workload workload;

	workload_init(&workload, bench_find("hackbench"));
	*program = (struct bench_program){
		.name = "toy",
		.command = command,
		.version_args = version_args,
	};
	workload.program = program;
	return workload;
}

/* struct script - a program in a folder of its own */
struct script {
	char dir[40];
	char *path;
};

static struct script script_make(const char *text)
{
	struct script script = { "/tmp/schedgrid-program-XXXXXX", NULL };

	assert_non_null(mkdtemp(script.dir));
	script.path = file_path("%s/tool", script.dir);
	assert_int_equal(file_replace(script.path, text, strlen(text), NULL), 0);
	assert_int_equal(chmod(script.path, 0755), 0);
	return script;
}

static void script_drop(struct script *script)
{
	(void)unlink(script->path);
	(void)rmdir(script->dir);
	free(script->path);
}

static void our_own_is_found_beside_us(void **state)
{
	struct workload workload;
	struct program program;
	char hex[DIGEST_HEX + 1];

	(void)state;
	workload_init(&workload, bench_find("pipe"));
	assert_int_equal(program_find(&workload, ".", &program, NULL), 0);
	assert_string_equal(program.word, "native");
	assert_string_equal(program.name, "pipe");
	assert_string_equal(program.version, SCHEDGRID_VERSION);
	assert_int_equal(digest_file(program.path, hex, NULL), 0);
	assert_string_equal(program.sha256, hex);
	program_release(&program);
	assert_null(program.path);
	program_release(&program);
}

/* BL-071: what was found is told apart by path, version and digest. */
static void bl_071_path_version_and_digest_are_those_of_the_file_found(void **state)
{
	struct script script =
		script_make("#!/bin/sh\necho \"tool V 1.2.3-rc4 of\" $#$1\n");
	struct bench_program wanted;
	struct workload workload = done_by(&wanted, script.path);
	struct program program;
	char hex[DIGEST_HEX + 1];
	char *real = realpath(script.path, NULL);

	(void)state;
	assert_int_equal(program_find(&workload, ".", &program, NULL), 0);
	assert_string_equal(program.path, real);
	assert_string_equal(program.version, "1.2.3-rc4");
	assert_int_equal(digest_file(script.path, hex, NULL), 0);
	assert_string_equal(program.sha256, hex);
	program_release(&program);
	free(real);

	/* Relative paths begin where the grid lies. */
	workload = done_by(&wanted, "./tool");
	assert_int_equal(program_find(&workload, script.dir, &program, NULL), 0);
	assert_string_equal(program.sha256, hex);
	program_release(&program);
	script_drop(&script);
}

static void assert_version(const char *text, const char *version)
{
	struct script script = script_make(text);
	struct bench_program wanted;
	struct workload workload = done_by(&wanted, script.path);
	struct program program;

	assert_int_equal(program_find(&workload, ".", &program, NULL), 0);
	assert_non_null(program.sha256);
	if (version)
		assert_string_equal(program.version, version);
	else
		assert_null(program.version);
	program_release(&program);
	script_drop(&script);
}

static void version_is_what_is_told_or_unknown(void **state)
{
	(void)state;
	assert_version("#!/bin/sh\necho perf version 6.1.187\n", "6.1.187");
	assert_version("#!/bin/sh\necho tool 7 >&2; exit 3\n", "7");
	assert_version("#!/bin/sh\necho no number here\n", NULL);
	assert_version("#!/bin/sh\n", NULL);
	assert_version("#!/no/such/interpreter\n", NULL);
}

/* Killed at the first question, or at each; asked once more in between. */
static int ask_killed(const char *text, char version[16], struct err *err)
{
	struct script script = script_make(text);
	struct bench_program wanted;
	struct workload workload = done_by(&wanted, script.path);
	struct program program = { 0 };
	char *asked = file_path("%s/asked", script.dir);
	int bad = program_find(&workload, ".", &program, err);

	(void)snprintf(version, 16, "%s", program.version ? program.version : "unknown");
	program_release(&program);
	(void)unlink(asked);
	script_drop(&script);
	free(asked);
	return bad;
}

static void killed_question_is_no_unknown_version(void **state)
{
	struct err err = { 0 };
	char version[16];

	(void)state;
	assert_int_equal(ask_killed("#!/bin/sh\nkill -9 $$\n", version, &err), -ECHILD);
	assert_non_null(strstr(err.text, "tool' was killed by signal 9"));
	assert_string_equal(version, "unknown");
	assert_int_equal(
		ask_killed("#!/bin/sh\nasked=${0%/*}/asked\n"
			   "[ -e $asked ] || { : > $asked; kill -9 $$; }\necho 2.5\n",
			   version, NULL),
		0);
	assert_string_equal(version, "2.5");
}

static void flood_ends_the_question(void **state)
{
	struct err err = { 0 };
	char version[16];

	(void)state;
	assert_int_equal(ask_killed("#!/bin/sh\nexec yes 1\n", version, &err), -ECHILD);
	assert_non_null(strstr(err.text, "was killed by signal 25"));
	assert_string_equal(version, "unknown");
}

static void what_is_not_there_is_not_installed(void **state)
{
	static const char *const names[] = { "schedgrid-no-such-program", "./x", "/tmp",
					     "/dev/null", "/etc/passwd" };
	struct bench_program wanted;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct workload workload = done_by(&wanted, names[i]);
		struct program program;
		struct err err = { 0 };

		assert_int_equal(program_find(&workload, "/nowhere", &program, &err), 0);
		assert_null(program.path);
		assert_null(program.sha256);
		assert_null(program.version);
		program_release(&program);
		assert_int_equal(program_missing(&workload, &err), -ENOENT);
		assert_non_null(strstr(err.text, names[i]));
	}
}

static void path_of_the_user_is_not_followed(void **state)
{
	struct script script = script_make("#!/bin/sh\n");
	struct bench_program wanted;
	struct workload workload = done_by(&wanted, "tool");
	struct program program;
	char *before = strdup(getenv("PATH"));

	(void)state;
	assert_int_equal(setenv("PATH", script.dir, 1), 0);
	assert_int_equal(program_find(&workload, ".", &program, NULL), 0);
	assert_null(program.path);
	program_release(&program);
	workload = done_by(&wanted, "sh");
	wanted.version_args = NULL;
	assert_int_equal(program_find(&workload, ".", &program, NULL), 0);
	assert_non_null(program.path);
	program_release(&program);
	assert_int_equal(setenv("PATH", before, 1), 0);
	free(before);
	script_drop(&script);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(our_own_is_found_beside_us),
		cmocka_unit_test(
			bl_071_path_version_and_digest_are_those_of_the_file_found),
		cmocka_unit_test(version_is_what_is_told_or_unknown),
		cmocka_unit_test(killed_question_is_no_unknown_version),
		cmocka_unit_test(flood_ends_the_question),
		cmocka_unit_test(what_is_not_there_is_not_installed),
		cmocka_unit_test(path_of_the_user_is_not_followed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
