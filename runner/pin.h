/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pins: what a grid writes as `pin:` turned into CPUs of this machine. Either
 * a CPU list, every CPU of which must be there and allowed, or a word that
 * means something on any machine.
 */
#ifndef RUNNER_PIN_H
#define RUNNER_PIN_H

struct cpulist;
struct err;
struct topo;

/** pin_words - the words understood, ended by NULL; static */
const char *const *pin_words(void);

/**
 * pin_resolve - the CPUs that @text means on @topo
 * @text: a CPU list, or one of
 *   one-cpu         the first CPU allowed
 *   one-core        all CPUs of its core
 *   one-llc         all CPUs of its last-level cache
 *   one-node        all CPUs of its NUMA node
 *   one-per-core    the first CPU of every core
 *   one-per-llc     the first CPU of every last-level cache
 *   one-per-node    the first CPU of every NUMA node
 *   one-llc-or-cpu  one-llc where the machine has several, otherwise one-cpu
 *   same-core       two CPUs of one core
 *   same-llc        two of one last-level cache, on different cores
 *   cross-llc       two of one NUMA node, with different last-level caches
 *   cross-node      two of different NUMA nodes
 * @topo: the machine
 * @ret: an empty list; filled on success only, never empty then
 * @err: says what doesn't fit, without a position
 *
 * Only CPUs that are online and allowed to this process are ever given.
 *
 * Of the pairs that fit, the first by number is given.
 *
 * Return: 0; -EOPNOTSUPP when the machine has no such two CPUs; -EINVAL or -ENOMEM.
 */
int pin_resolve(const char *text, const struct topo *topo, struct cpulist *ret,
		struct err *err);

#endif
