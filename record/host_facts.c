// SPDX-License-Identifier: GPL-2.0-or-later
/* Files of /proc and /sys as facts; see host_facts.h. */
#include "record/host_facts.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/cpulist.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/topo.h"

/* More than /proc/cpuinfo has where CPUs are many. */
enum { TEXT_MAX = 1 << 24 };

char *host_read_text(const struct host_source *source, const char *path)
{
	char *whole = file_path("%s%s", source->root, path);
	char *text = NULL;

	if (whole)
		(void)file_read(whole, TEXT_MAX, &text, NULL, NULL);
	free(whole);
	return text;
}

char *host_read_line(const struct host_source *source, const char *path)
{
	char *whole = file_path("%s%s", source->root, path);
	char *line = whole ? file_read_line(whole) : NULL;

	free(whole);
	return line;
}

bool host_has_file(const struct host_source *source, const char *path)
{
	char *whole = file_path("%s%s", source->root, path);
	bool is_there = whole && !access(whole, F_OK);

	free(whole);
	return is_there;
}

int host_put_text(struct jval *object, const char *key, const char *text)
{
	return text ? jval_put(object, key, jval_from_string(text)) : 0;
}

int host_put_line(const struct host_source *source, struct jval *object, const char *key,
		  const char *path)
{
	char *line = host_read_line(source, path);
	int bad = host_put_text(object, key, line);

	free(line);
	return bad;
}

int host_put_chosen(const struct host_source *source, struct jval *object,
		    const char *key, const char *path)
{
	char *line = host_read_line(source, path);
	char *chosen = line ? strpbrk(line, "[(") : NULL;
	int bad;

	if (chosen) {
		chosen++;
		chosen[strcspn(chosen, "])")] = '\0';
	}
	bad = host_put_text(object, key, chosen ? chosen : line);
	free(line);
	return bad;
}

const char *host_last_word(const char *text, const char *word)
{
	size_t len = strlen(word);
	const char *last = NULL;
	const char *at;

	for (at = strstr(text, word); at; at = strstr(at + len, word))
		if ((at == text || at[-1] == ' ') && (at[len] == ' ' || !at[len]))
			last = at;
	return last;
}

int host_put_filled(struct jval *object, const char *key, struct jval *value)
{
	if (!value)
		return -ENOMEM;
	if (jval_count(value))
		return jval_put(object, key, value);
	jval_free(value);
	return 0;
}

/* Not alphasort(), which follows the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static bool is_regular(const char *path)
{
	struct stat info;

	return !stat(path, &info) && S_ISREG(info.st_mode);
}

static int put_entry(struct jval *object, const char *folder, const char *name)
{
	char *path = file_path("%s/%s", folder, name);
	char *line = path && is_regular(path) ? file_read_line(path) : NULL;
	int bad = path ? host_put_text(object, name, line) : -ENOMEM;

	free(line);
	free(path);
	return bad;
}

int host_put_dir(const struct host_source *source, struct jval *object, const char *key,
		 const char *path, const char *prefix)
{
	char *folder = file_path("%s%s", source->root, path);
	struct jval *found = jval_object();
	struct dirent **names = NULL;
	int bad = folder && found ? 0 : -ENOMEM;
	int nr = bad ? 0 : scandir(folder, &names, NULL, by_name);
	int i;

	for (i = 0; i < nr; i++) {
		if (!bad && *names[i]->d_name != '.' &&
		    !strncmp(names[i]->d_name, prefix, strlen(prefix)))
			bad = put_entry(found, folder, names[i]->d_name);
		free(names[i]);
	}
	free(names);
	free(folder);
	if (!bad)
		return host_put_filled(object, key, found);
	jval_free(found);
	return bad;
}

/* struct spread - a text and the CPUs that have it */
struct spread {
	char *text;
	struct cpulist cpus;
};

/* Takes @text. */
static int add_to_spread(struct spread *spreads, size_t *nr, char *text, unsigned int cpu)
{
	size_t i;

	for (i = 0; i < *nr; i++)
		if (!strcmp(spreads[i].text, text))
			break;
	if (i < *nr)
		free(text);
	else
		spreads[(*nr)++].text = text;
	return cpulist_add(&spreads[i].cpus, cpu);
}

static int put_spreads(struct jval *object, const char *key, const struct spread *spreads,
		       size_t nr, size_t nr_cpus)
{
	struct jval *map;
	int bad = 0;
	size_t i;

	if (!nr)
		return 0;
	if (nr == 1 && spreads->cpus.nr == nr_cpus)
		return host_put_text(object, key, spreads->text);
	map = jval_object();
	for (i = 0; i < nr; i++) {
		char *list = cpulist_write(&spreads[i].cpus);

		bad |= list ? host_put_text(map, spreads[i].text, list) : -ENOMEM;
		free(list);
	}
	return bad | jval_put(object, key, map);
}

int host_put_per_cpu(const struct host_source *source, struct jval *object,
		     const char *key, const char *name)
{
	const struct topo *topo = source->topo;
	struct spread *spreads = calloc(topo->nr_cpus + 1, sizeof(*spreads));
	int bad = spreads ? 0 : -ENOMEM;
	size_t nr = 0;
	size_t i;

	for (i = 0; !bad && i < topo->nr_cpus; i++) {
		char *path = file_path("/sys/devices/system/cpu/cpu%u/%s",
				       topo->cpus[i].cpu, name);
		char *line = path ? host_read_line(source, path) : NULL;

		free(path);
		if (line)
			bad = add_to_spread(spreads, &nr, line, topo->cpus[i].cpu);
	}
	if (!bad)
		bad = put_spreads(object, key, spreads, nr, topo->nr_cpus);
	for (i = 0; i < nr; i++) {
		free(spreads[i].text);
		cpulist_release(&spreads[i].cpus);
	}
	free(spreads);
	return bad;
}
