// SPDX-License-Identifier: GPL-2.0-or-later
/* Files and values of all settings but CPUs and domains; see settings_find.h. */
#include "runner/settings_find.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/text.h"

#define DEBUG_SCHED "/sys/kernel/debug/sched"
#define CPUFREQ	    "/sys/devices/system/cpu/cpufreq"

int settings_cant(struct err *err, const char *fmt, ...)
{
	char text[sizeof(err->text)];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return err_set(err, -EOPNOTSUPP, "%s", text);
}

bool settings_has_file(const struct settings_place *place, const char *path)
{
	char *full = file_path("%s%s", place->root, path);
	bool has = full && !access(full, F_OK);

	free(full);
	return has;
}

static int want(const struct settings_place *place, struct journal_writes *writes,
		const struct journal_write *model, struct err *err)
{
	struct err why = { 0 };
	int bad = journal_may_write(place->root, model->path, &why);

	if (bad == -ENOMEM)
		return err_nomem(err);
	if (bad)
		return settings_cant(err, "%s", why.text);
	return journal_add(writes, model->kind, model->path, model->value)
		       ? 0
		       : err_nomem(err);
}

int settings_want(const struct settings_place *place, struct journal_writes *writes,
		  const char *path, const char *value, struct err *err)
{
	char *copy = strdup(path);
	char *copy_value = strdup(value);
	const struct journal_write model = { JOURNAL_VALUE, copy, copy_value,
					     NULL,	    NULL, NULL };
	int bad = copy && copy_value ? want(place, writes, &model, err) : err_nomem(err);

	free(copy);
	free(copy_value);
	return bad;
}

/* The word of a list of words that is most like @name; caller's; NULL: none. */
static char *nearest_word(const char *text, const char *name)
{
	enum { WORDS = 256 };
	const char *words[WORDS + 1] = { NULL };
	char *copy = strdup(text);
	const char *found = NULL;
	char *rest = NULL;
	char *word = copy ? strtok_r(copy, " \n", &rest) : NULL;
	char *ret = NULL;
	size_t nr = 0;

	for (; word && nr < WORDS; word = strtok_r(NULL, " \n", &rest))
		words[nr++] = word + (strncmp(word, "NO_", 3) ? 0 : 3);
	found = text_nearest(name, words);
	if (found)
		ret = strdup(found);
	free(copy);
	return ret;
}

/* The first of two places that the machine has; lent; NULL: neither. */
static const char *features_file(const struct settings_place *place)
{
	static const char *const files[] = {
		DEBUG_SCHED "/features",
		"/sys/kernel/debug/sched_features",
	};
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (settings_has_file(place, files[i]))
			return files[i];
	return NULL;
}

static int want_feature(const struct settings_place *place, const char *file,
			const struct settings_pair *pair, struct journal_writes *writes,
			struct err *err)
{
	bool is_on = !strcmp(pair->value, "on");
	char *path = strdup(file);
	char *value = file_path("%s%s", is_on ? "" : "NO_", pair->name);
	const struct journal_write model = {
		JOURNAL_WORD, path, value, NULL, NULL, NULL
	};
	char *now = path && value ? journal_now(place->root, &model) : NULL;
	char *text = now ? NULL : journal_read_file(place->root, file);
	char *nearest = text ? nearest_word(text, pair->name) : NULL;
	int bad = path && value ? 0 : err_nomem(err);

	if (!bad && !now)
		bad = settings_cant(err, "kernel %s has no scheduler feature '%s'%s%s%s",
				    place->release, pair->name,
				    nearest ? " (expected " : "", nearest ? nearest : "",
				    nearest ? "?)" : "");
	if (!bad)
		bad = want(place, writes, &model, err);
	free(nearest);
	free(text);
	free(now);
	free(value);
	free(path);
	return bad;
}

static int find_features(const struct settings_place *place,
			 const struct settings_pairs *features,
			 struct journal_writes *writes, struct err *err)
{
	const char *file = features->nr ? features_file(place) : NULL;
	int bad = 0;
	size_t i;

	if (features->nr && !file)
		return settings_cant(err,
				     "kernel %s shows no scheduler features (needs "
				     "CONFIG_SCHED_DEBUG and debugfs)",
				     place->release);
	for (i = 0; !bad && i < features->nr; i++)
		bad = want_feature(place, file, &features->pair[i], writes, err);
	return bad;
}

/* One knob under its names; the kernel's own renaming is what makes them one. */
static const char *const renamed[][2] = {
	{ "base_slice_ns", "min_granularity_ns" }, /* 6.6 */
	{ "migration_cost_ns", "migration_cost" }, /* 3.9 */
	{ "time_avg_ms", "time_avg" },		   /* 3.9 */
	{ "shares_window_ns", "shares_window" },   /* 3.9 */
};

/* In debugfs since 5.13, a sysctl before; caller's; NULL: not there. */
static char *tunable_file(const struct settings_place *place, const char *name)
{
	char *path = file_path(DEBUG_SCHED "/%s", name);

	if (path && settings_has_file(place, path))
		return path;
	free(path);
	path = file_path("/proc/sys/kernel/sched_%s", name);
	if (path && settings_has_file(place, path))
		return path;
	free(path);
	return NULL;
}

static char *any_tunable_file(const struct settings_place *place, const char *name)
{
	char *path = tunable_file(place, name);
	size_t i;

	for (i = 0; !path && i < sizeof(renamed) / sizeof(renamed[0]); i++) {
		if (!strcmp(renamed[i][0], name))
			path = tunable_file(place, renamed[i][1]);
		else if (!strcmp(renamed[i][1], name))
			path = tunable_file(place, renamed[i][0]);
	}
	return path;
}

static int find_tunables(const struct settings_place *place,
			 const struct settings_pairs *tunables,
			 struct journal_writes *writes, struct err *err)
{
	int bad = 0;
	size_t i;

	for (i = 0; !bad && i < tunables->nr; i++) {
		const struct settings_pair *pair = &tunables->pair[i];
		char *path = any_tunable_file(place, pair->name);

		if (path)
			bad = settings_want(place, writes, path, pair->value, err);
		else
			bad = settings_cant(err,
					    "kernel %s has no tunable '%s' of the "
					    "scheduler, neither in " DEBUG_SCHED
					    " nor in /proc/sys/kernel/sched_*",
					    place->release, pair->name);
		free(path);
	}
	return bad;
}

/* Dots divide a sysctl's name, as for sysctl(8). */
static int find_sysctl(const struct settings_place *place,
		       const struct settings_pairs *sysctl, struct journal_writes *writes,
		       struct err *err)
{
	int bad = 0;
	size_t i;

	for (i = 0; !bad && i < sysctl->nr; i++) {
		const struct settings_pair *pair = &sysctl->pair[i];
		char *path = file_path("/proc/sys/%s", pair->name);
		char *at;

		if (!path)
			return err_nomem(err);
		for (at = path; *at; at++)
			if (*at == '.')
				*at = '/';
		if (settings_has_file(place, path))
			bad = settings_want(place, writes, path, pair->value, err);
		else
			bad = settings_cant(err, "kernel %s has no sysctl '%s'",
					    place->release, pair->name);
		free(path);
	}
	return bad;
}

static int is_policy(const struct dirent *entry)
{
	return !strncmp(entry->d_name, "policy", 6) ||
	       (!strncmp(entry->d_name, "cpu", 3) &&
		strspn(entry->d_name + 3, "0123456789") == strlen(entry->d_name + 3));
}

static int by_number(const struct dirent **a, const struct dirent **b)
{
	return text_natural_order((*a)->d_name, (*b)->d_name);
}

static int want_governor(const struct settings_place *place, const char *folder,
			 const char *governor, struct journal_writes *writes,
			 struct err *err)
{
	char *path = file_path("%s/scaling_governor", folder);
	char *list = file_path("%s/scaling_available_governors", folder);
	char *known = NULL;
	int bad = path && list ? 0 : err_nomem(err);
	const char *at;

	if (!bad && !settings_has_file(place, path))
		goto out;
	if (!bad)
		known = journal_read_file(place->root, list);
	at = known ? strstr(known, governor) : NULL;
	if (known && (!at || (at != known && at[-1] != ' ') ||
		      !strchr(" \n", at[strlen(governor)])))
		bad = settings_cant(err, "'%s' knows no governor '%s' (it has %s)",
				    folder, governor, known);
	if (!bad)
		bad = settings_want(place, writes, path, governor, err);
out:
	free(known);
	free(list);
	free(path);
	return bad;
}

/* Policies by themselves since 4.3, below each CPU before. */
static int find_governor(const struct settings_place *place, const char *governor,
			 struct journal_writes *writes, struct err *err)
{
	static const char *const forms[][2] = {
		{ CPUFREQ, "" },
		{ "/sys/devices/system/cpu", "/cpufreq" },
	};
	const size_t had = writes->nr;
	int bad = 0;
	size_t i;

	for (i = 0; !bad && writes->nr == had && i < 2; i++) {
		char *path = file_path("%s%s", place->root, forms[i][0]);
		struct dirent **entries = NULL;
		int nr = path ? scandir(path, &entries, is_policy, by_number) : -1;
		int j;

		for (j = 0; j < nr; j++) {
			char *folder = file_path("%s/%s%s", forms[i][0],
						 entries[j]->d_name, forms[i][1]);

			if (!bad)
				bad = folder ? want_governor(place, folder, governor,
							     writes, err)
					     : err_nomem(err);
			free(folder);
			free(entries[j]);
		}
		free(entries);
		free(path);
	}
	if (!bad && writes->nr == had)
		bad = settings_cant(err, "this machine has no frequency governors");
	return bad;
}

static int find_turbo(const struct settings_place *place, enum settings_switch state,
		      struct journal_writes *writes, struct err *err)
{
	static const char intel[] = "/sys/devices/system/cpu/intel_pstate/no_turbo";
	static const char boost[] = CPUFREQ "/boost";
	bool is_on = state == SETTINGS_ON;

	if (settings_has_file(place, intel))
		return settings_want(place, writes, intel, is_on ? "0" : "1", err);
	if (settings_has_file(place, boost))
		return settings_want(place, writes, boost, is_on ? "1" : "0", err);
	return settings_cant(err, "this machine has no switch for turbo frequencies");
}

/* struct plain - a setting that is one file in one place */
struct plain {
	const char *what, *path, *value;
};

static const char *number_of(enum settings_switch state)
{
	if (state == SETTINGS_KEEP)
		return NULL;
	return state == SETTINGS_ON ? "1" : "0";
}

static int find_plain(const struct settings_place *place, const struct settings *settings,
		      struct journal_writes *writes, struct err *err)
{
	const struct plain plains[] = {
		{ "autogroup", "/proc/sys/kernel/sched_autogroup_enabled",
		  number_of(settings->autogroup) },
		{ "numa_balancing", "/proc/sys/kernel/numa_balancing",
		  number_of(settings->numa_balancing) },
		{ "thp", "/sys/kernel/mm/transparent_hugepage/enabled", settings->thp },
	};
	int bad = 0;
	size_t i;

	for (i = 0; !bad && i < sizeof(plains) / sizeof(plains[0]); i++) {
		const struct plain *plain = &plains[i];

		if (!plain->value)
			continue;
		if (settings_has_file(place, plain->path))
			bad = settings_want(place, writes, plain->path, plain->value,
					    err);
		else
			bad = settings_cant(err, "kernel %s has no '%s' for %s",
					    place->release, plain->path, plain->what);
	}
	return bad;
}

int settings_find_knobs(const struct settings_place *place,
			const struct settings *settings, struct journal_writes *writes,
			struct err *err)
{
	struct err why = { 0 };
	int bad = find_features(place, &settings->features, writes, err);

	if (!bad)
		bad = find_tunables(place, &settings->tunables, writes, err);
	if (!bad)
		bad = find_sysctl(place, &settings->sysctl, writes, err);
	if (!bad && settings->governor)
		bad = find_governor(place, settings->governor, writes, err);
	if (!bad && settings->turbo)
		bad = find_turbo(place, settings->turbo, writes, err);
	if (!bad)
		bad = find_plain(place, settings, writes, err);
	if (!bad && settings->drop_caches &&
	    journal_may_write(place->root, "/proc/sys/vm/drop_caches", &why))
		bad = settings_cant(err, "caches can't be dropped: %s", why.text);
	return bad;
}

int settings_check(const struct settings_place *place, const struct settings *settings,
		   struct err *err)
{
	struct journal_writes writes = { 0 };
	int bad = settings_find_cpus(place, settings, &writes, err);

	if (!bad)
		bad = settings_find_knobs(place, settings, &writes, err);
	if (!bad)
		bad = settings_find_domain(place, &settings->domain, &writes, err);
	journal_writes_release(&writes);
	return bad;
}
