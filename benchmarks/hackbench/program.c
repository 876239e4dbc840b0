// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hackbench workload: makes groups of senders and receivers, starts them
 * all at once, and prints how long they took to pass their messages.
 *
 * Kept small on purpose: what this program maps is copied and torn down with
 * every worker process and so is part of the figure. Between the two readings
 * of the clock there is nothing but one write, the workers, and their reaping.
 * When anything goes wrong no worker is left behind and no result is printed.
 */
#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "benchmarks/hackbench/limits.h"
#include "benchmarks/program.h"

enum { ON_STACK = 1024 /* messages up to this long need no mapping */ };

enum channel { PIPES, SOCKETS, TCP, NR_CHANNELS };

static const char *const channel_words[NR_CHANNELS] = { "pipes", "sockets", "tcp" };

struct worker {
	struct bench *bench;
	const int *outs; /* write ends of its group; NULL: a receiver */
	int in[2];	 /* a receiver's channel */
	uint64_t nr_read;
	pthread_t thread;
	pid_t pid;
};

struct bench {
	bool threaded;
	enum channel channel;
	int listener;		    /* of tcp: each channel is a connection to it */
	struct sockaddr_in address; /* where it listens */
	uint64_t groups, loops, fds, size;
	int ready[2], wake[2];
	struct worker *workers;
	int *outs; /* write ends, group by group */
	size_t nr_planned, nr_workers;
	pthread_attr_t attr;
	sigset_t mask;
	pid_t pid;
	atomic_flag gave_up;
	uint64_t begin_ns, fork_ns, start_ns, end_ns;
};

/* Those reaped already are no children any more, and their numbers may be others'. */
static void end_workers(struct bench *bench)
{
	size_t i;

	for (i = 0; i < bench->nr_workers; i++) {
		siginfo_t info;

		if (!waitid(P_PID, (id_t)bench->workers[i].pid, &info,
			    WEXITED | WNOHANG | WNOWAIT))
			kill(bench->workers[i].pid, SIGKILL);
	}
	for (i = 0; i < bench->nr_workers; i++)
		(void)waitpid(bench->workers[i].pid, NULL, 0);
}

/* Threads may get here together: the first one speaks, and its exit ends all. */
static _Noreturn void __attribute__((format(printf, 2, 3)))
give_up(struct bench *bench, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	while (atomic_flag_test_and_set(&bench->gave_up))
		pause();
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (!bench->threaded)
		end_workers(bench);
	dprintf(STDERR_FILENO, "hackbench: %s\n", text);
	_exit(1);
}

/* On a port that the kernel picks, so that runs never wait for each other's ports. */
static void start_listening(struct bench *bench)
{
	socklen_t len = sizeof(bench->address);
	struct sockaddr *address = (struct sockaddr *)&bench->address;

	bench->address = (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	bench->listener = socket(AF_INET, SOCK_STREAM, 0);
	if (bench->listener < 0 || bind(bench->listener, address, len) ||
	    listen(bench->listener, 1) || getsockname(bench->listener, address, &len))
		give_up(bench, "cannot listen on the loopback device: %m");
}

/* Anybody else who found the port is sent away. */
static int accept_from(int listener, int client)
{
	struct sockaddr_in mine = { 0 }, theirs;
	socklen_t len = sizeof(mine);

	if (getsockname(client, (struct sockaddr *)&mine, &len))
		return -1;
	for (;;) {
		int fd;

		theirs = (struct sockaddr_in){ 0 };
		len = sizeof(theirs);
		fd = accept(listener, (struct sockaddr *)&theirs, &len);
		if (fd < 0 || (theirs.sin_port == mine.sin_port &&
			       theirs.sin_addr.s_addr == mine.sin_addr.s_addr))
			return fd;
		close(fd);
	}
}

/* Nagle's delay stays on, as in rt-tests: messages that wait may travel together. */
static int connect_pair(struct bench *bench, int ends[2])
{
	ends[1] = socket(AF_INET, SOCK_STREAM, 0);
	if (ends[1] < 0 ||
	    connect(ends[1], (struct sockaddr *)&bench->address, sizeof(bench->address)))
		return -1;
	ends[0] = accept_from(bench->listener, ends[1]);
	return ends[0] < 0 ? -1 : 0;
}

static void make_channel(struct bench *bench, int ends[2])
{
	const char *call = NULL;
	int ret = -1;

	switch (bench->channel) {
	case PIPES:
		call = "pipe";
		ret = pipe(ends);
		break;
	case SOCKETS:
		call = "socketpair";
		ret = socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
		break;
	case TCP:
	case NR_CHANNELS:
		call = "connect";
		ret = connect_pair(bench, ends);
		break;
	}
	if (ret)
		give_up(bench, "%s failed after %zu of %zu workers: %m", call,
			bench->nr_workers, bench->nr_planned);
}

static int wait_for_start(const struct bench *bench)
{
	struct pollfd wake = { .fd = bench->wake[0], .events = POLLIN };

	if (write(bench->ready[1], "r", 1) != 1)
		return errno;
	return poll(&wake, 1, -1) == 1 ? 0 : errno;
}

static int send_all(const struct worker *worker, char *message)
{
	const struct bench *bench = worker->bench;
	uint64_t loop;
	uint64_t i;

	memset(message, 'm', bench->size);
	for (loop = 0; loop < bench->loops; loop++) {
		for (i = 0; i < bench->fds; i++) {
			size_t done = 0;

			while (done < bench->size) {
				ssize_t n = write(worker->outs[i], message + done,
						  bench->size - done);

				if (n < 0)
					return errno;
				done += (size_t)n;
			}
		}
	}
	return 0;
}

static int receive_all(struct worker *worker, char *message)
{
	const struct bench *bench = worker->bench;
	uint64_t expected = bench->fds * bench->loops;
	uint64_t nr;

	for (nr = 0; nr < expected; nr++) {
		size_t done = 0;

		while (done < bench->size) {
			ssize_t n =
				read(worker->in[0], message + done, bench->size - done);

			if (n <= 0)
				return n < 0 ? errno : PROGRAM_ENDED_EARLY;
			done += (size_t)n;
		}
	}
	worker->nr_read = nr;
	return 0;
}

/* Life of a worker; returns 0, an errno or PROGRAM_ENDED_EARLY. */
static int work(struct worker *worker)
{
	size_t size = worker->bench->size;
	char on_stack[ON_STACK];
	char *message = on_stack;
	int ret;

	if (size > sizeof(on_stack)) {
		message = mmap(NULL, size, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (message == MAP_FAILED)
			return errno;
	}
	ret = wait_for_start(worker->bench);
	if (ret)
		return ret;
	return worker->outs ? send_all(worker, message) : receive_all(worker, message);
}

static const char *why(int code)
{
	return code == PROGRAM_ENDED_EARLY ? "its channel ended early" : strerror(code);
}

static const char *role(const struct worker *worker)
{
	return worker->outs ? "sender" : "receiver";
}

static void *work_as_thread(void *data)
{
	struct worker *worker = data;
	int code = work(worker);

	if (code)
		give_up(worker->bench, "a %s failed: %s", role(worker), why(code));
	return NULL;
}

static _Noreturn void work_as_process(struct worker *worker)
{
	/* Workers must not outlive a killed parent: nothing would ever wake them. */
	program_follow(worker->bench->pid);
	if (!worker->outs)
		close(worker->in[1]);
	/* Not _exit(): the figure has the workers' exit in it, as rt-tests' has. */
	exit(work(worker));
}

static void start_worker(struct worker *worker)
{
	struct bench *bench = worker->bench;
	const char *call = "fork";
	int code = 0;

	if (!bench->nr_workers)
		bench->fork_ns = program_now_ns();
	if (bench->threaded) {
		call = "pthread_create";
		code = pthread_create(&worker->thread, &bench->attr, work_as_thread,
				      worker);
	} else {
		worker->pid = fork();
		if (!worker->pid)
			work_as_process(worker);
		if (worker->pid < 0)
			code = errno;
	}
	if (code)
		give_up(bench, "%s failed after %zu of %zu workers: %s", call,
			bench->nr_workers, bench->nr_planned, strerror(code));
	bench->nr_workers++;
}

static struct worker *next_worker(struct bench *bench)
{
	struct worker *worker = &bench->workers[bench->nr_workers];

	worker->bench = bench;
	return worker;
}

static void make_group(struct bench *bench, int *outs)
{
	uint64_t i;

	for (i = 0; i < bench->fds; i++) {
		struct worker *worker = next_worker(bench);

		make_channel(bench, worker->in);
		outs[i] = worker->in[1];
		start_worker(worker);
		if (!bench->threaded)
			close(worker->in[0]);
	}
	for (i = 0; i < bench->fds; i++) {
		struct worker *worker = next_worker(bench);

		worker->outs = outs;
		start_worker(worker);
	}
	for (i = 0; i < bench->fds && !bench->threaded; i++)
		close(outs[i]);
}

static _Noreturn void report_process(struct bench *bench, pid_t pid, int status)
{
	const char *who = "worker";
	size_t i;

	for (i = 0; i < bench->nr_workers; i++) {
		if (bench->workers[i].pid == pid)
			who = role(&bench->workers[i]);
	}
	if (WIFSIGNALED(status))
		give_up(bench, "a %s was killed by signal %d (%s)", who, WTERMSIG(status),
			strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status))
		give_up(bench, "a %s failed: %s", who, why(WEXITSTATUS(status)));
	give_up(bench, "a %s ended before the start", who);
}

static void nothing(int sig)
{
	(void)sig;
}

/* Blocked but for the wait in await_ready(), so that no death goes unnoticed. */
static void watch_children(struct bench *bench)
{
	struct sigaction action = { .sa_handler = nothing };
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &bench->mask);
	sigdelset(&bench->mask, SIGCHLD);
	sigaction(SIGCHLD, &action, NULL);
	/* Whatever we were started with: workers end when told, writers get EPIPE. */
	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
}

static void await_ready(struct bench *bench)
{
	struct pollfd ready = { .fd = bench->ready[0], .events = POLLIN };
	size_t left = bench->nr_workers;

	while (left) {
		char byte;

		if (ppoll(&ready, 1, NULL, &bench->mask) < 0) {
			int status;
			pid_t pid = waitpid(-1, &status, WNOHANG);

			if (pid > 0)
				report_process(bench, pid, status);
			continue;
		}
		if (read(bench->ready[0], &byte, 1) != 1)
			give_up(bench, "cannot read the ready channel: %m");
		left--;
	}
}

static void reap_processes(struct bench *bench)
{
	size_t left;

	for (left = bench->nr_workers; left; left--) {
		int status;
		pid_t pid = wait(&status);

		if (pid < 0)
			give_up(bench, "wait failed with %zu workers left: %m", left);
		if (status)
			report_process(bench, pid, status);
	}
}

static void reap_threads(struct bench *bench)
{
	size_t i;

	for (i = 0; i < bench->nr_workers; i++)
		pthread_join(bench->workers[i].thread, NULL);
}

static void run(struct bench *bench)
{
	uint64_t group;

	bench->begin_ns = program_now_ns();
	bench->pid = getpid();
	watch_children(bench);
	if (bench->channel == TCP)
		start_listening(bench);
	make_channel(bench, bench->ready);
	make_channel(bench, bench->wake);
	for (group = 0; group < bench->groups; group++)
		make_group(bench, &bench->outs[group * bench->fds]);
	await_ready(bench);
	/* From here on wait() sees every death, and a signal would only cost time. */
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_SETMASK, &bench->mask, NULL);

	bench->start_ns = program_now_ns();
	if (write(bench->wake[1], "w", 1) != 1)
		give_up(bench, "cannot write to the wake channel: %m");
	if (bench->threaded)
		reap_threads(bench);
	else
		reap_processes(bench);
	bench->end_ns = program_now_ns();
}

/* A process that left with status 0 has read all its messages. */
static uint64_t nr_messages(const struct bench *bench)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < bench->nr_workers; i++) {
		const struct worker *worker = &bench->workers[i];

		if (!worker->outs)
			sum += bench->threaded ? worker->nr_read
					       : bench->fds * bench->loops;
	}
	return sum;
}

static void print_seconds(const char *name, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t ns = to_ns - from_ns;

	printf("\"%s\":%ju.%09ju", name, (uintmax_t)(ns / 1000000000),
	       (uintmax_t)(ns % 1000000000));
}

static int print_result(const struct bench *bench)
{
	printf("{\"program\":\"hackbench\",\"task\":\"%s\",\"channel\":\"%s\","
	       "\"groups\":%ju,\"loops\":%ju,\"fds\":%ju,\"size\":%ju,"
	       "\"workers\":%zu,\"messages\":%ju,\"metrics\":{",
	       bench->threaded ? "thread" : "process", channel_words[bench->channel],
	       (uintmax_t)bench->groups, (uintmax_t)bench->loops, (uintmax_t)bench->fds,
	       (uintmax_t)bench->size, bench->nr_workers, (uintmax_t)nr_messages(bench));
	print_seconds("time", bench->start_ns, bench->end_ns);
	printf(",");
	print_seconds("setup", bench->fork_ns, bench->start_ns);
	printf(",");
	print_seconds("total", bench->begin_ns, bench->end_ns);
	printf("}}\n");
	return program_flush("hackbench") ? 1 : 0;
}

static int set_task(struct bench *bench, const char *word)
{
	bench->threaded = !strcmp(word, "thread");
	return bench->threaded || !strcmp(word, "process") ? 0 : -1;
}

static int set_channel(struct bench *bench, const char *word)
{
	size_t i;

	for (i = 0; i < NR_CHANNELS; i++) {
		if (strcmp(channel_words[i], word) != 0)
			continue;
		bench->channel = (enum channel)i;
		return 0;
	}
	return -1;
}

enum option { TASK, CHANNEL, GROUPS, LOOPS, FDS, SIZE, NR_OPTIONS };

static int set_option(struct bench *bench, enum option option, const char *value)
{
	switch (option) {
	case TASK:
		return set_task(bench, value);
	case CHANNEL:
		return set_channel(bench, value);
	case GROUPS:
		return program_whole(value, HACKBENCH_MAX_GROUPS, &bench->groups);
	case LOOPS:
		return program_whole(value, HACKBENCH_MAX_LOOPS, &bench->loops);
	case FDS:
		return program_whole(value, HACKBENCH_MAX_FDS, &bench->fds);
	case SIZE:
		return program_whole(value, HACKBENCH_MAX_SIZE, &bench->size);
	case NR_OPTIONS:
		break;
	}
	return -1;
}

static int refuse(const char *option, const char *why_not)
{
	fprintf(stderr, "hackbench: '%s' %s\n", option, why_not);
	return -1;
}

/* Each option exactly once, as --name=value. */
static int parse_options(struct bench *bench, int argc, char **argv)
{
	static const char *const names[NR_OPTIONS] = {
		[TASK] = "task",   [CHANNEL] = "channel", [GROUPS] = "groups",
		[LOOPS] = "loops", [FDS] = "fds",	  [SIZE] = "size",
	};
	bool seen[NR_OPTIONS] = { false };
	int i;

	for (i = 1; i < argc; i++) {
		const char *value;
		enum option option =
			(enum option)program_find(argv[i], names, NR_OPTIONS, &value);

		if (option == NR_OPTIONS)
			return refuse(argv[i], "is not an option");
		if (seen[option])
			return refuse(argv[i], "is given twice");
		if (set_option(bench, option, value))
			return refuse(argv[i], "has no valid value");
		seen[option] = true;
	}
	for (i = 0; i < NR_OPTIONS; i++) {
		if (seen[i])
			continue;
		fprintf(stderr, "hackbench: '--%s=' is missing\n", names[i]);
		return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct bench bench = { .gave_up = ATOMIC_FLAG_INIT };
	int ret = 1;

	if (parse_options(&bench, argc, argv))
		return 2;
	bench.nr_planned = bench.groups * 2 * bench.fds;
	bench.workers = calloc(bench.nr_planned, sizeof(*bench.workers));
	bench.outs = calloc(bench.groups * bench.fds, sizeof(*bench.outs));
	pthread_attr_init(&bench.attr);
	pthread_attr_setstacksize(&bench.attr, (size_t)PTHREAD_STACK_MIN);
	if (!bench.workers || !bench.outs) {
		fprintf(stderr, "hackbench: out of memory\n");
		goto out;
	}
	run(&bench);
	ret = print_result(&bench);
out:
	pthread_attr_destroy(&bench.attr);
	free(bench.workers);
	free(bench.outs);
	return ret;
}
