/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a run to what a target takes of it: bundle, report, manifest, mail, series, JSON. */
#ifndef CLI_PUBLISH_PARTS_H
#define CLI_PUBLISH_PARTS_H

#include <stddef.h>

#include "lib/scratch.h"

struct err;
struct publish_target;
struct spool_part;

/**
 * struct publish_parts - what is to be sent
 * @scratch: where files are made meanwhile
 * @part: owned, as are the parts' texts and bytes
 * @nr: how many
 */
struct publish_parts {
	struct scratch scratch;
	struct spool_part *part;
	size_t nr;
};

/**
 * publish_parts_make - make what a target takes of a run
 * @dir: directory of the run
 * @run: what it is called; becomes part of names
 * @target: decides on the kinds
 * @ret: to be released by publish_parts_release(), after a failure too
 * @err: says what could not be made
 *
 * A report that can't be made is said and left out of a bundle's company; the manifest
 * says so.
 *
 * Return: 0 or a negative errno.
 */
int publish_parts_make(const char *dir, const char *run,
		       const struct publish_target *target, struct publish_parts *ret,
		       struct err *err);

/** publish_parts_release - free all of it; zeroed ones are fine */
void publish_parts_release(struct publish_parts *parts);

/**
 * publish_run_name - what a run is called: the last part of its path, fit for a name
 * @dir: a directory that has a ledger
 * @err: says why there is no name
 *
 * Return: the caller's, or NULL.
 */
char *publish_run_name(const char *dir, struct err *err);

#endif
