/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where results may be published: targets in a YAML file that nobody else may read,
 * since it holds passwords. What a message says of a target is its name and its URL.
 */
#ifndef RUNNER_PUBLISH_TARGET_H
#define RUNNER_PUBLISH_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/** enum publish_type - what a target takes */
enum publish_type {
	PUBLISH_PUT,	   /* bundle, report and manifest by HTTP PUT */
	PUBLISH_KCIDB,	   /* JSON of KCIDB by HTTP POST */
	PUBLISH_INFLUX,	   /* line protocol of InfluxDB by HTTP POST */
	PUBLISH_MAIL_FILE, /* the report as a mail, in a file */
	PUBLISH_SMTP,	   /* the same, sent */
};

/**
 * struct publish_target - one target
 * @name: letters, digits and any of "._-"
 * @type: what it takes
 * @url: of the server, without a '/' at the end; NULL for PUBLISH_MAIL_FILE
 * @user: with @password; NULL: none
 * @password: see @user
 * @token: bearer token; NULL: none
 * @ca: file of the authority to trust; NULL: the system's
 * @dir: where mail files go; NULL for all others
 * @database: of InfluxDB
 * @origin: name of the sender for KCIDB
 * @from: sender of mail
 * @to: receiver of mail
 * @follows: redirects are followed
 * @plain: mail may go without encryption
 * @timeout_s: most seconds for one transfer
 */
struct publish_target {
	char *name;
	enum publish_type type;
	char *url, *user, *password, *token, *ca, *dir;
	char *database, *origin, *from, *to;
	bool follows, plain;
	uint64_t timeout_s;
};

/** struct publish_targets - those of a file */
struct publish_targets {
	struct publish_target *target;
	size_t nr;
};

/**
 * publish_targets_read - read a file of targets
 * @path: of the file
 * @ret: to be freed by publish_targets_release(); zeroed on failure
 * @err: names the place in the file; never what a secret is
 *
 * Return: 0, -EPERM when others may read the file, -ENOENT, -EINVAL for what it says, or
 * another negative errno.
 */
int publish_targets_read(const char *path, struct publish_targets *ret, struct err *err);

/** publish_targets_release - free all of them; zeroed ones are fine */
void publish_targets_release(struct publish_targets *targets);

/**
 * publish_target_find - by its name
 *
 * Return: lent, or NULL: then @err says what was expected.
 */
const struct publish_target *publish_target_find(const struct publish_targets *targets,
						 const char *name, struct err *err);

#endif
