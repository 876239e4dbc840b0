// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tbench workload: clients that ask a server for what a file server would
 * have to do, over TCP on the loopback device. Only the packets are those of a
 * file server; no file is touched.
 *
 * Each client is a process, and so is the server's end of its connection. This
 * process only waits for them and prints the result. The server listens before
 * anybody connects, on a port of its own, so nothing waits and nobody else's
 * server is ever measured.
 */
#include "benchmarks/tbench/dbench_side.h"

static void start_server(struct run *run)
{
	int listener;

	if (run->upstream_server) {
		side_start_server(run);
		return;
	}
	listener = server_listen(run->upstream_client ? TBENCH_PORT : 0, &run->address);
	if (listener < 0 && run->upstream_client)
		run_unready(run, "cannot listen on 127.0.0.1:%d, dbench's port: %m",
			    TBENCH_PORT);
	if (listener < 0)
		run_give_up(run, "cannot listen on the loopback device: %m");
	run->server = fork();
	if (run->server < 0)
		run_give_up(run, "cannot fork: %m");
	if (!run->server) {
		program_follow(run->pid);
		server_run(run, listener);
	}
	close(listener);
}

/* One after the other, so that no client inherits another's connection. */
static void start_clients(struct run *run)
{
	uint64_t i;

	for (i = 0; i < run->clients; i++) {
		int fd = client_connect(&run->address);
		int code = errno;

		if (fd < 0) {
			run_give_server(run, 200);
			run_give_up(run, "cannot connect client %ju of %ju to %s: %s",
				    (uintmax_t)(i + 1), (uintmax_t)run->clients,
				    run_server_name(run), strerror(code));
		}
		run->client[i] = fork();
		if (run->client[i] < 0)
			run_give_up(run, "cannot fork after %ju of %ju clients: %m",
				    (uintmax_t)i, (uintmax_t)run->clients);
		run->nr_children++;
		if (!run->client[i]) {
			program_follow(run->pid);
			close(run->gate[1]);
			_exit(client_run(run, i, fd));
		}
		close(fd);
	}
}

static _Noreturn void report_client(struct run *run, uint64_t i, int status)
{
	char who[64];

	if (run->upstream_client)
		(void)snprintf(who, sizeof(who), "%s", run->upstream_client);
	else
		(void)snprintf(who, sizeof(who), "client %ju of %ju", (uintmax_t)(i + 1),
			       (uintmax_t)run->clients);
	if (WIFSIGNALED(status))
		run_give_up(run, "%s was killed by signal %d (%s)", who, WTERMSIG(status),
			    strsignal(WTERMSIG(status)));
	if (run->upstream_client && *run->reason)
		run_give_up(run, "%s failed: %s", who, run->reason);
	if (run->upstream_client)
		run_give_up(run, "%s ended with exit status %d", who,
			    WEXITSTATUS(status));
	if (WEXITSTATUS(status) == PROGRAM_ENDED_EARLY)
		run_give_up(run, "%s failed: the server ended its connection", who);
	run_give_up(run, "%s failed: %s", who, strerror(WEXITSTATUS(status)));
}

static void await_clients(struct run *run)
{
	uint64_t left = run->nr_children;

	alarm((unsigned int)(run->warmup + run->seconds) + RUN_GRACE_SEC);
	while (left) {
		int status;
		pid_t pid = waitpid(-1, &status, 0);
		uint64_t i;

		if (pid < 0)
			run_give_up(run, "the run did not end %d s after its time",
				    RUN_GRACE_SEC);
		if (pid == run->server)
			run_server_ended(run, status);
		for (i = 0; i < run->nr_children && run->client[i] != pid; i++)
			;
		/* A child of whoever was here before us. */
		if (i == run->nr_children)
			continue;
		run->client[i] = 0;
		left--;
		if (!status)
			continue;
		if (WIFEXITED(status))
			run_give_server(run, 200);
		report_client(run, i, status);
	}
	alarm(0);
}

/* Our server's processes count requests, our clients count replies. */
static uint64_t check_served(struct run *run)
{
	uint64_t served = 0, packets = 0;
	uint64_t i;

	for (i = 0; i < run->clients; i++) {
		served += run->served[i].nr;
		/* The first one of a connection is in nobody's count. */
		packets += run->did[i].packets + 1;
		if (!run->upstream_server && run->served[i].nr < 2)
			run_give_up(run,
				    "the server got no request on connection %ju "
				    "of %ju",
				    (uintmax_t)(i + 1), (uintmax_t)run->clients);
	}
	served += run->served[run->clients].nr;
	if (!run->upstream_server && !run->upstream_client && served != packets)
		run_give_up(run, "clients counted %ju packets, the server %ju",
			    (uintmax_t)packets, (uintmax_t)served);
	return served;
}

static _Noreturn void finish_with_dbench(struct run *run)
{
	char text[256];

	(void)check_served(run);
	(void)snprintf(text, sizeof(text), "served by %s",
		       run->upstream_server ? run->upstream_server : "native");
	program_leave("tbench", 0, text);
}

static _Noreturn void finish(struct run *run)
{
	uint64_t packets = 0, payload = 0, passes = 0;
	double max_ns = 0, passes_ns = 0, rate = 0;
	char completion[64] = "", server[64] = "";
	uint64_t served = check_served(run);
	char text[768];
	uint64_t i;

	for (i = 0; i < run->clients; i++) {
		const struct run_client *did = &run->did[i];

		packets += did->packets;
		payload += did->payload;
		passes += did->passes;
		passes_ns += (double)did->passes_ns;
		max_ns = (double)did->max_ns > max_ns ? (double)did->max_ns : max_ns;
		rate += (double)did->payload * 1e3 /
			(double)(did->end_ns - did->start_ns);
	}
	if (!payload)
		run_give_up(run, "no byte was read or written in %ju s",
			    (uintmax_t)run->seconds);
	if (passes)
		(void)snprintf(completion, sizeof(completion), ",\"completion\":%.6f",
			       passes_ns / 1e6 / (double)passes);
	if (!run->upstream_server)
		(void)snprintf(server, sizeof(server), ",\"served\":%ju",
			       (uintmax_t)served);
	(void)snprintf(
		text, sizeof(text),
		"{\"program\":\"tbench\",\"load\":\"%s\",\"clients\":%ju,\"seconds\":%ju,"
		"\"warmup\":%ju,\"server\":\"%s\",\"pass_packets\":%ju,"
		"\"pass_payload\":%ju,\"packets\":%ju,\"payload\":%ju%s,\"metrics\":"
		"{\"rate\":%.6f,\"max-latency\":%.6f%s}}",
		run->load.kind->word, (uintmax_t)run->clients, (uintmax_t)run->seconds,
		(uintmax_t)run->warmup,
		run->upstream_server ? run->upstream_server : "native",
		(uintmax_t)run->load.packets, (uintmax_t)run->load.payload,
		(uintmax_t)packets, (uintmax_t)payload, server, rate, max_ns / 1e6,
		completion);
	program_leave("tbench", 0, text);
}

static const struct tbench_load *find_load(const char *word)
{
	unsigned int i;

	for (i = 0; i < TBENCH_NR_LOADS; i++) {
		if (!strcmp(tbench_load_at(i)->word, word))
			return tbench_load_at(i);
	}
	return NULL;
}

/* Whole numbers, the warm-up may be 0. */
static int read_warmup(const char *text, uint64_t *ret)
{
	*ret = 0;
	return strcmp(text, "0") ? program_whole(text, TBENCH_MAX_SECONDS, ret) : 0;
}

static const struct tbench_load *read_options(struct run *run, int argc, char **argv)
{
	const char *load = argc < 5 ? NULL : program_value(argv[1], "load");
	const char *warmup = argc < 5 ? NULL : program_value(argv[4], "warmup");
	int i;

	if (!load || !warmup ||
	    program_number(argv[2], "clients", TBENCH_MAX_CLIENTS, &run->clients) ||
	    program_number(argv[3], "seconds", TBENCH_MAX_SECONDS, &run->seconds) ||
	    read_warmup(warmup, &run->warmup))
		return NULL;
	for (i = 5; i < argc; i++) {
		static const char *const names[] = { "server", "client" };
		const char *path;
		size_t side = program_find(argv[i], names, 2, &path);

		if (side == 2 || *path != '/')
			return NULL;
		*(side ? &run->upstream_client : &run->upstream_server) = path;
	}
	return find_load(load);
}

static void *share(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

static void prepare(struct run *run, const struct tbench_load *load)
{
	const struct sigaction late = { .sa_handler = run_nothing };

	/* Whatever we were started with: children are waited for and end when told. */
	signal(SIGCHLD, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	sigaction(SIGALRM, &late, NULL);
	/* A server's processes become ours when it ends, so that none is left. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	run->pid = getpid();
	run->did = share(run->clients * sizeof(*run->did));
	run->served = share((run->clients + 1) * sizeof(*run->served));
	run->reason = share(RUN_REASON);
	run->client = calloc(run->clients, sizeof(*run->client));
	if (!run->did || !run->served || !run->reason || !run->client)
		program_leave("tbench", 1, "out of memory");
	if (load_prepare(&run->load, load))
		program_leave("tbench", 1, run->load.reason);
	if (pipe2(run->gate, O_CLOEXEC))
		run_give_up(run, "cannot make a pipe: %m");
}

int main(int argc, char **argv)
{
	struct run run = { 0 };
	const struct tbench_load *load = read_options(&run, argc, argv);

	if (!load)
		program_leave("tbench", 2,
			      "expected --load=synthetic|full|tiny --clients=N "
			      "--seconds=N --warmup=N, in this order, and what takes the "
			      "place of either side: [--server=/PATH] [--client=/PATH]");
	prepare(&run, load);
	start_server(&run);
	if (run.upstream_client)
		side_start_clients(&run);
	else
		start_clients(&run);
	close(run.gate[1]);
	await_clients(&run);
	run_end(&run);
	if (run.upstream_client)
		finish_with_dbench(&run);
	finish(&run);
}
