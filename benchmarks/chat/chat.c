// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * chat: users in rooms who take turns to speak and hear each other through a
 * server, with four threads a user; volano-like.
 *
 * Sensitive to the wakeups of many threads that sleep most of the time, a burst
 * of them for each message, and to sched_yield(), which follows every packet.
 * A poor test of the balancing of tasks that run for long, and of anything that
 * the network stack hides, which much of the time is spent in.
 */
#include <errno.h>
#include <stdint.h>

#include "benchmarks/all.h"
#include "benchmarks/chat/limits.h"
#include "benchmarks/native.h"
#include "lib/err.h"
#include "lib/json.h"

static const struct bench_choice choices[] = { { 0 } };

static const struct bench_param params[] = {
	{
		.name = "rooms",
		.min = 1,
		.max = CHAT_MAX_ROOMS,
		.number = 10,
		.help = "rooms; in each one message is on its way at any time",
	},
	{
		.name = "users",
		.min = CHAT_MIN_USERS,
		.max = CHAT_MAX_USERS,
		.number = 20,
		.help = "users in a room, with four threads each",
	},
	{
		.name = "messages",
		.min = 1,
		.max = CHAT_MAX_MESSAGES,
		.number = 100,
		.help = "messages that each user sends",
	},
	{ 0 },
};

static const struct bench_metric metrics[] = {
	{
		.name = "rate",
		.unit = "messages/s",
		.better = BETTER_HIGHER,
		.resolution = 1e-3,
		.help = "messages sent and received in a second, by all users",
	},
	{
		.name = "time",
		.unit = "s",
		.better = BETTER_LOWER,
		.resolution = 1e-9,
		.secondary = true,
		.help = "from the first message, all signed on, to the last connection closed",
	},
	{ 0 },
};

static uint64_t nr_users(const struct workload *workload)
{
	return workload_uint(workload, "rooms") * workload_uint(workload, "users");
}

static void needs(const struct workload *workload, struct bench_needs *needs)
{
	/* What it touches of its stack, in the kernel, and its share of a connection. */
	const uint64_t per_thread = 48 << 10;
	uint64_t users = nr_users(workload);

	needs->fds = users + 30;
	needs->tasks = 4 * users + 3;
	/* In either of two processes. */
	needs->threads = 2 * users;
	needs->memory = (16 << 20) + 4 * users * per_thread;
}

/*
 * A thread yields after each packet it received, and after what it sent: of a
 * message these are at least its way to the server and back as a confirmation.
 */
static int check_yields(const struct jval *object, uint64_t sent, uint64_t received,
			struct err *err)
{
	uint64_t least = 3 * sent + received;
	uint64_t yields;

	if (!jval_uint(jval_get(object, "yields"), &yields))
		return err_set(err, -EPROTO, "the output has no count of yields");
	if (yields < least)
		return err_set(err, -EPROTO,
			       "the program counted %ju yields, expected at least %ju",
			       (uintmax_t)yields, (uintmax_t)least);
	return 0;
}

static int parse(const struct workload *workload, const char *out, size_t len,
		 struct bench_samples *samples, struct err *err)
{
	uint64_t sent = nr_users(workload) * workload_uint(workload, "messages");
	uint64_t received = sent * (workload_uint(workload, "users") - 1);
	struct jval *object;
	int bad = bench_native_parse(workload, out, len, samples, &object, err);

	if (bad)
		return bad;
	bad = bench_native_count(object, "sent", "messages sent", sent, err);
	if (!bad)
		bad = bench_native_count(object, "relayed", "messages relayed", received,
					 err);
	if (!bad)
		bad = bench_native_count(object, "received", "messages received",
					 received, err);
	if (!bad)
		bad = check_yields(object, sent, received, err);
	jval_free(object);
	return bad;
}

static const struct bench_program programs[] = {
	{ .name = "native", .plan = bench_native_plan, .parse = parse },
	{ 0 },
};

const struct bench_ops chat_ops = {
	.name = "chat",
	.summary = "users in chat rooms taking turns to speak through a server",
	.axis = "rooms",
	.choices = choices,
	.params = params,
	.metrics = metrics,
	.programs = programs,
	.model = &chat_model,
	.needs = needs,
};
