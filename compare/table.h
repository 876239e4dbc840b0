/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table that every format prints: records laid side by side, a section for
 * each variant, a row for each metric and point, a cell for each column.
 *
 * Records go in in any order, table_finish() sorts and counts; after that the
 * table is only read. It keeps every sample and judges none.
 *
 * Which records count: those with status ok and without the warmup flag give
 * samples; failed, broken and timeout count as failed in every row of their
 * point and column, since a failed iteration names no metrics; skipped counts
 * apart; interrupted doesn't count. Of several attempts of one iteration only
 * the last counts, whatever its status.
 */
#ifndef COMPARE_TABLE_H
#define COMPARE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compare/cell.h"

struct err;
struct judgement;
struct jval;
struct record;
struct table_build;
struct table_run;

/**
 * struct table_column - one column; the first is the baseline
 * @name: its label
 * @kernel: release to print above the name; should there be several, joined
 *          by ", "; NULL when not known
 * @machines: where its records come from, joined by ", "; NULL when not known
 * @executors: what ran them, likewise
 * @monitors: what counted meanwhile, likewise; NULL also when nothing did
 * @cpus: CPU list that its plans pin it to; NULL when not known or not one
 * @nr_boots: distinct boots that gave samples; 0 when not known
 * @nr_failed: iterations that failed
 * @flags: of enum record_flag, of all records that count
 */
struct table_column {
	const char *name;
	const char *kernel, *machines, *executors, *monitors, *cpus;
	size_t nr_boots, nr_failed;
	unsigned int flags;
};

/**
 * struct table_metric - one metric of a section
 * @name: NULL in a section of which no record named a metric: nothing ever worked
 * @unit: such as "s", empty when not known
 * @better_higher: a rate; otherwise lower is better
 * @secondary: shown only where all metrics are asked for
 * @unjudged: why there is no verdict on it; NULL: there is
 * @rank: its last place among the metrics of any record
 */
struct table_metric {
	const char *name, *unit;
	bool better_higher;
	bool secondary;
	const char *unjudged;
	size_t rank;
};

/**
 * struct table_point - one combination of the swept values
 * @label: the values joined by "-", empty when nothing was swept
 * @values: the same as an object, NULL when nothing was swept
 */
struct table_point {
	const char *label;
	const struct jval *values;
};

/**
 * struct table_row - one metric at one point
 * @metric: lent by the section
 * @point: lent by the section
 * @cells: one for each column of the table
 */
struct table_row {
	const struct table_metric *metric;
	const struct table_point *point;
	struct table_cell *cells;
};

/** Bits of enum record_flag that remarks are counted for. */
enum { TABLE_NR_FLAGS = 8 };

/**
 * struct table_remarks - what the iterations of one column in a section have in common
 * @lacks_parameters: some don't say their fixed parameters
 * @nr_iterations: that ended ok or failed
 * @nr: how many of them carry the flag 1 << i
 */
struct table_remarks {
	bool lacks_parameters;
	size_t nr_iterations, nr[TABLE_NR_FLAGS];
};

/**
 * struct table_section - one variant with its fixed parameters
 * @workload: such as "hackbench"
 * @variant: such as "hackbench-process-pipes"
 * @title: the variant; with the parameters that differ, where the table has
 *         the same variant more than once
 * @parameters: object of those that were not swept, NULL when not known
 * @metrics: in the order that their records have them, at least 1
 * @nr_metrics: how many
 * @points: by value, at least 1
 * @nr_points: how many
 * @rows: by metric, then by point, those that have or miss anything
 * @nr_rows: how many
 * @remarks: one for each column of the table
 */
struct table_section {
	const char *workload, *variant, *title;
	const struct jval *parameters;
	struct table_metric *metrics;
	size_t nr_metrics;
	struct table_point *points;
	size_t nr_points;
	struct table_row *rows;
	size_t nr_rows;
	struct table_remarks *remarks;
};

/**
 * struct table - the whole
 * @columns: baseline, as asked for, in order of first appearance in plans, records
 * @nr_columns: how many
 * @sections: likewise
 * @nr_sections: how many
 * @notes: why columns should not be compared, one sentence each; see
 *         comparable.h
 * @nr_notes: how many
 * @machines: "vm: AMD EPYC, 2 CPUs", of what gave samples, where known
 * @nr_machines: how many
 * @runs: those whose plans are known, see table_plan.h
 * @nr_runs: how many
 * @judgement: the verdicts, see judge.h; NULL where nobody asked. Not owned
 * @build: of the module
 */
struct table {
	struct table_column *columns;
	size_t nr_columns;
	struct table_section *sections;
	size_t nr_sections;
	const char **notes;
	size_t nr_notes;
	const char **machines;
	size_t nr_machines;
	struct table_run *runs;
	size_t nr_runs;
	const struct judgement *judgement;
	struct table_build *build;
};

/** table_new - an empty table, to be freed by table_free(); NULL: no memory */
struct table *table_new(void);

/** table_free - NULL and unfinished tables are fine */
void table_free(struct table *table);

/**
 * table_add_record - copy what the table needs of @record
 * @table: not finished yet
 * @record: lent
 * @err: may be NULL
 *
 * A record that was added before is left out, also one of a run that was copied.
 * After a failure the table is only good for table_free().
 *
 * Return: 0 or -ENOMEM.
 */
int table_add_record(struct table *table, const struct record *record, struct err *err);

/**
 * table_next_run - the records that follow come from another run
 *
 * Each run counts its boots from b1, so equal names in two runs are two boots,
 * unless their facts have the same boot_id.
 */
void table_next_run(struct table *table);

/**
 * table_add_host - say what is known of a boot of the current run
 * @table: not finished yet
 * @boot: as its records name it
 * @facts: a hosts/ file: kernel, boot, CPU model and topology are copied
 * @err: may be NULL
 *
 * Return: 0 or -ENOMEM.
 */
int table_add_host(struct table *table, const char *boot, const struct jval *facts,
		   struct err *err);

/**
 * table_finish - sort, count and compute
 * @table: no records can be added afterwards
 * @columns: names in the order wanted, ended by NULL; one without records
 *           stays in sight as an empty column. May be NULL
 * @baseline: name of the column to compare with, NULL for the first
 * @err: says which column is not there, or which cell holds more than samples
 *       or one summary
 *
 * Return: 0, -EINVAL for the column, -EPROTO for the cell, or -ENOMEM.
 */
int table_finish(struct table *table, const char *const *columns, const char *baseline,
		 struct err *err);

/**
 * table_point_text - "groups=4" and so on
 * @point: of a table
 * @separator: between the parameters of a point that has several
 *
 * Return: the caller's to free(), empty when nothing was swept; NULL: no memory.
 */
char *table_point_text(const struct table_point *point, const char *separator);

#endif
