// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads a grid file: its general keys here, columns and workloads in files of
 * their own. Keys that the format has but nothing acts on yet are refused as
 * such, so that no grid runs with a part of it ignored.
 */
#include "runner/grid.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/text.h"
#include "runner/grid_read.h"
#include "runner/slurm_spec.h"
#include "runner/guard.h"
#include "runner/settings.h"
#include "runner/sim_machine.h"

enum { MAX_WARMUP = 100, MAX_BOOTS = 100000 };

static int read_schema(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	static const char known[] = "schedgrid-grid-1";

	(void)target;
	if (node->kind != YAML_SCALAR || yaml_is_nothing(node))
		return grid_refuse_kind(in, node, known);
	if (strcmp(node->text, known) != 0)
		return grid_refuse(in, node, "unknown schema '%.100s'; expected %s",
				   node->text, known);
	return 0;
}

static int read_name(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	struct grid *grid = target;

	return grid_read_text(in, node, "a name", GRID_MAX_NAME, &grid->name);
}

static int read_seed(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	struct grid *grid = target;

	return grid_read_uint(in, node, "seed", 0, INT64_MAX, &grid->seed);
}

static int read_type(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	static const char *const planned[] = { "reboot", NULL };
	static const char *const types[] = { "local", "guest", "sim", "slurm", NULL };
	size_t i;

	(void)target;
	if (node->kind != YAML_SCALAR || yaml_is_nothing(node))
		return grid_refuse_kind(in, node, "the word local, guest, sim or slurm");
	for (i = 0; planned[i]; i++) {
		if (!strcmp(node->text, planned[i]))
			return grid_refuse(in, node,
					   "executor type '%s' is not supported yet; "
					   "expected local, guest, sim or slurm",
					   planned[i]);
	}
	for (i = 0; types[i]; i++)
		if (!strcmp(node->text, types[i]))
			return 0;
	return grid_refuse_name(in, node, "executor type", "", types);
}

static int read_executor(const struct grid_in *in, const struct yaml_node *node,
			 void *target)
{
	static const struct grid_key keys[] = {
		{ "type", read_type, true }, { "topology", NULL, false },
		{ "accel", NULL, false },    { "machine", NULL, false },
		{ "mode", NULL, false },     { "partition", NULL, false },
		{ "nodes", NULL, false },    { "feature", NULL, false },
		{ NULL, NULL, false },
	};
	static const struct grid_mapping mapping = { "'executor'", "{type: local}",
						     keys };
	const struct yaml_node *type = yaml_find(node, "type");

	/* Its other keys belong to a type, so the type is what to speak of first. */
	if (type && read_type(in, type, target))
		return in->err->code;
	if (type && !strcmp(type->text, "guest"))
		return grid_read_guest(in, node, target);
	if (type && !strcmp(type->text, "sim"))
		return grid_read_sim(in, node, target);
	if (type && !strcmp(type->text, "slurm"))
		return grid_read_slurm(in, node, target);
	return grid_read_mapping(in, node, &mapping, target);
}

static int read_iterations(const struct grid_in *in, const struct yaml_node *node,
			   void *target)
{
	struct grid *grid = target;

	return grid_read_uint(in, node, "iterations", 1, GRID_MAX_ITERATIONS,
			      &grid->iterations);
}

static int read_warmup(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	struct grid *grid = target;

	return grid_read_uint(in, node, "warmup", 0, MAX_WARMUP, &grid->warmup);
}

static int read_order(const struct grid_in *in, const struct yaml_node *node,
		      void *target)
{
	(void)target;
	if (node->kind != YAML_SCALAR || yaml_is_nothing(node))
		return grid_refuse_kind(in, node, "the word interleaved");
	if (strcmp(node->text, "interleaved") != 0)
		return grid_refuse(
			in, node, "order '%.100s' is not supported; expected interleaved",
			node->text);
	return 0;
}

static int read_boots(const struct grid_in *in, const struct yaml_node *node,
		      void *target)
{
	struct grid *grid = target;

	return grid_read_uint(in, node, "boots", 1, MAX_BOOTS, &grid->boots);
}

static int read_repeat(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	static const struct grid_key keys[] = {
		{ "iterations", read_iterations, false },
		{ "warmup", read_warmup, false },
		{ "order", read_order, false },
		{ "boots", read_boots, false },
		{ "until", grid_read_until, false },
		{ NULL, NULL, false },
	};
	static const struct grid_mapping mapping = { "'repeat'", "{iterations: 10}",
						     keys };
	const struct yaml_node *until = yaml_find(node, "until");

	if (until && yaml_find(node, "iterations"))
		return grid_refuse(
			in, until,
			"'iterations' and 'until' are both given; expected "
			"one of them ('max' in 'until' is the most iterations)");
	return grid_read_mapping(in, node, &mapping, target);
}

static int read_timeout(const struct grid_in *in, const struct yaml_node *node,
			void *target)
{
	struct grid *grid = target;
	struct err duration = { 0 };

	if (node->kind != YAML_SCALAR || yaml_is_nothing(node))
		return grid_refuse_kind(in, node, "a duration such as 300s");
	if (text_duration(node->text, &grid->timeout_ns, &duration))
		return grid_refuse(in, node, "timeout: %s", duration.text);
	return 0;
}

static bool is_before(const struct grid_pos *a, const struct grid_pos *b)
{
	return a->line < b->line || (a->line == b->line && a->column < b->column);
}

static int check_pins(const struct grid_in *in, const struct grid *grid)
{
	const struct grid_pos *a = NULL;
	const struct grid_pos *b = NULL;
	size_t i;

	for (i = 0; i < grid->nr_columns && !a; i++) {
		if (grid->columns[i].pin)
			a = &grid->columns[i].pin_pos;
	}
	for (i = 0; i < grid->nr_workloads && !b; i++) {
		if (grid->workloads[i].pin)
			b = &grid->workloads[i].pin_pos;
	}
	if (!a || !b)
		return 0;
	if (is_before(b, a)) {
		const struct grid_pos *first = b;

		b = a;
		a = first;
	}
	return yaml_refuse(in->doc, (struct yaml_pos){ b->line, b->column }, in->err,
			   "'pin' is given here and at %u:%u; pin either columns or "
			   "workloads, never both",
			   a->line, a->column);
}

/* A ratio has two sides. */
static int check_until(const struct grid_in *in, const struct grid *grid,
		       const struct yaml_node *root)
{
	if (!(grid->until.halfwidth > 0.0) || (grid->nr_columns > 1 && !grid->guest))
		return 0;
	if (grid->guest)
		return grid_refuse(in, yaml_find(yaml_find(root, "repeat"), "until"),
				   "'until' is not supported in guests yet; expected "
				   "'iterations'");
	return grid_refuse(in, yaml_find(yaml_find(root, "repeat"), "until"),
			   "'until' waits for the ratio of two columns, and the grid has "
			   "one; expected a second column, or 'iterations'");
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static int check_cells(const struct grid_in *in, const struct grid *grid,
		       const struct yaml_node *root)
{
	uint64_t points = 0;
	uint64_t cells;
	size_t i, j;

	for (i = 0; i < grid->nr_workloads; i++) {
		const struct bench_param *params = grid->workloads[i].base.ops->params;
		uint64_t product = 1;

		for (j = 0; params[j].name; j++)
			product = multiply(product, grid->workloads[i].sweep[j].nr);
		if (__builtin_add_overflow(points, product, &points))
			points = UINT64_MAX;
	}
	cells = multiply(points, grid->nr_columns);
	if (cells <= GRID_MAX_CELLS)
		return 0;
	return grid_refuse(
		in, yaml_find(root, "workloads"),
		"%zu columns times %ju points make %s%ju cells, and at most %d are "
		"supported",
		grid->nr_columns, (uintmax_t)points,
		cells == UINT64_MAX ? "more than " : "", (uintmax_t)cells,
		GRID_MAX_CELLS);
}

static int read_grid(const struct grid_in *in, const struct yaml_node *root,
		     struct grid *grid)
{
	static const struct grid_key keys[] = {
		{ "schema", read_schema, true },
		{ "name", read_name, true },
		{ "seed", read_seed, false },
		{ "executor", read_executor, false },
		{ "repeat", read_repeat, false },
		{ "timeout", read_timeout, false },
		{ "quiet", grid_read_quiet, false },
		{ "monitors", grid_read_monitors, false },
		{ "columns", grid_read_columns, true },
		{ "workloads", grid_read_workloads, true },
		{ NULL, NULL, false },
	};
	static const struct grid_mapping mapping = {
		"the grid", "'schema: schedgrid-grid-1' and so on", keys
	};
	const struct yaml_node *schema = yaml_find(root, "schema");
	int ret;

	/* A file of another version may well have keys that this one hasn't. */
	if (schema && read_schema(in, schema, grid))
		return in->err->code;
	ret = grid_read_mapping(in, root, &mapping, grid);
	if (!ret)
		ret = grid_finish_guest(in, root, grid);
	if (!ret)
		ret = grid_finish_slurm(in, root, grid);
	if (!ret)
		ret = check_pins(in, grid);
	if (!ret)
		ret = check_until(in, grid, root);
	if (!ret)
		ret = check_cells(in, grid, root);
	if (!ret)
		ret = grid_check_rows(in, grid, yaml_find(root, "workloads"));
	return ret;
}

static struct grid *grid_new(const char *path)
{
	struct grid *grid = calloc(1, sizeof(*grid));

	if (!grid)
		return NULL;
	grid->root = "";
	grid->boots = 1;
	grid->iterations = 10;
	grid->warmup = 1;
	grid->quiet.max_foreign = GUARD_MAX_FOREIGN;
	grid->timeout_ns = 300 * UINT64_C(1000000000);
	grid->file = strdup(path);
	if (grid->file)
		return grid;
	grid_free(grid);
	return NULL;
}

static int parse_grid(struct grid *grid, struct err *err)
{
	const struct yaml_source source = { grid->file, "grid", grid->text, grid->len };
	struct yaml_doc *doc = NULL;
	int ret = yaml_doc_parse(&source, &doc, err);

	if (!ret) {
		const struct grid_in in = { doc, err };

		ret = read_grid(&in, yaml_doc_root(doc), grid);
	}
	yaml_doc_free(doc);
	return ret;
}

int grid_load(const char *path, struct grid **ret, struct err *err)
{
	struct err failure = { 0 };
	struct grid *grid = grid_new(path);
	int code;

	if (!grid)
		return err_nomem(err);
	code = file_read_stream(path, YAML_MAX_BYTES, &grid->text, &grid->len, &failure);
	if (code == -EFBIG) {
		failure.code = 0;
		code = err_set(&failure, -EINVAL,
			       "%s:1:1: more than %d bytes; this can't be a grid", path,
			       YAML_MAX_BYTES);
	}
	if (!code)
		code = parse_grid(grid, &failure);
	if (!code) {
		*ret = grid;
		return 0;
	}
	err_set(err, code, "%s", failure.text);
	grid_free(grid);
	return code;
}

char *grid_folder(const struct grid *grid)
{
	const char *slash = strrchr(grid->file, '/');

	if (!slash)
		return strdup(".");
	return file_path("%.*s/", (int)(slash - grid->file), grid->file);
}

static void release_columns(struct grid *grid)
{
	size_t i;

	for (i = 0; i < grid->nr_columns; i++) {
		free(grid->columns[i].name);
		free(grid->columns[i].pin);
		free(grid->columns[i].image);
		free(grid->columns[i].cmdline);
		free(grid->columns[i].policy);
		free(grid->columns[i].release);
		free(grid->columns[i].build_id);
		free(grid->columns[i].feature);
		settings_free(grid->columns[i].settings);
	}
	free(grid->columns);
	grid->columns = NULL;
	grid->nr_columns = 0;
}

static int copy_text(const char *text, char **ret)
{
	*ret = text ? strdup(text) : NULL;
	return text && !*ret ? -ENOMEM : 0;
}

/* Shares no text with @from, also where memory ran out half-way. */
static int copy_column(const struct grid_column *from, const char *name,
		       struct grid_column *ret)
{
	int bad;

	*ret = *from;
	ret->settings = settings_share(from->settings);
	bad = copy_text(name, &ret->name);
	bad |= copy_text(from->pin, &ret->pin);
	bad |= copy_text(from->image, &ret->image);
	bad |= copy_text(from->cmdline, &ret->cmdline);
	bad |= copy_text(from->release, &ret->release);
	bad |= copy_text(from->build_id, &ret->build_id);
	bad |= copy_text(from->feature, &ret->feature);
	return bad | copy_text(from->policy, &ret->policy);
}

int grid_make_same(struct grid *grid)
{
	static const char *const names[] = { "A", "B" };
	enum { SIDES = 2 };
	struct grid_column *columns = calloc(SIDES, sizeof(*columns));
	int bad = columns ? 0 : -ENOMEM;
	size_t i;

	for (i = 0; !bad && i < SIDES; i++)
		bad = copy_column(&grid->columns[0], names[i], &columns[i]);
	if (!columns)
		return bad;
	release_columns(grid);
	grid->columns = columns;
	grid->nr_columns = SIDES;
	grid->allow_same = true;
	return bad;
}

void grid_free(struct grid *grid)
{
	size_t i;

	if (!grid)
		return;
	for (i = 0; i < grid->nr_workloads; i++)
		grid_workload_release(&grid->workloads[i]);
	monitors_release(&grid->monitors);
	free(grid->guest);
	sim_spec_free(grid->sim);
	slurm_spec_free(grid->slurm);
	release_columns(grid);
	free(grid->workloads);
	free(grid->name);
	free(grid->text);
	free(grid->file);
	free(grid);
}
