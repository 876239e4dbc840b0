// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * chat in the simulator: of each user a receiving and a sending thread in the client and in
 * the server, with a connection and two queues between them. The users of a room speak in
 * the order of their ring. Signing on and off isn't simulated, and of long talks a part is.
 */
#include "benchmarks/all.h"
#include "benchmarks/model.h"
#include "benchmarks/native.h"

/* Of packets that fit into a connection. */
enum { MESSAGES = 60000, CONNECTION_PACKETS = 256, FOOTPRINT_KIB = 4 };

/* enum side - what channels there are of each user, in as many blocks */
enum side { TO_SEND, TO_SERVER, TO_SPREAD, TO_CLIENT, SIDES };

/* struct talk - parameters, and the number of users in all rooms */
struct talk {
	uint64_t rooms, users, messages, all;
};

static struct talk talk_of(const struct workload *workload)
{
	struct talk talk = {
		.rooms = workload_uint(workload, "rooms"),
		.users = workload_uint(workload, "users"),
	};

	talk.all = talk.rooms * talk.users;
	talk.messages = model_part(workload_uint(workload, "messages"),
				   talk.all * talk.users, MESSAGES);
	return talk;
}

static void add_step(struct program_graph *graph, int program, enum program_op op,
		     int object)
{
	program_add(graph, program, PROGRAM_STEP(.op = op, .object = object));
}

/* Send or receive by a channel of user @user of the task's room. */
static void add_message(const struct talk *talk, struct program_graph *graph, int program,
			struct program_step step, enum side side)
{
	step.object += (int)((uint64_t)side * talk->all);
	step.is_based = true;
	program_add(graph, program, step);
}

/* Take packets from one channel, and pass each on by another one. */
static int add_sender(const struct talk *talk, struct program_graph *graph, int user,
		      enum side from, uint64_t packets)
{
	int program = program_new(graph, "sender", true, FOOTPRINT_KIB);

	add_message(talk, graph, program,
		    PROGRAM_STEP(.op = PROGRAM_RECEIVE, .object = user), from);
	add_message(talk, graph, program,
		    PROGRAM_STEP(.op = PROGRAM_SEND, .object = user),
		    (enum side)(from + 1));
	add_step(graph, program, PROGRAM_YIELD, 0);
	program_repeat(graph, program, 3, packets, 0);
	return program;
}

/* What a user says goes to all others in the room, and then is confirmed. */
static int add_relay(const struct talk *talk, struct program_graph *graph, int user)
{
	int program = program_new(graph, "relay", true, FOOTPRINT_KIB);
	int i;

	add_message(talk, graph, program,
		    PROGRAM_STEP(.op = PROGRAM_RECEIVE, .object = user), TO_SERVER);
	for (i = 0; i < (int)talk->users; i++)
		if (i != user)
			add_message(talk, graph, program,
				    PROGRAM_STEP(.op = PROGRAM_SEND, .object = i),
				    TO_SPREAD);
	add_message(talk, graph, program,
		    PROGRAM_STEP(.op = PROGRAM_SEND, .object = user), TO_SPREAD);
	add_step(graph, program, PROGRAM_YIELD, 0);
	program_repeat(graph, program, (unsigned int)talk->users + 2, talk->messages, 0);
	return program;
}

/* Hear @nr packets; the last one makes it the user's turn to speak, if @speaks. */
static unsigned int add_hearing(const struct talk *talk, struct program_graph *graph,
				const int *who, uint64_t nr, bool speaks)
{
	const struct program_step hear = { .op = PROGRAM_RECEIVE, .object = who[1] };
	const struct program_step say = { .op = PROGRAM_SEND, .object = who[1] };
	uint64_t quiet = speaks ? nr - 1 : nr;
	unsigned int steps = 0;

	if (quiet) {
		add_message(talk, graph, who[0], hear, TO_CLIENT);
		add_step(graph, who[0], PROGRAM_YIELD, 0);
		program_repeat(graph, who[0], 2, quiet, 1);
		steps += quiet > 1 ? 3 : 2;
	}
	if (speaks) {
		add_message(talk, graph, who[0], hear, TO_CLIENT);
		add_message(talk, graph, who[0], say, TO_SEND);
		add_step(graph, who[0], PROGRAM_YIELD, 0);
		steps += 3;
	}
	return steps;
}

/*
 * A user hears those before in the ring, then speaks, hears its own confirmation and all
 * others, and so on. The first one's first words are the client's main thread's.
 */
static int add_user(const struct talk *talk, struct program_graph *graph, int user)
{
	int program = program_new(graph, "user", true, FOOTPRINT_KIB);
	const int who[] = { program, user };
	unsigned int steps;

	if (user)
		(void)add_hearing(talk, graph, who, (uint64_t)user, true);
	if (talk->messages > 1) {
		steps = add_hearing(talk, graph, who, talk->users, true);
		program_repeat(graph, program, steps, talk->messages - 1, 0);
	}
	(void)add_hearing(talk, graph, who, talk->users - (uint64_t)user, false);
	add_step(graph, program, PROGRAM_MARK, MODEL_STOP);
	return program;
}

/* Threads of all rooms: for user i the programs @first + 2 i and the next one. */
static void fork_threads(const struct talk *talk, struct program_graph *graph,
			 int program, int first)
{
	uint64_t i;

	for (i = 0; i < 2 * talk->all; i++)
		program_add(graph, program,
			    PROGRAM_STEP(.op = PROGRAM_FORK,
					 .object = first + (int)(i % (2 * talk->users)),
					 .amount = i / (2 * talk->users) * talk->users));
}

static void add_channels(const struct talk *talk, struct program_graph *graph)
{
	unsigned int most = (unsigned int)(talk->users * talk->messages) + 1;
	const struct program_channel queue = { PROGRAM_FUTEX, most };
	const struct program_channel connection = { PROGRAM_TCP, CONNECTION_PACKETS };
	int side;

	for (side = 0; side < SIDES; side++)
		(void)program_channels(
			graph, side == TO_SEND || side == TO_SPREAD ? queue : connection,
			(size_t)talk->all);
}

static int build(const struct workload *workload, struct program_graph *graph,
		 struct err *err)
{
	struct talk talk = talk_of(workload);
	const struct program_channel report = { PROGRAM_PIPE, 1 };
	int client = program_new(graph, "client", false, FOOTPRINT_KIB);
	int server = program_new(graph, "server", false, FOOTPRINT_KIB);
	int first = server + 1;
	int user, ready;
	uint64_t room;

	(void)err;
	add_channels(&talk, graph);
	ready = program_channels(graph, report, 1);
	for (user = 0; user < (int)talk.users; user++) {
		(void)add_user(&talk, graph, user);
		(void)add_sender(&talk, graph, user, TO_SEND, talk.messages);
	}
	for (user = 0; user < (int)talk.users; user++) {
		(void)add_relay(&talk, graph, user);
		(void)add_sender(&talk, graph, user, TO_SPREAD,
				 talk.users * talk.messages);
	}
	add_step(graph, client, PROGRAM_FORK, server);
	fork_threads(&talk, graph, client, first);
	add_step(graph, client, PROGRAM_RECEIVE, ready);
	add_step(graph, client, PROGRAM_MARK, MODEL_START);
	for (room = 0; room < talk.rooms; room++)
		add_step(graph, client, PROGRAM_SEND, (int)(room * talk.users));
	add_step(graph, client, PROGRAM_WAIT, 0);
	fork_threads(&talk, graph, server, first + 2 * (int)talk.users);
	add_step(graph, server, PROGRAM_SEND, ready);
	add_step(graph, server, PROGRAM_WAIT, 0);
	return 0;
}

/* A message goes into a queue and a connection; then it and its confirmation, to all. */
static int samples(const struct workload *workload, const struct program_outcome *outcome,
		   struct bench_samples *samples, struct err *err)
{
	struct talk talk = talk_of(workload);
	uint64_t sent = talk.all * talk.messages;
	double part = (double)talk.messages / (double)workload_uint(workload, "messages");
	double seconds;
	int bad =
		model_count(outcome, PROGRAM_SEND, 2 * sent * (1 + talk.users) + 1, err);

	if (!bad)
		bad = model_elapsed(outcome, MODEL_START, MODEL_STOP, &seconds, err);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "rate",
				       (double)(sent * talk.users) / seconds, err);
	if (!bad)
		bad = bench_sample_add(workload->ops, samples, "time", seconds / part,
				       err);
	return bad;
}

const struct bench_model chat_model = { .graph = build, .samples = samples };
