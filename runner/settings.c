// SPDX-License-Identifier: GPL-2.0-or-later
/* Settings as words: held, shared and told apart; see settings.h. */
#include "runner/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/json.h"
#include "lib/text.h"
#include "policy/flags.h"

/* Kernels whose flags together are all there have been; the newest names last. */
static const char *const eras[] = {
	"2.6.32", "2.6.36", "3.16", "4.9", "5.14", "6.7", "6.12",
};

enum { ERAS = sizeof(eras) / sizeof(eras[0]) };

struct settings *settings_new(void)
{
	struct settings *settings = calloc(1, sizeof(*settings));

	if (settings)
		settings->users = 1;
	return settings;
}

struct settings *settings_share(struct settings *settings)
{
	if (settings)
		settings->users++;
	return settings;
}

static void release_list(struct settings_list *list)
{
	size_t i;

	for (i = 0; i < list->nr; i++)
		free(list->text[i]);
	free(list->text);
}

static void release_pairs(struct settings_pairs *pairs)
{
	size_t i;

	for (i = 0; i < pairs->nr; i++) {
		free(pairs->pair[i].name);
		free(pairs->pair[i].value);
	}
	free(pairs->pair);
}

void settings_free(struct settings *settings)
{
	if (!settings || --settings->users)
		return;
	release_list(&settings->domain.levels);
	release_pairs(&settings->features);
	release_pairs(&settings->tunables);
	release_pairs(&settings->sysctl);
	cpulist_release(&settings->offline);
	cpulist_release(&settings->cpuset.cpus);
	free(settings->cpuset.mems);
	free(settings->cpuset.partition);
	free(settings->governor);
	free(settings->thp);
	free(settings);
}

static bool any_domain(const struct settings_domain *domain)
{
	return domain->set || domain->clear;
}

bool settings_any(const struct settings *settings)
{
	return settings &&
	       (any_domain(&settings->domain) || settings->features.nr ||
		settings->tunables.nr || settings->sysctl.nr || settings->governor ||
		settings->thp || settings->turbo || settings->smt ||
		settings->autogroup || settings->numa_balancing || settings->offline.nr ||
		settings->cpuset.cpus.nr || settings->drop_caches || settings->sync);
}

int settings_add_text(struct settings_list *list, const char *text)
{
	char **grown = reallocarray(list->text, list->nr + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	list->text = grown;
	grown[list->nr] = strdup(text);
	if (!grown[list->nr])
		return -ENOMEM;
	list->nr++;
	return 0;
}

int settings_add_pair(struct settings_pairs *pairs, const char *name, const char *value)
{
	struct settings_pair *grown =
		reallocarray(pairs->pair, pairs->nr + 1, sizeof(*grown));
	struct settings_pair *pair;

	if (!grown)
		return -ENOMEM;
	pairs->pair = grown;
	pair = &grown[pairs->nr++];
	pair->name = strdup(name);
	pair->value = strdup(value);
	return pair->name && pair->value ? 0 : -ENOMEM;
}

const char *settings_value(const struct settings_pairs *pairs, const char *name)
{
	size_t i;

	for (i = 0; i < pairs->nr; i++)
		if (!strcmp(pairs->pair[i].name, name))
			return pairs->pair[i].value;
	return NULL;
}

static struct jval *or_nothing(struct jval *json, int bad)
{
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

/* Each flag by the newest name it has had. */
static struct jval *flags_json(unsigned int flags)
{
	struct jval *list = jval_array();
	int bad = list ? 0 : -ENOMEM;
	unsigned int flag;
	size_t i;

	for (flag = 1; !bad && flag && flag <= flags; flag <<= 1) {
		const struct sd_map *map = NULL;
		char *name = NULL;

		for (i = ERAS; (flags & flag) && i > 0 && !(name && *name); i--) {
			free(name);
			bad |= sd_map_find(eras[i - 1], &map, NULL);
			name = bad ? NULL : sd_flags_write(map, flag);
			bad |= name ? 0 : -ENOMEM;
		}
		if (name)
			bad |= jval_push(list, jval_from_string(name));
		free(name);
	}
	return or_nothing(list, bad);
}

/* Each row is one level under all of its names; the first is what we call it. */
enum { LEVEL_NAMES = 4 };

static const char *const levels_known[][LEVEL_NAMES] = {
	{ "SMT", "SIBLING" }, { "CLS" },    { "MC" },		{ "PKG", "DIE", "CPU" },
	{ "BOOK" },	      { "DRAWER" }, { "NUMA", "NODE" }, { "ALLNODES" },
};

enum { LEVELS = sizeof(levels_known) / sizeof(levels_known[0]) };

static size_t level_of(const char *name)
{
	size_t i, j;

	for (i = 0; i < LEVELS; i++)
		for (j = 0; j < LEVEL_NAMES && levels_known[i][j]; j++)
			if (!strcmp(levels_known[i][j], name))
				return i;
	return LEVELS;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static struct jval *levels_json(const struct settings_list *levels)
{
	struct jval *list = jval_array();
	const char **sorted = calloc(levels->nr + 1, sizeof(*sorted));
	int bad = list && sorted ? 0 : -ENOMEM;
	size_t i;

	for (i = 0; !bad && i < levels->nr; i++)
		sorted[i] = levels_known[level_of(levels->text[i])][0];
	if (!bad)
		qsort(sorted, levels->nr, sizeof(*sorted), by_text);
	for (i = 0; !bad && i < levels->nr; i++)
		bad = jval_push(list, jval_from_string(sorted[i]));
	free(sorted);
	return or_nothing(list, bad);
}

static struct jval *domain_json(const struct settings_domain *domain)
{
	struct jval *json = jval_object();
	int bad;

	bad = jval_put(json, "levels",
		       domain->levels.nr ? levels_json(&domain->levels)
					 : jval_from_string("all"));
	if (domain->set)
		bad |= jval_put(json, "set", flags_json(domain->set));
	if (domain->clear)
		bad |= jval_put(json, "clear", flags_json(domain->clear));
	bad |= jval_put(
		json, "method",
		jval_from_string(domain->method == SETTINGS_MODULE ? "module" : "write"));
	return or_nothing(json, bad);
}

static int put_pairs(struct jval *json, const char *key,
		     const struct settings_pairs *pairs)
{
	struct jval *object;
	int bad = 0;
	size_t i;

	if (!pairs->nr)
		return 0;
	object = jval_object();
	for (i = 0; i < pairs->nr; i++)
		bad |= jval_put(object, pairs->pair[i].name,
				jval_from_string(pairs->pair[i].value));
	return bad | jval_put(json, key, object);
}

static int put_text(struct jval *json, const char *key, const char *text)
{
	return text ? jval_put(json, key, jval_from_string(text)) : 0;
}

static int put_switch(struct jval *json, const char *key, enum settings_switch state)
{
	return put_text(json, key,
			state == SETTINGS_KEEP ? NULL
			: state == SETTINGS_ON ? "on"
					       : "off");
}

static int put_cpus(struct jval *json, const char *key, const struct cpulist *cpus)
{
	char *text = cpus->nr ? cpulist_write(cpus) : NULL;
	int bad = cpus->nr && !text ? -ENOMEM : put_text(json, key, text);

	free(text);
	return bad;
}

static int put_cpuset(struct jval *json, const struct settings_cpuset *cpuset)
{
	struct jval *object;
	int bad;

	if (!cpuset->cpus.nr)
		return 0;
	object = jval_object();
	bad = put_cpus(object, "cpus", &cpuset->cpus);
	bad |= put_text(object, "mems", cpuset->mems);
	bad |= put_text(object, "partition", cpuset->partition);
	return bad | jval_put(json, "cpuset", object);
}

static int put_before(struct jval *json, const struct settings *settings)
{
	struct jval *list;
	int bad = 0;

	if (!settings->sync && !settings->drop_caches)
		return 0;
	list = jval_array();
	if (settings->sync)
		bad |= jval_push(list, jval_from_string("sync"));
	if (settings->drop_caches)
		bad |= jval_push(list, jval_from_string("drop_caches"));
	return bad | jval_put(json, "before", list);
}

struct jval *settings_json(const struct settings *settings)
{
	struct jval *json = jval_object();
	int bad = 0;

	if (any_domain(&settings->domain))
		bad |= jval_put(json, "sched_domain", domain_json(&settings->domain));
	bad |= put_pairs(json, "features", &settings->features);
	bad |= put_pairs(json, "tunables", &settings->tunables);
	bad |= put_pairs(json, "sysctl", &settings->sysctl);
	bad |= put_text(json, "governor", settings->governor);
	bad |= put_switch(json, "turbo", settings->turbo);
	bad |= put_switch(json, "smt", settings->smt);
	bad |= put_cpus(json, "offline", &settings->offline);
	bad |= put_switch(json, "autogroup", settings->autogroup);
	bad |= put_switch(json, "numa_balancing", settings->numa_balancing);
	bad |= put_text(json, "thp", settings->thp);
	bad |= put_cpuset(json, &settings->cpuset);
	bad |= put_before(json, settings);
	return or_nothing(json, bad);
}

const char *const *settings_level_names(void)
{
	static const char *const names[] = {
		"SMT",	"CLS",	    "MC",   "PKG",    "DIE",	 "CPU", "NUMA",
		"NODE", "ALLNODES", "BOOK", "DRAWER", "SIBLING", NULL,
	};

	return names;
}

bool settings_has_level(const struct settings_domain *domain, const char *name)
{
	size_t i;

	for (i = 0; i < domain->levels.nr; i++) {
		const char *wanted = domain->levels.text[i];

		if (!strcmp(wanted, name) ||
		    (level_of(name) < LEVELS && level_of(wanted) == level_of(name)))
			return true;
	}
	return !domain->levels.nr;
}

/* Says which name is nearest among those of all kernels. */
static int refuse_flag(const char *name, struct err *err)
{
	enum { NAMES = 64 };
	const char *names[NAMES + 1] = { NULL };
	char *texts[ERAS] = { NULL };
	const char *nearest;
	size_t nr = 0;
	size_t i;

	for (i = 0; i < ERAS; i++) {
		const struct sd_map *map = NULL;
		char *rest = NULL;
		char *word = NULL;

		if (!sd_map_find(eras[i], &map, NULL))
			texts[i] = sd_flags_write(map, sd_map_flags(map));
		if (texts[i])
			word = strtok_r(texts[i], " ", &rest);
		for (; word && nr < NAMES; word = strtok_r(NULL, " ", &rest))
			names[nr++] = word;
	}
	nearest = text_nearest(name, names);
	err_set(err, -EINVAL, "'%s' is no sched_domain flag of any kernel (expected %s)",
		name, nearest ? nearest : "a name such as SD_BALANCE_WAKE");
	for (i = 0; i < ERAS; i++)
		free(texts[i]);
	return -EINVAL;
}

int settings_flag(const char *name, unsigned int *ret, struct err *err)
{
	size_t i;

	for (i = 0; i < ERAS; i++) {
		const struct sd_map *map = NULL;

		if (!sd_map_find(eras[i], &map, NULL) &&
		    !sd_flag_parse(map, name, ret, NULL))
			return 0;
	}
	return refuse_flag(name, err);
}
