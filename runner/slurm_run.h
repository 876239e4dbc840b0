/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The executor `slurm`, seen from where the user types: it submits what a run misses, one
 * array of jobs for each machine, kernel and boot, follows them, and collects what they
 * measured. Slurm boots the nodes and places the jobs; what was measured is known from
 * the tasks' own ledgers only, so that nothing is lost or doubled whatever is killed.
 */
#ifndef RUNNER_SLURM_RUN_H
#define RUNNER_SLURM_RUN_H

struct err;
struct plan;
struct proc_watch;
struct run_options;
struct run_summary;
struct slurm_book;

/**
 * slurm_run - carry out what is missing of a plan whose executor is slurm
 * @plan: rows and columns count; CPUs and programs are those of each node
 * @options: without @only, @more and @part
 * @ret: what was collected; filled as far as it went, also on failure
 * @err: says why it could not go on, or which machines have tasks without records
 *
 * A signal ends the following; the jobs stay with Slurm, and the next call finds them.
 *
 * Return: 0; -EHOSTDOWN when tasks are left that no machine would do; -EAGAIN while
 * Slurm doesn't answer; -EWOULDBLOCK while another runner follows the run; -EINVAL for
 * nodes, features or options that aren't there; -EREMOTEIO for what Slurm refuses;
 * -ECANCELED when it was cancelled; or another negative errno.
 */
int slurm_run(const struct plan *plan, const struct run_options *options,
	      struct run_summary *ret, struct err *err);

/**
 * slurm_cancel - have Slurm end all jobs of a run, and its runner stop
 * @watch: open
 * @book: of the run
 * @err: says what failed
 *
 * Return: 0 or a negative errno.
 */
int slurm_cancel(struct proc_watch *watch, const struct slurm_book *book,
		 struct err *err);

#endif
