/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What Slurm tells of its jobs and nodes: the JSON of `squeue --json` and `sinfo --json`,
 * read into plain arrays. The shape follows the plugin that wrote it, so both shapes that
 * releases from 22.05 on have are read, and any other is refused by its name.
 */
#ifndef RUNNER_SLURM_QUEUE_H
#define RUNNER_SLURM_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/**
 * enum slurm_phase - how far a job is
 * @SLURM_WAITING: will run, or run again
 * @SLURM_STARTING: has its node, which may be booting
 * @SLURM_RUNNING: runs, or is about to end
 * @SLURM_OVER: won't run again by itself
 */
enum slurm_phase { SLURM_WAITING, SLURM_STARTING, SLURM_RUNNING, SLURM_OVER };

/**
 * struct slurm_job - one line of the queue: a task of an array, or its unstarted rest
 * @id: of the job
 * @name: as submitted
 * @phase: how far it is
 * @reason: why it waits, as Slurm names it; "" where it says nothing
 * @nr_restarts: how often Slurm has started it again
 * @has_task: it is the task @task of its array
 * @tasks: the rest of the array such as "4-9,12"; "" where it is a task
 */
struct slurm_job {
	uint64_t id;
	char *name;
	enum slurm_phase phase;
	char *reason;
	uint64_t nr_restarts;
	bool has_task;
	uint64_t task;
	char *tasks;
};

/** struct slurm_queue - all jobs that Slurm knows, those that ended lately included */
struct slurm_queue {
	struct slurm_job *jobs;
	size_t nr_jobs;
};

/**
 * slurm_queue_parse - read the output of `squeue --json`
 * @text: need not be terminated
 * @len: bytes in @text
 * @ret: to be released by slurm_queue_release(); empty on failure
 * @err: names the shape or the key that isn't known
 *
 * Return: 0, -EPROTO or -ENOMEM.
 */
int slurm_queue_parse(const char *text, size_t len, struct slurm_queue *ret,
		      struct err *err);

/** slurm_queue_release - free what it owns; an empty one is fine */
void slurm_queue_release(struct slurm_queue *queue);

/**
 * slurm_job_has_task - whether a line of the queue stands for a task of its array
 *
 * Slurm cuts the text of a long rest and ends it with dots: then all tasks count as its.
 */
bool slurm_job_has_task(const struct slurm_job *job, uint64_t task);

/**
 * struct slurm_node - one node
 * @name: of it
 * @features: comma-separated, as configured
 * @active: comma-separated, those that Slurm believes in now: no evidence of a kernel
 * @partitions: comma-separated
 * @reason: why it is out of service, "" when it isn't
 * @is_down: doesn't answer, or was set so
 * @is_drained: gets no jobs until somebody resumes it
 */
struct slurm_node {
	char *name, *features, *active, *partitions, *reason;
	bool is_down, is_drained;
};

/** struct slurm_nodes - all nodes that Slurm knows */
struct slurm_nodes {
	struct slurm_node *nodes;
	size_t nr_nodes;
};

/** slurm_nodes_parse - likewise, the output of `sinfo --json` */
int slurm_nodes_parse(const char *text, size_t len, struct slurm_nodes *ret,
		      struct err *err);

/** slurm_nodes_release - free what it owns; an empty one is fine */
void slurm_nodes_release(struct slurm_nodes *nodes);

/** slurm_nodes_find - by name; NULL: there is none */
const struct slurm_node *slurm_nodes_find(const struct slurm_nodes *nodes,
					  const char *name);

/** slurm_has_word - whether @word is in the comma-separated @list */
bool slurm_has_word(const char *list, const char *word);

#endif
