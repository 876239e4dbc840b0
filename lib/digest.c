// SPDX-License-Identifier: GPL-2.0-or-later
/* SHA-256 through libmd. */
#include "lib/digest.h"

#include <errno.h>
#include <stdint.h>
#include <sha2.h>

#include "lib/err.h"

void digest_bytes(const void *data, size_t len, char hex[DIGEST_HEX + 1])
{
	SHA256Data(data, len, hex);
}

int digest_file(const char *path, char hex[DIGEST_HEX + 1], struct err *err)
{
	if (!SHA256File(path, hex))
		return err_set(err, errno ? -errno : -EIO, "cannot read '%s': %m", path);
	return 0;
}
