// SPDX-License-Identifier: GPL-2.0-or-later
/* Lists, reads and merges the tasks of a run under Slurm; see slurm_tasks.h. */
#include "runner/slurm_tasks.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/err.h"
#include "lib/file.h"
#include "record/ledger.h"
#include "record/record.h"
#include "runner/grid.h"
#include "runner/plan.h"
#include "runner/slurm_queue.h"
#include "runner/slurm_spec.h"
#include "runner/turn.h"

/*
 * struct reading - the ledger of one task while it is read
 * @first: iteration of the task
 * @each: iterations of each column
 * @states: of the turns, column by column
 */
struct reading {
	struct slurm_tasks *tasks;
	struct slurm_task *task;
	uint64_t first, each;
	uint32_t *states;
};

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

static uint64_t iterations_each(const struct slurm_tasks *tasks)
{
	return tasks->plan->grid->iterations / tasks->plan->grid->boots;
}

static size_t count_columns(const struct grid *grid, size_t kernel)
{
	size_t nr = 0;
	size_t i;

	for (i = 0; i < grid->nr_columns; i++)
		nr += slurm_kernel_of(grid, i) == kernel;
	return nr;
}

/* Where the index of a task stands in @where. */
static size_t *place_of(const struct slurm_tasks *tasks,
			const struct slurm_submission *of, size_t row)
{
	const struct plan *plan = tasks->plan;
	size_t at = of->machine * plan->grid->boots + of->block - 1;

	return &tasks->where[(at * plan->grid->nr_columns + of->kernel) * plan->nr_rows +
			     row];
}

/* NULL: the book is of other tasks than the plan. */
static struct slurm_task *find_task(const struct slurm_tasks *tasks,
				    const struct slurm_submission *of, size_t row)
{
	const struct grid *grid = tasks->plan->grid;
	size_t place;

	if (of->block > grid->boots || of->kernel >= grid->nr_columns ||
	    row >= tasks->plan->nr_rows)
		return NULL;
	place = *place_of(tasks, of, row);
	return place ? &tasks->tasks[place - 1] : NULL;
}

/* The rows of a block in its seeded order, of one machine and kernel. */
static int add_rows(struct slurm_tasks *tasks, const struct slurm_submission *of,
		    size_t *order)
{
	const struct plan *plan = tasks->plan;
	size_t nr_columns = plan->grid->nr_columns;
	uint64_t nr_turns =
		count_columns(plan->grid, of->kernel) * iterations_each(tasks);
	size_t i;

	if (plan_order(plan, of->block, order))
		return -ENOMEM;
	for (i = 0; i < plan->nr_cells; i += nr_columns) {
		size_t row = order[i] / nr_columns;

		tasks->tasks[tasks->nr_tasks++] = (struct slurm_task){
			.of = *of,
			.row = row,
			.nr_turns = nr_turns,
		};
		*place_of(tasks, of, row) = tasks->nr_tasks;
	}
	return 0;
}

/* Each block boots every kernel once, so that one boot of each is like the others. */
static int add_machine(struct slurm_tasks *tasks, size_t machine, size_t *order)
{
	const struct grid *grid = tasks->plan->grid;
	struct slurm_submission of = { .machine = machine };
	int bad = 0;

	for (of.block = 1; !bad && of.block <= grid->boots; of.block++)
		for (of.kernel = 0; !bad && of.kernel < grid->nr_columns; of.kernel++)
			if (slurm_kernel_of(grid, of.kernel) == of.kernel)
				bad = add_rows(tasks, &of, order);
	return bad;
}

static void note_submission(struct slurm_tasks *tasks, uint64_t number)
{
	const struct slurm_submission *made = &tasks->book->submissions[number - 1];
	size_t i;

	for (i = 0; i < made->nr_rows; i++) {
		struct slurm_task *task = find_task(tasks, made, made->rows[i]);

		if (task)
			task->number = number;
	}
}

int slurm_tasks_open(const struct plan *plan, const struct slurm_book *book,
		     struct slurm_tasks *ret, struct err *err)
{
	size_t most = book->nr_machines * plan->grid->boots * plan->nr_cells;
	size_t *order = calloc(plan->nr_cells + 1, sizeof(*order));
	uint64_t number;
	size_t i;
	int bad = 0;

	*ret = (struct slurm_tasks){
		.plan = plan,
		.book = book,
		.tasks = calloc(most + 1, sizeof(*ret->tasks)),
		.where = calloc(most + 1, sizeof(*ret->where)),
		.machines = calloc(book->nr_machines + 1, sizeof(*ret->machines)),
	};
	if (!order || !ret->tasks || !ret->where || !ret->machines)
		bad = -ENOMEM;
	for (i = 0; !bad && i < book->nr_machines; i++) {
		ret->machines[i].dir = slurm_machine_dir(book, i);
		bad = ret->machines[i].dir ? add_machine(ret, i, order) : -ENOMEM;
	}
	for (number = 1; !bad && number <= book->nr_submissions; number++)
		note_submission(ret, number);
	free(order);
	return bad ? err_nomem(err) : 0;
}

/* 1: the id is new; 0: it was there; or -ENOMEM. */
static int add_id(struct slurm_machine *machine, const char *id)
{
	char *copy = strdup(id);
	char **found = copy ? tsearch(copy, &machine->ids, by_text) : NULL;

	if (found && *found == copy)
		return 1;
	free(copy);
	return found ? 0 : -ENOMEM;
}

static int note_merged(const struct record *record, void *data, struct err *err)
{
	struct slurm_machine *machine = data;

	machine->seq = record->seq > machine->seq ? record->seq : machine->seq;
	return add_id(machine, record->id) < 0 ? err_nomem(err) : 0;
}

int slurm_tasks_lock(struct slurm_tasks *tasks, struct err *err)
{
	size_t i;

	for (i = 0; i < tasks->book->nr_machines; i++) {
		struct slurm_machine *machine = &tasks->machines[i];
		char *torn = NULL;

		/* What was torn is in its task's ledger, and merged again. */
		if (file_make_dirs(machine->dir, err) ||
		    ledger_open(machine->dir, &machine->ledger, &torn, err))
			return err->code;
		free(torn);
		if (ledger_read(machine->dir, note_merged, machine, NULL, err))
			return err->code;
	}
	return 0;
}

static int merge(struct reading *reading, const struct record *record, struct err *err)
{
	struct slurm_tasks *tasks = reading->tasks;
	struct slurm_machine *machine = &tasks->machines[reading->task->of.machine];
	struct record merged = *record;
	int is_new;

	if (!machine->ledger)
		return 0;
	is_new = add_id(machine, record->id);
	if (is_new <= 0)
		return is_new ? err_nomem(err) : 0;
	merged.seq = ++machine->seq;
	if (ledger_append(machine->ledger, &merged, err))
		return err->code;
	return tasks->on_record
		       ? tasks->on_record(reading->task, record, tasks->data, err)
		       : 0;
}

/* The column of the task's kernel that the record is of; -1: none. */
static long find_column(const struct reading *reading, const struct record *record)
{
	const struct grid *grid = reading->tasks->plan->grid;
	size_t i;

	for (i = 0; i < grid->nr_columns; i++)
		if (!strcmp(grid->columns[i].name, record->column))
			return slurm_kernel_of(grid, i) == reading->task->of.kernel
				       ? (long)i
				       : -1;
	return -1;
}

static int note_record(const struct record *record, void *data, struct err *err)
{
	struct reading *reading = data;
	const char *machine = reading->tasks->book->machines[reading->task->of.machine];
	bool is_warmup = record->flags & RECORD_WARMUP;
	uint64_t first = is_warmup ? 1 : reading->first;
	uint64_t nr = is_warmup ? reading->tasks->plan->grid->warmup : reading->each;
	long column = find_column(reading, record);

	if (column < 0 || !record->machine || strcmp(record->machine, machine) != 0 ||
	    record->iteration < first || record->iteration - first >= nr)
		return err_set(err, -EPROTO, "record '%s' is not of this task",
			       record->id);
	if (!is_warmup)
		turn_note(&reading->states[(size_t)column * reading->each +
					   record->iteration - first],
			  record);
	return merge(reading, record, err);
}

static void count_turns(const struct reading *reading)
{
	const struct grid *grid = reading->tasks->plan->grid;
	struct slurm_task *task = reading->task;
	size_t nr = grid->nr_columns * reading->each;
	size_t i;

	task->nr_settled = task->nr_failed = 0;
	for (i = 0; i < nr; i++) {
		uint32_t state = reading->states[i];

		/* What a machine can't run isn't tried again by itself. */
		task->nr_settled += state & TURN_SKIPPED ||
				    !turn_is_missing(state, grid->quiet.repeat);
		task->nr_failed += (state & TURN_FAILED) != 0;
	}
}

static int read_task(struct slurm_tasks *tasks, struct slurm_task *task, const char *dir,
		     struct err *err)
{
	uint64_t each = iterations_each(tasks);
	struct reading reading = {
		.tasks = tasks,
		.task = task,
		.first = (task->of.block - 1) * each + 1,
		.each = each,
		.states = calloc(tasks->plan->grid->nr_columns * each,
				 sizeof(*reading.states)),
	};
	int bad = reading.states ? ledger_read(dir, note_record, &reading, NULL, err)
				 : err_nomem(err);

	if (!bad)
		count_turns(&reading);
	free(reading.states);
	return bad;
}

/* A ledger that isn't there yet has nothing; one that is as it was, nothing new. */
static int collect_task(struct slurm_tasks *tasks, struct slurm_task *task,
			struct err *err)
{
	char *dir = slurm_task_dir(tasks->book, tasks->plan->grid, &task->of, task->row);
	char *path = dir ? file_path("%s/records.jsonl", dir) : NULL;
	struct stat info;
	int bad = path ? 0 : err_nomem(err);

	if (!bad && !stat(path, &info) && info.st_size != task->size) {
		bad = read_task(tasks, task, dir, err);
		if (!bad)
			task->size = info.st_size;
	}
	free(path);
	free(dir);
	return bad;
}

int slurm_tasks_collect(struct slurm_tasks *tasks, struct err *err)
{
	size_t i;

	for (i = 0; i < tasks->nr_tasks; i++) {
		struct slurm_task *task = &tasks->tasks[i];

		/* Once all is settled only a job that still runs could add something. */
		if (task->size && task->nr_settled == task->nr_turns && !task->is_live)
			continue;
		if (collect_task(tasks, task, err))
			return err->code;
	}
	return 0;
}

static void mark_job(struct slurm_tasks *tasks, uint64_t number,
		     const struct slurm_job *job)
{
	const struct slurm_submission *made = &tasks->book->submissions[number - 1];
	size_t first = job->has_task ? (size_t)job->task : 0;
	size_t i;

	for (i = first; i < made->nr_rows && (!job->has_task || i == first); i++) {
		struct slurm_task *task = find_task(tasks, made, made->rows[i]);

		if (!task || !slurm_job_has_task(job, i))
			continue;
		if (job->phase == SLURM_OVER) {
			task->is_over |= task->number == number;
			continue;
		}
		task->is_live = true;
		task->is_running |= job->phase != SLURM_WAITING;
	}
}

void slurm_tasks_mark(struct slurm_tasks *tasks, const struct slurm_queue *queue)
{
	size_t i;

	for (i = 0; i < tasks->nr_tasks; i++) {
		struct slurm_task *task = &tasks->tasks[i];

		task->is_live = task->is_running = task->is_over = false;
	}
	for (i = 0; i < queue->nr_jobs; i++) {
		uint64_t number = slurm_book_number(tasks->book, queue->jobs[i].name);

		if (number)
			mark_job(tasks, number, &queue->jobs[i]);
	}
}

void slurm_tasks_release(struct slurm_tasks *tasks)
{
	size_t nr = tasks->machines ? tasks->book->nr_machines : 0;
	size_t i;

	for (i = 0; i < nr; i++) {
		free(tasks->machines[i].dir);
		ledger_close(tasks->machines[i].ledger);
		tdestroy(tasks->machines[i].ids, free);
	}
	free(tasks->machines);
	free(tasks->where);
	free(tasks->tasks);
	*tasks = (struct slurm_tasks){ 0 };
}
