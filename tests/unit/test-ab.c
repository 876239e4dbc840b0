// SPDX-License-Identifier: GPL-2.0-or-later
/* runner/ab: what sides and workloads are taken for, and the grid that is made of them. */
#include <errno.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/clock.h"
#include "lib/err.h"
#include "lib/file.h"
#include "runner/ab.h"
#include "runner/ab_commits.h"
#include "runner/ab_workloads.h"
#include "runner/estimate.h"
#include "runner/grid.h"
#include "runner/guest_spec.h"
#include "runner/plan.h"

/* The grid of two sides as text, which has to be one that can be read. */
static char *grid_of(const struct ab_wish *wish, uint64_t boots)
{
	char path[] = "/tmp/test-ab-XXXXXX";
	struct grid *grid = NULL;
	struct err err = { 0 };
	struct ab ab;
	char *text;
	int fd;

	if (ab_init(&ab, wish, &err))
		fail_msg("%s", err.text);
	text = ab_grid(&ab, boots);
	ab_release(&ab);
	assert_non_null(text);
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	(void)close(fd);
	if (grid_load(path, &grid, &err))
		fail_msg("%s\n%s", err.text, text);
	assert_int_equal(grid->nr_columns, AB_SIDES);
	grid_free(grid);
	(void)unlink(path);
	return text;
}

static void refuses(const struct ab_wish *wish, const char *sentence)
{
	struct err err = { 0 };
	struct ab ab;

	assert_int_equal(ab_init(&ab, wish, &err), -EINVAL);
	if (!strstr(err.text, sentence))
		fail_msg("'%s' is not in '%s'", sentence, err.text);
	ab_release(&ab);
}

static void refuses_side(const char *side, const char *sentence)
{
	const struct ab_wish wish = { .sides = { "pin=0", side } };

	refuses(&wish, sentence);
}

static void settings_run_here_until_they_are_known(void **state)
{
	const struct ab_wish wish = { .sides = { "running", "pin=0,2-3" },
				      .time_ns = 90 * CLOCK_SEC };
	char *text = grid_of(&wish, 1);

	(void)state;
	assert_non_null(strstr(text, "executor: {type: local}\n"));
	assert_non_null(strstr(text, "halfwidth: 1%, max: 200, budget: 90000ms}"));
	assert_non_null(strstr(text, "  - name: A\n  - name: B\n    pin: '0,2-3'\n"));
	assert_non_null(strstr(text, "'hackbench'"));
	assert_non_null(strstr(text, "'stream'"));
	free(text);
}

static void a_list_or_a_word_alone_is_a_pin(void **state)
{
	const struct ab_wish wish = { .sides = { "0-3,8", "one-llc" }, .time_ns = 1 };
	char *text = grid_of(&wish, 1);

	(void)state;
	assert_non_null(strstr(text, "name: A\n    pin: '0-3,8'\n"));
	assert_non_null(strstr(text, "name: B\n    pin: 'one-llc'\n"));
	free(text);
}

static void sides_say_what_they_were_taken_for(void **state)
{
	(void)state;
	refuses_side("", "B: '' names nothing");
	refuses_side("no-such-file",
		     "B: 'no-such-file' was taken for a kernel, and there "
		     "is no such file");
	refuses_side("one-lcl", "did you mean 'pin=one-llc'?");
	refuses_side("pim=0", "'pim=0' was taken for a setting");
	refuses_side("pim=0", "did you mean 'pin'?");
	refuses_side("pin=", "B: 'pin=' has no value");
	refuses_side("pin=3-1", "B: 'pin=3-1' is no CPU list");
	refuses_side("/proc/version", "B was taken for a kernel: '/proc/version'");
	refuses_side("/proc/self/fd", "expected arch/x86/boot/bzImage");
}

static void kernels_need_guests(void **state)
{
	const struct ab_wish image = { .sides = { "pin=0", "/proc/version" },
				       .place = AB_LOCAL };
	const struct ab_wish cmdline = { .sides = { "running,cmdline=quiet", "pin=0" },
					 .place = AB_LOCAL };
	const struct ab_wish topology = { .sides = { "pin=0", "running" },
					  .topology = "two-node-8" };

	(void)state;
	refuses(&image, "B: this machine runs one kernel");
	refuses(&cmdline, "A: this machine runs one kernel, and cmdline needs a boot");
	refuses(&topology, "--topology is for guests");
}

/* Made by hand: ab_init() would want images that can be booted. */
static void guests_have_boots_and_quotes(void **state)
{
	char image[] = "/k/it's";
	char cmdline[] = "a=\"b\" 'c'";
	char workloads[] = "  - workload: 'hackbench'\n";
	struct ab ab = { .sides = { { .image = image }, { .image = image } },
			 .workloads = workloads,
			 .accel = "tcg",
			 .is_guest = true };
	char *text;

	(void)state;
	ab.sides[1].cmdline = cmdline;
	text = ab_grid(&ab, 7);
	assert_non_null(text);
	assert_non_null(strstr(text, "{type: guest, topology: two-node-8, accel: tcg}"));
	assert_non_null(strstr(text, "repeat: {boots: 7, iterations: 2, warmup: 1}"));
	assert_non_null(strstr(text, "kernel: {image: '/k/it''s'}\n"));
	assert_non_null(strstr(text, "{image: '/k/it''s', cmdline: 'a=\"b\" ''c'''}\n"));
	free(text);
}

static void workloads_have_parameters_and_words(void **state)
{
	struct err err = { 0 };
	char *text = NULL;

	(void)state;
	assert_int_equal(ab_workloads("hackbench task=thread groups=1/4, null script=2",
				      true, &text, &err),
			 0);
	assert_string_equal(text, "  - workload: 'hackbench'\n"
				  "    variant: {task: 'thread'}\n"
				  "    parameters: {groups: [1, 4], fds: 2, loops: 10}\n"
				  "  - workload: 'null'\n"
				  "    parameters: {script: '2'}\n");
	free(text);
}

static void refuses_workloads(const char *workloads, const char *sentence)
{
	struct err err = { 0 };
	char *text = NULL;

	assert_int_equal(ab_workloads(workloads, false, &text, &err), -EINVAL);
	assert_null(text);
	if (!strstr(err.text, sentence))
		fail_msg("'%s' is not in '%s'", sentence, err.text);
}

static void unknown_words_are_refused(void **state)
{
	(void)state;
	refuses_workloads("", "a name is missing");
	refuses_workloads("hackbench,", "a name is missing");
	refuses_workloads("hackbenc", "did you mean 'hackbench'?");
	refuses_workloads("exec", "only a grid file can name");
	refuses_workloads("hackbench group=1", "did you mean 'groups'?");
	refuses_workloads("hackbench groups", "no parameter of hackbench with a value");
	refuses_workloads("hackbench groups=", "has no value that can be written here");
	refuses_workloads("hackbench groups={1}", "has no value that can be written");
	refuses_workloads("hackbench groups=1 groups=2", "'groups' is given twice");
}

static void boots_fill_the_time(void **state)
{
	struct guest_spec spec;
	struct grid grid = { .guest = &spec, .nr_columns = 2, .warmup = 1 };
	const struct plan plan = { .grid = &grid };
	/* Two columns on eight CPUs are 16 s of boots, and 2 s of iterations. */
	struct estimate known = { .wall_ns = 2 * CLOCK_SEC };
	struct estimate unknown = { .nr_unknown = 2 };

	(void)state;
	guest_spec_init(&spec);
	assert_int_equal(guest_nr_cpus(&spec.topology), 8);
	assert_int_equal(ab_boots(&plan, &known, 180 * CLOCK_SEC), 10);
	assert_int_equal(ab_boots(&plan, &unknown, 220 * CLOCK_SEC), 10);
	assert_int_equal(ab_boots(&plan, &known, CLOCK_SEC), AB_LEAST_BOOTS);
	assert_int_equal(ab_boots(&plan, &known, 360000 * CLOCK_SEC), AB_MOST_BOOTS);
}

static void releases_without_commits_have_none(void **state)
{
	(void)state;
	assert_null(ab_commits("/", "6.1.0-57-cloud-amd64", "6.12.1-g0123456789ab"));
	assert_null(ab_commits("/", "6.1.0-g0123456789ab", "6.12.1-generic"));
	assert_null(ab_commits("/", "6.1.0-g0123", "6.12.1-g0123456789ab"));
	assert_null(ab_commits("/proc", "6.1.0-g0123456789ab", "6.12.1-g0123456789ab"));
}

static void git(const char *dir, const char *const *words)
{
	const char *argv[16] = {
		"git", "-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.org"
	};
	size_t nr = 7;
	pid_t pid;
	int status;

	while (*words)
		argv[nr++] = *words++;
	pid = fork();
	if (!pid) {
		(void)execvp("git", (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* "6.1.0-g" and the commit that is checked out; the caller's. */
static char *release_of(const char *dir)
{
	char *path = file_path("%s/.git/refs/heads/main", dir);
	char *hash = file_read_line(path);
	char *release;

	assert_non_null(hash);
	release = file_path("6.1.0-g%.12s", hash);
	free(hash);
	free(path);
	return release;
}

static int remove_one(const char *path, const struct stat *info, int type,
		      struct FTW *place)
{
	(void)info;
	(void)type;
	(void)place;
	return remove(path);
}

static void commits_of_one_tree_are_counted(void **state)
{
	static const char *const init[] = { "init", "-q", "-b", "main", NULL };
	static const char *const commit[] = { "commit", "-q", "--allow-empty",
					      "-m",	"x",  NULL };
	char dir[] = "/tmp/test-ab-XXXXXX";
	char *a, *b, *text, *expected;

	(void)state;
	assert_non_null(mkdtemp(dir));
	git(dir, init);
	git(dir, commit);
	a = release_of(dir);
	git(dir, commit);
	git(dir, commit);
	b = release_of(dir);
	expected = file_path("0 commits only in A (%s), 2 only in B (%s)",
			     strchr(a, 'g') + 1, strchr(b, 'g') + 1);
	text = ab_commits(dir, a, b);
	assert_non_null(text);
	assert_string_equal(text, expected);
	free(text);
	assert_null(ab_commits(dir, a, "6.1.0-g0123456789ab"));
	free(expected);
	free(a);
	free(b);
	assert_int_equal(nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(settings_run_here_until_they_are_known),
		cmocka_unit_test(a_list_or_a_word_alone_is_a_pin),
		cmocka_unit_test(sides_say_what_they_were_taken_for),
		cmocka_unit_test(kernels_need_guests),
		cmocka_unit_test(guests_have_boots_and_quotes),
		cmocka_unit_test(workloads_have_parameters_and_words),
		cmocka_unit_test(unknown_words_are_refused),
		cmocka_unit_test(boots_fill_the_time),
		cmocka_unit_test(releases_without_commits_have_none),
		cmocka_unit_test(commits_of_one_tree_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
