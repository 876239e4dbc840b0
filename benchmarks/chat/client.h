/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chat's client process: the users, who sign on one after the other, then talk
 * in the order of their ring, and leave in that order. It reads the clock.
 */
#ifndef BENCHMARKS_CHAT_CLIENT_H
#define BENCHMARKS_CHAT_CLIENT_H

#include "benchmarks/chat/chat.h"
#include "benchmarks/program.h"

/** struct client - the state of the client process */
struct client {
	struct chat *chat;
	struct user *users;
	pthread_mutex_t mutex; /* guards the two counts */
	pthread_cond_t changed;
	size_t nr_ready, nr_closed;
};

/** struct user - one who talks: the client's end of a connection */
struct user {
	struct link link;
	struct client *client;
	uint32_t room, index;
	atomic_uint_fast64_t sent, received; /* the watchdog reads them */
	uint64_t nr_exits;		     /* users who have left before */
};

static inline void request(struct user *user, enum wire_about about)
{
	struct wire_packet packet;

	wire_make(&packet, about, WIRE_REQUEST, user->room, (int)user->index);
	link_queue(&user->link, &packet);
}

static inline void leave_room(struct user *user)
{
	request(user, WIRE_EXIT);
	request(user, WIRE_LIST);
}

/* The next to speak is who is next in the ring; the first also ends the talk. */
static inline void take_turn(struct user *user)
{
	const struct chat *chat = user->client->chat;
	uint64_t sent = atomic_load_explicit(&user->sent, memory_order_relaxed);
	uint64_t said =
		sent + atomic_load_explicit(&user->received, memory_order_relaxed);

	if (said % chat->users != user->index)
		return;
	if (sent == chat->messages) {
		leave_room(user);
		return;
	}
	atomic_store_explicit(&user->sent, sent + 1, memory_order_relaxed);
	request(user, WIRE_CHAT);
}

static inline void hear(struct user *user)
{
	struct chat *chat = user->client->chat;
	uint64_t nr = atomic_load_explicit(&user->received, memory_order_relaxed) + 1;

	if (nr > chat->messages * (chat->users - 1))
		link_fail(&chat->fault, 1, "a user received more than %ju messages",
			  (uintmax_t)(chat->messages * (chat->users - 1)));
	atomic_store_explicit(&user->received, nr, memory_order_relaxed);
	take_turn(user);
}

static inline void count(struct client *client, size_t *counter)
{
	pthread_mutex_lock(&client->mutex);
	++*counter;
	if (client->nr_closed == client->chat->nr_all)
		client->chat->shared->end_ns = program_now_ns();
	/* While they close, nobody is woken but by the last. */
	if (!client->nr_closed || client->nr_closed == client->chat->nr_all)
		pthread_cond_signal(&client->changed);
	pthread_mutex_unlock(&client->mutex);
}

static inline bool follow(void *owner, const unsigned char *bytes,
			  const struct wire_head *head)
{
	struct user *user = owner;
	bool is_confirmed = head->type == WIRE_CONFIRM;

	(void)bytes;
	if (head->type == WIRE_REQUEST || head->room != user->room)
		link_fail(&user->client->chat->fault, 1,
			  "the client got a packet out of place");
	if (is_confirmed && head->about == WIRE_ACCESS)
		request(user, WIRE_ENTER);
	else if (is_confirmed && head->about == WIRE_ENTER)
		count(user->client, &user->client->nr_ready);
	else if (!is_confirmed && head->about == WIRE_CHAT)
		hear(user);
	else if (!is_confirmed && head->about == WIRE_EXIT &&
		 ++user->nr_exits == user->index)
		leave_room(user);
	return !is_confirmed || head->about != WIRE_LIST;
}

static inline void *live_as_user(void *data)
{
	struct user *user = data;

	if (!link_receive_all(&user->link, follow, user))
		link_fail(&user->client->chat->fault, PROGRAM_ENDED_EARLY,
			  "a connection ended early");
	link_close(&user->link);
	count(user->client, &user->client->nr_closed);
	return NULL;
}

static inline uint64_t count_sent(const struct client *client)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < client->chat->nr_all; i++)
		sum += atomic_load_explicit(&client->users[i].sent, memory_order_relaxed);
	return sum;
}

static inline uint64_t count_received(const struct client *client)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < client->chat->nr_all; i++)
		sum += atomic_load_explicit(&client->users[i].received,
					    memory_order_relaxed);
	return sum;
}

static inline _Noreturn void report_stall(const struct client *client)
{
	struct chat *chat = client->chat;
	uint64_t sent = chat->nr_all * chat->messages;

	if (client->nr_ready < chat->nr_all)
		link_fail(&chat->fault, 1,
			  "%zu of %zu users signed on, then none for %ju s",
			  client->nr_ready, chat->nr_all, (uintmax_t)chat->patience_sec);
	link_fail(&chat->fault, 1,
		  "no message for %ju s: received %ju of %ju, sent %ju of %ju",
		  (uintmax_t)chat->patience_sec, (uintmax_t)count_received(client),
		  (uintmax_t)(sent * (chat->users - 1)), (uintmax_t)count_sent(client),
		  (uintmax_t)sent);
}

/* Waits until a count gets there, as long as messages come or it gets nearer. */
static inline void await(struct client *client, const size_t *counter, size_t target)
{
	uint64_t before, after;

	pthread_mutex_lock(&client->mutex);
	after = count_received(client) + *counter;
	while (*counter < target) {
		struct timespec until;
		int code;

		before = after;
		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_sec += (time_t)client->chat->patience_sec;
		code = pthread_cond_timedwait(&client->changed, &client->mutex, &until);
		after = count_received(client) + *counter;
		if (code == ETIMEDOUT && *counter < target && after == before)
			report_stall(client);
	}
	pthread_mutex_unlock(&client->mutex);
}

static inline void sign_on(struct client *client, size_t i)
{
	struct chat *chat = client->chat;
	struct user *user = &client->users[i];
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0 ||
	    connect(fd, (struct sockaddr *)&chat->address, sizeof(chat->address)))
		link_fail(&chat->fault, errno == ECONNREFUSED ? PROGRAM_ENDED_EARLY : 1,
			  "cannot connect user %zu of %zu: %m", i + 1, chat->nr_all);
	user->client = client;
	user->room = (uint32_t)(i / chat->users);
	user->index = (uint32_t)(i % chat->users);
	link_init(&user->link, &chat->fault, fd);
	chat_start_link(chat, &user->link, live_as_user, user);
	request(user, WIRE_ACCESS);
	await(client, &client->nr_ready, i + 1);
}

/** run_client - be all the users, from the first one's arrival to the last one's end */
static inline void run_client(struct chat *chat)
{
	struct client client = { .chat = chat };
	pthread_condattr_t attr;
	size_t i;

	close(chat->listener);
	pthread_mutex_init(&client.mutex, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&client.changed, &attr);
	pthread_condattr_destroy(&attr);
	client.users = calloc(chat->nr_all, sizeof(*client.users));
	if (!client.users)
		link_fail(&chat->fault, 1, "out of memory");
	for (i = 0; i < chat->nr_all; i++)
		sign_on(&client, i);

	chat->shared->start_ns = program_now_ns();
	for (i = 0; i < chat->nr_all; i += chat->users)
		take_turn(&client.users[i]);
	await(&client, &client.nr_closed, chat->nr_all);

	for (i = 0; i < chat->nr_all; i++) {
		pthread_join(client.users[i].link.receiver, NULL);
		chat->shared->nr_yields[CHAT_CLIENT] += client.users[i].link.nr_yields;
		link_release(&client.users[i].link);
	}
	chat->shared->nr_sent = count_sent(&client);
	chat->shared->nr_received = count_received(&client);
	pthread_cond_destroy(&client.changed);
	pthread_mutex_destroy(&client.mutex);
	free(client.users);
}

#endif
