/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tbench's server: a process for each connection, which answers each request
 * with as many bytes as it asks for.
 */
#ifndef BENCHMARKS_TBENCH_SERVER_H
#define BENCHMARKS_TBENCH_SERVER_H

#include <netinet/tcp.h>

#include "benchmarks/tbench/run.h"

enum { SERVER_BACKLOG = 20 };

/**
 * server_listen - listen on the loopback device
 * @port: 0: any that is free
 * @address: receives where
 *
 * Return: the socket, or -1 with errno.
 */
static inline int server_listen(uint16_t port, struct sockaddr_in *address)
{
	const int on = 1;
	socklen_t len = sizeof(*address);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	*address = (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	if (fd < 0)
		return -1;
	if (!setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) &&
	    !setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) &&
	    !bind(fd, (struct sockaddr *)address, len) && !listen(fd, SERVER_BACKLOG) &&
	    !getsockname(fd, (struct sockaddr *)address, &len))
		return fd;
	close(fd);
	return -1;
}

static inline int server_send(int fd, const unsigned char *bytes, size_t len)
{
	while (len) {
		ssize_t n = send(fd, bytes, len, MSG_NOSIGNAL);

		if (n < 0)
			return -1;
		bytes += n;
		len -= (size_t)n;
	}
	return 0;
}

/* Until the client is gone, or isn't one. */
static inline void server_answer(int fd, struct run_served *served)
{
	static unsigned char bytes[WIRE_MAX];

	for (;;) {
		uint32_t rest, reply;

		if (recv(fd, bytes, WIRE_WORD, MSG_WAITALL) != WIRE_WORD)
			return;
		rest = wire_get(bytes);
		if (rest < WIRE_WORD || rest > WIRE_MAX - WIRE_WORD ||
		    recv(fd, bytes + WIRE_WORD, rest, MSG_WAITALL) != (ssize_t)rest)
			return;
		reply = wire_get(bytes + WIRE_WORD);
		if (reply > WIRE_MAX - WIRE_WORD)
			return;
		/* Before the reply, which may be the client's last. */
		served->nr++;
		wire_put(bytes, reply);
		if (server_send(fd, bytes, reply + WIRE_WORD))
			return;
	}
}

static inline _Noreturn void server_fail(const struct run *run, const char *what)
{
	(void)snprintf(run->reason, RUN_REASON, "%s: %m", what);
	_exit(1);
}

/** server_run - be the server on @listener until killed */
static inline _Noreturn void server_run(const struct run *run, int listener)
{
	const int on = 1;
	pid_t self = getpid();
	uint64_t nr;

	close(run->gate[1]);
	/* Nobody asks how a connection's process ended: its client does notice. */
	signal(SIGCHLD, SIG_IGN);
	for (nr = 0;; nr++) {
		int fd = accept(listener, NULL, NULL);
		pid_t pid = fd < 0 ? -1 : fork();

		if (pid < 0)
			server_fail(run, fd < 0 ? "cannot accept a connection"
						: "cannot fork");
		if (!pid) {
			program_follow(self);
			close(listener);
			setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
			server_answer(
				fd, &run->served[nr < run->clients ? nr : run->clients]);
			_exit(0);
		}
		close(fd);
	}
}

#endif
