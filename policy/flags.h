/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The flags of sched_domains by name. Their numbers differ from kernel to kernel, so a
 * number means something only together with the map of the kernel that it came from.
 */
#ifndef POLICY_FLAGS_H
#define POLICY_FLAGS_H

struct err;

/**
 * enum sd_flag - the flags, in our own numbering, the same for all kernels
 *
 * SD_SHARE_PKG_RESOURCES and SD_SHARE_LLC are one flag under two names, and so are
 * SD_SHARE_CPUPOWER and SD_SHARE_CPUCAPACITY.
 */
enum sd_flag {
	SD_LOAD_BALANCE = 1 << 0,
	SD_BALANCE_NEWIDLE = 1 << 1,
	SD_BALANCE_EXEC = 1 << 2,
	SD_BALANCE_FORK = 1 << 3,
	SD_BALANCE_WAKE = 1 << 4,
	SD_WAKE_AFFINE = 1 << 5,
	SD_PREFER_LOCAL = 1 << 6,
	SD_ASYM_CPUCAPACITY = 1 << 7,
	SD_ASYM_CPUCAPACITY_FULL = 1 << 8,
	SD_SHARE_CPUCAPACITY = 1 << 9,
	SD_POWERSAVINGS_BALANCE = 1 << 10,
	SD_SHARE_POWERDOMAIN = 1 << 11,
	SD_CLUSTER = 1 << 12,
	SD_SHARE_LLC = 1 << 13,
	SD_SERIALIZE = 1 << 14,
	SD_ASYM_PACKING = 1 << 15,
	SD_PREFER_SIBLING = 1 << 16,
	SD_OVERLAP = 1 << 17,
	SD_NUMA = 1 << 18,
};

/** SD_FLAGS - how many flags there are */
enum { SD_FLAGS = 19 };

/** struct sd_map - names and numbers of the flags of some kernels; opaque, constant */
struct sd_map;

/**
 * sd_map_find - the map of a kernel
 * @release: its version, as release_parse() reads it
 * @ret: written on success only
 * @err: says which versions are known
 *
 * A number is never decoded by the map of a neighbour: a version whose numbers aren't
 * known for sure is refused.
 *
 * Return: 0, -EINVAL (no version) or -ENOTSUP (not known).
 */
int sd_map_find(const char *release, const struct sd_map **ret, struct err *err);

/**
 * sd_flag_parse - the flag with a name
 * @map: the kernel it is for
 * @name: with the SD_ prefix; the older or newer name of a renamed flag is fine
 * @ret: its bit of enum sd_flag; written on success only
 * @err: says what isn't known, with the nearest name
 *
 * Return: 0 or -EINVAL, also for a flag that other kernels have.
 */
int sd_flag_parse(const struct sd_map *map, const char *name, unsigned int *ret,
		  struct err *err);

/**
 * sd_flags_parse - several names
 * @map: the kernel they are for
 * @text: names with blanks between them and a newline or not, as kernels from 5.10 on
 *        print them; may be empty
 * @ret: bits of enum sd_flag; written on success only
 * @err: says which name isn't known
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int sd_flags_parse(const struct sd_map *map, const char *text, unsigned int *ret,
		   struct err *err);

/**
 * sd_flags_decode - what a number means
 * @map: the kernel that printed it
 * @value: the number
 * @ret: bits of enum sd_flag; written on success only
 * @err: names the bits that mean nothing to this kernel
 *
 * Return: 0 or -EINVAL.
 */
int sd_flags_decode(const struct sd_map *map, unsigned long value, unsigned int *ret,
		    struct err *err);

/**
 * sd_flags_encode - the number of some flags
 * @map: the kernel that is to read it
 * @flags: bits of enum sd_flag
 * @ret: written on success only
 * @err: names a flag that this kernel doesn't have
 *
 * Return: 0 or -EINVAL.
 */
int sd_flags_encode(const struct sd_map *map, unsigned int flags, unsigned long *ret,
		    struct err *err);

/**
 * sd_flags_write - names of flags as this kernel spells them, in its order, blanks between
 * @map: the kernel
 * @flags: bits of enum sd_flag; those it doesn't have are left out
 *
 * Return: the caller's to free(); NULL without memory.
 */
char *sd_flags_write(const struct sd_map *map, unsigned int flags);

/**
 * enum sd_effect - what a write to a flag of running domains changes
 * @SD_EFFECT_WORD: the word alone; what decides was cached when domains were attached, or
 *                  nothing is known to read it
 * @SD_EFFECT_FULL: decisions, from the next one on
 */
enum sd_effect { SD_EFFECT_WORD, SD_EFFECT_FULL };

/**
 * sd_flag_effect - what such a write changes
 * @release: version of the kernel, see policy/release.h
 * @flag: one of them
 *
 * That a decision reads the flag doesn't mean that it comes out otherwise: from 3.3 on few
 * wakeups reach what SD_BALANCE_WAKE asks for. Whether a file can be written at all is
 * another question (not from 5.8 on).
 *
 * Source: readers of sd->flags in kernel/sched of 2.6.33 to 6.12.
 */
enum sd_effect sd_flag_effect(unsigned int release, enum sd_flag flag);

/** sd_map_flags - all flags that the kernel has, bits of enum sd_flag */
unsigned int sd_map_flags(const struct sd_map *map);

/** sd_map_kernels - which kernels the map is for, such as "4.9 to 5.7"; lent */
const char *sd_map_kernels(const struct sd_map *map);

#endif
