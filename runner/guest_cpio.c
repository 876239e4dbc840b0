// SPDX-License-Identifier: GPL-2.0-or-later
/* The "newc" format: a header of hexadecimal numbers, name and data, each padded to a
 * multiple of four. All times are 0, so that the same files make the same archive. */
#include "runner/guest_cpio.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/file.h"

enum { FILE_MAX_BYTES = 1 << 28 };

/* struct entry - what a header says beside name and place */
struct entry {
	unsigned int mode, major, minor;
	const void *data;
	size_t len;
};

static void pad(struct guest_cpio *cpio, size_t len)
{
	while (len++ % 4)
		(void)fputc(0, cpio->out);
}

static void add(struct guest_cpio *cpio, const char *path, const struct entry *entry)
{
	size_t name = strlen(path) + 1;
	int head;

	head = fprintf(cpio->out,
		       "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X",
		       ++cpio->nr, entry->mode, 0U, 0U, 1U, 0U, (unsigned int)entry->len,
		       0U, 0U, entry->major, entry->minor, (unsigned int)name, 0U);
	(void)fwrite(path, 1, name, cpio->out);
	pad(cpio, (size_t)head + name);
	if (entry->len)
		(void)fwrite(entry->data, 1, entry->len, cpio->out);
	pad(cpio, entry->len);
}

void guest_cpio_dir(struct guest_cpio *cpio, const char *path)
{
	add(cpio, path, &(const struct entry){ .mode = S_IFDIR | 0755 });
}

void guest_cpio_device(struct guest_cpio *cpio, const char *path, unsigned int major,
		       unsigned int minor)
{
	add(cpio, path,
	    &(const struct entry){
		    .mode = S_IFCHR | 0600, .major = major, .minor = minor });
}

void guest_cpio_data(struct guest_cpio *cpio, const char *path, unsigned int mode,
		     const void *data, size_t len)
{
	add(cpio, path,
	    &(const struct entry){ .mode = S_IFREG | mode, .data = data, .len = len });
}

int guest_cpio_file(struct guest_cpio *cpio, const char *path, const char *from,
		    struct err *err)
{
	char *data = NULL;
	size_t len;
	int bad = file_read(from, FILE_MAX_BYTES, &data, &len, err);

	if (!bad)
		guest_cpio_data(cpio, path, 0755, data, len);
	free(data);
	return bad;
}

int guest_cpio_end(struct guest_cpio *cpio)
{
	add(cpio, "TRAILER!!!", &(const struct entry){ 0 });
	return fflush(cpio->out) || ferror(cpio->out) ? -EIO : 0;
}
