// SPDX-License-Identifier: GPL-2.0-or-later
/* Compares configurations option by option; see setup_config.h. */
#include "compare/setup_config.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compare/setup.h"
#include "compare/textmap.h"
#include "lib/file.h"
#include "record/host_config.h"

/* What a kernel lacks, whether its configuration has a remark on it or nothing at all. */
static const char not_set[] = "not set";

int configs_add(struct configs *configs, size_t column, char *text)
{
	struct config_use *uses;
	size_t at, i;

	for (at = 0; at < configs->nr_texts; at++)
		if (!strcmp(configs->texts[at], text))
			break;
	if (at == configs->nr_texts) {
		char **texts = reallocarray(configs->texts, at + 1, sizeof(*texts));

		if (!texts) {
			free(text);
			return -ENOMEM;
		}
		configs->texts = texts;
		texts[configs->nr_texts++] = text;
	} else {
		free(text);
	}
	for (i = 0; i < configs->nr_uses; i++)
		if (configs->uses[i].column == column && configs->uses[i].text == at)
			return 0;
	uses = reallocarray(configs->uses, configs->nr_uses + 1, sizeof(*uses));
	if (!uses)
		return -ENOMEM;
	configs->uses = uses;
	uses[configs->nr_uses++] = (struct config_use){ column, at };
	return 0;
}

/*
 * struct option - of some configuration
 * @name: part of a text
 * @values: for each text part of it, or NULL
 */
struct option {
	const char *name;
	const char **values;
};

/*
 * struct options - all that some configuration has
 * @index: names to index + 1
 */
struct options {
	struct option *option;
	size_t nr, room;
	struct textmap index;
};

static struct option *find_option(struct options *options, const char *name,
				  size_t nr_texts)
{
	struct textmap_entry *entry = textmap_add(&options->index, name);
	struct option *option;
	const char **values;

	if (!entry)
		return NULL;
	if (entry->value)
		return &options->option[(uintptr_t)entry->value - 1];
	if (options->nr == options->room) {
		size_t room = options->room ? 2 * options->room : 4096;
		struct option *grown =
			reallocarray(options->option, room, sizeof(*grown));

		if (!grown)
			return NULL;
		options->option = grown;
		options->room = room;
	}
	values = calloc(nr_texts, sizeof(*values));
	if (!values)
		return NULL;
	option = &options->option[options->nr++];
	option->name = name;
	option->values = values;
	entry->value = (void *)(uintptr_t)options->nr;
	return option;
}

static int read_options(const struct configs *configs, struct options *options)
{
	size_t i;

	for (i = 0; i < configs->nr_texts; i++) {
		const char *name, *value;
		char *at = configs->texts[i];

		while (host_config_next(&at, &name, &value)) {
			struct option *option =
				find_option(options, name, configs->nr_texts);

			if (!option)
				return -ENOMEM;
			/* The last one counts, as for the kernel's own build. */
			option->values[i] = strcmp(value, "n") ? value : NULL;
		}
	}
	return 0;
}

static bool differs(const struct option *option, size_t nr_texts)
{
	size_t i;

	for (i = 1; i < nr_texts; i++) {
		const char *a = option->values[0] ? option->values[0] : not_set;
		const char *b = option->values[i] ? option->values[i] : not_set;

		if (strcmp(a, b) != 0)
			return true;
	}
	return false;
}

/* Of a few hundred that differ, what a reader of such tables wants to see first. */
static bool is_of_scheduling(const char *name)
{
	static const char *const parts[] = { "SCHED",	 "PREEMPT",  "_HZ",
					     "NUMA",	 "_SMT",     "NR_CPUS",
					     "CGROUP",	 "CPU_FREQ", "CPUFREQ",
					     "CPU_IDLE", "RCU_",     "ENERGY_MODEL" };
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strstr(name, parts[i]))
			return true;
	return false;
}

static int add_fact(const struct configs *configs, const struct option *option,
		    struct setup *setup)
{
	struct setup_fact *fact;
	int bad = setup_fact_new(&setup->options, &setup->nr_options, option->name,
				 setup->nr_columns);
	size_t i;

	if (bad)
		return bad;
	fact = &setup->options[setup->nr_options - 1];
	fact->differs = true;
	for (i = 0; !bad && i < configs->nr_uses; i++) {
		const struct config_use *use = &configs->uses[i];
		const char *value = option->values[use->text];

		bad = setup_fact_add(fact, use->column, value ? value : not_set);
	}
	return bad;
}

static int add_facts(const struct configs *configs, const struct options *options,
		     bool of_scheduling, struct setup *setup)
{
	int bad = 0;
	size_t i;

	for (i = 0; !bad && i < options->nr; i++) {
		const struct option *option = &options->option[i];

		if (is_of_scheduling(option->name) == of_scheduling &&
		    differs(option, configs->nr_texts))
			bad = add_fact(configs, option, setup);
	}
	return bad;
}

int configs_differences(struct configs *configs, struct setup *setup)
{
	struct options options = { 0 };
	int bad = 0;
	size_t i;

	if (configs->nr_texts > 1)
		bad = read_options(configs, &options);
	if (!bad)
		bad = add_facts(configs, &options, true, setup);
	if (!bad)
		bad = add_facts(configs, &options, false, setup);
	for (i = 0; i < options.nr; i++)
		free(options.option[i].values);
	free(options.option);
	textmap_release(&options.index);
	return bad;
}

/* The name of a boot in hosts/, where @name is of a configuration; the caller's. */
static char *boot_of(const char *name)
{
	static const char end[] = ".config";
	size_t len = strlen(name);

	if (len <= strlen(end) || strcmp(name + len - strlen(end), end) != 0)
		return NULL;
	return strndup(name, len - strlen(end));
}

/* Adds those of @dir until there are two; what can't be read, setup_load() says. */
static void look_into(struct configs *configs, const char *dir)
{
	char *path = file_path("%s/hosts", dir);
	DIR *hosts = path ? opendir(path) : NULL;
	struct dirent *entry;

	while (hosts && configs->nr_texts < 2 && (entry = readdir(hosts))) {
		char *boot = boot_of(entry->d_name);
		char *text = NULL;

		if (boot && !host_config_load(dir, boot, &text, NULL))
			(void)configs_add(configs, 0, text);
		free(boot);
	}
	if (hosts)
		(void)closedir(hosts);
	free(path);
}

bool configs_may_differ(const char *const *dirs, size_t nr_dirs)
{
	struct configs configs = { 0 };
	bool may;
	size_t i;

	for (i = 0; i < nr_dirs; i++)
		look_into(&configs, dirs[i]);
	may = configs.nr_texts > 1;
	configs_release(&configs);
	return may;
}

void configs_release(struct configs *configs)
{
	size_t i;

	for (i = 0; i < configs->nr_texts; i++)
		free(configs->texts[i]);
	free(configs->texts);
	free(configs->uses);
	*configs = (struct configs){ 0 };
}
