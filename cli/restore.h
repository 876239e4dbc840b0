/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Putting back settings that a run left: for `restore`, and for `run` when its worker dies. */
#ifndef CLI_RESTORE_H
#define CLI_RESTORE_H

struct err;

/**
 * restore_root - directory in front of the files that settings are written to
 * @ret: "" for this machine, or what SCHEDGRID_FSROOT names; lent
 * @err: says what was expected of SCHEDGRID_FSROOT
 *
 * Return: 0 or -EINVAL.
 */
int restore_root(const char **ret, struct err *err);

/**
 * restore_left - put back what a run left, and say so
 * @err: says what can't be put back
 *
 * Return: 0; -ENOENT without a word when there was nothing; or another negative errno.
 */
int restore_left(struct err *err);

#endif
