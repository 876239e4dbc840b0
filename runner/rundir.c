// SPDX-License-Identifier: GPL-2.0-or-later
/* Making and checking a run's directory; see rundir.h. */
#include "runner/rundir.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "runner/plan.h"

enum { PLAN_BYTES_MAX = 1 << 30 };

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
	} else if (jval_parse(text, len, ret, &why)) {
		bad = err_set(err, why.code, "%s: %s", path, why.text);
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
	{ "schema", "the plan's schema" },
	{ "name", "the grid's name" },
	{ "kernel", "the running kernel" },
	{ "guest", "the guests, their boots or the version of QEMU" },
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

static int compare_plans(const char *dir, const struct jval *old, const struct jval *new,
			 struct err *err)
{
	size_t i;

	for (i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		const struct jval *was = jval_get(old, kept[i].key);
		const struct jval *is = jval_get(new, kept[i].key);

		if (jval_equal(was, is) || (!was && !is))
			continue;
		return err_set(
			err, -EEXIST,
			"'%s' holds another run: what differs is %s; give this one "
			"a directory of its own (-o DIR)",
			dir, kept[i].what);
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

/* What was added to the iterations of the grid, in all. */
static int put_more(struct jval *json, const struct plan *plan, uint64_t more,
		    struct err *err)
{
	uint64_t each = plan->grid->iterations + plan->grid->warmup + more;

	if (plan->nr_cells * each > PLAN_MAX_ITERATIONS)
		return err_set(err, -EINVAL,
			       "%ju more iterations would be too many (expected at most "
			       "%d in all)",
			       (uintmax_t)more, PLAN_MAX_ITERATIONS);
	if (more && jval_put(json, "more", jval_from_uint(more)))
		return err_nomem(err);
	return 0;
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

/* A precision decides how long the run is; what is added comes behind its end. */
static int add_to_stopped(const char *dir, struct jval *new, const struct plan *plan,
			  uint64_t more, struct stopped *stopped, struct err *err)
{
	uint64_t each = plan->grid->warmup + stopped->after + more;

	if (more && !stopped->why)
		return err_set(err, -EINVAL,
			       "'until' ends the run in '%s', which it hasn't done yet; "
			       "run it without --more, or raise 'max' in a new directory",
			       dir);
	if (plan->nr_cells * each > PLAN_MAX_ITERATIONS)
		return err_set(err, -EINVAL,
			       "%ju more iterations would be too many (expected at most "
			       "%d in all)",
			       (uintmax_t)more, PLAN_MAX_ITERATIONS);
	stopped->after += more;
	return stopped->why ? put_stopped(new, stopped, err) : 0;
}

static int set_length(const struct plan *plan, const struct stopped *stopped,
		      uint64_t added, struct rundir_length *ret, struct err *err)
{
	char *why = stopped->why ? strdup(stopped->why) : NULL;

	if (stopped->why && !why)
		return err_nomem(err);
	*ret = (struct rundir_length){
		.iterations = why ? stopped->after : plan->grid->iterations + added,
		.is_open = plan->grid->until.halfwidth > 0.0 && !why,
		.stopped = why,
	};
	return 0;
}

/* Whether to write what is new, or only to look. */
enum access { LOOK, ADOPT };

static int open_plan(const char *dir, const struct plan *plan, uint64_t more,
		     enum access access, struct rundir_length *ret, struct err *err)
{
	struct jval *new = plan_json(plan);
	struct stopped stopped = { 0 };
	struct jval *old = NULL;
	uint64_t added = 0;
	int bad = new ? read_plan(dir, &old, err) : err_nomem(err);

	if (!bad && old) {
		bad = compare_plans(dir, old, new, err);
		if (!bad)
			bad = read_more(dir, old, &added, err);
		if (!bad)
			bad = read_stopped(dir, old, &stopped, err);
	} else if (!bad && access == ADOPT) {
		bad = write_grid(dir, plan->grid, err);
	}
	if (!bad && plan->grid->until.halfwidth > 0.0)
		bad = add_to_stopped(dir, new, plan, more, &stopped, err);
	else if (!bad)
		bad = put_more(new, plan, added + more, err);
	if (!bad && access == ADOPT && (!old || more))
		bad = write_plan(dir, new, err);
	if (!bad)
		bad = set_length(plan, &stopped, added + more, ret, err);
	jval_free(old);
	jval_free(new);
	return bad;
}

int rundir_adopt(const char *dir, const struct plan *plan, uint64_t more,
		 struct rundir_length *ret, struct err *err)
{
	return open_plan(dir, plan, more, ADOPT, ret, err);
}

int rundir_look(const char *dir, const struct plan *plan, uint64_t more,
		struct rundir_length *ret, struct err *err)
{
	return open_plan(dir, plan, more, LOOK, ret, err);
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
