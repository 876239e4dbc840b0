// SPDX-License-Identifier: GPL-2.0-or-later
/* The doctor on machines that don't exist: each fact, good and bad. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "benchmarks/bench.h"
#include "lib/err.h"
#include "lib/json.h"
#include "lib/topo.h"
#include "record/host.h"
#include "runner/doctor.h"
#include "runner/doctor_checks.h"
#include "runner/plan.h"
#include "tests/unit/fake-tree.h"

/* struct patient - a machine of four CPUs with two caches, and what it is told */
struct patient {
	struct fake_tree tree;
	struct topo topo;
	struct host host;
	struct doctor doctor;
};

static void patient_init(struct patient *patient, const char *facts)
{
	struct err err = { 0 };
	unsigned int i;

	*patient = (struct patient){ 0 };
	fake_tree_init(&patient->tree);
	patient->topo.nr_cpus = 4;
	patient->topo.nr_cores = 4;
	patient->topo.nr_llcs = 2;
	patient->topo.llc_bytes = 8 << 20;
	for (i = 0; i < 4; i++)
		assert_int_equal(cpulist_add(&patient->topo.allowed, i), 0);
	if (jval_parse(facts, strlen(facts), &patient->host.facts, &err))
		fail_msg("%s", err.text);
}

static void patient_release(struct patient *patient)
{
	struct doctor *copy = malloc(sizeof(*copy));

	assert_non_null(copy);
	*copy = patient->doctor;
	doctor_free(copy);
	jval_free(patient->host.facts);
	cpulist_release(&patient->topo.allowed);
	fake_tree_release(&patient->tree);
}

static void look(struct patient *patient,
		 void (*check)(const struct doctor_subject *, struct doctor *))
{
	const struct doctor_subject subject = {
		.root = patient->tree.dir,
		.topo = &patient->topo,
		.host = &patient->host,
		.dir = patient->tree.dir,
	};

	check(&subject, &patient->doctor);
	assert_false(patient->doctor.nomem);
}

static const struct doctor_finding *find(const struct patient *patient, const char *thing)
{
	size_t i;

	for (i = 0; i < patient->doctor.nr; i++)
		if (!strcmp(patient->doctor.findings[i].thing, thing))
			return &patient->doctor.findings[i];
	return NULL;
}

static void assert_finding(const struct patient *patient, const char *thing,
			   enum doctor_state state, const char *text)
{
	const struct doctor_finding *finding = find(patient, thing);

	if (!finding) {
		fail_msg("nothing is said of '%s'", thing);
		return;
	}
	if (!strstr(finding->text, text))
		fail_msg("%s: '%s' lacks '%s'", thing, finding->text, text);
	assert_int_equal(finding->state, state);
	if (state == DOCTOR_OK)
		assert_null(finding->cost);
	else
		assert_non_null(finding->cost);
}

/* Looks at the processor of a machine with these facts. */
static void assert_processor(const char *facts, const char *thing,
			     enum doctor_state state, const char *text)
{
	struct patient patient;

	patient_init(&patient, facts);
	look(&patient, doctor_processor);
	assert_finding(&patient, thing, state, text);
	patient_release(&patient);
}

/* BL-079: no cpufreq in a VM, and CPUs that differ, are told as such. */
static void test_bl_079_governor(void **state)
{
	(void)state;
	assert_processor("{\"governor\":\"performance\"}", "governor", DOCTOR_OK,
			 "performance on all CPUs");
	assert_processor("{\"governor\":\"powersave\"}", "governor", DOCTOR_NOTE,
			 "powersave on all CPUs");
	assert_processor("{\"governor\":{\"powersave\":\"0\",\"performance\":\"1-3\"}}",
			 "governor", DOCTOR_NOTE, "different");
	assert_processor("{}", "governor", DOCTOR_NOTE, "no cpufreq");
}

static void test_turbo(void **state)
{
	struct patient patient;

	(void)state;
	assert_processor("{\"frequency\":{\"no_turbo\":\"0\"}}", "turbo", DOCTOR_NOTE,
			 "on");
	assert_processor("{\"frequency\":{\"no_turbo\":\"1\"}}", "turbo", DOCTOR_OK,
			 "off");
	assert_processor("{\"frequency\":{\"boost\":\"1\"}}", "turbo", DOCTOR_NOTE, "on");
	assert_processor("{\"frequency\":{\"boost\":\"0\"}}", "turbo", DOCTOR_OK, "off");
	patient_init(&patient, "{}");
	look(&patient, doctor_processor);
	assert_null(find(&patient, "turbo"));
	patient_release(&patient);
}

static void test_topology(void **state)
{
	struct patient patient;

	(void)state;
	patient_init(&patient, "{}");
	look(&patient, doctor_processor);
	assert_finding(
		&patient, "topology", DOCTOR_OK,
		"CPUs online: 4, cores: 4, last-level caches: 2, the largest cache "
		"of 8192 KiB; may be used: 0-3");
	patient_release(&patient);

	patient_init(&patient, "{}");
	patient.topo.nr_cpus = 6;
	look(&patient, doctor_processor);
	assert_finding(&patient, "topology", DOCTOR_NOTE, "may be used: 0-3");
	patient_release(&patient);
}

/* @bytes of each of @nr caches on a machine with these facts. */
static void assert_caches(const char *facts, unsigned int nr, unsigned long long bytes,
			  enum doctor_state state, const char *text)
{
	struct patient patient;

	patient_init(&patient, facts);
	patient.topo.nr_llcs = nr;
	patient.topo.llc_bytes = bytes;
	look(&patient, doctor_processor);
	assert_finding(&patient, "caches", state, text);
	patient_release(&patient);
}

static void test_caches(void **state)
{
	static const char metal[] = "{\"memory\":{\"total_bytes\":17179869184}}";
	static const char guest[] =
		"{\"hypervisor\":true,\"memory\":{\"total_bytes\":17179869184}}";
	static const char tiny[] = "{\"memory\":{\"total_bytes\":67108864}}";
	const unsigned long long mib = 1 << 20;

	(void)state;
	assert_caches(metal, 2, 96 * mib, DOCTOR_OK, "believable");
	assert_caches(metal, 4, 2 * mib, DOCTOR_OK, "believable");
	assert_caches(guest, 4, 16 * mib, DOCTOR_NOTE, "each CPU alone");
	assert_caches(guest, 1, 16 * mib, DOCTOR_OK, "as far as a hypervisor");
	assert_caches(metal, 1, 2048 * mib, DOCTOR_NOTE, "more than 1 GiB");
	assert_caches(tiny, 1, 32 * mib, DOCTOR_NOTE, "a quarter of the memory");
	assert_caches(metal, 5, 1 * mib, DOCTOR_NOTE, "than cores");
	assert_caches(metal, 0, 0, DOCTOR_NOTE, "no last-level cache");
}

static void test_sched_domain(void **state)
{
	struct patient patient;

	(void)state;
	patient_init(&patient, "{}");
	look(&patient, doctor_kernel);
	assert_finding(&patient, "sched_domain", DOCTOR_NOTE, "neither");
	patient_release(&patient);

	patient_init(&patient, "{}");
	fake_tree_file(&patient.tree, "proc/sys/kernel/sched_domain/cpu0/domain0/flags",
		       "4655\n");
	look(&patient, doctor_kernel);
	assert_finding(&patient, "sched_domain", DOCTOR_OK,
		       "/proc/sys/kernel/sched_domain/cpu0, writable");
	patient_release(&patient);

	patient_init(&patient, "{}");
	fake_tree_file(&patient.tree, "sys/kernel/debug/sched/domains/cpu0/domain0/flags",
		       "SD_WAKE_AFFINE\n");
	look(&patient, doctor_kernel);
	assert_finding(&patient, "sched_domain", DOCTOR_OK,
		       "/sys/kernel/debug/sched/domains/cpu0, writable");
	patient_release(&patient);
}

static void test_autogroup(void **state)
{
	static const struct {
		const char *facts;
		enum doctor_state state;
		const char *text;
	} cases[] = {
		{ "{\"sched_autogroup\":\"1\"}", DOCTOR_NOTE, "on" },
		{ "{\"sched_autogroup\":\"0\"}", DOCTOR_OK, "off" },
		{ "{}", DOCTOR_OK, "not in this kernel" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct patient patient;

		patient_init(&patient, cases[i].facts);
		look(&patient, doctor_kernel);
		assert_finding(&patient, "autogroup", cases[i].state, cases[i].text);
		patient_release(&patient);
	}
}

/* BL-077: the level is read before anything is counted, and what to change is said. */
static void test_bl_077_perf_paranoid(void **state)
{
	const struct doctor_finding *finding;
	struct patient patient;

	(void)state;
	patient_init(&patient, "{}");
	look(&patient, doctor_kernel);
	assert_finding(&patient, "perf events", DOCTOR_NOTE, "not in this kernel");
	patient_release(&patient);

	patient_init(&patient, "{}");
	fake_tree_file(&patient.tree, "proc/sys/kernel/perf_event_paranoid", "3\n");
	look(&patient, doctor_kernel);
	assert_finding(&patient, "perf events", geteuid() ? DOCTOR_NOTE : DOCTOR_OK,
		       "perf_event_paranoid is 3");
	finding = find(&patient, "perf events");
	if (geteuid() && finding)
		assert_string_equal(
			finding->remedy,
			"sysctl kernel.perf_event_paranoid=0, or run as root");
	assert_finding(&patient, "hardware counters", DOCTOR_NOTE, "none");
	patient_release(&patient);

	patient_init(&patient, "{}");
	fake_tree_file(&patient.tree, "proc/sys/kernel/perf_event_paranoid", "-1\n");
	fake_tree_file(&patient.tree, "sys/bus/event_source/devices/cpu_core/type",
		       "4\n");
	look(&patient, doctor_kernel);
	assert_finding(&patient, "perf events", DOCTOR_OK, "perf_event_paranoid is -1");
	assert_null(find(&patient, "hardware counters"));
	patient_release(&patient);
}

static void test_tracefs(void **state)
{
	struct patient patient;

	(void)state;
	patient_init(&patient, "{}");
	look(&patient, doctor_kernel);
	assert_finding(&patient, "tracefs", DOCTOR_NOTE, "no readable");
	patient_release(&patient);

	patient_init(&patient, "{}");
	fake_tree_file(&patient.tree, "sys/kernel/tracing/events/sched/enable", "0\n");
	look(&patient, doctor_kernel);
	assert_finding(&patient, "tracefs", DOCTOR_OK,
		       "/sys/kernel/tracing/events/sched");
	patient_release(&patient);
}

static void assert_remedy(const struct patient *patient, const char *thing,
			  const char *remedy)
{
	const struct doctor_finding *finding = find(patient, thing);

	assert_non_null(finding);
	if (!finding)
		return;
	if (remedy)
		assert_string_equal(finding->remedy, remedy);
	else
		assert_null(finding->remedy);
}

/* A grid of one cell, done by @how of which there is @program. */
static void look_at_program(struct patient *patient, const struct bench_program *how,
			    const struct program *program)
{
	struct program programs[] = { *program };
	struct cell cells[1] = { { .program = 0 } };
	const struct plan plan = {
		.cells = cells,
		.nr_cells = 1,
		.programs = programs,
		.nr_programs = 1,
	};
	const struct doctor_subject subject = { .root = "", .plan = &plan };
	struct err err = { 0 };

	workload_init(&cells[0].workload, bench_find("hackbench"));
	cells[0].workload.program = how;
	if (doctor_programs(&subject, &patient->doctor, &err))
		fail_msg("%s", err.text);
}

static void test_programs_that_cannot_run_are_not_ok(void **state)
{
	static char name[] = "tool", version[] = "1.0.20", path[] = "/bin/sh";
	static const struct bench_program parts[] = {
		{ .name = "part", .command = "no-such-part", .package = "parts" },
		{ 0 },
	};
	static const struct bench_program fine = { .name = "tool", .command = "tool" };
	static const struct bench_program old = {
		.name = "tool", .command = "tool", .package = "tools", .versions = "0.4."
	};
	static const struct bench_program starts = { .name = "tool", .starts = parts };
	const struct program program = {
		.word = name, .name = name, .path = path, .version = version
	};
	struct patient patient;

	(void)state;
	patient_init(&patient, "{}");
	look_at_program(&patient, &fine, &program);
	assert_finding(&patient, "program tool (tool)", DOCTOR_OK, "version 1.0.20");
	patient_release(&patient);

	patient_init(&patient, "{}");
	look_at_program(&patient, &old, &program);
	assert_finding(&patient, "program tool (tool)", DOCTOR_MISSING,
		       "is of version 1.0.20 (expected 0.4.*)");
	assert_remedy(&patient, "program tool (tool)", NULL);
	patient_release(&patient);

	patient_init(&patient, "{}");
	look_at_program(&patient, &starts, &program);
	assert_finding(&patient, "program tool (tool)", DOCTOR_MISSING,
		       "program 'no-such-part' of part is not installed");
	assert_remedy(&patient, "program tool (tool)", "apt-get install parts");
	patient_release(&patient);
}

/* Without a grid: servers, and variants that lack a file, beside the programs. */
static void test_servers_are_looked_for(void **state)
{
	const struct doctor_subject subject = { .root = "" };
	struct patient patient;
	struct err err = { 0 };

	(void)state;
	patient_init(&patient, "{}");
	if (doctor_programs(&subject, &patient.doctor, &err))
		fail_msg("%s", err.text);
	assert_non_null(find(&patient, "program postgres (postgresql)"));
	assert_non_null(find(&patient, "program mariadbd (mariadb)"));
	assert_true(find(&patient, "variant tbench-full") ||
		    !access("/usr/share/dbench/client.txt", R_OK));
	patient_release(&patient);
}

static void test_load_and_swap(void **state)
{
	struct patient patient;

	(void)state;
	patient_init(&patient, "{\"transparent_hugepage\":\"always\"}");
	fake_tree_file(&patient.tree, "proc/swaps",
		       "Filename Type Size Used Priority\n/dev/vda2 partition 1 0 -2\n");
	/* A machine that stands still has no load that could be told. */
	fake_tree_file(&patient.tree, "proc/stat", "cpu  1 2 3 4 5 6 7 8 9 10\n");
	look(&patient, doctor_load);
	assert_finding(&patient, "swap", DOCTOR_NOTE, "on");
	assert_finding(&patient, "huge pages", DOCTOR_NOTE, "always");
	assert_null(find(&patient, "load"));
	assert_non_null(find(&patient, "disk"));
	patient_release(&patient);

	patient_init(&patient, "{\"transparent_hugepage\":\"madvise\"}");
	fake_tree_file(&patient.tree, "proc/swaps", "Filename Type Size Used Priority\n");
	look(&patient, doctor_load);
	assert_finding(&patient, "swap", DOCTOR_OK, "off");
	assert_finding(&patient, "huge pages", DOCTOR_OK, "madvise");
	patient_release(&patient);
}

static void test_fit_and_json(void **state)
{
	static const struct doctor_advice advice = { "much", "nothing" };
	struct doctor *doctor = calloc(1, sizeof(*doctor));
	struct jval *json;

	(void)state;
	assert_non_null(doctor);
	doctor_add(doctor, DOCTOR_OK, "a", NULL, "fine");
	doctor_add(doctor, DOCTOR_NOTE, "b", &advice, "so\nso");
	assert_true(doctor_is_fit(doctor));
	doctor_add(doctor, DOCTOR_MISSING, "c", &advice, "not %s", "there");
	assert_false(doctor_is_fit(doctor));
	json = doctor_json(doctor);
	assert_string_equal(jval_get_text(json, "schema"), "schedgrid-doctor-1");
	assert_false(jval_is_true(jval_get(json, "fit")));
	assert_int_equal(jval_count(jval_get(json, "findings")), 3);
	assert_null(jval_get(jval_item(jval_get(json, "findings"), 0), "cost"));
	assert_string_equal(
		jval_get_text(jval_item(jval_get(json, "findings"), 1), "text"),
		"so\\x0aso");
	assert_string_equal(
		jval_get_text(jval_item(jval_get(json, "findings"), 2), "state"),
		doctor_state_name(DOCTOR_MISSING));
	jval_free(json);
	doctor_free(doctor);
	doctor_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bl_079_governor),
		cmocka_unit_test(test_turbo),
		cmocka_unit_test(test_topology),
		cmocka_unit_test(test_caches),
		cmocka_unit_test(test_sched_domain),
		cmocka_unit_test(test_autogroup),
		cmocka_unit_test(test_bl_077_perf_paranoid),
		cmocka_unit_test(test_tracefs),
		cmocka_unit_test(test_programs_that_cannot_run_are_not_ok),
		cmocka_unit_test(test_servers_are_looked_for),
		cmocka_unit_test(test_load_and_swap),
		cmocka_unit_test(test_fit_and_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
