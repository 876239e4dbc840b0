/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One explained error: a negative errno and a sentence a user can act on.
 *
 * Functions that can fail because of user input or the machine take a struct
 * err last and return the code; nothing below cli/ prints or exits. The text
 * is one sentence without newline or program name, user strings in single
 * quotes, and says what was expected.
 */
#ifndef LIB_ERR_H
#define LIB_ERR_H

/**
 * struct err - what went wrong
 * @code: negative errno, 0 while nothing failed
 * @text: the sentence, empty while nothing failed
 */
struct err {
	int code;
	char text[1024];
};

/**
 * err_set - fill @err and return @code
 * @err: may be NULL; an error already there is kept, the first failure wins
 * @code: negative errno
 * @fmt: printf format; %m is the text of errno at the call
 *
 * Control characters that came in with user strings are written as \xNN, so
 * that the sentence is safe for a terminal.
 *
 * Return: the code that @err holds, or @code when @err is NULL.
 */
int err_set(struct err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** err_nomem - "out of memory", for the allocations; returns -ENOMEM */
int err_nomem(struct err *err);

#endif
