/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that send messages through a channel and read them back in the same
 * process: the kernel's path of a message without the wakeup of anybody.
 */
#ifndef BENCHMARKS_REAIM_MESSAGE_H
#define BENCHMARKS_REAIM_MESSAGE_H

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>

#include "benchmarks/reaim/amounts.h"
#include "benchmarks/reaim/work.h"

#define MESSAGE_FIFO "fifo"

/* Reads all of a message. */
static inline int message_take(struct work *work, int fd, size_t size)
{
	size_t len = 0;

	while (len < size) {
		ssize_t got = read(fd, work->message + len, size - len);

		if (got <= 0) {
			errno = got ? errno : EPIPE;
			return work_fail(work, "a message is lost");
		}
		len += (size_t)got;
	}
	return 0;
}

static inline int message_pass(struct work *work, int to, int from, int nr)
{
	int i;

	for (i = 0; i < nr; i++) {
		size_t size = amount_message(&work->nr_messages);

		if (write(to, work->message, size) != (ssize_t)size)
			return work_fail(work, "cannot send a message");
		if (message_take(work, from, size))
			return -1;
	}
	return 0;
}

/* Passes @nr messages and closes both ends, -1 where there is none: then it failed. */
static inline int message_end(struct work *work, const int ends[2], int nr,
			      const char *what)
{
	int bad = ends[0] < 0 || ends[1] < 0 ? work_fail(work, what)
					     : message_pass(work, ends[1], ends[0], nr);
	int i;

	for (i = 0; i < 2; i++)
		if (ends[i] >= 0)
			close(ends[i]);
	return bad;
}

static inline int job_pipe_cpy(struct work *work)
{
	int ends[2] = { -1, -1 };

	(void)!pipe2(ends, O_CLOEXEC);
	return message_end(work, ends, AMOUNT_MESSAGES, "no pipe");
}

static inline int message_socketpair(struct work *work, int type)
{
	int ends[2] = { -1, -1 };

	(void)socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends);
	return message_end(work, ends, AMOUNT_MESSAGES, "no socket pair");
}

static inline int job_stream_pipe(struct work *work)
{
	return message_socketpair(work, SOCK_STREAM);
}

static inline int job_dgram_pipe(struct work *work)
{
	return message_socketpair(work, SOCK_DGRAM);
}

static inline int job_fifo_test(struct work *work)
{
	int ends[2] = { -1, -1 };

	if (mkfifo(MESSAGE_FIFO, 0600))
		return work_fail(work, "no fifo");
	/* Without waiting for the other end, which is ours to open. */
	ends[0] = open(MESSAGE_FIFO, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (ends[0] >= 0)
		ends[1] = open(MESSAGE_FIFO, O_WRONLY | O_CLOEXEC);
	if (message_end(work, ends, AMOUNT_MESSAGES, "no fifo"))
		return -1;
	return unlink(MESSAGE_FIFO) ? work_fail(work, "no fifo") : 0;
}

/* A socket at a free port of the loopback device; -1: there is none. */
static inline int message_socket(int type, struct sockaddr_in *address)
{
	socklen_t len = sizeof(*address);
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);

	*address = (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	if (fd >= 0 && !bind(fd, (struct sockaddr *)address, len) &&
	    !getsockname(fd, (struct sockaddr *)address, &len))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Nothing on the loopback device takes so long, unless it is lost. */
static inline void message_limit(int fd)
{
	const struct timeval patience = { .tv_sec = 10 };

	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
}

static inline int job_udp_test(struct work *work)
{
	struct sockaddr_in address;
	int ends[2] = { message_socket(SOCK_DGRAM, &address), -1 };

	if (ends[0] >= 0) {
		message_limit(ends[0]);
		ends[1] = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	}
	if (ends[1] >= 0 &&
	    connect(ends[1], (struct sockaddr *)&address, sizeof(address))) {
		close(ends[1]);
		ends[1] = -1;
	}
	return message_end(work, ends, AMOUNT_MESSAGES, "no UDP socket");
}

static inline int job_tcp_test(struct work *work)
{
	/* Reset at the end, so that no port has to wait until it can be used again. */
	const struct linger reset = { .l_onoff = 1 };
	const int at_once = 1;
	struct sockaddr_in address;
	int listener = message_socket(SOCK_STREAM, &address);
	int ends[2] = { -1, -1 };

	if (listener < 0 || listen(listener, 1) ||
	    setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof(at_once)))
		return work_fail(work, "no TCP socket");
	ends[0] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (ends[0] >= 0 &&
	    !connect(ends[0], (struct sockaddr *)&address, sizeof(address)))
		ends[1] = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	close(listener);
	if (ends[1] >= 0) {
		message_limit(ends[0]);
		(void)setsockopt(ends[0], SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
		(void)setsockopt(ends[1], SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
	}
	return message_end(work, ends, AMOUNT_TCP_MESSAGES, "no TCP connection");
}

static inline int message_lock(struct work *work, int lock)
{
	uint64_t one;

	return read(lock, &one, sizeof(one)) == sizeof(one)
		       ? 0
		       : work_fail(work, "cannot take a semaphore");
}

static inline int message_unlock(struct work *work, int lock)
{
	const uint64_t one = 1;

	return write(lock, &one, sizeof(one)) == sizeof(one)
		       ? 0
		       : work_fail(work, "cannot give a semaphore");
}

/*
 * Locks and unlocks are calls of the kernel, as with System V's semaphores; but
 * lock and memory have no name and so can't outlive the process.
 */
static inline int job_shared_memory(struct work *work)
{
	int lock = eventfd(1, EFD_CLOEXEC | EFD_SEMAPHORE);
	char *shared = mmap(NULL, AMOUNT_SHARED_BYTES, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int bad = 0;
	int i;

	if (lock < 0 || shared == MAP_FAILED)
		bad = work_fail(work, "no shared memory");
	for (i = 0; !bad && i < AMOUNT_SHARED; i++) {
		size_t size = amount_message(&work->nr_messages);

		bad = message_lock(work, lock);
		if (!bad)
			memcpy(shared, work->message, size);
		bad = bad || message_unlock(work, lock) || message_lock(work, lock);
		if (!bad)
			memcpy(work->message, shared, size);
		bad = bad || message_unlock(work, lock);
	}
	if (lock >= 0)
		close(lock);
	if (shared != MAP_FAILED)
		(void)munmap(shared, AMOUNT_SHARED_BYTES);
	return bad ? -1 : 0;
}

#endif
