// SPDX-License-Identifier: GPL-2.0-or-later
/* Holds submissions for KCIDB against its schema; see publish_kcidb.h. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "compare/publish_kcidb.h"
#include "lib/err.h"
#include "lib/json.h"

/* enum kind - what a value must be */
enum kind { ID, ORIGIN, PATH, STATUS, TEXT, NUMBER, OBJECT, VALUE, PREFIX };

/* struct key - one that an object may have; a NULL name ends an array */
struct key {
	const char *name;
	enum kind kind;
	bool is_required;
};

static const struct key checkout_keys[] = {
	{ "id", ID, true },
	{ "origin", ORIGIN, true },
	{ "misc", OBJECT, false },
	{ NULL, TEXT, false },
};

static const struct key build_keys[] = {
	{ "id", ID, true },	    { "checkout_id", ID, true },
	{ "origin", ORIGIN, true }, { "misc", OBJECT, false },
	{ NULL, TEXT, false },
};

static const struct key test_keys[] = {
	{ "id", ID, true },
	{ "build_id", ID, true },
	{ "origin", ORIGIN, true },
	{ "path", PATH, false },
	{ "status", STATUS, false },
	{ "number", NUMBER, false },
	{ "start_time", TEXT, false },
	{ "environment", OBJECT, false },
	{ "misc", OBJECT, false },
	{ NULL, TEXT, false },
};

static const struct key number_keys[] = {
	{ "value", VALUE, true },
	{ "unit", TEXT, false },
	{ "prefix", PREFIX, false },
	{ NULL, TEXT, false },
};

static const char lower[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
static const char plain[] = "abcdefghijklmnopqrstuvwxyz0123456789_"
			    "ABCDEFGHIJKLMNOPQRSTUVWXYZ-";

static bool is_one_of(const char *text, const char *const *words)
{
	for (; text && *words; words++)
		if (!strcmp(text, *words))
			return true;
	return false;
}

/* Segments of one letter at least between single dots. */
static bool is_path(const char *text)
{
	while (text && *text) {
		size_t len = strspn(text, plain);

		if (!len || (text[len] && (text[len] != '.' || !text[len + 1])))
			return false;
		text += len + (text[len] == '.');
	}
	return text != NULL;
}

static bool is_id(const char *text)
{
	size_t len = text ? strspn(text, lower) : 0;

	return len && text[len] == ':';
}

static int check_object(const struct jval *json, const struct key *keys,
			const char *where, struct err *err);

static bool is_right(const struct jval *value, enum kind kind)
{
	static const char *const statuses[] = { "FAIL", "ERROR", "MISS", "PASS",
						"DONE", "SKIP",	 NULL };
	static const char *const prefixes[] = { "metric", "binary", NULL };
	const char *text = jval_text(value);
	double real;

	switch (kind) {
	case ID:
		return is_id(text);
	case ORIGIN:
		return text && *text && strspn(text, lower) == strlen(text);
	case PATH:
		return is_path(text);
	case STATUS:
		return is_one_of(text, statuses);
	case PREFIX:
		return is_one_of(text, prefixes);
	case VALUE:
		return jval_real(value, &real);
	case NUMBER:
		return !check_object(value, number_keys, "number", NULL);
	case OBJECT:
		return jval_is_object(value);
	case TEXT:
	default:
		return text != NULL;
	}
}

static const struct key *find_key(const struct key *keys, const char *name)
{
	for (; keys->name; keys++)
		if (!strcmp(keys->name, name))
			return keys;
	return NULL;
}

static int check_object(const struct jval *json, const struct key *keys,
			const char *where, struct err *err)
{
	const struct jval *value;
	const struct key *key;
	const char *name;
	void *pos = NULL;

	if (!jval_is_object(json))
		return err_set(err, -EPROTO, "KCIDB: %s: expected an object", where);
	while (jval_each(json, &pos, &name, &value)) {
		key = find_key(keys, name);
		if (!key)
			return err_set(err, -EPROTO, "KCIDB: %s has no '%s'", where,
				       name);
		if (!is_right(value, key->kind))
			return err_set(err, -EPROTO,
				       "KCIDB: '%s' of %s is not what the schema wants",
				       name, where);
	}
	for (key = keys; key->name; key++)
		if (key->is_required && !jval_get(json, key->name))
			return err_set(err, -EPROTO, "KCIDB: %s needs '%s'", where,
				       key->name);
	return 0;
}

static bool has_id(const struct jval *list, size_t nr, const char *id)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (!strcmp(jval_get_text(jval_item(list, i), "id"), id))
			return true;
	return false;
}

/**
 * struct listing - one of the lists of a submission
 * @refers: the key by which its objects name one of @to; NULL: none
 */
struct listing {
	const char *name, *where;
	const struct key *keys;
	const char *refers, *to;
};

static int check_item(const struct jval *json, const struct listing *listing, size_t idx,
		      struct err *err)
{
	const struct jval *list = jval_get(json, listing->name);
	const struct jval *others = listing->to ? jval_get(json, listing->to) : NULL;
	const struct jval *item = jval_item(list, idx);
	const char *id;
	int bad = check_object(item, listing->keys, listing->where, err);

	if (bad)
		return bad;
	id = jval_get_text(item, "id");
	if (has_id(list, idx, id))
		return err_set(err, -EPROTO, "KCIDB: %s '%s' is there twice",
			       listing->where, id);
	if (others &&
	    !has_id(others, jval_count(others), jval_get_text(item, listing->refers)))
		return err_set(err, -EPROTO, "KCIDB: %s '%s' refers to what isn't there",
			       listing->where, id);
	return 0;
}

int kcidb_check(const struct jval *json, struct err *err)
{
	static const struct listing listings[] = {
		{ "checkouts", "a checkout", checkout_keys, NULL, NULL },
		{ "builds", "a build", build_keys, "checkout_id", "checkouts" },
		{ "tests", "a test", test_keys, "build_id", "builds" },
	};
	const struct jval *version = jval_get(json, "version");
	uint64_t major, minor;
	size_t i, j;
	int bad = 0;

	if (!jval_uint(jval_get(version, "major"), &major) || major != 5 ||
	    !jval_uint(jval_get(version, "minor"), &minor) || minor != 3)
		return err_set(err, -EPROTO, "KCIDB: expected version 5.3");
	for (i = 0; !bad && i < sizeof(listings) / sizeof(listings[0]); i++)
		for (j = 0; !bad && j < jval_count(jval_get(json, listings[i].name)); j++)
			bad = check_item(json, &listings[i], j, err);
	return bad;
}
