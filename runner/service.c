// SPDX-License-Identifier: GPL-2.0-or-later
/* Prepares, starts and ends services; see service.h. */
#include "runner/service.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "benchmarks/native.h"
#include "benchmarks/service.h"
#include "lib/clock.h"
#include "lib/cpulist.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/proc.h"
#include "runner/plan.h"
#include "runner/service_place.h"
#include "runner/service_server.h"

/* By when a server must accept connections, also on a slow machine. */
#define READY_NS (120 * CLOCK_SEC)

/* How long after its client a server may take to die of the same cause. */
#define DEATH_NS (CLOCK_SEC / 2)

/*
 * struct service - one that was prepared
 * @key: the commands that prepared it
 */
struct service {
	char *key;
	struct place place;
	bool is_loaded;
};

/*
 * struct services - those of a run
 * @running: the one whose server runs, NULL: none does
 * @running_as: its command and CPUs
 * @name: of its program
 */
struct services {
	const struct plan *plan;
	struct proc_watch *watch;
	struct service **made;
	size_t nr;
	struct service *running;
	char *running_as;
	const char *name;
	struct server server;
};

/* struct job - what each step for one cell needs */
struct job {
	struct services *services;
	const struct cell *cell;
	const struct bench_service *declared;
	const struct program *program;
	const struct passwd *user;
	struct err *err;
};

struct services *services_new(const struct plan *plan, struct proc_watch *watch)
{
	struct services *services = calloc(1, sizeof(*services));
	size_t i;

	if (!services)
		return NULL;
	services->plan = plan;
	services->watch = watch;
	for (i = 0; i < plan->nr_cells; i++)
		if (plan->cells[i].service)
			break;
	if (i < plan->nr_cells)
		place_sweep();
	return services;
}

void services_sweep(void)
{
	place_sweep();
}

static bool stop_running(struct services *services)
{
	bool is_orderly;

	if (!services->running)
		return true;
	is_orderly = server_stop(&services->server);
	services->running = NULL;
	free(services->running_as);
	services->running_as = NULL;
	return is_orderly;
}

static void drop(struct services *services, struct service *service)
{
	size_t i = 0;

	if (services->running == service)
		(void)stop_running(services);
	while (i < services->nr && services->made[i] != service)
		i++;
	if (i < services->nr)
		services->made[i] = services->made[--services->nr];
	place_remove(&service->place);
	free(service->key);
	free(service);
}

void services_free(struct services *services)
{
	if (!services)
		return;
	while (services->nr)
		drop(services, services->made[services->nr - 1]);
	free(services->made);
	free(services);
}

static char *replace_dir(const char *text, const char *dir)
{
	static const char mark[] = BENCH_SERVICE_DIR;
	const char *at = strstr(text, mark);

	if (!at)
		return strdup(text);
	return file_path("%.*s%s%s", (int)(at - text), text, dir, at + strlen(mark));
}

static int fill(const struct service *service, struct bench_command *command)
{
	size_t i;

	for (i = 0; i < command->nr_args; i++) {
		char *filled = replace_dir(command->argv[i], service->place.home);

		if (!filled)
			return -ENOMEM;
		free(command->argv[i]);
		command->argv[i] = filled;
	}
	return 0;
}

int services_fill(const struct services *services, struct bench_command *command)
{
	return services->running ? fill(services->running, command) : 0;
}

static int plan_step(const struct job *job, enum bench_service_phase phase,
		     unsigned int step, struct bench_command *command)
{
	if (!job->declared->plan(&job->cell->workload, phase, step, command))
		return 0;
	bench_command_release(command);
	return err_nomem(job->err);
}

/* All commands of a phase as one text. */
static int write_commands(const struct job *job, enum bench_service_phase phase,
			  FILE *out)
{
	unsigned int step;
	size_t i;

	for (step = 0;; step++) {
		struct bench_command command = { 0 };
		size_t nr;

		if (plan_step(job, phase, step, &command))
			return job->err->code;
		nr = command.nr_args;
		for (i = 0; i < nr; i++)
			(void)fprintf(out, "%s%c", command.argv[i],
				      i + 1 < nr ? ' ' : '\n');
		bench_command_release(&command);
		if (!nr || phase == BENCH_SERVICE_SERVE)
			return 0;
	}
}

/* What tells prepared ones apart, or with @is_running how a server was started. */
static int key_of(const struct job *job, bool is_running, char **ret)
{
	char *cpus = cpulist_write(&job->cell->cpus);
	char *text = NULL;
	size_t size;
	FILE *out = cpus ? open_memstream(&text, &size) : NULL;
	int bad;

	if (!out) {
		free(cpus);
		return err_nomem(job->err);
	}
	(void)fprintf(out, "%s\n%s\n", job->program->path, is_running ? cpus : "");
	free(cpus);
	if (is_running) {
		bad = write_commands(job, BENCH_SERVICE_SERVE, out);
	} else {
		bad = write_commands(job, BENCH_SERVICE_INIT, out);
		if (!bad)
			bad = write_commands(job, BENCH_SERVICE_LOAD, out);
	}
	if (fclose(out) && !bad)
		bad = err_nomem(job->err);
	if (bad)
		free(text);
	else
		*ret = text;
	return bad;
}

/* Servers that refuse to be root are started as one of their users. */
static int find_user(struct job *job)
{
	const char *const *name = job->declared->users;

	if (geteuid())
		return 0;
	for (; *name && !job->user; name++)
		job->user = getpwnam(*name);
	if (job->user)
		return 0;
	return err_set(job->err, -ENOENT,
		       "the service %s doesn't run as root, and there is no user '%s' to "
		       "run it as",
		       job->declared->program.name, job->declared->users[0]);
}

/* Puts a change of user before a command; 0 or -ENOMEM. */
static int put_user(const struct passwd *user, const char *path,
		    struct bench_command *command)
{
	struct bench_command whole = { 0 };
	size_t i;
	int bad = bench_arg(&whole, "setpriv") ||
		  bench_arg(&whole, "--reuid=%ju", (uintmax_t)user->pw_uid) ||
		  bench_arg(&whole, "--regid=%ju", (uintmax_t)user->pw_gid) ||
		  bench_arg(&whole, "--clear-groups") ||
		  bench_arg(&whole, "--pdeathsig=KILL") || bench_arg(&whole, "%s", path);

	for (i = 1; !bad && i < command->nr_args; i++)
		bad = bench_arg(&whole, "%s", command->argv[i]);
	bench_command_release(command);
	*command = whole;
	return bad ? -ENOMEM : 0;
}

/* The whole command line, and the path of what it starts, the caller's to free. */
static int complete(const struct job *job, const struct service *service, bool as_user,
		    struct bench_command *command, char **ret_path)
{
	char *path = NULL;
	int bad = fill(service, command) ? err_nomem(job->err) : 0;

	if (!bad)
		bad = program_beside(job->program, command->argv[0], &path, job->err);
	if (!bad && as_user && job->user) {
		bad = put_user(job->user, path, command) ? err_nomem(job->err) : 0;
		free(path);
		path = NULL;
		if (!bad)
			bad = program_beside(job->program, "setpriv", &path, job->err);
	}
	*ret_path = path;
	return bad;
}

static int judge_step(const struct job *job, const char *name,
		      const struct proc_result *result, const char *log)
{
	const char *service = job->declared->program.name;
	char said[512];
	int status = result->wait_status;

	if (result->end == PROC_SIGNALED)
		return err_set(job->err, -EINTR, "stopped by a signal");
	if (result->end == PROC_TIMEOUT)
		return err_set(job->err, -ETIME,
			       "the service %s can't be prepared: %s was cut off at the "
			       "time limit",
			       service, name);
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	place_complaint(log, said, sizeof(said));
	return err_set(job->err, -EIO, "the service %s can't be prepared: %s %s %d%s%s",
		       service, name,
		       WIFSIGNALED(status) ? "was killed by signal"
					   : "ended with exit status",
		       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
		       *said ? ": " : "", said);
}

static int run_step(const struct job *job, struct service *service, bool as_user,
		    struct bench_command *command)
{
	struct proc_spec spec = { .timeout_ns = job->services->plan->grid->timeout_ns };
	char *name = strdup(command->argv[0]);
	char *log = name ? place_log(&service->place, job->err) : NULL;
	struct proc_result result;
	char *path = NULL;
	int bad;

	if (!log) {
		bad = name ? job->err->code : err_nomem(job->err);
		free(name);
		return bad;
	}
	bad = complete(job, service, as_user, command, &path);
	spec.path = path;
	spec.argv = command->argv;
	spec.dir = log;
	if (!bad)
		bad = proc_run(job->services->watch, &spec, &result, job->err);
	if (!bad)
		bad = judge_step(job, name, &result, log);
	free(path);
	free(log);
	free(name);
	return bad;
}

static int run_phase(const struct job *job, struct service *service,
		     enum bench_service_phase phase)
{
	unsigned int step;
	int bad = 0;

	for (step = 0; !bad; step++) {
		struct bench_command command = { 0 };
		bool is_over;

		if (plan_step(job, phase, step, &command))
			return job->err->code;
		is_over = !command.nr_args;
		if (!is_over)
			bad = run_step(job, service, phase == BENCH_SERVICE_INIT,
				       &command);
		bench_command_release(&command);
		if (is_over)
			return 0;
	}
	return bad;
}

static int add_service(const struct job *job, char *key, struct service **ret)
{
	struct services *services = job->services;
	struct service **grown =
		reallocarray(services->made, services->nr + 1, sizeof(struct service *));
	struct service *service = calloc(1, sizeof(*service));
	int bad;

	if (grown)
		services->made = grown;
	if (!grown || !service) {
		free(service);
		free(key);
		return err_nomem(job->err);
	}
	service->key = key;
	service->place.lock = -1;
	services->made[services->nr++] = service;
	bad = place_make(job->user ? job->user->pw_uid : geteuid(),
			 job->user ? job->user->pw_gid : getegid(), &service->place,
			 job->err);
	if (!bad)
		bad = run_phase(job, service, BENCH_SERVICE_INIT);
	if (bad)
		drop(services, service);
	else
		*ret = service;
	return bad;
}

/* What runs out of room half-way leaves things behind that only it knows. */
static int check_room(const struct job *job)
{
	struct err why = { 0 };

	if (!place_check_room(job->declared->room_bytes, &why))
		return 0;
	return err_set(job->err, why.code, "the service %s can't be prepared: it %s",
		       job->declared->program.name, why.text);
}

static int find_service(const struct job *job, struct service **ret)
{
	const struct services *services = job->services;
	char *key = NULL;
	int bad = key_of(job, false, &key);
	size_t i;

	if (bad)
		return bad;
	for (i = 0; i < services->nr; i++) {
		if (strcmp(services->made[i]->key, key) != 0)
			continue;
		*ret = services->made[i];
		free(key);
		return 0;
	}
	bad = check_room(job);
	if (!bad)
		return add_service(job, key, ret);
	free(key);
	return bad;
}

static int start_server(const struct job *job, struct service *service)
{
	struct services *services = job->services;
	struct bench_command command = { 0 };
	char *ready_file = NULL;
	char *socket = file_path("%s/%s", service->place.home, job->declared->socket);
	char *log = socket ? place_log(&service->place, job->err) : NULL;
	char *path = NULL;
	struct proc_spec proc = {
		.dir = log,
		.cpus = &job->cell->cpus,
		.timeout_ns = SERVER_FOREVER_NS,
	};
	struct server_spec spec = {
		.name = job->declared->program.name,
		.proc = &proc,
		.keep = service->place.lock,
		.socket = socket,
		.ready_text = job->declared->ready_text,
		.timeout_ns = READY_NS,
	};
	int bad = 0;

	if (!log)
		bad = socket ? job->err->code : err_nomem(job->err);
	if (!bad && job->declared->ready_file) {
		ready_file = file_path("%s/%s", service->place.home,
				       job->declared->ready_file);
		bad = ready_file ? 0 : err_nomem(job->err);
	}
	spec.ready_file = ready_file;
	if (!bad)
		bad = plan_step(job, BENCH_SERVICE_SERVE, 0, &command);
	if (!bad)
		bad = complete(job, service, true, &command, &path);
	proc.path = path;
	proc.argv = command.argv;
	if (!bad)
		bad = server_start(&spec, services->watch, &services->server, job->err);
	if (!bad) {
		services->running = service;
		services->name = spec.name;
		bad = place_note(&service->place, services->server.pid, job->err);
	}
	bench_command_release(&command);
	free(path);
	free(log);
	free(socket);
	free(ready_file);
	return bad;
}

/* The server of @service, on the cell's CPUs and with what the cell wants of it. */
static int have_running(const struct job *job, struct service *service)
{
	struct services *services = job->services;
	char *as = NULL;
	int bad = key_of(job, true, &as);

	if (bad)
		return bad;
	if (services->running == service && !strcmp(services->running_as, as) &&
	    !server_check(&services->server, services->name, 0, NULL)) {
		free(as);
		return 0;
	}
	(void)stop_running(services);
	bad = start_server(job, service);
	if (bad)
		free(as);
	else
		services->running_as = as;
	return bad;
}

static void drop_caches(const struct service *service, char remark[SERVICE_REMARK_SIZE])
{
	int home = open(service->place.home, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int fd = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);

	/* What was never written can't be dropped. */
	if (home >= 0)
		(void)syncfs(home);
	if (fd >= 0 && write(fd, "3\n", 2) == 2)
		(void)snprintf(remark, SERVICE_REMARK_SIZE,
			       "the page cache was dropped before it");
	else
		(void)snprintf(remark, SERVICE_REMARK_SIZE,
			       "the page cache could not be dropped before it: %s",
			       strerror(errno));
	if (fd >= 0)
		(void)close(fd);
	if (home >= 0)
		(void)close(home);
}

int services_provide(struct services *services, const struct cell *cell,
		     char remark[SERVICE_REMARK_SIZE], struct err *err)
{
	struct err local = { 0 };
	struct job job = {
		.services = services,
		.cell = cell,
		.declared = cell->service,
		.program = &services->plan->programs[cell->server],
		.err = err ? err : &local,
	};
	struct service *service = NULL;
	int bad = find_user(&job);

	if (!bad)
		bad = find_service(&job, &service);
	if (bad)
		return bad;
	bad = have_running(&job, service);
	if (!bad && !service->is_loaded) {
		bad = run_phase(&job, service, BENCH_SERVICE_LOAD);
		service->is_loaded = !bad;
	}
	if (bad)
		drop(services, service);
	else if (job.declared->reads_disk)
		drop_caches(service, remark);
	return bad;
}

int services_check(struct services *services, bool is_suspected, struct err *err)
{
	int bad = 0;

	if (services->running)
		bad = server_check(&services->server, services->name,
				   is_suspected ? DEATH_NS : 0, err);
	if (bad)
		drop(services, services->running);
	return bad;
}

void services_version(const struct plan *plan, const struct cell *cell, char *text,
		      size_t size)
{
	enum { SHOWN_DIGITS = 12 };
	const struct program *program = &plan->programs[cell->program];
	const struct program *server = &plan->programs[cell->server];

	(void)snprintf(text, size, "%s with %s %s (sha256 %.*s)",
		       program->version ? program->version : "unknown", server->word,
		       server->version ? server->version : "unknown", SHOWN_DIGITS,
		       server->sha256 ? server->sha256 : "unknown");
}
