/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tasks of a run under Slurm: one for each machine, kernel, boot and row of the plan,
 * with a ledger of its own that only its job writes. They are read here, and their
 * records merged into the ledger of the machine's run, each id once.
 */
#ifndef RUNNER_SLURM_TASKS_H
#define RUNNER_SLURM_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/slurm_book.h"

struct err;
struct ledger;
struct plan;
struct record;
struct slurm_queue;

/**
 * struct slurm_task - one task
 * @of: its machine, kernel and block; no rows
 * @row: of the plan
 * @number: of its last submission, 0: none in this book
 * @is_live: Slurm has it and will run it
 * @is_running: Slurm runs it, or is about to
 * @is_over: Slurm says that its last submission has ended
 * @nr_turns: iterations that it is to have, over its columns
 * @nr_settled: those that need nothing more: done, or skipped
 * @nr_failed: those whose last attempt failed
 * @size: of its ledger when it was last read
 */
struct slurm_task {
	struct slurm_submission of;
	size_t row;
	uint64_t number;
	bool is_live, is_running, is_over;
	uint64_t nr_turns, nr_settled, nr_failed;
	int64_t size;
};

/**
 * struct slurm_machine - the run of one machine
 * @dir: its directory; owned
 * @ledger: open and locked; NULL: nothing is merged
 * @ids: of the records in it, a tree
 * @seq: the highest sequence number in it
 */
struct slurm_machine {
	char *dir;
	struct ledger *ledger;
	void *ids;
	uint64_t seq;
};

/**
 * typedef slurm_record_fn - called for each record that was merged
 *
 * Return: 0 or a negative errno.
 */
typedef int slurm_record_fn(const struct slurm_task *task, const struct record *record,
			    void *data, struct err *err);

/**
 * struct slurm_tasks - all of them
 * @plan: lent
 * @book: lent; has its machines
 * @tasks: machine by machine, in the order in which each is to do them
 * @nr_tasks: how many
 * @where: index of each task plus one, by machine, block, kernel and row; owned
 * @machines: as the book's
 * @on_record: may be NULL
 * @data: for @on_record
 */
struct slurm_tasks {
	const struct plan *plan;
	const struct slurm_book *book;
	struct slurm_task *tasks;
	size_t nr_tasks;
	size_t *where;
	struct slurm_machine *machines;
	slurm_record_fn *on_record;
	void *data;
};

/**
 * slurm_tasks_open - list the tasks
 * @plan: lent
 * @book: lent
 * @ret: to be released by slurm_tasks_release(); also on failure
 *
 * Return: 0 or -ENOMEM.
 */
int slurm_tasks_open(const struct plan *plan, const struct slurm_book *book,
		     struct slurm_tasks *ret, struct err *err);

/**
 * slurm_tasks_lock - make the machines' runs, and lock their ledgers for merging
 *
 * Return: 0, -EWOULDBLOCK while somebody else merges, or another negative errno.
 */
int slurm_tasks_lock(struct slurm_tasks *tasks, struct err *err);

/**
 * slurm_tasks_collect - read the ledgers that have grown, and merge what is new
 * @err: names the ledger that is damaged
 *
 * Return: 0 or a negative errno.
 */
int slurm_tasks_collect(struct slurm_tasks *tasks, struct err *err);

/** slurm_tasks_mark - note which tasks Slurm has, see struct slurm_task */
void slurm_tasks_mark(struct slurm_tasks *tasks, const struct slurm_queue *queue);

/** slurm_tasks_release - free what it owns; an empty one is fine */
void slurm_tasks_release(struct slurm_tasks *tasks);

#endif
