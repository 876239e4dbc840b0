// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of a file: as they are, however they fall into what is read, and not too long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/lines.h"

static int file_of(const char *text, size_t len)
{
	int fd = memfd_create("lines", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, text, len), 0);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

static void lines_come_as_they_are(void **state)
{
	static const char text[] = "one\n\nthree\0x\nlast";
	struct lines lines = { .max = 100 };
	const char *line;

	(void)state;
	lines.fd = file_of(text, sizeof(text) - 1);
	assert_int_equal(lines_next(&lines, &line), 4);
	assert_memory_equal(line, "one\n", 4);
	assert_int_equal(lines_next(&lines, &line), 1);
	assert_int_equal(lines_next(&lines, &line), 8);
	assert_memory_equal(line, "three\0x\n", 8);
	assert_int_equal(lines_next(&lines, &line), 4);
	assert_memory_equal(line, "last", 4);
	assert_int_equal(lines_next(&lines, &line), 0);
	(void)close(lines.fd);
	lines_release(&lines);
}

/* Longer ones than what is read at a time, and others across its ends. */
static void lines_of_any_length_come_whole(void **state)
{
	enum { NR = 40, STEP = 12345 };
	struct lines lines = { .max = 1 << 20 };
	char *text = malloc(NR * (size_t)NR * STEP);
	const char *line;
	size_t len = 0;
	size_t i;

	(void)state;
	assert_non_null(text);
	for (i = 1; i <= NR; i++) {
		memset(text + len, 'a' + (int)(i % 26), i * STEP);
		len += i * STEP;
		text[len - 1] = '\n';
	}
	lines.fd = file_of(text, len);
	for (i = 1; i <= NR; i++) {
		assert_int_equal(lines_next(&lines, &line), i * STEP);
		assert_int_equal(line[0], 'a' + (int)(i % 26));
		assert_int_equal(line[i * STEP - 2], 'a' + (int)(i % 26));
		assert_int_equal(line[i * STEP - 1], '\n');
	}
	assert_int_equal(lines_next(&lines, &line), 0);
	(void)close(lines.fd);
	lines_release(&lines);
	free(text);
}

static void too_long_is_refused(void **state)
{
	struct lines lines = { .max = 1 << 18 };
	const char *line;

	(void)state;
	lines.fd = file_of("a\n", 2);
	assert_int_equal(ftruncate(lines.fd, INT64_C(1) << 32), 0);
	assert_int_equal(lines_next(&lines, &line), 2);
	assert_int_equal(lines_next(&lines, &line), -EFBIG);
	(void)close(lines.fd);
	lines_release(&lines);

	lines = (struct lines){ .fd = -1, .max = 10 };
	assert_int_equal(lines_next(&lines, &line), -EBADF);
	lines_release(&lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_come_as_they_are),
		cmocka_unit_test(lines_of_any_length_come_whole),
		cmocka_unit_test(too_long_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
