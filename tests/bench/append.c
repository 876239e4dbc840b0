// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What it costs to make a line last: appends lines to a new file, syncs each as the
 * ledger does, and prints the microseconds of one fdatasync() on average.
 *
 *   append FILE LINES BYTES
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINE_MOST = 1 << 16 };

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static int append(int fd, size_t len, uint64_t *sync_ns)
{
	static char line[LINE_MOST];
	uint64_t start_ns;

	memset(line, 'x', len);
	line[len - 1] = '\n';
	if (write(fd, line, len) != (ssize_t)len)
		return -1;
	start_ns = now_ns();
	if (fdatasync(fd))
		return -1;
	*sync_ns += now_ns() - start_ns;
	return 0;
}

int main(int argc, char **argv)
{
	unsigned long nr_lines = argc == 4 ? strtoul(argv[2], NULL, 10) : 0;
	unsigned long len = argc == 4 ? strtoul(argv[3], NULL, 10) : 0;
	uint64_t sync_ns = 0;
	unsigned long i;
	int fd;

	if (!nr_lines || !len || len > LINE_MOST) {
		fprintf(stderr, "append: expected FILE LINES BYTES\n");
		return 2;
	}
	fd = open(argv[1], O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
	if (fd < 0) {
		perror("append: cannot create the file");
		return 1;
	}
	for (i = 0; i < nr_lines; i++) {
		if (append(fd, len, &sync_ns)) {
			perror("append: cannot write a line");
			return 1;
		}
	}
	close(fd);
	printf("%.3f\n", (double)sync_ns / (double)nr_lines / 1000.0);
	return 0;
}
