// SPDX-License-Identifier: GPL-2.0-or-later
/* docs/schema/: what we write fits, its keys are all there, and no others. */
#include "tests/unit/compare-records.h"

#include <errno.h>
#include <regex.h>
#include <stdlib.h>

#include "compare/audit.h"
#include "compare/fmt_json.h"
#include "compare/judge.h"
#include "compare/posted.h"
#include "lib/file.h"
#include "lib/topo.h"
#include "record/host.h"
#include "tests/unit/fake-tree.h"
#include "tests/unit/schema-check.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

static void fits(const char *name, const struct jval *value)
{
	struct jval *schema = schema_load(name);
	struct err err = { 0 };

	assert_non_null(value);
	if (schema_check(schema, value, &err))
		fail_msg("%s: %s", name, err.text);
	jval_free(schema);
}

/* @value with @key put to what @json says doesn't fit, for the reason @why. */
static void fits_not(const char *name, const struct jval *value, const char *key,
		     const char *json, const char *why)
{
	struct jval *schema = schema_load(name);
	struct jval *bad = jval_copy(value);
	struct err err = { 0 };

	assert_int_equal(jval_put(bad, key, parse_json(json)), 0);
	assert_int_equal(schema_check(schema, bad, &err), -EPROTO);
	if (strcmp(err.text, why))
		fail_msg("'%s' is not '%s'", err.text, why);
	jval_free(bad);
	jval_free(schema);
}

static char *source_text(const char *path)
{
	const char *source = getenv("SCHEDGRID_SOURCE");
	char *full = file_path("%s/%s", source ? source : ".", path);
	char *text = NULL;

	if (file_read(full, 1 << 22, &text, NULL, NULL))
		fail_msg("cannot read %s", full);
	free(full);
	return text;
}

static void test_ledgers(void **state)
{
	static const char *const paths[] = {
		"tests/fixtures/record/sample.json",
		"tests/fixtures/record/summary.json",
		"tests/fixtures/record/failed.json",
		"tests/fixtures/mmtests/records.jsonl",
		"tests/fixtures/seed-002/pipe/records.jsonl",
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(paths); i++) {
		char *text = source_text(paths[i]);
		char *rest = NULL;
		char *line;

		for (line = strtok_r(text, "\n", &rest); line;
		     line = strtok_r(NULL, "\n", &rest)) {
			struct jval *value = parse_json(line);

			fits("schedgrid-record-1", value);
			jval_free(value);
		}
		free(text);
	}
}

/* All that a record can have, as it is written. */
static void test_record(void **state)
{
	double samples[] = { 1.0, NAN };
	struct record_metric metrics[] = {
		{ .name = "time",
		  .unit = "s",
		  .secondary = true,
		  .unjudged = "why",
		  .resolution = 1e-6,
		  .samples = samples,
		  .nr_samples = 2 },
		{ .name = "rate",
		  .unit = "",
		  .better_higher = true,
		  .is_summary = true,
		  .is_hmean = true,
		  .mean = 2.0,
		  .stddev = 0.5,
		  .n = 3,
		  .digits = 2 },
	};
	const char *remarks[] = { "the clock was set" };
	struct jval *point = parse_json("{\"groups\":4}");
	struct record record = {
		.id = "c/b1/i1/a1",
		.cell = "c",
		.column = "base",
		.workload = "w",
		.variant = "w",
		.point = point,
		.parameters = point,
		.machine = "m",
		.executor = "local",
		.boot = "b1",
		.block = 1,
		.iteration = 1,
		.attempt = 1,
		.seq = 1,
		.reason = "one",
		.flags = RECORD_EMULATED,
		.remarks = remarks,
		.nr_remarks = 1,
		.start = "2026-12-01T02:00:00.123Z",
		.wall_ns = 5,
		.has_foreign = true,
		.has_seed = true,
		.seed = 42,
		.by_output = true,
		.monitors = "perf",
		.program = { "native", "0.1", "ab" },
		.reparsed = { "c/b1/i1/a0", "0.1" },
		.metrics = metrics,
		.nr_metrics = 2,
	};
	char *line = record_write(&record);
	struct jval *value = parse_json(line);

	(void)state;
	fits("schedgrid-record-1", value);
	fits_not("schedgrid-record-1", value, "colour", "1",
		 ": has an unknown key colour");
	fits_not("schedgrid-record-1", value, "seq", "-1", "/seq: is beyond its minimum");
	fits_not("schedgrid-record-1", value, "seq", "1.5", "/seq: is no integer");
	fits_not("schedgrid-record-1", value, "status", "\"fine\"",
		 "/status: is not one of enum");
	fits_not("schedgrid-record-1", value, "metrics",
		 "[{\"name\":\"x\",\"better\":\"lower\"}]", "/metrics/0: lacks samples");
	jval_free(value);
	jval_free(point);
	free(line);
}

static struct jval *compared(struct table *table)
{
	struct judgement *judgement = NULL;
	struct jval *top = NULL;
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_int_equal(table_finish(table, NULL, NULL, NULL), 0);
	assert_int_equal(judge_table(table, &rule_default, &judgement, NULL), 0);
	table->judgement = judgement;
	assert_int_equal(fmt_json(out, table, "0.1.0", NULL), 0);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(jval_parse(text, len, &top, NULL), 0);
	free(text);
	judgement_free(judgement);
	table_free(table);
	return top;
}

static const struct jval *first_sample(const struct jval *top)
{
	const struct jval *row = jval_item(jval_get(top, "rows"), 0);
	const struct jval *cell = jval_item(jval_get(row, "columns"), 0);

	return jval_item(jval_get(cell, "samples"), 0);
}

static void test_compare(void **state)
{
	struct table *table = table_new();
	const struct jval *sample;
	struct jval *top;
	unsigned int i;

	(void)state;
	add_plan(table, "run",
		 "{\"iterations\":20,\"terms\":[\"say so\"],"
		 "\"stopped\":{\"after\":12,\"why\":\"precise\"}}");
	for (i = 1; i <= 12; i++) {
		add(table, .iteration = i, .has_blocks = true, .value = 1.0 + 0.01 * i,
		    .start = "2026-12-01T02:00:00.123Z", .resolution = 1e-6,
		    .flags = i == 1 ? RECORD_INTERFERED : 0, .monitors = "perf");
		add(table, .column = "wake", .iteration = i, .has_blocks = true,
		    .value = 2.0 + 0.02 * i + (i > 6 ? 3 : 0), .machine = "m");
		add(table, .iteration = i, .metric = "rate", .higher = true,
		    .secondary = true, .value = i);
	}
	add(table, .iteration = 13, .status = RECORD_FAILED, .reason = "exit status 1");
	add(table, .iteration = 14, .value = NAN);
	add(table, .variant = "other", .status = RECORD_SKIPPED, .reason = "no perf");
	add(table, .variant = "posted", .metric = "rate", .higher = true,
	    .is_summary = true, .is_hmean = true, .value = 5.0, .stddev = 1.0, .n = 3,
	    .digits = 2);
	top = compared(table);
	fits("schedgrid-compare-1", top);
	assert_non_null(jval_get(top, "terms"));
	sample = first_sample(top);
	assert_non_null(jval_get(sample, "boot"));
	assert_non_null(jval_get(sample, "block"));
	assert_non_null(jval_get(sample, "iteration"));
	assert_non_null(jval_get(sample, "start"));
	fits_not("schedgrid-compare-1", top, "rows", "[{}]", "/rows/0: lacks workload");
	fits_not("schedgrid-compare-1", top, "machines", "[1]",
		 "/machines/0: is no string");
	jval_free(top);
}

static void test_audit(void **state)
{
	static const char mail[] = "t\na b\nAmean 1 1.000 ( 0.00%) 0.900 ( 10.00%)\n"
				   "Amean 2 1.000 ( 0.00%) 0.800 ( 25.00%)\n";
	struct posted posted;
	struct audit audit;
	struct jval *json;

	(void)state;
	assert_int_equal(posted_read(&posted, mail, strlen(mail), "mail", NULL), 0);
	assert_int_equal(audit_posted(&audit, &posted, NULL), 0);
	json = audit_json(&audit);
	assert_int_equal(jval_count(jval_get(json, "findings")), 1);
	fits("schedgrid-audit-1", json);
	fits_not("schedgrid-audit-1", json, "findings", "{}", "/findings: is no array");
	jval_free(json);
	audit_release(&audit);
	posted_release(&posted);
}

static void test_host(void **state)
{
	struct topo_cpu cpus[] = { { 0 }, { .cpu = 1 } };
	const struct topo topo = { .cpus = cpus, .nr_cpus = 2 };
	struct fake_tree tree;
	struct host *host = NULL;

	(void)state;
	fake_tree_init(&tree);
	fake_tree_file(&tree, "proc/sys/kernel/hostname", "made-up\n");
	fake_tree_file(&tree, "proc/sys/kernel/osrelease", "6.1.0\n");
	fake_tree_file(&tree, "proc/sys/kernel/version", "#1\n");
	fake_tree_file(&tree, "proc/meminfo", "MemTotal:  1000 kB\n");
	fake_tree_file(&tree, "proc/cpuinfo", "model name : x\nflags : a hypervisor\n");
	fake_tree_file(&tree, "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
		       "powersave\n");
	fake_tree_file(&tree, "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor",
		       "performance\n");
	fake_tree_file(&tree, "sys/kernel/debug/sched/domains/cpu0/domain0/name", "MC\n");
	assert_int_equal(host_discover_at(tree.dir, &topo, &host, NULL), 0);
	fits("schedgrid-host-1", host->facts);
	fits_not("schedgrid-host-1", host->facts, "governor", "{\"powersave\":0}",
		 "/governor: is no string");
	host_free(host);
	fake_tree_release(&tree);
}

/*
 * struct source - where the keys of a schema are written
 * @files: end with NULL; likewise
 * @also: some of the keys, and others that aren't
 */
struct source {
	const char *schema;
	const char *files[10];
	const char *also[3];
};

static const struct source sources[] = {
	{ .schema = "schedgrid-record-1", .files = { "record/record.c" } },
	{ .schema = "schedgrid-compare-1",
	  .files = { "compare/fmt_json.c", "compare/json_verdict.c",
		     "compare/json_origin.c" } },
	{ .schema = "schedgrid-audit-1", .files = { "compare/audit.c" } },
	{ .schema = "schedgrid-plan-1",
	  .files = { "runner/plan_json.c", "runner/until.c", "runner/monitor.c",
		     "runner/guest.c", "runner/guest_spec.c", "runner/rundir.c",
		     "runner/settings.c", "runner/sim_plan.c", "runner/slurm_spec.c" },
	  .also = { "record/host.c" } },
	{ .schema = "schedgrid-host-1",
	  .files = { "record/host.c", "record/host_kernel.c", "record/host_config.c",
		     "record/host_cpu.c", "record/host_sched.c", "record/host_bounds.c",
		     "runner/guest_spec.c", "runner/sim_host.c" },
	  .also = { "runner/guest.c", "runner/guest_boot.c", "runner/sim_plan.c" } },
};

/* Whether @key is among the properties of @schema or anything below it. */
static bool has_key(const struct jval *schema, const char *key)
{
	const struct jval *value;
	const char *name;
	void *pos = NULL;
	size_t i;

	if (jval_get(jval_get(schema, "properties"), key))
		return true;
	while (jval_each(schema, &pos, &name, &value)) {
		if (has_key(value, key))
			return true;
	}
	for (i = 0; jval_is_array(schema) && i < jval_count(schema); i++) {
		if (has_key(jval_item(schema, i), key))
			return true;
	}
	return false;
}

/* Whatever the code puts under a name is described. */
static void check_written(const struct source *source, const struct jval *schema,
			  const char *file)
{
	char *text = source_text(file);
	const char *at = text;
	regmatch_t match[3];
	regex_t put;
	size_t nr = 0;

	assert_int_equal(regcomp(&put,
				 "(put|put_[a-z_]+|jtext_[a-z]+)"
				 "\\([^;\"]*,[[:space:]]*\"([a-z0-9_-]+)\"",
				 REG_EXTENDED),
			 0);
	for (; !regexec(&put, at, NR(match), match, 0); at += match[2].rm_eo) {
		char *key = strndup(at + match[2].rm_so,
				    (size_t)(match[2].rm_eo - match[2].rm_so));

		if (!has_key(schema, key))
			fail_msg("%s: '%s' of %s is not described", source->schema, key,
				 file);
		nr++;
		free(key);
	}
	assert_true(nr > 0);
	regfree(&put);
	free(text);
}

static void test_what_is_written_is_described(void **state)
{
	size_t i, j;

	(void)state;
	for (i = 0; i < NR(sources); i++) {
		struct jval *schema = schema_load(sources[i].schema);

		for (j = 0; j < NR(sources[i].files) && sources[i].files[j]; j++)
			check_written(&sources[i], schema, sources[i].files[j]);
		jval_free(schema);
	}
}

static char *join(char *all, const char *file)
{
	char *text = source_text(file);
	char *both = file_path("%s%s", all, text);

	free(text);
	free(all);
	assert_non_null(both);
	return both;
}

/* All of the source of a schema in one text, with the names of verdicts. */
static char *all_text(const struct source *source)
{
	char *all = source_text("compare/verdict.c");
	size_t i;

	for (i = 0; i < NR(source->files) && source->files[i]; i++)
		all = join(all, source->files[i]);
	for (i = 0; i < NR(source->also) && source->also[i]; i++)
		all = join(all, source->also[i]);
	return all;
}

static void check_described(const char *name, const struct jval *schema, const char *text)
{
	const struct jval *value;
	const char *key;
	void *pos = NULL;
	size_t i;

	while (jval_each(jval_get(schema, "properties"), &pos, &key, &value)) {
		char *quoted = file_path("\"%s\"", key);

		if (!strstr(text, quoted))
			fail_msg("%s: nothing writes '%s'", name, key);
		if (!jval_get_text(value, "description") &&
		    !jval_get(value, "properties"))
			fail_msg("%s: '%s' has no description", name, key);
		free(quoted);
	}
	pos = NULL;
	while (jval_each(schema, &pos, &key, &value))
		check_described(name, value, text);
	for (i = 0; jval_is_array(schema) && i < jval_count(schema); i++)
		check_described(name, jval_item(schema, i), text);
}

static void test_what_is_described_is_written(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < NR(sources); i++) {
		struct jval *schema = schema_load(sources[i].schema);
		char *text = all_text(&sources[i]);

		check_described(sources[i].schema, schema, text);
		free(text);
		jval_free(schema);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ledgers),
		cmocka_unit_test(test_record),
		cmocka_unit_test(test_compare),
		cmocka_unit_test(test_audit),
		cmocka_unit_test(test_host),
		cmocka_unit_test(test_what_is_written_is_described),
		cmocka_unit_test(test_what_is_described_is_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
