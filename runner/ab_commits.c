// SPDX-License-Identifier: GPL-2.0-or-later
/* Asks git; see ab_commits.h. What it can't say isn't known, and no error. */
#include "runner/ab_commits.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/clock.h"
#include "lib/file.h"
#include "lib/proc.h"
#include "lib/scratch.h"
#include "lib/text.h"

enum { HASH_LEAST = 7, HASH_MOST = 40, HASH_SIZE = HASH_MOST + 1, GIT_SEC = 60 };

static bool find_hash(const char *release, char *hash)
{
	const char *at = release;
	const char *found = NULL;
	size_t len;

	while ((at = strstr(at, "-g")))
		found = at += strlen("-g");
	len = found ? strspn(found, "0123456789abcdef") : 0;
	if (len < HASH_LEAST || len > HASH_MOST || (found[len] && found[len] != '-'))
		return false;
	memcpy(hash, found, len);
	hash[len] = '\0';
	return true;
}

/* Whether git said all it had to. */
static bool run_git(char *const *argv, const char *dir)
{
	const struct proc_spec spec = {
		.path = "/usr/bin/git",
		.argv = argv,
		.dir = dir,
		.timeout_ns = GIT_SEC * CLOCK_SEC,
	};
	struct proc_result result;
	struct proc_watch watch;
	int bad = proc_watch_open(&watch, NULL);

	if (bad)
		return false;
	bad = proc_run(&watch, &spec, &result, NULL);
	proc_watch_close(&watch);
	/* It was meant for us, and nobody else has seen it. */
	if (watch.signal)
		(void)raise(watch.signal);
	return !bad && result.end == PROC_EXITED && !result.wait_status;
}

/* What git printed; the caller's, or NULL. */
static char *run_in(const char *dir, char *const *argv)
{
	enum { MOST = 4096 };
	char *path = file_path("%s/stdout", dir);
	char *text = NULL;

	if (path && run_git(argv, dir))
		(void)file_read(path, MOST, &text, NULL, NULL);
	free(path);
	return text;
}

/* "LEFT\tRIGHT\n", two whole numbers. */
static bool read_counts(char *text, uint64_t *left, uint64_t *right)
{
	char *tab = strchr(text, '\t');
	char *end = strchr(text, '\n');

	if (!tab || !end || end < tab || end[1])
		return false;
	*tab = *end = '\0';
	return !text_uint(text, 0, INT32_MAX, left, NULL) &&
	       !text_uint(tab + 1, 0, INT32_MAX, right, NULL);
}

/* The answer of git; the caller's, or NULL. */
static char *ask(const char *dir, char *range)
{
	char *argv[] = { (char *)(uintptr_t) "git",
			 (char *)(uintptr_t) "-C",
			 (char *)(uintptr_t)dir,
			 (char *)(uintptr_t) "rev-list",
			 (char *)(uintptr_t) "--count",
			 (char *)(uintptr_t) "--left-right",
			 (char *)(uintptr_t) "--end-of-options",
			 range,
			 (char *)(uintptr_t) "--",
			 NULL };
	struct scratch scratch;
	char *answer;

	if (scratch_open(&scratch, NULL))
		return NULL;
	answer = run_in(scratch.dir, argv);
	scratch_close(&scratch);
	return answer;
}

char *ab_commits(const char *dir, const char *a, const char *b)
{
	char hashes[2][HASH_SIZE];
	char *range = NULL;
	char *answer = NULL;
	char *text = NULL;
	uint64_t left;
	uint64_t right;

	if (!find_hash(a, hashes[0]) || !find_hash(b, hashes[1]))
		return NULL;
	range = file_path("%s...%s", hashes[0], hashes[1]);
	if (range)
		answer = ask(dir, range);
	if (answer && read_counts(answer, &left, &right))
		text = file_path("%ju commits only in A (%s), %ju only in B (%s)",
				 (uintmax_t)left, hashes[0], (uintmax_t)right, hashes[1]);
	free(answer);
	free(range);
	return text;
}
