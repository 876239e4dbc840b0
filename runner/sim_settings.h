/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a column's settings do to the domains of a simulated kernel. */
#ifndef RUNNER_SIM_SETTINGS_H
#define RUNNER_SIM_SETTINGS_H

struct domain_rules;
struct domains;
struct err;
struct machine;
struct settings;

/**
 * sim_domains_new - the domains of a kernel after a column's settings
 * @machine: lent until domains_free()
 * @rules: of the kernel
 * @settings: of the column; may be NULL
 * @ret: to be freed by domains_free(); written on success only
 * @err: says what can't be simulated, or what has no effect
 *
 * Flags are written to running domains: what the kernel cached stays. Other settings
 * than flags aren't simulated.
 *
 * Return: 0; -EOPNOTSUPP when the cells have to be skipped; -ENOTSUP or -ENOMEM.
 */
int sim_domains_new(const struct machine *machine, const struct domain_rules *rules,
		    const struct settings *settings, struct domains **ret,
		    struct err *err);

#endif
