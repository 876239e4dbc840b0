// SPDX-License-Identifier: GPL-2.0-or-later
/* The only user of libcurl; see transfer.h. */
#include "lib/transfer.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"

enum { CONNECT_SEC = 10, STALL_SEC = 30, STALL_BYTES = 10, MAX_REDIRECTS = 5 };

/* struct sink - where the answer's text goes; what doesn't fit is read and dropped */
struct sink {
	struct transfer_answer *answer;
	size_t len;
};

/* struct supply - what is left of a mail */
struct supply {
	const char *bytes;
	size_t len;
};

static size_t take_text(char *bytes, size_t size, size_t nr, void *data)
{
	struct sink *sink = data;
	size_t room = TRANSFER_TEXT - 1 - sink->len;
	size_t len = size * nr < room ? size * nr : room;

	memcpy(sink->answer->text + sink->len, bytes, len);
	sink->len += len;
	sink->answer->text[sink->len] = '\0';
	return size * nr;
}

static size_t give_mail(char *bytes, size_t size, size_t nr, void *data)
{
	struct supply *supply = data;
	size_t len = size * nr < supply->len ? size * nr : supply->len;

	memcpy(bytes, supply->bytes, len);
	supply->bytes += len;
	supply->len -= len;
	return len;
}

static int add_line(struct curl_slist **list, const char *line)
{
	struct curl_slist *longer = curl_slist_append(*list, line);

	if (!longer)
		return -1;
	*list = longer;
	return 0;
}

static int add_headers(const struct transfer_request *request, struct curl_slist **list)
{
	char line[256];
	/* A server that doesn't know of 100-continue would cost a second each time. */
	int bad = add_line(list, "Expect:");

	if (request->is_new)
		bad |= add_line(list, "If-None-Match: *");
	if (request->type) {
		(void)snprintf(line, sizeof(line), "Content-Type: %s", request->type);
		bad |= add_line(list, line);
	}
	return bad;
}

static int set_server(CURL *curl, const struct transfer_server *server)
{
	int bad = 0;

	bad |= curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SEC);
	bad |= curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, (long)STALL_BYTES);
	bad |= curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)STALL_SEC);
	bad |= curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)server->timeout_s);
	bad |= curl_easy_setopt(curl, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	if (server->follows) {
		bad |= curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
		bad |= curl_easy_setopt(curl, CURLOPT_MAXREDIRS, (long)MAX_REDIRECTS);
		bad |= curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
	}
	if (server->ca_file) {
		bad |= curl_easy_setopt(curl, CURLOPT_CAINFO, server->ca_file);
		bad |= curl_easy_setopt(curl, CURLOPT_CAPATH, NULL);
	}
	if (server->user)
		bad |= curl_easy_setopt(curl, CURLOPT_USERNAME, server->user);
	if (server->password)
		bad |= curl_easy_setopt(curl, CURLOPT_PASSWORD, server->password);
	if (server->token) {
		bad |= curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_BEARER);
		bad |= curl_easy_setopt(curl, CURLOPT_XOAUTH2_BEARER, server->token);
	}
	return bad;
}

static int set_http(CURL *curl, const struct transfer_request *request,
		    struct curl_slist *headers)
{
	int bad = 0;

	bad |= curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
	bad |= curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
	if (request->method == TRANSFER_GET) {
		bad |= curl_easy_setopt(curl, CURLOPT_HTTPGET, 1L);
		return bad;
	}
	/* From memory, so that it can be sent again after a redirect. */
	bad |= curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE,
				(curl_off_t)request->len);
	bad |= curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request->body);
	bad |= curl_easy_setopt(curl, CURLOPT_POSTREDIR, (long)CURL_REDIR_POST_ALL);
	if (request->method == TRANSFER_PUT)
		bad |= curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, "PUT");
	return bad;
}

static int set_mail(CURL *curl, const struct transfer_server *server,
		    const struct transfer_request *request, struct supply *supply,
		    struct curl_slist *receivers)
{
	int bad = 0;

	bad |= curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
	bad |= curl_easy_setopt(
		curl, CURLOPT_USE_SSL,
		(long)(server->needs_tls ? CURLUSESSL_ALL : CURLUSESSL_NONE));
	bad |= curl_easy_setopt(curl, CURLOPT_MAIL_FROM, request->from);
	bad |= curl_easy_setopt(curl, CURLOPT_MAIL_RCPT, receivers);
	bad |= curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
	bad |= curl_easy_setopt(curl, CURLOPT_READFUNCTION, give_mail);
	bad |= curl_easy_setopt(curl, CURLOPT_READDATA, supply);
	bad |= curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, (curl_off_t)supply->len);
	return bad;
}

static int refuse(CURLcode code, const struct transfer_request *request, struct err *err)
{
	const char *why = curl_easy_strerror(code);

	switch ((int)code) {
	case CURLE_OUT_OF_MEMORY:
		return err_nomem(err);
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_ISSUER_ERROR:
		return err_set(
			err, -EACCES,
			"'%s' can't prove who it is: %s (expected a certificate of "
			"that name by a known authority, or by the one of 'ca')",
			request->url, why);
	case CURLE_OPERATION_TIMEDOUT:
		return err_set(err, -ETIMEDOUT, "'%s' took too long", request->url);
	case CURLE_COULDNT_CONNECT:
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_RESOLVE_PROXY:
		return err_set(err, -ECONNREFUSED, "cannot reach '%s': %s", request->url,
			       why);
	default:
		return err_set(err, -EIO, "no answer from '%s': %s", request->url, why);
	}
}

static void read_answer(CURL *curl, struct transfer_answer *answer)
{
	curl_off_t wait_s = 0;

	(void)curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer->status);
	if (!curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &wait_s) && wait_s > 0) {
		answer->has_retry_after = true;
		answer->retry_after_s = (uint64_t)wait_s;
	}
}

/* A mail server that refuses ends the transfer; its last answer says why. */
static bool is_answer(CURLcode code, const struct transfer_request *request,
		      const struct transfer_answer *answer)
{
	if (code == CURLE_OK)
		return answer->status > 0;
	return request->method == TRANSFER_MAIL && answer->status >= 400 &&
	       (code == CURLE_SEND_ERROR || code == CURLE_LOGIN_DENIED ||
		code == CURLE_WEIRD_SERVER_REPLY || code == CURLE_RECV_ERROR);
}

static int perform(CURL *curl, const struct transfer_request *request,
		   struct transfer_answer *ret, struct err *err)
{
	struct transfer_answer answer = { 0 };
	struct sink sink = { &answer, 0 };
	CURLcode code;

	if (curl_easy_setopt(curl, CURLOPT_URL, request->url) ||
	    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_text) ||
	    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &sink))
		return err_nomem(err);
	code = curl_easy_perform(curl);
	read_answer(curl, &answer);
	if (!is_answer(code, request, &answer))
		return refuse(code ? code : CURLE_GOT_NOTHING, request, err);
	*ret = answer;
	return 0;
}

int transfer_run(const struct transfer_server *server,
		 const struct transfer_request *request, struct transfer_answer *ret,
		 struct err *err)
{
	struct supply supply = { request->body, request->len };
	bool is_mail = request->method == TRANSFER_MAIL;
	struct curl_slist *list = NULL;
	CURL *curl = curl_easy_init();
	int bad = !curl;

	if (!bad)
		bad = is_mail ? add_line(&list, request->to)
			      : add_headers(request, &list);
	if (!bad)
		bad = set_server(curl, server);
	if (!bad)
		bad = is_mail ? set_mail(curl, server, request, &supply, list)
			      : set_http(curl, request, list);
	bad = bad ? err_nomem(err) : perform(curl, request, ret, err);
	curl_easy_cleanup(curl);
	curl_slist_free_all(list);
	return bad;
}
