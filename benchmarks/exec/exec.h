/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command of the user's as a workload: built up from one entry of a grid, part
 * by part, each checked as it comes. It has the ops that every workload has, with
 * parameters and metrics of its own.
 *
 * In an argument {name} stands for the value of that parameter, and a brace that
 * is meant as such is written twice. No shell ever sees the command.
 */
#ifndef BENCHMARKS_EXEC_EXEC_H
#define BENCHMARKS_EXEC_EXEC_H

#include <stddef.h>

#include "benchmarks/bench.h"

struct err;
struct exec;

enum {
	EXEC_MAX_ARGS = 128,
	EXEC_MAX_ARG = 4096,	   /* bytes as written */
	EXEC_MAX_EXPANDED = 65536, /* bytes of all arguments with their values */
	EXEC_MAX_NAME = 32,	   /* bytes of a parameter's or metric's name */
	EXEC_MAX_UNIT = 16,
	EXEC_MAX_RULE = 512, /* bytes of a regex or a path */
};

/**
 * struct exec_metric - a number to be found in what the command prints
 * @name: of the metric
 * @unit: of the number
 * @better: direction
 * @regex: POSIX extended, the number is its first group; or NULL
 * @json: path to the number in one JSON value, as "results.0.mean"; or NULL
 * @is_elapsed: it isn't printed but the seconds that the command took; instead of both
 */
struct exec_metric {
	const char *name, *unit;
	enum better better;
	const char *regex, *json;
	bool is_elapsed;
};

/** exec_new - a command without arguments yet; NULL: no memory */
struct exec *exec_new(void);
/** exec_free - NULL is fine */
void exec_free(struct exec *exec);
/** exec_ops_of - its ops, lent; they fill up with what is added */
const struct bench_ops *exec_ops_of(const struct exec *exec);

/** exec_add_param - declare a parameter; 0, -EINVAL or -ENOMEM */
int exec_add_param(struct exec *exec, const char *name, struct err *err);

/**
 * exec_add_arg - add an argument, the first being the program
 * @text: may name parameters that were added before, but for the program's
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int exec_add_arg(struct exec *exec, const char *text, struct err *err);

/** exec_set_sync - have dirty pages written out before each start */
void exec_set_sync(struct exec *exec, bool syncs);

/** exec_add_metric - add a metric, the first being the headline; as exec_add_arg() */
int exec_add_metric(struct exec *exec, const struct exec_metric *metric, struct err *err);

#endif
