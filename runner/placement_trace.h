/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the scheduler did with the tasks of one program, as text. Recorded on the
 * machine where the program runs, by whoever starts it: the runner, or the first
 * process of a guest. What follows from it is runner/placement's.
 */
#ifndef RUNNER_PLACEMENT_TRACE_H
#define RUNNER_PLACEMENT_TRACE_H

#include <sys/types.h>

struct err;

/** struct placement_trace - what records; opaque */
struct placement_trace;

/**
 * placement_trace_open - get ready to record
 * @ret: to be closed by placement_trace_close(); written on success only
 * @err: says what failed
 *
 * Takes at most an eighth of the memory that is free.
 *
 * Return: as trace_open().
 */
int placement_trace_open(struct placement_trace **ret, struct err *err);

/** placement_trace_close - NULL is fine */
void placement_trace_close(struct placement_trace *trace);

/** placement_trace_begin - record from now on; what fails is told at the end; NULL is fine */
void placement_trace_begin(struct placement_trace *trace);

/**
 * placement_trace_end - record no longer: what there is of a process's children, as lines
 * @trace: begun
 * @parent: the process that started them meanwhile; it isn't part of it
 *
 * One event a line, in the order of time: which, nanoseconds since the first event,
 * the CPU where it happened, and
 *
 *	main  NS CPU PID             @parent started this one
 *	fork  NS CPU PID CHILD
 *	new   NS CPU PID TARGET      the CPU chosen for a new task
 *	wake  NS CPU PID TARGET      for one that slept
 *	run   NS CPU PID             begins to run
 *	stop  NS CPU PID STATE       runs no longer; 0: it would like to
 *	move  NS CPU PID FROM TO     to another CPU's queue
 *	other NS CPU NR              others have so many tasks there, the running one included
 *	idle  NS CPU                 nothing runs there any longer
 *
 * then "lost NR" when events found no room in the buffers, and "end" with the number of
 * lines before it. What failed is one line instead, "failed" and the sentence.
 *
 * Return: the caller's to free(); NULL: out of memory.
 */
char *placement_trace_end(struct placement_trace *trace, pid_t parent);

#endif
