/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Submitting arrays of jobs, and cancelling them, by the names of a run's book. */
#ifndef RUNNER_SLURM_SUBMIT_H
#define RUNNER_SLURM_SUBMIT_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct grid;
struct proc_watch;
struct slurm_book;

/** Room for the id of a job, as text. */
enum { SLURM_JOB_SIZE = 24 };

/**
 * slurm_write_script - write what the jobs start
 * @err: names the file
 *
 * Return: 0 or a negative errno.
 */
int slurm_write_script(const struct slurm_book *book, struct err *err);

/**
 * slurm_submit - submit an array that the book has already
 * @watch: open
 * @grid: of the run
 * @number: of the submission
 * @job: id of the job to wait for, "" for none; receives the new one's
 * @err: what Slurm complained of
 *
 * After a failure the array may be there all the same: its name tells.
 *
 * Return: as slurm_call().
 */
int slurm_submit(struct proc_watch *watch, const struct slurm_book *book,
		 const struct grid *grid, uint64_t number, char job[SLURM_JOB_SIZE],
		 struct err *err);

/** slurm_cancel_number - cancel the jobs of one submission; as slurm_call() */
int slurm_cancel_number(struct proc_watch *watch, const struct slurm_book *book,
			uint64_t number, struct err *err);

#endif
