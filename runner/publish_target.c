// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the file of targets; see publish_target.h. */
#include "runner/publish_target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/text.h"
#include "runner/grid_read.h"

enum { MAX_TARGETS = 100, TIMEOUT_SEC = 120 };

static const char *const types[] = {
	"put", "kcidb", "influx", "mail-file", "smtp", NULL
};

/* A text that stays on its line wherever it is put: headers, URLs, names. */
static int read_line(const struct grid_in *in, const struct yaml_node *node,
		     const char *what, char **ret)
{
	const char *at;

	if (grid_read_text(in, node, what, GRID_MAX_TEXT, ret))
		return in->err->code;
	for (at = *ret; *at; at++)
		if ((unsigned char)*at < ' ' || *at == '\x7f')
			return grid_refuse(in, node,
					   "%s with a control character (expected one "
					   "line of text)",
					   what);
	return 0;
}

#define READ_TEXT(key, what)                                                          \
	static int read_##key(const struct grid_in *in, const struct yaml_node *node, \
			      void *target)                                           \
	{                                                                             \
		struct publish_target *to = target;                                   \
                                                                                      \
		return read_line(in, node, what, &to->key);                           \
	}

READ_TEXT(user, "a user")
READ_TEXT(password, "a password")
READ_TEXT(token, "a token")
READ_TEXT(ca, "a file of certificates")
READ_TEXT(dir, "a folder")
READ_TEXT(database, "a database")
READ_TEXT(from, "an address")
READ_TEXT(to, "an address")

static int read_name(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789._-";
	struct publish_target *to = target;

	if (read_line(in, node, "a name", &to->name))
		return in->err->code;
	if (*to->name != '.' && strspn(to->name, plain) == strlen(to->name))
		return 0;
	return grid_refuse(in, node,
			   "'%s' can't be the name of a target (expected letters, digits "
			   "and any of ._-, with no . in front)",
			   to->name);
}

static int read_type(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	struct publish_target *to = target;
	size_t i;

	for (i = 0; types[i]; i++)
		if (node->kind == YAML_SCALAR && !strcmp(types[i], node->text)) {
			to->type = (enum publish_type)i;
			return 0;
		}
	if (node->kind != YAML_SCALAR)
		return grid_refuse_kind(in, node, "a type, such as put");
	return grid_refuse_name(in, node, "type", " of a target", types);
}

static int read_url(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	struct publish_target *to = target;
	size_t len;

	if (read_line(in, node, "a URL", &to->url))
		return in->err->code;
	/* Messages and the spool show URLs. */
	if (strpbrk(to->url, "@? "))
		return grid_refuse(in, node,
				   "a URL with '@', '?' or a blank (expected user, "
				   "password and token as keys of their own)");
	for (len = strlen(to->url); len && to->url[len - 1] == '/'; len--)
		to->url[len - 1] = '\0';
	return 0;
}

static int read_origin(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
	struct publish_target *to = target;

	if (read_line(in, node, "an origin", &to->origin))
		return in->err->code;
	if (strspn(to->origin, plain) == strlen(to->origin))
		return 0;
	return grid_refuse(in, node,
			   "'%s' can't be an origin (expected lower-case letters, digits "
			   "and _)",
			   to->origin);
}

static int read_bool(const struct grid_in *in, const struct yaml_node *node, bool *ret)
{
	bool is_true = node->kind == YAML_SCALAR && !strcmp(node->text, "true");

	if (!is_true && (node->kind != YAML_SCALAR || strcmp(node->text, "false") != 0))
		return grid_refuse_kind(in, node, "true or false");
	*ret = is_true;
	return 0;
}

static int read_redirects(const struct grid_in *in, const struct yaml_node *node,
			  void *target)
{
	struct publish_target *to = target;

	return read_bool(in, node, &to->follows);
}

static int read_plain(const struct grid_in *in, const struct yaml_node *node,
		      void *target)
{
	struct publish_target *to = target;

	return read_bool(in, node, &to->plain);
}

static int read_timeout(const struct grid_in *in, const struct yaml_node *node,
			void *target)
{
	struct publish_target *to = target;
	struct err why = { 0 };
	uint64_t ns;

	if (node->kind != YAML_SCALAR)
		return grid_refuse_kind(in, node, "a duration, such as 60s");
	if (text_duration(node->text, &ns, &why))
		return grid_refuse(in, node, "%s", why.text);
	to->timeout_s = (ns + CLOCK_SEC - 1) / CLOCK_SEC;
	return 0;
}

/* The key that a target of its type needs and doesn't have; NULL: none. */
static const char *lacking(const struct publish_target *to)
{
	bool is_file = to->type == PUBLISH_MAIL_FILE;
	bool is_mail = is_file || to->type == PUBLISH_SMTP;
	const struct {
		bool is_needed;
		const char *text, *key;
	} needs[] = {
		{ !is_file, to->url, "url" },
		{ is_file, to->dir, "dir" },
		{ is_mail, to->from, "from" },
		{ is_mail, to->to, "to" },
		{ to->type == PUBLISH_INFLUX, to->database, "database" },
		{ to->type == PUBLISH_KCIDB, to->origin, "origin" },
	};
	size_t i;

	for (i = 0; i < sizeof(needs) / sizeof(needs[0]); i++)
		if (needs[i].is_needed && !needs[i].text)
			return needs[i].key;
	return NULL;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static int check_target(const struct grid_in *in, const struct yaml_node *node,
			const struct publish_target *to)
{
	bool is_smtp = to->type == PUBLISH_SMTP;
	const char *lacks = lacking(to);

	if (lacks)
		return grid_refuse(in, node, "target '%s' needs '%s'", to->name, lacks);
	if (!to->url || begins(to->url, is_smtp ? "smtp://" : "http://") ||
	    begins(to->url, is_smtp ? "smtps://" : "https://"))
		return 0;
	return grid_refuse(in, node, "target '%s': expected a URL that begins %s",
			   to->name,
			   is_smtp ? "smtp:// or smtps://" : "https:// or http://");
}

static int read_target(const struct grid_in *in, const struct yaml_node *node,
		       struct publish_target *target)
{
	static const struct grid_key keys[] = {
		{ "name", read_name, true },
		{ "type", read_type, true },
		{ "url", read_url, false },
		{ "user", read_user, false },
		{ "password", read_password, false },
		{ "token", read_token, false },
		{ "ca", read_ca, false },
		{ "dir", read_dir, false },
		{ "database", read_database, false },
		{ "origin", read_origin, false },
		{ "from", read_from, false },
		{ "to", read_to, false },
		{ "redirects", read_redirects, false },
		{ "plain", read_plain, false },
		{ "timeout", read_timeout, false },
		{ NULL, NULL, false },
	};
	static const struct grid_mapping mapping = {
		"a target", "{name: archive, type: put, url: https://...}", keys
	};

	target->timeout_s = TIMEOUT_SEC;
	if (grid_read_mapping(in, node, &mapping, target))
		return in->err->code;
	return check_target(in, node, target);
}

static int read_list(const struct grid_in *in, const struct yaml_node *node, void *data)
{
	struct publish_targets *targets = data;
	size_t i, j;

	if (node->kind != YAML_SEQUENCE || !node->nr_items)
		return grid_refuse_kind(in, node, "a list of targets");
	if (node->nr_items > MAX_TARGETS)
		return grid_refuse(in, node, "%zu targets, and at most %d are supported",
				   node->nr_items, MAX_TARGETS);
	targets->target = calloc(node->nr_items, sizeof(*targets->target));
	if (!targets->target)
		return err_nomem(in->err);
	for (i = 0; i < node->nr_items; i++) {
		const struct yaml_node *item = node->items[i].value;

		targets->nr++;
		if (read_target(in, item, &targets->target[i]))
			return in->err->code;
		for (j = 0; j < i; j++)
			if (!strcmp(targets->target[j].name, targets->target[i].name))
				return grid_refuse(in, item,
						   "target '%s' is there already",
						   targets->target[i].name);
	}
	return 0;
}

static int read_schema(const struct grid_in *in, const struct yaml_node *node, void *data)
{
	static const char *const schemas[] = { "schedgrid-targets-1", NULL };

	(void)data;
	if (node->kind == YAML_SCALAR && !strcmp(node->text, schemas[0]))
		return 0;
	if (node->kind != YAML_SCALAR)
		return grid_refuse_kind(in, node, schemas[0]);
	return grid_refuse_name(in, node, "schema", "", schemas);
}

/* The mode is that of what is read, not of what the path names by then. */
static int read_private(const char *path, char **ret, size_t *ret_len, struct err *err)
{
	struct stat info;
	int fd = file_open_regular(path, O_RDONLY, err);
	int bad = fd < 0 ? fd : 0;

	if (!bad && fstat(fd, &info))
		bad = err_set(err, -errno, "cannot read '%s': %m", path);
	if (!bad && (info.st_mode & 077))
		bad = err_set(
			err, -EPERM,
			"others may read '%s', which holds passwords (expected mode "
			"0600: chmod 600)",
			path);
	if (!bad && file_read_fd(fd, YAML_MAX_BYTES, ret, ret_len))
		bad = err_set(err, -EIO, "cannot read '%s'", path);
	if (fd >= 0)
		(void)close(fd);
	return bad;
}

int publish_targets_read(const char *path, struct publish_targets *ret, struct err *err)
{
	static const struct grid_key keys[] = {
		{ "schema", read_schema, true },
		{ "targets", read_list, true },
		{ NULL, NULL, false },
	};
	static const struct grid_mapping mapping = { "the targets", "targets: [...]",
						     keys };
	struct yaml_source source = { path, "targets", NULL, 0 };
	struct publish_targets targets = { 0 };
	struct yaml_doc *doc = NULL;
	char *text = NULL;
	int bad = read_private(path, &text, &source.len, err);

	memset(ret, 0, sizeof(*ret));
	source.text = text;
	if (!bad)
		bad = yaml_doc_parse(&source, &doc, err);
	if (!bad) {
		const struct grid_in in = { doc, err };

		bad = grid_read_mapping(&in, yaml_doc_root(doc), &mapping, &targets);
	}
	if (bad)
		publish_targets_release(&targets);
	else
		*ret = targets;
	yaml_doc_free(doc);
	free(text);
	return bad;
}

void publish_targets_release(struct publish_targets *targets)
{
	size_t i;

	for (i = 0; i < targets->nr; i++) {
		struct publish_target *target = &targets->target[i];

		free(target->name);
		free(target->url);
		free(target->user);
		free(target->password);
		free(target->token);
		free(target->ca);
		free(target->dir);
		free(target->database);
		free(target->origin);
		free(target->from);
		free(target->to);
	}
	free(targets->target);
	memset(targets, 0, sizeof(*targets));
}

const struct publish_target *publish_target_find(const struct publish_targets *targets,
						 const char *name, struct err *err)
{
	const char *names[MAX_TARGETS + 1] = { NULL };
	const char *nearest;
	size_t i;

	for (i = 0; i < targets->nr; i++) {
		if (!strcmp(targets->target[i].name, name))
			return &targets->target[i];
		names[i] = targets->target[i].name;
	}
	nearest = text_nearest(name, names);
	(void)err_set(err, -ENOENT, "there is no target '%s' (expected one such as '%s')",
		      name, nearest ? nearest : names[0]);
	return NULL;
}
