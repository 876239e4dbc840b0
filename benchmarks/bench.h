/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a workload declares, and a workload as a grid configured it.
 *
 * To add a workload:
 *   1. benchmarks/<name>/<name>.c defines one const struct bench_ops with the
 *      programs that can do the work, and benchmarks/<name>/program.c, if one
 *      of them is native, that child program, on top of benchmarks/program.h;
 *   2. one line in benchmarks/registry.c (and its extern in benchmarks/all.h);
 *   3. fixtures of its output in tests/fixtures/<name>/ and a test of parse();
 *   4. benchmarks/<name>/model.c: how it runs in the simulator, see model.h, with
 *      a test that it does as much as the program, in tests/unit/test-models*.c;
 *   5. a paragraph in docs/workloads.md: what it is sensitive to, and what it
 *      is a poor test of.
 *
 * A bench_ops holds no state: tests may call parse() on saved output. Work is a child's.
 */
#ifndef BENCHMARKS_BENCH_H
#define BENCHMARKS_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "benchmarks/machine.h"
#include "benchmarks/metric.h"

struct bench_model;
struct bench_service;
struct err;
struct jval;
struct workload;

enum { BENCH_MAX_PARAMS = 12, BENCH_MAX_CHOICES = 4 };

/**
 * struct bench_choice - one fixed choice of a variant
 * @key: name in the grid's variant mapping, such as "task"
 * @words: what may be chosen, ended by NULL; the first is the default
 * @silent: the default word leaves no part in the variant's name
 *
 * A variant is called by its workload and words: hackbench-process-pipes.
 */
struct bench_choice {
	const char *key;
	const char *const *words;
	bool silent;
};

/** enum bench_type - kind of a parameter's value */
enum bench_type { BENCH_UINT, BENCH_TEXT };

/**
 * struct bench_param - one knob that a grid may set or sweep
 * @name: key in the grid's parameters mapping
 * @type: what its values are
 * @min: least value of a BENCH_UINT
 * @max: greatest value of a BENCH_UINT
 * @number: default of a BENCH_UINT; BENCH_AUTO: resolve() finds the value where a
 *          grid leaves it open or says "auto"
 * @text: default of a BENCH_TEXT
 * @unit: such as "bytes", or NULL
 * @help: one line
 */
struct bench_param {
	const char *name;
	enum bench_type type;
	uint64_t min, max, number;
	const char *text, *unit, *help;
};

/**
 * struct bench_command - the process that one iteration starts
 * @argv: ended by NULL; argv[0] is the program's name; strings are owned
 * @nr_args: entries before the NULL
 */
struct bench_command {
	char **argv;
	size_t nr_args;
};

/**
 * struct bench_program - a program that can do a workload's work
 * @name: word for the grid's "program": native for our own, else who makes it
 * @command: its file, a name to look up or a path; NULL: the suite's own program
 *           that is called as the workload
 * @package: Debian package that brings it, or NULL
 * @versions: what its version begins with, and no script stands for it; or NULL: any
 * @version_args: what makes it tell its version, ended by NULL; or NULL
 * @starts: programs of others that it starts, without plan(); ended by no name; or NULL
 * @resolution: smallest step that it can print of each metric, as ops->metrics;
 *              NULL: as the metrics declare
 * @plan: add the arguments of iteration @iteration (0 is the warm-up) to
 *        @command with bench_arg(); starts nothing; 0 or -ENOMEM
 * @parse: turn one iteration's standard output into samples. @out is
 *         NUL-terminated at @len. Returns 0, or -EPROTO with @err saying why
 *         the output doesn't prove that what was asked was done
 */
struct bench_program {
	const char *name, *command, *package, *versions;
	const char *const *version_args;
	const struct bench_program *starts;
	const double *resolution;
	int (*plan)(const struct workload *workload, unsigned int iteration,
		    struct bench_command *command);
	int (*parse)(const struct workload *workload, const char *out, size_t len,
		     struct bench_samples *samples, struct err *err);
};

/**
 * struct bench_ops - one workload the runner can execute
 * @name: stable identifier, also its folder under benchmarks/
 * @summary: one line for `schedgrid list`
 * @label: further part of the variant's name, or NULL
 * @terms: what published results have to say of their origin, or NULL
 * @axis: the parameter that labels a table's rows even when not swept, or NULL
 * @choices: array ended by a NULL key; at most BENCH_MAX_CHOICES
 * @params: array ended by a NULL name; at most BENCH_MAX_PARAMS
 * @metrics: array ended by a NULL name; the first is the headline
 * @programs: array ended by a NULL name; the first is the default
 * @model: how it runs in the simulator; NULL: not at all
 * @check: 0; -EOPNOTSUPP when @nr_cpus CPUs aren't enough, which makes the
 *         cell skipped; -EINVAL for values that never go together, which makes
 *         the grid refused; @err says which. May be NULL
 * @uses: whether the parameter called @name means something to the choices of
 *        @workload; others are in no record. May be NULL: all do
 * @resolve: replace each BENCH_AUTO by a value for @machine, and say in @remark,
 *           which is empty, what a reader must know of the values. The same for
 *           all columns of a row. May be NULL when no default is BENCH_AUTO
 * @needs: fill @needs for one iteration; may be NULL
 * @service: the server that must run beside the program, or NULL; may be NULL
 * @identify: what tells the work apart beside variant and parameters, as a new
 *            value; NULL: out of memory. May be NULL: nothing does
 * @data: what ops made for one entry of a grid hold; NULL in a table's ops
 * @syncs: dirty pages are written out before each start
 * @runs_command: the grid says which command runs, so running needs a consent
 */
struct bench_ops {
	const char *name, *summary, *label, *terms, *axis;
	const struct bench_choice *choices;
	const struct bench_param *params;
	const struct bench_metric *metrics;
	const struct bench_program *programs;
	const struct bench_model *model;
	int (*check)(const struct workload *workload, unsigned int nr_cpus,
		     struct err *err);
	bool (*uses)(const struct workload *workload, const char *name);
	void (*resolve)(struct workload *workload, const struct bench_machine *machine,
			struct bench_remark *remark);
	void (*needs)(const struct workload *workload, struct bench_needs *needs);
	const struct bench_service *(*service)(const struct workload *workload);
	struct jval *(*identify)(const struct bench_ops *ops);
	const void *data;
	bool syncs, runs_command;
};

/**
 * union bench_value - a parameter's value, by its bench_type
 * @number: of a BENCH_UINT
 * @text: of a BENCH_TEXT; lent by whoever configured the workload
 */
union bench_value {
	uint64_t number;
	const char *text;
};

/**
 * struct workload - a workload with its variant and parameter values fixed
 * @ops: which one
 * @program: which of the ops' programs does the work
 * @choice: index into each choice's words, as ops->choices
 * @value: value of each parameter, as ops->params
 */
struct workload {
	const struct bench_ops *ops;
	const struct bench_program *program;
	unsigned int choice[BENCH_MAX_CHOICES];
	union bench_value value[BENCH_MAX_PARAMS];
};

/** bench_all - every workload, sorted by name, ended by NULL */
const struct bench_ops *const *bench_all(void);
/** bench_find - the workload called @name, or NULL */
const struct bench_ops *bench_find(const char *name);
/** bench_program_find - the program of @ops that the grid calls @name, or NULL */
const struct bench_program *bench_program_find(const struct bench_ops *ops,
					       const char *name);

/** workload_init - @workload with the defaults of @ops, its first program included */
void workload_init(struct workload *workload, const struct bench_ops *ops);
/** workload_uint - value of the BENCH_UINT parameter @name, which must exist */
uint64_t workload_uint(const struct workload *workload, const char *name);
/** workload_text - value of the BENCH_TEXT parameter @name, which must exist; lent */
const char *workload_text(const struct workload *workload, const char *name);
/** workload_set - give the BENCH_UINT parameter @name, which must exist, a value */
void workload_set(struct workload *workload, const char *name, uint64_t number);
/** workload_word - chosen word of the choice @key, which must exist; lent, static */
const char *workload_word(const struct workload *workload, const char *key);
/** workload_variant - the variant's name, the caller's to free(); NULL: no memory */
char *workload_variant(const struct workload *workload);
/** workload_parameters - parameters that it uses, as a new object; NULL: no memory */
struct jval *workload_parameters(const struct workload *workload);

/** workload_plan - the program's plan() */
int workload_plan(const struct workload *workload, unsigned int iteration,
		  struct bench_command *command);
/** workload_parse - the program's parse() */
int workload_parse(const struct workload *workload, const char *out, size_t len,
		   struct bench_samples *samples, struct err *err);
/** workload_resolution - smallest step of a metric of the ops as the program prints it */
double workload_resolution(const struct workload *workload,
			   const struct bench_metric *metric);

/** bench_command_release - free the arguments; the struct is empty again */
void bench_command_release(struct bench_command *command);

#endif
