// SPDX-License-Identifier: GPL-2.0-or-later
/* Parent and worker; see supervise.h. */
#include "lib/supervise.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/proc.h"

static void passed_signals(sigset_t *set)
{
	(void)sigemptyset(set);
	(void)sigaddset(set, SIGINT);
	(void)sigaddset(set, SIGTERM);
	(void)sigaddset(set, SIGHUP);
	(void)sigaddset(set, SIGCHLD);
}

static _Noreturn void be_worker(int (*work)(void *data), void *data, pid_t supervisor,
				const sigset_t *before)
{
	int code;

	(void)prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
	(void)sigprocmask(SIG_SETMASK, before, NULL);
	/* It may have died before we asked to be told. */
	if (getppid() != supervisor)
		_exit(128 + SIGTERM);
	code = work(data);
	(void)fflush(NULL);
	_exit(code);
}

/* Waits for the worker, passing signals on to it; orphans are reaped on the way. */
static int watch_worker(pid_t worker, const sigset_t *set)
{
	siginfo_t info;
	int status;
	pid_t pid;

	for (;;) {
		while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
			if (pid == worker)
				return status;
		if (sigwaitinfo(set, &info) > 0 && info.si_signo != SIGCHLD)
			(void)kill(worker, info.si_signo);
	}
}

int supervise(int (*work)(void *data), void *data, struct supervise_result *ret,
	      struct err *err)
{
	pid_t self = getpid();
	sigset_t set, before;
	pid_t worker;
	int bad = 0;

	passed_signals(&set);
	(void)sigprocmask(SIG_BLOCK, &set, &before);
	/* Before the worker is there, so that no orphan of it can slip away. */
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	(void)fflush(NULL);
	worker = fork();
	if (!worker)
		be_worker(work, data, self, &before);
	if (worker < 0) {
		bad = err_set(err, -errno, "cannot start a worker process: %m");
	} else {
		ret->status = watch_worker(worker, &set);
		ret->nr_ended = proc_end_children();
	}
	(void)prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	return bad;
}
