/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tbench's client: reads its load line by line, sends the request of each and
 * waits for the reply. What isn't sent or received belongs to the figure just
 * as well: reading and cutting the line, three looks at the clock and one at the
 * parent are what dbench's client does for each.
 */
#ifndef BENCHMARKS_TBENCH_CLIENT_H
#define BENCHMARKS_TBENCH_CLIENT_H

#include "benchmarks/tbench/server.h"

/** struct client - a client process */
struct client {
	const struct run *run;
	unsigned int number; /* from 0 */
	int fd;
	FILE *load;
	uint64_t count_ns; /* when the warm-up ends */
	uint64_t pass_ns;  /* when this pass began; 0: in the warm-up */
	struct run_client did;
};

static inline int client_failure(ssize_t n)
{
	if (n >= 0 || errno == EPIPE || errno == ECONNRESET)
		return PROGRAM_ENDED_EARLY;
	return errno;
}

/** client_exchange - a request and its reply; 0, an errno or PROGRAM_ENDED_EARLY */
static inline int client_exchange(int fd, const struct wire_request *request)
{
	static unsigned char bytes[WIRE_MAX];
	uint32_t rest = request->reply - WIRE_WORD;
	ssize_t n;

	wire_put(bytes, request->send - WIRE_WORD);
	wire_put(bytes + WIRE_WORD, rest);
	if (server_send(fd, bytes, request->send))
		return client_failure(-1);
	n = recv(fd, bytes, WIRE_WORD, MSG_WAITALL);
	if (n != WIRE_WORD)
		return client_failure(n);
	if (wire_get(bytes) != rest)
		return EBADMSG;
	/* The payload is thrown away in the kernel. */
	n = recv(fd, bytes, rest, MSG_WAITALL | MSG_TRUNC);
	return n == (ssize_t)rest ? 0 : client_failure(n);
}

/** client_connect - connect, and exchange the first packets; the socket, or -1 */
static inline int client_connect(const struct sockaddr_in *address)
{
	const struct wire_request hello = { WIRE_HELLO, WIRE_HELLO, 0 };
	const struct timeval patience = { RUN_PATIENCE_SEC, 0 };
	const struct timeval none = { 0, 0 };
	const int on = 1;
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	int code;

	if (fd < 0)
		return -1;
	if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) ||
	    connect(fd, (const struct sockaddr *)address, sizeof(*address)))
		code = errno;
	else
		code = client_exchange(fd, &hello);
	if (!code && setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &none, sizeof(none)))
		code = errno;
	if (!code)
		return fd;
	close(fd);
	errno = code == PROGRAM_ENDED_EARLY ? ECONNRESET : code;
	return -1;
}

/* The next packet of the load, from its top again when it is through. */
static inline int client_next(struct client *client, uint64_t now_ns,
			      struct wire_request *request)
{
	char line[WIRE_LINE];
	int got;

	do {
		if (!fgets(line, sizeof(line), client->load)) {
			if (client->pass_ns) {
				client->did.passes++;
				client->did.passes_ns += now_ns - client->pass_ns;
			}
			client->pass_ns = client->did.start_ns ? now_ns : 0;
			rewind(client->load);
			if (!fgets(line, sizeof(line), client->load))
				return EIO;
		}
		/* Dead parents are told by a signal; this is for its time alone. */
		(void)kill(client->run->pid, 0);
		got = wire_read(line, client->number, request);
	} while (!got);
	return got < 0 ? EBADMSG : 0;
}

static inline int client_work(struct client *client)
{
	struct run_client *did = &client->did;
	struct wire_request request;
	uint64_t before_ns, after_ns;
	int code;

	for (;;) {
		code = client_next(client, program_now_ns(), &request);
		if (code)
			return code;
		before_ns = program_now_ns();
		code = client_exchange(client->fd, &request);
		if (code)
			return code;
		after_ns = program_now_ns();
		did->packets++;
		if (!did->start_ns) {
			/* What began before the warm-up's end doesn't count. */
			did->start_ns = after_ns >= client->count_ns ? after_ns : 0;
			continue;
		}
		did->payload += request.payload;
		if (after_ns - before_ns > did->max_ns)
			did->max_ns = after_ns - before_ns;
		if (after_ns - did->start_ns < client->run->seconds * 1000000000)
			continue;
		did->end_ns = after_ns;
		return 0;
	}
}

/** client_run - life of client @number, which is connected by @fd; 0 or an errno */
static inline int client_run(const struct run *run, uint64_t number, int fd)
{
	struct client client = {
		.run = run,
		.number = (unsigned int)number,
		.fd = fd,
		.load = fopen(run->load.path, "re"),
	};
	uint64_t now_ns;
	char none;
	int code;

	if (!client.load)
		return errno;
	/* The gate opens when nobody holds its other end any more. */
	if (read(run->gate[0], &none, 1))
		return errno;
	now_ns = program_now_ns();
	client.count_ns = now_ns + run->warmup * 1000000000;
	/* Without a warm-up the first pass begins right here. */
	if (!run->warmup)
		client.did.start_ns = client.pass_ns = now_ns;
	code = client_work(&client);
	run->did[number] = client.did;
	(void)fclose(client.load);
	return code;
}

#endif
