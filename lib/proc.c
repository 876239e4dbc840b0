// SPDX-License-Identifier: GPL-2.0-or-later
/* Starting, watching and ending one child tree; see proc.h. */
#include "lib/proc.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/cpulist.h"
#include "lib/err.h"
#include "lib/file.h"

/* How long processes may take to end by themselves, and to die when killed. */
#define GRACE_NS (CLOCK_SEC / 5)
#define DEATH_NS (10 * CLOCK_SEC)

/* Of a child until its execve(). */
enum { STACK = 64 * 1024 };

/* A signal that we were started to ignore, as nohup does, must not stop a run. */
static void watched_signals(sigset_t *set)
{
	static const int stopping[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction action;
	size_t i;

	(void)sigemptyset(set);
	(void)sigaddset(set, SIGCHLD);
	for (i = 0; i < sizeof(stopping) / sizeof(stopping[0]); i++)
		if (sigaction(stopping[i], NULL, &action) || action.sa_handler != SIG_IGN)
			(void)sigaddset(set, stopping[i]);
}

int proc_watch_open(struct proc_watch *watch, struct err *err)
{
	const struct sigaction by_default = { .sa_handler = SIG_DFL };
	sigset_t set;

	/* Who ignores it, or was started so, can't learn how a child ended. */
	(void)sigaction(SIGCHLD, &by_default, NULL);
	watched_signals(&set);
	watch->signal = 0;
	watch->stack = NULL;
	watch->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (watch->fd < 0)
		return err_set(err, -errno, "cannot watch signals: %m");
	if (posix_memalign((void **)&watch->stack, 64, STACK)) {
		(void)close(watch->fd);
		return err_nomem(err);
	}
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	/* Kernels before 3.4 don't have it; then only the group is ended. */
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	return 0;
}

void proc_watch_close(struct proc_watch *watch)
{
	sigset_t set;

	watched_signals(&set);
	(void)proc_pending(watch);
	(void)close(watch->fd);
	watch->fd = -1;
	free(watch->stack);
	watch->stack = NULL;
	(void)prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
	/* Who presses Ctrl-C twice still gets the summary of what was done. */
	if (!watch->signal)
		(void)sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int proc_pending(struct proc_watch *watch)
{
	struct signalfd_siginfo info;

	while (read(watch->fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		if (info.ssi_signo != SIGCHLD && !watch->signal)
			watch->signal = (int)info.ssi_signo;
	return watch->signal;
}

/*
 * What the child needs between clone() and execve(). It shares the memory of
 * the parent, which waits, so it may only make system calls.
 */
struct launch {
	const struct proc_spec *spec;
	int in, out, err;
	cpu_set_t *mask;
	size_t mask_size;
	int error;
	const char *failed;
};

/* The soft limit only: a program that knows what it writes may raise it again. */
static void limit_files(uint64_t bytes)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur <= bytes)
		return;
	limit.rlim_cur = bytes;
	(void)setrlimit(RLIMIT_FSIZE, &limit);
}

static int become_child(void *data)
{
	static char locale[] = "LC_ALL=C";
	static char path[] = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:"
			     "/sbin:/bin";
	static char home[] = "HOME=/";
	static char *const environment[] = { locale, path, home, NULL };
	static const int often_ignored[] = { SIGPIPE, SIGINT,  SIGQUIT, SIGHUP,
					     SIGTSTP, SIGTTIN, SIGTTOU, SIGXFSZ };
	const struct rlimit no_core = { 0, 0 };
	struct launch *launch = data;
	sigset_t none;
	size_t i;

	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	/* What we ignore would stay ignored; what a parent ignored for us as well. */
	for (i = 0; i < sizeof(often_ignored) / sizeof(often_ignored[0]); i++)
		(void)signal(often_ignored[i], SIG_DFL);
	(void)setrlimit(RLIMIT_CORE, &no_core);
	if (launch->spec->max_file_bytes)
		limit_files(launch->spec->max_file_bytes);
	/* A runner that is killed can't end its tree: let the kernel begin. */
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	launch->failed = "prepare";
	if (setpgid(0, 0) || dup2(launch->in, 0) < 0 || dup2(launch->out, 1) < 0 ||
	    dup2(launch->err, 2) < 0 || chdir(launch->spec->dir))
		goto out;
	launch->failed = "pin";
	if (launch->mask && sched_setaffinity(0, launch->mask_size, launch->mask))
		goto out;
	launch->failed = "run";
	(void)execve(launch->spec->path, launch->spec->argv, environment);
out:
	launch->error = errno;
	_exit(127);
}

static int build_mask(const struct cpulist *cpus, struct launch *launch)
{
	size_t i;
	int nr;

	if (!cpus || !cpus->nr)
		return 0;
	nr = (int)cpus->cpu[cpus->nr - 1] + 1;
	launch->mask = CPU_ALLOC(nr);
	if (!launch->mask)
		return -ENOMEM;
	launch->mask_size = CPU_ALLOC_SIZE(nr);
	CPU_ZERO_S(launch->mask_size, launch->mask);
	for (i = 0; i < cpus->nr; i++)
		CPU_SET_S(cpus->cpu[i], launch->mask_size, launch->mask);
	return 0;
}

/* O_EXCL: output of an older attempt is never appended to or replaced. */
static int create_output(const char *dir, const char *name, struct err *err)
{
	char *path = file_path("%s/%s", dir, name);
	int fd;

	if (!path)
		return err_nomem(err);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		fd = err_set(err, -errno, "cannot create '%s': %m", path);
	free(path);
	return fd;
}

/*
 * As posix_spawn() does it, which can't set the CPUs: the cost doesn't grow
 * with our own memory, and the runner's page tables are never copied.
 */
static pid_t spawn(const struct proc_watch *watch, struct launch *launch, struct err *err)
{
	pid_t pid = clone(become_child, watch->stack + STACK,
			  CLONE_VM | CLONE_VFORK | SIGCHLD, launch);

	if (pid < 0) {
		pid = err_set(err, -errno, "cannot start '%s': %m", launch->spec->path);
	} else if (launch->error) {
		(void)waitpid(pid, NULL, 0);
		errno = launch->error;
		pid = err_set(err, -launch->error, "cannot %s '%s': %m", launch->failed,
			      launch->spec->path);
	}
	return pid;
}

static pid_t launch_child(const struct proc_watch *watch, const struct proc_spec *spec,
			  struct err *err)
{
	struct launch launch = { .spec = spec, .in = -1, .out = -1, .err = -1 };
	pid_t pid;

	if (build_mask(spec->cpus, &launch))
		return err_nomem(err);
	launch.in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (launch.in < 0)
		launch.in = err_set(err, -errno, "cannot open '/dev/null': %m");
	else
		launch.out = create_output(spec->dir, "stdout", err);
	if (launch.out >= 0)
		launch.err = create_output(spec->dir, "stderr", err);
	if (launch.err >= 0)
		pid = spawn(watch, &launch, err);
	else
		pid = launch.in < 0    ? launch.in
		      : launch.out < 0 ? launch.out
				       : launch.err;
	if (launch.in >= 0)
		(void)close(launch.in);
	if (pid >= 0 && spec->ret_out)
		*spec->ret_out = launch.out;
	else if (launch.out >= 0)
		(void)close(launch.out);
	if (launch.err >= 0)
		(void)close(launch.err);
	CPU_FREE(launch.mask);
	return pid;
}

/* struct tree - the child being run and what is known of it */
struct tree {
	pid_t pid;
	bool is_reaped, is_gone;
	int wait_status;
	uint64_t end_ns;
	struct rusage usage;
};

/* Collects the dead; false once there is nobody left to wait for. */
static bool reap(struct tree *tree)
{
	struct rusage usage;
	int status;
	pid_t pid;

	if (tree->is_gone)
		return false;
	while ((pid = wait4(-1, &status, WNOHANG, &usage)) > 0) {
		if (pid != tree->pid)
			continue;
		tree->end_ns = clock_ns();
		tree->is_reaped = true;
		tree->wait_status = status;
		tree->usage = usage;
	}
	tree->is_gone = pid < 0;
	return !tree->is_gone;
}

bool proc_wait(struct proc_watch *watch, uint64_t until_ns)
{
	struct pollfd ready = { .fd = watch->fd, .events = POLLIN };
	struct timespec left;

	if (!clock_left(until_ns, &left))
		return false;
	(void)ppoll(&ready, 1, &left, NULL);
	(void)proc_pending(watch);
	return true;
}

/* The parent of @pid as /proc tells it, 0 when it is gone or can't be read. */
static pid_t parent_of(const char *pid)
{
	char *path = file_path("/proc/%s/stat", pid);
	char *text = NULL;
	pid_t parent = 0;
	const char *at;

	if (path && !file_read(path, 1 << 16, &text, NULL, NULL)) {
		/* The name in parentheses may hold anything, newlines too. */
		at = strrchr(text, ')');
		if (at && strlen(at) > 4)
			parent = (pid_t)strtol(at + 4, NULL, 10);
	}
	free(text);
	free(path);
	return parent;
}

/* The next child of ours in /proc, 0 after the last. */
static pid_t next_child(DIR *proc)
{
	struct dirent *entry;

	while (proc && (entry = readdir(proc)))
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    parent_of(entry->d_name) == getpid())
			return (pid_t)strtol(entry->d_name, NULL, 10);
	return 0;
}

int proc_list_children(struct proc_children *ret)
{
	DIR *proc = opendir("/proc");
	int bad = 0;
	pid_t pid;

	*ret = (struct proc_children){ 0 };
	while (!bad && (pid = next_child(proc))) {
		pid_t *grown = reallocarray(ret->pid, ret->nr + 1, sizeof(*grown));

		if (grown) {
			ret->pid = grown;
			ret->pid[ret->nr++] = pid;
		} else {
			bad = -ENOMEM;
		}
	}
	if (proc)
		(void)closedir(proc);
	return bad;
}

static bool is_spared(const struct proc_children *spare, pid_t pid)
{
	size_t i;

	for (i = 0; spare && i < spare->nr; i++)
		if (spare->pid[i] == pid)
			return true;
	return false;
}

/* Sends SIGKILL to every child of ours but those to spare; how many there were. */
static unsigned int kill_children(const struct proc_children *spare)
{
	unsigned int nr = 0;
	DIR *proc = opendir("/proc");
	pid_t pid;

	while ((pid = next_child(proc)))
		if (!is_spared(spare, pid))
			nr += kill(pid, SIGKILL) == 0;
	if (proc)
		(void)closedir(proc);
	return nr;
}

unsigned int proc_end_children(const struct proc_children *spare)
{
	unsigned int nr_ended = 0;
	unsigned int nr, i;

	/* Whoever is killed leaves its own children to us, so look again. */
	do {
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		nr = kill_children(spare);
		nr_ended += nr;
		for (i = 0; i < nr; i++)
			(void)waitpid(-1, NULL, 0);
	} while (nr);
	return nr_ended;
}

/*
 * Ends the whole tree: the group is asked, then killed, then whoever left the
 * group and was given to us as an orphan, until nobody is left. How many were
 * there when the killing began.
 */
static unsigned int end_tree(struct proc_watch *watch, struct tree *tree, int ask)
{
	uint64_t start_ns = clock_ns();
	unsigned int nr_left = 0;

	if (ask)
		(void)kill(-tree->pid, ask);
	while (reap(tree))
		if (!proc_wait(watch, start_ns + GRACE_NS))
			break;
	while (reap(tree) && clock_ns() < start_ns + DEATH_NS) {
		unsigned int nr;

		(void)kill(-tree->pid, SIGKILL);
		nr = kill_children(NULL);
		nr_left = nr_left ? nr_left : nr;
		(void)proc_wait(watch, clock_ns() + GRACE_NS);
	}
	return nr_left;
}

/* Sleeps until something happens; false when the time is up. */
static bool wait_in_time(struct proc_watch *watch, const struct proc_spec *spec,
			 uint64_t *until_ns)
{
	uint64_t more_ns;

	if (proc_wait(watch, *until_ns))
		return true;
	more_ns = spec->more_ns ? spec->more_ns(spec->data) : 0;
	*until_ns = clock_ns() + more_ns;
	return more_ns > 0;
}

int proc_run(struct proc_watch *watch, const struct proc_spec *spec,
	     struct proc_result *ret, struct err *err)
{
	struct proc_result result = { .end = PROC_EXITED };
	uint64_t start_ns = clock_ns();
	uint64_t until_ns = start_ns + spec->timeout_ns;
	struct tree tree = { 0 };
	bool in_time = true;

	tree.pid = launch_child(watch, spec, err);
	if (tree.pid < 0)
		return tree.pid;

	(void)reap(&tree);
	while (!tree.is_reaped && in_time && !watch->signal) {
		in_time = wait_in_time(watch, spec, &until_ns);
		(void)reap(&tree);
	}
	if (tree.is_reaped) {
		result.nr_left = end_tree(watch, &tree, 0);
	} else {
		result.end = watch->signal ? PROC_SIGNALED : PROC_TIMEOUT;
		(void)end_tree(watch, &tree, SIGTERM);
	}
	if (reap(&tree) || !tree.is_reaped)
		return err_set(err, -EBUSY, "processes of '%s' can't be killed",
			       spec->path);
	result.wait_status = tree.wait_status;
	result.usage = tree.usage;
	result.wall_ns = tree.end_ns - start_ns;
	*ret = result;
	return 0;
}
