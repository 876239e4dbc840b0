/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A record: what one iteration of one cell left, or what a published table
 * says of a cell (a summary record). One line of JSON in a ledger; the fields
 * and their meaning are the schema "schedgrid-record-1".
 */
#ifndef RECORD_RECORD_H
#define RECORD_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct jval;

/**
 * enum record_status - how an iteration ended
 * @RECORD_OK: ran and proved that it did what was asked
 * @RECORD_FAILED: ran and failed, or its output proves nothing
 * @RECORD_BROKEN: our own set-up failed
 * @RECORD_SKIPPED: not applicable on this host; the reason says why
 * @RECORD_TIMEOUT: cut off at the time limit
 * @RECORD_INTERRUPTED: stopped by the user
 */
enum record_status {
	RECORD_OK,
	RECORD_FAILED,
	RECORD_BROKEN,
	RECORD_SKIPPED,
	RECORD_TIMEOUT,
	RECORD_INTERRUPTED,
};

/** enum record_flag - remarks on a record that keeps its samples */
enum record_flag {
	RECORD_EMULATED = 1 << 0,
	RECORD_INTERFERED = 1 << 1,
	RECORD_UNDERSIZED = 1 << 2,
	RECORD_KERNEL_WARNING = 1 << 3,
	RECORD_SETTING_CHANGED = 1 << 4,
	RECORD_WARMUP = 1 << 5,
};

/**
 * struct record_metric - one metric of a record
 * @name: such as "time"
 * @unit: such as "s"
 * @better_higher: a rate; otherwise lower is better
 * @secondary: shown only where all metrics are asked for
 * @unjudged: why it is shown but nothing is concluded from it, such as another metric
 *            being the same measurement in another unit; NULL: it is judged
 * @resolution: smallest step of the samples in @unit; 0 when not known
 * @samples: the numbers; NULL in a summary record. A sample that is not a
 *           number is NAN
 * @nr_samples: how many
 * @is_summary: @mean, @stddev, @n, @digits and @is_hmean hold instead of samples
 * @is_hmean: @mean is the harmonic mean and @stddev the spread around it that
 *            mmtests prints (statistic "Hmean"); otherwise the arithmetic mean
 *            and a stddev of unknown divisor (statistic "Amean", the default)
 * @mean: NAN when not known
 * @stddev: NAN when not known
 * @n: samples behind the mean; 0 when not known
 * @digits: decimals that were printed; -1 when not known
 */
struct record_metric {
	const char *name;
	const char *unit;
	bool better_higher;
	bool secondary;
	const char *unjudged;
	double resolution;
	double *samples;
	size_t nr_samples;
	bool is_summary, is_hmean;
	double mean, stddev;
	uint64_t n;
	int digits;
};

/**
 * struct record - one iteration
 * @id: "<cell>/<boot>/i<iteration>/a<attempt>"
 * @cell: identity of kernel, settings, workload, variant and parameter values
 * @column: label of the column
 * @workload: such as "hackbench"
 * @variant: such as "hackbench-process-pipes"
 * @point: object of the values that label the row; may be NULL: none
 * @parameters: object of every parameter's value; may be NULL: not known
 * @machine: name of the machine; may be NULL
 * @executor: "local" and so on; may be NULL
 * @boot: name of the hosts/ file with the facts of this start; may be NULL
 * @block: which pass over the columns, from 1; 0 is the warm-up
 * @iteration: which execution of the cell in this boot, from 1; 0: warm-up
 * @attempt: which try of it, from 1
 * @seq: position in the order of execution, from 1
 * @status: how it ended
 * @reason: one sentence unless ok; may be NULL
 * @flags: of enum record_flag
 * @remarks: what the machine did meanwhile, one sentence each; may be NULL
 * @nr_remarks: how many
 * @start: RFC 3339 in UTC with milliseconds; may be NULL
 * @wall_ns: from start to the end of the last process; 0 when never started
 * @has_foreign: @foreign is known
 * @foreign: others' share of the CPUs' time meanwhile, 0.05 for 5%
 * @has_seed: @seed is known
 * @seed: of what was simulated
 * @by_output: the program ended well, so that its output alone decided; what
 *             read it may be mended, and the output read again
 * @monitors: what counted meanwhile, such as "perf-stat(task-clock)"; NULL: nothing,
 *            or not known
 * @program: name, version and sha256 of the program, each may be NULL
 * @reparsed: not run, but read again from the kept output: id of the record of
 *            the attempt that ran, and the version of the suite that read it;
 *            NULL in the record of an attempt that ran
 * @metrics: array
 * @nr_metrics: how many
 * @line: what was read, as given to record_read(); NULL: not read
 * @line_len: bytes in @line
 * @reader: owned, lends the above; of record_parse() only
 *
 * All that is pointed at is lent by who made the record.
 */
struct record {
	const char *id, *cell, *column, *workload, *variant;
	const struct jval *point, *parameters;
	const char *machine, *executor, *boot;
	uint64_t block, iteration, attempt, seq;
	enum record_status status;
	const char *reason;
	unsigned int flags;
	const char **remarks;
	size_t nr_remarks;
	const char *start;
	uint64_t wall_ns;
	bool has_foreign;
	double foreign;
	bool has_seed;
	uint64_t seed;
	bool by_output;
	const char *monitors;
	struct {
		const char *name, *version, *sha256;
	} program;
	struct {
		const char *from, *version;
	} reparsed;
	struct record_metric *metrics;
	size_t nr_metrics;
	const char *line;
	size_t line_len;
	struct record_reader *reader;
};

/** record_status_name - "ok", "failed" ...; static */
const char *record_status_name(enum record_status status);

/** struct record_reader - reads lines of a ledger, all into the same memory */
struct record_reader;

/** record_reader_new - to be freed by record_reader_free(); NULL: out of memory */
struct record_reader *record_reader_new(void);
/** record_reader_free - with the record read last; NULL is fine */
void record_reader_free(struct record_reader *reader);

/**
 * record_read - read one line of a ledger
 * @reader: lends what the record points at until it reads the next one
 * @line: need not be terminated
 * @len: bytes in @line, without the newline
 * @ret: receives the record; zeroed on failure
 * @err: says which field is wrong and what was expected
 *
 * Return: 0, -EPROTO, or -ENOMEM. An unknown schema is -EPROTO, by name.
 */
int record_read(struct record_reader *reader, const char *line, size_t len,
		struct record *ret, struct err *err);

/** record_parse - read one line by itself; @ret goes to record_release() */
int record_parse(const char *line, size_t len, struct record *ret, struct err *err);
/** record_release - free what record_parse() read */
void record_release(struct record *record);

/**
 * record_write - one line of JSON without newline
 *
 * What isn't known is left out, never written as 0.
 *
 * Return: the text, the caller's to free(); NULL when out of memory.
 */
char *record_write(const struct record *record);

#endif
