// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The null workload: does what the word for this iteration says. Most words
 * are ways in which a real program has misbehaved, so that the suite can be
 * tested against each without waiting for one to happen.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "benchmarks/null/script.h"
#include "benchmarks/program.h"

/* Long enough for any test, short enough not to gather on a test machine. */
enum { LEFT_BEHIND_MS = 300000, FLOOD_MIB = 64 };

struct args {
	const char *step;
	const char *script;
	uint64_t iteration;
};

static void sleep_ms(uint64_t ms)
{
	struct timespec left = { .tv_sec = (time_t)(ms / 1000),
				 .tv_nsec = (long)(ms % 1000) * 1000000 };

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

static _Noreturn void hang(void)
{
	for (;;)
		pause();
}

static int print_result(const struct args *args, const char *value)
{
	printf("{\"program\":\"null\",\"step\":%s,\"script\":\"%s\","
	       "\"metrics\":{\"value\":%s}}\n",
	       args->step, args->script, value);
	return fflush(stdout) ? 1 : 0;
}

static int print_half(const struct args *args)
{
	printf("{\"program\":\"null\",\"step\":%s,\"scr", args->step);
	return 1;
}

static int print_sleep(const struct args *args, const char *word)
{
	uint64_t ms = strtoull(word + strlen(NULL_SLEEP_PREFIX), NULL, 10);
	char seconds[32];

	sleep_ms(ms);
	snprintf(seconds, sizeof(seconds), "%.10g", (double)ms / 1000.0);
	return print_result(args, seconds);
}

static int complain(const char *text)
{
	fputs(text, stderr);
	return 1;
}

/* No core file: where it goes is the machine's choice and may be slow. */
static _Noreturn void crash(void)
{
	const struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	abort();
}

/* A child in our own process group, with our standard output still open. */
static int leave_orphan(const struct args *args)
{
	pid_t pid;

	signal(SIGHUP, SIG_IGN);
	pid = fork();
	if (pid < 0)
		return complain("null: cannot fork\n");
	if (!pid) {
		sleep_ms(LEFT_BEHIND_MS);
		_exit(0);
	}
	return print_result(args, "1");
}

static _Noreturn void live_on(void)
{
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	sleep_ms(LEFT_BEHIND_MS);
	_exit(0);
}

/* A grandchild in a session of its own that holds nothing of ours. */
static int leave_daemon(const struct args *args)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		setsid();
		pid = fork();
		if (!pid)
			live_on();
		_exit(pid < 0 ? 1 : 0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		return complain("null: cannot fork\n");
	return print_result(args, "1");
}

static int flood(void)
{
	static char chunk[1 << 16];
	size_t i;

	memset(chunk, '#', sizeof(chunk));
	for (i = 0; i < ((size_t)FLOOD_MIB << 20) / sizeof(chunk); i++) {
		if (fwrite(chunk, sizeof(chunk), 1, stdout) != 1)
			return 1;
	}
	return fflush(stdout) ? 1 : 0;
}

/* Words that print something and end. */
static int speak(const struct args *args, enum null_word kind, const char *word)
{
	if (kind == NULL_NUMBER)
		return print_result(args, word);
	if (kind == NULL_SLEEP)
		return print_sleep(args, word);
	if (kind == NULL_ZERO)
		return print_result(args, "0");
	if (kind == NULL_NAN)
		return print_result(args, "\"nan\"");
	if (kind == NULL_TWICE)
		return print_result(args, "1") | print_result(args, "2");
	if (kind == NULL_PARTIAL)
		return print_half(args);
	if (kind == NULL_FAIL)
		return complain("null: failing as asked\n");
	if (kind == NULL_BYTES)
		return complain("null: \xff is not text, 5 \xc2\xb5s is\n");
	if (kind == NULL_FLOOD)
		return flood();
	if (kind == NULL_UNREADY)
		return complain("null: not ready as asked\n") ? PROGRAM_UNREADY : 0;
	return 0;
}

/* Words that end in other ways, or not at all. */
static int act(const struct args *args, enum null_word kind, const char *word)
{
	if (kind == NULL_ORPHAN)
		return leave_orphan(args);
	if (kind == NULL_DAEMON)
		return leave_daemon(args);
	if (kind == NULL_DEAF)
		signal(SIGTERM, SIG_IGN);
	if (kind == NULL_DEAF || kind == NULL_HANG)
		hang();
	if (kind == NULL_CRASH)
		crash();
	if (kind == NULL_KILLED)
		raise(SIGKILL);
	return speak(args, kind, word);
}

/* The word of this iteration, or -1 with the reason printed. */
static int pick_word(const struct args *args, char *ret)
{
	const char *at = args->script;
	char word[NULL_MAX_WORD + 1];
	size_t nr = 0;
	size_t idx;

	for (; null_word_next(&at, word); nr++) {
		if (null_word_find(word) == NULL_UNKNOWN) {
			fprintf(stderr, "null: unknown word '%s' in the script\n", word);
			return -1;
		}
	}
	if (!nr) {
		fprintf(stderr, "null: there is no word in the script\n");
		return -1;
	}
	idx = args->iteration ? (args->iteration - 1) % nr : 0;
	at = args->script;
	do
		null_word_next(&at, ret);
	while (idx--);
	return 0;
}

static bool is_whole(const char *text)
{
	size_t digits = strspn(text, "0123456789");

	return digits && digits < 10 && !text[digits] && (text[0] != '0' || digits == 1);
}

/* Each of the three exactly once. */
static int parse_args(struct args *args, int argc, char **argv)
{
	static const char *const names[] = { "step", "script", "iteration" };
	const char *values[3] = { NULL };
	int i;

	for (i = 1; i < argc; i++) {
		const char *value;
		size_t idx = program_find(argv[i], names, 3, &value);

		if (idx == 3 || values[idx]) {
			fprintf(stderr, "null: unexpected argument '%s'\n", argv[i]);
			return -1;
		}
		values[idx] = value;
	}
	if (!values[0] || !values[1] || !values[2] || !is_whole(values[0]) ||
	    !is_whole(values[2])) {
		fprintf(stderr, "null: expected --step=N --script=WORDS --iteration=N\n");
		return -1;
	}
	args->step = values[0];
	args->script = values[1];
	args->iteration = strtoull(values[2], NULL, 10);
	return 0;
}

int main(int argc, char **argv)
{
	struct args args = { 0 };
	char word[NULL_MAX_WORD + 1];

	if (parse_args(&args, argc, argv) || pick_word(&args, word))
		return 2;
	return act(&args, null_word_find(word), word);
}
