// SPDX-License-Identifier: GPL-2.0-or-later
/* lib/file: whole files, their limits, full disks, and what is left behind. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/err.h"
#include "lib/file.h"
#include "tests/unit/fake-tree.h"

static char *in(const struct fake_tree *tree, const char *name)
{
	char *path = file_path("%s/%s", tree->dir, name);

	assert_non_null(path);
	return path;
}

static size_t count_entries(const char *path)
{
	DIR *dir = opendir(path);
	size_t nr = 0;

	assert_non_null(dir);
	while (readdir(dir))
		nr++;
	(void)closedir(dir);
	return nr - 2;
}

/* The most bytes that a file may have, as a full disk would limit it. */
static void limit_files(rlim_t bytes, struct rlimit *before)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, before), 0);
	limit = *before;
	limit.rlim_cur = bytes;
	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void test_file_path(void **state)
{
	char *path = file_path("%s/%u/%s", "a", 7U, "c");

	(void)state;
	assert_string_equal(path, "a/7/c");
	free(path);
}

static void test_file_read(void **state)
{
	struct fake_tree tree;
	char *path, *text;
	size_t len = 0;
	char *large = malloc(100001);

	(void)state;
	assert_non_null(large);
	memset(large, 'x', 100000);
	large[100000] = '\0';
	fake_tree_init(&tree);
	fake_tree_file(&tree, "large", large);
	fake_tree_file(&tree, "empty", "");
	path = in(&tree, "large");
	assert_int_equal(file_read(path, 100000, &text, &len, NULL), 0);
	assert_int_equal(len, 100000);
	assert_string_equal(text, large);
	free(text);
	free(path);
	path = in(&tree, "empty");
	assert_int_equal(file_read(path, 0, &text, &len, NULL), 0);
	assert_int_equal(len, 0);
	assert_string_equal(text, "");
	free(text);
	free(path);
	free(large);
	/* A file whose size /proc doesn't tell. */
	assert_int_equal(file_read("/proc/self/status", 1 << 20, &text, NULL, NULL), 0);
	assert_non_null(strstr(text, "Pid:"));
	free(text);
	fake_tree_release(&tree);
}

static void test_file_read_refuses(void **state)
{
	struct fake_tree tree;
	struct err err = { 0 };
	char *text = NULL;
	char *path;

	(void)state;
	fake_tree_init(&tree);
	fake_tree_file(&tree, "ten", "0123456789");
	path = in(&tree, "ten");
	assert_int_equal(file_read(path, 9, &text, NULL, &err), -EFBIG);
	assert_non_null(strstr(err.text, "ten' is larger than 9 bytes"));
	free(path);
	path = in(&tree, "none");
	err = (struct err){ 0 };
	assert_int_equal(file_read(path, 9, &text, NULL, &err), -ENOENT);
	assert_non_null(strstr(err.text, "none': No such file"));
	free(path);
	err = (struct err){ 0 };
	assert_int_equal(file_read(tree.dir, 9, &text, NULL, &err), -EISDIR);
	assert_non_null(strstr(err.text, tree.dir));
	assert_null(text);
	fake_tree_release(&tree);
}

static void test_file_open_regular(void **state)
{
	static const char *const others[] = { "fifo", "null", "socket" };
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct fake_tree tree;
	struct err err;
	char *path;
	size_t i;
	int fd;

	(void)state;
	fake_tree_init(&tree);
	path = in(&tree, "new");
	fd = file_open_regular(path, O_RDWR | O_CREAT, NULL);
	assert_true(fd >= 0);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(close(fd), 0);
	free(path);
	path = in(&tree, "null");
	assert_int_equal(symlink("/dev/null", path), 0);
	free(path);
	path = in(&tree, "fifo");
	assert_int_equal(mkfifo(path, 0600), 0);
	free(path);
	path = in(&tree, "socket");
	assert_true(strlen(path) < sizeof(address.sun_path));
	memcpy(address.sun_path, path, strlen(path));
	free(path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(close(fd), 0);
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		char *text = NULL;

		path = in(&tree, others[i]);
		err = (struct err){ 0 };
		/* Would wait for ever at the FIFO. */
		assert_int_equal(file_open_regular(path, O_RDONLY, &err), -EPROTO);
		assert_non_null(strstr(err.text, others[i]));
		assert_non_null(strstr(err.text, "expected a regular file"));
		assert_int_equal(file_open_regular(path, O_RDWR, NULL), -EPROTO);
		assert_int_equal(file_read(path, 9, &text, NULL, NULL), -EPROTO);
		assert_null(text);
		free(path);
	}
	assert_int_equal(file_open_regular(tree.dir, O_RDONLY, NULL), -EISDIR);
	assert_int_equal(file_open_regular("/nonexistent", O_RDONLY, NULL), -ENOENT);
	fake_tree_release(&tree);
}

static void test_file_read_fd(void **state)
{
	char name[] = "/tmp/schedgrid-file-XXXXXX";
	int fd = mkstemp(name);
	char *text = NULL;
	size_t len = 0;

	(void)state;
	assert_true(fd >= 0);
	(void)unlink(name);
	assert_int_equal(file_write_all(fd, "0123456789", 10), 0);
	/* From the start, though the descriptor is at the end, and stays there. */
	assert_int_equal(file_read_fd(fd, 10, &text, &len), 0);
	assert_int_equal(len, 10);
	assert_string_equal(text, "0123456789");
	free(text);
	assert_int_equal(lseek(fd, 0, SEEK_CUR), 10);
	assert_int_equal(file_read_fd(fd, 9, &text, &len), -EFBIG);
	/* More than the first portion. */
	assert_int_equal(ftruncate(fd, 100000), 0);
	assert_int_equal(file_read_fd(fd, 100000, &text, &len), 0);
	assert_int_equal(len, 100000);
	free(text);
	(void)close(fd);
	assert_int_equal(file_read_fd(-1, 9, &text, &len), -EBADF);
}

static void test_file_read_line(void **state)
{
	static const struct {
		const char *text, *line;
	} cases[] = {
		{ "performance\n", "performance" },
		{ "no newline", "no newline" },
		{ "first\nsecond\n", "first" },
		{ "", NULL },
		{ "\nsecond\n", NULL },
	};
	struct fake_tree tree;
	size_t i;

	(void)state;
	fake_tree_init(&tree);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *path = in(&tree, "file");
		char *line;

		fake_tree_file(&tree, "file", cases[i].text);
		line = file_read_line(path);
		if (cases[i].line)
			assert_string_equal(line, cases[i].line);
		else
			assert_null(line);
		free(line);
		free(path);
	}
	assert_null(file_read_line(tree.dir));
	assert_null(file_read_line("/nonexistent"));
	fake_tree_release(&tree);
}

static void test_file_replace(void **state)
{
	struct fake_tree tree;
	struct stat stat_buf;
	char *path, *text;
	size_t len;

	(void)state;
	fake_tree_init(&tree);
	path = in(&tree, "file");
	assert_int_equal(file_replace(path, "a\0b", 3, NULL), 0);
	text = fake_tree_read(&tree, "file", &len);
	assert_int_equal(len, 3);
	assert_memory_equal(text, "a\0b", 3);
	free(text);
	assert_int_equal(file_replace(path, "", 0, NULL), 0);
	text = fake_tree_read(&tree, "file", &len);
	assert_int_equal(len, 0);
	free(text);
	assert_int_equal(stat(path, &stat_buf), 0);
	assert_int_equal(stat_buf.st_mode & 07777, 0644);
	assert_int_equal(count_entries(tree.dir), 1);
	free(path);
	fake_tree_release(&tree);
}

static void test_file_replace_keeps_the_old_file(void **state)
{
	char large[8192] = { 0 };
	struct rlimit before;
	struct fake_tree tree;
	struct err err = { 0 };
	char *path, *text;

	(void)state;
	fake_tree_init(&tree);
	fake_tree_file(&tree, "file", "old");
	path = in(&tree, "file");
	limit_files(1000, &before);
	assert_int_equal(file_replace(path, large, sizeof(large), &err), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_non_null(strstr(err.text, "file': File too large"));
	text = fake_tree_read(&tree, "file", NULL);
	assert_string_equal(text, "old");
	free(text);
	assert_int_equal(count_entries(tree.dir), 1);
	free(path);

	/* A directory can't be replaced; nothing half-written stays beside it. */
	fake_tree_file(&tree, "dir/x", "x");
	path = in(&tree, "dir");
	err = (struct err){ 0 };
	assert_true(file_replace(path, "x", 1, &err) < 0);
	assert_int_equal(count_entries(tree.dir), 2);
	free(path);
	path = in(&tree, "none/file");
	err = (struct err){ 0 };
	assert_int_equal(file_replace(path, "x", 1, &err), -ENOENT);
	assert_non_null(strstr(err.text, "none/file"));
	free(path);
	fake_tree_release(&tree);
}

static void test_file_write_all(void **state)
{
	enum { SIZE = 1 << 20 };
	struct fake_tree tree;
	char *data = malloc(SIZE);
	char *path, *text;
	size_t len;
	int fd, i;

	(void)state;
	assert_non_null(data);
	for (i = 0; i < SIZE; i++)
		data[i] = (char)(i * 31 + i / 997);
	fake_tree_init(&tree);
	path = in(&tree, "file");
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, data, SIZE), 0);
	assert_int_equal(file_write_all(fd, data, 0), 0);
	assert_int_equal(close(fd), 0);
	text = fake_tree_read(&tree, "file", &len);
	assert_int_equal(len, SIZE);
	assert_memory_equal(text, data, SIZE);
	free(text);
	free(data);
	free(path);
	assert_int_equal(file_write_all(-1, "x", 1), -EBADF);
	fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, "x", 1), -ENOSPC);
	(void)close(fd);
	fake_tree_release(&tree);
}

static void test_file_make_dirs(void **state)
{
	static const char *const paths[] = { "a", "a/b/c", "a/b/c", "d//e/", "./f/../g" };
	struct fake_tree tree;
	struct stat stat_buf;
	struct err err = { 0 };
	char *path;
	size_t i;

	(void)state;
	fake_tree_init(&tree);
	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		path = in(&tree, paths[i]);
		assert_int_equal(file_make_dirs(path, NULL), 0);
		assert_int_equal(stat(path, &stat_buf), 0);
		assert_true(S_ISDIR(stat_buf.st_mode));
		free(path);
	}
	assert_int_equal(file_make_dirs("/", NULL), 0);
	assert_int_equal(file_make_dirs(".", NULL), 0);

	fake_tree_file(&tree, "file", "x");
	path = in(&tree, "file");
	assert_int_equal(file_make_dirs(path, &err), -ENOTDIR);
	assert_non_null(strstr(err.text, "file': Not a directory"));
	free(path);
	path = in(&tree, "file/below");
	assert_int_equal(file_make_dirs(path, NULL), -ENOTDIR);
	free(path);
	/* A link to a folder is as good as one. */
	path = in(&tree, "link");
	assert_int_equal(symlink("a", path), 0);
	assert_int_equal(file_make_dirs(path, NULL), 0);
	free(path);
	assert_int_equal(file_make_dirs("", NULL), -ENOENT);
	fake_tree_release(&tree);
}

static void test_file_remove_tree(void **state)
{
	struct fake_tree tree;
	char *inner, *link;
	char *text;

	(void)state;
	fake_tree_init(&tree);
	fake_tree_file(&tree, "gone/a/b", "b");
	fake_tree_file(&tree, "kept/c", "c");
	inner = file_path("%s/gone", tree.dir);
	link = file_path("%s/gone/link", tree.dir);
	assert_int_equal(symlink("../kept", link), 0);
	file_remove_tree(inner);
	assert_int_equal(access(inner, F_OK), -1);
	text = fake_tree_read(&tree, "kept/c", NULL);
	assert_string_equal(text, "c");
	/* What isn't there is removed already. */
	file_remove_tree(inner);
	free(text);
	free(link);
	free(inner);
	fake_tree_release(&tree);
}

static void test_file_sync_dir(void **state)
{
	struct fake_tree tree;
	struct err err = { 0 };

	(void)state;
	fake_tree_init(&tree);
	assert_int_equal(file_sync_dir(tree.dir, NULL), 0);
	fake_tree_release(&tree);
	assert_int_equal(file_sync_dir(tree.dir, &err), -ENOENT);
	assert_non_null(strstr(err.text, tree.dir));
}

static void test_file_read_stream(void **state)
{
	char path[32];
	char *text = NULL;
	size_t len = 0;
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "grid", 4), 4);
	(void)close(ends[1]);
	(void)snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	assert_int_equal(file_read_stream(path, 100, &text, &len, NULL), 0);
	assert_int_equal(len, 4);
	assert_string_equal(text, "grid");
	free(text);
	(void)close(ends[0]);
	assert_int_equal(file_read_stream("/none", 100, &text, &len, NULL), -ENOENT);
}

static void test_file_open_inside(void **state)
{
	static const char *const refused[] = { "link", "folder/link/deep", "fifo",
					       "folder", "file/x" };
	struct fake_tree tree;
	struct err err = { 0 };
	char *text = NULL;
	char *path, *to;
	size_t len, i;
	int fd;

	(void)state;
	fake_tree_init(&tree);
	fake_tree_file(&tree, "file", "one");
	fake_tree_file(&tree, "folder/real/deep", "two");
	path = file_path("%s/link", tree.dir);
	assert_int_equal(symlink("file", path), 0);
	free(path);
	path = file_path("%s/folder/link", tree.dir);
	to = file_path("%s/folder/real", tree.dir);
	assert_int_equal(symlink(to, path), 0);
	free(to);
	/* The directory itself may be named by a link. */
	assert_int_equal(file_read_inside(path, "deep", 10, &text, &len, NULL), 0);
	assert_string_equal(text, "two");
	free(text);
	free(path);
	path = file_path("%s/fifo", tree.dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	free(path);

	fd = file_open_inside(tree.dir, "folder/real/deep", NULL);
	assert_true(fd >= 0);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	(void)close(fd);
	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		err = (struct err){ 0 };
		if (file_open_inside(tree.dir, refused[i], &err) != -EPROTO)
			fail_msg("%s is opened", refused[i]);
		assert_non_null(strstr(err.text, "links are not followed"));
	}
	assert_int_equal(file_open_inside(tree.dir, "none", NULL), -ENOENT);
	assert_int_equal(file_open_inside(tree.dir, "none/deep", NULL), -ENOENT);
	assert_int_equal(file_open_inside("/nowhere", "file", NULL), -ENOENT);
	fake_tree_release(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_file_read_stream),
		cmocka_unit_test(test_file_path),
		cmocka_unit_test(test_file_read),
		cmocka_unit_test(test_file_read_refuses),
		cmocka_unit_test(test_file_open_regular),
		cmocka_unit_test(test_file_open_inside),
		cmocka_unit_test(test_file_read_fd),
		cmocka_unit_test(test_file_read_line),
		cmocka_unit_test(test_file_replace),
		cmocka_unit_test(test_file_replace_keeps_the_old_file),
		cmocka_unit_test(test_file_write_all),
		cmocka_unit_test(test_file_make_dirs),
		cmocka_unit_test(test_file_remove_tree),
		cmocka_unit_test(test_file_sync_dir),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
