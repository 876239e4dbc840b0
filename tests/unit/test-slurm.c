// SPDX-License-Identifier: GPL-2.0-or-later
/* What Slurm says, in the shapes of two of its releases, and what a grid asks of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "record/host.h"
#include "runner/doctor_checks.h"
#include "runner/grid.h"
#include "runner/slurm_book.h"
#include "runner/slurm_call.h"
#include "runner/slurm_cell.h"
#include "runner/slurm_machines.h"
#include "runner/slurm_queue.h"
#include "runner/slurm_spec.h"
#include "tests/unit/fake-tree.h"

static char *read_fixture(const char *name, size_t *ret_len)
{
	char *path = file_path("tests/fixtures/slurm/%s", name);
	struct err err = { 0 };
	char *text = NULL;

	assert_non_null(path);
	if (file_read(path, 1 << 20, &text, ret_len, &err))
		fail_msg("%s", err.text);
	free(path);
	return text;
}

static void open_queue(const char *name, struct slurm_queue *queue)
{
	struct err err = { 0 };
	size_t len;
	char *text = read_fixture(name, &len);

	if (slurm_queue_parse(text, len, queue, &err))
		fail_msg("%s: %s", name, err.text);
	free(text);
}

static void open_nodes(const char *name, struct slurm_nodes *nodes)
{
	struct err err = { 0 };
	size_t len;
	char *text = read_fixture(name, &len);

	if (slurm_nodes_parse(text, len, nodes, &err))
		fail_msg("%s: %s", name, err.text);
	free(text);
}

static void test_the_queue_is_the_same_in_both_shapes(void **state)
{
	static const char *const names[] = { "squeue-22.05.json", "squeue-23.11.json" };
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		struct slurm_queue queue;

		open_queue(names[i], &queue);
		assert_int_equal(queue.nr_jobs, 4);
		assert_int_equal(queue.jobs[0].phase, SLURM_WAITING);
		assert_false(queue.jobs[0].has_task);
		assert_string_equal(queue.jobs[0].tasks, "2-3,6");
		assert_string_equal(queue.jobs[0].reason, "Resources");
		assert_int_equal(queue.jobs[1].phase, SLURM_OVER);
		assert_true(queue.jobs[1].has_task);
		assert_int_equal(queue.jobs[1].task, 0);
		assert_int_equal(queue.jobs[1].nr_restarts, 1);
		assert_string_equal(queue.jobs[1].reason, "");
		assert_int_equal(queue.jobs[2].phase, SLURM_STARTING);
		assert_int_equal(queue.jobs[2].task, 1);
		assert_int_equal(queue.jobs[3].phase, SLURM_RUNNING);
		assert_int_equal(queue.jobs[3].id, 6);
		slurm_queue_release(&queue);
	}
}

static void test_slurm_job_has_task(void **state)
{
	static const struct {
		const char *tasks;
		uint64_t task;
		bool has;
	} cases[] = {
		{ "2-3,6", 2, true },	   { "2-3,6", 3, true },
		{ "2-3,6", 6, true },	   { "2-3,6", 1, false },
		{ "2-3,6", 4, false },	   { "2-3,6", 7, false },
		{ "0-999%1", 999, true },  { "0-9%20", 20, false },
		{ "1,3,5,...", 77, true }, { "", 5, true },
	};
	struct slurm_job job = { .has_task = true, .task = 4 };
	size_t i;

	(void)state;
	assert_true(slurm_job_has_task(&job, 4));
	assert_false(slurm_job_has_task(&job, 5));
	job.has_task = false;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		job.tasks = (char *)(uintptr_t)cases[i].tasks;
		if (slurm_job_has_task(&job, cases[i].task) != cases[i].has)
			fail_msg("'%s' and %ju", cases[i].tasks,
				 (uintmax_t)cases[i].task);
	}
}

static void refuse_queue(const char *text, const char *sentence)
{
	struct slurm_queue queue;
	struct err err = { 0 };

	assert_int_equal(slurm_queue_parse(text, strlen(text), &queue, &err), -EPROTO);
	assert_int_equal(queue.nr_jobs, 0);
	if (!strstr(err.text, sentence))
		fail_msg("%s\nnot: %s", err.text, sentence);
}

#define META "{\"meta\": {\"plugin\": {\"type\": \"openapi/v0.0.38\"}}"

static void test_unknown_shapes_are_refused_by_name(void **state)
{
	(void)state;
	refuse_queue("slurm_load_jobs error", "is no JSON");
	refuse_queue("{\"jobs\": []}", "the shape '' of Slurm's JSON isn't known");
	refuse_queue(
		"{\"meta\": {\"plugin\": {\"type\": \"openapi/v0.0.99\"}}, \"jobs\": []}",
		"the shape 'openapi/v0.0.99' of Slurm's JSON isn't known");
	refuse_queue(
		"{\"meta\": {\"plugin\": {\"data_parser\": \"data_parser/v0.1.1\"}}}",
		"the shape 'data_parser/v0.1.1'");
	refuse_queue(META "}", "has no list 'jobs'");
	refuse_queue(META ", \"jobs\": [{\"job_id\": 1, \"job_state\": \"DANCING\"}]}",
		     "the state 'DANCING' of a job isn't known");
	refuse_queue(META ", \"jobs\": [{\"job_state\": \"RUNNING\"}]}",
		     "has no 'job_id'");
}

static void test_the_nodes_are_the_same_in_both_shapes(void **state)
{
	static const char *const names[] = { "sinfo-22.05.json", "sinfo-23.11.json" };
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		struct slurm_nodes nodes;
		const struct slurm_node *node;

		open_nodes(names[i], &nodes);
		assert_int_equal(nodes.nr_nodes, 3);
		node = slurm_nodes_find(&nodes, "n1");
		assert_false(node->is_down || node->is_drained);
		assert_true(slurm_has_word(node->features, "k6.2.0_b"));
		assert_false(slurm_has_word(node->features, "k6.2.0"));
		assert_true(slurm_has_word(node->partitions, "bench"));
		node = slurm_nodes_find(&nodes, "n2");
		assert_true(node->is_drained && !node->is_down);
		assert_string_equal(node->reason, "Prolog error");
		node = slurm_nodes_find(&nodes, "n3");
		assert_true(node->is_down && !node->is_drained);
		assert_null(slurm_nodes_find(&nodes, "n4"));
		slurm_nodes_release(&nodes);
	}
}

static void test_a_node_of_two_partitions_is_one(void **state)
{
	static const char text[] =
		"{\"meta\": {\"plugin\": {\"data_parser\": \"data_parser/v0.0.41\"}}, \"sinfo\": ["
		"{\"node\": {\"state\": [\"IDLE\"]}, \"nodes\": {\"nodes\": [\"n1\"]}, "
		"\"partition\": {\"name\": \"a\"}},"
		"{\"node\": {\"state\": [\"IDLE\"]}, \"nodes\": {\"nodes\": [\"n1\", \"n2\"]}, "
		"\"partition\": {\"name\": \"b\"}}]}";
	struct slurm_nodes nodes;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(slurm_nodes_parse(text, sizeof(text) - 1, &nodes, &err), 0);
	assert_int_equal(nodes.nr_nodes, 2);
	assert_string_equal(nodes.nodes[0].partitions, "a,b");
	assert_string_equal(nodes.nodes[1].partitions, "b");
	slurm_nodes_release(&nodes);
}

static void test_slurm_feature(void **state)
{
	static const char *const cases[][2] = {
		{ "6.1.0-rc3", "k6.1.0_rc3" },	  { "6.1.0_rc3", "k6.1.0=urc3" },
		{ "6.1.0+", "k6.1.0=p" },	  { "6.1.0=p", "k6.1.0=ep" },
		{ "6.18~rc1-1", "k6.18=trc1_1" }, { "6.1.0", "k6.1.0" },
	};
	struct err err = { 0 };
	char *names[6];
	size_t i, j;

	(void)state;
	for (i = 0; i < 6; i++) {
		assert_int_equal(slurm_feature(cases[i][0], &names[i], NULL), 0);
		assert_string_equal(names[i], cases[i][1]);
		for (j = 0; j < i; j++)
			assert_string_not_equal(names[i], names[j]);
	}
	for (i = 0; i < 6; i++)
		free(names[i]);
	assert_int_equal(slurm_feature("6.1 x", &names[0], &err), -EINVAL);
	assert_non_null(strstr(err.text, "'6.1 x' is no release of a kernel"));
	assert_int_equal(slurm_feature("", &names[0], NULL), -EINVAL);
}

#define BUILD_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define BUILD_B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

/* A grid of three columns: two kernels, the first of them with two pins. */
static const char grid_text[] =
	"schema: schedgrid-grid-1\n"
	"name: g\n"
	"executor: {type: slurm, nodes: [n1], partition: bench}\n"
	"repeat: {iterations: 2, boots: 3}\n"
	"columns:\n"
	"  - {name: a, kernel: {release: 6.1.0-a, build_id: " BUILD_A "}}\n"
	"  - {name: b, kernel: {release: 6.2.0-b, build_id: " BUILD_B "}}\n"
	"  - {name: pinned, pin: 0, kernel: {release: 6.1.0-a, build_id: " BUILD_A "}}\n"
	"workloads:\n"
	"  - {workload: \"null\"}\n";

static struct grid *load_grid(const struct fake_tree *tree)
{
	struct grid *grid = NULL;
	struct err err = { 0 };
	char *path = file_path("%s/g.yaml", tree->dir);

	fake_tree_file(tree, "g.yaml", grid_text);
	if (grid_load(path, &grid, &err))
		fail_msg("%s", err.text);
	free(path);
	return grid;
}

static void test_kernels_of_a_grid(void **state)
{
	struct fake_tree tree;
	struct grid *grid;
	struct jval *json;

	(void)state;
	fake_tree_init(&tree);
	grid = load_grid(&tree);
	assert_int_equal(grid->slurm->nr_nodes, 1);
	assert_string_equal(grid->slurm->partition, "bench");
	assert_int_equal(grid->slurm->boots, 3);
	assert_int_equal(grid->iterations, 6);
	assert_string_equal(grid->columns[1].feature, "k6.2.0_b");
	assert_int_equal(slurm_kernel_of(grid, 0), 0);
	assert_int_equal(slurm_kernel_of(grid, 1), 1);
	assert_int_equal(slurm_kernel_of(grid, 2), 0);
	json = slurm_kernel_json(grid, 1);
	assert_string_equal(jval_get_text(json, "release"), "6.2.0-b");
	assert_string_equal(jval_get_text(json, "build_id"), BUILD_B);
	jval_free(json);
	grid_free(grid);
	fake_tree_release(&tree);
	slurm_spec_free(NULL);
}

static void test_slurm_check_kernel(void **state)
{
	static char release[] = "6.1.0-a", other[] = "6.2.0-b";
	static char build[] = BUILD_A, other_build[] = BUILD_B;
	struct host host = { .release = release, .build_id = build };
	struct fake_tree tree;
	struct grid *grid;
	struct err err = { 0 };

	(void)state;
	fake_tree_init(&tree);
	grid = load_grid(&tree);
	assert_int_equal(slurm_check_kernel(grid, 0, &host, &err), 0);
	assert_int_equal(slurm_check_kernel(grid, 1, &host, NULL), -ENXIO);
	host.release = other;
	assert_int_equal(slurm_check_kernel(grid, 0, &host, NULL), -ENXIO);
	host.release = release;
	host.build_id = other_build;
	assert_int_equal(slurm_check_kernel(grid, 0, &host, NULL), -ENXIO);
	host.build_id = NULL;
	assert_int_equal(slurm_check_kernel(grid, 0, &host, &err), -ENXIO);
	assert_non_null(strstr(err.text, "can't be told"));
	grid_free(grid);
	fake_tree_release(&tree);
}

static void test_the_book(void **state)
{
	struct slurm_submission made = { .machine = 1, .kernel = 1, .block = 3 };
	struct slurm_book *book = NULL, *again = NULL;
	struct fake_tree tree;
	struct grid *grid;
	struct err err = { 0 };
	char name[SLURM_NAME_SIZE];
	char *dir, *path;

	(void)state;
	fake_tree_init(&tree);
	grid = load_grid(&tree);
	dir = file_path("%s/run", tree.dir);
	assert_int_equal(slurm_book_load(tree.dir, &book, NULL), -ENOENT);
	if (slurm_book_open(dir, grid, &book, &err))
		fail_msg("%s", err.text);
	assert_int_equal(slurm_book_open(dir, grid, &again, NULL), -EWOULDBLOCK);
	book->machines = calloc(2, sizeof(*book->machines));
	book->machines[0] = strdup("n1");
	book->machines[1] = strdup("n2");
	book->nr_machines = 2;
	made.rows = calloc(2, sizeof(*made.rows));
	made.rows[0] = 7;
	made.nr_rows = 2;
	assert_int_equal(slurm_book_add(book, &made, &err), 1);
	assert_int_equal(slurm_book_load(dir, &again, &err), 0);
	assert_int_equal(again->nr_machines, 2);
	assert_int_equal(again->nr_submissions, 1);
	assert_int_equal(again->submissions[0].block, 3);
	assert_int_equal(again->submissions[0].rows[0], 7);
	slurm_book_name(again, 1, name);
	assert_int_equal(slurm_book_number(book, name), 1);
	slurm_book_name(again, 2, name);
	assert_int_equal(slurm_book_number(book, name), 0);
	assert_int_equal(slurm_book_number(book, "schedgrid-0-1"), 0);
	path = slurm_task_dir(book, grid, &made, 7);
	assert_non_null(strstr(path, "/run/slurm/tasks/n2/k6.2.0_b-b3-r7"));
	free(path);
	path = slurm_machine_dir(book, 0);
	assert_non_null(strstr(path, "/run/machines/n1"));
	free(path);
	slurm_book_free(again);
	slurm_book_free(book);
	/* Another grid has no place here, nor has a run in a folder with other things. */
	grid->text[grid->len - 2]++;
	assert_int_equal(slurm_book_open(dir, grid, &book, NULL), -EEXIST);
	assert_int_equal(slurm_book_open(tree.dir, grid, &book, NULL), -EEXIST);
	fake_tree_file(&tree, "run/slurm/book.json",
		       "{\"schema\": \"schedgrid-slurm-9\"}");
	assert_int_equal(slurm_book_load(dir, &book, &err), -EPROTO);
	assert_non_null(strstr(err.text, "schema 'schedgrid-slurm-9' is not known"));
	free(dir);
	grid_free(grid);
	fake_tree_release(&tree);
}

static void test_slurm_machines_pick(void **state)
{
	struct slurm_nodes nodes;
	struct slurm_book book = { 0 };
	struct fake_tree tree;
	struct grid *grid;
	struct err err = { 0 };

	(void)state;
	fake_tree_init(&tree);
	grid = load_grid(&tree);
	open_nodes("sinfo-22.05.json", &nodes);
	assert_int_equal(slurm_machines_pick(&nodes, grid, &book, &err), 0);
	assert_int_equal(book.nr_machines, 1);
	assert_string_equal(book.machines[0], "n1");
	/* A run that was begun keeps its machines; one that can't be booted is refused. */
	memcpy(book.machines[0], "n2", 2);
	assert_int_equal(slurm_machines_pick(&nodes, grid, &book, &err), -EINVAL);
	assert_non_null(strstr(err.text, "node 'n2' has no feature 'k6.2.0_b'"));
	memset(&err, 0, sizeof(err));
	memcpy(book.machines[0], "n9", 2);
	assert_int_equal(slurm_machines_pick(&nodes, grid, &book, &err), -EINVAL);
	assert_non_null(strstr(err.text, "Slurm has no node 'n9'"));
	free(book.machines[0]);
	free(book.machines);
	slurm_nodes_release(&nodes);
	grid_free(grid);
	fake_tree_release(&tree);
}

static const char config[] = "Configuration data as of 2026-12-01T03:49:08\n"
			     "HealthCheckProgram      = (null)\n"
			     "JobAcctGatherType       = jobacct_gather/none\n"
			     "MaxArraySize            = 1001\n"
			     "NodeFeaturesPlugins     = node_features/helpers\n"
			     "ProctrackType           = proctrack/linuxproc\n"
			     "Prolog[0]               = /etc/prolog\n"
			     "PrologFlags             = Alloc\n"
			     "RequeueExit             = 75\n"
			     "TaskPlugin              = task/none\n";

static void test_slurm_setting(void **state)
{
	static const char *const cases[][2] = {
		{ "MaxArraySize", "1001" },
		{ "Prolog", "/etc/prolog" },
		{ "PrologFlags", "Alloc" },
		{ "TaskPlugin", "task/none" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *value = slurm_setting(config, cases[i][0]);

		assert_non_null(value);
		assert_string_equal(value, cases[i][1]);
		free(value);
	}
	assert_null(slurm_setting(config, "Task"));
	assert_null(slurm_setting("", "Task"));
}

static void test_doctor_slurm_config(void **state)
{
	struct doctor *doctor = calloc(1, sizeof(*doctor));

	(void)state;
	assert_non_null(doctor);
	doctor_slurm_config(config, doctor);
	assert_int_equal(doctor->nr, 1);
	assert_int_equal(doctor->findings[0].state, DOCTOR_OK);
	doctor_slurm_config("TaskPlugin = task/affinity,task/cgroup\n"
			    "HealthCheckProgram = /usr/sbin/nhc\n"
			    "RequeueExit = (null)\n"
			    "Prolog = (null)\n",
			    doctor);
	assert_int_equal(doctor->nr, 5);
	assert_string_equal(
		doctor->findings[1].text,
		"TaskPlugin is task/affinity,task/cgroup (expected task/none)");
	assert_string_equal(doctor->findings[4].text, "there is no Prolog");
	assert_true(doctor_is_fit(doctor));
	doctor_free(doctor);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_queue_is_the_same_in_both_shapes),
		cmocka_unit_test(test_slurm_job_has_task),
		cmocka_unit_test(test_unknown_shapes_are_refused_by_name),
		cmocka_unit_test(test_the_nodes_are_the_same_in_both_shapes),
		cmocka_unit_test(test_a_node_of_two_partitions_is_one),
		cmocka_unit_test(test_slurm_feature),
		cmocka_unit_test(test_kernels_of_a_grid),
		cmocka_unit_test(test_slurm_check_kernel),
		cmocka_unit_test(test_the_book),
		cmocka_unit_test(test_slurm_machines_pick),
		cmocka_unit_test(test_slurm_setting),
		cmocka_unit_test(test_doctor_slurm_config),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
