/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who a report in the format mail is from and for, the same at each try. */
#ifndef RUNNER_PUBLISH_MAIL_H
#define RUNNER_PUBLISH_MAIL_H

struct publish_target;
struct spool_entry;

/**
 * publish_mail - put the headers that a report lacks in front of it
 * @entry: its time is the Date, its id the Message-ID
 * @target: From and To
 * @text: Subject, MIME headers, an empty line and the body, UTF-8
 * @eol: end of each line: "\n" for files, "\r\n" for SMTP
 *
 * Return: the caller's to free(); NULL: no memory.
 */
char *publish_mail(const struct spool_entry *entry, const struct publish_target *target,
		   const char *text, const char *eol);

#endif
