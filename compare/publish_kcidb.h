/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table as KCIDB, the kernel's database of test results, takes it: version 5.3 of its
 * JSON (kernelci/kcidb-io, schema v05_03). A kernel is a checkout, a column a build, a
 * cell a test with one number, whose samples and spread are in its "misc".
 */
#ifndef COMPARE_PUBLISH_KCIDB_H
#define COMPARE_PUBLISH_KCIDB_H

struct err;
struct jval;
struct table;

/**
 * struct kcidb_source - who says so
 * @origin: name of the sender: lower-case letters, digits and _
 * @run: what the run is called
 * @version: of the suite
 */
struct kcidb_source {
	const char *origin, *run, *version;
};

/**
 * kcidb_json - all of a table
 * @table: finished
 * @source: lent
 * @ret: passes kcidb_check(); the caller's, written on success only
 * @err: says what is wrong
 *
 * A cell with samples is DONE, one that only failed ERROR, one that doesn't apply SKIP,
 * one without records MISS; only the first has a number.
 *
 * Return: 0, -ENOMEM, or what kcidb_check() says.
 */
int kcidb_json(const struct table *table, const struct kcidb_source *source,
	       struct jval **ret, struct err *err);

/**
 * kcidb_check - hold a submission against the schema, as far as we use it
 * @json: any value
 * @err: names the place and what was expected
 *
 * Keys, types, patterns; and what the schema leaves open: ids are there once, and what
 * they refer to is there.
 *
 * Return: 0 or -EPROTO.
 */
int kcidb_check(const struct jval *json, struct err *err);

#endif
