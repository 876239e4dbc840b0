// SPDX-License-Identifier: GPL-2.0-or-later
/* lib/cgroup and runner/limits on made-up machines. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "benchmarks/bench.h"
#include "lib/cgroup.h"
#include "lib/err.h"
#include "runner/limits.h"
#include "tests/unit/fake-tree.h"

#define UNIFIED "25 20 0:1 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n"
#define HYBRID                                                               \
	"25 20 0:1 / /sys/fs/cgroup/unified rw shared:1 - cgroup2 none rw\n" \
	"26 20 0:2 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"       \
	"27 20 0:3 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"

static void check_at(const struct fake_tree *tree, const struct bench_needs *needs,
		     const char *refusal)
{
	const struct limits_host host = { tree->dir, true };
	struct err err = { 0 };
	int code = limits_provide_at(&host, needs, &err);

	if (!refusal && code)
		fail_msg("refused: %s", err.text);
	if (!refusal)
		return;
	assert_int_equal(code, -EOPNOTSUPP);
	if (!strstr(err.text, refusal))
		fail_msg("expected '%s' in: %s", refusal, err.text);
}

static void test_limits_kernel(void **state)
{
	struct bench_needs needs = { .tasks = 1000 };
	struct fake_tree tree;

	(void)state;
	fake_tree_init(&tree);
	/* What isn't there is no limit. */
	check_at(&tree, &needs, NULL);
	fake_tree_file(&tree, "proc/loadavg", "0.1 0.2 0.3 2/345 678\n");
	fake_tree_file(&tree, "proc/sys/kernel/pid_max", "1346\n");
	check_at(&tree, &needs, NULL);
	fake_tree_file(&tree, "proc/sys/kernel/pid_max", "1345\n");
	check_at(
		&tree, &needs,
		"needs 1000 tasks beside 345 that run, /proc/sys/kernel/pid_max is 1345");
	fake_tree_file(&tree, "proc/sys/kernel/pid_max", "4194304\n");
	fake_tree_file(&tree, "proc/sys/kernel/threads-max", "900\n");
	check_at(&tree, &needs, "/proc/sys/kernel/threads-max is 900");
	fake_tree_file(&tree, "proc/sys/kernel/threads-max", "90000\n");
	check_at(&tree, &needs, NULL);
	needs = (struct bench_needs){ .memory = 64 << 20 };
	fake_tree_file(&tree, "proc/meminfo",
		       "MemTotal: 99 kB\nMemAvailable: 65535 kB\n");
	check_at(&tree, &needs, "needs 64 MiB of memory, 63 MiB are available");
	fake_tree_file(&tree, "proc/meminfo",
		       "MemTotal: 99 kB\nMemAvailable: 65536 kB\n");
	check_at(&tree, &needs, NULL);
	fake_tree_release(&tree);
}

static void test_limits_threads(void **state)
{
	struct bench_needs needs = { .threads = 1000000 };
	struct fake_tree tree;

	(void)state;
	fake_tree_init(&tree);
	check_at(&tree, &needs, NULL);
	fake_tree_file(&tree, "proc/sys/vm/max_map_count", "65530\n");
	needs.threads = 32637;
	check_at(&tree, &needs, NULL);
	needs.threads = 32638;
	check_at(&tree, &needs,
		 "needs 65532 memory areas for the stacks of 32638 threads, "
		 "/proc/sys/vm/max_map_count is 65530");
	/* Processes have their areas to themselves. */
	needs = (struct bench_needs){ .tasks = 32638 };
	check_at(&tree, &needs, NULL);
	fake_tree_release(&tree);
}

static uint64_t threads_of(const char *name, const char *word)
{
	struct bench_needs needs = { 0 };
	struct workload workload;

	workload_init(&workload, bench_find(name));
	for (; word && strcmp(workload_word(&workload, "task"), word) != 0;
	     workload.choice[0]++)
		assert_true(workload.choice[0] < 8);
	workload.ops->needs(&workload, &needs);
	return needs.threads;
}

/* What has threads says how many: nothing here may know it by their words. */
static void test_threads_of_the_workloads(void **state)
{
	(void)state;
	assert_int_equal(threads_of("hackbench", "thread"), 40);
	assert_int_equal(threads_of("hackbench", "process"), 0);
	assert_int_equal(threads_of("messaging", "thread"), 40);
	assert_int_equal(threads_of("messaging", "process"), 0);
	assert_int_equal(threads_of("pipe", "thread"), 2);
	assert_int_equal(threads_of("pipe", "process"), 0);
	assert_int_equal(threads_of("stream", NULL), 1);
}

static void test_bl_095_cgroup_v2(void **state)
{
	struct bench_needs tasks = { .tasks = 100 };
	struct bench_needs memory = { .memory = 100 << 20 };
	struct fake_tree tree;

	(void)state;
	fake_tree_init(&tree);
	fake_tree_file(&tree, "proc/self/cgroup", "0::/a/b\n");
	fake_tree_file(&tree, "proc/self/mountinfo", UNIFIED);
	/* None found: not known, and nothing is refused. */
	check_at(&tree, &tasks, NULL);
	check_at(&tree, &memory, NULL);
	fake_tree_file(&tree, "sys/fs/cgroup/a/b/pids.max", "max\n");
	fake_tree_file(&tree, "sys/fs/cgroup/a/pids.max", "150\n");
	fake_tree_file(&tree, "sys/fs/cgroup/a/pids.current", "51\n");
	check_at(&tree, &tasks, "/sys/fs/cgroup/a/pids.max is 150");
	check_at(&tree, &tasks, "needs 100 tasks beside 51 in the control group");
	fake_tree_file(&tree, "sys/fs/cgroup/a/pids.current", "50\n");
	check_at(&tree, &tasks, NULL);
	fake_tree_file(&tree, "sys/fs/cgroup/a/b/memory.max", "209715200\n");
	fake_tree_file(&tree, "sys/fs/cgroup/a/b/memory.current", "157286400\n");
	check_at(&tree, &memory, "/sys/fs/cgroup/a/b/memory.max is 200 MiB");
	/* The cache of files makes room, shared memory doesn't. */
	fake_tree_file(&tree, "sys/fs/cgroup/a/b/memory.stat",
		       "anon 1\nfile 62914560\nshmem 10485760\n");
	check_at(&tree, &memory, NULL);
	fake_tree_file(&tree, "sys/fs/cgroup/a/b/memory.stat",
		       "anon 1\nfile 62914560\nshmem 20971520\n");
	check_at(&tree, &memory, "beside 110 MiB");
	fake_tree_release(&tree);
}

static void test_bl_095_cgroup_v1_and_hybrid(void **state)
{
	struct bench_needs tasks = { .tasks = 100 };
	struct bench_needs memory = { .memory = 100 << 20 };
	struct fake_tree tree;

	(void)state;
	fake_tree_init(&tree);
	fake_tree_file(&tree, "proc/self/cgroup",
		       "9:name=systemd:/\n8:cpu,pids:/job\n4:memory:/job\n0::/other\n");
	fake_tree_file(&tree, "proc/self/mountinfo", HYBRID);
	/* A file of the hierarchy that doesn't have the controller is no limit. */
	fake_tree_file(&tree, "sys/fs/cgroup/unified/other/pids.max", "1\n");
	check_at(&tree, &tasks, NULL);
	fake_tree_file(&tree, "sys/fs/cgroup/pids/job/pids.max", "99\n");
	check_at(&tree, &tasks, "/sys/fs/cgroup/pids/job/pids.max is 99");
	fake_tree_file(&tree, "sys/fs/cgroup/memory/job/memory.limit_in_bytes",
		       "9223372036854771712\n");
	check_at(&tree, &memory, NULL);
	fake_tree_file(&tree, "sys/fs/cgroup/memory/memory.limit_in_bytes", "52428800\n");
	check_at(&tree, &memory, "/sys/fs/cgroup/memory/memory.limit_in_bytes is 50 MiB");
	fake_tree_release(&tree);
}

static void test_cgroup_find(void **state)
{
	struct cgroup group = { 0 };
	struct fake_tree tree;
	uint64_t number;

	(void)state;
	fake_tree_init(&tree);
	assert_int_equal(cgroup_find(tree.dir, "pids", &group), -ENOENT);
	fake_tree_file(&tree, "proc/self/cgroup", "3:cpuset,pids:/docker/x/y\n");
	fake_tree_file(&tree, "proc/self/mountinfo", "short\n");
	assert_int_equal(cgroup_find(tree.dir, "pids", &group), -ENOENT);
	/* A container sees the hierarchy from its own group on. */
	fake_tree_file(
		&tree, "proc/self/mountinfo",
		"1 2 0:1 /docker/x /sys/fs/cgroup/p rw - cgroup c rw,cpuset,pids\n");
	assert_int_equal(cgroup_find(tree.dir, "pid", &group), -ENOENT);
	assert_int_equal(cgroup_find(tree.dir, "pids", &group), 0);
	assert_false(group.is_v2);
	assert_string_equal(group.dir + strlen(tree.dir), "/sys/fs/cgroup/p/y");
	assert_false(cgroup_number(&group, "pids.max", &number));
	fake_tree_file(&tree, "sys/fs/cgroup/p/y/pids.max", "max\n");
	assert_true(cgroup_number(&group, "pids.max", &number));
	assert_true(number == UINT64_MAX);
	assert_true(cgroup_up(&group));
	assert_string_equal(group.dir, group.top);
	assert_false(cgroup_up(&group));
	cgroup_release(&group);
	assert_null(group.dir);
	fake_tree_release(&tree);
}

/* In a child, as a lowered limit can't be raised again. */
static void test_limits_descriptors(void **state)
{
	const struct bench_needs fits = { .fds = 64 }, too_many = { .fds = 65 };
	const struct rlimit limit = { 32, 64 };
	struct rlimit now = { 0 };
	struct err err = { 0 };
	int status;
	pid_t pid = fork();

	(void)state;
	assert_true(pid >= 0);
	if (!pid) {
		int bad = setrlimit(RLIMIT_NOFILE, &limit) || limits_provide(&fits, &err);

		bad = bad || getrlimit(RLIMIT_NOFILE, &now) || now.rlim_cur != 64;
		bad = bad || limits_provide(&too_many, &err) != -EOPNOTSUPP;
		bad = bad || !strstr(err.text, "needs 65 open descriptors, the hard "
					       "limit is 64 (ulimit -Hn)");
		_exit(bad ? 1 : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void test_limits_user(void **state)
{
	const struct bench_needs fits = { .tasks = 64 }, too_many = { .tasks = 65 };
	const struct rlimit limit = { 32, 64 };
	struct fake_tree tree;
	struct err err = { 0 };
	int status;
	pid_t pid;

	(void)state;
	fake_tree_init(&tree);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		const struct limits_host user = { tree.dir, false };
		const struct limits_host root = { tree.dir, true };
		int bad = setrlimit(RLIMIT_NPROC, &limit) ||
			  limits_provide_at(&user, &fits, &err) ||
			  limits_provide_at(&root, &too_many, &err);

		bad = bad || limits_provide_at(&user, &too_many, &err) != -EOPNOTSUPP;
		bad = bad || !strstr(err.text, "limit of the user is 64 (ulimit -Hu)");
		_exit(bad ? 1 : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	fake_tree_release(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limits_kernel),
		cmocka_unit_test(test_limits_threads),
		cmocka_unit_test(test_threads_of_the_workloads),
		cmocka_unit_test(test_bl_095_cgroup_v2),
		cmocka_unit_test(test_bl_095_cgroup_v1_and_hybrid),
		cmocka_unit_test(test_cgroup_find),
		cmocka_unit_test(test_limits_descriptors),
		cmocka_unit_test(test_limits_user),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
