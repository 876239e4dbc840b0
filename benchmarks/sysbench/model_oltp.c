// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sysbench's oltp-read-only in the simulator: each thread has a connection, whose server is
 * a process of PostgreSQL or a thread of MariaDB. A transaction is a BEGIN, ten reads of a
 * row, four of a range and a COMMIT, each a message to the server and one back.
 */
#include "benchmarks/native.h"
#include "benchmarks/sysbench/model.h"

enum {
	TRANSACTIONS = 1500,
	MOST_OF_A_THREAD = 150,
	READS = 14,
	OTHERS = 2,
	STATEMENTS = READS + OTHERS,
	ROW_READS = 10,
	/*
	 * What a server does for a statement: estimates, which come to the millisecond of
	 * CPU that PostgreSQL was measured to take for a transaction.
	 */
	BOUND_NS = 10000,
	ROW_NS = 40000,
	RANGE_NS = 120000,
	/* What a client does with a reply. */
	REPLY_NS = 5000,
	FOOTPRINT_KIB = 64,
};

static uint64_t work_of(int statement)
{
	if (statement == 0 || statement == STATEMENTS - 1)
		return BOUND_NS;
	return statement <= ROW_READS ? ROW_NS : RANGE_NS;
}

static void add_step(struct program_graph *graph, int program, enum program_op op,
		     int object, uint64_t amount)
{
	program_add(graph, program,
		    PROGRAM_STEP(.op = op, .object = object, .amount = amount));
}

/* By the connection of the task: channel 0 to the server, 1 back. */
static void add_message(struct program_graph *graph, int program, enum program_op op,
			int channel)
{
	program_add(graph, program,
		    PROGRAM_STEP(.op = op, .object = channel, .is_based = true));
}

static void add_client(struct program_graph *graph, int client, uint64_t transactions)
{
	sysbench_ready(graph, client);
	add_step(graph, client, PROGRAM_STAMP, 0, 0);
	add_message(graph, client, PROGRAM_SEND, 0);
	add_message(graph, client, PROGRAM_RECEIVE, 1);
	add_step(graph, client, PROGRAM_RUN, 0, REPLY_NS);
	program_repeat(graph, client, 3, STATEMENTS, 1);
	add_step(graph, client, PROGRAM_NOTE, 0, 0);
	program_repeat(graph, client, 6, transactions, 0);
}

static void add_server(struct program_graph *graph, int server, uint64_t transactions)
{
	int i;

	for (i = 0; i < STATEMENTS; i++) {
		add_message(graph, server, PROGRAM_RECEIVE, 0);
		add_step(graph, server, PROGRAM_RUN, 0, work_of(i));
		add_message(graph, server, PROGRAM_SEND, 1);
	}
	program_repeat(graph, server, 3 * STATEMENTS, transactions, 0);
}

static int build(const struct workload *workload, struct program_graph *graph,
		 struct err *err)
{
	const struct program_channel connection = { PROGRAM_UNIX, 1 };
	uint64_t transactions = sysbench_events(workload, MOST_OF_A_THREAD, TRANSACTIONS);
	uint64_t threads = workload_uint(workload, "threads");
	bool has_threads = workload->choice[1] != 0;
	int starter = program_new(graph, "sysbench", false, FOOTPRINT_KIB);
	int database = program_new(graph, "database", false, FOOTPRINT_KIB);
	int server = program_new(graph, "server", has_threads, FOOTPRINT_KIB);
	int client = program_new(graph, "client", true, FOOTPRINT_KIB);
	uint64_t i;

	(void)err;
	(void)program_channels(graph, connection, (size_t)(2 * threads));
	add_step(graph, starter, PROGRAM_FORK, database, 0);
	for (i = 0; i < threads; i++)
		add_step(graph, database, PROGRAM_FORK, server, 2 * i);
	add_step(graph, database, PROGRAM_WAIT, 0, 0);
	add_server(graph, server, transactions);
	add_client(graph, client, transactions);
	sysbench_start(workload, graph, client, 1);
	return 0;
}

static int samples(const struct workload *workload, const struct program_outcome *outcome,
		   struct bench_samples *samples, struct err *err)
{
	uint64_t events = sysbench_events(workload, MOST_OF_A_THREAD, TRANSACTIONS) *
			  workload_uint(workload, "threads");
	double busy, seconds, rate;
	int bad = model_notes(outcome, 0, events, &busy, err);

	if (!bad)
		bad = model_count(outcome, PROGRAM_SEND, 2 * events * STATEMENTS, err);
	if (!bad)
		bad = model_elapsed(outcome, MODEL_START, MODEL_STOP, &seconds, err);
	if (bad)
		return bad;
	rate = (double)events / seconds;
	bad = bench_sample_add(workload->ops, samples, "transactions", rate, err);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "requests", READS * rate,
				       err);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "other", OTHERS * rate,
				       err);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "latency",
				       busy * 1e3 / (double)events, err);
	return bad;
}

const struct bench_model sysbench_oltp_model = { .graph = build, .samples = samples };
