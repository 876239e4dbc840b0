// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tbench in the simulator: clients that send requests in the order of the synthetic load,
 * and a server process for each. The other loads have the same operations in the same
 * shares, so it stands for all of them. A run of so many seconds is so many requests.
 *
 * A request is one message, and so is its reply: that both are read in two pieces isn't
 * simulated. What the two sides do for a packet is work that grows with its bytes.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "benchmarks/all.h"
#include "benchmarks/model.h"
#include "benchmarks/native.h"
#include "benchmarks/tbench/synthetic.h"
#include "benchmarks/tbench/wire.h"
#include "lib/err.h"

enum {
	PACKETS = 30000,
	MOST_OF_A_CLIENT = 6000,
	/* As many as are laid out, to be gone through again and again. */
	MOST_OF_A_ROUND = 300,
	/* Reading a line of the load and taking it apart; copying. Estimates. */
	LINE_NS = 1500,
	BYTES_IN_A_NS = 10,
	FOOTPRINT_KIB = 16,
};

/* struct round - requests that all clients send, over and over */
struct round {
	struct wire_request requests[MOST_OF_A_ROUND];
	size_t nr;
	uint64_t times, payload;
};

/* The first requests of the load. */
static size_t read_load(FILE *file, struct wire_request *requests, size_t most)
{
	char line[WIRE_LINE];
	size_t nr = 0;

	while (nr < most && fgets(line, sizeof(line), file))
		nr += wire_read(line, 0, &requests[nr]) > 0;
	return nr;
}

static int make_load(struct round *round, size_t most, struct err *err)
{
	char *text = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&text, &len);

	if (!file)
		return err_nomem(err);
	synthetic_write(file);
	if (fclose(file) || !text) {
		free(text);
		return err_nomem(err);
	}
	file = fmemopen(text, len, "r");
	round->nr = file ? read_load(file, round->requests, most) : 0;
	if (file)
		(void)fclose(file);
	free(text);
	return round->nr == most ? 0 : err_nomem(err);
}

static int make_round(const struct workload *workload, struct round *round,
		      struct err *err)
{
	uint64_t packets =
		model_part(MOST_OF_A_CLIENT, workload_uint(workload, "clients"), PACKETS);
	size_t most = packets < MOST_OF_A_ROUND ? (size_t)packets : MOST_OF_A_ROUND;
	size_t i;
	int bad = make_load(round, most, err);

	round->times = packets / most;
	round->payload = 0;
	for (i = 0; !bad && i < most; i++)
		round->payload += round->requests[i].payload;
	return bad;
}

static void add_step(struct program_graph *graph, int program, enum program_op op,
		     int object, uint64_t amount)
{
	program_add(graph, program,
		    PROGRAM_STEP(.op = op, .object = object, .amount = amount));
}

/* A connection has two channels, for requests and for replies, from the base on. */
static void add_message(struct program_graph *graph, int program, enum program_op op,
			int channel)
{
	program_add(graph, program,
		    PROGRAM_STEP(.op = op, .object = channel, .is_based = true));
}

/* The greeting, the gate, then requests, each when the last one has its reply. */
static void add_client(const struct round *round, struct program_graph *graph, int client)
{
	size_t i;

	add_message(graph, client, PROGRAM_SEND, 0);
	add_message(graph, client, PROGRAM_RECEIVE, 1);
	add_step(graph, client, PROGRAM_BLOCK, 0, 0);
	for (i = 0; i < round->nr; i++) {
		add_step(graph, client, PROGRAM_RUN, 0,
			 LINE_NS + round->requests[i].send / BYTES_IN_A_NS);
		add_step(graph, client, PROGRAM_STAMP, 0, 0);
		add_message(graph, client, PROGRAM_SEND, 0);
		add_message(graph, client, PROGRAM_RECEIVE, 1);
		add_step(graph, client, PROGRAM_NOTE, 0, 0);
	}
	program_repeat(graph, client, 5 * (unsigned int)round->nr, round->times, 0);
	add_step(graph, client, PROGRAM_MARK, MODEL_STOP, 0);
}

static void add_server(const struct round *round, struct program_graph *graph, int server)
{
	size_t i;

	add_message(graph, server, PROGRAM_RECEIVE, 0);
	add_message(graph, server, PROGRAM_SEND, 1);
	for (i = 0; i < round->nr; i++) {
		const struct wire_request *request = &round->requests[i];

		add_message(graph, server, PROGRAM_RECEIVE, 0);
		add_step(graph, server, PROGRAM_RUN, 0,
			 (request->send + request->reply) / BYTES_IN_A_NS);
		add_message(graph, server, PROGRAM_SEND, 1);
	}
	program_repeat(graph, server, 3 * (unsigned int)round->nr, round->times, 0);
}

/* The first task starts the server, which has a child for each connection, and clients. */
static int build(const struct workload *workload, struct program_graph *graph,
		 struct err *err)
{
	const struct program_channel connection = { PROGRAM_TCP, 1 };
	uint64_t clients = workload_uint(workload, "clients");
	struct round *round = malloc(sizeof(*round));
	int starter, listener, server, client, bad;
	uint64_t i;

	if (!round)
		return err_nomem(err);
	bad = make_round(workload, round, err);
	if (bad) {
		free(round);
		return bad;
	}
	starter = program_new(graph, "starter", false, FOOTPRINT_KIB);
	listener = program_new(graph, "listener", false, FOOTPRINT_KIB);
	server = program_new(graph, "server", false, FOOTPRINT_KIB);
	client = program_new(graph, "client", false, FOOTPRINT_KIB);
	(void)program_channels(graph, connection, (size_t)(2 * clients));
	graph->nr_gates = 1;
	add_step(graph, starter, PROGRAM_FORK, listener, 0);
	for (i = 0; i < clients; i++) {
		add_step(graph, starter, PROGRAM_FORK, client, 2 * i);
		add_step(graph, listener, PROGRAM_FORK, server, 2 * i);
	}
	add_step(graph, starter, PROGRAM_MARK, MODEL_START, 0);
	add_step(graph, starter, PROGRAM_WAKE, 0, 0);
	add_step(graph, starter, PROGRAM_WAIT, 0, 0);
	add_step(graph, listener, PROGRAM_WAIT, 0, 0);
	add_client(round, graph, client);
	add_server(round, graph, server);
	free(round);
	return 0;
}

static double longest_ms(const struct program_note *note)
{
	uint64_t most_ns = 0;
	size_t i;

	for (i = 0; i < note->nr; i++)
		most_ns = note->ns[i] > most_ns ? note->ns[i] : most_ns;
	return (double)most_ns / 1e6;
}

static int samples(const struct workload *workload, const struct program_outcome *outcome,
		   struct bench_samples *samples, struct err *err)
{
	uint64_t clients = workload_uint(workload, "clients");
	struct round *round = malloc(sizeof(*round));
	double seconds, megabytes = 0;
	int bad = round ? make_round(workload, round, err) : err_nomem(err);

	if (!bad) {
		megabytes = (double)(clients * round->times * round->payload) / 1e6;
		bad = model_notes(outcome, 0, clients * round->times * round->nr,
				  &seconds, err);
	}
	free(round);
	if (!bad)
		bad = model_elapsed(outcome, MODEL_START, MODEL_STOP, &seconds, err);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "rate",
				       megabytes / seconds, err);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "max-latency",
				       longest_ms(&outcome->notes[0]), err);
	return bad;
}

const struct bench_model tbench_model = { .graph = build, .samples = samples };
