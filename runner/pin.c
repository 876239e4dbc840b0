// SPDX-License-Identifier: GPL-2.0-or-later
/* Resolves pin words and CPU lists; see pin.h. */
#include "runner/pin.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cpulist.h"
#include "lib/err.h"
#include "lib/text.h"
#include "lib/topo.h"

/* What a word takes from the machine: all of one place, or one CPU of each. */
enum reach { ALL_OF_ONE, ONE_OF_EACH };

static const struct pin_word {
	const char *word;
	const char *place; /* for messages; NULL: the CPU itself */
	enum reach reach;
	size_t offset; /* of the place in struct topo_cpu */
} words[] = {
	{ "one-cpu", NULL, ALL_OF_ONE, 0 },
	{ "one-core", "core", ALL_OF_ONE, offsetof(struct topo_cpu, core) },
	{ "one-llc", "last-level cache", ALL_OF_ONE, offsetof(struct topo_cpu, llc) },
	{ "one-node", "NUMA node", ALL_OF_ONE, offsetof(struct topo_cpu, node) },
	{ "one-per-core", "core", ONE_OF_EACH, offsetof(struct topo_cpu, core) },
	{ "one-per-llc", "last-level cache", ONE_OF_EACH,
	  offsetof(struct topo_cpu, llc) },
	{ "one-per-node", "NUMA node", ONE_OF_EACH, offsetof(struct topo_cpu, node) },
};

enum { NR_WORDS = sizeof(words) / sizeof(words[0]) };

/*
 * Two CPUs, and the level that lies between them: all that is inside it they share,
 * so that what is measured is this level and no other.
 */
struct pin_pair {
	const char *word;
	bool (*fits)(const struct topo_cpu *a, const struct topo_cpu *b);
	const char *wanted; /* for messages, behind "have no two" */
};

const char *const *pin_words(void)
{
	static const char *const names[] = {
		"one-cpu",	"one-core",    "one-llc",      "one-node",
		"one-per-core", "one-per-llc", "one-per-node", "one-llc-or-cpu",
		"same-core",	"same-llc",    "cross-llc",    "cross-node",
		NULL,
	};

	return names;
}

static const struct pin_word *find_word(const char *text)
{
	size_t i;

	for (i = 0; i < NR_WORDS; i++)
		if (!strcmp(words[i].word, text))
			return &words[i];
	return NULL;
}

static bool is_same(int a, int b)
{
	return a >= 0 && a == b;
}

static bool is_other(int a, int b)
{
	return a >= 0 && b >= 0 && a != b;
}

static bool is_same_core(const struct topo_cpu *a, const struct topo_cpu *b)
{
	return is_same(a->core, b->core);
}

static bool is_same_llc(const struct topo_cpu *a, const struct topo_cpu *b)
{
	return is_other(a->core, b->core) && is_same(a->llc, b->llc);
}

/* A kernel without NUMA tells no nodes: then all CPUs are on one. */
static bool is_cross_llc(const struct topo_cpu *a, const struct topo_cpu *b)
{
	return is_other(a->llc, b->llc) && a->node == b->node;
}

static bool is_cross_node(const struct topo_cpu *a, const struct topo_cpu *b)
{
	return is_other(a->node, b->node);
}

static const struct pin_pair *find_pair(const char *text)
{
	static const struct pin_pair pairs[] = {
		{ "same-core", is_same_core, "that are threads of one core" },
		{ "same-llc", is_same_llc, "cores below one last-level cache" },
		{ "cross-llc", is_cross_llc, "last-level caches on one NUMA node" },
		{ "cross-node", is_cross_node, "NUMA nodes" },
	};
	size_t i;

	for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (!strcmp(pairs[i].word, text))
			return &pairs[i];
	}
	return NULL;
}

static int add_pair(const struct topo_cpu *first, const struct topo_cpu *second,
		    struct cpulist *ret, struct err *err)
{
	if (!cpulist_add(ret, first->cpu) && !cpulist_add(ret, second->cpu))
		return 0;
	cpulist_release(ret);
	return err_nomem(err);
}

static int place_of(const struct topo *topo, const struct pin_word *word,
		    unsigned int cpu)
{
	const struct topo_cpu *entry = topo_find(topo, cpu);

	if (!entry)
		return -1;
	return *(const int *)((const char *)entry + word->offset);
}

static int resolve_word(const struct pin_word *word, const struct topo *topo,
			struct cpulist *ret, struct err *err)
{
	const struct cpulist *allowed = &topo->allowed;
	struct cpulist chosen = { 0 };
	struct cpulist seen = { 0 };
	int bad = 0;
	size_t i;

	if (!allowed->nr)
		return err_set(err, -EINVAL,
			       "pin '%s': no CPU is allowed to this process", word->word);
	if (!word->place)
		return cpulist_add(ret, allowed->cpu[0]) ? err_nomem(err) : 0;
	for (i = 0; !bad && i < allowed->nr; i++) {
		int place = place_of(topo, word, allowed->cpu[i]);

		if (place < 0) {
			bad = err_set(err, -EINVAL,
				      "pin '%s': this machine doesn't tell which %s CPU "
				      "%u belongs to",
				      word->word, word->place, allowed->cpu[i]);
			break;
		}
		if (word->reach == ONE_OF_EACH
			    ? cpulist_has(&seen, (unsigned int)place)
			    : seen.nr && seen.cpu[0] != (unsigned int)place)
			continue;
		bad = cpulist_add(&seen, (unsigned int)place) ||
		      cpulist_add(&chosen, allowed->cpu[i]);
		if (bad)
			bad = err_nomem(err);
	}
	cpulist_release(&seen);
	if (bad)
		cpulist_release(&chosen);
	else
		*ret = chosen;
	return bad;
}

/* How many LLCs the allowed CPUs have; 0 when that isn't known. */
static size_t count_llcs(const struct topo *topo)
{
	const struct pin_word *word = find_word("one-per-llc");
	struct cpulist each = { 0 };
	size_t nr = 0;

	if (!resolve_word(word, topo, &each, NULL))
		nr = each.nr;
	cpulist_release(&each);
	return nr;
}

static int resolve_list(const char *text, const struct topo *topo, struct cpulist *ret,
			struct err *err)
{
	struct cpulist list = { 0 };
	char *allowed;
	long outside;
	int bad = cpulist_parse(text, &list, err);

	if (bad)
		return bad;
	outside = cpulist_outside(&list, &topo->allowed);
	if (outside < 0) {
		*ret = list;
		return 0;
	}
	allowed = cpulist_write(&topo->allowed);
	bad = err_set(
		err, -EINVAL, "pin '%s': CPU %ld %s (expected CPUs of %s)", text, outside,
		topo_find(topo, (unsigned int)outside) ? "is not allowed to this process"
						       : "is not online",
		allowed ? allowed : "");
	free(allowed);
	cpulist_release(&list);
	return bad;
}

/* The first two that fit, by number. */
static int resolve_pair(const struct pin_pair *pair, const struct topo *topo,
			struct cpulist *ret, struct err *err)
{
	const struct cpulist *allowed = &topo->allowed;
	char *text;
	int code;
	size_t i, j;

	for (i = 0; i < allowed->nr; i++) {
		const struct topo_cpu *first = topo_find(topo, allowed->cpu[i]);

		for (j = i + 1; first && j < allowed->nr; j++) {
			const struct topo_cpu *second = topo_find(topo, allowed->cpu[j]);

			if (second && pair->fits(first, second))
				return add_pair(first, second, ret, err);
		}
	}
	text = cpulist_write(allowed);
	code = err_set(err, -EOPNOTSUPP,
		       "pin '%s': CPUs %s have no two %s, as far as this machine tells",
		       pair->word, text ? text : "", pair->wanted);
	free(text);
	return code;
}

static int refuse_word(const char *text, struct err *err)
{
	const char *const *words_known = pin_words();
	const char *nearest = text_nearest(text, words_known);
	char known[256] = "";
	size_t len = 0;
	size_t i;

	for (i = 0; words_known[i] && len < sizeof(known); i++)
		len += (size_t)snprintf(known + len, sizeof(known) - len, ", %s",
					words_known[i]);
	return err_set(err, -EINVAL,
		       "pin '%s' is not a CPU list and not a word known here (expected a "
		       "list such as 0-3,8, or one of%s)%s%s%s",
		       text, known + 1, nearest ? "; did you mean '" : "",
		       nearest ? nearest : "", nearest ? "'?" : "");
}

int pin_resolve(const char *text, const struct topo *topo, struct cpulist *ret,
		struct err *err)
{
	const struct pin_word *word;
	const struct pin_pair *pair;

	if (isdigit((unsigned char)text[0]))
		return resolve_list(text, topo, ret, err);
	if (!strcmp(text, "one-llc-or-cpu"))
		text = count_llcs(topo) > 1 ? "one-llc" : "one-cpu";
	word = find_word(text);
	if (word)
		return resolve_word(word, topo, ret, err);
	pair = find_pair(text);
	return pair ? resolve_pair(pair, topo, ret, err) : refuse_word(text, err);
}
