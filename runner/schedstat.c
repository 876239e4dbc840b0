// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads /proc/schedstat of three versions; see schedstat.h. */
#include "runner/schedstat.h"

#include <errno.h>
#include <string.h>

#include "lib/err.h"
#include "lib/text.h"

enum { MAX_WORDS = 64, MAX_WORD = 32 };

/* Counters of a CPU's line, from 0 behind its name. */
enum {
	CPU_WAKEUPS = 4,
	CPU_LOCAL = 5,
	CPU_RUN_DELAY = 7,
	CPU_TIMESLICES = 8,
	CPU_NR = 9
};

/*
 * Counters of a domain's line: three groups, one for each kind of idleness, then twelve. In
 * a group come calls, balanced, failed, imbalance (one or four), gained and others; newly
 * idle is the last group in all versions.
 */
enum { NR_GROUPS = 3, NEWIDLE = 2, NR_BEHIND = 12 };
enum { ALB_PUSHED = 2, WAKE_REMOTE = 9, MOVE_AFFINE = 10 };

/**
 * struct layout - what a version has
 * @group: counters of a group
 * @gained: of them, which counts tasks that were moved
 * @has_name: a domain's name stands before its mask
 */
struct layout {
	unsigned int version, group, gained;
	bool has_name;
};

static const struct layout layouts[] = {
	{ 15, 8, 4, false },
	{ 16, 8, 4, false },
	{ 17, 11, 7, true },
};

/* Words of one line; a mask of many CPUs is cut, as nobody looks at it. */
struct words {
	char word[MAX_WORDS][MAX_WORD];
	size_t nr;
};

static const char *next_words(const char *line, struct words *ret)
{
	size_t len = strcspn(line, "\n");
	const char *end = line + len;

	ret->nr = 0;
	while (line < end) {
		size_t word = strcspn(line, " \n");

		if (word && ret->nr < MAX_WORDS) {
			size_t kept = word < MAX_WORD ? word : MAX_WORD - 1;

			memcpy(ret->word[ret->nr], line, kept);
			ret->word[ret->nr++][kept] = '\0';
		}
		line += word;
		line += *line == ' ';
	}
	return *end ? end + 1 : end;
}

/* Adds counter @idx of those that begin at word @first to @sum. */
static bool add(const struct words *words, size_t first, size_t idx, uint64_t *sum)
{
	uint64_t value;

	if (first + idx >= words->nr ||
	    text_uint(words->word[first + idx], 0, UINT64_MAX, &value, NULL))
		return false;
	*sum += value;
	return true;
}

static bool take_cpu(const struct words *words, struct schedstat *ret)
{
	return words->nr == 1 + CPU_NR && add(words, 1, CPU_WAKEUPS, &ret->wakeups) &&
	       add(words, 1, CPU_LOCAL, &ret->local_wakeups) &&
	       add(words, 1, CPU_RUN_DELAY, &ret->run_delay_ns) &&
	       add(words, 1, CPU_TIMESLICES, &ret->timeslices);
}

static bool take_domain(const struct words *words, const struct layout *layout,
			struct schedstat *ret)
{
	size_t first = layout->has_name ? 3 : 2;
	size_t behind = first + (size_t)NR_GROUPS * layout->group;
	size_t newidle = (size_t)NEWIDLE * layout->group + layout->gained;
	size_t i;

	ret->has_domains = true;
	if (words->nr != behind + NR_BEHIND)
		return false;
	for (i = 0; i < NR_GROUPS; i++)
		if (!add(words, first, i * layout->group + layout->gained, &ret->pulled))
			return false;
	return add(words, first, newidle, &ret->pulled_newidle) &&
	       add(words, behind, ALB_PUSHED, &ret->pushed) &&
	       add(words, behind, WAKE_REMOTE, &ret->remote_wakeups) &&
	       add(words, behind, MOVE_AFFINE, &ret->affine_wakeups);
}

static const struct layout *find_layout(const struct words *words, struct err *err)
{
	uint64_t version;
	size_t i;

	if (words->nr != 2 || strcmp(words->word[0], "version") != 0 ||
	    text_uint(words->word[1], 0, UINT32_MAX, &version, NULL)) {
		err_set(err, -EPROTO, "schedstat doesn't begin with its version");
		return NULL;
	}
	for (i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		if (layouts[i].version == version)
			return &layouts[i];
	err_set(err, -EPROTONOSUPPORT,
		"schedstat of version %s isn't known (expected 15, 16 or 17)",
		words->word[1]);
	return NULL;
}

int schedstat_parse(const char *text, struct schedstat *ret, struct err *err)
{
	struct schedstat sum = { 0 };
	const struct layout *layout;
	struct words words;
	size_t nr_cpus = 0;

	text = next_words(text, &words);
	if (words.nr != 2 || strcmp(words.word[0], "sched_schedstats") != 0)
		return err_set(err, -EPROTO, "this is no reading of schedstat");
	sum.is_on = !strcmp(words.word[1], "1");
	text = next_words(text, &words);
	layout = find_layout(&words, err);
	if (!layout)
		return err->code;
	while (*text) {
		bool is_good = true;

		text = next_words(text, &words);
		if (!words.nr || !strcmp(words.word[0], "timestamp"))
			continue;
		if (!strncmp(words.word[0], "cpu", strlen("cpu"))) {
			is_good = take_cpu(&words, &sum);
			nr_cpus++;
		} else if (!strncmp(words.word[0], "domain", strlen("domain"))) {
			is_good = take_domain(&words, layout, &sum);
		} else {
			is_good = false;
		}
		if (!is_good)
			return err_set(err, -EPROTO,
				       "schedstat of version %u has a line '%s ...' of "
				       "%zu words that isn't like that version's",
				       layout->version, words.word[0], words.nr);
	}
	if (!nr_cpus)
		return err_set(err, -EPROTO, "schedstat has no CPU");
	*ret = sum;
	return 0;
}

/* struct list - metrics being put together, and their samples */
struct list {
	struct record_metric *metrics;
	double *values;
	size_t nr;
};

static void put(struct list *list, const struct record_metric *metric, double value)
{
	struct record_metric *next = &list->metrics[list->nr];

	list->values[list->nr] = value;
	*next = *metric;
	next->secondary = true;
	next->samples = &list->values[list->nr++];
	next->nr_samples = 1;
}

static double since(uint64_t before, uint64_t after)
{
	return (double)(after - before);
}

static void put_wakeups(struct list *list, const struct schedstat *a,
			const struct schedstat *b)
{
	static const struct record_metric all = {
		.name = "ttwu",
		.unit = "wakeups",
		.unjudged = "the program decides how many"
	};
	static const struct record_metric local = { .name = "ttwu-local",
						    .unit = "%",
						    .better_higher = true };
	static const struct record_metric remote = { .name = "ttwu-remote",
						     .unit = "wakeups" };
	static const struct record_metric affine = {
		.name = "ttwu-affine",
		.unit = "wakeups",
		.unjudged = "neither place is better by itself"
	};
	double nr = since(a->wakeups, b->wakeups);

	put(list, &all, nr);
	if (nr > 0.0)
		put(list, &local, 100.0 * since(a->local_wakeups, b->local_wakeups) / nr);
	if (!b->has_domains)
		return;
	put(list, &remote, since(a->remote_wakeups, b->remote_wakeups));
	put(list, &affine, since(a->affine_wakeups, b->affine_wakeups));
}

size_t schedstat_metrics(const struct schedstat *before, const struct schedstat *after,
			 struct record_metric *metrics, double *values)
{
	static const struct record_metric slices = {
		.name = "timeslices",
		.unit = "slices",
		.unjudged = "the program decides how many"
	};
	static const struct record_metric delay = { .name = "run-delay", .unit = "us" };
	static const struct record_metric moved[] = {
		{ .name = "pulled", .unit = "tasks" },
		{ .name = "pulled-newidle", .unit = "tasks" },
		{ .name = "pushed", .unit = "tasks" },
	};
	struct list list = { .metrics = metrics };
	double nr = since(before->timeslices, after->timeslices);

	list.values = values;
	put(&list, &slices, nr);
	if (nr > 0.0)
		put(&list, &delay,
		    since(before->run_delay_ns, after->run_delay_ns) / 1e3 / nr);
	if (!before->is_on || !after->is_on)
		return list.nr;
	put_wakeups(&list, before, after);
	if (!after->has_domains)
		return list.nr;
	put(&list, &moved[0], since(before->pulled, after->pulled));
	put(&list, &moved[1], since(before->pulled_newidle, after->pulled_newidle));
	put(&list, &moved[2], since(before->pushed, after->pushed));
	return list.nr;
}
