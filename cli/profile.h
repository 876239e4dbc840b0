/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where machine profiles are kept, and the line that cites one. */
#ifndef CLI_PROFILE_H
#define CLI_PROFILE_H

#include <stddef.h>

struct err;
struct jval;

/**
 * profile_path - the file of a machine below the user's state
 * @machine: see profile_machine()
 * @ret: receives $XDG_STATE_HOME/schedgrid/profile-KEY.json, in $HOME/.local/state where
 *       that isn't set, the caller's; NULL where neither is
 *
 * Return: 0 or -ENOMEM.
 */
int profile_path(const struct jval *machine, char **ret);

/**
 * profile_cite - the line of the profile that goes with runs
 * @file: of the profile, NULL: that of their machine, if there is one
 * @dirs: of the runs
 * @nr_dirs: how many
 * @ret: receives the line, the caller's; NULL where there is none: no profile, another
 *       machine, several machines
 * @err: names the file that is damaged, or @file where it isn't of their machine
 *
 * Return: 0 or a negative errno.
 */
int profile_cite(const char *file, const char *const *dirs, size_t nr_dirs, char **ret,
		 struct err *err);

#endif
