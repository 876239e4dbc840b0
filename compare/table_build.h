/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a table keeps until it is finished. Private to the table's parts: table.c
 * takes records in, table_plan.c what was planned, table_place.c numbers what they
 * name, table_twins.c drops copies, table_unify.c joins sections, table_order.c,
 * table_count.c and table_finish.c lay them out, and comparable.c looks at where the
 * samples come from.
 */
#ifndef COMPARE_TABLE_BUILD_H
#define COMPARE_TABLE_BUILD_H

#include "compare/table.h"
#include "compare/textmap.h"
#include "record/record.h"

struct jval;

/**
 * struct build_value - one number of an execution; there may be millions
 * @number: sample or mean
 * @resolution: 0 when not known
 * @stddev: NAN when not known
 * @n: 0 when not known
 * @metric_idx: in the section
 * @digits: -1 when not known
 * @is_summary: the number is a mean, and @stddev, @n, @digits and @is_hmean hold
 * @is_hmean: a harmonic one, otherwise arithmetic
 */
struct build_value {
	double number, resolution, stddev;
	uint64_t n;
	uint32_t metric_idx;
	int16_t digits;
	bool is_summary, is_hmean;
};

/**
 * struct source - what all iterations of one cell in one boot have in common
 * @section_idx: in the table
 * @point_idx: in the section, on arrival
 * @column_idx: in the table, on arrival
 * @column: its name, kept
 * @cell: identity of the cell, kept
 * @point: as the records have it, may be NULL
 * @parameters: likewise
 * @program: name, version and digest, kept; each NULL when not known
 * @machine: kept text, may be NULL
 * @executor: kept text, may be NULL
 * @monitors: likewise
 * @boot: kept text, unique over all runs; may be NULL
 * @host: what is known of the boot; set with @is_counted, may be NULL
 * @is_counted: an execution of it counts
 * @gave_samples: also with a sample
 * @run: number of the run
 * @nr_planned: iterations that the run's plan wants of the cell; no records come
 *              from such a source
 * @nr_recorded: how many of these a record tells how they ended
 */
struct source {
	size_t section_idx, point_idx, column_idx;
	const char *column, *cell;
	const struct jval *point, *parameters;
	struct {
		const char *name, *version, *sha256;
	} program;
	const char *machine, *executor, *monitors, *boot;
	const struct build_host *host;
	bool is_counted, gave_samples;
	size_t run;
	uint64_t nr_planned, nr_recorded;
};

/**
 * struct execution - the last attempt of one iteration
 * @source_idx: in the state
 * @iteration: which one of the cell
 * @attempt: which try
 * @block: pass over the columns
 * @first: the earliest try known
 * @start: kept text, when @first began; NULL when not known
 * @status: how it ended
 * @flags: of the record
 * @is_twin: another run holds the same iteration, and that one counts
 * @reason: kept text, may be NULL
 * @values: owned
 * @nr_values: how many
 */
struct execution {
	size_t source_idx;
	uint64_t iteration, attempt, block, first;
	const char *start;
	enum record_status status;
	unsigned int flags;
	bool is_twin;
	const char *reason;
	struct build_value *values;
	size_t nr_values;
};

/**
 * struct build_host - facts of one boot; all kept, NULL when not known
 * @boot: as in struct source
 * @release: of the kernel
 * @version: likewise
 * @build_id: likewise
 * @boot_id: the kernel's own name of the boot
 * @cpu_model: of the machine
 * @topology: of the machine, canonical text
 * @hardware: both for a reader
 */
struct build_host {
	const char *boot;
	const char *release, *version, *build_id;
	const char *boot_id, *cpu_model, *topology, *hardware;
};

/**
 * struct table_build - the state
 * @indexes: composite keys to index + 1
 * @texts: one copy of each label
 * @sources: in order of first record
 * @nr_sources: how many
 * @executions: in order of first attempt
 * @nr_executions: how many
 * @hosts: in the order given
 * @nr_hosts: how many
 * @jvals: points and parameters, owned
 * @nr_jvals: how many
 * @nr_seen: distinct boots, machines and so on that came up so far
 * @run: how many runs came before, part of what identifies a boot
 * @copies: numbers of runs, ascending, that hold iterations of earlier ones
 * @nr_copies: how many
 * @is_finished: nothing more may come in
 */
struct table_build {
	struct textmap indexes;
	struct textmap texts;
	struct source *sources;
	size_t nr_sources;
	struct execution *executions;
	size_t nr_executions;
	struct build_host *hosts;
	size_t nr_hosts;
	struct jval **jvals;
	size_t nr_jvals;
	size_t nr_seen;
	size_t run;
	size_t *copies;
	size_t nr_copies;
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

/** build_is_new - whether @parts come up for the first time; 0 or -ENOMEM */
int build_is_new(struct table_build *build, const char *const *parts, bool *ret);

/** build_column - number of the column @name, which is added when new */
int build_column(struct table *table, const char *name, size_t *ret);

/** build_point - number of the point @values, which may be NULL, in a section */
int build_point(struct table *table, size_t section_idx, const struct jval *values,
		size_t *ret);

/** build_metric - number of a metric like @from in a section; @rank as in the table */
int build_metric(struct table *table, size_t section_idx,
		 const struct record_metric *from, size_t rank, size_t *ret);

/** build_source - number of the source that @record comes from */
int build_source(struct table *table, const struct record *record, size_t *ret);

/** build_boot - kept text that names @boot of the current run; 0 or -ENOMEM */
int build_boot(struct table_build *build, const char *boot, const char **ret);

/** build_boot_name - what tells the boot of @source from others; NULL: not known */
const char *build_boot_name(const struct source *source);

/** build_hardware - the machine of @facts in words, *@ret NULL when not known */
int build_hardware(struct table_build *build, const struct jval *facts, const char **ret);

/** build_host_of - facts of the boot of @source, or NULL */
const struct build_host *build_host_of(struct table_build *build,
				       const struct source *source);

/**
 * build_is_alike - whether the samples of two sources may be compared
 *
 * Looks at program and machine; inside one column, at the cell's identity, too.
 * What isn't known of either is no difference.
 */
bool build_is_alike(const struct source *a, const struct source *b);

/** build_value_text - a parameter's value to print; the caller's to free() */
char *build_value_text(const struct jval *value);

#endif
