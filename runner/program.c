// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the programs of workloads and asks for their versions; see program.h. */
#include "runner/program.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "benchmarks/bench.h"
#include "lib/clock.h"
#include "lib/digest.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/proc.h"
#include "lib/scratch.h"
#include "lib/text.h"

enum { VERSION_MAX = 64, ANSWER_MAX = 1 << 16, VERSION_TIMEOUT_SEC = 20 };

static bool is_program(const char *path)
{
	struct stat info;

	return !stat(path, &info) && S_ISREG(info.st_mode) && !access(path, X_OK);
}

/* The suite's own program in one folder; -ENOENT when it isn't there. */
static int look_in(const char *folder, const char *name, char **ret, struct err *err)
{
	char *path = folder ? file_path("%s/%s", folder, name) : NULL;
	char *real;

	if (!path)
		return err_nomem(err);
	real = realpath(path, NULL);
	free(path);
	if (!real)
		return -ENOENT;
	*ret = real;
	return 0;
}

static int find_own(const char *name, char **ret, struct err *err)
{
	char self[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *folder;
	int bad;

	if (len <= 0)
		return err_set(err, -errno, "cannot tell where schedgrid is: %m");
	self[len] = '\0';
	*strrchr(self, '/') = '\0';

	folder = file_path("%s/programs", self);
	bad = look_in(folder, name, ret, err);
	free(folder);
	if (bad != -ENOENT)
		return bad;
	folder = file_path("%s/../libexec/schedgrid", self);
	bad = look_in(folder, name, ret, err);
	free(folder);
	if (bad == -ENOENT)
		return err_set(err, bad,
			       "the program '%s' is neither in %s/programs nor in "
			       "%s/../libexec/schedgrid",
			       name, self, self);
	return bad;
}

/* Not resolved further: a program may do other work under the name it links to. */
static int find_in_path(const char *name, char **ret, struct err *err)
{
	static const char places[] = PROGRAM_PATH;
	const char *at = places;

	while (*at) {
		size_t len = strcspn(at, ":");
		char *path = file_path("%.*s/%s", (int)len, at, name);

		if (!path)
			return err_nomem(err);
		if (is_program(path)) {
			*ret = path;
			return 0;
		}
		free(path);
		at += len + (at[len] == ':');
	}
	return 0;
}

static int find_at(const char *command, const char *folder, char **ret, struct err *err)
{
	char *path =
		*command == '/' ? strdup(command) : file_path("%s/%s", folder, command);
	char *real;

	if (!path)
		return err_nomem(err);
	real = realpath(path, NULL);
	free(path);
	if (real && is_program(real))
		*ret = real;
	else
		free(real);
	return 0;
}

/* Of several versions beside each other, as Debian has them, the greatest. */
static int find_greatest(const char *pattern, char **ret, struct err *err)
{
	const char *greatest = NULL;
	glob_t found;
	size_t i;

	if (glob(pattern, GLOB_NOSORT, NULL, &found))
		return 0;
	for (i = 0; i < found.gl_pathc; i++)
		if (is_program(found.gl_pathv[i]) &&
		    (!greatest || text_natural_order(found.gl_pathv[i], greatest) > 0))
			greatest = found.gl_pathv[i];
	*ret = greatest ? strdup(greatest) : NULL;
	globfree(&found);
	return greatest && !*ret ? err_nomem(err) : 0;
}

static char *read_answer(const char *dir, const char *name)
{
	char *path = file_path("%s/%s", dir, name);
	char *text = NULL;

	if (!path || file_read(path, ANSWER_MAX, &text, NULL, NULL))
		text = NULL;
	free(path);
	return text;
}

/* The first word of an answer that begins with a digit. */
static char *version_in(const char *text)
{
	while (*text) {
		size_t len;

		text += strspn(text, " \t\r\n");
		len = strcspn(text, " \t\r\n");
		if (isdigit((unsigned char)*text))
			return strndup(text, len < VERSION_MAX ? len : VERSION_MAX);
		text += len;
	}
	return NULL;
}

/* Whether what kept a program from being started was the machine's state. */
static bool is_passing(int bad)
{
	static const int passing[] = { EAGAIN, ENOMEM, EMFILE, ENFILE,
				       ENOSPC, EDQUOT, EROFS,  EBUSY };
	size_t i;

	for (i = 0; i < sizeof(passing) / sizeof(passing[0]); i++)
		if (bad == -passing[i])
			return true;
	return false;
}

/* What came of a program that was started: 0 when it has said all that it would. */
static int judge_end(const char *path, const struct proc_result *result, struct err *err)
{
	int status = result->wait_status;

	switch (result->end) {
	case PROC_SIGNALED:
		return err_set(err, -EINTR, "stopped by a signal");
	case PROC_TIMEOUT:
		return err_set(err, -ETIME, "'%s' did not tell its version within %d s",
			       path, VERSION_TIMEOUT_SEC);
	case PROC_EXITED:
		break;
	}
	if (WIFSIGNALED(status))
		return err_set(err, -ECHILD,
			       "'%s' was killed by signal %d (%s) when it was asked for "
			       "its version",
			       path, WTERMSIG(status), strsignal(WTERMSIG(status)));
	return 0;
}

static int start_in(const char *dir, const char *path,
		    const struct bench_program *program, struct err *err)
{
	enum { MAX_ARGS = 8 };
	char *argv[MAX_ARGS + 2] = { (char *)(uintptr_t)program->command };
	struct proc_spec spec = {
		.path = path,
		.argv = argv,
		.dir = dir,
		.timeout_ns = VERSION_TIMEOUT_SEC * CLOCK_SEC,
		.max_file_bytes = ANSWER_MAX,
	};
	struct proc_watch watch;
	struct proc_result result;
	struct err why = { 0 };
	size_t i;
	int bad;

	for (i = 0; i < MAX_ARGS && program->version_args[i]; i++)
		argv[i + 1] = (char *)(uintptr_t)program->version_args[i];
	bad = proc_watch_open(&watch, err);
	if (bad)
		return bad;
	bad = proc_run(&watch, &spec, &result, &why);
	proc_watch_close(&watch);
	/* It was meant for us, and nobody else has seen it. */
	if (watch.signal)
		(void)raise(watch.signal);
	if (!bad)
		return judge_end(path, &result, err);
	/* What can't be started at all is told when it is to do its work. */
	return is_passing(bad) ? err_set(err, bad, "%s", why.text) : 0;
}

static int ask_once(const char *path, const struct bench_program *program, char **ret,
		    struct err *err)
{
	static const char *const names[] = { "stdout", "stderr" };
	struct scratch scratch;
	size_t i;
	int bad = scratch_open(&scratch, err);

	if (bad)
		return bad;
	bad = start_in(scratch.dir, path, program, err);
	for (i = 0; !bad && !*ret && i < sizeof(names) / sizeof(names[0]); i++) {
		char *text = read_answer(scratch.dir, names[i]);

		*ret = text ? version_in(text) : NULL;
		free(text);
	}
	scratch_close(&scratch);
	return bad;
}

/*
 * Not telling a version is no reason not to run: the digest tells builds apart. But
 * one that could not tell must not be taken for it, or the next call finds another
 * program; so what somebody killed is asked once more.
 */
static int ask_version(const char *path, const struct bench_program *program, char **ret,
		       struct err *err)
{
	struct err first = { 0 };
	int bad;

	if (!program->version_args)
		return 0;
	bad = ask_once(path, program, ret, &first);
	if (bad == -ECHILD)
		return ask_once(path, program, ret, err);
	return bad ? err_set(err, bad, "%s", first.text) : 0;
}

static bool is_script(const char *path)
{
	char *line = file_read_line(path);
	bool is = line && !strncmp(line, "#!", 2);

	free(line);
	return is;
}

static int identify(const struct bench_program *wanted, struct program *program,
		    struct err *err)
{
	char hex[DIGEST_HEX + 1];
	int bad = digest_file(program->path, hex, err);

	if (bad)
		return bad;
	program->sha256 = strdup(hex);
	if (!program->sha256)
		return err_nomem(err);
	/* A script where only the program itself will do isn't asked: program_check(). */
	if (wanted->command && wanted->versions && is_script(program->path))
		return 0;
	if (wanted->command)
		return ask_version(program->path, wanted, &program->version, err);
	program->version = strdup(SCHEDGRID_VERSION);
	return program->version ? 0 : err_nomem(err);
}

/* The parts of what is identified as one: another version of any is another program. */
static int add_part(struct program *program, const struct program *part, struct err *err)
{
	const char *slash = strrchr(part->name, '/');
	char *version =
		file_path("%s, %s%s%s", program->version, slash ? slash + 1 : part->name,
			  part->version ? " " : "", part->version ? part->version : "");
	char *both = file_path("%s %s", program->sha256, part->sha256);
	char hex[DIGEST_HEX + 1];
	int bad = version && both ? 0 : err_nomem(err);

	if (!bad) {
		digest_bytes(both, strlen(both), hex);
		memcpy(program->sha256, hex, sizeof(hex));
		free(program->version);
		program->version = version;
	} else {
		free(version);
	}
	free(both);
	return bad;
}

/* What it starts belongs to it; a part that isn't there makes its cells skipped. */
static int identify_parts(const struct workload *workload, const char *folder,
			  struct program *program, struct err *err)
{
	const struct bench_program *starts = workload->program->starts;
	struct workload with = *workload;
	int bad = 0;

	for (; starts && starts->name && !bad; starts++) {
		struct program part;

		with.program = starts;
		bad = program_find(&with, folder, &part, err);
		if (bad)
			break;
		if (part.path)
			bad = add_part(program, &part, err);
		program_release(&part);
	}
	return bad;
}

int program_find(const struct workload *workload, const char *folder, struct program *ret,
		 struct err *err)
{
	const struct bench_program *wanted = workload->program;
	const char *command = wanted->command;
	const char *name = command ? command : workload->ops->name;
	struct program program = { .word = strdup(wanted->name), .name = strdup(name) };
	int bad = 0;

	program.is_own = !command;
	if (!program.word || !program.name)
		bad = err_nomem(err);
	else if (!command)
		bad = find_own(name, &program.path, err);
	else if (strchr(command, '*'))
		bad = find_greatest(command, &program.path, err);
	else if (strchr(command, '/'))
		bad = find_at(command, folder, &program.path, err);
	else
		bad = find_in_path(command, &program.path, err);
	if (!bad && program.path)
		bad = identify(wanted, &program, err);
	if (!bad && program.path)
		bad = identify_parts(workload, folder, &program, err);
	if (bad)
		program_release(&program);
	else
		*ret = program;
	return bad;
}

int program_missing(const struct workload *workload, struct err *err)
{
	const struct bench_program *program = workload->program;

	if (program->package)
		return err_set(err, -ENOENT,
			       "program '%s' of %s is not installed (Debian package %s)",
			       program->command, program->name, program->package);
	if (strchr(program->command, '/'))
		return err_set(err, -ENOENT, "'%s' is not the file of a program",
			       program->command);
	return err_set(err, -ENOENT, "program '%s' is not installed (expected in %s)",
		       program->command, PROGRAM_PATH);
}

int program_check(const struct workload *workload, const struct program *program,
		  struct err *err)
{
	const char *versions = workload->program->versions;

	if (!versions)
		return 0;
	/* Whatever it starts in the end isn't the file that the digest is of. */
	if (is_script(program->path))
		return err_set(err, -EOPNOTSUPP,
			       "'%s' is a script (expected the program %s itself)",
			       program->path, program->name);
	if (program->version && !strncmp(program->version, versions, strlen(versions)))
		return 0;
	return err_set(err, -EOPNOTSUPP, "'%s' is of version %s (expected %s*)",
		       program->path, program->version ? program->version : "unknown",
		       versions);
}

int program_beside(const struct program *program, const char *name, char **ret,
		   struct err *err)
{
	const char *slash = strrchr(program->path, '/');
	char *path =
		file_path("%.*s/%s", (int)(slash - program->path), program->path, name);

	*ret = NULL;
	if (!path)
		return err_nomem(err);
	if (is_program(path)) {
		*ret = path;
		return 0;
	}
	free(path);
	if (find_in_path(name, ret, err))
		return err->code;
	if (*ret)
		return 0;
	return err_set(err, -ENOENT,
		       "program '%s' is not installed (expected beside '%s', or in %s)",
		       name, program->path, PROGRAM_PATH);
}

void program_release(struct program *program)
{
	free(program->word);
	free(program->name);
	free(program->path);
	free(program->version);
	free(program->sha256);
	*program = (struct program){ 0 };
}
