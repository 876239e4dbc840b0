/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From settings as words to the files of a machine and what goes into them. Kernels have
 * the same knob in several places and under several names, and some don't have it.
 *
 * Each function returns 0; -EOPNOTSUPP with a sentence where the machine can't do what is
 * asked for, so that the cells are skipped; or -ENOMEM. It writes nothing.
 */
#ifndef RUNNER_SETTINGS_FIND_H
#define RUNNER_SETTINGS_FIND_H

#include "runner/journal_write.h"
#include "runner/settings.h"

struct err;
struct topo;

/**
 * struct settings_place - the machine
 * @root: directory in front of /proc and /sys, "" for this one
 * @release: of its kernel, as uname -r
 */
struct settings_place {
	const char *root, *release;
};

/** settings_find_cpus - SMT, CPUs offline, cpuset: what makes domains anew goes first */
int settings_find_cpus(const struct settings_place *place,
		       const struct settings *settings, struct journal_writes *writes,
		       struct err *err);

/** settings_find_knobs - all else but the domains' flags */
int settings_find_knobs(const struct settings_place *place,
			const struct settings *settings, struct journal_writes *writes,
			struct err *err);

/** settings_find_domain - flags of sched_domains, on all CPUs; what is reset goes last */
int settings_find_domain(const struct settings_place *place,
			 const struct settings_domain *domain,
			 struct journal_writes *writes, struct err *err);

/**
 * settings_check - whether the machine can do all of it, as far as can be told beforehand
 */
int settings_check(const struct settings_place *place, const struct settings *settings,
		   struct err *err);

/**
 * settings_is_word_only - whether a flag that is asked for is but a word to the kernel
 * @release: of the kernel, as uname -r; one that isn't understood has none
 */
bool settings_is_word_only(const struct settings_domain *domain, const char *release);

/**
 * settings_cpus - leave those CPUs that there are under the settings
 * @topo: the machine without them
 * @cpus: is shortened
 *
 * Return: 0 or -ENOMEM.
 */
int settings_cpus(const struct settings *settings, const struct topo *topo,
		  struct cpulist *cpus);

/** settings_cant - the -EOPNOTSUPP that says why; for the files that find settings */
int settings_cant(struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/** settings_want - add a write of a value to a file that is there and can be written */
int settings_want(const struct settings_place *place, struct journal_writes *writes,
		  const char *path, const char *value, struct err *err);

/** settings_has_file - whether @path is below the root of @place */
bool settings_has_file(const struct settings_place *place, const char *path);

#endif
