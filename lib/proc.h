/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Running one child tree: started without a shell, in a process group of its
 * own, watched without polling, and ended to the last process.
 *
 * Calling sequence: proc_watch_open() once, then proc_run() for each child,
 * proc_watch_close() at the end. In between, SIGINT, SIGTERM, SIGHUP, SIGQUIT and
 * SIGCHLD are blocked and read from a descriptor, and orphans of the tree are
 * given to the calling process, so that daemons are found and ended too. The
 * caller must have no other children meanwhile, and one thread.
 *
 * A process group and not a session: a session would change the autogroup and
 * with it what is measured.
 */
#ifndef LIB_PROC_H
#define LIB_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

struct cpulist;
struct err;

/**
 * struct proc_watch - where the signals of a run arrive
 * @fd: signalfd
 * @signal: first SIGINT, SIGTERM, SIGHUP or SIGQUIT seen, 0 before
 * @stack: of each child until its program is loaded
 */
struct proc_watch {
	int fd;
	int signal;
	char *stack;
};

/**
 * struct proc_spec - a child to run
 * @path: of the program
 * @argv: its arguments, argv[0] included, ended by NULL
 * @dir: working directory; stdout and stderr are created in it and must not
 *       be there yet
 * @cpus: CPUs it may run on; NULL: those of the caller
 * @timeout_ns: after this long the tree is ended
 * @max_file_bytes: soft limit of the size of any file that it writes, its output
 *                  included; a lower one that is there stays; 0: none of ours
 * @more_ns: asked when the limit is reached, for how much longer it may take; 0: no
 *           longer; NULL: the limit stands
 * @data: for @more_ns
 * @ret_out: receives the descriptor of its stdout, open for reading too, the
 *           caller's to close; written once it is started; NULL: not wanted
 */
struct proc_spec {
	const char *path;
	char *const *argv;
	const char *dir;
	const struct cpulist *cpus;
	uint64_t timeout_ns;
	uint64_t max_file_bytes;
	uint64_t (*more_ns)(void *data);
	void *data;
	int *ret_out;
};

/** enum proc_end - why a child tree came to its end */
enum proc_end {
	PROC_EXITED,   /* by itself: see wait_status */
	PROC_TIMEOUT,  /* ended by us at the limit */
	PROC_SIGNALED, /* ended by us because a signal came, see proc_watch */
};

/**
 * struct proc_result - how it went
 * @end: why it came to its end
 * @wait_status: of the child itself, as from wait()
 * @wall_ns: from before the start until the child was reaped
 * @usage: of the child and the descendants it reaped
 * @nr_left: processes of the tree that were still there when the child had
 *           exited by itself, and were ended
 */
struct proc_result {
	enum proc_end end;
	int wait_status;
	uint64_t wall_ns;
	struct rusage usage;
	unsigned int nr_left;
};

/**
 * proc_watch_open - begin to watch signals and orphans
 *
 * Return: 0 or a negative errno.
 */
int proc_watch_open(struct proc_watch *watch, struct err *err);

/** proc_watch_close - restore the signals; once one has stopped a run all stay blocked */
void proc_watch_close(struct proc_watch *watch);

/**
 * proc_pending - whether a stopping signal has come; doesn't wait
 *
 * Return: its number, or 0.
 */
int proc_pending(struct proc_watch *watch);

/**
 * proc_wait - sleep until a watched signal arrives, a child's end included
 * @watch: from proc_watch_open()
 * @until_ns: or until then, clock_ns() time
 *
 * Return: false when the time was over before it slept.
 */
bool proc_wait(struct proc_watch *watch, uint64_t until_ns);

/**
 * proc_run - start a child, wait for it, and end whatever it left
 * @watch: from proc_watch_open()
 * @spec: what to run
 * @ret: how it went; written on success only
 * @err: says what could not be started, and why
 *
 * The child's environment is LC_ALL=C, PATH and HOME only, so that its size,
 * which moves the stack, is the same everywhere.
 *
 * Return: 0 when it was started and all of it has ended, -EBUSY when a process
 * can't be killed, or another negative errno when it could not be started.
 */
int proc_run(struct proc_watch *watch, const struct proc_spec *spec,
	     struct proc_result *ret, struct err *err);

/**
 * struct proc_children - children of this process
 * @pid: owned array
 * @nr: how many
 */
struct proc_children {
	pid_t *pid;
	size_t nr;
};

/**
 * proc_list_children - the children that are there now
 *
 * Return: 0 or -ENOMEM; @ret->pid is the caller's to free() in any case.
 */
int proc_list_children(struct proc_children *ret);

/**
 * proc_end_children - kill and reap every child, and whoever they leave to us
 * @spare: children that were there before and aren't ours to end; may be NULL
 *
 * For a process that adopts orphans (PR_SET_CHILD_SUBREAPER) and has no other
 * child that it still needs.
 *
 * Return: how many were killed.
 */
unsigned int proc_end_children(const struct proc_children *spare);

#endif
