// SPDX-License-Identifier: GPL-2.0-or-later
/* See graphs.h. Footprints are estimates: user and kernel lines of a task. */
#include "policy/graphs.h"

#define STEP(...) ((struct program_step){ __VA_ARGS__ })

/* Messages of 100 bytes in 64 KiB of a pipe; sockets hold fewer. */
enum { PIPE_MESSAGES = 655, SOCKET_MESSAGES = 278 };

static void fork_all(const struct graph_hackbench *parameters, int receiver, int sender,
		     struct program_graph *graph)
{
	unsigned int fds = parameters->fds;
	unsigned int group, i;

	for (group = 0; group < parameters->groups; group++) {
		for (i = 0; i < fds; i++)
			program_add(graph, 0,
				    STEP(.op = PROGRAM_FORK, .object = receiver,
					 .amount = (uint64_t)group * fds + i));
		for (i = 0; i < fds; i++)
			program_add(graph, 0,
				    STEP(.op = PROGRAM_FORK, .object = sender,
					 .amount = (uint64_t)group * fds));
	}
}

/* Report that the task is ready, then wait until all may go. */
static void add_start(struct program_graph *graph, int program, int ready)
{
	program_add(graph, program, STEP(.op = PROGRAM_SEND, .object = ready));
	program_add(graph, program, STEP(.op = PROGRAM_BLOCK));
}

void graph_hackbench(const struct graph_hackbench *parameters,
		     struct program_graph *graph)
{
	bool is_thread = parameters->has_threads;
	unsigned int fds = parameters->fds;
	unsigned int nr = parameters->groups * fds;
	struct program_channel channel = {
		.medium = parameters->medium,
		.capacity = parameters->medium == PROGRAM_PIPE ? PIPE_MESSAGES
							       : SOCKET_MESSAGES,
	};
	struct program_channel report = { parameters->medium, 2 * nr };
	int starter = program_new(graph, "hackbench", false, 12);
	int receiver = program_new(graph, "receiver", is_thread, 12);
	int sender = program_new(graph, "sender", is_thread, 12);
	unsigned int i;
	int ready;

	(void)program_channels(graph, channel, nr);
	ready = program_channels(graph, report, 1);
	graph->nr_gates = 1;
	fork_all(parameters, receiver, sender, graph);
	program_add(graph, starter, STEP(.op = PROGRAM_RECEIVE, .object = ready));
	program_add(
		graph, starter,
		STEP(.op = PROGRAM_REPEAT, .back = 1, .amount = 2 * (uint64_t)nr - 1));
	program_add(graph, starter, STEP(.op = PROGRAM_MARK, .object = GRAPH_START));
	program_add(graph, starter, STEP(.op = PROGRAM_WAKE));
	program_add(graph, starter, STEP(.op = PROGRAM_WAIT));
	program_add(graph, starter, STEP(.op = PROGRAM_MARK, .object = GRAPH_STOP));
	add_start(graph, receiver, ready);
	program_add(graph, receiver, STEP(.op = PROGRAM_RECEIVE, .is_based = true));
	program_add(graph, receiver,
		    STEP(.op = PROGRAM_REPEAT, .back = 1,
			 .amount = (uint64_t)fds * parameters->loops - 1));
	add_start(graph, sender, ready);
	for (i = 0; i < fds; i++)
		program_add(graph, sender,
			    STEP(.op = PROGRAM_SEND, .object = (int)i, .is_based = true));
	program_add(
		graph, sender,
		STEP(.op = PROGRAM_REPEAT, .back = fds, .amount = parameters->loops - 1));
}

static void add_kernels(struct program_graph *graph, int program, uint64_t bytes,
			unsigned int passes)
{
	program_add(graph, program, STEP(.op = PROGRAM_MEMORY, .amount = bytes));
	program_add(graph, program, STEP(.op = PROGRAM_BARRIER));
	program_add(graph, program,
		    STEP(.op = PROGRAM_REPEAT, .back = 2, .amount = passes - 1));
}

void graph_stream(unsigned int threads, uint64_t bytes, unsigned int passes,
		  struct program_graph *graph)
{
	int starter = program_new(graph, "stream", false, 4);
	int thread = program_new(graph, "thread", true, 4);
	unsigned int i;

	(void)program_barrier(graph, threads);
	for (i = 1; i < threads; i++)
		program_add(graph, starter, STEP(.op = PROGRAM_FORK, .object = thread));
	program_add(graph, starter, STEP(.op = PROGRAM_MARK, .object = GRAPH_START));
	add_kernels(graph, starter, bytes / threads, passes);
	program_add(graph, starter, STEP(.op = PROGRAM_MARK, .object = GRAPH_STOP));
	program_add(graph, starter, STEP(.op = PROGRAM_WAIT));
	add_kernels(graph, thread, bytes / threads, passes);
}

void graph_pair(enum program_medium medium, unsigned int loops, uint64_t think_ns,
		struct program_graph *graph)
{
	int client = program_new(graph, "client", false, 4);
	int server = program_new(graph, "server", false, 4);
	int to = program_channels(graph, (struct program_channel){ medium, 16 }, 2);
	int from = to + 1;
	struct program_step think = { .op = PROGRAM_RUN, .amount = think_ns };
	struct program_step again = {
		.op = PROGRAM_REPEAT,
		.back = 3,
		.amount = loops - 1,
	};

	program_add(graph, client, STEP(.op = PROGRAM_FORK, .object = server));
	program_add(graph, client, STEP(.op = PROGRAM_MARK, .object = GRAPH_START));
	program_add(graph, client, think);
	program_add(graph, client, STEP(.op = PROGRAM_SEND, .object = to));
	program_add(graph, client, STEP(.op = PROGRAM_RECEIVE, .object = from));
	program_add(graph, client, again);
	program_add(graph, client, STEP(.op = PROGRAM_MARK, .object = GRAPH_STOP));
	program_add(graph, client, STEP(.op = PROGRAM_WAIT));
	program_add(graph, server, STEP(.op = PROGRAM_RECEIVE, .object = to));
	program_add(graph, server, think);
	program_add(graph, server, STEP(.op = PROGRAM_SEND, .object = from));
	program_add(graph, server, again);
}
