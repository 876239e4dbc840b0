// SPDX-License-Identifier: GPL-2.0-or-later
/* Sends entries of the spool; see publish.h. */
#include "runner/publish.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/text.h"
#include "lib/transfer.h"
#include "runner/publish_mail.h"
#include "runner/publish_target.h"
#include "runner/spool.h"

enum { MAX_DOUBLINGS = 10, SHOWN_TEXT = 300 };

/* struct sending - one entry on its way */
struct sending {
	struct spool_entry *entry;
	const struct publish_target *target;
	uint64_t now_s;
	enum publish_outcome outcome;
};

uint64_t publish_wait_s(uint64_t nr_tries, const char *id)
{
	uint64_t doublings = nr_tries > MAX_DOUBLINGS ? MAX_DOUBLINGS : nr_tries - 1;
	uint64_t wait_s = (uint64_t)PUBLISH_FIRST_WAIT_SEC << doublings;

	if (wait_s > PUBLISH_MOST_WAIT_SEC)
		wait_s = PUBLISH_MOST_WAIT_SEC;
	return wait_s + text_hash(id, strlen(id)) % (wait_s / 4);
}

static int take_reason(struct sending *sending, char *reason, struct err *err)
{
	if (!reason)
		return err_nomem(err);
	free(sending->entry->reason);
	sending->entry->reason = reason;
	return 0;
}

static int put_off(struct sending *sending, uint64_t wait_s, char *reason,
		   struct err *err)
{
	sending->outcome = PUBLISH_LATER;
	sending->entry->nr_tries++;
	sending->entry->is_failed = false;
	if (!wait_s)
		wait_s = publish_wait_s(sending->entry->nr_tries, sending->entry->id);
	sending->entry->next_s = sending->now_s + wait_s;
	return take_reason(sending, reason, err);
}

static int refuse(struct sending *sending, char *reason, struct err *err)
{
	sending->outcome = PUBLISH_REFUSED;
	sending->entry->nr_tries++;
	sending->entry->is_failed = true;
	return take_reason(sending, reason, err);
}

/* "answers 404: no such database", without what a terminal must not see. */
static char *describe(const struct sending *sending, const char *name,
		      const struct transfer_answer *answer, const char *advice)
{
	char shown[SHOWN_TEXT];
	const char *text = answer->text + strspn(answer->text, " \r\n");
	const char *secret = sending->target->password;
	bool tells = (secret && strstr(text, secret)) ||
		     (sending->target->token && strstr(text, sending->target->token));
	char *line = strndup(tells ? "" : text, strcspn(text, "\r\n"));
	char *reason = NULL;

	/* A page in HTML says less than its number does. */
	if (line && *line != '<') {
		text_printable(line, shown, sizeof(shown));
		reason = file_path("'%s' answers %ld to %s%s%s%s", sending->target->name,
				   answer->status, name, *shown ? ": " : "", shown,
				   advice);
	} else if (line) {
		reason = file_path("'%s' answers %ld to %s%s", sending->target->name,
				   answer->status, name, advice);
	}
	free(line);
	return reason;
}

/* What the answer means, when it isn't that all is well. */
static int judge(struct sending *sending, const char *name,
		 const struct transfer_answer *answer, struct err *err)
{
	long status = answer->status;
	uint64_t wait_s = answer->has_retry_after ? answer->retry_after_s : 0;

	if (wait_s > PUBLISH_MOST_ASKED_SEC)
		wait_s = PUBLISH_MOST_ASKED_SEC;
	if (status == 401 || status == 403)
		return put_off(sending, 0,
			       describe(sending, name, answer,
					" (expected a user and password, or a token, "
					"that may do it)"),
			       err);
	if (status >= 300 && status < 400)
		return refuse(sending,
			      describe(sending, name, answer,
				       ", a redirect, which is followed with 'redirects: "
				       "true' only"),
			      err);
	if (status == 413)
		return refuse(sending,
			      describe(sending, name, answer,
				       " (it is larger than the server takes)"),
			      err);
	if (status == 408 || status == 425 || status == 429 || status >= 500)
		return put_off(sending, wait_s, describe(sending, name, answer, ""), err);
	return refuse(sending, describe(sending, name, answer, ""), err);
}

/* Nobody answered: what was sent may have arrived or not. */
static int judge_silence(struct sending *sending, int bad, const struct err *why,
			 struct err *err)
{
	if (bad == -ENOMEM)
		return err_nomem(err);
	return put_off(sending, 0,
		       file_path("target '%s': %s", sending->target->name, why->text),
		       err);
}

static struct transfer_server server_of(const struct publish_target *target)
{
	return (struct transfer_server){
		.user = target->user,
		.password = target->password,
		.token = target->token,
		.ca_file = target->ca,
		.follows = target->follows,
		.needs_tls = !target->plain && target->type == PUBLISH_SMTP &&
			     strncmp(target->url, "smtps", 5) != 0,
		.timeout_s = target->timeout_s,
	};
}

/* A name for a query of a URL; the caller's. */
static char *escape(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789._-";
	static const char digits[] = "0123456789ABCDEF";
	char *out = malloc(3 * strlen(text) + 1);
	char *to = out;

	for (; out && *text; text++) {
		unsigned char byte = (unsigned char)*text;

		if (strchr(plain, byte)) {
			*to++ = *text;
			continue;
		}
		*to++ = '%';
		*to++ = digits[byte >> 4];
		*to++ = digits[byte & 15];
	}
	if (out)
		*to = '\0';
	return out;
}

static char *url_of(const struct publish_target *target, const char *name)
{
	char *escaped, *url;

	if (target->type == PUBLISH_KCIDB)
		return file_path("%s/submit", target->url);
	if (target->type == PUBLISH_SMTP)
		return strdup(target->url);
	escaped = escape(target->type == PUBLISH_INFLUX ? target->database : name);
	if (!escaped)
		return NULL;
	url = target->type == PUBLISH_INFLUX
		      ? file_path("%s/write?db=%s&precision=ns", target->url, escaped)
		      : file_path("%s/%s", target->url, escaped);
	free(escaped);
	return url;
}

/* The part as its target wants it, into @request; @ret_own is what to free. */
static int make_request(const struct sending *sending, const char *bytes, size_t len,
			struct transfer_request *request, char **ret_own)
{
	const struct publish_target *target = sending->target;
	const struct spool_part *part = &sending->entry->parts[sending->entry->nr_sent];

	*request = (struct transfer_request){
		.method = target->type == PUBLISH_PUT	 ? TRANSFER_PUT
			  : target->type == PUBLISH_SMTP ? TRANSFER_MAIL
							 : TRANSFER_POST,
		.body = bytes,
		.len = len,
		.type = part->type,
		.is_new = target->type == PUBLISH_PUT,
		.from = target->from,
		.to = target->to,
	};
	if (target->type != PUBLISH_SMTP)
		return 0;
	*ret_own = publish_mail(sending->entry, target, bytes, "\r\n");
	request->body = *ret_own;
	request->len = *ret_own ? strlen(*ret_own) : 0;
	return *ret_own ? 0 : -ENOMEM;
}

/* 2xx; and with is_new 412: the same contents are there by this name already. */
static bool has_arrived(const struct transfer_request *request,
			const struct transfer_answer *answer)
{
	return (answer->status >= 200 && answer->status < 300) ||
	       (request->is_new && answer->status == 412);
}

/* KCIDB has taken it and names it; whether it likes it is asked for later. */
static int take_ticket(struct sending *sending, const struct transfer_answer *answer,
		       struct err *err)
{
	struct jval *json = NULL;
	const char *id = NULL;
	int bad = jval_parse(answer->text, strlen(answer->text), &json, NULL);

	if (!bad)
		id = jval_get_text(json, "id");
	if (id) {
		free(sending->entry->ticket);
		sending->entry->ticket = strdup(id);
		bad = sending->entry->ticket ? 0 : err_nomem(err);
	} else {
		bad = put_off(sending, 0,
			      describe(sending, "what it was sent", answer,
				       " (expected the \"id\" of a submission)"),
			      err);
	}
	jval_free(json);
	return bad;
}

static int send_http(struct sending *sending, const char *bytes, size_t len,
		     struct err *err)
{
	const struct spool_part *part = &sending->entry->parts[sending->entry->nr_sent];
	struct transfer_server server = server_of(sending->target);
	char *url = url_of(sending->target, part->name);
	struct transfer_request request;
	struct transfer_answer answer;
	struct err why = { 0 };
	char *own = NULL;
	int bad = url ? make_request(sending, bytes, len, &request, &own) : -ENOMEM;

	if (bad) {
		free(url);
		return err_nomem(err);
	}
	request.url = url;
	bad = transfer_run(&server, &request, &answer, &why);
	if (bad)
		bad = judge_silence(sending, bad, &why, err);
	else if (!has_arrived(&request, &answer))
		bad = judge(sending, part->name, &answer, err);
	else if (sending->target->type == PUBLISH_KCIDB)
		bad = take_ticket(sending, &answer, err);
	free(own);
	free(url);
	return bad;
}

static int write_mail(struct sending *sending, const char *bytes, struct err *err)
{
	const struct spool_entry *entry = sending->entry;
	char *path = file_path("%s/%s", sending->target->dir,
			       entry->parts[entry->nr_sent].name);
	char *mail = publish_mail(entry, sending->target, bytes, "\n");
	struct err why = { 0 };
	int bad = path && mail ? file_replace(path, mail, strlen(mail), &why)
			       : err_nomem(&why);

	if (bad)
		bad = judge_silence(sending, bad, &why, err);
	free(mail);
	free(path);
	return bad;
}

static int send_part(struct sending *sending, struct err *err)
{
	struct spool_entry *entry = sending->entry;
	char *bytes = NULL;
	size_t len = 0;
	int bad = spool_read_part(entry, entry->nr_sent, &bytes, &len, err);

	if (!bad)
		bad = sending->target->type == PUBLISH_MAIL_FILE
			      ? write_mail(sending, bytes, err)
			      : send_http(sending, bytes, len, err);
	free(bytes);
	if (bad || sending->outcome != PUBLISH_SENT)
		return bad;
	entry->nr_sent++;
	return spool_save(entry, err);
}

/* What KCIDB says of a submission: processed, failed, or anything else meanwhile. */
static int judge_ticket(struct sending *sending, const struct transfer_answer *answer,
			struct err *err)
{
	struct jval *json = NULL;
	int bad = jval_parse(answer->text, strlen(answer->text), &json, NULL);
	const char *status = bad ? NULL : jval_get_text(json, "status");

	bad = 0;
	if (!status)
		bad = put_off(sending, 0,
			      describe(sending, "the question for the status", answer,
				       " (expected a \"status\")"),
			      err);
	else if (!strcmp(status, "failed"))
		bad = refuse(sending,
			     describe(sending, "the question for the status", answer, ""),
			     err);
	else if (strcmp(status, "processed") != 0)
		bad = put_off(sending, 0,
			      file_path("'%s' has submission '%s' and says that it is %s",
					sending->target->name, sending->entry->ticket,
					status),
			      err);
	jval_free(json);
	return bad;
}

static int ask_status(struct sending *sending, struct err *err)
{
	struct transfer_server server = server_of(sending->target);
	struct transfer_request request = { .method = TRANSFER_GET };
	char *ticket = escape(sending->entry->ticket);
	char *url = ticket ? file_path("%s/status?id=%s", sending->target->url, ticket)
			   : NULL;
	struct transfer_answer answer;
	struct err why = { 0 };
	int bad;

	request.url = url;
	bad = url ? transfer_run(&server, &request, &answer, &why) : err_nomem(&why);
	if (bad)
		bad = judge_silence(sending, bad, &why, err);
	else if (answer.status != 200)
		bad = judge(sending, "the question for the status", &answer, err);
	else
		bad = judge_ticket(sending, &answer, err);
	free(url);
	free(ticket);
	return bad;
}

int publish_send(struct spool_entry *entry, const struct publish_target *target,
		 uint64_t now_s, enum publish_outcome *ret, struct err *err)
{
	struct sending sending = { entry, target, now_s, PUBLISH_SENT };
	int bad = 0;

	while (!bad && sending.outcome == PUBLISH_SENT &&
	       entry->nr_sent < entry->nr_parts)
		bad = send_part(&sending, err);
	if (!bad && sending.outcome == PUBLISH_SENT && entry->ticket)
		bad = ask_status(&sending, err);
	if (!bad)
		bad = sending.outcome == PUBLISH_SENT ? spool_remove(entry, err)
						      : spool_save(entry, err);
	if (!bad)
		*ret = sending.outcome;
	return bad;
}
