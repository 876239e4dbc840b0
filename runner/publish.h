/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sending what waits in the spool: one entry to its target, each part once, and what the
 * answer means: it has arrived, it is to be tried again, or it isn't wanted. Nothing
 * waits here for a server that asks for patience: the time to try again is noted.
 */
#ifndef RUNNER_PUBLISH_H
#define RUNNER_PUBLISH_H

#include <stdint.h>

struct err;
struct publish_target;
struct spool_entry;

enum {
	PUBLISH_FIRST_WAIT_SEC = 60,
	PUBLISH_MOST_WAIT_SEC = 6 * 3600,
	PUBLISH_MOST_ASKED_SEC = 24 * 3600, /* that a server may ask us to wait */
};

/**
 * enum publish_outcome - what became of an entry
 * @PUBLISH_SENT: all of it has arrived; the spool has it no longer
 * @PUBLISH_LATER: it stays, to be tried again from its @next_s on
 * @PUBLISH_REFUSED: it stays, marked as failed
 */
enum publish_outcome { PUBLISH_SENT, PUBLISH_LATER, PUBLISH_REFUSED };

/**
 * publish_send - send what is left of an entry
 * @entry: open; says afterwards why it is still there
 * @target: where it goes
 * @now_s: seconds since 1970
 * @ret: what became of it; written on success only
 * @err: names what of the spool could not be read or written
 *
 * What a server has already counts as arrived: names of files have the digest of their
 * contents in them, and points of a series their time.
 *
 * Return: 0 or a negative errno.
 */
int publish_send(struct spool_entry *entry, const struct publish_target *target,
		 uint64_t now_s, enum publish_outcome *ret, struct err *err);

/**
 * publish_wait_s - seconds until the next try
 * @nr_tries: how often it was tried in vain, at least 1
 * @id: of the entry: moves the time by up to a quarter, so that many don't come at once
 */
uint64_t publish_wait_s(uint64_t nr_tries, const char *id);

#endif
