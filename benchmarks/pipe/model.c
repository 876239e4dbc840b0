// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pipe in the simulator: two tasks that pass a word back and forth. Of a longer run so many
 * round trips are done that its start and end don't show in the time of one.
 */
#include "benchmarks/all.h"
#include "benchmarks/model.h"
#include "benchmarks/native.h"

enum { MOST_LOOPS = 50000, PIPE_WORDS = 16384, FOOTPRINT_KIB = 4 };

static uint64_t loops_of(const struct workload *workload)
{
	return model_part(workload_uint(workload, "loops"), 1, MOST_LOOPS);
}

/* One side: @speaks_first or not. */
static void add_talk(const struct workload *workload, struct program_graph *graph,
		     int program, bool speaks_first)
{
	struct program_step say = { .op = PROGRAM_SEND, .object = speaks_first ? 0 : 1 };
	struct program_step hear = {
		.op = PROGRAM_RECEIVE,
		.object = speaks_first ? 1 : 0,
	};

	program_add(graph, program, speaks_first ? say : hear);
	program_add(graph, program, speaks_first ? hear : say);
	program_repeat(graph, program, 2, loops_of(workload), 0);
}

/* Of two processes the parent is the one who speaks first; of threads it only waits. */
static int build(const struct workload *workload, struct program_graph *graph,
		 struct err *err)
{
	bool is_threaded = bench_is_threaded(workload);
	struct program_channel pipe = { PROGRAM_PIPE, PIPE_WORDS };
	int first = program_new(graph, "pipe", false, FOOTPRINT_KIB);
	int hearer = program_new(graph, "hearer", is_threaded, FOOTPRINT_KIB);
	int speaker = first;

	(void)err;
	(void)program_channels(graph, pipe, 2);
	program_add(graph, first,
		    PROGRAM_STEP(.op = PROGRAM_MARK, .object = MODEL_START));
	program_add(graph, first, PROGRAM_STEP(.op = PROGRAM_FORK, .object = hearer));
	if (is_threaded) {
		speaker = program_new(graph, "speaker", true, FOOTPRINT_KIB);
		program_add(graph, first,
			    PROGRAM_STEP(.op = PROGRAM_FORK, .object = speaker));
	}
	add_talk(workload, graph, hearer, false);
	add_talk(workload, graph, speaker, true);
	program_add(graph, first, PROGRAM_STEP(.op = PROGRAM_WAIT));
	program_add(graph, first, PROGRAM_STEP(.op = PROGRAM_MARK, .object = MODEL_STOP));
	return 0;
}

static int samples(const struct workload *workload, const struct program_outcome *outcome,
		   struct bench_samples *samples, struct err *err)
{
	double loops = (double)loops_of(workload);
	double seconds;
	int bad = model_count(outcome, PROGRAM_SEND, 2 * loops_of(workload), err);

	if (!bad)
		bad = model_elapsed(outcome, MODEL_START, MODEL_STOP, &seconds, err);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "latency",
				       seconds * 1e6 / loops, err);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "rate", loops / seconds,
				       err);
	return bad;
}

const struct bench_model pipe_model = { .graph = build, .samples = samples };
