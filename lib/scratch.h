/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A folder for the moment, for the output of a program that is only asked something:
 * below TMPDIR or /tmp, locked while it is needed, gone afterwards. What a process that
 * was killed left is removed by the next that needs one.
 */
#ifndef LIB_SCRATCH_H
#define LIB_SCRATCH_H

struct err;

/**
 * struct scratch - one such folder
 * @dir: its path
 * @lock: its descriptor, locked
 */
struct scratch {
	char *dir;
	int lock;
};

/**
 * scratch_open - make a folder, and remove those of this user that nobody needs
 * @ret: to be given back by scratch_close(); filled on success only
 * @err: names the folder that could not be made
 *
 * Return: 0 or a negative errno.
 */
int scratch_open(struct scratch *ret, struct err *err);

/** scratch_close - remove the folder with all that is in it */
void scratch_close(struct scratch *scratch);

#endif
