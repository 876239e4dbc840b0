// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads results of LKP; see import_lkp.h. They are filed as
 * result/TESTCASE/PARAMETERS/MACHINE/ROOTFS/KCONFIG/COMPILER/COMMIT/RUN, and the figures
 * of a testcase begin with its name. All others are of monitors.
 */
#include "compare/import_lkp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/import.h"
#include "compare/import_dir.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"

enum { JSON_BYTES_MAX = 256 << 20, NR_PARTS = 7 };

/** enum part - of the path below result/ */
enum part { TESTCASE, PARAMETERS, MACHINE, ROOTFS, KCONFIG, COMPILER, COMMIT };

static const char *const part_names[NR_PARTS] = {
	[PARAMETERS] = "path_params",
	[ROOTFS] = "rootfs",
	[KCONFIG] = "kconfig",
	[COMPILER] = "compiler",
};

/**
 * struct lkp - the commit being read
 * @real: its path, cut into @parts
 * @parameters: what the path says
 */
struct lkp {
	struct import *import;
	char *real;
	const char *parts[NR_PARTS];
	struct jval *parameters;
	struct err *err;
};

/* The last seven parts of the path. */
static int split_path(struct lkp *lkp, const char *path)
{
	size_t i;

	lkp->real = realpath(path, NULL);
	if (!lkp->real)
		return err_set(lkp->err, -errno, "cannot read the directory '%s': %m",
			       path);
	for (i = NR_PARTS; i-- > 0;) {
		char *end = strrchr(lkp->real, '/');

		if (!end || !end[1])
			return err_set(
				lkp->err, -EPROTO,
				"'%s' is not filed as LKP does (expected .../TESTCASE/"
				"PARAMETERS/MACHINE/ROOTFS/KCONFIG/COMPILER/COMMIT)",
				path);
		*end = '\0';
		lkp->parts[i] = end + 1;
	}
	lkp->parameters = jval_object();
	if (!lkp->parameters)
		return err_nomem(lkp->err);
	for (i = 0; i < NR_PARTS; i++)
		if (part_names[i] && jval_put(lkp->parameters, part_names[i],
					      jval_from_string(lkp->parts[i])))
			return err_nomem(lkp->err);
	return 0;
}

/* One figure; @run from 1, 0: not known. */
static int add_figure(struct lkp *lkp, const char *file, const char *stat, double figure,
		      uint64_t run)
{
	size_t len = strlen(lkp->parts[TESTCASE]);
	struct import_value value = {
		.column = lkp->parts[COMMIT],
		.workload = lkp->parts[TESTCASE],
		.variant = lkp->parts[TESTCASE],
		.machine = lkp->parts[MACHINE],
		.parameters = lkp->parameters,
		.iteration = run,
		.metric = {
			.unit = "",
			.mean = figure,
			.digits = -1,
		},
	};
	struct err why = { 0 };
	int bad;

	if (strncmp(stat, lkp->parts[TESTCASE], len) || stat[len] != '.')
		return 0;
	value.metric.name = stat + len + 1;
	value.metric.better_higher = import_guess_higher(value.workload, stat + len + 1);
	/* What time(1) says of the run, not of the work. */
	value.metric.secondary = !strncmp(value.metric.name, "time.", strlen("time."));
	bad = import_add(lkp->import, &value, &why);
	if (!bad)
		return 0;
	return err_set(lkp->err, bad == -ENOMEM ? bad : -EPROTO, "%s: %s", file,
		       why.text);
}

static int read_json(const struct lkp *lkp, const char *path, struct jval **ret)
{
	struct err why = { 0 };
	char *text = NULL;
	size_t len;
	int bad = file_read(path, JSON_BYTES_MAX, &text, &len, lkp->err);

	if (bad)
		return bad;
	bad = jval_parse(text, len, ret, &why);
	free(text);
	if (!bad && jval_is_object(*ret))
		return 0;
	if (!bad) {
		jval_free(*ret);
		*ret = NULL;
		return err_set(lkp->err, -EPROTO, "%s holds no figures by name", path);
	}
	return err_set(lkp->err, bad, "%s: %s", path, why.text);
}

static int read_stats(struct lkp *lkp, const char *path, uint64_t run)
{
	const struct jval *value;
	struct jval *json = NULL;
	const char *key;
	void *pos = NULL;
	double figure;
	int bad = read_json(lkp, path, &json);

	while (!bad && jval_each(json, &pos, &key, &value))
		if (jval_real(value, &figure))
			bad = add_figure(lkp, path, key, figure, run);
	jval_free(json);
	return bad;
}

static int read_series(struct lkp *lkp, const char *path, const char *stat,
		       const struct jval *series)
{
	size_t i;
	int bad = 0;

	for (i = 0; !bad && i < jval_count(series); i++) {
		double figure;

		/* Nobody can tell a 0 from what fills the place of a missing one. */
		if (jval_real(jval_item(series, i), &figure) && figure != 0.0)
			bad = add_figure(lkp, path, stat, figure, i + 1);
	}
	return bad;
}

static int read_matrix(struct lkp *lkp, const char *path)
{
	const struct jval *value;
	struct jval *json = NULL;
	const char *key;
	void *pos = NULL;
	int bad = read_json(lkp, path, &json);

	while (!bad && jval_each(json, &pos, &key, &value))
		if (jval_is_array(value))
			bad = read_series(lkp, path, key, value);
	jval_free(json);
	return bad;
}

static bool is_number(const char *name)
{
	return *name && name[strspn(name, "0123456789")] == '\0' && strlen(name) < 10;
}

static int read_runs(struct lkp *lkp, const char *path)
{
	struct import_dir dir;
	size_t i;
	int bad = import_dir_read(&dir, path, lkp->err);

	for (i = 0; !bad && i < dir.nr_names; i++) {
		struct err why = { 0 };
		char *stats;
		struct err *err = lkp->err;

		if (!is_number(dir.names[i]))
			continue;
		stats = file_path("%s/%s/stats.json", path, dir.names[i]);
		lkp->err = &why;
		bad = stats ? read_stats(lkp, stats, strtoull(dir.names[i], NULL, 10) + 1)
			    : err_nomem(&why);
		lkp->err = err;
		/* A run that was cut off has no figures. */
		if (bad == -ENOENT)
			bad = 0;
		else if (bad)
			err_set(err, bad, "%s", why.text);
		free(stats);
	}
	import_dir_release(&dir);
	return bad;
}

static int read_commit(struct lkp *lkp, const char *path)
{
	char *matrix = file_path("%s/matrix.json", path);
	int bad = matrix ? read_runs(lkp, path) : err_nomem(lkp->err);

	if (!bad && !import_count(lkp->import))
		bad = read_matrix(lkp, matrix);
	if (!bad && !import_count(lkp->import))
		bad = err_set(lkp->err, -EPROTO, "'%s' has no figures of '%s'", path,
			      lkp->parts[TESTCASE]);
	free(matrix);
	return bad;
}

int import_lkp(struct import *import, const char *path, struct err *err)
{
	struct err local = { 0 };
	struct lkp lkp = { .import = import, .err = err ? err : &local };
	int bad = split_path(&lkp, path);

	if (!bad)
		bad = read_commit(&lkp, path);
	jval_free(lkp.parameters);
	free(lkp.real);
	return bad;
}
