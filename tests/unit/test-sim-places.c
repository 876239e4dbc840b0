// SPDX-License-Identifier: GPL-2.0-or-later
/* Settings of simulated domains, and where simulated tasks were put. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/err.h"
#include "policy/domains.h"
#include "policy/flags.h"
#include "policy/release.h"
#include "runner/settings.h"
#include "runner/sim_places.h"
#include "runner/sim_settings.h"

static struct machine *small_machine(void)
{
	const struct machine_shape shape = { .packages = 2, .cores = 2, .threads = 2 };
	struct machine *machine = NULL;

	assert_int_equal(machine_regular(&shape, &machine, NULL), 0);
	return machine;
}

static unsigned int flags_at(const struct domains *domains, const char *level)
{
	const struct domain *domain = domains->cpu[0].base;

	while (domain && strcmp(domain->name, level) != 0)
		domain = domain->parent;
	if (!domain)
		fail_msg("no level %s", level);
	return domain ? domain->flags : 0;
}

static void test_settings_write_flags_of_levels(void **state)
{
	struct machine *machine = small_machine();
	struct settings *settings = settings_new();
	struct domain_rules rules;
	struct domains *domains = NULL;
	struct err err = { 0 };

	(void)state;
	domain_rules_of(RELEASE(5, 4, 0), &rules);
	assert_int_equal(sim_domains_new(machine, &rules, NULL, &domains, &err), 0);
	assert_true(flags_at(domains, "MC") & SD_BALANCE_FORK);
	assert_false(flags_at(domains, "MC") & SD_BALANCE_WAKE);
	domains_free(domains);

	assert_int_equal(settings_add_text(&settings->domain.levels, "MC"), 0);
	settings->domain.clear = SD_BALANCE_FORK;
	settings->domain.set = SD_BALANCE_WAKE;
	assert_int_equal(sim_domains_new(machine, &rules, settings, &domains, &err), 0);
	assert_false(flags_at(domains, "MC") & SD_BALANCE_FORK);
	assert_true(flags_at(domains, "MC") & SD_BALANCE_WAKE);
	assert_true(flags_at(domains, "SMT") & SD_BALANCE_FORK);
	domains_free(domains);
	settings_free(settings);
	machine_free(machine);
}

static void refused_settings(const struct machine *machine,
			     const struct settings *settings, const char *why)
{
	struct domain_rules rules;
	struct domains *domains = NULL;
	struct err err = { 0 };

	domain_rules_of(RELEASE(5, 4, 0), &rules);
	assert_int_equal(sim_domains_new(machine, &rules, settings, &domains, &err),
			 -EOPNOTSUPP);
	assert_null(domains);
	assert_non_null(strstr(err.text, why));
}

static void test_settings_without_effect(void **state)
{
	struct machine *machine = small_machine();
	struct settings *settings = settings_new();
	struct domain_rules rules;
	struct domains *domains = NULL;

	(void)state;
	settings->domain.set = SD_BALANCE_FORK;
	refused_settings(machine, settings, "are so already");
	settings->domain.set = 0;
	settings->domain.clear = SD_SHARE_LLC;
	refused_settings(machine, settings, "changes only its word");
	settings->domain.accept_word_only = true;
	domain_rules_of(RELEASE(5, 4, 0), &rules);
	assert_int_equal(sim_domains_new(machine, &rules, settings, &domains, NULL), 0);
	/* What was cached stays. */
	assert_int_equal(domains->cpu[0].llc_size, 4);
	domains_free(domains);
	settings->smt = SETTINGS_OFF;
	refused_settings(machine, settings, "only sched_domain can be simulated");
	settings_free(settings);
	machine_free(machine);
}

static void observe(struct sim_places *places, enum sim_event event, int from, int to)
{
	const struct sim_placement placement = { .event = event, .from = from, .to = to };

	sim_places_observe(places, &placement);
}

/* CPUs 0, 4 are a core, 0, 1, 4, 5 a node and its LLC; 2, 3, 6, 7 the other. */
static void test_places_are_counted_as_the_monitor_does(void **state)
{
	struct machine *machine = small_machine();
	const struct placement *count;
	struct sim_places places;

	(void)state;
	assert_int_equal(sim_places_begin(&places, machine), 0);
	count = &places.placement;
	observe(&places, SIM_FORK, 0, 1);
	observe(&places, SIM_FORK, 0, 1);
	observe(&places, SIM_FORK, 0, 2);
	observe(&places, SIM_FORK, 0, 6);
	observe(&places, SIM_WAKEUP, 1, 1);
	observe(&places, SIM_WAKEUP, 0, 4);
	observe(&places, SIM_WAKEUP, 0, 1);
	observe(&places, SIM_WAKEUP, 0, 3);
	observe(&places, SIM_PERIODIC, 0, 5);
	observe(&places, SIM_NEWIDLE, 0, 7);
	sim_places_end(&places);
	assert_int_equal(count->nr_new, 4);
	assert_int_equal(count->new_on_node[0], 2);
	assert_int_equal(count->new_on_node[1], 2);
	assert_int_equal(count->spread[PLACEMENT_CPU].nr_used, 3);
	assert_int_equal(count->spread[PLACEMENT_CPU].nr_units, 8);
	assert_int_equal(count->spread[PLACEMENT_CORE].nr_used, 2);
	assert_int_equal(count->spread[PLACEMENT_CORE].nr_units, 4);
	assert_int_equal(count->spread[PLACEMENT_NODE].nr_used, 2);
	assert_true(fabs(count->spread[PLACEMENT_CPU].largest - 0.5) < 1e-12);
	assert_true(fabs(count->spread[PLACEMENT_CPU].entropy - 1.5) < 1e-12);
	assert_int_equal(count->nr_woken, 4);
	assert_int_equal(count->nr_woken_near[PLACEMENT_CPU], 1);
	assert_int_equal(count->nr_woken_near[PLACEMENT_CORE], 1);
	assert_int_equal(count->nr_woken_near[PLACEMENT_LLC], 1);
	assert_int_equal(count->nr_woken_near[PLACEMENT_NR_LEVELS], 1);
	assert_int_equal(count->nr_moves, 5);
	assert_int_equal(count->nr_node_moves, 2);
	assert_true(isnan(count->idle_share));
	sim_places_release(&places);
	machine_free(machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_settings_write_flags_of_levels),
		cmocka_unit_test(test_settings_without_effect),
		cmocka_unit_test(test_places_are_counted_as_the_monitor_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
