// SPDX-License-Identifier: GPL-2.0-or-later
/* Topology, caches and clock; see doctor_checks.h. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/json.h"
#include "lib/topo.h"
#include "record/host.h"
#include "runner/doctor_checks.h"

/* What isn't known is left out. */
static char *describe_topology(const struct topo *topo)
{
	const struct {
		const char *what;
		unsigned int nr;
	} counts[] = {
		{ "cores", topo->nr_cores },
		{ "last-level caches", topo->nr_llcs },
		{ "nodes", topo->nr_nodes },
		{ "packages", topo->nr_packages },
	};
	char *allowed = cpulist_write(&topo->allowed);
	char *text = NULL;
	size_t size, i;
	FILE *out = allowed ? open_memstream(&text, &size) : NULL;

	if (out) {
		(void)fprintf(out, "CPUs online: %zu", topo->nr_cpus);
		for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
			if (counts[i].nr)
				(void)fprintf(out, ", %s: %u", counts[i].what,
					      counts[i].nr);
		if (topo->llc_bytes)
			(void)fprintf(out, ", the largest cache of %llu KiB",
				      topo->llc_bytes >> 10);
		(void)fprintf(out, "; may be used: %s", allowed);
		if (fclose(out)) {
			free(text);
			text = NULL;
		}
	}
	free(allowed);
	return text;
}

static void check_topology(const struct topo *topo, struct doctor *doctor)
{
	static const struct doctor_advice few = {
		"the rest of the machine can't be pinned to, and others may use it",
		"taskset, or a cpuset with all CPUs"
	};
	bool is_whole = topo->allowed.nr == topo->nr_cpus;
	char *text = describe_topology(topo);

	if (text)
		doctor_add(doctor, is_whole ? DOCTOR_OK : DOCTOR_NOTE, "topology",
			   is_whole ? NULL : &few, "%s", text);
	else
		doctor->nomem = true;
	free(text);
}

/* What no machine has, and hypervisors tell all the same; NULL: believable. */
static const char *implausible_cache(const struct topo *topo, uint64_t memory_bytes,
				     bool is_virtual)
{
	/* The largest cache that CPUs share is a few hundred MiB, however stacked. */
	const uint64_t largest = UINT64_C(1) << 30;

	if (topo->llc_bytes > largest)
		return "a last-level cache of more than 1 GiB";
	if (memory_bytes && topo->llc_bytes * topo->nr_llcs > memory_bytes / 4)
		return "more than a quarter of the memory as cache";
	if (is_virtual && topo->nr_cpus > 1 && topo->nr_llcs == topo->nr_cpus)
		return "a last-level cache for each CPU alone";
	if (topo->nr_cores && topo->nr_llcs > topo->nr_cores)
		return "more last-level caches than cores";
	return NULL;
}

static void check_caches(const struct doctor_subject *subject, struct doctor *doctor)
{
	static const struct doctor_advice unknown = {
		"pins by last-level cache make their cells skipped, and STREAM's arrays "
		"get 10 million elements, which nobody holds against the caches",
		"on a VM: pass the host's cache topology on"
	};
	static const struct doctor_advice absurd = {
		"pins by last-level cache and STREAM's size, where the grid leaves it "
		"open, follow what isn't there",
		"on a VM: pass the host's cache topology on; else pin by CPU list and "
		"give STREAM a size"
	};
	const struct jval *facts = subject->host->facts;
	bool is_virtual = jval_is_true(jval_get(facts, "hypervisor"));
	const char *what;
	uint64_t memory = 0;

	(void)jval_uint(jval_get(jval_get(facts, "memory"), "total_bytes"), &memory);
	what = implausible_cache(subject->topo, memory, is_virtual);
	if (!subject->topo->nr_llcs)
		doctor_add(doctor, DOCTOR_NOTE, "caches", &unknown,
			   "the kernel tells of no last-level cache");
	else if (what)
		doctor_add(doctor, DOCTOR_NOTE, "caches", &absurd, "not believable: %s",
			   what);
	else
		doctor_add(doctor, DOCTOR_OK, "caches", NULL, "believable%s",
			   is_virtual ? ", as far as a hypervisor can be believed" : "");
}

static void check_hypervisor(const struct jval *facts, struct doctor *doctor)
{
	static const struct doctor_advice advice = {
		"other guests and the host's scheduler are in every figure, and topology "
		"is what the hypervisor tells",
		"a machine of its own, for figures to publish"
	};

	if (jval_is_true(jval_get(facts, "hypervisor")))
		doctor_add(doctor, DOCTOR_NOTE, "hypervisor", &advice,
			   "this is a virtual machine");
}

static void check_governor(const struct jval *facts, struct doctor *doctor)
{
	static const struct doctor_advice absent = {
		"the clock can't be held and is not recorded", NULL
	};
	static const struct doctor_advice slow = {
		"the clock follows the load, so a change in placement changes the clock",
		"cpupower frequency-set -g performance, from linux-cpupower"
	};
	const struct jval *governor = jval_get(facts, "governor");
	const char *word = jval_text(governor);

	if (!governor)
		doctor_add(doctor, DOCTOR_NOTE, "governor", &absent,
			   "there is no cpufreq here");
	else if (!word)
		doctor_add(doctor, DOCTOR_NOTE, "governor", &slow,
			   "CPUs have different ones");
	else if (strcmp(word, "performance") != 0)
		doctor_add(doctor, DOCTOR_NOTE, "governor", &slow, "%s on all CPUs",
			   word);
	else
		doctor_add(doctor, DOCTOR_OK, "governor", NULL,
			   "performance on all CPUs");
}

static void check_turbo(const struct jval *facts, struct doctor *doctor)
{
	static const struct doctor_advice advice = {
		"the clock depends on how many CPUs are busy and on the temperature",
		"echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo, or echo 0 > "
		"/sys/devices/system/cpu/cpufreq/boost"
	};
	const struct jval *frequency = jval_get(facts, "frequency");
	const char *boost = jval_get_text(frequency, "boost");
	const char *no_turbo = jval_get_text(frequency, "no_turbo");

	if (!boost && !no_turbo)
		return;
	if ((boost && !strcmp(boost, "1")) || (no_turbo && !strcmp(no_turbo, "0")))
		doctor_add(doctor, DOCTOR_NOTE, "turbo", &advice, "on");
	else
		doctor_add(doctor, DOCTOR_OK, "turbo", NULL, "off");
}

static void check_smt(const struct jval *facts, struct doctor *doctor)
{
	const char *smt = jval_get_text(facts, "smt");

	if (smt)
		doctor_add(doctor, DOCTOR_OK, "SMT", NULL, "%s", smt);
}

void doctor_processor(const struct doctor_subject *subject, struct doctor *doctor)
{
	const struct jval *facts = subject->host->facts;

	check_topology(subject->topo, doctor);
	check_caches(subject, doctor);
	check_hypervisor(facts, doctor);
	check_governor(facts, doctor);
	check_turbo(facts, doctor);
	check_smt(facts, doctor);
}
