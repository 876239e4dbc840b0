// SPDX-License-Identifier: GPL-2.0-or-later
/* Programs of services: the greatest version, what lies beside it, and which build. */
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
#include "benchmarks/service.h"
#include "benchmarks/upstream.h"
#include "lib/err.h"
#include "lib/file.h"
#include "runner/plan.h"
#include "runner/program.h"

static char top[] = "/tmp/schedgrid-versions-XXXXXX";

static void add_program(const char *name, const char *text)
{
	char *path = file_path("%s/%s", top, name);
	char *folder = strdup(path);

	*strrchr(folder, '/') = '\0';
	assert_int_equal(file_make_dirs(folder, NULL), 0);
	assert_int_equal(file_replace(path, text, strlen(text), NULL), 0);
	assert_int_equal(chmod(path, 0755), 0);
	free(folder);
	free(path);
}

static void drop_program(const char *name)
{
	char *path = file_path("%s/%s", top, name);

	assert_int_equal(unlink(path), 0);
	*strrchr(path, '/') = '\0';
	(void)rmdir(path);
	free(path);
}

static void greatest_version_is_found_and_what_lies_beside_it(void **state)
{
	char *pattern, *wanted;
	struct bench_program server = { .name = "toy" };
	struct workload workload = { .program = &server };
	struct program program;
	struct err err = { 0 };
	char *beside;

	(void)state;
	assert_non_null(mkdtemp(top));
	pattern = file_path("%s/*/server", top);
	server.command = pattern;
	workload.ops = bench_find("sysbench");
	assert_int_equal(program_find(&workload, ".", &program, &err), 0);
	assert_null(program.path);
	program_release(&program);

	add_program("9.6/server", "old");
	add_program("15/server", "new");
	add_program("15/helper", "x");
	wanted = file_path("%s/15/server", top);
	assert_int_equal(program_find(&workload, ".", &program, &err), 0);
	assert_string_equal(program.path, wanted);
	free(wanted);

	wanted = file_path("%s/15/helper", top);
	assert_int_equal(program_beside(&program, "helper", &beside, &err), 0);
	assert_string_equal(beside, wanted);
	free(beside);
	free(wanted);
	assert_int_equal(program_beside(&program, "sh", &beside, &err), 0);
	assert_non_null(strstr(beside, "/bin/sh"));
	free(beside);
	assert_int_equal(program_beside(&program, "no-such-helper", &beside, &err),
			 -ENOENT);
	assert_null(beside);
	assert_non_null(strstr(err.text, "program 'no-such-helper' is not installed"));

	program_release(&program);
	drop_program("9.6/server");
	drop_program("15/server");
	drop_program("15/helper");
	(void)rmdir(top);
	free(pattern);
}

static void other_versions_and_scripts_are_refused(void **state)
{
	static const char *const args[] = { "--version", NULL };
	struct bench_program wanted = { .name = "toy", .versions = "1.0." };
	struct workload workload = { .program = &wanted };
	struct program program = { .path = (char *)(uintptr_t) "/proc/self/exe",
				   .name = (char *)(uintptr_t) "toy",
				   .version = (char *)(uintptr_t) "1.0.20" };
	char path[] = "/tmp/schedgrid-script-XXXXXX";
	struct err err = { 0 };
	int fd;

	(void)state;
	wanted.version_args = args;
	assert_int_equal(program_check(&workload, &program, &err), 0);
	program.version = (char *)(uintptr_t) "1.1.0";
	assert_int_equal(program_check(&workload, &program, &err), -EOPNOTSUPP);
	assert_string_equal(err.text,
			    "'/proc/self/exe' is of version 1.1.0 (expected 1.0.*)");
	program.version = NULL;
	err.code = 0;
	assert_int_equal(program_check(&workload, &program, &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "version unknown"));

	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, "#!/bin/sh\n", 10), 0);
	(void)close(fd);
	program.path = path;
	program.version = (char *)(uintptr_t) "1.0.20";
	err.code = 0;
	assert_int_equal(program_check(&workload, &program, &err), -EOPNOTSUPP);
	assert_non_null(
		strstr(err.text, "is a script (expected the program toy itself)"));
	wanted.versions = NULL;
	assert_int_equal(program_check(&workload, &program, &err), 0);
	(void)unlink(path);
}

static void commands_of_a_service_come_in_their_order(void **state)
{
	static const char *const words[] = { "initdb", "postgres", "sysbench",
					     "vacuumdb" };
	struct cell cell = { .service = NULL };
	struct bench_command command = { NULL, 0 };
	unsigned int i;

	(void)state;
	workload_init(&cell.workload, bench_find("sysbench"));
	assert_int_equal(plan_service_command(&cell, 0, &command), 0);
	assert_int_equal(command.nr_args, 0);
	cell.workload.choice[0] = 3;
	cell.service = cell.workload.ops->service(&cell.workload);
	for (i = 0; i < 4; i++) {
		assert_int_equal(plan_service_command(&cell, i, &command), 0);
		assert_string_equal(command.argv[0], words[i]);
		bench_command_release(&command);
	}
	assert_int_equal(plan_service_command(&cell, 4, &command), 0);
	assert_int_equal(command.nr_args, 0);
}

static void rest_of_a_line_is_what_follows_its_name(void **state)
{
	static const char out[] = "a:   1 (x)  \nb: 2\n";
	struct err err = { 0 };
	const struct upstream upstream = { out, strlen(out), &err };
	char rest[6];

	(void)state;
	assert_int_equal(upstream_rest(&upstream, "a:", rest, sizeof(rest)), 0);
	assert_string_equal(rest, "1 (x)");
	assert_int_equal(upstream_rest(&upstream, "a:", rest, 5), -EPROTO);
	assert_non_null(strstr(err.text, "the line 'a:' is too long: '1 (x)'"));
	err.code = 0;
	assert_int_equal(upstream_rest(&upstream, "c:", rest, sizeof(rest)), -EPROTO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(greatest_version_is_found_and_what_lies_beside_it),
		cmocka_unit_test(other_versions_and_scripts_are_refused),
		cmocka_unit_test(commands_of_a_service_come_in_their_order),
		cmocka_unit_test(rest_of_a_line_is_what_follows_its_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
