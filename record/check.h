/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a record that can be read is one that a run can have left: a ledger that
 * was edited or damaged must not become a table.
 */
#ifndef RECORD_CHECK_H
#define RECORD_CHECK_H

struct err;
struct record;

/**
 * record_check - look for numbers and dates that no run comes to
 * @record: as record_read() gives it
 * @err: names the record and what is wrong with it
 *
 * Those are numbers beyond any run's length, an id that ends in another iteration or
 * attempt than the record's own, a start that is no date, and what was measured here
 * and is below 0.
 *
 * Return: 0 or -EPROTO.
 */
int record_check(const struct record *record, struct err *err);

#endif
