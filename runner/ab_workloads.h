/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The workloads of an A/B comparison, from a command line to a grid's list. */
#ifndef RUNNER_AB_WORKLOADS_H
#define RUNNER_AB_WORKLOADS_H

#include <stdbool.h>

struct err;

/**
 * ab_workloads - write what a grid has below "workloads:"
 * @text: as struct ab_wish has it; NULL: hackbench, and here also stream
 * @is_guest: parameters that aren't given are small enough for an emulated machine
 * @ret: receives the lines, the caller's to free(); written on success only
 * @err: names what isn't known, and the nearest that is
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int ab_workloads(const char *text, bool is_guest, char **ret, struct err *err);

#endif
