// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Flags of sched_domains: where a kernel has them, whether it takes them, and what each
 * CPU's word is to become. A kernel keeps a copy of each level for each CPU, so all are
 * written; a number is decoded by the map of that kernel, and a level known by its name.
 */
#include "runner/settings_find.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/text.h"
#include "policy/flags.h"
#include "policy/release.h"

/* More levels than any kernel builds. */
enum { MAX_LEVELS = 16 };

/* struct search - what is looked for, and where */
struct search {
	const struct settings_place *place;
	const struct settings_domain *domain;
	const struct sd_map *map;
	const char *folder;
	struct journal_writes *writes;
	size_t nr_found;
	struct err *err;
};

/* Those of @flags that the kernel no longer looks at. */
static unsigned int word_only(unsigned int flags, unsigned int release)
{
	unsigned int found = 0;
	unsigned int flag;

	for (flag = 1; flag && flag <= flags; flag <<= 1)
		if ((flags & flag) &&
		    sd_flag_effect(release, (enum sd_flag)flag) == SD_EFFECT_WORD)
			found |= flag;
	return found;
}

bool settings_is_word_only(const struct settings_domain *domain, const char *release)
{
	unsigned int number = 0;

	return !release_parse(release, &number, NULL) &&
	       word_only(domain->set | domain->clear, number);
}

/* By the kernel's own word. */
static int check_flags(const struct search *search)
{
	const struct settings_domain *domain = search->domain;
	const unsigned int flags = domain->set | domain->clear;
	const unsigned int strange = flags & ~sd_map_flags(search->map);
	const char *release = search->place->release;
	struct err why = { 0 };
	unsigned int number = 0;
	unsigned long ignored;
	unsigned int words;
	char *names;
	int bad = 0;

	if (strange && sd_flags_encode(search->map, strange, &ignored, &why))
		return settings_cant(search->err, "%s", why.text);
	(void)release_parse(release, &number, NULL);
	words = domain->accept_word_only ? 0 : word_only(flags, number);
	if (!words)
		return 0;
	names = sd_flags_write(search->map, words);
	if (!names)
		return err_nomem(search->err);
	bad = settings_cant(search->err,
			    "a write to %s changes nothing in kernel %s but the word "
			    "itself (accept: word-only takes it all the same)",
			    names, release);
	free(names);
	return bad;
}

/* A number up to 5.9, names since. */
static int read_flags(const struct search *search, const char *path, unsigned int *ret)
{
	char *text = journal_read_file(search->place->root, path);
	struct err why = { 0 };
	uint64_t number = 0;
	int bad;

	if (!text)
		return settings_cant(search->err, "'%s' can't be read", path);
	if (!isdigit((unsigned char)*text))
		bad = settings_cant(search->err,
				    "kernel %s prints names in '%s' and takes none "
				    "(expected one before 5.8, or method: module)",
				    search->place->release, path);
	else if (text_uint(text, 0, UINT32_MAX, &number, &why) ||
		 sd_flags_decode(search->map, number, ret, &why))
		bad = settings_cant(search->err, "'%s': %s", path, why.text);
	else
		bad = 0;
	free(text);
	return bad;
}

static int add_level(struct search *search, const char *path, char *beside)
{
	const struct settings_domain *domain = search->domain;
	struct journal_write *write;
	unsigned int flags = 0;
	unsigned long number = 0;
	char value[32];

	if (read_flags(search, path, &flags))
		return search->err->code;
	flags = (flags | domain->set) & ~domain->clear;
	if (sd_flags_encode(search->map, flags, &number, search->err))
		return search->err->code;
	(void)snprintf(value, sizeof(value), "%lu", number);
	if (settings_want(search->place, search->writes, path, value, search->err))
		return search->err->code;
	write = &search->writes->write[search->writes->nr - 1];
	write->beside = strdup(beside);
	search->nr_found++;
	return write->beside ? 0 : err_nomem(search->err);
}

/* Returns 1 behind the last level. */
static int look_at_level(struct search *search, const char *cpu, unsigned int level)
{
	char *path = file_path("%s/%s/domain%u/flags", search->folder, cpu, level);
	char *beside = file_path("%s/%s/domain%u/name", search->folder, cpu, level);
	char *name = NULL;
	int ret = path && beside ? 0 : err_nomem(search->err);

	if (!ret)
		name = journal_read_file(search->place->root, beside);
	if (!ret && !name)
		ret = 1;
	else if (!ret && settings_has_level(search->domain, name))
		ret = add_level(search, path, beside);
	free(name);
	free(beside);
	free(path);
	return ret;
}

static int is_cpu(const struct dirent *entry)
{
	return !strncmp(entry->d_name, "cpu", 3) &&
	       isdigit((unsigned char)entry->d_name[3]);
}

static int by_number(const struct dirent **a, const struct dirent **b)
{
	return text_natural_order((*a)->d_name, (*b)->d_name);
}

static int look_at_cpus(struct search *search)
{
	char *path = file_path("%s%s", search->place->root, search->folder);
	struct dirent **cpus = NULL;
	int nr = path ? scandir(path, &cpus, is_cpu, by_number) : -1;
	int bad = path ? 0 : err_nomem(search->err);
	unsigned int level;
	int i;

	for (i = 0; i < nr; i++) {
		for (level = 0; bad == 0 && level < MAX_LEVELS; level++)
			bad = look_at_level(search, cpus[i]->d_name, level);
		if (bad > 0)
			bad = 0;
		free(cpus[i]);
	}
	free(cpus);
	free(path);
	return bad;
}

/* Since 5.13 the first, before it the second. */
static const char *find_folder(const struct settings_place *place)
{
	static const char *const folders[] = {
		"/sys/kernel/debug/sched/domains",
		"/proc/sys/kernel/sched_domain",
	};
	size_t i;

	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (settings_has_file(place, folders[i]))
			return folders[i];
	return NULL;
}

static int refuse_levels(const struct search *search)
{
	const struct settings_list *levels = &search->domain->levels;
	char text[200] = "";
	size_t at = 0;
	size_t i;

	if (!levels->nr)
		return settings_cant(search->err, "no CPU has a sched_domain");
	for (i = 0; i < levels->nr && at < sizeof(text); i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s",
				       i ? " or " : "", levels->text[i]);
	return settings_cant(search->err, "no CPU has a sched_domain of level %s", text);
}

int settings_find_domain(const struct settings_place *place,
			 const struct settings_domain *domain,
			 struct journal_writes *writes, struct err *err)
{
	struct search search = { place, domain, NULL, NULL, writes, 0, err };
	struct err why = { 0 };

	if (!(domain->set | domain->clear))
		return 0;
	if (sd_map_find(place->release, &search.map, &why))
		return settings_cant(err, "%s", why.text);
	if (check_flags(&search))
		return err->code;
	if (domain->method == SETTINGS_MODULE)
		return settings_cant(err, "method 'module' isn't there yet");
	search.folder = find_folder(place);
	if (!search.folder)
		return settings_cant(
			err,
			"kernel %s shows no sched_domains (needs CONFIG_SCHED_DEBUG; "
			"since 5.13 debugfs, since 6.3 sched_verbose on its command line "
			"too)",
			place->release);
	if (look_at_cpus(&search))
		return err->code;
	return search.nr_found ? 0 : refuse_levels(&search);
}
