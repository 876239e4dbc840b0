// SPDX-License-Identifier: GPL-2.0-or-later
/* Expands a grid into cells and orders them; see plan.h. */
#include "runner/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/rng.h"
#include "lib/topo.h"
#include "record/cell_id.h"
#include "record/host.h"
#include "runner/pin.h"

/* struct expansion - what every step of building a plan needs */
struct expansion {
	const struct grid *grid;
	const struct topo *topo;
	struct plan *plan;
	struct jval *kernel;
	struct err *err;
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

/* Where the grid file lies, the caller's to free; NULL: no memory. */
static char *folder_of(const struct grid *grid)
{
	const char *slash = strrchr(grid->file, '/');

	if (!slash)
		return strdup(".");
	return file_path("%.*s/", (int)(slash - grid->file), grid->file);
}

static int add_program(struct expansion *x, const struct workload *workload)
{
	struct plan *plan = x->plan;
	char *folder = folder_of(x->grid);
	struct program *grown =
		reallocarray(plan->programs, plan->nr_programs + 1, sizeof(*grown));
	int bad = 0;

	if (grown)
		plan->programs = grown;
	if (!grown || !folder)
		bad = err_nomem(x->err);
	if (!bad)
		bad = program_find(workload, folder, &grown[plan->nr_programs], x->err);
	plan->nr_programs += !bad;
	free(folder);
	return bad;
}

/* What isn't installed makes the cell skipped, so that the rest can run. */
static int find_program(struct expansion *x, struct cell *cell)
{
	struct plan *plan = x->plan;
	struct err why = { 0 };

	while (cell->program < plan->nr_programs &&
	       !is_program_of(&plan->programs[cell->program], &cell->workload))
		cell->program++;
	if (cell->program == plan->nr_programs && add_program(x, &cell->workload))
		return x->err->code;
	if (plan->programs[cell->program].path)
		return 0;
	(void)program_missing(&cell->workload, &why);
	cell->unfit = strdup(why.text);
	return cell->unfit ? 0 : err_nomem(x->err);
}

/* The column's pin, the workload's, or all that this process may use. */
static int resolve_cpus(struct expansion *x, const struct grid_column *column,
			const struct grid_workload *entry, struct cpulist *ret)
{
	const char *pin = column->pin ? column->pin : entry->pin;
	const struct grid_pos *pos = column->pin ? &column->pin_pos : &entry->pin_pos;
	struct err why = { 0 };

	if (!pin)
		return cpulist_copy(&x->topo->allowed, ret) ? err_nomem(x->err) : 0;
	if (pin_resolve(pin, x->topo, ret, &why))
		return at(x, pos, &why);
	return 0;
}

/* What was in effect beside variant and parameters. */
static struct jval *settings_json(const struct cell *cell)
{
	const struct bench_ops *ops = cell->workload.ops;
	struct jval *json = jval_object();
	char *cpus = cpulist_write(&cell->cpus);
	int bad = cpus ? jval_put(json, "cpus", jval_from_string(cpus)) : -ENOMEM;

	bad |= jval_put(json, "program", jval_from_string(cell->workload.program->name));
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

		if (entry->sweep[i].is_list || is_axis)
			bad = jval_put(
				json, param[i].name,
				jval_copy(jval_get(cell->parameters, param[i].name)));
	}
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

static int identify(struct expansion *x, const struct grid_workload *entry,
		    struct cell *cell)
{
	struct jval *settings = settings_json(cell);

	cell->variant = workload_variant(&cell->workload);
	cell->parameters = workload_parameters(&cell->workload);
	cell->point = cell->parameters ? point_json(entry, cell) : NULL;
	if (settings && cell->variant && cell->point)
		cell->id = cell_id(x->kernel, settings, cell->workload.ops->name,
				   cell->variant, cell->parameters);
	jval_free(settings);
	return cell->id ? 0 : err_nomem(x->err);
}

/* Values that don't go together are the grid's fault, too few CPUs are not. */
static int check_workload(struct expansion *x, const struct grid_workload *entry,
			  struct cell *cell)
{
	const struct bench_ops *ops = cell->workload.ops;
	struct err why = { 0 };
	int bad;

	if (!ops->check)
		return 0;
	bad = ops->check(&cell->workload, (unsigned int)cell->cpus.nr, &why);
	if (!bad)
		return 0;
	if (bad != -EOPNOTSUPP)
		return at(x, &entry->pos, &why);
	free(cell->unfit);
	cell->unfit = strdup(why.text);
	return cell->unfit ? 0 : err_nomem(x->err);
}

static int refuse_twin(struct expansion *x, const struct cell *cell)
{
	const struct grid *grid = x->grid;
	const struct cell *row = cell - cell->column;
	struct err why = { 0 };
	size_t i;

	for (i = 0; i < cell->column; i++) {
		char *cpus;

		if (strcmp(row[i].id, cell->id))
			continue;
		cpus = cpulist_write(&cell->cpus);
		err_set(&why, -EINVAL,
			"columns '%s' and '%s' are the same in effect: both run on the "
			"running kernel and CPUs %s",
			grid->columns[i].name, grid->columns[cell->column].name,
			cpus ? cpus : "");
		free(cpus);
		return at(x, &grid->columns[cell->column].pos, &why);
	}
	return 0;
}

/* The CPUs of all columns, so that their rows can be compared: one size for all. */
static int look_at_machine(struct expansion *x, const struct grid_workload *entry,
			   struct bench_machine *ret)
{
	struct cpulist all = { 0 };
	int bad = 0;
	size_t i, j;

	for (i = 0; !bad && i < x->grid->nr_columns; i++) {
		struct cpulist cpus = { 0 };

		bad = resolve_cpus(x, &x->grid->columns[i], entry, &cpus);
		for (j = 0; !bad && j < cpus.nr; j++)
			bad = cpulist_add(&all, cpus.cpu[j]) ? err_nomem(x->err) : 0;
		cpulist_release(&cpus);
	}
	*ret = (struct bench_machine){
		.llc_bytes_total = topo_llc_sum(x->topo, &all),
		.nr_cpus = (unsigned int)all.nr,
	};
	(void)jval_uint(jval_get(jval_get(x->plan->host->facts, "memory"), "total_bytes"),
			&ret->memory_bytes);
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
	if (find_program(x, cell) ||
	    resolve_cpus(x, &x->grid->columns[column], entry, &cell->cpus) ||
	    identify(x, entry, cell) || check_workload(x, entry, cell))
		return x->err->code;
	return refuse_twin(x, cell);
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
static int add_rows(struct expansion *x, const struct grid_workload *entry)
{
	const struct bench_param *param = entry->base.ops->params;
	size_t at_value[BENCH_MAX_PARAMS] = { 0 };
	struct bench_machine machine = { 0 };
	size_t nr_params = 0;
	size_t i;

	if (entry->base.ops->resolve && look_at_machine(x, entry, &machine))
		return x->err->code;
	while (param[nr_params].name)
		nr_params++;
	for (;;) {
		struct workload workload = entry->base;

		for (i = 0; i < nr_params; i++)
			workload.value[i] = entry->sweep[i].values[at_value[i]];
		if (add_row(x, entry, &workload, &machine))
			return x->err->code;
		for (i = nr_params; i > 0; i--) {
			if (++at_value[i - 1] < entry->sweep[i - 1].nr)
				break;
			at_value[i - 1] = 0;
		}
		if (!i)
			return 0;
	}
}

/* The grid's reader has made sure that this is from 1 to GRID_MAX_CELLS. */
static size_t count_cells(const struct grid *grid)
{
	size_t rows = 0;
	size_t i, j;

	for (i = 0; i < grid->nr_workloads; i++) {
		const struct grid_workload *entry = &grid->workloads[i];
		size_t product = 1;

		for (j = 0; entry->base.ops->params[j].name; j++)
			product *= entry->sweep[j].nr;
		rows += product;
	}
	return rows * grid->nr_columns;
}

static int by_id(const void *a, const void *b)
{
	const struct cell *const *left = a;
	const struct cell *const *right = b;
	int order = strcmp((*left)->id, (*right)->id);

	if (order)
		return order;
	if ((*left)->column != (*right)->column)
		return (*left)->column < (*right)->column ? -1 : 1;
	return *left < *right ? -1 : *left > *right;
}

/*
 * The grid's reader has refused what is written twice. What depends on the
 * machine may still come to something that is written too.
 */
static int refuse_repeats(struct expansion *x)
{
	const struct plan *plan = x->plan;
	const struct cell **sorted = calloc(plan->nr_cells + 1, sizeof(struct cell *));
	struct err why = { 0 };
	int bad = 0;
	size_t i;

	if (!sorted)
		return err_nomem(x->err);
	for (i = 0; i < plan->nr_cells; i++)
		sorted[i] = &plan->cells[i];
	qsort(sorted, plan->nr_cells, sizeof(struct cell *), by_id);
	for (i = 1; !bad && i < plan->nr_cells; i++) {
		const struct cell *cell = sorted[i];
		char *point;

		if (strcmp(sorted[i - 1]->id, cell->id) ||
		    sorted[i - 1]->column != cell->column)
			continue;
		point = cell_point(cell);
		err_set(&why, -EINVAL,
			"two cells of %s are the same on this machine, with %s: an "
			"'auto' or a pin comes to what another one says",
			cell->variant, point ? point : "");
		bad = at(x, &cell->entry->pos, &why);
		free(point);
	}
	free(sorted);
	return bad;
}

static int expand(struct expansion *x, size_t nr_cells)
{
	const struct grid *grid = x->grid;
	uint64_t total = nr_cells * (grid->iterations + grid->warmup);
	size_t i;

	if (total > PLAN_MAX_ITERATIONS)
		return err_set(x->err, -EINVAL,
			       "%s: the grid comes to %zu cells and %ju iterations "
			       "(expected at most %d iterations)",
			       grid->file, nr_cells, (uintmax_t)total,
			       PLAN_MAX_ITERATIONS);
	if (!x->topo->allowed.nr)
		return err_set(x->err, -ENODEV, "no CPU is online and allowed");
	for (i = 0; i < grid->nr_workloads; i++)
		if (add_rows(x, &grid->workloads[i]))
			return x->err->code;
	return refuse_repeats(x);
}

int plan_build(const struct grid *grid, const struct topo *topo, const struct host *host,
	       struct plan **ret, struct err *err)
{
	struct err local = { 0 };
	struct expansion x = { grid, topo, NULL, NULL, err ? err : &local };
	size_t nr_cells = count_cells(grid);
	int bad;

	x.plan = calloc(1, sizeof(*x.plan));
	x.kernel = host_kernel(host);
	if (!x.plan || !x.kernel) {
		bad = err_nomem(err);
		goto out;
	}
	x.plan->grid = grid;
	x.plan->host = host;
	x.plan->cells = calloc(nr_cells + 1, sizeof(*x.plan->cells));
	bad = x.plan->cells ? expand(&x, nr_cells) : err_nomem(x.err);
	if (!bad) {
		*ret = x.plan;
		x.plan = NULL;
	}
out:
	plan_free(x.plan);
	jval_free(x.kernel);
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
	free(plan->cells);
	free(plan->programs);
	free(plan);
}

int plan_order(const struct plan *plan, uint64_t block, size_t *order)
{
	size_t nr_columns = plan->grid->nr_columns;
	size_t *rows = calloc(plan->nr_rows, sizeof(*rows));
	struct rng rng;
	size_t i, j;

	if (!rows)
		return -ENOMEM;
	for (i = 0; i < plan->nr_rows; i++)
		rows[i] = i;
	rng_seed(&rng, plan->grid->seed, block);
	rng_shuffle(&rng, rows, plan->nr_rows);
	for (i = 0; i < plan->nr_rows; i++) {
		for (j = 0; j < nr_columns; j++)
			order[i * nr_columns + j] = rows[i] * nr_columns + j;
		rng_shuffle(&rng, order + i * nr_columns, nr_columns);
	}
	free(rows);
	return 0;
}

int plan_command(const struct cell *cell, uint64_t iteration,
		 struct bench_command *command)
{
	int bad = workload_plan(&cell->workload, (unsigned int)iteration, command);

	if (bad)
		bench_command_release(command);
	return bad;
}

int plan_check_commands(const struct plan *plan, struct err *err)
{
	enum { SHOWN = 200 };
	struct bench_command command = { 0 };
	char text[SHOWN] = "";
	size_t len = 0;
	size_t i;

	for (i = 0; i < plan->nr_cells; i++)
		if (plan->cells[i].workload.ops->runs_command)
			break;
	if (i == plan->nr_cells)
		return 0;
	if (plan_command(&plan->cells[i], 1, &command))
		return err_nomem(err);
	for (i = 0; i < command.nr_args && len < sizeof(text); i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s",
					i ? " " : "", command.argv[i]);
	bench_command_release(&command);
	return err_set(err, -ECANCELED,
		       "the grid names commands to run, such as '%s'; look at all of "
		       "them with `schedgrid plan`, and allow them with --allow-exec",
		       text);
}

char *cell_point(const struct cell *cell)
{
	const struct jval *value;
	const char *key;
	char *text = NULL;
	void *pos = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	while (jval_each(cell->point, &pos, &key, &value)) {
		char *number = jval_write(value, JVAL_LINE);
		const char *word = jval_text(value);

		(void)fprintf(out, "%s%s=%s", ftell(out) ? " " : "", key,
			      word     ? word
			      : number ? number
				       : "");
		free(number);
	}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}
