/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many commits lie between two kernels that were built from one git tree. */
#ifndef RUNNER_AB_COMMITS_H
#define RUNNER_AB_COMMITS_H

/**
 * ab_commits - what git says of two releases
 * @dir: in the tree, such as a build directory
 * @a: release of a kernel, as "6.17.0-rc3-g0123456789ab": CONFIG_LOCALVERSION_AUTO puts
 *     the commit behind "-g"
 * @b: of the other
 *
 * Return: "0 commits only in A (0123456789ab), 3 only in B (ba9876543210)", the caller's
 * to free(); NULL where a release names no commit, or the tree doesn't have both.
 */
char *ab_commits(const char *dir, const char *a, const char *b);

#endif
