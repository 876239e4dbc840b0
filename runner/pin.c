// SPDX-License-Identifier: GPL-2.0-or-later
/* Resolves pin words and CPU lists; see pin.h. */
#include "runner/pin.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
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

const char *const *pin_words(void)
{
	static const char *const names[] = {
		"one-cpu",	"one-core",	  "one-llc",
		"one-node",	"one-per-core",	  "one-per-llc",
		"one-per-node", "one-llc-or-cpu", NULL,
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

int pin_resolve(const char *text, const struct topo *topo, struct cpulist *ret,
		struct err *err)
{
	const struct pin_word *word;
	const char *nearest;

	if (isdigit((unsigned char)text[0]))
		return resolve_list(text, topo, ret, err);
	if (!strcmp(text, "one-llc-or-cpu"))
		text = count_llcs(topo) > 1 ? "one-llc" : "one-cpu";
	word = find_word(text);
	if (word)
		return resolve_word(word, topo, ret, err);
	nearest = text_nearest(text, pin_words());
	return err_set(err, -EINVAL,
		       "pin '%s' is not a CPU list and not a word known here (expected a "
		       "list such as 0-3,8, or one-cpu, one-core, one-llc, one-node, "
		       "one-per-core, one-per-llc, one-per-node, one-llc-or-cpu)%s%s%s",
		       text, nearest ? "; did you mean '" : "", nearest ? nearest : "",
		       nearest ? "'?" : "");
}
