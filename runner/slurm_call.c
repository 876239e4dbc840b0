// SPDX-License-Identifier: GPL-2.0-or-later
/* Starts Slurm's programs; see slurm_call.h. */
#include "runner/slurm_call.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "benchmarks/bench.h"
#include "benchmarks/native.h"
#include "lib/clock.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/proc.h"
#include "lib/scratch.h"
#include "runner/slurm_queue.h"

enum { TIMEOUT_SEC = 30, ANSWER_MAX = 1 << 29, COMPLAINT_MAX = 1 << 16, NOT_FOUND = 127 };

/* The program behind env(1), which looks for it; children have no environment of ours. */
static int command_line(const char *const *argv, struct bench_command *command)
{
	const char *conf = getenv("SLURM_CONF");
	int bad = bench_arg(command, "env");
	size_t i;

	/* Else a long list of tasks would be cut. */
	bad |= bench_arg(command, "SLURM_BITSTR_LEN=0");
	if (conf)
		bad |= bench_arg(command, "SLURM_CONF=%s", conf);
	for (i = 0; argv[i]; i++)
		bad |= bench_arg(command, "%s", argv[i]);
	return bad;
}

static int judge(const char *name, const struct proc_result *result, const char *dir,
		 struct err *err)
{
	int status = result->wait_status;
	char *path;
	char *said = NULL;

	if (result->end == PROC_SIGNALED)
		return err_set(err, -EINTR, "stopped by a signal while asking %s", name);
	if (result->end == PROC_TIMEOUT)
		return err_set(err, -ETIMEDOUT, "%s didn't answer within %d s", name,
			       TIMEOUT_SEC);
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
		return err_set(err, -ENOPKG,
			       "%s is not installed (expected Slurm's programs, on "
			       "Debian in the package slurm-client)",
			       name);
	path = file_path("%s/stderr", dir);
	if (path && file_read(path, COMPLAINT_MAX, &said, NULL, NULL))
		said = NULL;
	if (said)
		said[strcspn(said, "\n")] = '\0';
	err_set(err, -EREMOTEIO, "%s",
		said && *said ? said : "one of Slurm's programs failed without a word");
	free(said);
	free(path);
	return -EREMOTEIO;
}

static int read_answer(const char *dir, char **ret, size_t *ret_len, struct err *err)
{
	char *path = file_path("%s/stdout", dir);
	int bad = path ? file_read(path, ANSWER_MAX, ret, ret_len, err) : err_nomem(err);

	free(path);
	return bad;
}

static int call_in(struct proc_watch *watch, struct bench_command *command,
		   const char *dir, struct err *err)
{
	const struct proc_spec spec = {
		.path = "/usr/bin/env",
		.argv = command->argv,
		.dir = dir,
		.timeout_ns = TIMEOUT_SEC * CLOCK_SEC,
		.max_file_bytes = ANSWER_MAX,
	};
	struct proc_result result;
	int bad = proc_run(watch, &spec, &result, err);

	return bad ? bad
		   : judge(command->argv[2 + !!getenv("SLURM_CONF")], &result, dir, err);
}

int slurm_call(struct proc_watch *watch, const char *const *argv, char **ret,
	       size_t *ret_len, struct err *err)
{
	struct bench_command command = { 0 };
	struct scratch scratch;
	int bad;

	if (command_line(argv, &command)) {
		bench_command_release(&command);
		return err_nomem(err);
	}
	bad = scratch_open(&scratch, err);
	if (!bad) {
		bad = call_in(watch, &command, scratch.dir, err);
		if (!bad && ret)
			bad = read_answer(scratch.dir, ret, ret_len, err);
		scratch_close(&scratch);
	}
	bench_command_release(&command);
	return bad;
}

int slurm_ask_queue(struct proc_watch *watch, struct slurm_queue *ret, struct err *err)
{
	static const char *const argv[] = { "squeue", "--json", NULL };
	char *text = NULL;
	size_t len;
	int bad = slurm_call(watch, argv, &text, &len, err);

	*ret = (struct slurm_queue){ 0 };
	if (!bad)
		bad = slurm_queue_parse(text, len, ret, err);
	free(text);
	return bad;
}

int slurm_ask_nodes(struct proc_watch *watch, struct slurm_nodes *ret, struct err *err)
{
	static const char *const argv[] = { "sinfo", "--json", NULL };
	char *text = NULL;
	size_t len;
	int bad = slurm_call(watch, argv, &text, &len, err);

	*ret = (struct slurm_nodes){ 0 };
	if (!bad)
		bad = slurm_nodes_parse(text, len, ret, err);
	free(text);
	return bad;
}

char *slurm_setting(const char *config, const char *key)
{
	size_t len = strlen(key);
	const char *line = config;

	while (line && *line) {
		/* "Key = value"; where there may be several, "Key[0] = value". */
		if (!strncmp(line, key, len) && strchr(" =[", line[len])) {
			line += strcspn(line, "=\n");
			line += *line == '=';
			line += strspn(line, " ");
			return strndup(line, strcspn(line, "\n"));
		}
		line = strchr(line, '\n');
		line += line ? 1 : 0;
	}
	return NULL;
}

int slurm_ask_config(struct proc_watch *watch, char **ret, struct err *err)
{
	static const char *const argv[] = { "scontrol", "show", "config", NULL };

	*ret = NULL;
	return slurm_call(watch, argv, ret, NULL, err);
}
