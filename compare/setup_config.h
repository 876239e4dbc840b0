/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Between setup.c and setup_config.c: the kernels' configurations of the columns, and
 * what differs between them.
 */
#ifndef COMPARE_SETUP_CONFIG_H
#define COMPARE_SETUP_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

struct setup;

/**
 * struct config_use - that a column ran under a configuration
 * @column: index
 * @text: index
 */
struct config_use {
	size_t column, text;
};

/**
 * struct configs - all of them; all zero is empty
 * @texts: each once; owned
 * @nr_texts: how many
 * @uses: each once
 * @nr_uses: how many
 */
struct configs {
	char **texts;
	size_t nr_texts;
	struct config_use *uses;
	size_t nr_uses;
};

/**
 * configs_add - a column ran under a kernel of this configuration
 * @configs: receives it
 * @column: index
 * @text: as host_config_load() gives it; taken
 *
 * Return: 0 or -ENOMEM.
 */
int configs_add(struct configs *configs, size_t column, char *text);

/**
 * configs_differences - fill in the options of @setup that aren't the same
 * @configs: is only good for configs_release() afterwards
 * @setup: of as many columns
 *
 * Return: 0 or -ENOMEM.
 */
int configs_differences(struct configs *configs, struct setup *setup);

/**
 * configs_may_differ - whether runs have kept more than one configuration
 * @dirs: directories of runs
 * @nr_dirs: how many
 *
 * A look that is much quicker than setup_load() of a run with many records.
 */
bool configs_may_differ(const char *const *dirs, size_t nr_dirs);

/** configs_release - free what @configs owns */
void configs_release(struct configs *configs);

#endif
