/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chat's packets. On the wire, big-endian and without a length in front: what
 * it is about (2 bytes), its type (4), whether it is a question (1), the room's
 * number (4); then the room's name, the user's name and a text, each behind
 * its length (2).
 */
#ifndef BENCHMARKS_CHAT_WIRE_H
#define BENCHMARKS_CHAT_WIRE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
	WIRE_TEXT = 60,	  /* bytes of what a user says */
	WIRE_NAME = 12,	  /* bytes of the longest name, such as Room1000 */
	WIRE_HEADER = 11, /* bytes before the first length */
	WIRE_MAX = WIRE_HEADER + 3 * 2 + 2 * WIRE_NAME + WIRE_TEXT,
};

/** enum wire_about - what a packet is about */
enum wire_about { WIRE_ACCESS = 1, WIRE_ENTER, WIRE_CHAT, WIRE_EXIT, WIRE_LIST };

/** enum wire_type - a client requests, the server confirms and tells the others */
enum wire_type { WIRE_REQUEST = 1, WIRE_INDICATION = 2, WIRE_CONFIRM = 4 };

/** struct wire_packet - a packet as it is sent: @len of the @bytes */
struct wire_packet {
	uint16_t len;
	unsigned char bytes[WIRE_MAX];
};

/** struct wire_head - the numbers of a packet, and its length with all names */
struct wire_head {
	uint32_t about, type, room;
	size_t len;
};

/** wire_put - append @len bytes of @value, the highest first */
static inline void wire_put(struct wire_packet *packet, uint32_t value, unsigned int len)
{
	while (len--)
		packet->bytes[packet->len++] = (unsigned char)(value >> 8 * len);
}

/** wire_put_text - append @len bytes behind their length */
static inline void wire_put_text(struct wire_packet *packet, const char *text, size_t len)
{
	wire_put(packet, (uint32_t)len, 2);
	memcpy(packet->bytes + packet->len, text, len);
	packet->len = (uint16_t)(packet->len + len);
}

/** wire_put_name - append a name made of @word and a number from 1 */
static inline void wire_put_name(struct wire_packet *packet, const char *word,
				 uint32_t index)
{
	char name[WIRE_NAME + 1];
	int len = snprintf(name, sizeof(name), "%s%u", word, index + 1);

	wire_put_text(packet, name, (size_t)len < WIRE_NAME ? (size_t)len : WIRE_NAME);
}

/**
 * wire_make - a packet
 * @packet: becomes it
 * @about: what it is about; only WIRE_CHAT has a text
 * @type: who sends it
 * @room: number from 0
 * @user: number from 0; negative: none, and no text either
 */
static inline void wire_make(struct wire_packet *packet, enum wire_about about,
			     enum wire_type type, uint32_t room, int user)
{
	static const char text[WIRE_TEXT + 1] =
		"Has anybody here seen which run queue my next task went to?!";

	packet->len = 0;
	wire_put(packet, about, 2);
	wire_put(packet, type, 4);
	wire_put(packet, type == WIRE_REQUEST, 1);
	wire_put(packet, room, 4);
	wire_put_name(packet, "Room", room);
	if (user < 0)
		wire_put(packet, 0, 2);
	else
		wire_put_name(packet, "Mark", (uint32_t)user);
	wire_put_text(packet, text, about == WIRE_CHAT && user >= 0 ? WIRE_TEXT : 0);
}

/** wire_copy - the packet at @bytes for the other users of the room */
static inline void wire_copy(struct wire_packet *packet, const unsigned char *bytes,
			     size_t len)
{
	packet->len = (uint16_t)len;
	memcpy(packet->bytes, bytes, len);
	packet->bytes[5] = WIRE_INDICATION;
	packet->bytes[6] = 0;
}

/** wire_number - @len bytes at @bytes, the highest first */
static inline uint32_t wire_number(const unsigned char *bytes, unsigned int len)
{
	uint32_t value = 0;

	while (len--)
		value = value << 8 | *bytes++;
	return value;
}

/**
 * wire_read - the packet at the start of @len bytes
 *
 * Return: 1, 0 when it isn't there whole yet, -1 when no packet begins so.
 */
static inline int wire_read(const unsigned char *bytes, size_t len,
			    struct wire_head *head)
{
	static const size_t most[] = { WIRE_NAME, WIRE_NAME, WIRE_TEXT };
	size_t at = WIRE_HEADER;
	size_t i;

	for (i = 0; i < sizeof(most) / sizeof(most[0]); i++) {
		size_t text;

		if (len < at + 2)
			return 0;
		text = wire_number(bytes + at, 2);
		if (text > most[i])
			return -1;
		at += 2 + text;
	}
	if (len < at)
		return 0;
	head->about = wire_number(bytes, 2);
	head->type = wire_number(bytes + 2, 4);
	head->room = wire_number(bytes + 7, 4);
	head->len = at;
	return 1;
}

#endif
