/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ledger of a run: records.jsonl, append-only, the only truth about what
 * was measured. A record is on the disk before the next iteration starts. A
 * last line that a crash tore is set aside when the run goes on; damage
 * anywhere else is an error that names the line, never skipped.
 */
#ifndef RECORD_LEDGER_H
#define RECORD_LEDGER_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct record;

/** Most attempts at one iteration: a record that claims more is damaged. */
enum { LEDGER_MAX_ATTEMPT = 1000000 };

/**
 * typedef ledger_fn - called for each record
 * @record: lent for the call; the callee may take its parts by copying
 * @data: as given to ledger_read()
 * @err: to be set on failure
 *
 * Return: 0, or a negative errno that ends the reading.
 */
typedef int ledger_fn(const struct record *record, void *data, struct err *err);

/**
 * ledger_read - call @fn for each record of @dir/records.jsonl in file order
 * @dir: directory of a run
 * @fn: called for each record
 * @data: passed to @fn
 * @ret_torn: receives the offset of a torn last line, or -1; may be NULL
 * @err: names the file and line
 *
 * Return: 0 or a negative errno; -EPROTO for a line that isn't a record, also by
 * numbers that no run comes to, and for what isn't a regular file.
 */
int ledger_read(const char *dir, ledger_fn *fn, void *data, int64_t *ret_torn,
		struct err *err);

/**
 * ledger_read_once - likewise, with each id once
 * @dir: directory of a run
 * @fn: called for each record but those whose line was there before
 * @data: passed to @fn
 * @ret_repeated: receives how many lines those were
 * @err: names the file and line
 *
 * Return: as ledger_read(); -EPROTO also for an id that comes again with
 * another content.
 */
int ledger_read_once(const char *dir, ledger_fn *fn, void *data, uint64_t *ret_repeated,
		     struct err *err);

/** struct ledger - a ledger open for appending, locked against other runs */
struct ledger;

/**
 * ledger_open - lock @dir/records.jsonl, creating it when absent
 * @dir: directory of a run, which must exist
 * @ret: the ledger; written on success only
 * @ret_torn: receives the path that a torn last line was moved to, the
 *            caller's to free(), or NULL when there was none
 * @err: says what is wrong
 *
 * Return: 0, -EWOULDBLOCK while another run has it, or another negative errno.
 */
int ledger_open(const char *dir, struct ledger **ret, char **ret_torn, struct err *err);

/**
 * ledger_append - add one record and wait until it is on the disk
 *
 * On failure the ledger is as before: no half record stays. @err names the
 * iteration that has no record then.
 *
 * Return: 0, what ledger_check() says, or another negative errno.
 */
int ledger_append(struct ledger *ledger, const struct record *record, struct err *err);

/**
 * ledger_check - whether the file is still the one that was opened, as we left it
 * @ledger: open
 * @err: says what happened to it
 *
 * What is appended to a file that was removed, replaced or cut would be lost.
 *
 * Return: 0, -EIO when somebody removed, replaced or changed it, or the negative
 * errno of looking.
 */
int ledger_check(const struct ledger *ledger, struct err *err);

/** ledger_close - unlock and free; NULL is fine */
void ledger_close(struct ledger *ledger);

#endif
