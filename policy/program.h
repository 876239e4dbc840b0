/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks as small programs: what a workload does, as plain data that the simulator runs.
 * A graph holds the programs and what they share: channels, gates, barriers. The first
 * program is that of the first task, which forks the others.
 */
#ifndef POLICY_PROGRAM_H
#define POLICY_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * PROGRAM_LOOPS - counters for loops of one program; PROGRAM_MARKS - marks of a graph;
 * PROGRAM_NOTES - kinds of times that its tasks note
 */
enum { PROGRAM_LOOPS = 4, PROGRAM_MARKS = 8, PROGRAM_NOTES = 4 };

/**
 * enum program_op - what a step does
 * @PROGRAM_RUN: compute for amount ns of a CPU that has its core alone
 * @PROGRAM_MEMORY: move amount bytes from and to the memory of the node on which the task
 *                  did this for the first time (first touch)
 * @PROGRAM_SLEEP: for amount ns
 * @PROGRAM_SEND: one message to a channel; waits while it is full
 * @PROGRAM_RECEIVE: one message of a channel; waits while it is empty
 * @PROGRAM_BLOCK: take a token of a gate; waits while it has none
 * @PROGRAM_WAKE: put amount tokens into a gate; 0: it stays open for everybody
 * @PROGRAM_LOCK: take a gate that is a mutex; no system call while it is free. Whoever
 *                comes first has it, not who waited longest
 * @PROGRAM_UNLOCK: give it back; a system call where somebody waits. All mutexes are
 *                  to be given back once before they are taken
 * @PROGRAM_YIELD: let others on the same CPU run first
 * @PROGRAM_BARRIER: wait until all parties of the barrier have come
 * @PROGRAM_FORK: a new task runs program object; its base is amount
 * @PROGRAM_EXEC: become a new program image, which is placed anew; goes on with the next
 *                step
 * @PROGRAM_WAIT: until all own children have exited
 * @PROGRAM_REPEAT: go back steps amount times, then on; object is the counter, another
 *                  one for each loop of a nest
 * @PROGRAM_MARK: note the time as mark object
 * @PROGRAM_STAMP: the task keeps the time; WAKE hands it on to those it wakes up
 * @PROGRAM_NOTE: add the time since the task's stamp to note object
 * @PROGRAM_EXIT: end; also at the last step
 */
enum program_op {
	PROGRAM_RUN,
	PROGRAM_MEMORY,
	PROGRAM_SLEEP,
	PROGRAM_SEND,
	PROGRAM_RECEIVE,
	PROGRAM_BLOCK,
	PROGRAM_WAKE,
	PROGRAM_LOCK,
	PROGRAM_UNLOCK,
	PROGRAM_YIELD,
	PROGRAM_BARRIER,
	PROGRAM_FORK,
	PROGRAM_EXEC,
	PROGRAM_WAIT,
	PROGRAM_REPEAT,
	PROGRAM_MARK,
	PROGRAM_STAMP,
	PROGRAM_NOTE,
	PROGRAM_EXIT,
	PROGRAM_OPS,
};

/**
 * struct program_step - one step
 * @op: what it does
 * @object: number of the channel, gate, barrier, program, counter, mark or note
 * @is_based: the base of the task is added to @object
 * @back: steps to go back
 * @amount: see enum program_op
 */
struct program_step {
	enum program_op op;
	int object;
	bool is_based;
	unsigned int back;
	uint64_t amount;
};

/** PROGRAM_STEP - a step with the fields named */
#define PROGRAM_STEP(...) ((struct program_step){ __VA_ARGS__ })

/**
 * struct program - what a task does
 * @name: for messages
 * @is_thread: it shares the memory of its parent, and is created the cheaper way
 * @footprint_kib: what it keeps in caches, and must fetch again elsewhere
 * @steps: at least one
 * @nr_steps: how many
 */
struct program {
	const char *name;
	bool is_thread;
	unsigned int footprint_kib;
	struct program_step *steps;
	size_t nr_steps;
	/* Grown by program_add(). */
	size_t room;
};

/**
 * enum program_medium - what a channel is made of; decides what a message costs
 * @PROGRAM_PIPE: woken up synchronously, as all but a futex
 */
enum program_medium { PROGRAM_PIPE, PROGRAM_UNIX, PROGRAM_TCP, PROGRAM_FUTEX };

/** struct program_channel - @capacity messages of @medium fit in */
struct program_channel {
	enum program_medium medium;
	unsigned int capacity;
};

/**
 * struct program_graph - a workload
 * @programs: the first one is that of the first task
 * @nr_programs: how many
 * @channels: what SEND and RECEIVE number
 * @nr_channels: how many
 * @nr_gates: what BLOCK and WAKE, LOCK and UNLOCK number
 * @parties: of each barrier
 * @nr_barriers: how many
 * @is_short: memory ran out while it was built: it must not be used
 */
struct program_graph {
	struct program *programs;
	size_t nr_programs;
	struct program_channel *channels;
	size_t nr_channels;
	size_t nr_gates;
	unsigned int *parties;
	size_t nr_barriers;
	bool is_short;
};

/** struct program_note - times in ns that tasks noted, in the order they did */
struct program_note {
	uint64_t *ns;
	size_t nr, room;
};

/**
 * struct program_outcome - what a run of a graph left for the workload it stands for
 * @end_ns: when the last task was gone
 * @mark_ns: when each mark was last passed
 * @has_mark: whether it was
 * @nr_done: steps that were done, by what they do; REPEAT is not counted
 * @notes: what was noted
 */
struct program_outcome {
	uint64_t end_ns, mark_ns[PROGRAM_MARKS];
	bool has_mark[PROGRAM_MARKS];
	uint64_t nr_done[PROGRAM_OPS];
	struct program_note notes[PROGRAM_NOTES];
};

/**
 * program_new - add a program without steps
 * @graph: all zero at first; to be freed by program_graph_free()
 * @name: lent
 * @is_thread: see struct program
 * @footprint_kib: likewise
 *
 * Like the other functions that add something: without memory, @graph's is_short is set,
 * to be asked for once in the end.
 *
 * Return: its number.
 */
int program_new(struct program_graph *graph, const char *name, bool is_thread,
		unsigned int footprint_kib);

/** program_add - append @step to program @number */
void program_add(struct program_graph *graph, int number, struct program_step step);

/**
 * program_repeat - let the last @steps steps of program @number be done @times times
 * @graph: added to
 * @number: of the program
 * @steps: at least 1
 * @times: at least 1
 * @counter: below PROGRAM_LOOPS; loops inside each other have different ones
 */
void program_repeat(struct program_graph *graph, int number, unsigned int steps,
		    uint64_t times, int counter);

/** program_channels - add @nr channels like @channel; returns the number of the first */
int program_channels(struct program_graph *graph, struct program_channel channel,
		     size_t nr);

/** program_barrier - add a barrier of @parties tasks; returns its number */
int program_barrier(struct program_graph *graph, unsigned int parties);

/** program_note_add - add @ns to note @number of @outcome; 0 or -ENOMEM */
int program_note_add(struct program_outcome *outcome, int number, uint64_t ns);

/** program_outcome_release - what @outcome holds */
void program_outcome_release(struct program_outcome *outcome);

/** program_graph_free - all that was added; the graph is all zero again */
void program_graph_free(struct program_graph *graph);

#endif
