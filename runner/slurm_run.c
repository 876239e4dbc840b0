// SPDX-License-Identifier: GPL-2.0-or-later
/* Submits, follows and collects; see slurm_run.h. */
#include "runner/slurm_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/proc.h"
#include "lib/text.h"
#include "record/record.h"
#include "runner/grid.h"
#include "runner/plan.h"
#include "runner/run.h"
#include "runner/slurm_book.h"
#include "runner/slurm_call.h"
#include "runner/slurm_machines.h"
#include "runner/slurm_queue.h"
#include "runner/slurm_spec.h"
#include "runner/slurm_submit.h"
#include "runner/slurm_tasks.h"

enum {
	MAX_TRIES = 3,	      /* submissions of a task that end without progress */
	MAX_REFUSED = 3,      /* submissions of a machine, one after the other */
	MAX_LOST = 20,	      /* that Slurm forgot */
	MAX_ARRAY = 1000000,  /* tasks of one array, whatever Slurm allows */
	DEFAULT_ARRAY = 1000, /* where it doesn't say */
};

/* Slurm tells nobody what happens and has to be asked: at first often, then less so. */
#define ASK_FIRST_NS CLOCK_SEC
#define ASK_LAST_NS  (15 * CLOCK_SEC)
#define ASK_SHARE    30 /* of the time since the call began */
/* How long Slurm, or a node, may be away before the run gives up. */
#define PATIENCE_NS (600 * CLOCK_SEC)

/*
 * struct effort - what this call did for a task
 * @tries: submissions that ended without progress
 * @lost: submissions that Slurm forgot
 * @nr_settled: turns of the task when it was submitted last
 * @is_out: submitted by this call, and not seen to have ended
 */
struct effort {
	unsigned int tries, lost;
	uint64_t nr_settled;
	bool is_out;
};

/*
 * struct stand - a machine in this call
 * @is_given_up: gets nothing any more
 * @down_ns: since when it doesn't answer, clock_ns() time; 0: it does
 * @job: last array submitted to it by this call
 * @nr_refused: submissions that Slurm didn't take, one after the other
 */
struct stand {
	bool is_given_up;
	uint64_t down_ns;
	unsigned int nr_refused;
	char job[SLURM_JOB_SIZE];
};

/*
 * struct follow - one call of slurm_run()
 * @efforts: by task
 * @stands: by machine
 * @array_max: tasks that one array may have
 * @silent_ns: since when Slurm doesn't answer, clock_ns() time; 0: it does
 */
struct follow {
	const struct plan *plan;
	const struct run_options *options;
	struct run_summary *summary;
	struct slurm_book *book;
	struct slurm_tasks tasks;
	struct effort *efforts;
	struct stand *stands;
	struct proc_watch watch;
	uint64_t array_max, start_ns, silent_ns, nr_done, nr_todo;
	struct err *err;
};

static void tell(const struct follow *follow, struct run_event *event)
{
	event->nr_iterations = follow->plan->grid->iterations;
	event->nr_done = follow->nr_done;
	event->nr_todo = follow->nr_todo;
	event->elapsed_ns = clock_ns() - follow->start_ns;
	if (follow->options->on_event)
		follow->options->on_event(event, follow->options->data);
}

static int tell_note(const struct follow *follow, char *note)
{
	struct run_event event = { .note = note };

	if (!note)
		return err_nomem(follow->err);
	tell(follow, &event);
	free(note);
	return 0;
}

/* The cell of the plan that a record of a task is of. */
static const struct cell *cell_of(const struct follow *follow,
				  const struct slurm_task *task,
				  const struct record *record)
{
	const struct grid *grid = follow->plan->grid;
	size_t i = 0;

	while (i + 1 < grid->nr_columns &&
	       strcmp(grid->columns[i].name, record->column) != 0)
		i++;
	return &follow->plan->cells[task->row * grid->nr_columns + i];
}

static int on_record(const struct slurm_task *task, const struct record *record,
		     void *data, struct err *err)
{
	struct follow *follow = data;
	struct run_event event = {
		.cell = cell_of(follow, task, record),
		.is_warmup = record->flags & RECORD_WARMUP,
		.iteration = record->iteration,
	};

	(void)err;
	follow->nr_done += !event.is_warmup && follow->nr_done < follow->nr_todo;
	follow->summary->nr[record->status]++;
	event.record = record;
	tell(follow, &event);
	if (follow->nr_done < follow->nr_todo) {
		event.record = NULL;
		tell(follow, &event);
	}
	return 0;
}

static bool is_missing(const struct follow *follow, size_t idx)
{
	const struct slurm_task *task = &follow->tasks.tasks[idx];

	return task->nr_settled < task->nr_turns && !task->is_live &&
	       !follow->stands[task->of.machine].is_given_up &&
	       follow->efforts[idx].tries < MAX_TRIES &&
	       follow->efforts[idx].lost < MAX_LOST;
}

/* What became of the tasks that this call submitted and Slurm hasn't any more. */
static void judge_efforts(struct follow *follow)
{
	size_t i;

	for (i = 0; i < follow->tasks.nr_tasks; i++) {
		const struct slurm_task *task = &follow->tasks.tasks[i];
		struct effort *effort = &follow->efforts[i];

		if (!effort->is_out || task->is_live)
			continue;
		effort->is_out = false;
		if (task->nr_settled > effort->nr_settled)
			effort->tries = effort->lost = 0;
		else if (task->is_over)
			effort->tries++;
		else
			effort->lost++;
	}
}

/* The rows of the tasks from @first on that go into one array. */
static int gather(const struct follow *follow, size_t first, struct slurm_submission *ret)
{
	const struct slurm_tasks *tasks = &follow->tasks;
	const struct slurm_submission *of = &tasks->tasks[first].of;
	size_t i;

	*ret = *of;
	ret->rows = calloc(follow->plan->nr_rows + 1, sizeof(*ret->rows));
	if (!ret->rows)
		return err_nomem(follow->err);
	for (i = first; i < tasks->nr_tasks && ret->nr_rows < follow->array_max; i++) {
		const struct slurm_task *task = &tasks->tasks[i];

		if (task->of.machine != of->machine || task->of.kernel != of->kernel ||
		    task->of.block != of->block)
			break;
		if (is_missing(follow, i))
			ret->rows[ret->nr_rows++] = task->row;
	}
	return 0;
}

static void note_out(struct follow *follow, size_t first, uint64_t number)
{
	size_t nr = follow->book->submissions[number - 1].nr_rows;
	size_t i;

	for (i = first; nr; i++) {
		struct slurm_task *task = &follow->tasks.tasks[i];

		if (!is_missing(follow, i))
			continue;
		task->number = number;
		task->is_live = true;
		follow->efforts[i].is_out = true;
		follow->efforts[i].nr_settled = task->nr_settled;
		nr--;
	}
}

/*
 * In the book first: a job whose submission was lost half-way is found by its name. A
 * controller that just starts again refuses too; what it refuses then, it will for ever.
 */
static int submit_from(struct follow *follow, size_t first)
{
	struct stand *stand = &follow->stands[follow->tasks.tasks[first].of.machine];
	struct slurm_submission submission;
	struct slurm_queue queue = { 0 };
	struct err why = { 0 };
	int64_t number;
	int bad;

	if (gather(follow, first, &submission))
		return follow->err->code;
	number = slurm_book_add(follow->book, &submission, follow->err);
	if (number < 0)
		return (int)number;
	note_out(follow, first, (uint64_t)number);
	bad = slurm_submit(&follow->watch, follow->book, follow->plan->grid,
			   (uint64_t)number, stand->job, &why);
	if (bad != -EREMOTEIO && bad != -ETIMEDOUT) {
		stand->nr_refused = 0;
		return bad && bad != -EINTR ? err_set(follow->err, bad, "%s", why.text)
					    : 0;
	}
	*stand->job = '\0';
	if (bad == -EREMOTEIO && !slurm_ask_queue(&follow->watch, &queue, NULL)) {
		slurm_queue_release(&queue);
		if (++stand->nr_refused == MAX_REFUSED)
			return err_set(follow->err, bad,
				       "Slurm refuses the jobs of node '%s': %s",
				       follow->book->machines[submission.machine],
				       why.text);
	}
	return 0;
}

static int submit_missing(struct follow *follow)
{
	size_t i;

	for (i = 0; i < follow->tasks.nr_tasks; i++) {
		if (is_missing(follow, i) && submit_from(follow, i))
			return follow->err->code;
		if (proc_pending(&follow->watch))
			break;
	}
	return 0;
}

static bool has_tasks(const struct follow *follow, size_t machine, bool is_running)
{
	size_t i;

	for (i = 0; i < follow->tasks.nr_tasks; i++) {
		const struct slurm_task *task = &follow->tasks.tasks[i];

		if (task->of.machine == machine && task->is_live &&
		    (!is_running || task->is_running))
			return true;
	}
	return false;
}

/* Its jobs would wait for ever; its tasks stay missing until the next call. */
static int give_up(struct follow *follow, size_t machine, const char *what,
		   const char *reason)
{
	struct slurm_tasks *tasks = &follow->tasks;
	uint64_t last = 0;
	size_t i;

	follow->stands[machine].is_given_up = true;
	for (i = 0; i < tasks->nr_tasks; i++) {
		struct slurm_task *task = &tasks->tasks[i];

		if (task->of.machine != machine || !task->is_live)
			continue;
		/* Tasks of one submission follow each other. */
		if (task->number && task->number != last)
			(void)slurm_cancel_number(&follow->watch, follow->book,
						  task->number, NULL);
		last = task->number;
		task->is_live = false;
		follow->efforts[i].is_out = false;
	}
	return tell_note(follow, file_path("node '%s' %s%s%s; its jobs were cancelled",
					   follow->book->machines[machine], what,
					   *reason ? ": " : "", reason));
}

static int look_at_machine(struct follow *follow, const struct slurm_nodes *nodes,
			   size_t machine)
{
	const char *name = follow->book->machines[machine];
	const struct slurm_node *node = slurm_nodes_find(nodes, name);
	struct stand *stand = &follow->stands[machine];

	if (stand->is_given_up || !has_tasks(follow, machine, false))
		return 0;
	if (node && node->is_drained && !has_tasks(follow, machine, true))
		return give_up(follow, machine, "is drained", node->reason);
	if (node && !node->is_down) {
		stand->down_ns = 0;
		return 0;
	}
	if (!stand->down_ns) {
		stand->down_ns = clock_ns();
		return tell_note(
			follow,
			file_path("node '%s' is down; its jobs wait for it", name));
	}
	return clock_ns() - stand->down_ns > PATIENCE_NS
		       ? give_up(follow, machine, "stays down", node ? node->reason : "")
		       : 0;
}

static int look_at_machines(struct follow *follow)
{
	struct slurm_nodes nodes;
	size_t i;
	int bad = 0;

	/* The queue has just been answered; if this isn't, the next time is early enough. */
	if (slurm_ask_nodes(&follow->watch, &nodes, NULL))
		return 0;
	for (i = 0; !bad && i < follow->book->nr_machines; i++)
		bad = look_at_machine(follow, &nodes, i);
	slurm_nodes_release(&nodes);
	return bad;
}

/* 1: the queue is known; 0: Slurm doesn't answer now; or a negative errno. */
static int look_at_queue(struct follow *follow)
{
	struct slurm_queue queue;
	struct err why = { 0 };
	int bad = slurm_ask_queue(&follow->watch, &queue, &why);

	if (!bad) {
		slurm_tasks_mark(&follow->tasks, &queue);
		slurm_queue_release(&queue);
		follow->silent_ns = 0;
		return 1;
	}
	if (bad == -EINTR)
		return 0;
	if (bad != -EREMOTEIO && bad != -ETIMEDOUT)
		return err_set(follow->err, bad, "%s", why.text);
	if (!follow->silent_ns) {
		follow->silent_ns = clock_ns();
		return tell_note(follow, file_path("Slurm doesn't answer (%s); what it "
						   "has goes on meanwhile",
						   why.text));
	}
	if (clock_ns() - follow->silent_ns < PATIENCE_NS)
		return 0;
	return err_set(follow->err, -EAGAIN,
		       "Slurm doesn't answer (%s); run the same command again to go on",
		       why.text);
}

static int check_cancelled(const struct follow *follow)
{
	char *path = file_path("%s/slurm/cancelled", follow->book->dir);
	bool is_there = path && !access(path, F_OK);

	free(path);
	if (!path)
		return err_nomem(follow->err);
	return is_there ? err_set(follow->err, -ECANCELED,
				  "the run was cancelled; run it again to go on")
			: 0;
}

static bool is_any_live(const struct follow *follow)
{
	size_t i;

	for (i = 0; i < follow->book->nr_machines; i++)
		if (has_tasks(follow, i, false))
			return true;
	return false;
}

/* One look: what Slurm has, then what there is, then what is still missing. */
static int take_step(struct follow *follow, bool *ret_over)
{
	int known = look_at_queue(follow);

	*ret_over = false;
	if (known < 0 || slurm_tasks_collect(&follow->tasks, follow->err) ||
	    check_cancelled(follow))
		return follow->err->code;
	if (!known)
		return 0;
	judge_efforts(follow);
	if (submit_missing(follow) || look_at_machines(follow))
		return follow->err->code;
	*ret_over = !is_any_live(follow);
	return 0;
}

static uint64_t next_look(const struct follow *follow)
{
	uint64_t now = clock_ns();
	uint64_t wait = (now - follow->start_ns) / ASK_SHARE;

	wait = wait < ASK_FIRST_NS ? ASK_FIRST_NS : wait;
	return now + (wait > ASK_LAST_NS ? ASK_LAST_NS : wait);
}

/* A child's end wakes it up too. */
static void wait_for(struct follow *follow, uint64_t until_ns)
{
	while (!proc_pending(&follow->watch) && proc_wait(&follow->watch, until_ns))
		;
}

static int follow_jobs(struct follow *follow)
{
	bool is_over = false;

	while (!proc_pending(&follow->watch)) {
		if (take_step(follow, &is_over))
			return follow->err->code;
		if (is_over)
			break;
		wait_for(follow, next_look(follow));
	}
	return 0;
}

/* The machines whose tasks have no record, for the last word. */
static int tell_missing(const struct follow *follow)
{
	const struct slurm_tasks *tasks = &follow->tasks;
	const char *name = NULL;
	size_t nr = 0;
	size_t i;

	for (i = 0; i < tasks->nr_tasks; i++) {
		const struct slurm_task *task = &tasks->tasks[i];

		if (task->nr_settled == task->nr_turns)
			continue;
		name = name ? name : follow->book->machines[task->of.machine];
		nr++;
	}
	if (!nr)
		return 0;
	return err_set(follow->err, -EHOSTDOWN,
		       "%zu of %zu tasks are not complete, the first on node '%s'; what "
		       "their jobs said is in %s/slurm/log; run the same command again "
		       "to go on",
		       nr, tasks->nr_tasks, name, follow->book->dir);
}

static void count_turns(struct follow *follow)
{
	size_t i;

	for (i = 0; i < follow->tasks.nr_tasks; i++) {
		const struct slurm_task *task = &follow->tasks.tasks[i];

		follow->nr_todo += task->nr_turns - task->nr_settled;
		follow->summary->nr_failed_before += task->nr_failed;
	}
}

static int ask_array_max(struct follow *follow)
{
	struct err why = { 0 };
	char *config;
	int bad = slurm_ask_config(&follow->watch, &config, &why);
	char *text = bad ? NULL : slurm_setting(config, "MaxArraySize");

	if (!bad && (!text || text_uint(text, 1, MAX_ARRAY, &follow->array_max, NULL)))
		follow->array_max = DEFAULT_ARRAY;
	free(text);
	free(config);
	if (bad == -EREMOTEIO || bad == -ETIMEDOUT)
		return err_set(follow->err, -EAGAIN, "Slurm doesn't answer (%s)",
			       why.text);
	return bad ? err_set(follow->err, bad, "%s", why.text) : 0;
}

/* What a run needs before anything is submitted; nothing is changed when it is refused. */
static int prepare(struct follow *follow)
{
	struct slurm_book *book = follow->book;
	struct err *err = follow->err;
	char *path = file_path("%s/slurm/cancelled", book->dir);

	if (!path)
		return err_nomem(err);
	(void)unlink(path);
	free(path);
	book->allow_exec = follow->options->allow_exec;
	if (ask_array_max(follow) ||
	    slurm_machines_choose(&follow->watch, follow->plan->grid, book, err) ||
	    slurm_write_script(book, err) || slurm_book_save(book, err) ||
	    slurm_tasks_open(follow->plan, book, &follow->tasks, err))
		return err->code;
	follow->efforts = calloc(follow->tasks.nr_tasks + 1, sizeof(*follow->efforts));
	follow->stands = calloc(book->nr_machines + 1, sizeof(*follow->stands));
	if (!follow->efforts || !follow->stands)
		return err_nomem(err);
	if (slurm_tasks_lock(&follow->tasks, err))
		return err->code;
	follow->tasks.on_record = on_record;
	follow->tasks.data = follow;
	if (slurm_tasks_collect(&follow->tasks, err))
		return err->code;
	count_turns(follow);
	return 0;
}

static int check_options(const struct run_options *options, struct err *err)
{
	if (!options->only && !options->more)
		return 0;
	return err_set(err, -EINVAL, "--%s is not supported with executor slurm yet",
		       options->only ? "only" : "more");
}

int slurm_run(const struct plan *plan, const struct run_options *options,
	      struct run_summary *ret, struct err *err)
{
	struct err local = { 0 };
	struct follow follow = {
		.plan = plan,
		.options = options,
		.summary = ret,
		.start_ns = clock_ns(),
		.err = err ? err : &local,
	};
	int bad = check_options(options, follow.err);

	if (bad || slurm_book_open(options->dir, plan->grid, &follow.book, follow.err))
		return follow.err->code;
	bad = proc_watch_open(&follow.watch, follow.err);
	if (!bad) {
		bad = prepare(&follow);
		if (!bad)
			bad = follow_jobs(&follow);
		ret->signal = follow.watch.signal;
		if (!bad && ret->signal)
			bad = tell_note(
				&follow,
				file_path("its jobs stay with Slurm; `schedgrid grid "
					  "cancel %s` ends them",
					  options->dir));
		if (!bad && !ret->signal)
			bad = tell_missing(&follow);
		proc_watch_close(&follow.watch);
	}
	slurm_tasks_release(&follow.tasks);
	free(follow.efforts);
	free(follow.stands);
	slurm_book_free(follow.book);
	return bad;
}

int slurm_cancel(struct proc_watch *watch, const struct slurm_book *book, struct err *err)
{
	char *path = file_path("%s/slurm/cancelled", book->dir);
	struct slurm_queue queue = { 0 };
	uint64_t last = 0;
	size_t i;
	/* First, or the runner would submit again what is ended here. */
	int bad = path ? file_replace(path, "", 0, err) : err_nomem(err);

	free(path);
	if (!bad)
		bad = slurm_ask_queue(watch, &queue, err);
	for (i = 0; !bad && i < queue.nr_jobs; i++) {
		uint64_t number = slurm_book_number(book, queue.jobs[i].name);

		if (!number || number == last || queue.jobs[i].phase == SLURM_OVER)
			continue;
		bad = slurm_cancel_number(watch, book, number, err);
		last = number;
	}
	slurm_queue_release(&queue);
	return bad;
}
