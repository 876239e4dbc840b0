// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads 'settings' of a column: what the machine is told before its cells run. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/text.h"
#include "runner/grid_read.h"
#include "runner/settings.h"

/* A word or a list of words, each given to @take, which gets @target. */
struct words {
	const char *expected;
	int (*take)(const struct grid_in *in, const struct yaml_node *node, void *target);
};

static int read_words(const struct grid_in *in, const struct yaml_node *node,
		      const struct words *words, void *target)
{
	int bad = 0;
	size_t i;

	if (node->kind != YAML_SEQUENCE)
		return grid_refuse_kind(in, node, words->expected);
	for (i = 0; !bad && i < node->nr_items; i++) {
		const struct yaml_node *item = node->items[i].value;

		if (item->kind != YAML_SCALAR || yaml_is_nothing(item))
			return grid_refuse_kind(in, item, words->expected);
		bad = words->take(in, item, target);
	}
	return bad;
}

static size_t find_word(const char *text, const char *const *words)
{
	size_t i = 0;

	while (words[i] && strcmp(words[i], text) != 0)
		i++;
	return i;
}

/* Which of @words it is; they end with NULL. */
static int read_choice(const struct grid_in *in, const struct yaml_node *node,
		       const char *what, const char *const *words, size_t *ret)
{
	if (node->kind != YAML_SCALAR || yaml_is_nothing(node))
		return grid_refuse(in, node, "expected one of the words for %s, %s ...",
				   what, words[0]);
	*ret = find_word(node->text, words);
	return words[*ret] ? 0 : grid_refuse_name(in, node, what, "", words);
}

static int read_switch(const struct grid_in *in, const struct yaml_node *node,
		       const char *what, enum settings_switch *ret)
{
	static const char *const words[] = { "on", "off", NULL };
	size_t idx = 0;
	int bad = read_choice(in, node, what, words, &idx);

	if (!bad)
		*ret = idx ? SETTINGS_OFF : SETTINGS_ON;
	return bad;
}

static int take_level(const struct grid_in *in, const struct yaml_node *node,
		      void *target)
{
	struct settings_domain *domain = target;
	const char *const *names = settings_level_names();

	if (!names[find_word(node->text, names)])
		return grid_refuse_name(in, node, "level", " of sched_domains", names);
	if (domain->levels.nr && settings_has_level(domain, node->text))
		return grid_refuse(in, node, "level '%s' is there twice", node->text);
	return settings_add_text(&domain->levels, node->text) ? err_nomem(in->err) : 0;
}

static int read_levels(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	static const struct words words = { "'all' or a list such as [SMT, MC]",
					    take_level };

	if (node->kind == YAML_SCALAR && !strcmp(node->text, "all"))
		return 0;
	if (node->kind == YAML_SEQUENCE && !node->nr_items)
		return grid_refuse(in, node, "no level is named (expected %s)",
				   words.expected);
	return read_words(in, node, &words, target);
}

static int take_flag(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	unsigned int *flags = target;
	unsigned int flag = 0;
	struct err why = { 0 };

	if (settings_flag(node->text, &flag, &why))
		return grid_refuse(in, node, "%s", why.text);
	if (*flags & flag)
		return grid_refuse(in, node, "flag %s is there twice", node->text);
	*flags |= flag;
	return 0;
}

static const struct words flag_words = { "a list of names such as [SD_BALANCE_WAKE]",
					 take_flag };

static int read_set(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	struct settings_domain *domain = target;

	return read_words(in, node, &flag_words, &domain->set);
}

static int read_clear(const struct grid_in *in, const struct yaml_node *node,
		      void *target)
{
	struct settings_domain *domain = target;

	return read_words(in, node, &flag_words, &domain->clear);
}

static int read_method(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	static const char *const words[] = { "write", "module", NULL };
	struct settings_domain *domain = target;
	size_t idx = 0;
	int bad = read_choice(in, node, "method", words, &idx);

	if (!bad)
		domain->method = idx ? SETTINGS_MODULE : SETTINGS_WRITE;
	return bad;
}

static int read_accept(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	static const char *const words[] = { "full", "word-only", NULL };
	struct settings_domain *domain = target;
	size_t idx = 0;
	int bad = read_choice(in, node, "effect", words, &idx);

	if (!bad)
		domain->accept_word_only = idx;
	return bad;
}

static int read_domain(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	static const struct grid_key keys[] = {
		{ "levels", read_levels, false }, { "set", read_set, false },
		{ "clear", read_clear, false },	  { "method", read_method, false },
		{ "accept", read_accept, false }, { NULL, NULL, false },
	};
	static const struct grid_mapping mapping = { "'sched_domain'",
						     "{set: [SD_BALANCE_WAKE]}", keys };
	struct settings_domain *domain = &((struct settings *)target)->domain;
	int bad = grid_read_mapping(in, node, &mapping, domain);

	if (!bad && domain->set & domain->clear)
		bad = grid_refuse(in, node, "a flag is in both 'set' and 'clear'");
	if (!bad && !(domain->set | domain->clear))
		bad = grid_refuse(in, node,
				  "no flag is named (expected some in 'set' or 'clear')");
	return bad;
}

static bool has_only(const char *text, const char *others)
{
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) && !strchr(others, *text))
			return false;
	return true;
}

/* NO_ in front of a name means off, as the kernel writes it. */
static int take_feature(const struct grid_in *in, const struct yaml_node *node,
			void *target)
{
	struct settings *settings = target;
	bool is_off = !strncmp(node->text, "NO_", 3);
	const char *name = node->text + (is_off ? 3 : 0);

	if (!*name || !has_only(node->text, "_"))
		return grid_refuse(in, node,
				   "'%s' can't be a scheduler feature (expected a name "
				   "such as WA_WEIGHT or NO_WA_WEIGHT)",
				   node->text);
	if (settings_value(&settings->features, name))
		return grid_refuse(in, node, "feature '%s' is there twice", name);
	return settings_add_pair(&settings->features, name, is_off ? "off" : "on")
		       ? err_nomem(in->err)
		       : 0;
}

static int read_features(const struct grid_in *in, const struct yaml_node *node,
			 void *target)
{
	static const struct words words = { "a list of names such as [NO_TTWU_QUEUE]",
					    take_feature };

	return read_words(in, node, &words, target);
}

/*
 * struct pairs_form - what names and values of a mapping are made of, beside letters and
 * digits; a value that could be a path or a command is none
 */
struct pairs_form {
	const char *what, *example;
	const char *in_name, *in_value;
};

static int read_pairs(const struct grid_in *in, const struct yaml_node *node,
		      const struct pairs_form *form, struct settings_pairs *pairs)
{
	size_t i;

	if (node->kind != YAML_MAPPING)
		return grid_refuse_kind(in, node, form->example);
	for (i = 0; i < node->nr_items; i++) {
		const struct yaml_node *key = node->items[i].key;
		const struct yaml_node *value = node->items[i].value;
		const char *name = key->text;

		if (!strncmp(name, "sched_", 6) && !strchr(form->in_name, '.'))
			name += 6;
		if (!*name || !has_only(name, form->in_name) || strstr(name, "..") ||
		    *name == '.' || name[strlen(name) - 1] == '.')
			return grid_refuse(in, key, "'%s' can't be a %s (expected %s)",
					   key->text, form->what, form->example);
		if (value->kind != YAML_SCALAR || !*value->text ||
		    !has_only(value->text, form->in_value))
			return grid_refuse(in, value,
					   "expected a number or word for %s '%s', as in "
					   "%s",
					   form->what, key->text, form->example);
		if (settings_value(pairs, name))
			return grid_refuse(in, key, "%s '%s' is there twice", form->what,
					   name);
		if (settings_add_pair(pairs, name, value->text))
			return err_nomem(in->err);
	}
	return 0;
}

static int read_tunables(const struct grid_in *in, const struct yaml_node *node,
			 void *target)
{
	static const struct pairs_form form = { "tunable of the scheduler",
						"{base_slice_ns: 3000000}", "_/", "_" };

	return read_pairs(in, node, &form, &((struct settings *)target)->tunables);
}

static int read_sysctl(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	static const struct pairs_form form = { "sysctl", "{vm.swappiness: 10}", "._-",
						"_- \t" };

	return read_pairs(in, node, &form, &((struct settings *)target)->sysctl);
}

static int read_word(const struct grid_in *in, const struct yaml_node *node,
		     const char *what, char **ret)
{
	int bad = grid_read_text(in, node, what, 64, ret);

	if (!bad && !has_only(*ret, "_-"))
		bad = grid_refuse(in, node, "'%s' can't be %s", *ret, what);
	return bad;
}

static int read_governor(const struct grid_in *in, const struct yaml_node *node,
			 void *target)
{
	return read_word(in, node, "a governor such as performance",
			 &((struct settings *)target)->governor);
}

static int read_thp(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	static const char *const words[] = { "always", "madvise", "never", NULL };
	struct settings *settings = target;
	size_t idx = 0;

	if (read_choice(in, node, "thp", words, &idx))
		return in->err->code;
	settings->thp = strdup(node->text);
	return settings->thp ? 0 : err_nomem(in->err);
}

static int read_turbo(const struct grid_in *in, const struct yaml_node *node,
		      void *target)
{
	return read_switch(in, node, "turbo", &((struct settings *)target)->turbo);
}

static int read_smt(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	return read_switch(in, node, "smt", &((struct settings *)target)->smt);
}

static int read_autogroup(const struct grid_in *in, const struct yaml_node *node,
			  void *target)
{
	return read_switch(in, node, "autogroup",
			   &((struct settings *)target)->autogroup);
}

static int read_numa(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	return read_switch(in, node, "numa_balancing",
			   &((struct settings *)target)->numa_balancing);
}

static int read_cpus(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	struct err why = { 0 };
	char *text = NULL;
	int bad = grid_read_pin(in, node, &text);

	if (!bad && cpulist_parse(text, target, &why))
		bad = grid_refuse(in, node, "%s", why.text);
	free(text);
	return bad;
}

static int read_offline(const struct grid_in *in, const struct yaml_node *node,
			void *target)
{
	return read_cpus(in, node, &((struct settings *)target)->offline);
}

static int read_mems(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	struct settings_cpuset *cpuset = target;
	struct cpulist nodes = { 0 };
	int bad = read_cpus(in, node, &nodes);

	if (!bad) {
		cpuset->mems = cpulist_write(&nodes);
		bad = cpuset->mems ? 0 : err_nomem(in->err);
	}
	cpulist_release(&nodes);
	return bad;
}

static int read_set_cpus(const struct grid_in *in, const struct yaml_node *node,
			 void *target)
{
	return read_cpus(in, node, &((struct settings_cpuset *)target)->cpus);
}

static int read_partition(const struct grid_in *in, const struct yaml_node *node,
			  void *target)
{
	static const char *const words[] = { "member", "root", "isolated", NULL };
	struct settings_cpuset *cpuset = target;
	size_t idx = 0;

	if (read_choice(in, node, "partition", words, &idx))
		return in->err->code;
	cpuset->partition = strdup(node->text);
	return cpuset->partition ? 0 : err_nomem(in->err);
}

static int read_cpuset(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	static const struct grid_key keys[] = {
		{ "cpus", read_set_cpus, true },
		{ "mems", read_mems, false },
		{ "partition", read_partition, false },
		{ NULL, NULL, false },
	};
	static const struct grid_mapping mapping = { "'cpuset'", "{cpus: 0-3}", keys };

	return grid_read_mapping(in, node, &mapping,
				 &((struct settings *)target)->cpuset);
}

static int take_before(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	static const char *const words[] = { "sync", "drop_caches", NULL };
	struct settings *settings = target;
	size_t idx = 0;
	bool *what;

	if (read_choice(in, node, "step", words, &idx))
		return in->err->code;
	what = idx ? &settings->drop_caches : &settings->sync;
	if (*what)
		return grid_refuse(in, node, "'%s' is there twice", node->text);
	*what = true;
	return 0;
}

static int read_before(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	static const struct words words = { "a list such as [sync, drop_caches]",
					    take_before };

	return read_words(in, node, &words, target);
}

int grid_read_settings(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	static const struct grid_key keys[] = {
		{ "sched_domain", read_domain, false },
		{ "features", read_features, false },
		{ "tunables", read_tunables, false },
		{ "sysctl", read_sysctl, false },
		{ "governor", read_governor, false },
		{ "turbo", read_turbo, false },
		{ "smt", read_smt, false },
		{ "offline", read_offline, false },
		{ "autogroup", read_autogroup, false },
		{ "numa_balancing", read_numa, false },
		{ "thp", read_thp, false },
		{ "cpuset", read_cpuset, false },
		{ "before", read_before, false },
		{ NULL, NULL, false },
	};
	static const struct grid_mapping mapping = { "'settings'",
						     "{governor: performance}", keys };
	struct grid_column *column = target;

	column->settings = settings_new();
	if (!column->settings)
		return err_nomem(in->err);
	return grid_read_mapping(in, node, &mapping, column->settings);
}
