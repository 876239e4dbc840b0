// SPDX-License-Identifier: GPL-2.0-or-later
/* Copies runs without personal data; see anonymize.h. */
#include "runner/anonymize.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"

enum { MAX_BYTES = 1 << 28, MAX_JSON_DEPTH = 64 };

/* Keys of each file that are known to hold nothing but facts, once names are replaced. */
static const char *const record_keys[] = {
	"schema",    "id",	"cell",	      "column",	  "workload", "variant",
	"point",     "machine", "parameters", "executor", "boot",     "block",
	"iteration", "attempt", "seq",	      "status",	  "reason",   "flags",
	"remarks",   "start",	"wall_ns",    "foreign",  "seed",     "by_output",
	"monitors",  "program", "reparsed",   "metrics",  NULL,
};
static const char *const plan_keys[] = {
	"schema",     "version", "name",     "executor", "kernel",  "programs", "seed",
	"iterations", "more",	 "more_of",  "until",	 "stopped", "warmup",	"sim",
	"timeout_ns", "quiet",	 "monitors", "terms",	 "columns", "cells",	NULL,
};
static const char *const host_keys[] = {
	"schema",
	"machine",
	"boot_id",
	"kernel",
	"config_sha256",
	"commit",
	"tainted",
	"preempt",
	"topology",
	"cpu_model",
	"microcode",
	"hypervisor",
	"governor",
	"frequency",
	"mitigations",
	"smt",
	"isolated_cpus",
	"nohz_full_cpus",
	"clocksource",
	"sched_features",
	"sched_domains",
	"sched_sysctls",
	"sched_debugfs",
	"sched_autogroup",
	"sched_schedstats",
	"numa_balancing",
	"transparent_hugepage",
	"cgroup_limits",
	"affinity",
	"memory_nodes_allowed",
	"memory",
	"sim",
	NULL,
};
/* Words of ours, which a user's or machine's name could happen to be. */
static const char *const fixed_keys[] = {
	"schema", "id",	  "cell",  "status", "executor", "workload", "variant", "boot",
	"better", "unit", "flags", "start",  "sha256",	 "build_id", NULL,
};

static bool has_word(const char *const *words, const char *word)
{
	for (; *words; words++)
		if (!strcmp(*words, word))
			return true;
	return false;
}

static bool is_letter(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= '0' && byte <= '9') || byte == '_';
}

/* The name that stands at @at as a word; NULL: none. The longest, should several. */
static const struct anonymize_name *name_at(const struct anonymize_names *names,
					    const char *text, const char *at)
{
	const struct anonymize_name *found = NULL;
	size_t most = 0;
	size_t i;

	if (at > text && is_letter(at[-1]))
		return NULL;
	for (i = 0; i < names->nr; i++) {
		size_t len = strlen(names->name[i].name);

		if (len <= most || strncmp(at, names->name[i].name, len) != 0 ||
		    is_letter(at[len]))
			continue;
		found = &names->name[i];
		most = len;
	}
	return found;
}

/* Bytes of the absolute path that begins at @at; 0: none does. */
static size_t path_at(const char *text, const char *at)
{
	size_t len = strcspn(at, " \t\r\n'\",;)]}");

	if (*at != '/' || len < 2 || (at > text && is_letter(at[-1])))
		return 0;
	return len;
}

char *anonymize_text(const struct anonymize_names *names, const char *text)
{
	const char *at = text;
	char *copy = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&copy, &len);

	if (!out)
		return NULL;
	while (*at) {
		const struct anonymize_name *name = name_at(names, text, at);
		size_t path = path_at(text, at);

		if (name) {
			(void)fputs(name->instead, out);
			at += strlen(name->name);
			/* The rest of a host's full name. */
			if (*at == '.' && is_letter(at[1]))
				at += strspn(at, "abcdefghijklmnopqrstuvwxyz"
						 "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
						 "0123456789.-");
		} else if (path) {
			(void)fputs("PATH", out);
			at += path;
		} else {
			(void)fputc(*at++, out);
		}
	}
	if (!fclose(out))
		return copy;
	free(copy);
	return NULL;
}

/* Once each; @text NULL or of one letter is no name. */
static int add_name(struct anonymize_names *names, const char *text, bool is_machine)
{
	struct anonymize_name *longer;
	size_t nr_machines = 1;
	size_t i;

	if (!text || !*text || !text[1] || names->nr == ANONYMIZE_MAX_NAMES)
		return 0;
	for (i = 0; i < names->nr; i++) {
		if (!strcmp(names->name[i].name, text))
			return 0;
		nr_machines += strcmp(names->name[i].instead, "user") != 0;
	}
	longer = reallocarray(names->name, names->nr + 1, sizeof(*longer));
	if (!longer)
		return -ENOMEM;
	names->name = longer;
	longer[names->nr].name = strdup(text);
	longer[names->nr].instead =
		is_machine ? file_path("machine-%zu", nr_machines) : strdup("user");
	names->nr++;
	return longer[names->nr - 1].name && longer[names->nr - 1].instead ? 0 : -ENOMEM;
}

/* What is done with each object of a file of a run. */
typedef int object_fn(const struct jval *object, void *data, struct err *err);

static int each_line(const char *path, const char *text, object_fn *fn, void *data,
		     struct err *err)
{
	const char *end;
	int bad = 0;

	/* A last line without its end is one that a crash tore. */
	for (; !bad && (end = strchr(text, '\n')); text = end + 1) {
		struct jval *json = NULL;
		struct err why = { 0 };

		if (jval_parse(text, (size_t)(end - text), &json, &why))
			return err_set(err, -EPROTO, "'%s': %s", path, why.text);
		bad = fn(json, data, err);
		jval_free(json);
	}
	return bad;
}

static int each_record(const char *dir, object_fn *fn, void *data, struct err *err)
{
	char *text = NULL;
	int bad = file_read_inside(dir, "records.jsonl", MAX_BYTES, &text, NULL, err);

	if (!bad)
		bad = each_line("records.jsonl", text, fn, data, err);
	free(text);
	return bad;
}

static int note_machine(const struct jval *record, void *data, struct err *err)
{
	const char *machine = jval_get_text(record, "machine");

	return add_name(data, machine, true) ? err_nomem(err) : 0;
}

int anonymize_names_read(const char *dir, struct anonymize_names *ret, struct err *err)
{
	static const char *const variables[] = { "USER", "LOGNAME", "SUDO_USER" };
	char *host = file_read_line("/proc/sys/kernel/hostname");
	const char *home = getenv("HOME");
	const char *slash = home ? strrchr(home, '/') : NULL;
	int bad;
	size_t i;

	memset(ret, 0, sizeof(*ret));
	bad = each_record(dir, note_machine, ret, err);
	if (!bad && add_name(ret, host, true))
		bad = err_nomem(err);
	for (i = 0; !bad && i < sizeof(variables) / sizeof(variables[0]); i++)
		if (add_name(ret, getenv(variables[i]), false))
			bad = err_nomem(err);
	if (!bad && slash && add_name(ret, slash + 1, false))
		bad = err_nomem(err);
	free(host);
	return bad;
}

void anonymize_names_release(struct anonymize_names *names)
{
	size_t i;

	for (i = 0; i < names->nr; i++) {
		free(names->name[i].name);
		free(names->name[i].instead);
	}
	free(names->name);
	memset(names, 0, sizeof(*names));
}

static struct jval *clean(const struct anonymize_names *names, const struct jval *json,
			  unsigned int depth);

static struct jval *clean_text(const struct anonymize_names *names, const char *text)
{
	char *safe = anonymize_text(names, text);
	struct jval *json = safe ? jval_from_string(safe) : NULL;

	free(safe);
	return json;
}

static struct jval *clean_array(const struct anonymize_names *names,
				const struct jval *json, unsigned int depth)
{
	struct jval *copy = jval_array();
	size_t i;
	int bad = 0;

	for (i = 0; i < jval_count(json); i++)
		bad |= jval_push(copy, clean(names, jval_item(json, i), depth + 1));
	if (!bad)
		return copy;
	jval_free(copy);
	return NULL;
}

/* @allowed: keys that are copied; NULL: all. */
static struct jval *clean_object(const struct anonymize_names *names,
				 const struct jval *json, const char *const *allowed,
				 unsigned int depth)
{
	struct jval *copy = jval_object();
	const struct jval *value;
	const char *key;
	void *pos = NULL;
	int bad = 0;

	while (jval_each(json, &pos, &key, &value))
		if (!allowed || has_word(allowed, key))
			bad |= jval_put(copy, key,
					has_word(fixed_keys, key)
						? jval_copy(value)
						: clean(names, value, depth + 1));
	if (!bad)
		return copy;
	jval_free(copy);
	return NULL;
}

static struct jval *clean(const struct anonymize_names *names, const struct jval *json,
			  unsigned int depth)
{
	if (depth > MAX_JSON_DEPTH)
		return NULL;
	if (jval_text(json))
		return clean_text(names, jval_text(json));
	if (jval_is_array(json))
		return clean_array(names, json, depth);
	if (jval_is_object(json))
		return clean_object(names, json, NULL, depth);
	return jval_copy(json);
}

/* struct copying - a file being copied */
struct copying {
	const struct anonymize_names *names;
	FILE *out;
};

static int copy_record(const struct jval *record, void *data, struct err *err)
{
	struct copying *copying = data;
	struct jval *json = clean_object(copying->names, record, record_keys, 0);
	char *text = json ? jval_write(json, JVAL_LINE) : NULL;

	jval_free(json);
	if (!text)
		return err_nomem(err);
	(void)fprintf(copying->out, "%s\n", text);
	free(text);
	return 0;
}

static int write_inside(const char *out, const char *name, const char *text, size_t len,
			struct err *err)
{
	char *path = file_path("%s/%s", out, name);
	int bad = path ? file_replace(path, text, len, err) : err_nomem(err);

	free(path);
	return bad;
}

static int copy_records(const char *dir, const struct anonymize_names *names,
			const char *out, struct err *err)
{
	char *text = NULL;
	size_t len = 0;
	struct copying copying = { names, open_memstream(&text, &len) };
	int bad;

	if (!copying.out)
		return err_nomem(err);
	bad = each_record(dir, copy_record, &copying, err);
	if (fclose(copying.out) && !bad)
		bad = err_nomem(err);
	if (!bad)
		bad = write_inside(out, "records.jsonl", text, len, err);
	free(text);
	return bad;
}

/* A file of one object, under @name in both places. */
static int copy_json(const char *dir, const struct anonymize_names *names,
		     const char *out, const char *name, struct err *err)
{
	const char *const *allowed = strchr(name, '/') ? host_keys : plan_keys;
	struct jval *json = NULL;
	struct jval *copy = NULL;
	struct err why = { 0 };
	char *text = NULL;
	size_t len = 0;
	int bad = file_read_inside(dir, name, MAX_BYTES, &text, &len, err);

	if (!bad && jval_parse(text, len, &json, &why))
		bad = err_set(err, -EPROTO, "'%s/%s': %s", dir, name, why.text);
	free(text);
	text = NULL;
	if (!bad) {
		copy = clean_object(names, json, allowed, 0);
		text = copy ? jval_write(copy, JVAL_PRETTY) : NULL;
		bad = text ? write_inside(out, name, text, strlen(text), err)
			   : err_nomem(err);
	}
	free(text);
	jval_free(copy);
	jval_free(json);
	return bad;
}

static int is_facts(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return *entry->d_name != '.' && dot && !strcmp(dot, ".json");
}

static int copy_hosts(const char *dir, const struct anonymize_names *names,
		      const char *out, struct err *err)
{
	char *hosts = file_path("%s/hosts", dir);
	struct dirent **entries = NULL;
	int nr = hosts ? scandir(hosts, &entries, is_facts, alphasort) : -1;
	int bad = hosts ? 0 : err_nomem(err);
	int i;

	if (!bad && nr < 0 && errno != ENOENT)
		bad = err_set(err, -errno, "cannot read '%s': %m", hosts);
	for (i = 0; i < nr; i++) {
		char *name = file_path("hosts/%s", entries[i]->d_name);

		if (!bad)
			bad = name ? copy_json(dir, names, out, name, err)
				   : err_nomem(err);
		free(name);
		free(entries[i]);
	}
	free(entries);
	free(hosts);
	return bad;
}

int anonymize_run(const char *dir, const struct anonymize_names *names, const char *out,
		  struct err *err)
{
	char *hosts = file_path("%s/hosts", out);
	struct err why = { 0 };
	int bad = hosts ? file_make_dirs(hosts, err) : err_nomem(err);

	if (!bad)
		bad = copy_records(dir, names, out, err);
	if (!bad)
		bad = copy_hosts(dir, names, out, err);
	if (!bad) {
		/* An imported run has no plan. */
		bad = copy_json(dir, names, out, "plan.json", &why);
		bad = bad && bad != -ENOENT ? err_set(err, bad, "%s", why.text) : 0;
	}
	free(hosts);
	return bad;
}
