/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dbench's tbench_srv or tbench in the place of our own server or clients: the
 * fidelity of ours is shown by crossing them.
 *
 * Both have a fixed port, and a client of dbench's is content with whoever
 * answers there; so who listens is proven, not assumed.
 */
#ifndef BENCHMARKS_TBENCH_DBENCH_SIDE_H
#define BENCHMARKS_TBENCH_DBENCH_SIDE_H

#include <fcntl.h>

#include "benchmarks/tbench/client.h"

enum { SIDE_LOOK_MS = 5, SIDE_MAX_FDS = 64 };

/* Starts @argv in the place of one of our processes. */
static inline pid_t side_start(struct run *run, char *const argv[], bool is_silent)
{
	pid_t pid = fork();
	int null;

	if (pid < 0)
		run_give_up(run, "cannot fork for %s: %m", argv[0]);
	if (pid)
		return pid;
	program_follow(run->pid);
	null = is_silent ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
	if (null >= 0)
		(void)dup2(null, STDOUT_FILENO);
	/* The first word on standard error is ours: it knows who ended whom. */
	(void)dup2(STDOUT_FILENO, STDERR_FILENO);
	execv(argv[0], argv);
	(void)snprintf(run->reason, RUN_REASON, "cannot start it: %s", strerror(errno));
	_exit(1);
}

/* Field number @nr of a line, from 0. */
static inline const char *side_field(const char *line, int nr)
{
	line += strspn(line, " ");
	while (nr--) {
		line += strcspn(line, " ");
		line += strspn(line, " ");
	}
	return line;
}

/* The inode of the socket that listens at the address; 0: there is none. */
static inline unsigned long side_listener(const struct sockaddr_in *address)
{
	enum { LOCAL = 1, STATE = 3, INODE = 9 };
	FILE *table = fopen("/proc/net/tcp", "re");
	unsigned long inode = 0;
	char wanted[16];
	char line[512];

	(void)snprintf(wanted, sizeof(wanted), ":%04X ", ntohs(address->sin_port));
	while (table && !inode && fgets(line, sizeof(line), table)) {
		const char *port = strchr(side_field(line, LOCAL), ':');

		if (port && !strncmp(port, wanted, strlen(wanted)) &&
		    !strncmp(side_field(line, STATE), "0A ", 3))
			inode = strtoul(side_field(line, INODE), NULL, 10);
	}
	if (table)
		(void)fclose(table);
	return inode;
}

static inline bool side_owns(pid_t pid, unsigned long inode)
{
	char wanted[64], path[64], found[64];
	int fd;

	(void)snprintf(wanted, sizeof(wanted), "socket:[%lu]", inode);
	for (fd = 0; fd < SIDE_MAX_FDS; fd++) {
		ssize_t len;

		(void)snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, fd);
		len = readlink(path, found, sizeof(found) - 1);
		found[len > 0 ? len : 0] = '\0';
		if (!strcmp(found, wanted))
			return true;
	}
	return false;
}

/* Ready is who accepts; waits for the server's end in between, not for time. */
static inline void side_await_server(struct run *run)
{
	uint64_t end_ns = program_now_ns() + RUN_PATIENCE_SEC * UINT64_C(1000000000);
	unsigned long inode;
	int fd;

	while ((fd = client_connect(&run->address)) < 0) {
		int code = errno;

		run_give_server(run, SIDE_LOOK_MS);
		if (code != ECONNREFUSED || program_now_ns() > end_ns)
			run_give_up(run, "%s does not serve 127.0.0.1:%d: %s",
				    run->upstream_server, TBENCH_PORT, strerror(code));
	}
	close(fd);
	inode = side_listener(&run->address);
	if (!inode || !side_owns(run->server, inode))
		run_unready(run,
			    "port %d is served by another process than the %s that "
			    "was started",
			    TBENCH_PORT, run->upstream_server);
}

/** side_start_server - start dbench's server, and wait until it is the one that serves */
static inline void side_start_server(struct run *run)
{
	char *const argv[] = { (char *)(uintptr_t)run->upstream_server, NULL };
	int fd = server_listen(TBENCH_PORT, &run->address);

	/* It would say so too, but another server would then be found in its place. */
	if (fd < 0)
		run_unready(run, "cannot listen on 127.0.0.1:%d, dbench's port: %m",
			    TBENCH_PORT);
	close(fd);
	run->server = side_start(run, argv, true);
	side_await_server(run);
}

/** side_start_clients - start dbench's client, which prints its own result */
static inline void side_start_clients(struct run *run)
{
	char seconds[24], clients[24];
	char *const argv[] = {
		(char *)(uintptr_t)run->upstream_client,
		(char *)(uintptr_t) "-t",
		seconds,
		(char *)(uintptr_t) "-c",
		run->load.path,
		clients,
		(char *)(uintptr_t) "127.0.0.1",
		NULL,
	};

	(void)snprintf(seconds, sizeof(seconds), "%ju", (uintmax_t)run->seconds);
	(void)snprintf(clients, sizeof(clients), "%ju", (uintmax_t)run->clients);
	run->client[0] = side_start(run, argv, false);
	run->nr_children = 1;
}

#endif
