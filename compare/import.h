/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Figures that others measured, made into an ordinary run: a directory with a ledger
 * that compare reads. The readers of each kind of source add value by value;
 * import_write() puts all of it on the disk, or nothing.
 */
#ifndef COMPARE_IMPORT_H
#define COMPARE_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/record.h"

struct err;
struct import;
struct jval;

/**
 * struct import_value - one figure and where it belongs
 * @column: label of the column
 * @workload: such as "hackbench"
 * @variant: such as "hackbench-process-pipes"
 * @machine: NULL: not known
 * @boot: NULL: not known, "import"
 * @point: object of the values that label the row; NULL: none
 * @parameters: object of the fixed ones; NULL: not known
 * @block: 0: not known
 * @iteration: 0: the next one of this cell in which the metric isn't known yet
 * @status: a value of another one than RECORD_OK has no metric
 * @metric: name, unit, direction; @mean is one sample unless it is a summary
 */
struct import_value {
	const char *column, *workload, *variant, *machine, *boot;
	const struct jval *point, *parameters;
	uint64_t block, iteration;
	enum record_status status;
	struct record_metric metric;
};

/** import_new - nothing imported yet, to be freed by import_free(); NULL: no memory */
struct import *import_new(void);

/** import_free - NULL is fine */
void import_free(struct import *import);

/** import_count - how many values were added */
size_t import_count(const struct import *import);

/**
 * import_add - copy @value
 * @import: receives it
 * @value: lent
 * @err: says what is wrong with it; the caller knows the place
 *
 * After -ENOMEM the import is only good for import_free().
 *
 * Return: 0; -EINVAL for a name that is empty, longer than 1000 bytes or has characters
 * that can't be seen, and for a number that isn't finite or, as a standard deviation,
 * negative; -EPROTO for a boot that is no file name; -EEXIST for a metric that the
 * iteration has already, or that has a summary beside something else in the cell; or
 * -ENOMEM.
 */
int import_add(struct import *import, const struct import_value *value, struct err *err);

/**
 * import_guess_higher - the direction of a metric that nobody tells
 * @workload: that it is of; hackbench measures times
 * @metric: its name
 *
 * Return: false for what is called a time, a latency or a spread, else true.
 */
bool import_guess_higher(const char *workload, const char *metric);

/**
 * struct import_part - a run to make
 * @import: holds at least one value
 * @name: of its directory in the one asked for; NULL: it is that one
 */
struct import_part {
	struct import *import;
	const char *name;
};

/**
 * import_write - make runs of what was added
 * @parts: either one without a name, or any number with names
 * @nr: how many
 * @dir: must not exist; the directories above it are made
 * @err: names the directory
 *
 * Return: 0, -ENODATA for an import without a value, -EEXIST when @dir exists, or another
 * negative errno. The directory appears complete or not at all.
 */
int import_write(const struct import_part *parts, size_t nr, const char *dir,
		 struct err *err);

#endif
