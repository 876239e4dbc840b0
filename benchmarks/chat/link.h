/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One end of one of chat's connections: a receiving thread that acts on each
 * packet, a sending thread, and the queue between whoever has something to say
 * and the sender. A failure ends the process, with the reason left to main().
 */
#ifndef BENCHMARKS_CHAT_LINK_H
#define BENCHMARKS_CHAT_LINK_H

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "benchmarks/chat/wire.h"
#include "benchmarks/program.h"

enum { LINK_REASON = 256 /* bytes of a sentence */ };

/**
 * struct link_fault - where the first thread of a process that fails says why
 * @is_taken: one does already
 * @reason: its sentence, which main() reads when the process has ended
 */
struct link_fault {
	atomic_flag is_taken;
	char *reason;
};

/**
 * struct link - one end of a connection
 * @fault: of the process
 * @fd: connected
 * @mutex: guards @packets, @nr, @size and @is_closed
 * @filled: there are packets, or never will be again
 * @packets: queued, @nr of them in room for @size
 * @is_closed: the sender ends when all is sent
 * @nr_batch_yields: the sender's
 * @nr_yields: the receiver's, and in the end all
 */
struct link {
	struct link_fault *fault;
	int fd;
	pthread_mutex_t mutex;
	pthread_cond_t filled;
	struct wire_packet *packets;
	size_t nr, size;
	bool is_closed;
	pthread_t sender, receiver;
	uint64_t nr_batch_yields, nr_yields;
};

/** link_take - act on a packet; false: the connection has done its work */
typedef bool (*link_take)(void *owner, const unsigned char *bytes,
			  const struct wire_head *head);

/** link_fail - end the process with @code; only the first sentence counts */
static inline _Noreturn void __attribute__((format(printf, 3, 4)))
link_fail(struct link_fault *fault, int code, const char *fmt, ...)
{
	va_list ap;

	while (atomic_flag_test_and_set(&fault->is_taken))
		pause();
	va_start(ap, fmt);
	vsnprintf(fault->reason, LINK_REASON, fmt, ap);
	va_end(ap);
	_exit(code);
}

/** link_init - an end without threads; @fd becomes its own */
static inline void link_init(struct link *link, struct link_fault *fault, int fd)
{
	const int on = 1;

	link->fault = fault;
	link->fd = fd;
	pthread_mutex_init(&link->mutex, NULL);
	pthread_cond_init(&link->filled, NULL);
	if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)))
		link_fail(fault, 1, "cannot set TCP_NODELAY: %m");
}

/** link_queue - have a packet sent; doesn't wait for it */
static inline void link_queue(struct link *link, const struct wire_packet *packet)
{
	pthread_mutex_lock(&link->mutex);
	if (link->nr == link->size) {
		size_t size = link->size ? 2 * link->size : 4;
		void *packets = reallocarray(link->packets, size, sizeof(*packet));

		if (!packets)
			link_fail(link->fault, 1, "out of memory");
		link->packets = packets;
		link->size = size;
	}
	link->packets[link->nr++] = *packet;
	pthread_cond_signal(&link->filled);
	pthread_mutex_unlock(&link->mutex);
}

static inline _Noreturn void link_broke(const struct link *link, const char *what)
{
	if (errno == EPIPE || errno == ECONNRESET)
		link_fail(link->fault, PROGRAM_ENDED_EARLY, "a connection ended early");
	link_fail(link->fault, 1, "%s failed: %m", what);
}

static inline void link_send(const struct link *link, const struct wire_packet *packet)
{
	size_t done = 0;

	while (done < packet->len) {
		ssize_t n = send(link->fd, packet->bytes + done, packet->len - done,
				 MSG_NOSIGNAL);

		if (n < 0)
			link_broke(link, "send");
		done += (size_t)n;
	}
}

/* Takes the whole queue, and leaves @batch, which is empty, in its place. */
static inline size_t link_take_queue(struct link *link, struct wire_packet **batch,
				     size_t *size)
{
	struct wire_packet *packets;
	size_t nr, room;

	pthread_mutex_lock(&link->mutex);
	while (!link->nr && !link->is_closed)
		pthread_cond_wait(&link->filled, &link->mutex);
	nr = link->nr;
	packets = link->packets;
	room = link->size;
	link->packets = *batch;
	link->size = *size;
	link->nr = 0;
	pthread_mutex_unlock(&link->mutex);
	*batch = packets;
	*size = room;
	return nr;
}

/** link_send_all - life of the sending thread of the link @data */
static inline void *link_send_all(void *data)
{
	struct link *link = data;
	struct wire_packet *batch = NULL;
	size_t size = 0;
	size_t nr;

	while ((nr = link_take_queue(link, &batch, &size))) {
		size_t i;

		for (i = 0; i < nr; i++)
			link_send(link, &batch[i]);
		sched_yield();
		link->nr_batch_yields++;
	}
	free(batch);
	return NULL;
}

/* Bytes that are left of an unfinished packet, or -1: the work is done. */
static inline ssize_t link_act(struct link *link, unsigned char *data, size_t len,
			       link_take take, void *owner)
{
	struct wire_head head;
	size_t at = 0;
	int got;

	while ((got = wire_read(data + at, len - at, &head)) > 0) {
		bool goes_on = take(owner, data + at, &head);

		at += head.len;
		sched_yield();
		link->nr_yields++;
		if (!goes_on)
			return -1;
	}
	if (got < 0)
		link_fail(link->fault, 1, "what was received is no packet");
	memmove(data, data + at, len - at);
	return (ssize_t)(len - at);
}

/** link_receive_all - receive until @take has enough; true, or false at an end of file */
static inline bool link_receive_all(struct link *link, link_take take, void *owner)
{
	unsigned char data[1024];
	size_t len = 0;

	for (;;) {
		ssize_t n = recv(link->fd, data + len, sizeof(data) - len, 0);

		if (n < 0)
			link_broke(link, "recv");
		if (!n && len)
			link_fail(link->fault, PROGRAM_ENDED_EARLY,
				  "a connection ended inside a packet");
		if (!n)
			return false;
		n = link_act(link, data, len + (size_t)n, take, owner);
		if (n < 0)
			return true;
		len = (size_t)n;
	}
}

/** link_close - send what is queued, and close: by the receiving thread */
static inline void link_close(struct link *link)
{
	pthread_mutex_lock(&link->mutex);
	link->is_closed = true;
	pthread_cond_signal(&link->filled);
	pthread_mutex_unlock(&link->mutex);
	pthread_join(link->sender, NULL);
	close(link->fd);
	link->nr_yields += link->nr_batch_yields;
}

/** link_release - free a link whose threads have ended */
static inline void link_release(struct link *link)
{
	free(link->packets);
	pthread_cond_destroy(&link->filled);
	pthread_mutex_destroy(&link->mutex);
}

#endif
