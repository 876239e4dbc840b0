// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tcp-rr and udp-rr in the simulator: pairs of a client and a server process that wait for
 * each other. A run of so many seconds is so many transactions. There is no cost of a
 * datagram: one is taken as a TCP message.
 */
#include "benchmarks/all.h"
#include "benchmarks/model.h"
#include "benchmarks/native.h"

enum { TRANSACTIONS = 20000, MOST_OF_A_PAIR = 10000, FOOTPRINT_KIB = 4 };

static uint64_t transactions_of(const struct workload *workload)
{
	return model_part(MOST_OF_A_PAIR, workload_uint(workload, "pairs"), TRANSACTIONS);
}

static void add_client(struct program_graph *graph, int program, uint64_t transactions)
{
	program_add(graph, program, PROGRAM_STEP(.op = PROGRAM_BLOCK));
	program_add(graph, program, PROGRAM_STEP(.op = PROGRAM_STAMP));
	program_add(graph, program, PROGRAM_STEP(.op = PROGRAM_SEND, .is_based = true));
	program_add(graph, program,
		    PROGRAM_STEP(.op = PROGRAM_RECEIVE, .object = 1, .is_based = true));
	program_repeat(graph, program, 2, transactions, 0);
	program_add(graph, program, PROGRAM_STEP(.op = PROGRAM_NOTE));
}

static void add_server(struct program_graph *graph, int program, uint64_t transactions)
{
	program_add(graph, program, PROGRAM_STEP(.op = PROGRAM_BLOCK));
	program_add(graph, program,
		    PROGRAM_STEP(.op = PROGRAM_RECEIVE, .is_based = true));
	program_add(graph, program,
		    PROGRAM_STEP(.op = PROGRAM_SEND, .object = 1, .is_based = true));
	program_repeat(graph, program, 2, transactions, 0);
}

/* All begin when the last one is there. A pair has two channels, one for each way. */
static int build(const struct workload *workload, struct program_graph *graph,
		 struct err *err)
{
	const struct program_channel connection = { PROGRAM_TCP, 1 };
	uint64_t transactions = transactions_of(workload);
	uint64_t pairs = workload_uint(workload, "pairs");
	int starter = program_new(graph, "starter", false, FOOTPRINT_KIB);
	int server = program_new(graph, "server", false, FOOTPRINT_KIB);
	int client = program_new(graph, "client", false, FOOTPRINT_KIB);
	uint64_t i;

	(void)err;
	(void)program_channels(graph, connection, (size_t)(2 * pairs));
	graph->nr_gates = 1;
	for (i = 0; i < 2 * pairs; i++)
		program_add(graph, starter,
			    PROGRAM_STEP(.op = PROGRAM_FORK,
					 .object = i % 2 ? client : server,
					 .amount = i - i % 2));
	program_add(graph, starter, PROGRAM_STEP(.op = PROGRAM_WAKE));
	program_add(graph, starter, PROGRAM_STEP(.op = PROGRAM_WAIT));
	add_server(graph, server, transactions);
	add_client(graph, client, transactions);
	return 0;
}

static int samples(const struct workload *workload, const struct program_outcome *outcome,
		   struct bench_samples *samples, struct err *err)
{
	const struct program_note *note = &outcome->notes[0];
	uint64_t pairs = workload_uint(workload, "pairs");
	double transactions = (double)transactions_of(workload);
	double seconds, rate = 0;
	uint64_t i;
	int bad = model_notes(outcome, 0, pairs, &seconds, err);

	for (i = 0; !bad && i < pairs; i++)
		rate += transactions * 1e9 / (double)note->ns[i];
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "rate", rate, err);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "latency",
				       seconds * 1e6 / transactions / (double)pairs, err);
	return bad;
}

const struct bench_model rr_model = { .graph = build, .samples = samples };
