/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a table keeps until it is finished. Private to the table's two halves:
 * table.c takes records in, table_finish.c lays them out.
 */
#ifndef COMPARE_TABLE_BUILD_H
#define COMPARE_TABLE_BUILD_H

#include "compare/table.h"
#include "compare/textmap.h"
#include "record/record.h"

struct jval;

/**
 * struct build_value - one number of an execution
 * @metric_idx: in the section
 * @is_summary: the number is a mean, and the rest holds
 * @number: sample or mean
 * @stddev: NAN when not known
 * @n: 0 when not known
 * @digits: -1 when not known
 */
struct build_value {
	size_t metric_idx;
	bool is_summary;
	double number, stddev;
	uint64_t n;
	int digits;
};

/**
 * struct execution - the last attempt of one iteration
 * @section_idx: in the table
 * @point_idx: in the section
 * @column_idx: in the table
 * @attempt: which try
 * @status: how it ended
 * @flags: of the record
 * @reason: kept text, may be NULL
 * @boot: kept text, unique over all runs; may be NULL
 * @machine: kept text, may be NULL
 * @executor: kept text, may be NULL
 * @values: owned
 * @nr_values: how many
 */
struct execution {
	size_t section_idx, point_idx, column_idx;
	uint64_t attempt;
	enum record_status status;
	unsigned int flags;
	const char *reason, *boot, *machine, *executor;
	struct build_value *values;
	size_t nr_values;
};

/**
 * struct table_build - the state
 * @indexes: composite keys to index + 1
 * @texts: one copy of each label
 * @executions: in order of first attempt
 * @nr_executions: how many
 * @jvals: points and parameters, owned
 * @nr_jvals: how many
 * @nr_seen: distinct boots, machines and executors that came up so far
 * @run: how many runs came before, part of what identifies a boot
 * @is_finished: nothing more may come in
 */
struct table_build {
	struct textmap indexes;
	struct textmap texts;
	struct execution *executions;
	size_t nr_executions;
	struct jval **jvals;
	size_t nr_jvals;
	size_t nr_seen;
	size_t run;
	bool is_finished;
};

/**
 * build_grow - make room for one more entry
 * @array: of @nr entries, NULL while @nr is 0; only ever grown by this
 * @nr: entries in use
 * @size: bytes of one
 *
 * Return: the array, perhaps moved; NULL when out of memory, @array is intact.
 */
void *build_grow(void *array, size_t nr, size_t size);

/**
 * build_index - the number under which something is known
 * @build: the state
 * @parts: what identifies it, ended by NULL
 * @next: number to give when it is new
 * @ret: its number
 *
 * Return: 0 or -ENOMEM.
 */
int build_index(struct table_build *build, const char *const *parts, size_t next,
		size_t *ret);

/** build_keep - kept copy of @text, which may be NULL; -ENOMEM or 0 */
int build_keep(struct table_build *build, const char *text, const char **ret);

/** build_column - number of the column @name, which is added when new */
int build_column(struct table *table, const char *name, size_t *ret);

/** build_value_text - a parameter's value to print; the caller's to free() */
char *build_value_text(const struct jval *value);

#endif
