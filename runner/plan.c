// SPDX-License-Identifier: GPL-2.0-or-later
/* Expands a grid into cells and orders them; see plan.h. */
#include "runner/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/service.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/topo.h"
#include "record/cell_id.h"
#include "record/host.h"
#include "runner/guest.h"
#include "runner/ladder.h"
#include "runner/pin.h"
#include "runner/plan_repeats.h"
#include "runner/plan_settings.h"
#include "runner/plan_sweep.h"
#include "runner/settings.h"
#include "runner/sim_plan.h"

/* struct spread - an entry of the grid on this machine */
struct spread {
	struct plan_sweep sweep;
	struct ladder_machine ladder;
	struct bench_machine machine;
};

/* struct expansion - what every step of building a plan needs */
struct expansion {
	const struct grid *grid;
	const struct topo *topo;
	struct plan *plan;
	struct err *err;
	struct spread *spreads;
	char **lacks;
};

static int at(const struct expansion *x, const struct grid_pos *pos,
	      const struct err *why)
{
	return err_set(x->err, why->code, "%s:%u:%u: %s", x->grid->file, pos->line,
		       pos->column, why->text);
}

static bool is_program_of(const struct program *program, const struct workload *workload)
{
	const struct bench_program *wanted = workload->program;

	return !strcmp(program->word, wanted->name) &&
	       !strcmp(program->name,
		       wanted->command ? wanted->command : workload->ops->name);
}

static int add_program(struct expansion *x, const struct workload *workload)
{
	struct plan *plan = x->plan;
	char *folder = grid_folder(x->grid);
	struct program *grown =
		reallocarray(plan->programs, plan->nr_programs + 1, sizeof(*grown));
	int bad = 0;

	if (grown)
		plan->programs = grown;
	if (!grown || !folder)
		bad = err_nomem(x->err);
	if (!bad)
		bad = program_find(workload, folder, &grown[plan->nr_programs], x->err);
	if (!bad && plan->guest)
		bad = guest_use_program(&grown[plan->nr_programs], x->err);
	plan->nr_programs += !bad;
	free(folder);
	return bad;
}

/* The last reason counts: each of them is enough. */
static int mark_unfit(struct expansion *x, struct cell *cell, const struct err *why)
{
	free(cell->unfit);
	cell->unfit = strdup(why->text);
	return cell->unfit ? 0 : err_nomem(x->err);
}

/*
 * What isn't installed, or not as the workload needs it, makes the cell skipped,
 * so that the rest can run.
 */
static int find_one(struct expansion *x, const struct workload *workload,
		    struct cell *cell, size_t *ret_idx)
{
	struct plan *plan = x->plan;
	struct err why = { 0 };
	size_t i = 0;

	while (i < plan->nr_programs && !is_program_of(&plan->programs[i], workload))
		i++;
	if (i == plan->nr_programs && add_program(x, workload))
		return x->err->code;
	*ret_idx = i;
	if (!plan->programs[i].path)
		(void)program_missing(workload, &why);
	else if (!program_check(workload, &plan->programs[i], &why))
		return 0;
	return mark_unfit(x, cell, &why);
}

/* The workload's program, those that it starts, and the server that it needs. */
static int find_program(struct expansion *x, struct cell *cell)
{
	const struct bench_program *part = cell->workload.program->starts;
	const struct bench_ops *ops = cell->workload.ops;
	struct workload server = cell->workload;
	size_t ignored;

	cell->service = ops->service ? ops->service(&cell->workload) : NULL;
	if (find_one(x, &cell->workload, cell, &cell->program))
		return x->err->code;
	for (; part && part->name; part++) {
		server.program = part;
		if (find_one(x, &server, cell, &ignored))
			return x->err->code;
	}
	if (!cell->service)
		return 0;
	server.program = &cell->service->program;
	return find_one(x, &server, cell, &cell->server);
}

/* What guests can't run is skipped; the program's own trouble is the better reason. */
static int check_guest(struct expansion *x, struct cell *cell)
{
	struct err why = { 0 };

	if (!x->plan->guest || cell->unfit ||
	    !guest_check(x->plan->guest, &x->plan->programs[cell->program], &why))
		return 0;
	return mark_unfit(x, cell, &why);
}

/* Without what it was to be counted by, it would be another cell. */
static int check_monitors(struct expansion *x, struct cell *cell)
{
	struct err why = { 0 };

	if (!x->grid->monitors.nr_events || x->plan->tools.perf.path)
		return 0;
	(void)monitor_missing(&why);
	return mark_unfit(x, cell, &why);
}

/* Nothing runs under the label of a setting that nobody sets. */
static int check_settings(struct expansion *x, struct cell *cell)
{
	struct err why = { 0 };

	if (!x->lacks[cell->column])
		return 0;
	err_set(&why, -EOPNOTSUPP, "%s", x->lacks[cell->column]);
	return mark_unfit(x, cell, &why);
}

/* In the simulator nothing is started, so nothing has to be there but a model. */
static int check_sim(struct expansion *x, struct cell *cell)
{
	struct err why = { 0 };
	int bad = simulation_check(x->plan->sim, cell, &why);

	if (bad && bad != -EOPNOTSUPP)
		return err_set(x->err, bad, "%s", why.text);
	return bad ? mark_unfit(x, cell, &why) : 0;
}

static int check_means(struct expansion *x, struct cell *cell)
{
	if (x->plan->sim)
		return check_sim(x, cell);
	if (find_program(x, cell) || check_guest(x, cell) || check_monitors(x, cell))
		return x->err->code;
	return check_settings(x, cell);
}

/* A name that perf doesn't know is the grid's mistake, on any machine. */
static int check_events(struct expansion *x)
{
	const struct monitor_tools *tools = &x->plan->tools;
	const struct monitors *monitors = &x->grid->monitors;
	struct err said = { 0 };
	struct err why = { 0 };
	char *nearest;
	size_t idx;
	int bad = monitor_check(monitors, tools, &idx, &said);

	if (bad != -EINVAL)
		return bad ? err_set(x->err, bad, "%s", said.text) : 0;
	nearest = monitor_nearest(monitors->events[idx], tools);
	err_set(&why, bad,
		"perf doesn't know the event '%s': %s (expected one that `perf list` "
		"names%s%s%s)",
		monitors->events[idx], said.text, nearest ? "; did you mean '" : "",
		nearest ? nearest : "", nearest ? "'?" : "");
	free(nearest);
	return at(x, &x->grid->event_pos[idx], &why);
}

static int find_monitors(struct expansion *x)
{
	if (!x->grid->monitors.nr_events)
		return 0;
	if (monitor_find(&x->plan->tools, x->err))
		return x->err->code;
	return x->plan->tools.perf.path ? check_events(x) : 0;
}

static const char *pin_of(const struct expansion *x, size_t column,
			  const struct grid_workload *entry)
{
	const char *pin = x->grid->columns[column].pin;

	return pin ? pin : entry->pin;
}

/*
 * The column's pin, the workload's, or all that this process may use. A pin that the
 * machine has no CPUs for leaves @ret empty and @lack saying so.
 */
static int resolve_cpus(struct expansion *x, size_t idx,
			const struct grid_workload *entry, struct cpulist *ret,
			struct err *lack)
{
	const struct grid_column *column = &x->grid->columns[idx];
	const struct grid_pos *pos = column->pin ? &column->pin_pos : &entry->pin_pos;
	const char *pin = pin_of(x, idx, entry);
	int bad;

	*lack = (struct err){ 0 };
	bad = pin ? pin_resolve(pin, x->topo, ret, lack)
		  : cpulist_copy(&x->topo->allowed, ret);
	if (!bad)
		bad = plan_settings_cpus(x->plan, idx, pin, ret, lack);
	if (bad == -ENOMEM)
		return err_nomem(x->err);
	return bad && bad != -EOPNOTSUPP ? at(x, pos, lack) : 0;
}

/* The CPUs of a cell; none make it skipped, so that the rest can run. */
static int find_cpus(struct expansion *x, struct cell *cell)
{
	struct err lack;

	if (resolve_cpus(x, cell->column, cell->entry, &cell->cpus, &lack))
		return x->err->code;
	return cell->cpus.nr ? 0 : mark_unfit(x, cell, &lack);
}

/* What was in effect beside variant and parameters; a pin without CPUs is its word. */
static struct jval *effect_json(const struct expansion *x, const struct cell *cell)
{
	const struct grid_column *column = &x->grid->columns[cell->column];
	const struct bench_ops *ops = cell->workload.ops;
	struct jval *json = jval_object();
	const char *pin = pin_of(x, cell->column, cell->entry);
	char *cpus = cell->cpus.nr ? cpulist_write(&cell->cpus) : strdup(pin ? pin : "");
	int bad = cpus ? jval_put(json, "cpus", jval_from_string(cpus)) : -ENOMEM;

	bad |= jval_put(json, "program", jval_from_string(cell->workload.program->name));
	if (x->plan->guest)
		bad |= jval_put(json, "guest",
				guest_settings(x->plan->guest, cell->column));
	if (x->plan->sim)
		bad |= jval_put(json, "sim", simulation_json(x->plan->sim));
	if (settings_any(column->settings))
		bad |= jval_put(json, "host", settings_json(column->settings));
	if (monitors_any(&x->grid->monitors))
		bad |= jval_put(json, "monitors", monitors_json(&x->grid->monitors));
	if (cell->twin)
		bad |= jval_put(json, "twin", jval_from_uint(cell->twin));
	if (ops->identify)
		bad |= jval_put(json, "work", ops->identify(ops));
	free(cpus);
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

/* The swept parameters and the axis: what tells the rows of a table apart. */
static struct jval *point_json(const struct grid_workload *entry, const struct cell *cell)
{
	const struct bench_param *param = entry->base.ops->params;
	const char *axis = entry->base.ops->axis;
	struct jval *json = jval_object();
	int bad = json ? 0 : -ENOMEM;
	size_t i;

	for (i = 0; !bad && param[i].name; i++) {
		bool is_axis = axis && !strcmp(axis, param[i].name);
		const struct jval *value = jval_get(cell->parameters, param[i].name);

		/* A value that the workload doesn't use tells no rows apart. */
		if (value && (entry->sweep[i].is_list || is_axis))
			bad = jval_put(json, param[i].name, jval_copy(value));
	}
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

static int set_id(struct expansion *x, struct cell *cell)
{
	struct jval *settings = effect_json(x, cell);
	struct jval *kernel = plan_kernel(x->plan, cell->column);

	free(cell->id);
	cell->id = NULL;
	if (kernel && settings)
		cell->id = cell_id(kernel, settings, cell->workload.ops->name,
				   cell->variant, cell->parameters);
	jval_free(kernel);
	jval_free(settings);
	return cell->id ? 0 : err_nomem(x->err);
}

static int identify(struct expansion *x, const struct grid_workload *entry,
		    struct cell *cell)
{
	cell->variant = workload_variant(&cell->workload);
	cell->parameters = workload_parameters(&cell->workload);
	cell->point = cell->parameters ? point_json(entry, cell) : NULL;
	if (!cell->variant || !cell->point)
		return err_nomem(x->err);
	return set_id(x, cell);
}

/* Values that don't go together are the grid's fault, too few CPUs are not. */
static int check_workload(struct expansion *x, const struct grid_workload *entry,
			  struct cell *cell)
{
	const struct bench_ops *ops = cell->workload.ops;
	struct err why = { 0 };
	int bad;

	if (!ops->check || !cell->cpus.nr)
		return 0;
	bad = ops->check(&cell->workload, (unsigned int)cell->cpus.nr, &why);
	if (!bad)
		return 0;
	if (bad != -EOPNOTSUPP)
		return at(x, &entry->pos, &why);
	return mark_unfit(x, cell, &why);
}

static void say_twin(const struct expansion *x, const struct cell *cell,
		     const struct cell *like, struct err *why)
{
	const struct grid *grid = x->grid;
	char *cpus = cpulist_write(&cell->cpus);

	err_set(why, -EINVAL,
		"columns '%s' and '%s' are the same in effect: both run on the %s kernel "
		"and CPUs %s",
		grid->columns[like->column].name, grid->columns[cell->column].name,
		x->plan->guest || x->plan->sim || grid->slurm ? "same" : "running",
		cpus ? cpus : "");
	free(cpus);
}

/* Whether a column means other CPUs on another machine: "same-llc", but not "0-3". */
static bool is_pin_word(const struct expansion *x, size_t column)
{
	const char *pin = x->grid->columns[column].pin;
	const char *const *word = pin_words();

	while (pin && *word && strcmp(*word, pin) != 0)
		word++;
	return pin && *word;
}

/* What @cell would measure, @like does already. */
static int part_twins(struct expansion *x, struct cell *cell, const struct cell *like)
{
	struct err why = { 0 };

	if (!x->grid->allow_same)
		say_twin(x, cell, like, &why);
	if (why.code && !is_pin_word(x, cell->column))
		return at(x, &x->grid->columns[cell->column].pos, &why);
	if (why.code && mark_unfit(x, cell, &why))
		return x->err->code;
	/* Of those that are skipped no two meet. */
	cell->twin = why.code ? GRID_MAX_COLUMNS + cell->column : cell->twin + 1;
	return set_id(x, cell);
}

/*
 * Columns that are the same on purpose are cells of their own all the same. Those that
 * only this machine makes the same are skipped, whichever comes first: the one with
 * the word, so that one grid fits every machine.
 */
static int settle_twins(struct expansion *x, struct cell *cell)
{
	struct cell *row = cell - cell->column;
	size_t i = 0;

	while (i < cell->column) {
		struct cell *other = &row[i];
		bool is_other = is_pin_word(x, i) && !is_pin_word(x, cell->column) &&
				!x->grid->allow_same;

		if (strcmp(other->id, cell->id) != 0) {
			i++;
			continue;
		}
		if (is_other ? part_twins(x, other, cell) : part_twins(x, cell, other))
			return x->err->code;
		i = 0;
	}
	return 0;
}

/* The CPUs of all columns, so that their rows can be compared: one size for all. */
static int look_at_machine(struct expansion *x, const struct grid_workload *entry,
			   struct spread *ret)
{
	struct cpulist all = { 0 };
	int bad = 0;
	size_t i, j;

	for (i = 0; !bad && i < x->grid->nr_columns; i++) {
		struct cpulist cpus = { 0 };
		struct err lack;

		bad = resolve_cpus(x, i, entry, &cpus, &lack);
		for (j = 0; !bad && j < cpus.nr; j++)
			bad = cpulist_add(&all, cpus.cpu[j]) ? err_nomem(x->err) : 0;
		cpulist_release(&cpus);
	}
	ret->machine = (struct bench_machine){
		.llc_bytes_total = topo_llc_sum(x->topo, &all),
		.nr_cpus = (unsigned int)all.nr,
	};
	if (!x->plan->sim)
		(void)jval_uint(
			jval_get(jval_get(x->plan->host->facts, "memory"), "total_bytes"),
			&ret->machine.memory_bytes);
	if (!bad && (ladder_measure(x->topo, &all, &ret->ladder) ||
		     plan_sweep_init(entry, &ret->ladder, &ret->sweep)))
		bad = err_nomem(x->err);
	cpulist_release(&all);
	return bad;
}

static int add_cell(struct expansion *x, const struct cell *model, size_t column)
{
	struct plan *plan = x->plan;
	struct cell *cell = &plan->cells[plan->nr_cells];
	const struct grid_workload *entry = model->entry;

	*cell = *model;
	cell->column = column;
	plan->nr_cells++;
	if (check_means(x, cell) || find_cpus(x, cell) || identify(x, entry, cell) ||
	    check_workload(x, entry, cell))
		return x->err->code;
	return settle_twins(x, cell);
}

static int add_row(struct expansion *x, const struct grid_workload *entry,
		   const struct workload *workload, const struct bench_machine *machine)
{
	struct cell model = {
		.row = x->plan->nr_rows,
		.entry = entry,
		.workload = *workload,
	};
	size_t i;

	if (workload->ops->resolve)
		workload->ops->resolve(&model.workload, machine, &model.remark);
	for (i = 0; i < x->grid->nr_columns; i++)
		if (add_cell(x, &model, i))
			return x->err->code;
	x->plan->nr_rows++;
	return 0;
}

/* All combinations of an entry's swept values; the last parameter runs fastest. */
static int add_rows(struct expansion *x, const struct spread *spread)
{
	const struct plan_sweep *sweep = &spread->sweep;
	const struct grid_workload *entry = sweep->entry;
	const struct bench_param *param = entry->base.ops->params;
	size_t at_value[BENCH_MAX_PARAMS] = { 0 };
	size_t nr_params = 0;
	size_t i;

	while (param[nr_params].name)
		nr_params++;
	for (;;) {
		struct workload workload = entry->base;

		for (i = 0; i < nr_params; i++)
			workload.value[i] = sweep->values[i][at_value[i]];
		plan_sweep_share(sweep, &spread->ladder, &workload);
		if (add_row(x, entry, &workload, &spread->machine))
			return x->err->code;
		for (i = nr_params; i > 0; i--) {
			if (++at_value[i - 1] < sweep->nr[i - 1])
				break;
			at_value[i - 1] = 0;
		}
		if (!i)
			return 0;
	}
}

/* The grid's reader has counted what is written; this is what it comes to here. */
static int count_cells(struct expansion *x, size_t *ret)
{
	const struct grid *grid = x->grid;
	const size_t most = GRID_MAX_CELLS / grid->nr_columns;
	size_t rows = 0;
	size_t i;

	for (i = 0; i < grid->nr_workloads; i++) {
		size_t more = plan_sweep_rows(&x->spreads[i].sweep);

		if (more > most - rows)
			return err_set(
				x->err, -EINVAL,
				"%s: on this machine the grid comes to more than "
				"%zu rows of %zu columns, and at most %d cells are "
				"supported",
				grid->file, most, grid->nr_columns, GRID_MAX_CELLS);
		rows += more;
	}
	*ret = rows * grid->nr_columns;
	return 0;
}

static int spread_out(struct expansion *x)
{
	const struct grid *grid = x->grid;
	size_t i;

	x->spreads = calloc(grid->nr_workloads, sizeof(*x->spreads));
	if (!x->spreads)
		return err_nomem(x->err);
	for (i = 0; i < grid->nr_workloads; i++)
		if (look_at_machine(x, &grid->workloads[i], &x->spreads[i]))
			return x->err->code;
	return 0;
}

static int expand(struct expansion *x)
{
	const struct grid *grid = x->grid;
	size_t nr_cells = 0;
	uint64_t total;
	size_t i;

	if (!x->topo->allowed.nr)
		return err_set(x->err, -ENODEV, "no CPU is online and allowed");
	if (spread_out(x) || count_cells(x, &nr_cells))
		return x->err->code;
	total = nr_cells * (grid->iterations + grid->warmup);
	if (total > PLAN_MAX_ITERATIONS)
		return err_set(x->err, -EINVAL,
			       "%s: the grid comes to %zu cells and %ju iterations "
			       "(expected at most %d iterations)",
			       grid->file, nr_cells, (uintmax_t)total,
			       PLAN_MAX_ITERATIONS);
	x->plan->cells = calloc(nr_cells + 1, sizeof(*x->plan->cells));
	if (!x->plan->cells)
		return err_nomem(x->err);
	for (i = 0; i < grid->nr_workloads; i++)
		if (add_rows(x, &x->spreads[i]))
			return x->err->code;
	return plan_check_repeats(x->plan, x->err);
}

/* What stands for this machine and its programs where cells don't run on it. */
static int open_executor(struct expansion *x)
{
	struct plan *plan = x->plan;

	if (x->grid->sim) {
		plan->programs = calloc(1, sizeof(*plan->programs));
		if (!plan->programs || simulation_program(plan->programs))
			return err_nomem(x->err);
		plan->nr_programs = 1;
		if (simulation_open(x->grid, plan->host, &plan->sim, x->err))
			return x->err->code;
		x->topo = plan->sim->machine.topo;
	} else if (x->grid->guest) {
		if (guest_open(x->grid, &plan->guest, x->err))
			return x->err->code;
		x->topo = plan->guest->topo;
	}
	return 0;
}

int plan_build(const struct grid *grid, const struct topo *topo, const struct host *host,
	       struct plan **ret, struct err *err)
{
	struct err local = { 0 };
	struct expansion x = { grid, topo, NULL, err ? err : &local, NULL, NULL };
	size_t i;
	int bad = 0;

	x.plan = calloc(1, sizeof(*x.plan));
	if (!x.plan) {
		bad = err_nomem(err);
		goto out;
	}
	x.plan->grid = grid;
	x.plan->host = host;
	bad = open_executor(&x);
	x.plan->topo = x.topo;
	if (!bad)
		bad = find_monitors(&x);
	if (!bad)
		bad = plan_settings_lacks(grid, host, &x.lacks, x.err);
	if (!bad)
		bad = expand(&x);
	if (!bad) {
		*ret = x.plan;
		x.plan = NULL;
	}
out:
	for (i = 0; x.spreads && i < grid->nr_workloads; i++)
		plan_sweep_release(&x.spreads[i].sweep);
	free(x.spreads);
	plan_settings_free(x.lacks, grid);
	plan_free(x.plan);
	return bad;
}

static void cell_release(struct cell *cell)
{
	free(cell->id);
	free(cell->variant);
	free(cell->unfit);
	jval_free(cell->point);
	jval_free(cell->parameters);
	cpulist_release(&cell->cpus);
}

void plan_free(struct plan *plan)
{
	size_t i;

	if (!plan)
		return;
	for (i = 0; i < plan->nr_cells; i++)
		cell_release(&plan->cells[i]);
	for (i = 0; i < plan->nr_programs; i++)
		program_release(&plan->programs[i]);
	monitor_tools_release(&plan->tools);
	guest_free(plan->guest);
	simulation_free(plan->sim);
	free(plan->cells);
	free(plan->programs);
	free(plan);
}
