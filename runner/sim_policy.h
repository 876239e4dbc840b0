/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which policy a column's kernel has: as the grid names it, or by the kernel's version. */
#ifndef RUNNER_SIM_POLICY_H
#define RUNNER_SIM_POLICY_H

struct err;
struct grid_column;

/**
 * sim_policy_name - name of the variant for policy_variant_find()
 * @column: names a policy, an image or nothing
 * @release: of the running kernel, for columns that run on that one
 * @ret: the caller's to free(); written on success only
 * @err: says what to write
 *
 * An image is known by the version in its file's name. A version has the policy that was
 * read in a tree of the same major and minor number.
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int sim_policy_name(const struct grid_column *column, const char *release, char **ret,
		    struct err *err);

#endif
