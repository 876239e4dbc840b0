// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tbench: clients that each wait for a server's reply before the next request,
 * with the packets of a busy file server, over TCP on the loopback device.
 *
 * Sensitive to where a wakee is put, next to its waker or far from it, and to
 * whether client and server share a cache. A poor test of the balancing of tasks
 * that run for long, of fork and exec, and of real networks; much of the time is
 * the copying of packets.
 */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "benchmarks/all.h"
#include "benchmarks/native.h"
#include "benchmarks/tbench/dbench.h"
#include "benchmarks/tbench/limits.h"
#include "lib/err.h"
#include "lib/json.h"

static const char *const load_words[] = { "synthetic", "full", "tiny", NULL };

static const struct bench_choice choices[] = {
	{ .key = "load", .words = load_words },
	{ 0 },
};

static const struct bench_param params[] = {
	{
		.name = "clients",
		.min = 1,
		.max = TBENCH_MAX_CLIENTS,
		.number = 1,
		.help = "client processes, each with a server process of its own",
	},
	{
		.name = "seconds",
		.min = 1,
		.max = TBENCH_MAX_SECONDS,
		.number = 60,
		.unit = "s",
		.help = "how long the clients go on after the warm-up",
	},
	{
		.name = "warmup",
		.min = 0,
		.max = TBENCH_MAX_SECONDS,
		.number = BENCH_AUTO,
		.unit = "s",
		.help = "how long they do so before; auto: a fifth of the seconds",
	},
	{ 0 },
};

static const struct bench_metric metrics[] = {
	{
		.name = "rate",
		.unit = "MB/s",
		.better = BETTER_HIGHER,
		.resolution = 1e-6,
		.help = "bytes that files would have had read or written in a second, "
			"summed over the clients",
	},
	{
		.name = "completion",
		.unit = "ms",
		.better = BETTER_LOWER,
		.resolution = 1e-6,
		.secondary = true,
		.optional = true,
		.help = "mean time in which a client goes through its load once",
	},
	{
		.name = "max-latency",
		.unit = "ms",
		.better = BETTER_LOWER,
		.resolution = 1e-6,
		.secondary = true,
		.help = "the longest that a client waited for a reply",
	},
	{ 0 },
};

static const struct tbench_load *load_of(const struct workload *workload)
{
	return tbench_load_at(workload->choice[0]);
}

static void resolve(struct workload *workload, const struct bench_machine *machine,
		    struct bench_remark *remark)
{
	(void)machine;
	(void)remark;
	if (workload_uint(workload, "warmup") == BENCH_AUTO)
		workload_set(workload, "warmup",
			     workload_uint(workload, "seconds") / TBENCH_WARMUP_PART);
}

static bool has_dbench_client(const struct workload *workload)
{
	return !strcmp(workload->program->name, "dbench") ||
	       !strcmp(workload->program->name, "dbench-client");
}

/* dbench's client has a warm-up of its own, and a clock that ticks once a second. */
static int check_dbench(const struct workload *workload, struct err *err)
{
	uint64_t seconds = workload_uint(workload, "seconds");

	if (seconds < 2)
		return err_set(err, -EINVAL,
			       "program %s of tbench needs 2 seconds at least",
			       workload->program->name);
	if (workload_uint(workload, "warmup") == seconds / TBENCH_WARMUP_PART)
		return 0;
	return err_set(
		err, -EINVAL,
		"program %s of tbench warms up for a fifth of the seconds: expected "
		"warmup %ju or auto",
		workload->program->name, (uintmax_t)(seconds / TBENCH_WARMUP_PART));
}

static int check(const struct workload *workload, unsigned int nr_cpus, struct err *err)
{
	(void)nr_cpus;
	if (load_of(workload)->last && access(TBENCH_LOAD_FILE, R_OK))
		return err_set(
			err, -EOPNOTSUPP,
			"the load '%s' is in %s, which isn't there (Debian package "
			"dbench); 'synthetic' needs no file",
			load_of(workload)->word, TBENCH_LOAD_FILE);
	return has_dbench_client(workload) ? check_dbench(workload, err) : 0;
}

static void needs(const struct workload *workload, struct bench_needs *needs)
{
	/* Stacks and page tables, and what is on its way on a connection. */
	const uint64_t per_process = 256 << 10, per_client = 1 << 20;
	uint64_t clients = workload_uint(workload, "clients");

	needs->fds = 32;
	needs->tasks = 2 + 2 * clients;
	needs->memory = needs->tasks * per_process + clients * per_client;
}

/* Every reply is one that the server sent, and the load was the one asked for. */
static int check_counts(const struct workload *workload, const struct jval *object,
			bool is_served_by_us, struct err *err)
{
	const struct tbench_load *load = load_of(workload);
	uint64_t packets;
	int bad = bench_native_count(object, "pass_packets", "packets in the load",
				     load->packets, err);

	if (!bad)
		bad = bench_native_count(object, "pass_payload", "bytes in the load",
					 load->payload, err);
	if (bad)
		return bad;
	if (!jval_uint(jval_get(object, "packets"), &packets) || !packets)
		return err_set(err, -EPROTO, "the output has no count of packets");
	if (!is_served_by_us)
		return 0;
	/* The first packet of a connection belongs to no operation. */
	return bench_native_count(object, "served", "packets served",
				  packets + workload_uint(workload, "clients"), err);
}

/* The clients went on for the time asked for. */
static int check_time(const struct workload *workload, const struct jval *object,
		      double rate, struct err *err)
{
	uint64_t seconds = workload_uint(workload, "seconds");
	uint64_t payload;
	double took;

	if (!jval_uint(jval_get(object, "payload"), &payload))
		return err_set(err, -EPROTO, "the output has no count of payload");
	took = (double)payload / 1e6 / rate;
	if (took >= 0.999 * (double)seconds)
		return 0;
	return err_set(err, -EPROTO, "%ju bytes at %g MB/s take %.3f s, expected %ju",
		       (uintmax_t)payload, rate, took, (uintmax_t)seconds);
}

static int check_server(const struct jval *object, const char *expected, struct err *err)
{
	const char *server = jval_text(jval_get(object, "server"));

	if (server && !strcmp(server, expected))
		return 0;
	return err_set(err, -EPROTO, "served by %s, expected %s",
		       server ? server : "nobody", expected);
}

/* Our client's output, whoever served it. */
static int parse_client(const struct workload *workload, const char *out, size_t len,
			const char *server, struct bench_samples *samples,
			struct err *err)
{
	struct jval *object;
	int bad = bench_native_parse(workload, out, len, samples, &object, err);

	if (bad)
		return bad;
	bad = check_server(object, server, err);
	if (!bad)
		bad = check_counts(workload, object, !strcmp(server, "native"), err);
	if (!bad)
		bad = check_time(workload, object, samples->sample[0].value, err);
	jval_free(object);
	return bad;
}

static int parse(const struct workload *workload, const char *out, size_t len,
		 struct bench_samples *samples, struct err *err)
{
	return parse_client(workload, out, len, "native", samples, err);
}

static int parse_dbench_server(const struct workload *workload, const char *out,
			       size_t len, struct bench_samples *samples, struct err *err)
{
	return parse_client(workload, out, len, TBENCH_DBENCH_SERVER, samples, err);
}

static int parse_dbench(const struct workload *workload, const char *out, size_t len,
			struct bench_samples *samples, struct err *err)
{
	return dbench_parse(workload, out, len, TBENCH_DBENCH_SERVER, samples, err);
}

static int parse_dbench_client(const struct workload *workload, const char *out,
			       size_t len, struct bench_samples *samples, struct err *err)
{
	return dbench_parse(workload, out, len, "native", samples, err);
}

static int plan_dbench_server(const struct workload *workload, unsigned int iteration,
			      struct bench_command *command)
{
	int bad = bench_native_plan(workload, iteration, command);

	return bad ? bad : bench_arg(command, "--server=%s", TBENCH_DBENCH_SERVER);
}

static int plan_dbench_client(const struct workload *workload, unsigned int iteration,
			      struct bench_command *command)
{
	int bad = bench_native_plan(workload, iteration, command);

	return bad ? bad : bench_arg(command, "--client=%s", TBENCH_DBENCH_CLIENT);
}

static int plan_dbench(const struct workload *workload, unsigned int iteration,
		       struct bench_command *command)
{
	int bad = plan_dbench_server(workload, iteration, command);

	return bad ? bad : bench_arg(command, "--client=%s", TBENCH_DBENCH_CLIENT);
}

static const char *const version_args[] = { "--help", NULL };

#define DBENCH_CLIENT                                                                   \
	{                                                                               \
		.name = "dbench", .command = TBENCH_DBENCH_CLIENT, .package = "dbench", \
		.versions = "4.00", .version_args = version_args,                       \
	}
/* It tells no version. */
#define DBENCH_SERVER                                                                   \
	{                                                                               \
		.name = "dbench", .command = TBENCH_DBENCH_SERVER, .package = "dbench", \
	}

static const struct bench_program both[] = { DBENCH_CLIENT, DBENCH_SERVER, { 0 } };
static const struct bench_program server_only[] = { DBENCH_SERVER, { 0 } };
static const struct bench_program client_only[] = { DBENCH_CLIENT, { 0 } };

/* What dbench's client prints: rate, no completion, max-latency. */
static const double dbench_resolution[] = { 1e-3, 0, 1e-3 };

static const struct bench_program programs[] = {
	{ .name = "native", .plan = bench_native_plan, .parse = parse },
	{
		.name = "dbench",
		.starts = both,
		.resolution = dbench_resolution,
		.plan = plan_dbench,
		.parse = parse_dbench,
	},
	{
		.name = "dbench-server",
		.starts = server_only,
		.plan = plan_dbench_server,
		.parse = parse_dbench_server,
	},
	{
		.name = "dbench-client",
		.starts = client_only,
		.resolution = dbench_resolution,
		.plan = plan_dbench_client,
		.parse = parse_dbench_client,
	},
	{ 0 },
};

const struct bench_ops tbench_ops = {
	.name = "tbench",
	.summary = "clients waiting for the replies of a file server without files",
	.axis = "clients",
	.choices = choices,
	.params = params,
	.metrics = metrics,
	.programs = programs,
	.model = &tbench_model,
	.check = check,
	.resolve = resolve,
	.needs = needs,
};
