/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asking Slurm: its programs, started and waited for, and what they print. */
#ifndef RUNNER_SLURM_CALL_H
#define RUNNER_SLURM_CALL_H

#include <stddef.h>

struct err;
struct proc_watch;

/**
 * slurm_call - run one of Slurm's programs
 * @watch: open
 * @argv: the program's name and its arguments, ended by NULL; it is looked for in PATH
 * @ret: its standard output, the caller's to free(); written on success only; may be NULL
 * @ret_len: bytes in @ret; may be NULL
 * @err: what the program complained of
 *
 * SLURM_CONF is passed on. It has 30 s.
 *
 * Return: 0; -ENOPKG when it isn't installed; -EREMOTEIO when it failed; -ETIMEDOUT;
 * -EINTR when a signal came; or another negative errno.
 */
int slurm_call(struct proc_watch *watch, const char *const *argv, char **ret,
	       size_t *ret_len, struct err *err);

struct slurm_queue;
struct slurm_nodes;

/** slurm_ask_queue - all jobs; @ret to be released by slurm_queue_release() */
int slurm_ask_queue(struct proc_watch *watch, struct slurm_queue *ret, struct err *err);

/** slurm_ask_nodes - all nodes; @ret to be released by slurm_nodes_release() */
int slurm_ask_nodes(struct proc_watch *watch, struct slurm_nodes *ret, struct err *err);

/** slurm_ask_config - the text of `scontrol show config`, the caller's; as slurm_call() */
int slurm_ask_config(struct proc_watch *watch, char **ret, struct err *err);

/**
 * slurm_setting - one line of that text
 * @config: the text
 * @key: such as "MaxArraySize"
 *
 * Return: its value, the caller's to free(); NULL: there is none, or no memory.
 */
char *slurm_setting(const char *config, const char *key);

#endif
