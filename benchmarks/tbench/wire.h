/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tbench's packets. Each stands for an operation on a file server and is just as
 * long as it would be there: a client sends a request that begins with its own
 * length and the length that it wants the reply to have, big-endian and both
 * less four; the server sends that many bytes. What else is in them doesn't matter.
 *
 * A line of a load is one operation: its name, its arguments and how it went,
 * such as: WriteX 9938 65534 1 1 NT_STATUS_OK
 */
#ifndef BENCHMARKS_TBENCH_WIRE_H
#define BENCHMARKS_TBENCH_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	WIRE_MAX = 70000, /* bytes of a packet */
	WIRE_WORD = 4,	  /* bytes of a length */
	WIRE_HELLO = 8,	  /* bytes of the first packet, and of its reply */
	WIRE_FIELDS = 8,  /* of a line */
	WIRE_LINE = 1024, /* bytes of a line */
};

/**
 * struct wire_op - how long the packets of an operation are
 * @name: in a load
 * @nr_names: of its arguments that name files, the first ones; each adds twice
 *            its length to the request
 * @send: bytes of a request, without what arguments add; 0: it sends nothing
 * @reply: bytes of its reply, likewise
 * @arg: number of the argument, from 1, that adds to one of them; 0: none does
 * @per_send: bytes that each of the argument's units adds to the request
 * @per_reply: and to the reply
 * @has_payload: these bytes are what is read or written
 */
struct wire_op {
	const char *name;
	unsigned int nr_names;
	uint32_t send, reply;
	unsigned int arg;
	uint32_t per_send, per_reply;
	bool has_payload;
};

/** struct wire_request - a packet: its bytes, the reply's, and the payload of both */
struct wire_request {
	uint32_t send, reply, payload;
};

/** wire_find - the operation called @name, or NULL */
static inline const struct wire_op *wire_find(const char *name)
{
	/* The frequent ones first. */
	static const struct wire_op ops[] = {
		{ "ReadX", 0, 59, 59, 4, 0, 1, true },
		{ "NTCreateX", 1, 74, 87, 0, 0, 0, false },
		{ "QUERY_PATH_INFORMATION", 1, 55, 71, 0, 0, 0, false },
		{ "Close", 0, 47, 39, 0, 0, 0, false },
		{ "WriteX", 0, 59, 55, 3, 1, 0, true },
		{ "FIND_FIRST", 1, 59, 39, 4, 0, 90, false },
		{ "Unlink", 1, 43, 39, 0, 0, 0, false },
		{ "QUERY_FS_INFORMATION", 0, 59, 71, 0, 0, 0, false },
		{ "QUERY_FILE_INFORMATION", 0, 59, 71, 0, 0, 0, false },
		{ "SET_FILE_INFORMATION", 0, 71, 47, 0, 0, 0, false },
		{ "Flush", 0, 41, 39, 0, 0, 0, false },
		{ "Rename", 2, 47, 39, 0, 0, 0, false },
		{ "LockX", 0, 51, 39, 0, 0, 0, false },
		{ "UnlockX", 0, 51, 39, 0, 0, 0, false },
		{ "Mkdir", 1, 43, 39, 0, 0, 0, false },
		{ "Rmdir", 1, 43, 39, 0, 0, 0, false },
		{ "Deltree", 1, 0, 0, 0, 0, 0, false },
	};
	size_t i;

	for (i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		if (!strcmp(ops[i].name, name))
			return &ops[i];
	}
	return NULL;
}

/* Cuts a line at its blanks; one in double quotes stays whole. */
static inline size_t wire_cut(char *line, char *fields[WIRE_FIELDS])
{
	size_t nr = 0;

	for (;;) {
		const char *end = " \t\r\n";

		line += strspn(line, end);
		if (!*line || nr == WIRE_FIELDS)
			return *line ? 0 : nr;
		if (*line == '"') {
			end = "\"";
			line++;
		}
		fields[nr++] = line;
		line += strcspn(line, end);
		if (*line)
			*line++ = '\0';
	}
}

/* Bytes of the file's name as client number @client has it: its own folder. */
static inline uint32_t wire_name(const char *name, unsigned int client)
{
	static const char someone[] = "client1";
	char path[WIRE_LINE + 64] = ".";
	size_t len = 1;

	while (*name && len < WIRE_LINE) {
		if (!strncmp(name, someone, sizeof(someone) - 1)) {
			len += (size_t)snprintf(path + len, sizeof(path) - len,
						"client%u", client);
			name += sizeof(someone) - 1;
			continue;
		}
		path[len] = *name;
		if (path[len] == '\\')
			path[len] = '/';
		len++;
		name++;
	}
	return (uint32_t)len;
}

static inline int wire_number(const char *text, uint32_t *ret)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || value > WIRE_MAX)
		return -1;
	*ret = (uint32_t)value;
	return 0;
}

static inline bool wire_is_status(const char *text)
{
	return !strncmp(text, "NT_STATUS_", 10) || !strncmp(text, "0x", 2);
}

/**
 * wire_read - what a line of a load asks for
 * @line: of at most WIRE_LINE bytes; is cut into pieces
 * @client: number of the client, from 0
 * @ret: the packet; written when there is one
 *
 * Return: 1, 0 for a line without a packet, -1 for what is no line of a load.
 */
static inline int wire_read(char *line, unsigned int client, struct wire_request *ret)
{
	char *fields[WIRE_FIELDS];
	size_t nr = *line == '#' ? 0 : wire_cut(line, fields);
	/* The time at which it is due may come first; nothing waits for it here. */
	size_t first = nr && fields[0][0] >= '0' && fields[0][0] <= '9';
	const struct wire_op *op;
	uint32_t units = 0;
	unsigned int i;

	if (!nr)
		return *line && *line != '#' && *line != '\n' ? -1 : 0;
	op = first < nr ? wire_find(fields[first]) : NULL;
	if (!op || nr < first + 2 + (op->arg > op->nr_names ? op->arg : op->nr_names) ||
	    !wire_is_status(fields[nr - 1]))
		return -1;
	if (op->arg && wire_number(fields[first + op->arg], &units))
		return -1;
	ret->send = op->send + units * op->per_send;
	ret->reply = op->reply + units * op->per_reply;
	ret->payload = op->has_payload ? units : 0;
	for (i = 0; i < op->nr_names; i++)
		ret->send += 2 * wire_name(fields[first + 1 + i], client);
	if (!op->send)
		return 0;
	return ret->send > WIRE_MAX || ret->reply > WIRE_MAX ? -1 : 1;
}

/** wire_put - write @value into the four bytes at @bytes, the highest first */
static inline void wire_put(unsigned char *bytes, uint32_t value)
{
	int i;

	for (i = 0; i < WIRE_WORD; i++)
		bytes[i] = (unsigned char)(value >> 8 * (WIRE_WORD - 1 - i));
}

/** wire_get - the number that wire_put() wrote */
static inline uint32_t wire_get(const unsigned char *bytes)
{
	uint32_t value = 0;
	int i;

	for (i = 0; i < WIRE_WORD; i++)
		value = value << 8 | bytes[i];
	return value;
}

#endif
