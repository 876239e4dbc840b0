// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names and numbers of sched_domain flags, read in the kernels' headers:
 * include/linux/sched.h up to 4.10, sched/topology.h up to 5.9, sched/sd_flags.h since.
 */
#include "policy/flags.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/text.h"
#include "policy/release.h"

/*
 * Between 3.4 and 3.16 flags came and went without moving others. Where it isn't known
 * when, the map has those that the kernels on both sides have.
 */
enum map_index {
	M_2_6_32,
	M_2_6_36,
	M_3_5,
	M_3_16,
	M_4_9,
	M_5_8,
	M_5_10,
	M_5_14,
	M_6_7,
	M_6_9
};
enum { MAPS = M_6_9 + 1 };

/*
 * struct spelling - one name, with its number in each map; 0: not there
 *
 * Two names of one flag are two rows, neither of them in a map that has the other.
 */
struct spelling {
	enum sd_flag flag;
	const char *name;
	unsigned int value[MAPS];
};

static const struct spelling spellings[] = {
	{ SD_LOAD_BALANCE, "SD_LOAD_BALANCE", { 1, 1, 1, 1, 1 } },
	{ SD_BALANCE_NEWIDLE, "SD_BALANCE_NEWIDLE", { 2, 2, 2, 2, 2, 1, 1, 1, 1, 1 } },
	{ SD_BALANCE_EXEC, "SD_BALANCE_EXEC", { 4, 4, 4, 4, 4, 2, 2, 2, 2, 2 } },
	{ SD_BALANCE_FORK, "SD_BALANCE_FORK", { 8, 8, 8, 8, 8, 4, 4, 4, 4, 4 } },
	{ SD_BALANCE_WAKE,
	  "SD_BALANCE_WAKE",
	  { 0x10, 0x10, 0x10, 0x10, 0x10, 8, 8, 8, 8, 8 } },
	{ SD_WAKE_AFFINE,
	  "SD_WAKE_AFFINE",
	  { 0x20, 0x20, 0x20, 0x20, 0x20, 0x10, 0x10, 0x10, 0x10, 0x10 } },
	{ SD_PREFER_LOCAL, "SD_PREFER_LOCAL", { 0x40, 0x40 } },
	{ SD_ASYM_CPUCAPACITY,
	  "SD_ASYM_CPUCAPACITY",
	  { 0, 0, 0, 0, 0x40, 0x20, 0x20, 0x20, 0x20, 0x20 } },
	{ SD_ASYM_CPUCAPACITY_FULL,
	  "SD_ASYM_CPUCAPACITY_FULL",
	  { 0, 0, 0, 0, 0, 0, 0, 0x40, 0x40, 0x40 } },
	{ SD_SHARE_CPUCAPACITY, "SD_SHARE_CPUPOWER", { 0x80, 0x80, 0x80 } },
	{ SD_SHARE_CPUCAPACITY,
	  "SD_SHARE_CPUCAPACITY",
	  { 0, 0, 0, 0x80, 0x80, 0x40, 0x40, 0x80, 0x80, 0x80 } },
	{ SD_POWERSAVINGS_BALANCE, "SD_POWERSAVINGS_BALANCE", { 0x100, 0x100 } },
	{ SD_SHARE_POWERDOMAIN, "SD_SHARE_POWERDOMAIN", { 0, 0, 0, 0x100, 0x100, 0x80 } },
	{ SD_CLUSTER, "SD_CLUSTER", { 0, 0, 0, 0, 0, 0, 0, 0, 0x100, 0x100 } },
	{ SD_SHARE_LLC,
	  "SD_SHARE_PKG_RESOURCES",
	  { 0x200, 0x200, 0x200, 0x200, 0x200, 0x100, 0x80, 0x100, 0x200 } },
	{ SD_SHARE_LLC, "SD_SHARE_LLC", { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x200 } },
	{ SD_SERIALIZE,
	  "SD_SERIALIZE",
	  { 0x400, 0x400, 0x400, 0x400, 0x400, 0x200, 0x100, 0x200, 0x400, 0x400 } },
	{ SD_ASYM_PACKING,
	  "SD_ASYM_PACKING",
	  { 0, 0x800, 0x800, 0x800, 0x800, 0x400, 0x200, 0x400, 0x800, 0x800 } },
	{ SD_PREFER_SIBLING,
	  "SD_PREFER_SIBLING",
	  { 0x1000, 0x1000, 0x1000, 0x1000, 0x1000, 0x800, 0x400, 0x800, 0x1000,
	    0x1000 } },
	{ SD_OVERLAP,
	  "SD_OVERLAP",
	  { 0, 0x2000, 0x2000, 0x2000, 0x2000, 0x1000, 0x800, 0x1000, 0x2000, 0x2000 } },
	{ SD_NUMA,
	  "SD_NUMA",
	  { 0, 0, 0, 0x4000, 0x4000, 0x2000, 0x1000, 0x2000, 0x4000, 0x4000 } },
};

enum { SPELLINGS = sizeof(spellings) / sizeof(spellings[0]) };

struct sd_map {
	enum map_index index;
	unsigned int since, below;
	const char *kernels;
};

static const struct sd_map maps[] = {
	{ M_2_6_32, RELEASE(2, 6, 32), RELEASE(2, 6, 36), "2.6.32 to 2.6.35" },
	{ M_2_6_36, RELEASE(2, 6, 36), RELEASE(3, 5, 0), "2.6.36 to 3.4" },
	{ M_3_5, RELEASE(3, 5, 0), RELEASE(3, 16, 0), "3.5 to 3.15" },
	{ M_3_16, RELEASE(3, 16, 0), RELEASE(4, 9, 0), "3.16 to 4.8" },
	{ M_4_9, RELEASE(4, 9, 0), RELEASE(5, 8, 0), "4.9 to 5.7" },
	{ M_5_8, RELEASE(5, 8, 0), RELEASE(5, 10, 0), "5.8 to 5.9" },
	{ M_5_10, RELEASE(5, 10, 0), RELEASE(5, 14, 0), "5.10 to 5.13" },
	{ M_5_14, RELEASE(5, 14, 0), RELEASE(6, 7, 0), "5.14 to 6.6" },
	{ M_6_7, RELEASE(6, 7, 0), RELEASE(6, 9, 0), "6.7 to 6.8" },
	{ M_6_9, RELEASE(6, 9, 0), RELEASE(6, 13, 0), "6.9 to 6.12" },
};

int sd_map_find(const char *release, const struct sd_map **ret, struct err *err)
{
	unsigned int number = 0;
	size_t i;
	int bad = release_parse(release, &number, err);

	if (bad)
		return bad;
	for (i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		if (number >= maps[i].since && number < maps[i].below) {
			*ret = &maps[i];
			return 0;
		}
	return err_set(err, -ENOTSUP,
		       "the sched_domain flags of kernel '%s' are not known (expected "
		       "2.6.32 to 6.12)",
		       release);
}

static unsigned int value_in(const struct sd_map *map, const struct spelling *spelling)
{
	return spelling->value[map->index];
}

/* The row by which this kernel knows @flag, or NULL. */
static const struct spelling *spelling_of(const struct sd_map *map, unsigned int flag)
{
	size_t i;

	for (i = 0; i < SPELLINGS; i++)
		if (spellings[i].flag == flag && value_in(map, &spellings[i]))
			return &spellings[i];
	return NULL;
}

static int refuse_name(const struct sd_map *map, const char *name, struct err *err)
{
	const char *names[SPELLINGS + 1];
	const char *nearest;
	size_t nr = 0;
	size_t i;

	for (i = 0; i < SPELLINGS; i++)
		if (value_in(map, &spellings[i]))
			names[nr++] = spellings[i].name;
	names[nr] = NULL;
	nearest = text_nearest(name, names);
	if (nearest)
		return err_set(err, -EINVAL,
			       "kernels %s have no sched_domain flag '%s' (expected %s?)",
			       map->kernels, name, nearest);
	return err_set(
		err, -EINVAL,
		"kernels %s have no sched_domain flag '%s' (expected one such as %s)",
		map->kernels, name, names[0]);
}

int sd_flag_parse(const struct sd_map *map, const char *name, unsigned int *ret,
		  struct err *err)
{
	size_t i;

	for (i = 0; i < SPELLINGS; i++)
		if (!strcmp(name, spellings[i].name))
			break;
	if (i == SPELLINGS)
		return refuse_name(map, name, err);
	if (!spelling_of(map, spellings[i].flag))
		return err_set(
			err, -EINVAL,
			"kernels %s have no sched_domain flag %s (other kernels do)",
			map->kernels, name);
	*ret = spellings[i].flag;
	return 0;
}

int sd_flags_parse(const struct sd_map *map, const char *text, unsigned int *ret,
		   struct err *err)
{
	unsigned int flags = 0;
	unsigned int flag = 0;
	int bad = 0;

	for (text += strspn(text, " \n"); !bad && *text; text += strspn(text, " \n")) {
		size_t length = strcspn(text, " \n");
		char *name = strndup(text, length);

		if (!name)
			return err_nomem(err);
		bad = sd_flag_parse(map, name, &flag, err);
		free(name);
		flags |= flag;
		text += length;
	}
	if (!bad)
		*ret = flags;
	return bad;
}

int sd_flags_decode(const struct sd_map *map, unsigned long value, unsigned int *ret,
		    struct err *err)
{
	unsigned long left = value;
	unsigned int flags = 0;
	size_t i;

	for (i = 0; i < SPELLINGS; i++)
		if (left & value_in(map, &spellings[i])) {
			left &= ~(unsigned long)value_in(map, &spellings[i]);
			flags |= spellings[i].flag;
		}
	if (left)
		return err_set(err, -EINVAL,
			       "%lu holds bits 0x%lx that are no sched_domain flags of "
			       "kernels %s",
			       value, left, map->kernels);
	*ret = flags;
	return 0;
}

int sd_flags_encode(const struct sd_map *map, unsigned int flags, unsigned long *ret,
		    struct err *err)
{
	unsigned long value = 0;
	size_t i;

	for (i = 0; i < SPELLINGS; i++) {
		const struct spelling *here = spelling_of(map, spellings[i].flag);

		if (!(flags & spellings[i].flag))
			continue;
		if (!here)
			return err_set(err, -EINVAL,
				       "kernels %s have no sched_domain flag %s",
				       map->kernels, spellings[i].name);
		value |= value_in(map, here);
	}
	*ret = value;
	return 0;
}

/* The rows are in the order of all maps' numbers. */
char *sd_flags_write(const struct sd_map *map, unsigned int flags)
{
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);
	const char *blank = "";

	if (!out)
		return NULL;
	for (i = 0; i < SPELLINGS; i++)
		if ((flags & spellings[i].flag) && value_in(map, &spellings[i])) {
			(void)fprintf(out, "%s%s", blank, spellings[i].name);
			blank = " ";
		}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

unsigned int sd_map_flags(const struct sd_map *map)
{
	unsigned int flags = 0;
	size_t i;

	for (i = 0; i < SPELLINGS; i++)
		if (value_in(map, &spellings[i]))
			flags |= spellings[i].flag;
	return flags;
}

const char *sd_map_kernels(const struct sd_map *map)
{
	return map->kernels;
}

enum sd_effect sd_flag_effect(unsigned int release, enum sd_flag flag)
{
	enum {
		READ_LIVE = SD_LOAD_BALANCE | SD_BALANCE_NEWIDLE | SD_BALANCE_EXEC |
			    SD_BALANCE_FORK | SD_WAKE_AFFINE | SD_PREFER_SIBLING |
			    SD_SERIALIZE | SD_OVERLAP | SD_NUMA,
	};

	if (flag & READ_LIVE)
		return SD_EFFECT_FULL;
	/* From 3.3 on the LLC is what it was at attach. */
	if (flag == SD_SHARE_LLC)
		return release < RELEASE(3, 3, 0) ? SD_EFFECT_FULL : SD_EFFECT_WORD;
	/* Up to 4.19 capacity follows it, and threads are known by other means since. */
	if (flag == SD_SHARE_CPUCAPACITY)
		return release < RELEASE(5, 0, 0) ? SD_EFFECT_FULL : SD_EFFECT_WORD;
	/* In 3.16 every wakeup ended in the search for an idle CPU. */
	if (flag == SD_BALANCE_WAKE)
		return release >= RELEASE(3, 16, 0) && release < RELEASE(4, 8, 0)
			       ? SD_EFFECT_WORD
			       : SD_EFFECT_FULL;
	return SD_EFFECT_WORD;
}
