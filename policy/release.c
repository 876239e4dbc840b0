// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads kernel versions; see release.h. */
#include "policy/release.h"

#include <errno.h>

#include "lib/err.h"

enum { PARTS = 3 };

static int digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : -1;
}

static int refuse(const char *text, struct err *err)
{
	return err_set(err, -EINVAL,
		       "'%s' is no kernel version (expected one such as 6.1.192)", text);
}

int release_parse(const char *text, unsigned int *ret, struct err *err)
{
	static const unsigned int limit[PARTS] = { 255, 255, 65535 };
	unsigned int part[PARTS] = { 0 };
	const char *at = text + (*text == 'v');
	int nr;

	for (nr = 0; nr < PARTS && digit(*at) >= 0; at++) {
		for (; digit(*at) >= 0 && part[nr] <= limit[nr]; at++)
			part[nr] = part[nr] * 10 + (unsigned int)digit(*at);
		if (part[nr] > limit[nr])
			return refuse(text, err);
		nr++;
		if (nr == PARTS || *at != '.' || digit(at[1]) < 0)
			break;
	}
	/* What follows belongs to a distribution or names a candidate: -rc3, +deb13. */
	if (nr < 2 || (*at && *at != '-' && *at != '+' && *at != '.' && *at != '_'))
		return refuse(text, err);
	*ret = RELEASE(part[0], part[1], part[2]);
	return 0;
}
