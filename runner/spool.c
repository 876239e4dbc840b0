// SPDX-License-Identifier: GPL-2.0-or-later
/* Entries that wait to be published; see spool.h. */
#include "runner/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/digest.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"

enum { ID_DIGITS = 16, MAX_ENTRY_BYTES = 1 << 20, DAY_SEC = 24 * 3600 };

static const char schema[] = "schedgrid-spool-1";
static const char making[] = ".new-";

static int put_text(struct jval *object, const char *key, const char *text)
{
	return text ? jval_put(object, key, jval_from_string(text)) : 0;
}

static struct jval *parts_json(const struct spool_part *parts, size_t nr)
{
	struct jval *list = jval_array();
	int bad = 0;
	size_t i;

	for (i = 0; i < nr; i++) {
		struct jval *part = jval_object();

		bad |= put_text(part, "name", parts[i].name);
		bad |= put_text(part, "type", parts[i].type);
		bad |= jval_push(list, part);
	}
	if (!bad)
		return list;
	jval_free(list);
	return NULL;
}

static struct jval *entry_json(const struct spool_entry *entry)
{
	struct jval *json = jval_object();
	int bad = 0;

	bad |= put_text(json, "schema", schema);
	bad |= put_text(json, "target", entry->target);
	bad |= jval_put(json, "created", jval_from_uint(entry->created_s));
	bad |= jval_put(json, "next", jval_from_uint(entry->next_s));
	bad |= jval_put(json, "tries", jval_from_uint(entry->nr_tries));
	bad |= jval_put(json, "sent", jval_from_uint(entry->nr_sent));
	bad |= jval_put(json, "failed", jval_from_bool(entry->is_failed));
	bad |= put_text(json, "ticket", entry->ticket);
	bad |= put_text(json, "reason", entry->reason);
	bad |= jval_put(json, "parts", parts_json(entry->parts, entry->nr_parts));
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

static int save_in(const char *dir, const struct spool_entry *entry, struct err *err)
{
	struct jval *json = entry_json(entry);
	char *text = json ? jval_write(json, JVAL_LINE) : NULL;
	char *path = file_path("%s/entry.json", dir);
	int bad = text && path ? file_replace(path, text, strlen(text), err)
			       : err_nomem(err);

	if (!bad)
		bad = file_sync_dir(dir, err);
	free(path);
	free(text);
	jval_free(json);
	return bad;
}

int spool_save(const struct spool_entry *entry, struct err *err)
{
	return save_in(entry->dir, entry, err);
}

/* The digest of all digests: equal parts for one target are one entry. */
static char *make_id(const struct spool_content *content)
{
	char all[DIGEST_HEX + 1] = "";
	size_t i;

	for (i = 0; i < content->nr_parts; i++) {
		const struct spool_part *part = &content->parts[i];
		char one[DIGEST_HEX + 1];
		char *text;

		digest_bytes(part->bytes, part->len, one);
		text = file_path("%s %s %s", all, one, part->name);
		if (!text)
			return NULL;
		digest_bytes(text, strlen(text), all);
		free(text);
	}
	return file_path("%s-%.*s", content->target, ID_DIGITS, all);
}

/* Entries that a crash left half made or half removed, after a day. */
static void sweep(const char *spool, uint64_t now_s)
{
	DIR *folder = opendir(spool);
	struct dirent *entry;

	while (folder && (entry = readdir(folder))) {
		char *path = file_path("%s/%s", spool, entry->d_name);
		struct stat info;

		if (path && !strncmp(entry->d_name, making, sizeof(making) - 1) &&
		    !lstat(path, &info) && (uint64_t)info.st_mtime + DAY_SEC < now_s)
			file_remove_tree(path);
		free(path);
	}
	if (folder)
		(void)closedir(folder);
}

static int make_folder(const char *spool, struct err *err)
{
	struct stat info;
	char *parent = strdup(spool);
	char *slash = parent ? strrchr(parent, '/') : NULL;
	int bad = parent ? 0 : err_nomem(err);

	if (slash && slash != parent) {
		*slash = '\0';
		bad = file_make_dirs(parent, err);
	}
	free(parent);
	if (bad)
		return bad;
	if (mkdir(spool, 0700) && errno != EEXIST)
		return err_set(err, -errno, "cannot create '%s': %m", spool);
	if (stat(spool, &info) || !S_ISDIR(info.st_mode))
		return err_set(err, -ENOTDIR, "'%s' is no folder for the spool", spool);
	if (info.st_mode & 077)
		return err_set(err, -EPERM,
			       "others may look into the spool '%s' (expected mode 0700)",
			       spool);
	return 0;
}

static int write_parts(const char *dir, const struct spool_part *parts, size_t nr,
		       struct err *err)
{
	int bad = 0;
	size_t i;

	for (i = 0; !bad && i < nr; i++) {
		char *path = file_path("%s/%zu", dir, i);

		bad = path ? file_replace(path, parts[i].bytes, parts[i].len, err)
			   : err_nomem(err);
		free(path);
	}
	return bad;
}

/* Complete and synced under a name that is no entry's, then renamed. */
static int write_entry(const char *spool, const struct spool_entry *entry,
		       struct err *err)
{
	char *tmp = file_path("%s/%s%s.XXXXXX", spool, making, entry->id);
	int bad = tmp ? 0 : err_nomem(err);

	if (!bad && !mkdtemp(tmp)) {
		bad = err_set(err, -errno, "cannot create a folder in '%s': %m", spool);
		free(tmp);
		return bad;
	}
	if (!bad)
		bad = write_parts(tmp, entry->parts, entry->nr_parts, err);
	if (!bad)
		bad = save_in(tmp, entry, err);
	/* Not there, or made by another publisher at this moment: the same. */
	if (!bad && rename(tmp, entry->dir) && errno != EEXIST && errno != ENOTEMPTY)
		bad = err_set(err, -errno, "cannot create '%s': %m", entry->dir);
	if (!bad)
		bad = file_sync_dir(spool, err);
	if (tmp)
		file_remove_tree(tmp);
	free(tmp);
	return bad;
}

int spool_add(const char *spool, const struct spool_content *content, uint64_t now_s,
	      char **ret_id, struct err *err)
{
	struct spool_entry entry = { .nr_parts = content->nr_parts, .created_s = now_s };
	int bad = make_folder(spool, err);

	if (bad)
		return bad;
	sweep(spool, now_s);
	entry.id = make_id(content);
	entry.dir = entry.id ? file_path("%s/%s", spool, entry.id) : NULL;
	entry.target = strdup(content->target);
	entry.parts = calloc(content->nr_parts, sizeof(*entry.parts));
	if (!entry.dir || !entry.target || !entry.parts)
		bad = err_nomem(err);
	if (!bad) {
		memcpy(entry.parts, content->parts,
		       content->nr_parts * sizeof(*entry.parts));
		if (access(entry.dir, F_OK))
			bad = write_entry(spool, &entry, err);
	}
	free(entry.parts);
	free(entry.target);
	free(entry.dir);
	if (bad)
		free(entry.id);
	else
		*ret_id = entry.id;
	return bad;
}

static int read_part(const struct jval *json, struct spool_part *part)
{
	const char *name = jval_get_text(json, "name");
	const char *type = jval_get_text(json, "type");

	if (!name || !type || !*name || *name == '.' || strchr(name, '/'))
		return -EPROTO;
	part->name = strdup(name);
	part->type = strdup(type);
	return part->name && part->type ? 0 : -ENOMEM;
}

static int copy_text(const struct jval *json, const char *key, char **ret)
{
	const char *text = jval_get_text(json, key);

	*ret = text ? strdup(text) : NULL;
	return text && !*ret ? -ENOMEM : 0;
}

static int read_parts(const struct jval *list, struct spool_entry *entry)
{
	size_t nr = jval_count(list);
	int bad = 0;

	if (!jval_is_array(list) || !nr || nr > SPOOL_MAX_PARTS || entry->nr_sent > nr)
		return -EPROTO;
	entry->parts = calloc(nr, sizeof(*entry->parts));
	if (!entry->parts)
		return -ENOMEM;
	for (; !bad && entry->nr_parts < nr; entry->nr_parts++)
		bad = read_part(jval_item(list, entry->nr_parts),
				&entry->parts[entry->nr_parts]);
	return bad;
}

static int read_json(const struct jval *json, struct spool_entry *entry)
{
	const char *says = jval_get_text(json, "schema");
	uint64_t nr_sent;

	if (!says || strcmp(says, schema) != 0 || !jval_get_text(json, "target") ||
	    !jval_uint(jval_get(json, "created"), &entry->created_s) ||
	    !jval_uint(jval_get(json, "next"), &entry->next_s) ||
	    !jval_uint(jval_get(json, "tries"), &entry->nr_tries) ||
	    !jval_uint(jval_get(json, "sent"), &nr_sent))
		return -EPROTO;
	entry->nr_sent = nr_sent;
	entry->is_failed = jval_is_true(jval_get(json, "failed"));
	if (copy_text(json, "target", &entry->target) ||
	    copy_text(json, "ticket", &entry->ticket) ||
	    copy_text(json, "reason", &entry->reason))
		return -ENOMEM;
	return read_parts(jval_get(json, "parts"), entry);
}

static int read_entry(struct spool_entry *entry, struct err *err)
{
	struct jval *json = NULL;
	char *text = NULL;
	size_t len = 0;
	int bad = file_read_inside(entry->dir, "entry.json", MAX_ENTRY_BYTES, &text, &len,
				   err);

	if (!bad)
		bad = jval_parse(text, len, &json, err);
	if (!bad)
		bad = read_json(json, entry);
	if (bad == -EPROTO)
		err_set(err, bad,
			"'%s/entry.json' is not what schedgrid publish leaves "
			"(expected the schema %s)",
			entry->dir, schema);
	else if (bad)
		err_set(err, bad, "cannot read '%s'", entry->dir);
	jval_free(json);
	free(text);
	return bad;
}

static int lock_entry(struct spool_entry *entry, struct err *err)
{
	struct stat there, locked;

	entry->lock = open(entry->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (entry->lock < 0)
		return err_set(err, -errno, "there is no '%s' in the spool: %m",
			       entry->id);
	if (flock(entry->lock, LOCK_EX | LOCK_NB))
		return err_set(err, errno == EWOULDBLOCK ? -EBUSY : -errno,
			       "another publisher has '%s'", entry->id);
	/* It may have been sent and removed between the two. */
	if (stat(entry->dir, &there) || fstat(entry->lock, &locked) ||
	    there.st_ino != locked.st_ino)
		return err_set(err, -ENOENT, "there is no '%s' in the spool", entry->id);
	return 0;
}

int spool_open(const char *spool, const char *id, struct spool_entry *ret,
	       struct err *err)
{
	struct spool_entry entry = { .lock = -1 };
	int bad = 0;

	memset(ret, 0, sizeof(*ret));
	ret->lock = -1;
	entry.id = strdup(id);
	entry.dir = file_path("%s/%s", spool, id);
	if (!entry.id || !entry.dir)
		bad = err_nomem(err);
	else if (!*id || *id == '.' || strchr(id, '/'))
		bad = err_set(err, -ENOENT, "'%s' names no entry of the spool", id);
	if (!bad)
		bad = lock_entry(&entry, err);
	if (!bad)
		bad = read_entry(&entry, err);
	if (bad)
		spool_close(&entry);
	else
		*ret = entry;
	return bad;
}

int spool_read_part(const struct spool_entry *entry, size_t idx, char **ret,
		    size_t *ret_len, struct err *err)
{
	char *name = file_path("%zu", idx);
	int bad = name ? file_read_inside(entry->dir, name, SPOOL_MAX_BYTES, ret, ret_len,
					  err)
		       : err_nomem(err);

	free(name);
	return bad;
}

int spool_remove(const struct spool_entry *entry, struct err *err)
{
	char *slash = strrchr(entry->dir, '/');
	char *gone = file_path("%.*s/%s%s.gone", (int)(slash - entry->dir), entry->dir,
			       making, entry->id);
	int bad = gone ? 0 : err_nomem(err);

	/* At once, so that no half entry is ever seen. */
	if (!bad && rename(entry->dir, gone))
		bad = err_set(err, -errno, "cannot remove '%s': %m", entry->dir);
	if (!bad)
		file_remove_tree(gone);
	free(gone);
	return bad;
}

void spool_close(struct spool_entry *entry)
{
	size_t i;

	for (i = 0; i < entry->nr_parts; i++) {
		free(entry->parts[i].name);
		free(entry->parts[i].type);
	}
	free(entry->parts);
	free(entry->dir);
	free(entry->id);
	free(entry->target);
	free(entry->ticket);
	free(entry->reason);
	if (entry->lock >= 0)
		(void)close(entry->lock);
	memset(entry, 0, sizeof(*entry));
	entry->lock = -1;
}

static int is_entry(const struct dirent *entry)
{
	return *entry->d_name != '.';
}

/* struct aged - an id with its age, for sorting */
struct aged {
	char *id;
	uint64_t created_s;
};

static int by_age(const void *a, const void *b)
{
	const struct aged *x = a;
	const struct aged *y = b;

	if (x->created_s != y->created_s)
		return x->created_s < y->created_s ? -1 : 1;
	return strcmp(x->id, y->id);
}

/*
 * What is gone by now has no age, and what is damaged comes first: whoever opens it says
 * so, and the others are not held up.
 */
static int read_age(const char *spool, struct aged *aged, struct err *err)
{
	struct spool_entry entry = { .lock = -1,
				     .dir = file_path("%s/%s", spool, aged->id) };
	struct err why = { 0 };
	int bad = entry.dir ? read_entry(&entry, &why) : err_nomem(&why);

	aged->created_s = entry.created_s;
	spool_close(&entry);
	return bad == -ENOMEM ? err_nomem(err) : 0;
}

static int list_folder(const char *spool, struct dirent **entries, size_t nr, char ***ret,
		       struct err *err)
{
	struct aged *aged = calloc(nr + 1, sizeof(*aged));
	char **ids = calloc(nr + 1, sizeof(*ids));
	int bad = aged && ids ? 0 : err_nomem(err);
	size_t i;

	for (i = 0; !bad && i < nr; i++) {
		aged[i].id = entries[i]->d_name;
		bad = read_age(spool, &aged[i], err);
	}
	if (!bad)
		qsort(aged, nr, sizeof(*aged), by_age);
	for (i = 0; !bad && i < nr; i++) {
		ids[i] = strdup(aged[i].id);
		bad = ids[i] ? 0 : err_nomem(err);
	}
	free(aged);
	if (bad)
		spool_list_free(ids);
	else
		*ret = ids;
	return bad;
}

int spool_list(const char *spool, char ***ret, struct err *err)
{
	struct dirent **entries = NULL;
	int nr = scandir(spool, &entries, is_entry, NULL);
	int bad = 0;
	int i;

	if (nr < 0 && errno != ENOENT)
		return err_set(err, -errno, "cannot read the spool '%s': %m", spool);
	bad = list_folder(spool, entries, nr < 0 ? 0 : (size_t)nr, ret, err);
	for (i = 0; i < nr; i++)
		free(entries[i]);
	free(entries);
	return bad;
}

void spool_list_free(char **ids)
{
	size_t i;

	for (i = 0; ids && ids[i]; i++)
		free(ids[i]);
	free(ids);
}
