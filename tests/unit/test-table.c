// SPDX-License-Identifier: GPL-2.0-or-later
/* Which records count in which cell, and the order of columns and rows. */
#include "tests/unit/compare-records.h"

#include <errno.h>
#include <stdlib.h>

static void finish(struct table *table, const char *const *columns, const char *baseline)
{
	struct err err = { 0 };

	if (table_finish(table, columns, baseline, &err))
		fail_msg("%s", err.text);
}

static const struct table_cell *cell_of(const struct table *table, const char *metric,
					const char *label, size_t column)
{
	static const struct table_cell none;
	const struct table_row *row = find_row(table, 0, metric, label);

	assert_non_null(row);
	return row ? &row->cells[column] : &none;
}

static void test_counts(void **state)
{
	struct table *table = table_new();
	const struct table_cell *cell;
	unsigned int i;

	(void)state;
	for (i = 1; i <= 5; i++)
		add(table, .iteration = i, .value = i);
	add(table, .iteration = 6, .status = RECORD_FAILED);
	add(table, .iteration = 7, .status = RECORD_TIMEOUT);
	add(table, .iteration = 8, .status = RECORD_INTERRUPTED);
	add(table, .iteration = 9, .value = 1000.0, .flags = RECORD_WARMUP);
	finish(table, NULL, NULL);

	cell = cell_of(table, "time", "", 0);
	assert_int_equal(cell->nr_samples, 5);
	assert_int_equal(cell->nr_failed, 2);
	assert_int_equal(cell->nr_boots, 1);
	assert_true(cell->stats.amean == 3.0);
	assert_true(cell->stats.max == 5.0);
	table_free(table);
}

/* A failed iteration names no metrics, so it is missed in all of them. */
static void test_failure_counts_in_every_metric(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .status = RECORD_BROKEN, .point = "{\"threads\":8}", .boot = "b1");
	add(table, .metric = "copy", .point = "{\"threads\":8}", .boot = "b2",
	    .value = 1.0);
	add(table, .metric = "add", .point = "{\"threads\":8}", .boot = "b3",
	    .value = 2.0);
	add(table, .metric = "add", .point = "{\"threads\":4}", .boot = "b3",
	    .value = 2.0);
	finish(table, NULL, NULL);

	assert_int_equal(cell_of(table, "copy", "8", 0)->nr_failed, 1);
	assert_int_equal(cell_of(table, "add", "8", 0)->nr_failed, 1);
	assert_int_equal(cell_of(table, "add", "4", 0)->nr_failed, 0);
	assert_null(find_row(table, 0, "copy", "4"));
	table_free(table);
}

static void test_nothing_worked(void **state)
{
	struct table *table = table_new();
	const struct table_row *row;

	(void)state;
	add(table, .iteration = 1, .status = RECORD_FAILED);
	add(table, .iteration = 2, .status = RECORD_FAILED);
	finish(table, NULL, NULL);

	assert_int_equal(table->sections[0].nr_rows, 1);
	row = &table->sections[0].rows[0];
	assert_null(row->metric->name);
	assert_int_equal(row->cells[0].nr_failed, 2);
	assert_int_equal(row->cells[0].nr_samples, 0);
	assert_true(isnan(row->cells[0].stats.amean));
	table_free(table);
}

static void test_last_attempt_counts(void **state)
{
	struct table *table = table_new();
	const struct table_cell *cell;

	(void)state;
	add(table, .iteration = 1, .attempt = 1, .status = RECORD_FAILED);
	add(table, .iteration = 1, .attempt = 2, .value = 1.0);
	/* Not in order, as when several ledgers are read. */
	add(table, .iteration = 2, .attempt = 2, .value = 3.0);
	add(table, .iteration = 2, .attempt = 1, .value = 100.0);
	add(table, .iteration = 3, .attempt = 1, .value = 100.0);
	add(table, .iteration = 3, .attempt = 2, .status = RECORD_FAILED);
	add(table, .iteration = 4, .attempt = 1, .status = RECORD_FAILED);
	add(table, .iteration = 4, .attempt = 2, .status = RECORD_INTERRUPTED);
	/* The same iteration of another boot is another one. */
	add(table, .iteration = 1, .attempt = 1, .boot = "b2", .value = 5.0);
	/* The same record again, from a second ledger. */
	add(table, .iteration = 1, .attempt = 1, .boot = "b2", .value = 5.0);
	finish(table, NULL, NULL);

	cell = cell_of(table, "time", "", 0);
	assert_int_equal(cell->nr_samples, 3);
	assert_int_equal(cell->nr_failed, 1);
	assert_int_equal(cell->nr_boots, 2);
	assert_int_equal(table->columns[0].nr_boots, 2);
	assert_true(cell->stats.amean == 3.0);
	table_free(table);
}

static void test_boots_of_two_runs(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .value = 1.0);
	table_next_run(table);
	add(table, .value = 2.0);
	add(table, .value = 2.0);
	finish(table, NULL, NULL);
	assert_int_equal(cell_of(table, "time", "", 0)->nr_samples, 2);
	assert_int_equal(table->columns[0].nr_boots, 2);
	table_free(table);
}

static void test_skipped(void **state)
{
	struct table *table = table_new();
	const struct table_cell *cell;

	(void)state;
	add(table, .value = 1.0);
	add(table, .column = "wake", .iteration = 1, .status = RECORD_SKIPPED,
	    .reason = "no second node");
	add(table, .column = "wake", .iteration = 2, .status = RECORD_SKIPPED,
	    .reason = "another reason");
	finish(table, NULL, NULL);

	cell = cell_of(table, "time", "", 1);
	assert_int_equal(cell->nr_skipped, 2);
	assert_int_equal(cell->nr_failed, 0);
	assert_string_equal(cell->reason, "no second node");
	assert_int_equal(cell_of(table, "time", "", 0)->nr_skipped, 0);
	table_free(table);
}

static void test_BL_059_not_a_number(void **state)
{
	struct table *table = table_new();
	const struct table_cell *cell;

	(void)state;
	add(table, .iteration = 1, .value = (double)NAN);
	add(table, .iteration = 2, .value = 1.0);
	add(table, .iteration = 3, .value = 1.25);
	add(table, .column = "wake", .value = 4.0);
	finish(table, NULL, NULL);

	cell = cell_of(table, "time", "", 0);
	assert_int_equal(cell->nr_invalid, 1);
	assert_int_equal(cell->nr_samples, 2);
	assert_true(cell->stats.amean == 1.125);
	assert_true(cell->stats.median == 1.125);
	assert_true(cell_of(table, "time", "", 1)->stats.amean == 4.0);
	table_free(table);
}

static void assert_columns(const char *const *columns, const char *baseline,
			   const char *const *expected)
{
	struct table *table = table_new();
	size_t i;

	add(table, .column = "v5.9", .value = 1.0);
	add(table, .column = "v5.10-rc1", .value = 2.0);
	add(table, .column = "v5.10", .value = 3.0);
	add(table, .column = "v5.9", .iteration = 2, .value = 1.0);
	finish(table, columns, baseline);
	for (i = 0; expected[i]; i++) {
		assert_true(i < table->nr_columns);
		assert_string_equal(table->columns[i].name, expected[i]);
		/* The cells moved with them. */
		if (!strcmp(expected[i], "v5.10"))
			assert_true(cell_of(table, "time", "", i)->stats.amean == 3.0);
	}
	assert_int_equal(table->nr_columns, i);
	table_free(table);
}

static void test_BL_113_column_order(void **state)
{
	static const char *const seen[] = { "v5.9", "v5.10-rc1", "v5.10", NULL };
	static const char *const plan[] = { "v5.10", "v5.9", NULL };
	static const char *const planned[] = { "v5.10", "v5.9", "v5.10-rc1", NULL };
	static const char *const moved[] = { "v5.10-rc1", "v5.10", "v5.9", NULL };
	static const char *const more[] = { "v5.9", "v6.1", NULL };
	static const char *const empty[] = { "v5.9", "v6.1", "v5.10-rc1", "v5.10", NULL };

	(void)state;
	assert_columns(NULL, NULL, seen);
	assert_columns(plan, NULL, planned);
	assert_columns(plan, "v5.10-rc1", moved);
	assert_columns(more, NULL, empty);
}

static void test_unknown_baseline(void **state)
{
	struct table *table = table_new();
	struct err err = { 0 };

	(void)state;
	add(table, .column = "tip-sched", .value = 1.0);
	assert_int_equal(table_finish(table, NULL, "tip-shed", &err), -EINVAL);
	assert_non_null(strstr(err.text, "'tip-shed'"));
	assert_non_null(strstr(err.text, "'tip-sched'"));
	table_free(table);
}

static void assert_labels(const struct table *table, size_t section,
			  const char *const *labels)
{
	const struct table_section *at = &table->sections[section];
	size_t i;

	for (i = 0; labels[i]; i++) {
		assert_true(i < at->nr_rows);
		assert_string_equal(at->rows[i].point->label, labels[i]);
	}
	assert_int_equal(at->nr_rows, i);
}

static void test_row_order(void **state)
{
	static const char *const numbers[] = { "1", "4", "12", "192", NULL };
	static const char *const pairs[] = { "1-64", "1-1024", "2-64", NULL };
	static const char *const words[] = { "v5.9", "v5.10", "v5.10.1", NULL };
	struct table *table = table_new();

	(void)state;
	add(table, .point = "{\"groups\":12}", .value = 1.0);
	add(table, .point = "{\"groups\":192}", .value = 1.0);
	add(table, .variant = "pairs", .point = "{\"pairs\":2,\"size\":64}");
	add(table, .point = "{\"groups\":4}", .value = 1.0);
	add(table, .point = "{\"groups\":1}", .value = 1.0);
	add(table, .variant = "pairs", .point = "{\"size\":1024,\"pairs\":1}");
	add(table, .variant = "pairs", .point = "{\"pairs\":1,\"size\":64}");
	add(table, .variant = "words", .point = "{\"kernel\":\"v5.10.1\"}");
	add(table, .variant = "words", .point = "{\"kernel\":\"v5.9\"}");
	add(table, .variant = "words", .point = "{\"kernel\":\"v5.10\"}");
	finish(table, NULL, NULL);

	assert_int_equal(table->nr_sections, 3);
	assert_string_equal(table->sections[1].title, "pairs");
	assert_labels(table, 0, numbers);
	assert_labels(table, 2, words);
	assert_int_equal(table->sections[1].nr_points, 3);
	assert_labels(table, 1, pairs);
	table_free(table);
}

static void test_metric_order(void **state)
{
	static const char *const labels[] = { "1", "2", "1", "2", NULL };
	struct table *table = table_new();

	(void)state;
	add(table, .metric = "triad", .point = "{\"threads\":2}");
	add(table, .metric = "copy", .point = "{\"threads\":2}");
	add(table, .metric = "copy", .point = "{\"threads\":1}");
	add(table, .metric = "triad", .point = "{\"threads\":1}");
	finish(table, NULL, NULL);
	assert_labels(table, 0, labels);
	assert_string_equal(table->sections[0].rows[0].metric->name, "triad");
	assert_string_equal(table->sections[0].rows[2].metric->name, "copy");
	table_free(table);
}

/* Another unit or direction makes another metric of it. */
static void test_unlike_metrics_stay_apart(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .metric = "speed", .unit = "MB/s", .higher = true, .value = 1.0);
	add(table, .column = "b", .metric = "speed", .unit = "KB/s", .higher = true,
	    .value = 1000.0);
	add(table, .column = "c", .metric = "speed", .unit = "MB/s", .value = 1.0);
	finish(table, NULL, NULL);
	assert_int_equal(table->sections[0].nr_rows, 3);
	table_free(table);
}

static void test_parameters_keep_rows_apart(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .point = "{\"groups\":1}",
	    .parameters = "{\"groups\":1,\"loops\":100,\"size\":64}", .value = 1.0);
	add(table, .column = "wake", .point = "{\"groups\":1}",
	    .parameters = "{\"size\":64,\"loops\":100,\"groups\":1}", .value = 2.0);
	add(table, .boot = "b2", .point = "{\"groups\":1}",
	    .parameters = "{\"groups\":1,\"loops\":1000,\"size\":64}", .value = 3.0);
	finish(table, NULL, NULL);

	assert_int_equal(table->nr_sections, 2);
	assert_string_equal(table->sections[0].title,
			    "hackbench-process-pipes (loops=100)");
	assert_string_equal(table->sections[1].title,
			    "hackbench-process-pipes (loops=1000)");
	assert_true(table->sections[0].rows[0].cells[1].stats.amean == 2.0);
	assert_int_equal(table->sections[1].rows[0].cells[1].nr_samples, 0);
	table_free(table);
}

static void test_summary(void **state)
{
	struct table *table = table_new();
	const struct table_cell *cell;

	(void)state;
	add(table, .is_summary = true, .value = 0.5, .stddev = 0.25, .n = 10,
	    .digits = 3);
	add(table, .column = "wake", .is_summary = true, .value = 0.75);
	finish(table, NULL, NULL);

	cell = cell_of(table, "time", "", 0);
	assert_true(cell->is_summary && cell->stats.amean == 0.5);
	assert_true(cell->stats.stddev_n1 == 0.25);
	assert_int_equal(cell->summary_n, 10);
	assert_int_equal(cell->digits, 3);
	assert_int_equal(cell->nr_boots, 0);
	assert_true(isnan(cell->stats.min));
	cell = cell_of(table, "time", "", 1);
	assert_true(isnan(cell->stats.stddev_n1));
	assert_int_equal(cell->summary_n, 0);
	table_free(table);
}

static void assert_mix_refused(bool first, bool second)
{
	struct table *table = table_new();
	struct err err = { 0 };

	add(table, .iteration = 1, .value = 0.5, .is_summary = first);
	add(table, .iteration = 2, .value = 0.5, .is_summary = second);
	assert_int_equal(table_finish(table, NULL, NULL, &err), -EPROTO);
	assert_non_null(strstr(err.text, "'time'"));
	table_free(table);
}

static void test_summary_beside_samples(void **state)
{
	(void)state;
	assert_mix_refused(true, true);
	assert_mix_refused(true, false);
	assert_mix_refused(false, true);
}

static void test_columns_know_their_origin(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .iteration = 1, .machine = "n1", .flags = RECORD_EMULATED);
	add(table, .iteration = 2, .machine = "n2");
	add(table, .iteration = 3, .machine = "n1");
	add(table, .boot = "b2", .value = 1.0);
	add(table, .column = "wake", .boot = "b3");
	add(table, .column = "none", .boot = "b4");
	add_host(table, "b1", "{\"kernel\":{\"release\":\"6.1.1\"}}");
	add_host(table, "b2", "{\"kernel\":{\"release\":\"6.1.192\"}}");
	add_host(table, "b3", "{\"kernel\":{\"release\":\"6.2.0\"},\"cpu_model\":\"x\"}");
	add_host(table, "b9", "{}");
	finish(table, NULL, "wake");

	assert_string_equal(table->columns[0].kernel, "6.2.0");
	assert_string_equal(table->columns[1].kernel, "6.1.1, 6.1.192");
	assert_null(table->columns[2].kernel);
	assert_string_equal(table->columns[1].machines, "n1, n2");
	assert_null(table->columns[0].machines);
	assert_int_equal(table->columns[1].flags, RECORD_EMULATED);
	table_free(table);
}

/* Equal names of boots in two runs are two boots, also for their facts. */
static void test_hosts_of_two_runs(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .column = "a");
	add_host(table, "b1", "{\"kernel\":{\"release\":\"6.1\"}}");
	table_next_run(table);
	add(table, .column = "b");
	add_host(table, "b1", "{\"kernel\":{\"release\":\"6.2\"}}");
	finish(table, NULL, NULL);
	assert_string_equal(table->columns[0].kernel, "6.1");
	assert_string_equal(table->columns[1].kernel, "6.2");
	table_free(table);
}

/* One cell id with two points is nothing we write; its numbers must not mix. */
static void test_points_of_one_cell(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .cell = "c", .iteration = 1, .point = "{\"n\":1}", .value = 1.0);
	add(table, .cell = "c", .iteration = 2, .point = "{\"n\":2}", .value = 2.0);
	add(table, .cell = "c", .iteration = 3, .point = "{\"n\":2}", .value = 4.0);
	finish(table, NULL, NULL);
	assert_true(cell_of(table, "time", "1", 0)->stats.amean == 1.0);
	assert_true(cell_of(table, "time", "2", 0)->stats.amean == 3.0);
	table_free(table);
}

static void test_metrics_in_any_order(void **state)
{
	static const char *const names[] = { "copy", "add", "copy", "copy" };
	struct table *table = table_new();
	unsigned int i;

	(void)state;
	for (i = 0; i < 4; i++)
		add(table, .metric = names[i], .boot = i ? "b2" : "b1",
		    .iteration = i + 1, .unit = i == 3 ? "GB/s" : "MB/s", .value = i + 1);
	finish(table, NULL, NULL);
	assert_int_equal(table->sections[0].nr_metrics, 3);
	assert_true(cell_of(table, "copy", "", 0)->stats.amean == 2.0);
	assert_int_equal(cell_of(table, "copy", "", 0)->nr_boots, 2);
	assert_int_equal(table->columns[0].nr_boots, 2);
	assert_true(cell_of(table, "add", "", 0)->stats.amean == 2.0);
	table_free(table);
}

static void assert_mean(const struct table *table, size_t section, const char *metric,
			const char *label, size_t column, double mean)
{
	const struct table_row *row = find_row(table, section, metric, label);

	assert_non_null(row);
	if (row)
		assert_true(row->cells[column].stats.amean == mean);
}

/* A published table doesn't know its parameters, and stands beside one that does. */
static void test_unknown_parameters_join(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .column = "mail", .point = "{\"groups\":4}", .is_summary = true,
	    .value = 3.0);
	add(table, .column = "mail", .point = "{\"groups\":9}", .metric = "cpu",
	    .is_summary = true, .value = 5.0);
	add(table, .column = "x", .variant = "other", .value = 1.0);
	add(table, .column = "ours", .point = "{\"groups\":4}", .value = 2.0,
	    .parameters = "{\"groups\":4,\"loops\":100}");
	add(table, .column = "x", .variant = "last", .value = 7.0);
	finish(table, NULL, NULL);
	assert_int_equal(table->nr_sections, 3);
	assert_string_equal(table->sections[0].variant, "other");
	assert_string_equal(table->sections[1].title, "hackbench-process-pipes");
	assert_int_equal(table->sections[1].nr_rows, 2);
	assert_mean(table, 1, "time", "4", 0, 3.0);
	assert_mean(table, 1, "time", "4", 2, 2.0);
	assert_mean(table, 1, "cpu", "9", 0, 5.0);
	assert_mean(table, 2, "time", "", 1, 7.0);
	table_free(table);
}

static void test_unknown_parameters_stay(void **state)
{
	struct table *table = table_new();

	(void)state;
	/* One column in both; two to choose from; another axis. */
	add(table, .column = "a", .variant = "v1", .cell = "1");
	add(table, .column = "a", .variant = "v1", .cell = "2",
	    .parameters = "{\"n\":1}");
	add(table, .column = "a", .variant = "v2", .cell = "3");
	add(table, .column = "b", .variant = "v2", .cell = "4",
	    .parameters = "{\"n\":1}");
	add(table, .column = "b", .variant = "v2", .cell = "5",
	    .parameters = "{\"n\":2}");
	add(table, .column = "a", .variant = "v3", .cell = "6", .point = "{\"g\":1}");
	add(table, .column = "b", .variant = "v3", .cell = "7",
	    .parameters = "{\"g\":1}");
	finish(table, NULL, NULL);
	assert_int_equal(table->nr_sections, 7);
	table_free(table);
}

static void test_point_text(void **state)
{
	struct table *table = table_new();
	char *text;

	(void)state;
	add(table, .point = "{\"groups\":4,\"kind\":\"x\"}", .value = 1.0);
	add(table, .variant = "plain", .value = 1.0);
	finish(table, NULL, NULL);
	text = table_point_text(&table->sections[0].points[0], ";");
	assert_string_equal(text, "groups=4;kind=x");
	free(text);
	text = table_point_text(&table->sections[1].points[0], ";");
	assert_string_equal(text, "");
	free(text);
	table_free(table);
}

static void test_records_without_boot(void **state)
{
	struct table *table = table_new();
	struct record_metric metric = { .name = "time",
					.unit = "s",
					.samples = (double[]){ 1.0, 2.0 },
					.nr_samples = 2 };
	struct record record = { .id = "x/1",
				 .cell = "x",
				 .column = "base",
				 .workload = "null",
				 .variant = "null",
				 .metrics = &metric,
				 .nr_metrics = 1 };

	(void)state;
	assert_int_equal(table_add_record(table, &record, NULL), 0);
	record.id = "x/2";
	assert_int_equal(table_add_record(table, &record, NULL), 0);
	assert_int_equal(table_add_record(table, &record, NULL), 0);
	finish(table, NULL, NULL);
	assert_int_equal(cell_of(table, "time", "", 0)->nr_samples, 4);
	assert_int_equal(table->columns[0].nr_boots, 0);
	table_free(table);
}

static void test_empty(void **state)
{
	struct table *table = table_new();

	(void)state;
	finish(table, NULL, NULL);
	assert_int_equal(table->nr_columns, 0);
	assert_int_equal(table->nr_sections, 0);
	table_free(table);
	table_free(NULL);
}

/* Labels can't be made to look like two others joined. */
static void test_labels_do_not_mix(void **state)
{
	struct table *table = table_new();

	(void)state;
	add(table, .column = "a", .boot = "b/1:c", .value = 1.0);
	add(table, .column = "a/1:b", .boot = "c", .value = 2.0);
	add(table, .column = "a1:", .boot = "b", .value = 3.0);
	finish(table, NULL, NULL);
	assert_int_equal(table->nr_columns, 3);
	assert_int_equal(cell_of(table, "time", "", 0)->nr_samples, 1);
	assert_int_equal(cell_of(table, "time", "", 1)->nr_samples, 1);
	table_free(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_failure_counts_in_every_metric),
		cmocka_unit_test(test_nothing_worked),
		cmocka_unit_test(test_last_attempt_counts),
		cmocka_unit_test(test_boots_of_two_runs),
		cmocka_unit_test(test_skipped),
		cmocka_unit_test(test_BL_059_not_a_number),
		cmocka_unit_test(test_BL_113_column_order),
		cmocka_unit_test(test_unknown_baseline),
		cmocka_unit_test(test_row_order),
		cmocka_unit_test(test_metric_order),
		cmocka_unit_test(test_unlike_metrics_stay_apart),
		cmocka_unit_test(test_parameters_keep_rows_apart),
		cmocka_unit_test(test_summary),
		cmocka_unit_test(test_summary_beside_samples),
		cmocka_unit_test(test_columns_know_their_origin),
		cmocka_unit_test(test_hosts_of_two_runs),
		cmocka_unit_test(test_points_of_one_cell),
		cmocka_unit_test(test_metrics_in_any_order),
		cmocka_unit_test(test_unknown_parameters_join),
		cmocka_unit_test(test_unknown_parameters_stay),
		cmocka_unit_test(test_point_text),
		cmocka_unit_test(test_records_without_boot),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_labels_do_not_mix),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
