/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel versions as numbers that compare: rules of the scheduler hold from a version
 * on.
 */
#ifndef POLICY_RELEASE_H
#define POLICY_RELEASE_H

struct err;

/** RELEASE - the number of a version; RELEASE(6, 1, 192) is above RELEASE(5, 18, 0) */
#define RELEASE(major, minor, patch)                                 \
	((unsigned int)(major) << 24 | (unsigned int)(minor) << 16 | \
	 (unsigned int)(patch))

/**
 * release_parse - read a version
 * @text: as `uname -r` prints it or as people write it: 6.1.192, v5.18, 2.6.32,
 *        6.12.57+deb13-amd64
 * @ret: written on success only
 * @err: says what was expected
 *
 * Return: 0 or -EINVAL.
 */
int release_parse(const char *text, unsigned int *ret, struct err *err);

#endif
