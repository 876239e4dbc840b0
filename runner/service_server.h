/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A server beside the programs of a run. It is the child of a keeper, a process
 * of ours that is our sibling and not our child: so proc_run() neither waits for
 * the server nor ends it with a program's tree, our supervisor finds both when
 * we are killed, and the keeper ends its whole tree when the supervisor is.
 */
#ifndef RUNNER_SERVICE_SERVER_H
#define RUNNER_SERVICE_SERVER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/clock.h"

/** SERVER_FOREVER_NS - a time limit that no run reaches */
#define SERVER_FOREVER_NS (UINT64_C(3600000) * CLOCK_SEC)

struct err;
struct proc_spec;
struct proc_watch;

/**
 * struct server_spec - a server and how it is seen to be there
 * @name: for messages, such as "postgresql"
 * @proc: its program, arguments, CPUs and the new folder of its output; its time
 *        limit is that of the server's whole life
 * @keep: descriptor that stays open as long as the server runs
 * @socket: path of a UNIX socket that accepts connections in the end
 * @ready_file: must hold @ready_text then; NULL: nothing
 * @timeout_ns: by when
 */
struct server_spec {
	const char *name;
	const struct proc_spec *proc;
	int keep;
	const char *socket, *ready_file, *ready_text;
	uint64_t timeout_ns;
};

/**
 * struct server - a server that was started
 * @report: where the keeper tells of its end
 * @keeper: of the server
 * @pid: of the server itself
 * @death: readable once that has ended; -1 where the kernel can't tell
 */
struct server {
	int report, death;
	pid_t keeper, pid;
};

/**
 * server_start - start a server and wait until it accepts connections
 * @spec: which
 * @watch: signals that stop the waiting
 * @ret: to be ended by server_stop(); filled on success only
 * @err: says how it ended or what it lacks, with its complaint
 *
 * Waits for changes in the folders of @socket and @ready_file, the server's end
 * or a signal, whichever comes first.
 *
 * Return: 0; -EINTR when a signal came; -ETIME; -EIO when it ended; or another
 * negative errno. On failure nothing of it is left.
 */
int server_start(const struct server_spec *spec, struct proc_watch *watch,
		 struct server *ret, struct err *err);

/**
 * server_check - whether it still runs
 * @name: for the message
 * @wait_ns: how long to wait for its end, where there is a reason to expect it
 * @err: says how it ended
 *
 * Return: 0 or -EIO.
 */
int server_check(struct server *server, const char *name, uint64_t wait_ns,
		 struct err *err);

/**
 * server_stop - ask it to end, and end its whole tree if it doesn't
 *
 * Return: whether it ended by itself and in order.
 */
bool server_stop(struct server *server);

#endif
