// SPDX-License-Identifier: GPL-2.0-or-later
/* Servers and their keepers; see service_server.h. */
#include "runner/service_server.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/proc.h"
#include "runner/service_place.h"

/* How long a server may take to end in order, and its tree to be ended. */
#define STOP_NS (20 * CLOCK_SEC)
#define KILL_NS (15 * CLOCK_SEC)

enum { READY_FILE_MAX = 1 << 16 };

/* struct report - what a keeper writes when its server has ended */
struct report {
	struct err err;
	enum proc_end end;
	int wait_status;
};

/* struct keeper - what a keeper is started with */
struct keeper {
	const struct server_spec *spec;
	int out;
	pid_t parent;
};

/* The locks of the ledger and the run's own files must not stay open in here. */
static void close_others(int keep, int out)
{
	DIR *own = opendir("/proc/self/fd");
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct dirent *entry;
	int fd;

	for (fd = 0; null >= 0 && fd <= 2; fd++)
		(void)dup2(null, fd);
	while (own && (entry = readdir(own))) {
		fd = (int)strtol(entry->d_name, NULL, 10);
		if (fd > 2 && fd != keep && fd != out && fd != dirfd(own))
			(void)close(fd);
	}
	if (own)
		(void)closedir(own);
}

/* In the new process, where only what is said on @out gets anywhere. */
static int be_keeper(void *data)
{
	const struct keeper *keeper = data;
	struct proc_watch watch;
	struct proc_result result = { 0 };
	struct report report = { 0 };

	(void)setpgid(0, 0);
	(void)signal(SIGTERM, SIG_DFL);
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
	if (getppid() != keeper->parent)
		_exit(1);
	close_others(keeper->spec->keep, keeper->out);
	if (!proc_watch_open(&watch, &report.err))
		(void)proc_run(&watch, keeper->spec->proc, &result, &report.err);
	report.end = result.end;
	report.wait_status = result.wait_status;
	(void)file_write_all(keeper->out, &report, sizeof(report));
	_exit(0);
}

/* A sibling by CLONE_PARENT; the memory is its own, so the stack may be shared. */
static int start_keeper(const struct server_spec *spec, struct server *server,
			struct err *err)
{
	enum { STACK = 256 * 1024 };
	struct keeper keeper = { .spec = spec, .parent = getppid() };
	char *stack = malloc(STACK);
	int ends[2];
	int bad = 0;

	if (!stack)
		return err_nomem(err);
	if (pipe2(ends, O_CLOEXEC)) {
		bad = err_set(err, -errno, "cannot make a pipe: %m");
		free(stack);
		return bad;
	}
	keeper.out = ends[1];
	(void)fflush(NULL);
	server->keeper = clone(be_keeper, stack + STACK, CLONE_PARENT | SIGCHLD, &keeper);
	if (server->keeper < 0) {
		bad = err_set(err, -errno, "cannot start a process: %m");
		(void)close(ends[0]);
	}
	(void)close(ends[1]);
	free(stack);
	server->report = ends[0];
	return bad;
}

/* Whether a descriptor becomes readable within @wait_ns; none, -1, does not. */
static bool has_news(int fd, uint64_t wait_ns)
{
	struct pollfd told = { .fd = fd, .events = POLLIN };
	uint64_t until_ns = clock_ns() + wait_ns;
	struct timespec left;
	uint64_t now;
	int nr;

	do {
		now = clock_ns();
		now = now < until_ns ? until_ns - now : 0;
		left.tv_sec = (time_t)(now / CLOCK_SEC);
		left.tv_nsec = (long)(now % CLOCK_SEC);
		nr = ppoll(&told, 1, &left, NULL);
	} while (nr < 0 && errno == EINTR);
	return nr > 0;
}

/* Whether the keeper has told, or died without telling. */
static bool has_ended(const struct server *server, uint64_t wait_ns)
{
	return has_news(server->report, wait_ns);
}

/* Says how a server ended whose keeper has told. */
static int tell_end(struct server *server, const char *name, const char *log,
		    struct err *err)
{
	struct report report;
	char said[512] = "";
	const char *colon = ": ";
	int status;

	if (read(server->report, &report, sizeof(report)) != (ssize_t)sizeof(report))
		return err_set(err, -EIO, "the service %s was ended from outside", name);
	if (report.err.code)
		return err_set(err, report.err.code,
			       "the service %s can't be started: %s", name,
			       report.err.text);
	if (log)
		place_complaint(log, said, sizeof(said));
	if (!*said)
		colon = "";
	status = report.wait_status;
	if (WIFSIGNALED(status))
		return err_set(
			err, -EIO, "the service %s was killed by signal %d (%s)%s%s",
			name, WTERMSIG(status), strsignal(WTERMSIG(status)), colon, said);
	return err_set(err, -EIO, "the service %s ended with exit status %d%s%s", name,
		       WEXITSTATUS(status), colon, said);
}

static bool accepts(const char *socket_path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	bool is = false;
	int fd;

	if (strlen(socket_path) >= sizeof(address.sun_path))
		return false;
	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", socket_path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0) {
		is = !connect(fd, (const struct sockaddr *)&address, sizeof(address));
		(void)close(fd);
	}
	return is;
}

static bool is_ready(const struct server_spec *spec)
{
	char *text = NULL;
	bool is = true;

	if (spec->ready_file)
		is = !file_read(spec->ready_file, READY_FILE_MAX, &text, NULL, NULL) &&
		     strstr(text, spec->ready_text);
	free(text);
	return is && accepts(spec->socket);
}

static void watch_folder(int events, const char *path)
{
	char *folder = strdup(path);

	if (folder) {
		*strrchr(folder, '/') = '\0';
		(void)inotify_add_watch(events, folder,
					IN_CREATE | IN_MODIFY | IN_MOVED_TO | IN_ATTRIB |
						IN_CLOSE_WRITE);
	}
	free(folder);
}

/*
 * A socket that is there but doesn't listen yet refuses, and nothing tells when
 * it begins to: the server's next file does, such as that of its process id.
 */
static int wait_ready(const struct server_spec *spec, struct server *server,
		      struct proc_watch *watch, int events, struct err *err)
{
	uint64_t until_ns = clock_ns() + spec->timeout_ns;
	struct pollfd wait[] = {
		{ .fd = events, .events = POLLIN },
		{ .fd = server->report, .events = POLLIN },
		{ .fd = watch->fd, .events = POLLIN },
	};
	char changes[4096];
	uint64_t now;

	while (!is_ready(spec)) {
		struct timespec left;

		now = clock_ns();
		if (now >= until_ns)
			return err_set(err, -ETIME,
				       "the service %s accepted no connection in time",
				       spec->name);
		left.tv_sec = (time_t)((until_ns - now) / CLOCK_SEC);
		left.tv_nsec = (long)((until_ns - now) % CLOCK_SEC);
		(void)ppoll(wait, sizeof(wait) / sizeof(wait[0]), &left, NULL);
		if (wait[1].revents)
			return tell_end(server, spec->name, spec->proc->dir, err);
		if (wait[2].revents && proc_pending(watch))
			return err_set(err, -EINTR, "stopped by a signal");
		while (read(events, changes, sizeof(changes)) > 0)
			;
	}
	return 0;
}

/* Whether @pid is a child of @keeper that leads a group, as /proc tells it. */
static bool is_server(pid_t keeper, pid_t pid)
{
	char *path = file_path("/proc/%d/stat", (int)pid);
	char *line = path ? file_read_line(path) : NULL;
	char *at = line ? strrchr(line, ')') : NULL;
	bool is = false;

	/* ") S parent group" */
	if (at && strlen(at) > strlen(") S ") &&
	    strtol(at + strlen(") S "), &at, 10) == keeper)
		is = strtol(at, NULL, 10) == pid;
	free(line);
	free(path);
	return is;
}

/* The keeper's child; 0 when there is none. */
static pid_t find_server(pid_t keeper)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	pid_t found = 0;

	while (proc && !found && (entry = readdir(proc))) {
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

		if (pid > 0 && is_server(keeper, pid))
			found = pid;
	}
	if (proc)
		(void)closedir(proc);
	return found;
}

int server_start(const struct server_spec *spec, struct proc_watch *watch,
		 struct server *ret, struct err *err)
{
	struct server server = { .death = -1 };
	int events = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	int bad;

	if (events < 0)
		return err_set(err, -errno, "cannot watch files: %m");
	watch_folder(events, spec->socket);
	if (spec->ready_file)
		watch_folder(events, spec->ready_file);
	bad = start_keeper(spec, &server, err);
	if (!bad) {
		bad = wait_ready(spec, &server, watch, events, err);
		server.pid = find_server(server.keeper);
		/* Kernels before 5.3 have none; then the keeper's word has to do. */
		if (server.pid)
			server.death = (int)syscall(SYS_pidfd_open, server.pid, 0);
		if (bad)
			(void)server_stop(&server);
		else
			*ret = server;
	}
	(void)close(events);
	return bad;
}

int server_check(struct server *server, const char *name, uint64_t wait_ns,
		 struct err *err)
{
	/* A keeper tells when the whole tree has ended, not the server alone. */
	if (has_ended(server, 0) ||
	    (has_news(server->death, wait_ns) && has_ended(server, KILL_NS)))
		return tell_end(server, name, NULL, err);
	return 0;
}

bool server_stop(struct server *server)
{
	struct report report = { .err.code = -EIO };
	bool is_told = has_ended(server, 0);

	if (!is_told && server->pid && !kill(server->pid, SIGTERM))
		is_told = has_ended(server, STOP_NS);
	/* The keeper ends the tree when it is asked to end, and answers then. */
	if (!is_told && !kill(server->keeper, SIGTERM))
		is_told = has_ended(server, KILL_NS);
	if (!is_told)
		(void)kill(server->keeper, SIGKILL);
	else
		(void)!read(server->report, &report, sizeof(report));
	(void)close(server->report);
	if (server->death >= 0)
		(void)close(server->death);
	*server = (struct server){ .report = -1, .death = -1 };
	return !report.err.code && report.end == PROC_EXITED &&
	       WIFEXITED(report.wait_status) && !WEXITSTATUS(report.wait_status);
}
