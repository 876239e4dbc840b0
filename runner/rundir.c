// SPDX-License-Identifier: GPL-2.0-or-later
/* Making and checking a run's directory; see rundir.h. */
#include "runner/rundir.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "runner/plan.h"

enum { PLAN_BYTES_MAX = 1 << 30 };

static const char plan_schema[] = "schedgrid-plan-1";

int rundir_has_output(const char *dir, bool *ret, struct err *err)
{
	char *path = file_path("%s/raw", dir);
	struct dirent *entry;
	DIR *folder = path ? opendir(path) : NULL;
	int bad = 0;

	*ret = false;
	if (!path)
		return err_nomem(err);
	if (!folder && errno != ENOENT)
		bad = err_set(err, -errno, "cannot open the directory '%s': %m", path);
	while (folder && (entry = readdir(folder)))
		*ret |= strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
	if (folder)
		(void)closedir(folder);
	free(path);
	return bad;
}

int rundir_check(const char *dir, struct err *err)
{
	bool is_run = false;
	bool is_empty = true;
	struct dirent *entry;
	DIR *folder = opendir(dir);

	if (!folder && errno == ENOENT)
		return 0;
	if (!folder)
		return err_set(err, -errno, "cannot open the directory '%s': %m", dir);
	while ((entry = readdir(folder))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		is_empty = false;
		if (!strcmp(entry->d_name, "plan.json") ||
		    !strcmp(entry->d_name, "records.jsonl"))
			is_run = true;
	}
	(void)closedir(folder);
	if (is_empty || is_run)
		return 0;
	return err_set(err, -EEXIST,
		       "'%s' exists and is not the directory of a run (expected a new or "
		       "empty directory, or an earlier run to go on with)",
		       dir);
}

static int write_plan(const char *dir, const struct jval *plan, struct err *err)
{
	char *path = file_path("%s/plan.json", dir);
	char *text = jval_write(plan, JVAL_PRETTY);
	int bad = path && text ? file_replace(path, text, strlen(text), err)
			       : err_nomem(err);

	free(text);
	free(path);
	return bad;
}

static int write_grid(const char *dir, const struct grid *grid, struct err *err)
{
	char *path = file_path("%s/grid.yaml", dir);
	int bad = path ? file_replace(path, grid->text, grid->len, err) : err_nomem(err);

	free(path);
	return bad;
}

static int check_schema(const struct jval *plan, struct err *err)
{
	const char *schema = jval_get_text(plan, "schema");

	if (schema && !strcmp(schema, plan_schema))
		return 0;
	return err_set(err, -EPROTO, "schema '%s' is not known (expected '%s')",
		       schema ? schema : "", plan_schema);
}

/* NULL in *ret when there is no plan yet. */
static int read_plan(const char *dir, struct jval **ret, struct err *err)
{
	char *path = file_path("%s/plan.json", dir);
	struct err why = { 0 };
	char *text = NULL;
	size_t len;
	int bad;

	*ret = NULL;
	if (!path)
		return err_nomem(err);
	bad = file_read(path, PLAN_BYTES_MAX, &text, &len, &why);
	if (bad == -ENOENT) {
		bad = 0;
	} else if (bad) {
		err_set(err, bad, "%s", why.text);
	} else if (jval_parse(text, len, ret, &why) || check_schema(*ret, &why)) {
		bad = err_set(err, why.code, "%s: %s", path, why.text);
		jval_free(*ret);
		*ret = NULL;
	}
	free(text);
	free(path);
	return bad;
}

/* What of the plan must stay as it was, and what to call it. */
static const struct {
	const char *key;
	const char *what;
} kept[] = {
	{ "name", "the grid's name" },
	{ "kernel", "the running kernel" },
	{ "guest", "the guests, their boots or the version of QEMU" },
	{ "sim", "the simulated machine" },
	{ "programs", "a workload's program" },
	{ "seed", "the seed" },
	{ "iterations", "the number of iterations (to add some, use --more N)" },
	{ "until", "the precision to reach, or its limits" },
	{ "warmup", "the number of warm-ups" },
	{ "timeout_ns", "the timeout" },
	{ "quiet", "the rule of a quiet machine" },
	{ "monitors", "the monitors, or perf itself" },
	{ "columns", "the columns' names or pins" },
	{ "cells", "the workloads, their parameters or CPUs" },
};

/* Whether one of two programs just doesn't say which version it is. */
static bool is_same_program(const struct jval *was, const struct jval *is)
{
	static const char *const keys[] = { "program", "name", "path", "sha256" };
	bool is_known = jval_get(was, "version") && jval_get(is, "version");
	size_t i;

	if (is_known || !jval_get(is, "sha256"))
		return jval_equal(was, is);
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct jval *left = jval_get(was, keys[i]);
		const struct jval *right = jval_get(is, keys[i]);

		if ((left || right) && !jval_equal(left, right))
			return false;
	}
	return true;
}

/* The first program that isn't as it was: ": '/usr/bin/sysbench' (sysbench)"; or "". */
static void name_program(const struct jval *was, const struct jval *is, char *text,
			 size_t size)
{
	const char *path, *name, *word;
	size_t i = 0;

	*text = '\0';
	while (i < jval_count(is) && is_same_program(jval_item(was, i), jval_item(is, i)))
		i++;
	path = jval_get_text(jval_item(is, i), "path");
	name = jval_get_text(jval_item(is, i), "name");
	word = jval_get_text(jval_item(is, i), "program");
	if (name && word)
		(void)snprintf(text, size, ": '%s' (%s)", path ? path : name, word);
}

static bool are_same_programs(const struct jval *was, const struct jval *is)
{
	bool are = jval_count(was) == jval_count(is);
	size_t i;

	for (i = 0; are && i < jval_count(is); i++)
		are = is_same_program(jval_item(was, i), jval_item(is, i));
	return are;
}

static int compare_plans(const char *dir, const struct jval *old, const struct jval *new,
			 struct err *err)
{
	size_t i;

	for (i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		const struct jval *was = jval_get(old, kept[i].key);
		const struct jval *is = jval_get(new, kept[i].key);
		char which[512] = "";

		if (jval_equal(was, is) || (!was && !is))
			continue;
		if (!strcmp(kept[i].key, "programs") && are_same_programs(was, is))
			continue;
		if (!strcmp(kept[i].key, "programs"))
			name_program(was, is, which, sizeof(which));
		return err_set(
			err, -EEXIST,
			"'%s' holds another run: what differs is %s%s; give this one "
			"a directory of its own (-o DIR)",
			dir, kept[i].what, which);
	}
	return 0;
}

/* What earlier calls added; a wrong guess would begin a run of another length. */
static int read_more(const char *dir, const struct jval *plan, uint64_t *ret,
		     struct err *err)
{
	const struct jval *more = jval_get(plan, "more");

	*ret = 0;
	if (!more || (jval_uint(more, ret) && *ret <= PLAN_MAX_ITERATIONS))
		return 0;
	return err_set(err, -EPROTO,
		       "%s/plan.json: 'more' is damaged (expected a whole number of 0 "
		       "to %d)",
		       dir, PLAN_MAX_ITERATIONS);
}

/* What earlier calls added to single cells, into @extra, one for each of the plan's. */
static int read_extra(const char *dir, const struct jval *json, const struct plan *plan,
		      uint64_t *extra, struct err *err)
{
	const struct jval *more_of = jval_get(json, "more_of");
	size_t nr_known = 0;
	bool is_damaged = false;
	size_t i;

	for (i = 0; more_of && i < plan->nr_cells; i++) {
		const struct jval *more = jval_get(more_of, plan->cells[i].id);

		nr_known += more != NULL;
		is_damaged |= more && (!jval_uint(more, &extra[i]) ||
				       extra[i] > PLAN_MAX_ITERATIONS);
	}
	if (!more_of || (!is_damaged && nr_known == jval_count(more_of)))
		return 0;
	return err_set(err, -EPROTO,
		       "%s/plan.json: 'more_of' is damaged (expected a whole number of 0 "
		       "to %d for cells of the plan)",
		       dir, PLAN_MAX_ITERATIONS);
}

static int put_extra(struct jval *json, const struct plan *plan, const uint64_t *extra,
		     struct err *err)
{
	struct jval *more_of = jval_object();
	int bad = 0;
	size_t i;

	for (i = 0; i < plan->nr_cells; i++)
		if (extra[i])
			bad |= jval_put(more_of, plan->cells[i].id,
					jval_from_uint(extra[i]));
	if (jval_count(more_of))
		bad |= jval_put(json, "more_of", more_of);
	else
		jval_free(more_of);
	return bad ? err_nomem(err) : 0;
}

/* Iterations and warm-ups, of any cell, stay below what a plan may come to. */
static int check_total(const struct plan *plan, uint64_t most, uint64_t more,
		       struct err *err)
{
	if (plan->nr_cells * (plan->grid->warmup + most) <= PLAN_MAX_ITERATIONS)
		return 0;
	return err_set(err, -EINVAL,
		       "%ju more iterations would be too many (expected at most %d in "
		       "all)",
		       (uintmax_t)more, PLAN_MAX_ITERATIONS);
}

/*
 * struct stopped - the end that a plan notes
 * @after: iterations of each cell, those that were added later included
 * @why: lent
 */
struct stopped {
	uint64_t after;
	const char *why;
};

static int read_stopped(const char *dir, const struct jval *plan, struct stopped *ret,
			struct err *err)
{
	const struct jval *stopped = jval_get(plan, "stopped");

	*ret = (struct stopped){ 0 };
	if (!stopped)
		return 0;
	ret->why = jval_get_text(stopped, "why");
	if (ret->why && jval_uint(jval_get(stopped, "after"), &ret->after) &&
	    ret->after <= PLAN_MAX_ITERATIONS)
		return 0;
	return err_set(
		err, -EPROTO,
		"%s/plan.json: 'stopped' is damaged (expected 'after', a number of "
		"iterations, and 'why')",
		dir);
}

static int put_stopped(struct jval *json, const struct stopped *stopped, struct err *err)
{
	struct jval *object = jval_object();
	int bad = jval_put(object, "after", jval_from_uint(stopped->after));

	bad |= jval_put(object, "why", jval_from_string(stopped->why));
	bad |= jval_put(json, "stopped", object);
	return bad ? err_nomem(err) : 0;
}

/* What a plan notes of its length beside the grid's iterations. */
struct noted {
	uint64_t more;
	struct stopped stopped;
	uint64_t *extra;
};

static int read_noted(const char *dir, const struct jval *old, const struct plan *plan,
		      struct noted *ret, struct err *err)
{
	int bad = read_more(dir, old, &ret->more, err);

	if (!bad)
		bad = read_extra(dir, old, plan, ret->extra, err);
	return bad ? bad : read_stopped(dir, old, &ret->stopped, err);
}

/* A precision decides how long the run is; what is added comes behind its end. */
static int add_more(const char *dir, const struct plan *plan,
		    const struct rundir_more *more, struct noted *noted, struct err *err)
{
	size_t i;

	if (!more->nr)
		return 0;
	if (plan->grid->until.halfwidth > 0.0 && !noted->stopped.why)
		return err_set(err, -EINVAL,
			       "'until' ends the run in '%s', which it hasn't done yet; "
			       "run it without --more, or raise 'max' in a new directory",
			       dir);
	if (more->cells) {
		for (i = 0; i < plan->nr_cells; i++)
			noted->extra[i] += more->cells[i] ? more->nr : 0;
	} else if (noted->stopped.why) {
		noted->stopped.after += more->nr;
	} else {
		noted->more += more->nr;
	}
	return 0;
}

static int put_noted(struct jval *json, const struct plan *plan,
		     const struct noted *noted, struct err *err)
{
	int bad = 0;

	if (noted->stopped.why)
		bad = put_stopped(json, &noted->stopped, err);
	else if (noted->more && jval_put(json, "more", jval_from_uint(noted->more)))
		bad = err_nomem(err);
	return bad ? bad : put_extra(json, plan, noted->extra, err);
}

/* Takes over the extra of @noted. */
static int set_length(const struct plan *plan, const struct noted *noted,
		      struct rundir_length *ret, struct err *err)
{
	const struct stopped *stopped = &noted->stopped;
	char *why = stopped->why ? strdup(stopped->why) : NULL;
	uint64_t most = 0;
	size_t i;

	if (stopped->why && !why)
		return err_nomem(err);
	for (i = 0; i < plan->nr_cells; i++)
		most = noted->extra[i] > most ? noted->extra[i] : most;
	*ret = (struct rundir_length){
		.iterations = why ? stopped->after : plan->grid->iterations + noted->more,
		.extra = noted->extra,
		.is_open = plan->grid->until.halfwidth > 0.0 && !why,
		.stopped = why,
	};
	ret->most = ret->iterations + most;
	return 0;
}

void rundir_length_release(struct rundir_length *length)
{
	free(length->stopped);
	free(length->extra);
	*length = (struct rundir_length){ 0 };
}

/* Whether to write what is new, or only to look. */
enum access { LOOK, ADOPT };

/* struct step - from the plan that is there, NULL: none, to the one to be written */
struct step {
	const char *dir;
	const struct plan *plan;
	const struct rundir_more *more;
	struct jval *old, *new;
};

static int lengthen(struct step *step, struct rundir_length *ret, struct err *err)
{
	const struct plan *plan = step->plan;
	struct noted noted = {
		.extra = calloc(plan->nr_cells, sizeof(*noted.extra)),
	};
	int bad = noted.extra ? 0 : err_nomem(err);

	if (!bad && step->old)
		bad = read_noted(step->dir, step->old, plan, &noted, err);
	if (!bad)
		bad = add_more(step->dir, plan, step->more, &noted, err);
	if (!bad)
		bad = put_noted(step->new, plan, &noted, err);
	if (!bad)
		bad = set_length(plan, &noted, ret, err);
	if (bad) {
		free(noted.extra);
		return bad;
	}
	return check_total(plan, ret->most, step->more->nr, err);
}

static int write_step(const struct step *step, struct err *err)
{
	int bad = step->old ? 0 : write_grid(step->dir, step->plan->grid, err);

	if (!bad && (!step->old || step->more->nr))
		bad = write_plan(step->dir, step->new, err);
	return bad;
}

static int open_plan(struct step *step, enum access access, struct rundir_length *ret,
		     struct err *err)
{
	struct rundir_length length = { 0 };
	int bad;

	step->new = plan_json(step->plan);
	bad = step->new ? read_plan(step->dir, &step->old, err) : err_nomem(err);
	if (!bad && step->old)
		bad = compare_plans(step->dir, step->old, step->new, err);
	if (!bad)
		bad = lengthen(step, &length, err);
	if (!bad && access == ADOPT)
		bad = write_step(step, err);
	if (bad)
		rundir_length_release(&length);
	else
		*ret = length;
	jval_free(step->old);
	jval_free(step->new);
	return bad;
}

int rundir_adopt(const char *dir, const struct plan *plan, const struct rundir_more *more,
		 struct rundir_length *ret, struct err *err)
{
	struct step step = { dir, plan, more, NULL, NULL };

	return open_plan(&step, ADOPT, ret, err);
}

int rundir_check_plan(const char *dir, struct err *err)
{
	struct jval *plan;
	int bad = read_plan(dir, &plan, err);

	jval_free(plan);
	return bad;
}

int rundir_look(const char *dir, const struct plan *plan, const struct rundir_more *more,
		struct rundir_length *ret, struct err *err)
{
	struct step step = { dir, plan, more, NULL, NULL };

	return open_plan(&step, LOOK, ret, err);
}

int rundir_stop(const char *dir, const struct plan *plan, uint64_t after, const char *why,
		struct err *err)
{
	const struct stopped stopped = { after, why };
	struct jval *json = plan_json(plan);
	int bad = json ? put_stopped(json, &stopped, err) : err_nomem(err);

	if (!bad)
		bad = write_plan(dir, json, err);
	jval_free(json);
	return bad;
}
