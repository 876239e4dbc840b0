// SPDX-License-Identifier: GPL-2.0-or-later
/* The tasks of a run under Slurm: what they miss, and that their records merge once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/file.h"
#include "record/ledger.h"
#include "record/record.h"
#include "runner/grid.h"
#include "runner/plan.h"
#include "runner/slurm_book.h"
#include "runner/slurm_queue.h"
#include "runner/slurm_tasks.h"
#include "tests/unit/fake-tree.h"

enum { NR_ROWS = 2, NR_COLUMNS = 3, EACH = 2, BOOTS = 2 };

/* struct scene - two machines, two kernels, one of them with two columns, two boots */
struct scene {
	struct fake_tree tree;
	struct grid_column columns[NR_COLUMNS];
	struct grid grid;
	struct cell cells[NR_ROWS * NR_COLUMNS];
	struct plan plan;
	char *machines[2];
	size_t rows[NR_ROWS];
	struct slurm_submission submission;
	struct slurm_book book;
	struct slurm_tasks tasks;
	unsigned int nr_told;
};

static void scene_init(struct scene *scene)
{
	static char a[] = "a", b[] = "b", c[] = "c", ra[] = "6.1", rb[] = "6.2";
	static char ba[] = "aa", bb[] = "bb", fa[] = "k6.1", fb[] = "k6.2";
	static char n1[] = "n1", n2[] = "n2";
	struct err err = { 0 };

	memset(scene, 0, sizeof(*scene));
	fake_tree_init(&scene->tree);
	scene->columns[0] = (struct grid_column){
		.name = a, .release = ra, .build_id = ba, .feature = fa
	};
	scene->columns[1] = (struct grid_column){
		.name = b, .release = rb, .build_id = bb, .feature = fb
	};
	scene->columns[2] = (struct grid_column){
		.name = c, .release = ra, .build_id = ba, .feature = fa
	};
	scene->grid = (struct grid){
		.columns = scene->columns,
		.nr_columns = NR_COLUMNS,
		.boots = BOOTS,
		.iterations = EACH * BOOTS,
		.warmup = 1,
	};
	scene->plan = (struct plan){
		.grid = &scene->grid,
		.cells = scene->cells,
		.nr_cells = (size_t)NR_ROWS * NR_COLUMNS,
		.nr_rows = NR_ROWS,
	};
	scene->machines[0] = n1;
	scene->machines[1] = n2;
	scene->rows[0] = 1;
	scene->submission = (struct slurm_submission){ .machine = 1,
						       .kernel = 0,
						       .block = 2,
						       .rows = scene->rows,
						       .nr_rows = NR_ROWS };
	memcpy(scene->book.id, "00000000000000aa", SLURM_ID_DIGITS + 1);
	scene->book.dir = scene->tree.dir;
	scene->book.machines = scene->machines;
	scene->book.nr_machines = 2;
	scene->book.submissions = &scene->submission;
	scene->book.nr_submissions = 1;
	if (slurm_tasks_open(&scene->plan, &scene->book, &scene->tasks, &err))
		fail_msg("%s", err.text);
}

static void scene_release(struct scene *scene)
{
	slurm_tasks_release(&scene->tasks);
	fake_tree_release(&scene->tree);
}

/* The task of machine n2, the first kernel, its second boot, and a row. */
static struct slurm_task *task_of(struct scene *scene, size_t row)
{
	size_t i;

	for (i = 0; i < scene->tasks.nr_tasks; i++) {
		struct slurm_task *task = &scene->tasks.tasks[i];

		if (task->of.machine == 1 && !task->of.kernel && task->of.block == 2 &&
		    task->row == row)
			return task;
	}
	fail_msg("no such task");
	return NULL;
}

/* What a job leaves; @of: what differs from an ordinary record. */
static void append(struct scene *scene, const struct slurm_task *task,
		   const struct record *of)
{
	char *dir = slurm_task_dir(&scene->book, &scene->grid, &task->of, task->row);
	char *id = file_path("%s%zu/b2/%c%ju/a1", of->column, task->row,
			     of->flags & RECORD_WARMUP ? 'w' : 'i',
			     (uintmax_t)of->iteration);
	char *cell = file_path("%s%zu", of->column, task->row);
	struct record record = *of;
	struct ledger *ledger = NULL;
	struct err err = { 0 };
	char *torn;

	record.id = id;
	record.cell = cell;
	record.workload = record.variant = "null";
	record.machine = of->machine ? of->machine : "n2";
	record.executor = "slurm";
	record.boot = "b2";
	record.attempt = 1;
	record.seq = 1;
	if (file_make_dirs(dir, &err) || ledger_open(dir, &ledger, &torn, &err) ||
	    ledger_append(ledger, &record, &err))
		fail_msg("%s", err.text);
	ledger_close(ledger);
	free(cell);
	free(id);
	free(dir);
}

static int count_record(const struct slurm_task *task, const struct record *record,
			void *data, struct err *err)
{
	struct scene *scene = data;

	(void)task;
	(void)record;
	(void)err;
	scene->nr_told++;
	return 0;
}

static void collect(struct scene *scene)
{
	struct err err = { 0 };

	if (slurm_tasks_collect(&scene->tasks, &err))
		fail_msg("%s", err.text);
}

static unsigned int nr_merged(const struct scene *scene)
{
	size_t len;
	char *text = fake_tree_read(&scene->tree, "machines/n2/records.jsonl", &len);
	unsigned int nr = 0;
	size_t i;

	for (i = 0; i < len; i++)
		nr += text[i] == '\n';
	free(text);
	return nr;
}

static void test_each_machine_kernel_boot_and_row_is_a_task(void **state)
{
	struct scene scene;

	(void)state;
	scene_init(&scene);
	assert_int_equal(scene.tasks.nr_tasks, 2 * 2 * BOOTS * NR_ROWS);
	/* Two columns of one kernel are one task's. */
	assert_int_equal(task_of(&scene, 0)->nr_turns, 2 * EACH);
	assert_int_equal(task_of(&scene, 0)->number, 1);
	/* A machine boots one kernel, then the other, then the first again. */
	assert_int_equal(scene.tasks.tasks[0].of.kernel, 0);
	assert_int_equal(scene.tasks.tasks[NR_ROWS].of.kernel, 1);
	assert_int_equal(scene.tasks.tasks[NR_ROWS].of.block, 1);
	assert_int_equal(scene.tasks.tasks[2 * NR_ROWS].of.kernel, 0);
	assert_int_equal(scene.tasks.tasks[2 * NR_ROWS].of.block, 2);
	scene_release(&scene);
}

static void test_records_are_merged_once(void **state)
{
	struct scene scene;
	struct slurm_task *task;
	struct err err = { 0 };

	(void)state;
	scene_init(&scene);
	task = task_of(&scene, 1);
	scene.tasks.on_record = count_record;
	scene.tasks.data = &scene;
	assert_int_equal(slurm_tasks_lock(&scene.tasks, &err), 0);
	collect(&scene);
	assert_int_equal(task->nr_settled, 0);
	append(&scene, task,
	       &(struct record){ .column = "a", .iteration = 1, .flags = RECORD_WARMUP });
	append(&scene, task,
	       &(struct record){ .column = "a", .block = 2, .iteration = 3 });
	append(&scene, task,
	       &(struct record){ .column = "c",
				 .block = 2,
				 .iteration = 3,
				 .status = RECORD_FAILED,
				 .reason = "no" });
	collect(&scene);
	collect(&scene);
	assert_int_equal(scene.nr_told, 3);
	assert_int_equal(nr_merged(&scene), 3);
	assert_int_equal(task->nr_settled, 2);
	assert_int_equal(task->nr_failed, 1);
	append(&scene, task,
	       &(struct record){ .column = "a",
				 .block = 2,
				 .iteration = 4,
				 .status = RECORD_BROKEN,
				 .reason = "no" });
	append(&scene, task,
	       &(struct record){ .column = "c",
				 .block = 2,
				 .iteration = 4,
				 .status = RECORD_SKIPPED,
				 .reason = "no" });
	collect(&scene);
	/* What is broken runs again; what is skipped doesn't by itself. */
	assert_int_equal(task->nr_settled, 3);
	assert_int_equal(nr_merged(&scene), 5);

	/* Another runner finds what is merged already. */
	slurm_tasks_release(&scene.tasks);
	assert_int_equal(slurm_tasks_open(&scene.plan, &scene.book, &scene.tasks, &err),
			 0);
	assert_int_equal(slurm_tasks_lock(&scene.tasks, &err), 0);
	collect(&scene);
	assert_int_equal(task_of(&scene, 1)->nr_settled, 3);
	assert_int_equal(nr_merged(&scene), 5);
	scene_release(&scene);
}

static void test_records_of_other_tasks_are_refused(void **state)
{
	static const struct record strange[] = {
		{ .column = "b", .block = 2, .iteration = 3 },
		{ .column = "d", .block = 2, .iteration = 3 },
		{ .column = "a", .block = 1, .iteration = 2 },
		{ .column = "a", .block = 3, .iteration = 5 },
		{ .column = "a", .block = 2, .iteration = 3, .machine = "n1" },
		{ .column = "a", .iteration = 2, .flags = RECORD_WARMUP },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(strange) / sizeof(strange[0]); i++) {
		struct scene scene;
		struct err err = { 0 };

		scene_init(&scene);
		append(&scene, task_of(&scene, 0), &strange[i]);
		assert_int_equal(slurm_tasks_collect(&scene.tasks, &err), -EPROTO);
		assert_non_null(strstr(err.text, "is not of this task"));
		scene_release(&scene);
	}
}

static void test_slurm_tasks_mark(void **state)
{
	static char name[] = "schedgrid-00000000000000aa-1";
	static char other[] = "schedgrid-00000000000000bb-1";
	static char none[] = "", rest[] = "1";
	struct slurm_job jobs[] = {
		{ .name = name, .phase = SLURM_RUNNING, .has_task = true, .tasks = none },
		{ .name = name, .phase = SLURM_WAITING, .tasks = rest },
		{ .name = other, .phase = SLURM_WAITING, .tasks = none },
	};
	struct slurm_queue queue = { jobs, 3 };
	struct scene scene;
	size_t nr_live = 0;
	size_t i;

	(void)state;
	scene_init(&scene);
	slurm_tasks_mark(&scene.tasks, &queue);
	for (i = 0; i < scene.tasks.nr_tasks; i++)
		nr_live += scene.tasks.tasks[i].is_live;
	assert_int_equal(nr_live, 2);
	assert_true(task_of(&scene, 1)->is_running);
	assert_false(task_of(&scene, 0)->is_running);
	jobs[0].phase = SLURM_OVER;
	queue.nr_jobs = 1;
	slurm_tasks_mark(&scene.tasks, &queue);
	assert_false(task_of(&scene, 1)->is_live);
	assert_true(task_of(&scene, 1)->is_over);
	assert_false(task_of(&scene, 0)->is_live || task_of(&scene, 0)->is_over);
	scene_release(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_machine_kernel_boot_and_row_is_a_task),
		cmocka_unit_test(test_records_are_merged_once),
		cmocka_unit_test(test_records_of_other_tasks_are_refused),
		cmocka_unit_test(test_slurm_tasks_mark),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
