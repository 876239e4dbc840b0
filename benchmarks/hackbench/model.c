// SPDX-License-Identifier: GPL-2.0-or-later
/* hackbench in the simulator; see model.h. */
#include "benchmarks/hackbench/model.h"

#include <string.h>

#include "benchmarks/all.h"
#include "benchmarks/native.h"

enum {
	/* What a pipe holds; what a socket does, where a buffer has a head of its own. */
	PIPE_BYTES = 65536,
	SOCKET_BYTES = 212992,
	SOCKET_LEAST = 768,
	SOCKET_HEAD = 640,
	/* An estimate: user and kernel lines of a task. */
	FOOTPRINT_KIB = 12,
};

static unsigned int capacity(const struct hackbench_shape *shape)
{
	uint64_t one = shape->size + SOCKET_HEAD;
	uint64_t nr;

	if (shape->medium == PROGRAM_PIPE)
		nr = PIPE_BYTES / shape->size;
	else
		nr = SOCKET_BYTES / (one > SOCKET_LEAST ? one : SOCKET_LEAST);
	return nr ? (unsigned int)nr : 1;
}

static void fork_all(const struct hackbench_shape *shape, int receiver, int sender,
		     struct program_graph *graph)
{
	uint64_t group, i;

	for (group = 0; group < shape->groups; group++) {
		for (i = 0; i < shape->fds; i++)
			program_add(graph, 0,
				    PROGRAM_STEP(.op = PROGRAM_FORK, .object = receiver,
						 .amount = group * shape->fds + i));
		for (i = 0; i < shape->fds; i++)
			program_add(graph, 0,
				    PROGRAM_STEP(.op = PROGRAM_FORK, .object = sender,
						 .amount = group * shape->fds));
	}
}

static void add_mark(struct program_graph *graph, int mark)
{
	program_add(graph, 0, PROGRAM_STEP(.op = PROGRAM_MARK, .object = mark));
}

/* Report that the task is ready, then wait until all may go. */
static void add_start(struct program_graph *graph, int program, int ready)
{
	program_add(graph, program, PROGRAM_STEP(.op = PROGRAM_SEND, .object = ready));
	program_add(graph, program, PROGRAM_STEP(.op = PROGRAM_BLOCK));
}

static void add_receiver(const struct hackbench_shape *shape, struct program_graph *graph,
			 int program)
{
	program_add(graph, program,
		    PROGRAM_STEP(.op = PROGRAM_RECEIVE, .is_based = true));
	program_repeat(graph, program, 1, shape->fds * shape->loops, 0);
}

static void add_sender(const struct hackbench_shape *shape, struct program_graph *graph,
		       int program)
{
	uint64_t i;

	for (i = 0; i < shape->fds; i++)
		program_add(graph, program,
			    PROGRAM_STEP(.op = PROGRAM_SEND, .object = (int)i,
					 .is_based = true));
	program_repeat(graph, program, (unsigned int)shape->fds, shape->loops, 0);
}

void hackbench_graph(const struct hackbench_shape *shape, struct program_graph *graph)
{
	size_t nr = (size_t)(shape->groups * shape->fds);
	struct program_channel channel = { shape->medium, capacity(shape) };
	struct program_channel report = { shape->medium, 2 * (unsigned int)nr };
	int starter = program_new(graph, "hackbench", false, FOOTPRINT_KIB);
	int receiver = program_new(graph, "receiver", shape->has_threads, FOOTPRINT_KIB);
	int sender = program_new(graph, "sender", shape->has_threads, FOOTPRINT_KIB);
	int ready;

	(void)program_channels(graph, channel, nr);
	ready = program_channels(graph, report, 1);
	graph->nr_gates = 1;
	add_mark(graph, HACKBENCH_BEGIN);
	fork_all(shape, receiver, sender, graph);
	program_add(graph, starter, PROGRAM_STEP(.op = PROGRAM_RECEIVE, .object = ready));
	program_repeat(graph, starter, 1, 2 * nr, 0);
	add_mark(graph, MODEL_START);
	program_add(graph, starter, PROGRAM_STEP(.op = PROGRAM_WAKE));
	program_add(graph, starter, PROGRAM_STEP(.op = PROGRAM_WAIT));
	add_mark(graph, MODEL_STOP);
	add_start(graph, receiver, ready);
	add_receiver(shape, graph, receiver);
	add_start(graph, sender, ready);
	add_sender(shape, graph, sender);
}

int hackbench_check(const struct hackbench_shape *shape,
		    const struct program_outcome *outcome, struct err *err)
{
	uint64_t tasks = 2 * shape->groups * shape->fds;
	uint64_t messages = tasks / 2 * shape->fds * shape->loops;
	int bad = model_count(outcome, PROGRAM_FORK, tasks, err);

	if (!bad)
		bad = model_count(outcome, PROGRAM_SEND, messages + tasks, err);
	return bad ? bad : model_count(outcome, PROGRAM_RECEIVE, messages + tasks, err);
}

enum program_medium hackbench_medium(const char *channel)
{
	if (!strcmp(channel, "pipes"))
		return PROGRAM_PIPE;
	return strcmp(channel, "tcp") != 0 ? PROGRAM_UNIX : PROGRAM_TCP;
}

static struct hackbench_shape shape_of(const struct workload *workload)
{
	return (struct hackbench_shape){
		.groups = workload_uint(workload, "groups"),
		.fds = workload_uint(workload, "fds"),
		.loops = workload_uint(workload, "loops"),
		.size = workload_uint(workload, "size"),
		.has_threads = bench_is_threaded(workload),
		.medium = hackbench_medium(workload_word(workload, "channel")),
	};
}

static int build(const struct workload *workload, struct program_graph *graph,
		 struct err *err)
{
	struct hackbench_shape shape = shape_of(workload);

	(void)err;
	hackbench_graph(&shape, graph);
	return 0;
}

static int samples(const struct workload *workload, const struct program_outcome *outcome,
		   struct bench_samples *samples, struct err *err)
{
	static const struct {
		const char *name;
		int from, to;
	} times[] = {
		{ "time", MODEL_START, MODEL_STOP },
		{ "setup", HACKBENCH_BEGIN, MODEL_START },
		{ "total", HACKBENCH_BEGIN, MODEL_STOP },
	};
	struct hackbench_shape shape = shape_of(workload);
	int bad = hackbench_check(&shape, outcome, err);
	double seconds;
	size_t i;

	for (i = 0; !bad && i < sizeof(times) / sizeof(times[0]); i++) {
		bad = model_elapsed(outcome, times[i].from, times[i].to, &seconds, err);
		if (!bad)
			bad = bench_sample_add(workload->ops, samples, times[i].name,
					       seconds, err);
	}
	return bad;
}

const struct bench_model hackbench_model = { .graph = build, .samples = samples };
