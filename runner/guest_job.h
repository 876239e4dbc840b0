/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a guest gets: its root as one archive, with the programs that its
 * turns need, and a job file that says what to do.
 */
#ifndef RUNNER_GUEST_JOB_H
#define RUNNER_GUEST_JOB_H

struct err;
struct guest_boot;

/**
 * guest_job_write - write job.json and initrd.cpio
 * @boot: for which
 * @dir: where to
 * @err: says what failed
 *
 * Return: 0 or a negative errno.
 */
int guest_job_write(const struct guest_boot *boot, const char *dir, struct err *err);

#endif
