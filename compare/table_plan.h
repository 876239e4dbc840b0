/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a run was to do. A plan gives a table the order of its columns and sections,
 * and shows what an unfinished run still misses.
 */
#ifndef COMPARE_TABLE_PLAN_H
#define COMPARE_TABLE_PLAN_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct jval;
struct table;

/**
 * struct table_run - a run whose plan is known
 * @dir: its directory, as it was named
 * @terms: lines that its results have to say where they are published, and no run
 *         before it, each ended by a newline; may be ""
 * @stopped: why it stopped, where a precision or one of its limits decided; else ""
 * @nr_planned: iterations that the plan wants, without warm-ups; those that it stopped
 *              after, or at most
 * @nr_recorded: of these, how many a record tells how they ended
 * @number: of the module
 */
struct table_run {
	const char *dir, *terms, *stopped;
	uint64_t nr_planned, nr_recorded;
	size_t number;
};

/**
 * table_add_plan - say what the current run is to do
 * @table: to which the run has added no record yet
 * @dir: how to call the run
 * @plan: a plan.json; what it lacks isn't known, and no error
 * @err: may be NULL
 *
 * Return: 0 or -ENOMEM.
 */
int table_add_plan(struct table *table, const char *dir, const struct jval *plan,
		   struct err *err);

#endif
