/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chat's server process: passes what a user says to all others in the room,
 * and then confirms it to the user.
 */
#ifndef BENCHMARKS_CHAT_SERVER_H
#define BENCHMARKS_CHAT_SERVER_H

#include "benchmarks/chat/chat.h"

/** struct room - who is in it, in the order they came */
struct room {
	pthread_mutex_t mutex;
	struct conn **members;
	size_t nr;
};

/** struct server - the state of the server process */
struct server {
	struct chat *chat;
	struct room *rooms;
	struct conn *conns;
	atomic_uint_fast64_t nr_chats;
};

/** struct conn - the server's end of a user's connection */
struct conn {
	struct link link;
	struct server *server;
	struct room *room;
	uint64_t nr_relayed;
	bool may_close;
};

static inline void confirm(struct conn *conn, const struct wire_head *head)
{
	struct wire_packet packet;

	wire_make(&packet, head->about, WIRE_CONFIRM, head->room, -1);
	link_queue(&conn->link, &packet);
}

/* How many were told. With the room's mutex, which keeps the words of a room in one order for all. */
static inline uint64_t tell_others(const struct conn *conn,
				   const struct wire_packet *packet, bool loses)
{
	const struct room *room = conn->room;
	uint64_t nr_told = 0;
	size_t i;

	for (i = 0; i < room->nr; i++) {
		if (room->members[i] == conn)
			continue;
		if (loses) {
			loses = false;
			continue;
		}
		link_queue(&room->members[i]->link, packet);
		nr_told++;
	}
	return nr_told;
}

static inline void enter(struct conn *conn, const struct wire_packet *packet,
			 uint32_t number)
{
	struct chat *chat = conn->server->chat;
	struct room *room = &conn->server->rooms[number];

	pthread_mutex_lock(&room->mutex);
	if (conn->room || room->nr == chat->users)
		link_fail(&chat->fault, 1, "a user entered who is not expected");
	conn->room = room;
	(void)tell_others(conn, packet, false);
	room->members[room->nr++] = conn;
	pthread_mutex_unlock(&room->mutex);
}

static inline void relay(struct conn *conn, const struct wire_packet *packet)
{
	struct server *server = conn->server;
	bool loses = server->chat->lose &&
		     atomic_fetch_add(&server->nr_chats, 1) + 1 == server->chat->lose;

	pthread_mutex_lock(&conn->room->mutex);
	conn->nr_relayed += tell_others(conn, packet, loses);
	pthread_mutex_unlock(&conn->room->mutex);
}

static inline void leave(struct conn *conn, const struct wire_packet *packet)
{
	struct room *room = conn->room;
	size_t i, kept = 0;

	pthread_mutex_lock(&room->mutex);
	(void)tell_others(conn, packet, false);
	for (i = 0; i < room->nr; i++) {
		if (room->members[i] != conn)
			room->members[kept++] = room->members[i];
	}
	room->nr = kept;
	pthread_mutex_unlock(&room->mutex);
	conn->room = NULL;
}

static inline bool serve(void *owner, const unsigned char *bytes,
			 const struct wire_head *head)
{
	struct conn *conn = owner;
	struct chat *chat = conn->server->chat;
	struct wire_packet packet;

	if (head->type != WIRE_REQUEST || head->room >= chat->rooms ||
	    ((head->about == WIRE_CHAT || head->about == WIRE_EXIT) && !conn->room))
		link_fail(&chat->fault, 1, "the server got a packet out of place");
	wire_copy(&packet, bytes, head->len);
	if (head->about == WIRE_ENTER)
		enter(conn, &packet, head->room);
	else if (head->about == WIRE_CHAT)
		relay(conn, &packet);
	else if (head->about == WIRE_EXIT)
		leave(conn, &packet);
	else if (head->about == WIRE_LIST)
		conn->may_close = true;
	confirm(conn, head);
	return true;
}

static inline void *live_as_conn(void *data)
{
	struct conn *conn = data;

	link_receive_all(&conn->link, serve, conn);
	if (!conn->may_close)
		link_fail(&conn->server->chat->fault, PROGRAM_ENDED_EARLY,
			  "a connection ended early");
	link_close(&conn->link);
	return NULL;
}

static inline void make_rooms(struct server *server)
{
	struct chat *chat = server->chat;
	struct conn **members = calloc(chat->nr_all, sizeof(struct conn *));
	uint64_t i;

	server->rooms = calloc(chat->rooms, sizeof(*server->rooms));
	server->conns = calloc(chat->nr_all, sizeof(*server->conns));
	if (!server->rooms || !server->conns || !members)
		link_fail(&chat->fault, 1, "out of memory");
	for (i = 0; i < chat->rooms; i++) {
		pthread_mutex_init(&server->rooms[i].mutex, NULL);
		server->rooms[i].members = members + i * chat->users;
	}
}

/** run_server - be the server until all users have left */
static inline void run_server(struct chat *chat)
{
	struct server server = { .chat = chat };
	size_t i;

	make_rooms(&server);
	for (i = 0; i < chat->nr_all; i++) {
		struct conn *conn = &server.conns[i];
		int fd = accept(chat->listener, NULL, NULL);

		if (fd < 0)
			link_fail(&chat->fault, 1,
				  "cannot accept connection %zu of %zu: %m", i + 1,
				  chat->nr_all);
		conn->server = &server;
		link_init(&conn->link, &chat->fault, fd);
		chat_start_link(chat, &conn->link, live_as_conn, conn);
	}
	close(chat->listener);
	for (i = 0; i < chat->nr_all; i++) {
		struct conn *conn = &server.conns[i];

		pthread_join(conn->link.receiver, NULL);
		chat->shared->nr_relayed += conn->nr_relayed;
		chat->shared->nr_yields[CHAT_SERVER] += conn->link.nr_yields;
		link_release(&conn->link);
	}
	for (i = 0; i < chat->rooms; i++)
		pthread_mutex_destroy(&server.rooms[i].mutex);
	free(server.rooms[0].members);
	free(server.rooms);
	free(server.conns);
}

#endif
