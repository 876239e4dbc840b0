// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes a column's flags into simulated domains; see sim_settings.h. */
#include "runner/sim_settings.h"

#include <errno.h>
#include <stdbool.h>

#include "lib/err.h"
#include "policy/domains.h"
#include "policy/flags.h"
#include "runner/settings.h"

/* Whether there is more than flags and what has no meaning without a disk. */
static bool has_others(const struct settings *settings)
{
	return settings->features.nr || settings->tunables.nr || settings->sysctl.nr ||
	       settings->governor || settings->thp || settings->turbo || settings->smt ||
	       settings->autogroup || settings->numa_balancing || settings->offline.nr ||
	       settings->cpuset.cpus.nr || settings->cpuset.mems ||
	       settings->cpuset.partition;
}

/* A flag that decides nothing when it is written may be meant, but not by mistake. */
static int check_effect(const struct settings_domain *domain,
			const struct domain_rules *rules, struct err *err)
{
	unsigned int flags = domain->set | domain->clear;
	unsigned int bit;

	for (bit = 0; bit < SD_FLAGS && !domain->accept_word_only; bit++)
		if (flags & 1U << bit &&
		    sd_flag_effect(rules->release, (enum sd_flag)(1U << bit)) ==
			    SD_EFFECT_WORD)
			return err_set(err, -EOPNOTSUPP,
				       "the flag that settings write changes only its "
				       "word in this kernel (accept: word-only runs it "
				       "all the same)");
	return 0;
}

static int write_flags(const struct settings_domain *domain, struct domains *domains,
		       struct err *err)
{
	struct flag_change change = { .set = domain->set, .clear = domain->clear };
	int nr = 0;
	int level;

	for (level = 0; level < SD_LEVELS; level++) {
		const char *name = domains->rules.name[level];

		change.level = (enum sd_level)level;
		if (name && (!domain->levels.nr || settings_has_level(domain, name)))
			nr += domains_write(domains, &change);
	}
	if (nr)
		return 0;
	return err_set(err, -EOPNOTSUPP,
		       "the flags that settings write are so already, or no domain has "
		       "these levels");
}

int sim_domains_new(const struct machine *machine, const struct domain_rules *rules,
		    const struct settings *settings, struct domains **ret,
		    struct err *err)
{
	struct domains *domains = NULL;
	int bad = 0;

	if (settings && has_others(settings))
		return err_set(err, -EOPNOTSUPP,
			       "of settings only sched_domain can be simulated");
	if (settings && settings->domain.set | settings->domain.clear)
		bad = check_effect(&settings->domain, rules, err);
	if (!bad)
		bad = domains_new(machine, rules, NULL, 0, &domains, err);
	if (!bad && settings && settings->domain.set | settings->domain.clear)
		bad = write_flags(&settings->domain, domains, err);
	if (bad)
		domains_free(domains);
	else
		*ret = domains;
	return bad;
}
