/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The book of a run under Slurm: which machines measure it, and what was submitted under
 * which name. It is written before each submission, so that one whose answer was lost is
 * found again by its name; the ids that Slurm gives are never relied on, since a
 * controller that lost its state gives them out again.
 *
 * The directory of such a run:
 *
 *   grid.yaml                as given
 *   slurm/book.json          schema "schedgrid-slurm-1"
 *   slurm/cell.sh            what the jobs start
 *   slurm/log/               what the jobs print
 *   slurm/tasks/MACHINE/TASK/records.jsonl   the ledger of each task
 *   machines/MACHINE/        an ordinary run each: what `compare` reads
 */
#ifndef RUNNER_SLURM_BOOK_H
#define RUNNER_SLURM_BOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct grid;

enum { SLURM_ID_DIGITS = 16, SLURM_NAME_SIZE = 64 };

/**
 * struct slurm_submission - one array of jobs
 * @machine: index into the book's
 * @kernel: column that stands for it, see slurm_kernel_of()
 * @block: which start of the kernel, from 1
 * @rows: of the plan, by index in the array; owned
 * @nr_rows: how many
 */
struct slurm_submission {
	size_t machine, kernel;
	uint64_t block;
	size_t *rows;
	size_t nr_rows;
};

/**
 * struct slurm_book - what is known of a run's submissions
 * @dir: of the run, an absolute path
 * @id: random, part of all names
 * @grid: path of the grid as it was given: relative paths in it begin there
 * @allow_exec: whether commands that the grid names may run
 * @machines: names of the nodes
 * @nr_machines: how many
 * @submissions: in the order made; number N is at N - 1
 * @nr_submissions: how many
 * @lock: descriptor, or -1: only to be read
 */
struct slurm_book {
	char *dir;
	char id[SLURM_ID_DIGITS + 1];
	char *grid;
	bool allow_exec;
	char **machines;
	size_t nr_machines;
	struct slurm_submission *submissions;
	size_t nr_submissions;
	int lock;
};

/**
 * slurm_book_load - read the book of a run that is there
 * @dir: of the run
 * @ret: to be freed by slurm_book_free(); written on success only
 * @err: names what is missing or damaged
 *
 * Return: 0, -ENOENT when it is no run under Slurm, -EPROTO, or another negative errno.
 */
int slurm_book_load(const char *dir, struct slurm_book **ret, struct err *err);

/**
 * slurm_book_open - lock a run's directory, make it when absent
 * @dir: of the run
 * @grid: must be the one that is there, byte for byte
 * @ret: to be freed by slurm_book_free(); without machines when it is new
 * @err: says what differs
 *
 * Nothing of the book is on disk before slurm_book_save().
 *
 * Return: 0; -EWOULDBLOCK while another runner has it; -EEXIST when something else is
 * there; or another negative errno.
 */
int slurm_book_open(const char *dir, const struct grid *grid, struct slurm_book **ret,
		    struct err *err);

/** slurm_book_save - write it in place of the older one; 0 or a negative errno */
int slurm_book_save(const struct slurm_book *book, struct err *err);

/**
 * slurm_book_add - note a submission that is about to be made
 * @submission: copied; its rows are taken over, also on failure
 *
 * Return: its number, from 1, or a negative errno.
 */
int64_t slurm_book_add(struct slurm_book *book, const struct slurm_submission *submission,
		       struct err *err);

/** slurm_book_name - "schedgrid-ID-NUMBER" */
void slurm_book_name(const struct slurm_book *book, uint64_t number,
		     char name[SLURM_NAME_SIZE]);

/** slurm_book_number - of the submission that a name stands for; 0: none of this book */
uint64_t slurm_book_number(const struct slurm_book *book, const char *name);

/**
 * slurm_task_dir - where a task's ledger lies
 * @grid: of the run
 * @submission: its machine, kernel and block
 * @row: of the plan
 *
 * Return: the caller's to free(); NULL: out of memory.
 */
char *slurm_task_dir(const struct slurm_book *book, const struct grid *grid,
		     const struct slurm_submission *submission, size_t row);

/** slurm_machine_dir - the run of one machine, the caller's; NULL: out of memory */
char *slurm_machine_dir(const struct slurm_book *book, size_t machine);

/** slurm_book_free - unlock and free; NULL is fine */
void slurm_book_free(struct slurm_book *book);

#endif
