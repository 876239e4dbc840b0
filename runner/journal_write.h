/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One write to a file of /proc or /sys, done and undone: the only place of the suite that
 * changes a setting of the machine. Which writes there were is the journal's to know, see
 * journal.h; nothing else calls this.
 */
#ifndef RUNNER_JOURNAL_WRITE_H
#define RUNNER_JOURNAL_WRITE_H

#include <stdbool.h>
#include <stddef.h>

struct err;

/**
 * enum journal_kind - how a file takes a value and tells it
 * @JOURNAL_VALUE: it is the value; of several words the one in brackets or parentheses
 * @JOURNAL_WORD: a list that has the word X or the word NO_X, and takes one of them
 * @JOURNAL_PART: a list that has the word X or not, and takes +X or -X
 * @JOURNAL_GROUP: a directory that is made; its value is nothing
 * @JOURNAL_MOVE: takes the number of a process, which was in the file @before before
 */
enum journal_kind {
	JOURNAL_VALUE,
	JOURNAL_WORD,
	JOURNAL_PART,
	JOURNAL_GROUP,
	JOURNAL_MOVE,
};

/**
 * struct journal_write - one write; all texts are owned
 * @kind: of the file
 * @path: below the root, which begins with /proc/ or /sys/
 * @value: to be written
 * @before: what there was, NULL while that isn't known; of a move a path
 * @beside: a file that tells what @path is, such as the name of a domain whose number may
 *          be another's later; NULL: none
 * @says: what it said then
 */
struct journal_write {
	enum journal_kind kind;
	char *path, *value, *before, *beside, *says;
};

/** struct journal_writes - in the order they are done; owned */
struct journal_writes {
	struct journal_write *write;
	size_t nr;
};

/**
 * journal_add - append a write
 * @kind: of the file
 * @path: copied
 * @value: copied
 *
 * Return: the write, lent until the next call; NULL: out of memory.
 */
struct journal_write *journal_add(struct journal_writes *writes, enum journal_kind kind,
				  const char *path, const char *value);

/** journal_writes_release - free what it owns; it is empty again */
void journal_writes_release(struct journal_writes *writes);

/** journal_read_file - a small file below the root, its ends cut; caller's; NULL: none */
char *journal_read_file(const char *root, const char *path);

/**
 * journal_now - what a write's file says now, in the words of its value
 *
 * Return: the caller's to free(); NULL when it can't be told, or it was a move.
 */
char *journal_now(const char *root, const struct journal_write *write);

/** journal_is_same - whether two values are, whatever the blanks between their words */
bool journal_is_same(const char *a, const char *b);

/**
 * journal_may_write - whether a file is there and can be written by this user
 * @err: says what isn't so
 *
 * Return: 0, -ENOENT, or -EACCES also for a file that root could open: one without a
 * write bit takes nothing.
 */
int journal_may_write(const char *root, const char *path, struct err *err);

/**
 * journal_do - write and read back
 * @err: says what was refused, or read back otherwise
 *
 * A file that says it already isn't written.
 *
 * Return: 0 or a negative errno; -EOPNOTSUPP when it reads back otherwise.
 */
int journal_do(const char *root, const struct journal_write *write, struct err *err);

/** journal_poke - a write that leaves nothing to put back, such as to drop_caches */
int journal_poke(const char *root, const char *path, const char *value, struct err *err);

/**
 * journal_undo - put back what there was
 * @ret_note: receives a sentence when it wasn't simply that, the caller's to free();
 *            else NULL
 *
 * A file that is gone, or is another's now, has nothing to put back.
 *
 * Return: 0 or a negative errno; then it stands as it was found.
 */
int journal_undo(const char *root, const struct journal_write *write, char **ret_note,
		 struct err *err);

#endif
