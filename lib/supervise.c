// SPDX-License-Identifier: GPL-2.0-or-later
/* Parent and worker; see supervise.h. */
#include "lib/supervise.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/proc.h"

/*
 * All that would end us before the worker is taken care of; but what stops and
 * continues a job, and what a fault of our own raises.
 */
static void passed_signals(sigset_t *set)
{
	static const int left_alone[] = {
		SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT, SIGSEGV,
		SIGBUS,	 SIGFPE,  SIGILL,  SIGABRT,
	};
	size_t i;

	(void)sigfillset(set);
	for (i = 0; i < sizeof(left_alone) / sizeof(left_alone[0]); i++)
		(void)sigdelset(set, left_alone[i]);
}

static _Noreturn void be_worker(int (*work)(void *data), void *data, pid_t supervisor,
				const sigset_t *before)
{
	int code;

	/* Also where it was ignored: it is how we learn that nobody watches us. */
	(void)signal(SIGTERM, SIG_DFL);
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
	struct proc_children before_us;
	pid_t self = getpid();
	sigset_t set, before;
	pid_t worker;
	int bad = 0;

	/* Children that a script started before it became us are its own affair. */
	if (proc_list_children(&before_us)) {
		free(before_us.pid);
		return err_nomem(err);
	}
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
		ret->nr_ended = proc_end_children(&before_us);
	}
	(void)prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	free(before_us.pid);
	return bad;
}
