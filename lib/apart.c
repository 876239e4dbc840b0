// SPDX-License-Identifier: GPL-2.0-or-later
/* A function in a process of its own; see apart.h. */
#include "lib/apart.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/file.h"

/* Readable once a signal is pending that should stop us and that we block. */
static int watch_blocked(void)
{
	static const int stopping[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	sigset_t blocked, watched;
	size_t i;

	(void)sigemptyset(&watched);
	(void)sigprocmask(SIG_BLOCK, NULL, &blocked);
	for (i = 0; i < sizeof(stopping) / sizeof(stopping[0]); i++)
		if (sigismember(&blocked, stopping[i]) == 1)
			(void)sigaddset(&watched, stopping[i]);
	return signalfd(-1, &watched, SFD_CLOEXEC);
}

static pid_t start(apart_fn *fn, const void *arg, void *ret, size_t size, int out)
{
	const struct rlimit no_core = { 0, 0 };
	pid_t parent = getpid();
	pid_t pid = fork();

	if (pid)
		return pid;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	(void)setrlimit(RLIMIT_CORE, &no_core);
	if (getppid() != parent)
		_exit(1);
	fn(arg, ret);
	_exit(file_write_all(out, ret, size) ? 1 : 0);
}

/* Until there is something to read, or its end; 0 or a negative errno. */
static int wait_for(int in, int signals, uint64_t timeout_ns)
{
	struct pollfd wait[] = {
		{ .fd = in, .events = POLLIN },
		{ .fd = signals, .events = POLLIN },
	};
	uint64_t until_ns = clock_ns() + timeout_ns;

	struct timespec left;

	while (clock_left(until_ns, &left)) {
		if (ppoll(wait, sizeof(wait) / sizeof(wait[0]), &left, NULL) < 0)
			continue;
		if (wait[1].revents)
			return -EINTR;
		if (wait[0].revents)
			return 0;
	}
	return -ETIME;
}

static void end(pid_t pid)
{
	(void)kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

int apart_call(apart_fn *fn, const void *arg, void *ret, size_t size, uint64_t timeout_ns)
{
	int ends[2];
	int signals, bad;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	signals = watch_blocked();
	/* Who could not be told to stop isn't to be waited for. */
	pid = signals < 0 ? -1 : start(fn, arg, ret, size, ends[1]);
	bad = pid < 0 ? -errno : 0;
	(void)close(ends[1]);
	if (!bad) {
		bad = wait_for(ends[0], signals, timeout_ns);
		if (!bad && read(ends[0], ret, size) != (ssize_t)size)
			bad = -EIO;
		end(pid);
	}
	if (signals >= 0)
		(void)close(signals);
	(void)close(ends[0]);
	return bad;
}
