/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What chat's parameters may be: one place for its ops and its program. */
#ifndef BENCHMARKS_CHAT_LIMITS_H
#define BENCHMARKS_CHAT_LIMITS_H

enum {
	CHAT_MAX_ROOMS = 1000,
	CHAT_MIN_USERS = 2,
	CHAT_MAX_USERS = 1000,
	CHAT_MAX_MESSAGES = 1000000,
	CHAT_STACK_BYTES = 64 << 10, /* of a thread */
};

#endif
