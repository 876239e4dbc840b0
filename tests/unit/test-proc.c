// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lib/proc with real children: how they end, what they are given, and that
 * nothing of them stays. Each test runs in a folder of its own and must leave
 * no child and no descriptor behind.
 */
#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/clock.h"
#include "lib/cpulist.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/proc.h"
#include "tests/unit/fake-tree.h"

#define LONG_NS	 (60 * CLOCK_SEC)
#define SHORT_NS (CLOCK_SEC / 10)

/* A folder, a watch, and how the last child went. */
struct stage {
	struct fake_tree tree;
	struct proc_watch watch;
	struct proc_result result;
	struct err err;
	size_t nr_fds;
};

static size_t count_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	size_t nr = 0;

	assert_non_null(dir);
	while (readdir(dir))
		nr++;
	(void)closedir(dir);
	return nr;
}

static void stage_init(struct stage *stage)
{
	memset(stage, 0, sizeof(*stage));
	stage->nr_fds = count_fds();
	fake_tree_init(&stage->tree);
	assert_int_equal(proc_watch_open(&stage->watch, &stage->err), 0);
}

/* A signal that stopped a run stays blocked; the next test begins without it. */
static void forget_signals(void)
{
	static const int stopping[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	sigset_t none;
	size_t i;

	for (i = 0; i < sizeof(stopping) / sizeof(stopping[0]); i++)
		(void)signal(stopping[i], SIG_IGN);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	for (i = 0; i < sizeof(stopping) / sizeof(stopping[0]); i++)
		(void)signal(stopping[i], SIG_DFL);
}

static void stage_release(struct stage *stage)
{
	proc_watch_close(&stage->watch);
	if (stage->watch.signal)
		forget_signals();
	fake_tree_release(&stage->tree);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	assert_int_equal(count_fds(), stage->nr_fds);
}

/* Runs @path with one or two arguments; a second run needs a fresh folder. */
static int run(struct stage *stage, const char *path, const char *first,
	       const char *second, uint64_t timeout_ns)
{
	char *const argv[] = { strdup(path), first ? strdup(first) : NULL,
			       second ? strdup(second) : NULL, NULL };
	const struct proc_spec spec = {
		.path = path,
		.argv = argv,
		.dir = stage->tree.dir,
		.timeout_ns = timeout_ns,
	};
	int bad = proc_run(&stage->watch, &spec, &stage->result, &stage->err);
	size_t i;

	for (i = 0; i < 3; i++)
		free(argv[i]);
	return bad;
}

static void run_script(struct stage *stage, const char *script, uint64_t timeout_ns)
{
	if (run(stage, "/bin/sh", "-c", script, timeout_ns))
		fail_msg("'%s': %s", script, stage->err.text);
}

static void check_output(const struct stage *stage, const char *name,
			 const char *expected)
{
	char *text = fake_tree_read(&stage->tree, name, NULL);

	assert_string_equal(text, expected);
	free(text);
}

static void check_exit(const struct stage *stage, int code)
{
	assert_int_equal(stage->result.end, PROC_EXITED);
	assert_true(WIFEXITED(stage->result.wait_status));
	assert_int_equal(WEXITSTATUS(stage->result.wait_status), code);
}

static void test_proc_run_exit_status(void **state)
{
	struct stage stage;
	uint64_t start_ns = clock_ns();

	(void)state;
	stage_init(&stage);
	run_script(&stage, "echo out; echo err >&2; exit 7", LONG_NS);
	check_exit(&stage, 7);
	check_output(&stage, "stdout", "out\n");
	check_output(&stage, "stderr", "err\n");
	assert_int_equal(stage.result.nr_left, 0);
	assert_true(stage.result.wall_ns > 0);
	assert_true(stage.result.wall_ns <= clock_ns() - start_ns);
	assert_true(stage.result.usage.ru_maxrss > 0);
	assert_int_equal(stage.watch.signal, 0);
	stage_release(&stage);
}

static void test_proc_run_signal_death(void **state)
{
	struct stage stage;

	(void)state;
	stage_init(&stage);
	run_script(&stage, "kill -SEGV $$", LONG_NS);
	assert_int_equal(stage.result.end, PROC_EXITED);
	assert_true(WIFSIGNALED(stage.result.wait_status));
	assert_int_equal(WTERMSIG(stage.result.wait_status), SIGSEGV);
	stage_release(&stage);
}

/* On a host with much else to do, even who is willing may not end in time. */
enum { TRIES = 20 };

static void test_proc_run_timeout(void **state)
{
	bool asked = false;
	int i;

	(void)state;
	for (i = 0; i < TRIES && !asked; i++) {
		struct stage stage;

		stage_init(&stage);
		run_script(&stage, "exec sleep 100", SHORT_NS);
		assert_int_equal(stage.result.end, PROC_TIMEOUT);
		assert_true(WIFSIGNALED(stage.result.wait_status));
		assert_true(stage.result.wall_ns >= SHORT_NS);
		asked = WTERMSIG(stage.result.wait_status) == SIGTERM;
		stage_release(&stage);
	}
	assert_true(asked);
}

/* struct patience - how often a limit is moved */
struct patience {
	unsigned int nr_asked, nr_granted;
};

static uint64_t grant(void *data)
{
	struct patience *patience = data;

	return patience->nr_asked++ < patience->nr_granted ? SHORT_NS : 0;
}

/* Twice as long again, and then no longer. */
static void test_proc_run_more_time(void **state)
{
	char path[] = "/bin/sleep";
	char seconds[] = "100";
	char *argv[] = { path, seconds, NULL };
	struct patience patience = { .nr_granted = 2 };
	struct stage stage;
	struct proc_spec spec = {
		.path = path,
		.argv = argv,
		.timeout_ns = SHORT_NS,
		.more_ns = grant,
		.data = &patience,
	};

	(void)state;
	stage_init(&stage);
	spec.dir = stage.tree.dir;
	assert_int_equal(proc_run(&stage.watch, &spec, &stage.result, &stage.err), 0);
	assert_int_equal(stage.result.end, PROC_TIMEOUT);
	assert_true(stage.result.wall_ns >= 3 * SHORT_NS);
	assert_int_equal(patience.nr_asked, 3);
	stage_release(&stage);
}

static void test_proc_run_timeout_of_a_tree_that_ignores_it(void **state)
{
	bool ignored = false;
	int i;

	(void)state;
	for (i = 0; i < TRIES && !ignored; i++) {
		struct stage stage;

		stage_init(&stage);
		run_script(&stage,
			   "trap '' TERM; sh -c 'sleep 100; sleep 100' & "
			   "setsid sleep 100 & sleep 100; sleep 100",
			   SHORT_NS);
		assert_int_equal(stage.result.end, PROC_TIMEOUT);
		assert_true(WIFSIGNALED(stage.result.wait_status));
		/* Asked before it came to the trap, it ends. */
		ignored = WTERMSIG(stage.result.wait_status) == SIGKILL;
		stage_release(&stage);
	}
	assert_true(ignored);
}

/* The pid that a daemon wrote into the folder, which must be nobody's now. */
static void check_gone(const struct stage *stage, const char *name)
{
	char *text = fake_tree_read(&stage->tree, name, NULL);
	long pid = strtol(text, NULL, 10);

	free(text);
	assert_true(pid > 1);
	assert_int_equal(kill((pid_t)pid, 0), -1);
	assert_int_equal(errno, ESRCH);
}

static void test_proc_run_ends_a_daemon(void **state)
{
	struct stage stage;

	(void)state;
	stage_init(&stage);
	run_script(&stage,
		   "(setsid sh -c '(echo $$ >pid; mv pid daemon; exec sleep 100) & exit' "
		   "&); while ! test -e daemon; do :; done; exit 3",
		   LONG_NS);
	check_exit(&stage, 3);
	assert_int_equal(stage.result.nr_left, 1);
	check_gone(&stage, "daemon");
	stage_release(&stage);
}

static void test_proc_run_finds_a_daemon_by_any_name(void **state)
{
	struct stage stage;

	(void)state;
	stage_init(&stage);
	/* The name looks like the rest of the line it is printed in. */
	run_script(&stage,
		   "setsid sh -c 'printf \"a) S 1 (\\n\" >/proc/$$/comm; echo $$ >pid; "
		   "mv pid daemon; while :; do sleep 100; done' & "
		   "while ! test -e daemon; do :; done",
		   LONG_NS);
	check_exit(&stage, 0);
	assert_true(stage.result.nr_left >= 1);
	check_gone(&stage, "daemon");
	stage_release(&stage);
}

static void test_proc_run_waits_for_what_ends_by_itself(void **state)
{
	unsigned int nr_left = 1;
	int i;

	(void)state;
	for (i = 0; i < TRIES && nr_left; i++) {
		struct stage stage;

		stage_init(&stage);
		run_script(&stage, "(sleep 0.03; echo late) & exit 0", LONG_NS);
		check_exit(&stage, 0);
		nr_left = stage.result.nr_left;
		if (!nr_left)
			check_output(&stage, "stdout", "late\n");
		stage_release(&stage);
	}
	assert_int_equal(nr_left, 0);
}

static void test_proc_run_never_replaces_output(void **state)
{
	static const char *const names[] = { "stdout", "stderr" };
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		struct stage stage;

		stage_init(&stage);
		fake_tree_file(&stage.tree, names[i], "of an older attempt");
		assert_int_equal(run(&stage, "/bin/true", NULL, NULL, LONG_NS), -EEXIST);
		assert_non_null(strstr(stage.err.text, names[i]));
		check_output(&stage, names[i], "of an older attempt");
		stage_release(&stage);
	}
}

static void test_proc_run_environment(void **state)
{
	struct stage stage;

	(void)state;
	assert_int_equal(setenv("SCHEDGRID_TEST", "x", 1), 0);
	stage_init(&stage);
	assert_int_equal(run(&stage, "/usr/bin/env", NULL, NULL, LONG_NS), 0);
	check_output(&stage, "stdout",
		     "LC_ALL=C\n"
		     "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n"
		     "HOME=/\n");
	stage_release(&stage);
	assert_int_equal(unsetenv("SCHEDGRID_TEST"), 0);
}

static void test_proc_run_group_and_session(void **state)
{
	/* pid, parent, group and session, as the line has them */
	long field[4];
	struct stage stage;
	char *text, *at;
	size_t i;

	(void)state;
	stage_init(&stage);
	assert_int_equal(run(&stage, "/bin/cat", "/proc/self/stat", NULL, LONG_NS), 0);
	text = fake_tree_read(&stage.tree, "stdout", NULL);
	field[0] = strtol(text, &at, 10);
	at = strrchr(at, ')');
	assert_non_null(at);
	at += strlen(") R ");
	for (i = 1; i < 4; i++)
		field[i] = strtol(at, &at, 10);
	free(text);
	assert_int_equal(field[1], getpid());
	assert_int_equal(field[2], field[0]);
	assert_int_not_equal(field[2], getpgrp());
	/* Another session would be another autogroup. */
	assert_int_equal(field[3], getsid(0));
	stage_release(&stage);
}

static void test_proc_run_input_and_directory(void **state)
{
	struct stage stage;
	char *expected;

	(void)state;
	stage_init(&stage);
	run_script(&stage, "readlink /proc/$$/fd/0; pwd; cat", LONG_NS);
	check_exit(&stage, 0);
	expected = file_path("/dev/null\n%s\n", stage.tree.dir);
	check_output(&stage, "stdout", expected);
	free(expected);
	stage_release(&stage);
}

static void test_proc_run_signals_of_the_child(void **state)
{
	struct stage stage;
	char *text;
	const char *at;

	(void)state;
	/* As the suite itself does, and as a careless parent may have done. */
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGCHLD, SIG_IGN);
	stage_init(&stage);
	assert_int_equal(run(&stage, "/bin/cat", "/proc/self/status", NULL, LONG_NS), 0);
	(void)signal(SIGPIPE, SIG_DFL);
	check_exit(&stage, 0);
	text = fake_tree_read(&stage.tree, "stdout", NULL);
	at = strstr(text, "SigBlk:");
	assert_non_null(at);
	assert_int_equal(strtoull(at + 7, NULL, 16), 0);
	at = strstr(text, "SigIgn:");
	assert_non_null(at);
	assert_int_equal(strtoull(at + 7, NULL, 16) >> (SIGPIPE - 1) & 1, 0);
	assert_int_equal(strtoull(at + 7, NULL, 16) >> (SIGCHLD - 1) & 1, 0);
	free(text);
	stage_release(&stage);
}

static void our_cpus(struct cpulist *ret)
{
	cpu_set_t set;
	unsigned int i;

	assert_int_equal(sched_getaffinity(0, sizeof(set), &set), 0);
	for (i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set))
			assert_int_equal(cpulist_add(ret, i), 0);
}

static void check_pinned(const struct cpulist *cpus, const struct cpulist *expected)
{
	char cat[] = "/bin/cat", status[] = "/proc/self/status";
	char *const argv[] = { cat, status, NULL };
	char *list = cpulist_write(expected);
	char *line = file_path("Cpus_allowed_list:\t%s\n", list);
	struct proc_spec spec = { .path = cat, .argv = argv, .timeout_ns = LONG_NS };
	struct stage stage;
	char *text;

	stage_init(&stage);
	spec.dir = stage.tree.dir;
	spec.cpus = cpus;
	assert_int_equal(proc_run(&stage.watch, &spec, &stage.result, &stage.err), 0);
	text = fake_tree_read(&stage.tree, "stdout", NULL);
	if (!strstr(text, line))
		fail_msg("no %s in %s", line, text);
	free(text);
	free(line);
	free(list);
	stage_release(&stage);
}

static void test_proc_run_pins(void **state)
{
	struct cpulist ours = { 0 };
	struct cpulist last = { 0 };

	(void)state;
	our_cpus(&ours);
	assert_true(ours.nr > 0);
	assert_int_equal(cpulist_add(&last, ours.cpu[ours.nr - 1]), 0);
	check_pinned(&last, &last);
	check_pinned(&ours, &ours);
	check_pinned(NULL, &ours);
	cpulist_release(&ours);
	cpulist_release(&last);
}

static void test_proc_run_refuses_cpus_that_are_not_there(void **state)
{
	char path[] = "/bin/true";
	char *const argv[] = { path, NULL };
	struct proc_spec spec = { .path = path, .argv = argv, .timeout_ns = LONG_NS };
	struct cpulist cpus = { 0 };
	struct stage stage;

	(void)state;
	assert_int_equal(cpulist_add(&cpus, CPULIST_MAX_CPU), 0);
	stage_init(&stage);
	spec.dir = stage.tree.dir;
	spec.cpus = &cpus;
	assert_int_equal(proc_run(&stage.watch, &spec, &stage.result, &stage.err),
			 -EINVAL);
	assert_string_equal(stage.err.text, "cannot pin '/bin/true': Invalid argument");
	cpulist_release(&cpus);
	stage_release(&stage);
}

static void test_proc_run_cannot_start(void **state)
{
	struct stage stage;
	char *path;

	(void)state;
	stage_init(&stage);
	path = file_path("%s/none", stage.tree.dir);
	assert_int_equal(run(&stage, path, NULL, NULL, LONG_NS), -ENOENT);
	assert_non_null(strstr(stage.err.text, "cannot run '/"));
	assert_non_null(strstr(stage.err.text, "none': No such file"));
	free(path);
	stage_release(&stage);

	stage_init(&stage);
	fake_tree_file(&stage.tree, "plain", "#!/bin/sh\n");
	path = file_path("%s/plain", stage.tree.dir);
	assert_int_equal(run(&stage, path, NULL, NULL, LONG_NS), -EACCES);
	assert_non_null(strstr(stage.err.text, "plain': Permission denied"));
	free(path);
	stage_release(&stage);

	stage_init(&stage);
	fake_tree_release(&stage.tree);
	assert_int_equal(run(&stage, "/bin/true", NULL, NULL, LONG_NS), -ENOENT);
	assert_non_null(strstr(stage.err.text, "stdout"));
	stage_release(&stage);

	stage_init(&stage);
	path = file_path("%s/none", stage.tree.dir);
	{
		char *const argv[] = { path, NULL };
		const struct proc_spec spec = {
			.path = path,
			.argv = argv,
			.dir = stage.tree.dir,
			.timeout_ns = 1,
		};

		assert_int_equal(proc_run(&stage.watch, &spec, &stage.result, NULL),
				 -ENOENT);
	}
	free(path);
	stage_release(&stage);
}

static void test_proc_run_max_file_bytes(void **state)
{
	char *const argv[] = { strdup("sh"), strdup("-c"),
			       strdup("ulimit -f; exec head -c 100000 /dev/zero"), NULL };
	struct stage stage;
	char text[16] = "";
	int out = -1;
	size_t i;

	(void)state;
	stage_init(&stage);
	{
		const struct proc_spec spec = {
			.path = "/bin/sh",
			.argv = argv,
			.dir = stage.tree.dir,
			.timeout_ns = LONG_NS,
			.max_file_bytes = 8192,
			.ret_out = &out,
		};

		assert_int_equal(proc_run(&stage.watch, &spec, &stage.result, NULL), 0);
	}
	assert_true(WIFSIGNALED(stage.result.wait_status));
	assert_int_equal(WTERMSIG(stage.result.wait_status), SIGXFSZ);
	/* What it wrote up to there is kept, and the descriptor can read it. */
	assert_int_equal(lseek(out, 0, SEEK_END), 8192);
	assert_int_equal(pread(out, text, 3, 0), 3);
	assert_string_equal(text, "16\n");
	(void)close(out);
	for (i = 0; i < 3; i++)
		free(argv[i]);
	stage_release(&stage);
}

static void test_proc_wait(void **state)
{
	struct stage stage;
	uint64_t start_ns;

	(void)state;
	stage_init(&stage);
	start_ns = clock_ns();
	assert_false(proc_wait(&stage.watch, start_ns));
	assert_true(proc_wait(&stage.watch, start_ns + SHORT_NS));
	assert_true(clock_ns() >= start_ns + SHORT_NS);
	assert_int_equal(stage.watch.signal, 0);
	(void)raise(SIGTERM);
	assert_true(proc_wait(&stage.watch, clock_ns() + LONG_NS));
	assert_int_equal(stage.watch.signal, SIGTERM);
	stage_release(&stage);
}

static void test_proc_run_stop_signal(void **state)
{
	static const struct {
		const char *script;
		int signal;
	} cases[] = {
		{ "kill -TERM $PPID; exec sleep 100", SIGTERM },
		{ "kill -INT $PPID; exec sleep 100", SIGINT },
		{ "kill -HUP $PPID; exec sleep 100", SIGHUP },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct stage stage;

		stage_init(&stage);
		run_script(&stage, cases[i].script, LONG_NS);
		assert_int_equal(stage.result.end, PROC_SIGNALED);
		assert_int_equal(stage.watch.signal, cases[i].signal);
		assert_int_equal(proc_pending(&stage.watch), cases[i].signal);
		assert_true(WIFSIGNALED(stage.result.wait_status));
		stage_release(&stage);
	}
}

static void test_proc_pending(void **state)
{
	struct stage stage;

	(void)state;
	stage_init(&stage);
	assert_int_equal(proc_pending(&stage.watch), 0);
	assert_int_equal(raise(SIGCHLD), 0);
	assert_int_equal(proc_pending(&stage.watch), 0);
	assert_int_equal(raise(SIGINT), 0);
	assert_int_equal(proc_pending(&stage.watch), SIGINT);
	/* the first is the one to report */
	assert_int_equal(raise(SIGTERM), 0);
	assert_int_equal(proc_pending(&stage.watch), SIGINT);
	run_script(&stage, "exec sleep 100", LONG_NS);
	assert_int_equal(stage.result.end, PROC_SIGNALED);
	stage_release(&stage);
}

static void test_ignored_signals_stop_nothing(void **state)
{
	struct stage stage;

	(void)state;
	/* As nohup leaves it. */
	(void)signal(SIGHUP, SIG_IGN);
	stage_init(&stage);
	run_script(&stage, "kill -HUP $PPID; exit 3", LONG_NS);
	check_exit(&stage, 3);
	assert_int_equal(proc_pending(&stage.watch), 0);
	stage_release(&stage);
	(void)signal(SIGHUP, SIG_DFL);
}

static void test_proc_watch_open_and_proc_watch_close(void **state)
{
	struct proc_watch watch;
	sigset_t before, during, after;
	int reaper = -1;

	(void)state;
	assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &before), 0);
	assert_int_equal(proc_watch_open(&watch, NULL), 0);
	assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &during), 0);
	assert_true(sigismember(&during, SIGTERM));
	assert_true(sigismember(&during, SIGCHLD));
	assert_int_equal(prctl(PR_GET_CHILD_SUBREAPER, &reaper, 0, 0, 0), 0);
	assert_int_equal(reaper, 1);
	proc_watch_close(&watch);
	assert_int_equal(watch.fd, -1);
	assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &after), 0);
	assert_int_equal(sigismember(&after, SIGTERM), sigismember(&before, SIGTERM));
	assert_int_equal(sigismember(&after, SIGCHLD), sigismember(&before, SIGCHLD));
	assert_int_equal(prctl(PR_GET_CHILD_SUBREAPER, &reaper, 0, 0, 0), 0);
	assert_int_equal(reaper, 0);
}

static void test_500_runs(void **state)
{
	struct stage stage;
	char *out, *err;
	int i;

	(void)state;
	stage_init(&stage);
	out = file_path("%s/stdout", stage.tree.dir);
	err = file_path("%s/stderr", stage.tree.dir);
	for (i = 0; i < 500; i++) {
		/* Every second can't be started. */
		int bad = run(&stage, i % 2 ? "/bin/true" : "/none", NULL, NULL, LONG_NS);

		assert_int_equal(bad, i % 2 ? 0 : -ENOENT);
		if (!bad)
			check_exit(&stage, 0);
		stage.err = (struct err){ 0 };
		assert_int_equal(unlink(out), 0);
		assert_int_equal(unlink(err), 0);
	}
	free(out);
	free(err);
	stage_release(&stage);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_proc_run_exit_status),
		cmocka_unit_test(test_proc_run_signal_death),
		cmocka_unit_test(test_proc_run_timeout),
		cmocka_unit_test(test_proc_run_more_time),
		cmocka_unit_test(test_proc_run_timeout_of_a_tree_that_ignores_it),
		cmocka_unit_test(test_proc_run_ends_a_daemon),
		cmocka_unit_test(test_proc_run_finds_a_daemon_by_any_name),
		cmocka_unit_test(test_proc_run_waits_for_what_ends_by_itself),
		cmocka_unit_test(test_proc_run_never_replaces_output),
		cmocka_unit_test(test_proc_run_environment),
		cmocka_unit_test(test_proc_run_group_and_session),
		cmocka_unit_test(test_proc_run_input_and_directory),
		cmocka_unit_test(test_proc_run_signals_of_the_child),
		cmocka_unit_test(test_proc_run_pins),
		cmocka_unit_test(test_proc_run_refuses_cpus_that_are_not_there),
		cmocka_unit_test(test_proc_run_cannot_start),
		cmocka_unit_test(test_proc_run_max_file_bytes),
		cmocka_unit_test(test_proc_wait),
		cmocka_unit_test(test_proc_run_stop_signal),
		cmocka_unit_test(test_proc_pending),
		cmocka_unit_test(test_ignored_signals_stop_nothing),
		cmocka_unit_test(test_proc_watch_open_and_proc_watch_close),
		cmocka_unit_test(test_500_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
