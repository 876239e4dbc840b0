/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes to a server elsewhere, by HTTP or as mail, and what it answers: the only place
 * that knows libcurl. Each transfer ends: connecting, waiting and crawling have limits.
 * Certificates are verified always. What it means that a server answers 404 is the
 * caller's.
 */
#ifndef LIB_TRANSFER_H
#define LIB_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/** enum transfer_method - what is done */
enum transfer_method { TRANSFER_PUT, TRANSFER_POST, TRANSFER_GET, TRANSFER_MAIL };

/** struct transfer_server - a server, and how it lets us in; any text may be NULL
 * @user: with @password: for basic authentication, or to a mail server
 * @password: is never part of a message
 * @token: for bearer authentication instead; likewise
 * @ca_file: PEM file of the only authority that is trusted; NULL: the system's
 * @follows: go where the server redirects to, with credentials only on the same host
 * @needs_tls: a mail server has to offer STARTTLS
 * @timeout_s: most seconds for all of a transfer, above 0
 */
struct transfer_server {
	const char *user, *password, *token, *ca_file;
	bool follows, needs_tls;
	uint64_t timeout_s;
};

/**
 * struct transfer_request - what to send
 * @method: what is done
 * @url: of what is to be; of the mail server
 * @body: what to send; unused by TRANSFER_GET
 * @len: bytes in @body
 * @type: such as "text/plain"; NULL: not said
 * @is_new: ask the server to keep what is there by that name (If-None-Match: *)
 * @from: address of the sender of mail
 * @to: address of its receiver
 */
struct transfer_request {
	enum transfer_method method;
	const char *url;
	const void *body;
	size_t len;
	const char *type;
	bool is_new;
	const char *from, *to;
};

enum { TRANSFER_TEXT = 4096 };

/**
 * struct transfer_answer - what a server said
 * @status: of HTTP or SMTP, such as 201
 * @has_retry_after: @retry_after_s is known
 * @retry_after_s: seconds until it wants to be asked again
 * @text: beginning of what it said, NUL-terminated; anything may be in it
 */
struct transfer_answer {
	long status;
	bool has_retry_after;
	uint64_t retry_after_s;
	char text[TRANSFER_TEXT];
};

/**
 * transfer_run - do it and wait for the answer
 * @server: lent
 * @request: lent
 * @ret: what the server said, written on success only
 * @err: says why there is no answer
 *
 * Without an answer it isn't known whether the server has the bytes.
 *
 * Return: 0 for any answer; -EACCES where the server can't prove who it is, -ETIMEDOUT,
 * -ECONNREFUSED for no connection, -ENOMEM, or -EIO.
 */
int transfer_run(const struct transfer_server *server,
		 const struct transfer_request *request, struct transfer_answer *ret,
		 struct err *err);

#endif
