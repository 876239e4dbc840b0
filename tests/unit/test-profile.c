// SPDX-License-Identifier: GPL-2.0-or-later
/* Profiles of machines: what is counted, kept, read again and cited. */
#include "tests/unit/compare-records.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "compare/judge.h"
#include "compare/profile.h"
#include "compare/variance.h"
#include "tests/unit/near.h"

static const char facts_text[] =
	"{\"schema\":\"schedgrid-host-1\",\"machine\":\"box\",\"cpu_model\":\"CPU 9\","
	"\"kernel\":{\"release\":\"6.1\"},\"topology\":{\"cpus\":8,\"cores\":4,"
	"\"llcs\":1,\"nodes\":1,\"packages\":1,\"allowed\":\"0-7\"}}";

/* Twenty rows of which the first two differ. */
static struct table *make_table(void)
{
	static const double noise[] = { 1.00, 1.01, 0.99, 1.005, 0.995, 1.0, 1.002 };
	static const char *const columns[] = { "A", "B", NULL };
	enum { ROWS = 20 };
	struct table *table = table_new();
	struct judgement *judgement = NULL;
	size_t i, j, k;

	for (i = 0; i < ROWS; i++) {
		char point[32];

		(void)snprintf(point, sizeof(point), "{\"groups\":%zu}", i + 1);
		for (j = 0; j < 2; j++) {
			for (k = 0; k < COUNT(noise); k++) {
				double value =
					noise[(k + (j ? 2 + i % 3 : 0)) % COUNT(noise)];

				add(table, .column = columns[j], .point = point,
				    .iteration = (unsigned int)k + 1,
				    .value = j && i < 2 ? value * 1.2 : value);
			}
		}
	}
	assert_int_equal(table_finish(table, columns, NULL, NULL), 0);
	assert_int_equal(judge_table(table, &rule_default, &judgement, NULL), 0);
	table->judgement = judgement;
	return table;
}

static void free_table(struct table *table)
{
	judgement_free((struct judgement *)(uintptr_t)table->judgement);
	table_free(table);
}

static struct jval *make_profile(void)
{
	struct jval *facts = parse_json(facts_text);
	struct jval *machine = profile_machine(facts);
	const struct profile_origin origin = { machine, "night", "6.1",
					       "2026-11-30T01:02:03.000Z", "0.1" };
	struct table *table = make_table();
	struct jval *profile = NULL;

	assert_int_equal(profile_new(table, &origin, &profile, NULL), 0);
	free_table(table);
	jval_free(machine);
	jval_free(facts);
	return profile;
}

static uint64_t number(const struct jval *profile, const char *key)
{
	uint64_t value = UINT64_MAX;

	assert_true(jval_uint(jval_get(profile, key), &value));
	return value;
}

static void test_counts(void **state)
{
	struct jval *profile = make_profile();
	const struct jval *rate = jval_get(profile, "rate_ci95");
	double interval[2] = { 0.0, 0.0 };
	double cv;

	(void)state;
	assert_int_equal(number(profile, "rows"), 20);
	assert_int_equal(number(profile, "alarms"), 2);
	assert_int_equal(number(profile, "changed"), 2);
	/* R: qbinom(0.975, 20, 0.05), binom.test(2, 20)$conf.int */
	assert_int_equal(number(profile, "allowed"), 3);
	assert_true(jval_real(jval_item(rate, 0), &interval[0]));
	assert_true(jval_real(jval_item(rate, 1), &interval[1]));
	assert_true(fabs(interval[0] - 0.01234853) < 1e-7);
	assert_true(fabs(interval[1] - 0.31698271) < 1e-7);
	/* R: x <- c(1, 1.01, .99, 1.005, .995, 1, 1.002); sd(x)/mean(x) */
	assert_true(jval_real(jval_item(jval_get(profile, "cv"), 0), &cv));
	assert_true(fabs(cv - 0.0064972) < 1e-6);
	assert_int_equal(jval_count(jval_get(profile, "cells")), 20);
	/* One boot: what boots add isn't known. */
	assert_null(jval_get(jval_item(jval_get(profile, "cells"), 0), "boot_cv"));
	jval_free(profile);
}

static void assert_line(const char *json, const char *expected)
{
	struct jval *profile = parse_json(json);
	char *line = profile_line(profile);

	assert_string_equal(line, expected);
	free(line);
	jval_free(profile);
}

static void test_line(void **state)
{
	(void)state;
	assert_line("{\"date\":\"2026-11-30T01:02:03.000Z\",\"rows\":24,\"alarms\":1,"
		    "\"allowed\":4,\"cv\":[0.008,0.0621]}",
		    "machine profile of 2026-11-30: 1 false alarm in 24 rows, CV "
		    "0.8..6.2%");
	assert_line("{\"date\":\"2026-11-30T01:02:03.000Z\",\"rows\":24,\"alarms\":5,"
		    "\"allowed\":4,\"cv\":[]}",
		    "machine profile of 2026-11-30: 5 false alarms in 24 rows (at most 4 "
		    "expected)");
	assert_line("{\"date\":\"2026-11-30\",\"rows\":1,\"alarms\":0,\"allowed\":1,"
		    "\"cv\":[0.02,0.02]}",
		    "machine profile of 2026-11-30: 0 false alarms in 1 row, CV 2.0%");
}

/* @values: of both columns, in turn; @columns: the only ones of the table */
static int profile_of(const double *values, size_t nr, const char *const *columns,
		      struct jval **ret, struct err *err)
{
	struct jval *machine = jval_object();
	const struct profile_origin origin = { machine, "g", "6.1", "2026", "0.1" };
	struct judgement *judgement = NULL;
	struct table *table = table_new();
	size_t i;
	int bad;

	for (i = 0; i < nr; i++)
		add(table, .column = i % 2 ? "B" : "A", .iteration = i / 2 + 1,
		    .value = values[i]);
	assert_int_equal(table_finish(table, columns, NULL, NULL), 0);
	assert_int_equal(judge_table(table, &rule_default, &judgement, NULL), 0);
	table->judgement = judgement;
	bad = profile_new(table, &origin, ret, err);
	free_table(table);
	jval_free(machine);
	return bad;
}

static void test_nothing_to_compare(void **state)
{
	static const char *const both[] = { "A", "B", NULL };
	static const char *const one[] = { "A", NULL };
	static const double values[] = { 1.0, 1.0 };
	struct jval *profile = NULL;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(profile_of(values, 2, both, &profile, &err), -EINVAL);
	assert_string_equal(err.text,
			    "no row has two runs a side with numbers to compare");
	assert_int_equal(profile_of(values, 1, one, &profile, &err), -EINVAL);
	assert_string_equal(err.text,
			    "no row has two runs a side with numbers to compare");
	assert_null(profile);
}

/* A spread is no share of a mean that isn't above 0. */
static void test_no_cv(void **state)
{
	static const char *const both[] = { "A", "B", NULL };
	static const double values[] = { -1.0, -1.1, -1.2, -1.0, -1.1, -1.2 };
	struct jval *profile = NULL;

	(void)state;
	assert_int_equal(profile_of(values, 6, both, &profile, NULL), 0);
	assert_non_null(jval_get(profile, "rate_ci95"));
	assert_null(jval_get(profile, "cv"));
	jval_free(profile);
}

static void write_file(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	assert_true(fputs(text, out) >= 0);
	assert_int_equal(fclose(out), 0);
}

static void test_load(void **state)
{
	char path[] = "/tmp/test-profile-XXXXXX";
	int fd = mkstemp(path);
	struct jval *profile = make_profile();
	struct jval *again = NULL;
	char *text = jval_write(profile, JVAL_PRETTY);
	struct err err = { 0 };

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(close(fd), 0);
	write_file(path, text);
	assert_int_equal(profile_load(path, &again, &err), 0);
	assert_true(jval_equal(jval_get(profile, "machine"), jval_get(again, "machine")));
	assert_int_equal(number(again, "alarms"), 2);
	jval_free(again);
	write_file(path, "{\"schema\":\"schedgrid-profile-9\"}");
	assert_int_equal(profile_load(path, &again, &err), -EPROTO);
	assert_non_null(strstr(err.text, "schema 'schedgrid-profile-9' is not known"));
	err = (struct err){ 0 };
	write_file(path, "{\"schema\":\"schedgrid-profile-1\",\"date\":\"2026\"}");
	assert_int_equal(profile_load(path, &again, &err), -EPROTO);
	assert_non_null(strstr(err.text, "damaged"));
	write_file(path, "{");
	assert_int_equal(profile_load(path, &again, NULL), -EPROTO);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(profile_load(path, &again, NULL), -ENOENT);
	free(text);
	jval_free(profile);
}

static void test_machine(void **state)
{
	struct jval *facts = parse_json(facts_text);
	struct jval *machine = profile_machine(facts);
	struct jval *profile = make_profile();
	struct jval *other = NULL;
	char key[PROFILE_KEY_SIZE];
	char other_key[PROFILE_KEY_SIZE];

	(void)state;
	assert_true(profile_is_of(profile, machine));
	assert_int_equal(profile_key(machine, key), 0);
	assert_int_equal(strlen(key), PROFILE_KEY_SIZE - 1);
	/* Another kernel, the same machine; another topology, another machine. */
	assert_null(jval_get(machine, "kernel"));
	assert_int_equal(jval_put(machine, "cpus", jval_from_uint(4)), 0);
	assert_false(profile_is_of(profile, machine));
	assert_int_equal(profile_key(machine, other_key), 0);
	assert_string_not_equal(key, other_key);
	/* Nobody knows the machine of a run without hosts. */
	assert_int_equal(
		profile_machine_of(&(const char *){ "/nonexistent" }, 1, &other, NULL),
		0);
	assert_null(other);
	jval_free(profile);
	jval_free(machine);
	jval_free(facts);
}

static void test_variance(void **state)
{
	/* R: three boots of two runs; anova of them by hand. */
	static const double values[] = { 10.0, 10.2, 10.8, 11.0, 9.2, 9.4 };
	static const char *const boots[] = { "b1", "b1", "b2", "b2", "b3", "b3" };
	struct table *table = table_new();
	struct variance variance;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(values); i++)
		add(table, .value = values[i], .boot = boots[i],
		    .iteration = (unsigned int)i + 1);
	assert_int_equal(table_finish(table, NULL, NULL, NULL), 0);
	assert_int_equal(variance_of(&table->sections[0].rows[0].cells[0], &variance), 0);
	assert_int_equal(variance.nr_runs, 6);
	assert_int_equal(variance.nr_boots, 3);
	assert_true(fabs(variance.run_cv - sqrt(0.02) / 10.1) < 1e-9);
	assert_true(fabs(variance.boot_cv - sqrt(0.64 - 0.01) / 10.1) < 1e-9);
	assert_true(fabs(variance.cv - sqrt(0.524) / 10.1) < 1e-9);
	table_free(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_nothing_to_compare),
		cmocka_unit_test(test_no_cv),
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_machine),
		cmocka_unit_test(test_variance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
