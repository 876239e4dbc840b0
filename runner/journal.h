/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal: what was written to this machine's settings and what they were before, on
 * the disk before the first of them is changed. Whoever comes next, this process or one
 * after a crash, puts back by it what there was, in reverse order.
 *
 * There is one for a machine and user, since settings are the machine's and not a run's:
 * /var/lib/schedgrid/journal for root, otherwise in $XDG_STATE_HOME/schedgrid or
 * ~/.local/state/schedgrid. Its lines are "schedgrid-journal-1", one for each set of
 * writes. After a restart of the kernel nothing of it is in force any more.
 */
#ifndef RUNNER_JOURNAL_H
#define RUNNER_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "runner/journal_write.h"

struct err;
struct journal;

/** enum journal_use - what a process opens it for */
enum journal_use {
	JOURNAL_MEASURE, /* others change nothing meanwhile, and neither do we */
	JOURNAL_CHANGE,	 /* we alone are on this machine, and change settings */
};

/**
 * struct journal_report - what was put back
 * @nr_restored: files that have their value again
 * @run: directory of the run that had changed them; empty: not known
 * @notes: one sentence for each that was no plain matter; owned
 * @nr_notes: how many
 */
struct journal_report {
	size_t nr_restored;
	char run[256];
	char **notes;
	size_t nr_notes;
};

/** journal_report_release - free what it owns */
void journal_report_release(struct journal_report *report);

/**
 * journal_open - get hold of this machine's settings
 * @root: directory in front of /proc, /sys and /var, "" for this machine
 * @use: what for; only JOURNAL_CHANGE makes the folder when there is none
 * @ret: NULL where there is none and none is needed; to be given to journal_close()
 * @err: says who has it, or why it can't be
 *
 * Return: 0; -EWOULDBLOCK while another run of this user changes settings, or, for
 * JOURNAL_CHANGE, measures; or another negative errno.
 */
int journal_open(const char *root, enum journal_use use, struct journal **ret,
		 struct err *err);

/**
 * journal_recover - put back what a run left that was killed
 * @report: what was done, added to what is in it; may be NULL
 * @err: names the first file that can't be put back
 *
 * What can't be put back stays in the journal, for the next try.
 *
 * Return: 0, -EPROTO for a journal that can't be read, or another negative errno.
 */
int journal_recover(struct journal *journal, struct journal_report *report,
		    struct err *err);

/** journal_forget - drop what is left in it, and leave the machine as it is */
int journal_forget(struct journal *journal, struct err *err);

/**
 * journal_list - what would be put back
 * @ret: the writes of the journal as they were done, the caller's to release
 *
 * Return: as journal_recover().
 */
int journal_list(const struct journal *journal, struct journal_writes *ret,
		 struct err *err);

/** journal_root - as given to journal_open(); lent */
const char *journal_root(const struct journal *journal);

/**
 * journal_apply - write
 * @writes: taken over, also on failure; what they were before is found here
 * @run: directory of the run, for whoever finds the journal
 * @err: says which file refused, and why
 *
 * On failure what was written stays until journal_restore().
 *
 * Return: 0; what journal_do() says, with -ENOENT and -EACCES, of a file that can't be set
 * here; -EIO when the journal itself can't be written, and then nothing was.
 */
int journal_apply(struct journal *journal, struct journal_writes *writes, const char *run,
		  struct err *err);

/**
 * journal_check - whether all that was written is still so
 * @text: receives a sentence on the first that isn't
 * @size: bytes there
 */
bool journal_check(const struct journal *journal, char *text, size_t size);

/** journal_restore - put back all that journal_apply() wrote; as journal_recover() */
int journal_restore(struct journal *journal, struct err *err);

/** journal_close - let go of it, with nothing put back; NULL is fine */
void journal_close(struct journal *journal);

#endif
