// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The pipe workload: two tasks pass a word back and forth through two pipes,
 * and the time of all round trips is printed.
 *
 * The clock is read before the first task is made and after the last has ended.
 * In process mode this process is one of the two tasks, in thread mode it only
 * waits. The far end of a pipe is open in its one owner alone, so a task whose
 * partner dies finds an end of file instead of waiting for ever.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "benchmarks/pipe/limits.h"
#include "benchmarks/program.h"

/* struct task - one of the two */
struct task {
	uint64_t loops, nr_done;
	int in, out;
	bool is_first; /* writes before it reads */
	int code;
};

static int pass_on(int fd, int word)
{
	ssize_t len = write(fd, &word, sizeof(word));

	if (len < 0)
		return errno == EPIPE ? PROGRAM_ENDED_EARLY : errno;
	return len == (ssize_t)sizeof(word) ? 0 : EIO;
}

static int receive(int fd, int *word)
{
	ssize_t len = read(fd, word, sizeof(*word));

	if (len < 0)
		return errno;
	return len == (ssize_t)sizeof(*word) ? 0 : PROGRAM_ENDED_EARLY;
}

static void work(struct task *task)
{
	int word = 0;
	int code = 0;

	while (task->nr_done < task->loops && !code) {
		code = task->is_first ? pass_on(task->out, word)
				      : receive(task->in, &word);
		if (!code)
			code = task->is_first ? receive(task->in, &word)
					      : pass_on(task->out, word);
		task->nr_done += !code;
	}
	task->code = code;
}

static int complain(const char *what, int code)
{
	fprintf(stderr, "pipe: %s: %s\n", what,
		code == PROGRAM_ENDED_EARLY ? "its partner ended early" : strerror(code));
	return -1;
}

/* A thread that fails takes the process with it, so its partner can't wait on. */
static void *work_as_thread(void *data)
{
	struct task *task = data;

	work(task);
	if (task->code) {
		complain("a task failed", task->code);
		_exit(1);
	}
	return NULL;
}

static int run_threads(struct task *tasks)
{
	pthread_t threads[2];
	size_t i;

	for (i = 0; i < 2; i++) {
		int code = pthread_create(&threads[i], NULL, work_as_thread, &tasks[i]);

		if (!code)
			continue;
		complain("cannot start a thread", code);
		_exit(1);
	}
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

static _Noreturn void work_as_child(struct task *tasks, pid_t parent)
{
	program_follow(parent);
	close(tasks[1].in);
	close(tasks[1].out);
	work(&tasks[0]);
	/* Not _exit(): the usual exit of a process is part of the figure. */
	exit(tasks[0].code);
}

static int run_processes(struct task *tasks)
{
	pid_t parent = getpid();
	pid_t child = fork();
	int status;

	if (child < 0)
		return complain("cannot fork", errno);
	if (!child)
		work_as_child(tasks, parent);
	close(tasks[0].in);
	close(tasks[0].out);
	work(&tasks[1]);
	/* A child that still waits for a word of ours finds the end of the file. */
	if (tasks[1].code)
		close(tasks[1].out);
	if (waitpid(child, &status, 0) != child)
		return complain("cannot wait for the child", errno);
	if (WIFSIGNALED(status)) {
		fprintf(stderr, "pipe: the child was killed by signal %d (%s)\n",
			WTERMSIG(status), strsignal(WTERMSIG(status)));
		return -1;
	}
	if (WEXITSTATUS(status))
		return complain("the child failed", WEXITSTATUS(status));
	if (tasks[1].code)
		return complain("the parent failed", tasks[1].code);
	tasks[0].nr_done = tasks[0].loops;
	return 0;
}

static int run(bool threaded, uint64_t loops)
{
	struct task tasks[2] = { { .loops = loops },
				 { .loops = loops, .is_first = true } };
	int there[2], back[2];
	uint64_t start_ns, ns;

	/* Whatever we were started with: writers get EPIPE, children are waited for. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);
	if (pipe(there) || pipe(back))
		return complain("cannot make a pipe", errno);
	tasks[0].in = there[0];
	tasks[0].out = back[1];
	tasks[1].in = back[0];
	tasks[1].out = there[1];

	start_ns = program_now_ns();
	if (threaded ? run_threads(tasks) : run_processes(tasks))
		return -1;
	ns = program_now_ns() - start_ns;

	printf("{\"program\":\"pipe\",\"task\":\"%s\",\"loops\":%ju,"
	       "\"round_trips\":%ju,\"metrics\":{\"latency\":%.6f,\"rate\":%.3f}}\n",
	       threaded ? "thread" : "process", (uintmax_t)loops,
	       (uintmax_t)(tasks[0].nr_done < tasks[1].nr_done ? tasks[0].nr_done
							       : tasks[1].nr_done),
	       (double)ns / 1e3 / (double)loops, (double)loops * 1e9 / (double)ns);
	return program_flush("pipe");
}

int main(int argc, char **argv)
{
	const char *word = argc == 3 ? program_value(argv[1], "task") : NULL;
	uint64_t loops = 0;

	if (!word || program_number(argv[2], "loops", PIPE_MAX_LOOPS, &loops)) {
		fprintf(stderr, "pipe: expected --task=process|thread --loops=N\n");
		return 2;
	}
	if (strcmp(word, "process") != 0 && strcmp(word, "thread") != 0) {
		fprintf(stderr, "pipe: '%s' has no valid value\n", argv[1]);
		return 2;
	}
	return run(!strcmp(word, "thread"), loops) ? 1 : 0;
}
