// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes what is published; see publish_parts.h. */
#include "cli/publish_parts.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "compare/load.h"
#include "compare/publish_influx.h"
#include "compare/publish_kcidb.h"
#include "compare/table.h"
#include "lib/digest.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/tar.h"
#include "runner/publish_target.h"
#include "runner/spool.h"

enum { NAME_DIGITS = 16, SERIES_BYTES = 1 << 20 };

/* Not any folder: all of it would be sent. */
static int check_run(const char *path, const char *dir, struct err *err)
{
	char *records = file_path("%s/records.jsonl", path);
	int bad = records ? 0 : err_nomem(err);

	if (!bad && access(records, F_OK))
		bad = err_set(
			err, -ENOENT,
			"'%s' has no records.jsonl (expected the directory of a run)",
			dir);
	free(records);
	return bad;
}

char *publish_run_name(const char *dir, struct err *err)
{
	char *path = realpath(dir, NULL);
	char *name = NULL;
	char *at;

	if (!path) {
		(void)err_set(err, -errno,
			      "cannot find '%s': %m (expected the directory of a run)",
			      dir);
		return NULL;
	}
	if (!check_run(path, dir, err)) {
		name = strdup(strrchr(path, '/') + 1);
		if (!name)
			(void)err_nomem(err);
	}
	free(path);
	for (at = name; at && *at; at++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "0123456789_-",
			    *at) &&
		    (*at != '.' || at == name))
			*at = '-';
	return name;
}

/* Takes @bytes in any case. */
static int add(struct publish_parts *parts, char *name, const char *type, char *bytes,
	       size_t len, struct err *err)
{
	struct spool_part *part =
		reallocarray(parts->part, parts->nr + 1, sizeof(*parts->part));
	char *copy = strdup(type);

	if (part)
		parts->part = part;
	if (part && copy && name && bytes && parts->nr < SPOOL_MAX_PARTS) {
		part = &parts->part[parts->nr++];
		part->name = name;
		part->type = copy;
		part->bytes = bytes;
		part->len = len;
		return 0;
	}
	free(copy);
	free(name);
	free(bytes);
	return parts->nr < SPOOL_MAX_PARTS
		       ? err_nomem(err)
		       : err_set(err, -EFBIG, "more than %d parts to publish",
				 SPOOL_MAX_PARTS);
}

/* A format of compare, as bytes; the code is that of cli, nothing in @ret then. */
static int make_report(struct publish_parts *parts, const char *dir, const char *format,
		       char **ret, size_t *ret_len, struct err *err)
{
	char *path = file_path("%s/report", parts->scratch.dir);
	int bad = path ? 0 : err_nomem(err);

	if (!bad && compare_file(dir, format, path) != EXIT_DONE)
		bad = err_set(err, -ENODATA, "'%s' has no report in the format %s", dir,
			      format);
	if (!bad)
		bad = file_read(path, SPOOL_MAX_BYTES, ret, ret_len, err);
	free(path);
	return bad;
}

static int put_manifest_file(struct jval *files, const struct spool_part *part)
{
	struct jval *file = jval_object();
	char hex[DIGEST_HEX + 1];
	int bad = 0;

	digest_bytes(part->bytes, part->len, hex);
	bad |= jval_put(file, "name", jval_from_string(part->name));
	bad |= jval_put(file, "bytes", jval_from_uint(part->len));
	bad |= jval_put(file, "sha256", jval_from_string(hex));
	return bad | jval_push(files, file);
}

/* Last, so that whoever sees it can rely on the others. */
static int add_manifest(struct publish_parts *parts, const char *run, const char *stem,
			const char *missing, struct err *err)
{
	struct jval *json = jval_object();
	struct jval *files = jval_array();
	struct jval *lacks = jval_array();
	char *text = NULL;
	int bad = 0;
	size_t i;

	for (i = 0; i < parts->nr; i++)
		bad |= put_manifest_file(files, &parts->part[i]);
	if (missing)
		bad |= jval_push(lacks, jval_from_string(missing));
	bad |= jval_put(json, "schema", jval_from_string("schedgrid-manifest-1"));
	bad |= jval_put(json, "version", jval_from_string(SCHEDGRID_VERSION));
	bad |= jval_put(json, "run", jval_from_string(run));
	bad |= jval_put(json, "files", files);
	bad |= jval_put(json, "missing", lacks);
	if (!bad)
		text = jval_write(json, JVAL_PRETTY);
	jval_free(json);
	if (!text)
		return err_nomem(err);
	return add(parts, file_path("%s.manifest.json", stem), "application/json", text,
		   strlen(text), err);
}

/* The bundle's digest names them all: other contents never meet the same name. */
static int make_bundle(struct publish_parts *parts, const char *dir, const char *run,
		       struct err *err)
{
	char *path = file_path("%s/bundle", parts->scratch.dir);
	char hex[DIGEST_HEX + 1] = "";
	struct err why = { 0 };
	char *bytes = NULL;
	char *stem = NULL;
	size_t len = 0;
	bool lacks_report;
	int bad = path ? tar_write(dir, run, path, err) : err_nomem(err);

	if (!bad)
		bad = file_read(path, SPOOL_MAX_BYTES, &bytes, &len, err);
	if (bad)
		goto out;
	digest_bytes(bytes, len, hex);
	stem = file_path("%s-%.*s", run, NAME_DIGITS, hex);
	bad = stem ? add(parts, file_path("%s.tar.gz", stem), "application/gzip", bytes,
			 len, err)
		   : err_nomem(err);
	if (bad)
		goto out;
	lacks_report = make_report(parts, dir, "html", &bytes, &len, &why);
	if (lacks_report)
		say("%s; the rest is published", why.text);
	else
		bad = add(parts, file_path("%s.html", stem), "text/html; charset=UTF-8",
			  bytes, len, err);
	if (!bad)
		bad = add_manifest(parts, run, stem, lacks_report ? why.text : NULL, err);
out:
	free(stem);
	free(path);
	return bad;
}

static int make_mail(struct publish_parts *parts, const char *dir, const char *run,
		     struct err *err)
{
	char hex[DIGEST_HEX + 1];
	char *bytes = NULL;
	size_t len = 0;
	int bad = make_report(parts, dir, "mail", &bytes, &len, err);

	if (bad)
		return bad;
	digest_bytes(bytes, len, hex);
	return add(parts, file_path("%s-%.*s.eml", run, NAME_DIGITS, hex),
		   "message/rfc822", bytes, len, err);
}

/* In bodies of about a megabyte, each of whole lines. */
static int make_series(struct publish_parts *parts, const char *dir, const char *run,
		       struct err *err)
{
	char *text = NULL;
	size_t len = 0;
	size_t from = 0;
	int bad = influx_write(dir, run, &text, &len, err);

	while (!bad && from < len) {
		size_t size = len - from;
		char *body;

		if (size > SERIES_BYTES) {
			const char *end = memchr(text + from + SERIES_BYTES, '\n',
						 size - SERIES_BYTES);

			size = (size_t)(end + 1 - (text + from));
		}
		body = strndup(text + from, size);
		bad = add(parts, file_path("%s-%zu.lines", run, parts->nr + 1),
			  "text/plain; charset=UTF-8", body, size, err);
		from += size;
	}
	free(text);
	return bad;
}

static int make_kcidb(struct publish_parts *parts, const char *dir, const char *run,
		      const char *origin, struct err *err)
{
	const struct load_options load = { .dirs = &dir,
					   .nr_dirs = 1,
					   .on_note = say_note };
	const struct kcidb_source source = { origin, run, SCHEDGRID_VERSION };
	struct table *table = NULL;
	struct jval *json = NULL;
	char *text = NULL;
	int bad = load_table(&load, &table, err);

	if (!bad)
		bad = kcidb_json(table, &source, &json, err);
	if (!bad) {
		text = jval_write(json, JVAL_LINE);
		bad = text ? add(parts, file_path("%s.kcidb.json", run),
				 "application/json", text, strlen(text), err)
			   : err_nomem(err);
	}
	jval_free(json);
	table_free(table);
	return bad;
}

int publish_parts_make(const char *dir, const char *run,
		       const struct publish_target *target, struct publish_parts *ret,
		       struct err *err)
{
	int bad;

	memset(ret, 0, sizeof(*ret));
	bad = scratch_open(&ret->scratch, err);
	if (bad)
		return bad;
	switch (target->type) {
	case PUBLISH_PUT:
		return make_bundle(ret, dir, run, err);
	case PUBLISH_INFLUX:
		return make_series(ret, dir, run, err);
	case PUBLISH_KCIDB:
		return make_kcidb(ret, dir, run, target->origin, err);
	case PUBLISH_MAIL_FILE:
	case PUBLISH_SMTP:
	default:
		return make_mail(ret, dir, run, err);
	}
}

void publish_parts_release(struct publish_parts *parts)
{
	size_t i;

	for (i = 0; i < parts->nr; i++) {
		free(parts->part[i].name);
		free(parts->part[i].type);
		free((void *)(uintptr_t)parts->part[i].bytes);
	}
	free(parts->part);
	if (parts->scratch.dir)
		scratch_close(&parts->scratch);
	memset(parts, 0, sizeof(*parts));
}
