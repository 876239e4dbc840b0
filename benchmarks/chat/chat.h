/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the processes of chat have in common: what was asked for, and the threads. */
#ifndef BENCHMARKS_CHAT_CHAT_H
#define BENCHMARKS_CHAT_CHAT_H

#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "benchmarks/chat/link.h"

/** enum chat_side - the two processes */
enum chat_side { CHAT_SERVER, CHAT_CLIENT, CHAT_NR_SIDES };

/** struct chat_shared - what the two processes leave for the one that prints */
struct chat_shared {
	uint64_t start_ns, end_ns;
	uint64_t nr_sent, nr_received, nr_relayed;
	uint64_t nr_yields[CHAT_NR_SIDES];
	char reason[CHAT_NR_SIDES][LINK_REASON];
};

/**
 * struct chat - a run
 * @rooms: how many
 * @users: in each room
 * @messages: that each user sends
 * @patience_sec: without a message for that long, one is lost
 * @lose: number of the message that is lost on purpose; 0: none
 * @nr_all: users of all rooms
 * @shared: memory of all processes
 * @fault: of this process
 * @attr: of its threads
 * @address: of the server
 * @listener: socket at that address
 */
struct chat {
	uint64_t rooms, users, messages, patience_sec, lose;
	size_t nr_all;
	struct chat_shared *shared;
	struct link_fault fault;
	pthread_attr_t attr;
	struct sockaddr_in address;
	int listener;
};

/** chat_start_thread - start one of many threads, or end the process */
static inline void chat_start_thread(struct chat *chat, pthread_t *thread,
				     void *(*life)(void *), void *data)
{
	int code = pthread_create(thread, &chat->attr, life, data);

	if (code)
		link_fail(&chat->fault, 1, "cannot start one of %zu threads: %s",
			  2 * chat->nr_all, strerror(code));
}

/**
 * chat_start_link - start both threads of a connection
 *
 * The sender first: the receiver, when it ends, waits for it.
 */
static inline void chat_start_link(struct chat *chat, struct link *link,
				   void *(*life)(void *), void *owner)
{
	chat_start_thread(chat, &link->sender, link_send_all, link);
	chat_start_thread(chat, &link->receiver, life, owner);
}

#endif
