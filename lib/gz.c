// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The only user of zlib; see gz.h. Its gzread() takes some files that are cut short for
 * whole ones, so the end of the stream is looked for here.
 */
#include "lib/gz.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define ZLIB_CONST
#include <zlib.h>

#include "lib/err.h"
#include "lib/file.h"

/* The largest window that a stream may need, and a header of gzip. */
enum { WINDOW_BITS = 15 + 16, FIRST_BYTES = 1 << 16 };

static bool is_packed(const char *bytes, size_t len)
{
	static const char magic[] = "\x1f\x8b";

	return len >= 2 && !memcmp(bytes, magic, 2);
}

/* struct text - what is unpacked so far, with room for a NUL */
struct text {
	char *bytes;
	size_t len, room;
};

static int grow(struct text *text, size_t max)
{
	size_t room = text->room ? 2 * text->room : FIRST_BYTES;
	char *bytes;

	/* One byte more than allowed tells that there is more. */
	room = room > max + 1 ? max + 1 : room;
	bytes = realloc(text->bytes, room + 1);
	if (!bytes)
		return -ENOMEM;
	text->bytes = bytes;
	text->room = room;
	return 0;
}

/* Until the end of the stream, whose checksum zlib compares. */
static int unpack(z_stream *in, size_t max, struct text *text)
{
	int code;

	do {
		if (text->len == text->room && grow(text, max))
			return -ENOMEM;
		in->next_out = (Bytef *)text->bytes + text->len;
		in->avail_out = (uInt)(text->room - text->len);
		code = inflate(in, Z_NO_FLUSH);
		text->len = text->room - in->avail_out;
		if (text->len > max)
			return -EFBIG;
	} while (code == Z_OK);
	if (code == Z_MEM_ERROR)
		return -ENOMEM;
	if (code != Z_STREAM_END || in->avail_in)
		return -EPROTO;
	text->bytes[text->len] = '\0';
	return 0;
}

static int unpack_bytes(const char *bytes, size_t len, size_t max, struct text *text)
{
	z_stream in = { .next_in = (const Bytef *)bytes, .avail_in = (uInt)len };
	int bad;

	if (inflateInit2(&in, WINDOW_BITS) != Z_OK)
		return -ENOMEM;
	bad = unpack(&in, max, text);
	(void)inflateEnd(&in);
	return bad;
}

int gz_read(const char *path, size_t max, char **ret, size_t *ret_len, struct err *err)
{
	struct text text = { 0 };
	char *bytes = NULL;
	size_t len = 0;
	int bad = file_read(path, max, &bytes, &len, err);

	if (bad)
		return bad;
	if (!is_packed(bytes, len)) {
		*ret = bytes;
		*ret_len = len;
		return 0;
	}
	bad = unpack_bytes(bytes, len, max, &text);
	free(bytes);
	if (!bad) {
		*ret = text.bytes;
		*ret_len = text.len;
		return 0;
	}
	free(text.bytes);
	if (bad == -ENOMEM)
		return err_nomem(err);
	if (bad == -EFBIG)
		return err_set(err, bad, "'%s' has more than %zu bytes", path, max);
	return err_set(err, bad, "'%s' is not what gzip writes, or cut short", path);
}
