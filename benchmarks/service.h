/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a workload declares of a service: a server that must run beside its
 * program, such as a database. The runner prepares it once in a run, starts it
 * pinned as the cell is, and ends it; nothing here starts anything.
 *
 * A service lives in a directory of its own, which is made for the run and
 * removed with it. Where an argument or file name holds BENCH_SERVICE_DIR, also
 * in the commands of the workload's own program, the runner puts its path.
 */
#ifndef BENCHMARKS_SERVICE_H
#define BENCHMARKS_SERVICE_H

#include "benchmarks/bench.h"

/** BENCH_SERVICE_DIR - stands for the service's directory in an argument */
#define BENCH_SERVICE_DIR "{service}"

/**
 * enum bench_service_phase - when a command of a service runs
 * @BENCH_SERVICE_INIT: before the server's first start, as its user
 * @BENCH_SERVICE_SERVE: it is the server itself, as its user; one command
 * @BENCH_SERVICE_LOAD: once when it first accepts connections, as ourselves
 */
enum bench_service_phase {
	BENCH_SERVICE_INIT,
	BENCH_SERVICE_SERVE,
	BENCH_SERVICE_LOAD,
};

/**
 * struct bench_service - a server that a workload needs
 * @program: the server: its word, where it is, package and version; it has no
 *           plan() and parse(). Programs that the commands name are looked up
 *           beside it, then where all programs of others are
 * @users: whom to be when we are root: the first that exists; ended by NULL
 * @socket: path of the UNIX socket, in the service's directory, that accepts a
 *          connection when the server is there
 * @ready_file: in that directory, must hold @ready_text in addition; or NULL
 * @ready_text: see @ready_file
 * @room_bytes: what it takes on the disk at least
 * @reads_disk: the page cache is dropped before each iteration, where that is
 *              allowed, so that all of them begin alike
 * @plan: add the arguments of command @step, counted from 0, of @phase to
 *        @command, nothing when there are no more; 0 or -ENOMEM. Services whose
 *        commands of all phases but BENCH_SERVICE_SERVE are the same share what
 *        was prepared
 *
 * SIGTERM must make it end in order.
 */
struct bench_service {
	struct bench_program program;
	const char *const *users;
	const char *socket;
	const char *ready_file, *ready_text;
	uint64_t room_bytes;
	bool reads_disk;
	int (*plan)(const struct workload *workload, enum bench_service_phase phase,
		    unsigned int step, struct bench_command *command);
};

#endif
