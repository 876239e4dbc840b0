// SPDX-License-Identifier: GPL-2.0-or-later
/* CPU lists as sorted arrays; see cpulist.h. */
#include "lib/cpulist.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/text.h"

/* Index of the first entry that isn't below @cpu. */
static size_t lower_bound(const struct cpulist *list, unsigned int cpu)
{
	size_t low = 0;
	size_t high = list->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (list->cpu[mid] < cpu)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

int cpulist_add(struct cpulist *list, unsigned int cpu)
{
	size_t at = lower_bound(list, cpu);
	unsigned int *grown;

	if (at < list->nr && list->cpu[at] == cpu)
		return 0;
	/* Room doubles: at 0, 1, 2, 4, 8 ... entries the array is full. */
	if ((list->nr & (list->nr - 1)) == 0 || !list->nr) {
		grown = realloc(list->cpu,
				(list->nr ? 2 * list->nr : 1) * sizeof(*list->cpu));
		if (!grown)
			return -ENOMEM;
		list->cpu = grown;
	}
	memmove(list->cpu + at + 1, list->cpu + at, (list->nr - at) * sizeof(*list->cpu));
	list->cpu[at] = cpu;
	list->nr++;
	return 0;
}

/* One number or range at *@at, which moves behind it. */
static int parse_range(const char **at, unsigned int *first, unsigned int *last)
{
	unsigned int *bound = first;
	char number[8];
	uint64_t value;

	for (;;) {
		size_t digits = strspn(*at, "0123456789");

		if (!digits || digits >= sizeof(number))
			return -EINVAL;
		memcpy(number, *at, digits);
		number[digits] = '\0';
		if (text_uint(number, 0, CPULIST_MAX_CPU, &value, NULL))
			return -EINVAL;
		*bound = (unsigned int)value;
		*at += digits;
		if (bound == last)
			break;
		*last = *first;
		if (**at != '-')
			break;
		(*at)++;
		bound = last;
	}
	return *last < *first ? -EINVAL : 0;
}

int cpulist_parse(const char *text, struct cpulist *ret, struct err *err)
{
	struct cpulist list = { 0 };
	const char *at = text;
	unsigned int first, last;
	int bad = 0;

	do {
		if (at != text)
			at++;
		bad = parse_range(&at, &first, &last);
		for (; !bad && first <= last; first++)
			bad = cpulist_add(&list, first);
	} while (!bad && *at == ',');

	if (bad == -ENOMEM) {
		cpulist_release(&list);
		return err_nomem(err);
	}
	if (bad || *at) {
		cpulist_release(&list);
		return err_set(
			err, -EINVAL,
			"'%s' is not a CPU list (expected numbers and ranges, such "
			"as 0-3,8)",
			text);
	}
	*ret = list;
	return 0;
}

char *cpulist_write(const struct cpulist *list)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	size_t i, end;

	if (!out)
		return NULL;
	for (i = 0; i < list->nr; i = end) {
		for (end = i + 1; end < list->nr; end++)
			if (list->cpu[end] != list->cpu[end - 1] + 1)
				break;
		(void)fprintf(out, "%s%u", i ? "," : "", list->cpu[i]);
		if (end - i > 1)
			(void)fprintf(out, "-%u", list->cpu[end - 1]);
	}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

int cpulist_copy(const struct cpulist *list, struct cpulist *ret)
{
	size_t i;

	for (i = 0; i < list->nr; i++)
		if (cpulist_add(ret, list->cpu[i]))
			return -ENOMEM;
	return 0;
}

bool cpulist_has(const struct cpulist *list, unsigned int cpu)
{
	size_t at = lower_bound(list, cpu);

	return at < list->nr && list->cpu[at] == cpu;
}

bool cpulist_equal(const struct cpulist *a, const struct cpulist *b)
{
	return a->nr == b->nr &&
	       (!a->nr || !memcmp(a->cpu, b->cpu, a->nr * sizeof(*a->cpu)));
}

long cpulist_outside(const struct cpulist *list, const struct cpulist *whole)
{
	size_t i;

	for (i = 0; i < list->nr; i++)
		if (!cpulist_has(whole, list->cpu[i]))
			return list->cpu[i];
	return -1;
}

void cpulist_release(struct cpulist *list)
{
	free(list->cpu);
	*list = (struct cpulist){ 0 };
}
