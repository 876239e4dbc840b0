// SPDX-License-Identifier: GPL-2.0-or-later
/* Counts false alarms and measures variances; reads profiles. See profile.h. */
#include "compare/profile.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "compare/dist.h"
#include "compare/judge.h"
#include "compare/json_put.h"
#include "compare/table.h"
#include "compare/variance.h"
#include "lib/digest.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "record/host.h"

static const char schema[] = "schedgrid-profile-1";

enum { MAX_BYTES = 1 << 26, DATE_LEN = 10, OTHER = 1 };

static int put_known(struct jval *json, const char *key, const char *text)
{
	return text ? json_put_text(json, key, text) : 0;
}

static struct jval *or_nothing(struct jval *json, int bad)
{
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

struct jval *profile_machine(const struct jval *facts)
{
	static const char *const counts[] = { "cpus",  "cores",	   "llcs", "llc_bytes",
					      "nodes", "packages", NULL };
	const struct jval *topology = jval_get(facts, "topology");
	struct jval *json = jval_object();
	int bad = put_known(json, "machine", jval_get_text(facts, "machine"));
	size_t i;

	bad |= put_known(json, "cpu_model", jval_get_text(facts, "cpu_model"));
	for (i = 0; counts[i]; i++) {
		if (jval_get(topology, counts[i]))
			bad |= jval_put(json, counts[i],
					jval_copy(jval_get(topology, counts[i])));
	}
	return or_nothing(json, bad);
}

/* The machine of one boot into @ret, which stays NULL once there are several. */
static int add_machine(const struct jval *facts, struct jval **ret, bool *is_mixed,
		       struct err *err)
{
	struct jval *machine = profile_machine(facts);

	if (!machine)
		return err_nomem(err);
	if (!*ret && !*is_mixed) {
		*ret = machine;
		return 0;
	}
	if (!*ret || !jval_equal(*ret, machine)) {
		*is_mixed = true;
		jval_free(*ret);
		*ret = NULL;
	}
	jval_free(machine);
	return 0;
}

/* Boots are counted from b1 in each run. */
static int add_run(const char *dir, struct jval **ret, bool *is_mixed, struct err *err)
{
	unsigned int number = 0;
	int bad = 0;

	while (!bad) {
		struct err why = { 0 };
		struct jval *facts = NULL;
		char boot[32];

		(void)snprintf(boot, sizeof(boot), "b%u", ++number);
		bad = host_load(dir, boot, &facts, &why);
		if (!bad)
			bad = add_machine(facts, ret, is_mixed, err);
		else if (bad != -ENOENT)
			err_set(err, bad, "%s", why.text);
		jval_free(facts);
	}
	/* Numbers of unknown machines may be of any. */
	*is_mixed |= number == 1;
	return bad == -ENOENT ? 0 : bad;
}

int profile_machine_of(const char *const *dirs, size_t nr_dirs, struct jval **ret,
		       struct err *err)
{
	struct jval *machine = NULL;
	bool is_mixed = false;
	size_t i;
	int bad = 0;

	for (i = 0; !bad && i < nr_dirs; i++)
		bad = add_run(dirs[i], &machine, &is_mixed, err);
	if (bad || is_mixed) {
		jval_free(machine);
		machine = NULL;
	}
	if (!bad)
		*ret = machine;
	return bad;
}

int profile_key(const struct jval *machine, char key[PROFILE_KEY_SIZE])
{
	char *text = jval_write(machine, JVAL_CANONICAL);
	char hex[DIGEST_HEX + 1];

	if (!text)
		return -ENOMEM;
	digest_bytes(text, strlen(text), hex);
	(void)snprintf(key, PROFILE_KEY_SIZE, "%.16s", hex);
	free(text);
	return 0;
}

/*
 * struct count - what the rows come to
 * @nr_changed: called changed by the verdict
 * @cv: least and largest
 */
struct count {
	size_t nr_rows, nr_alarms, nr_changed;
	double cv[2];
};

/* Both columns are one cell twice: their variances are averaged. */
static double both(double a, double b)
{
	return sqrt((a * a + b * b) / 2.0);
}

static struct jval *row_json(const struct table_section *section,
			     const struct table_row *row, const struct comparison *c,
			     bool is_alarm, struct count *count)
{
	struct variance a, b;
	struct jval *json;
	double cv;
	int bad;

	if (variance_of(&row->cells[0], &a) || variance_of(&row->cells[OTHER], &b))
		return NULL;
	json = jval_object();
	cv = both(a.cv, b.cv);
	count->cv[0] = fmin(count->cv[0], cv);
	count->cv[1] = fmax(count->cv[1], cv);
	bad = put_known(json, "workload", section->workload);
	bad |= put_known(json, "variant", section->variant);
	if (row->point->values)
		bad |= jval_put(json, "point", jval_copy(row->point->values));
	bad |= put_known(json, "metric", row->metric->name);
	bad |= json_put_uint(json, "n", a.nr_runs + b.nr_runs);
	bad |= json_put_uint(json, "boots", a.nr_boots);
	bad |= json_put_real(json, "cv", cv);
	bad |= json_put_real(json, "run_cv", both(a.run_cv, b.run_cv));
	bad |= json_put_real(json, "boot_cv", both(a.boot_cv, b.boot_cv));
	bad |= json_put_real(json, "p", c->p);
	bad |= jval_put(json, "alarm", jval_from_bool(is_alarm));
	return or_nothing(json, bad);
}

static int add_row(const struct table *table, const struct table_section *section,
		   const struct table_row *row, struct count *count, struct jval *rows)
{
	const struct judged_row *judged = judgement_row(table, section, row);
	const struct comparison *c = judged ? &judged->against[OTHER] : NULL;
	bool is_alarm;

	if (row->metric->secondary || !c || c->verdict == VERDICT_NONE || isnan(c->p))
		return 0;
	is_alarm = c->p <= table->judgement->rule.alpha;
	count->nr_rows++;
	count->nr_alarms += is_alarm;
	count->nr_changed += c->verdict == VERDICT_BETTER || c->verdict == VERDICT_WORSE;
	return jval_push(rows, row_json(section, row, c, is_alarm, count));
}

/* The most alarms that are no surprise. */
static size_t allowed(size_t nr_rows, double alpha)
{
	size_t k = 0;

	while (k < nr_rows && dist_binomial_cdf(k, nr_rows, alpha) < 0.975)
		k++;
	return k;
}

/* The interval of the share of alarms, by Clopper and Pearson. */
static int put_rate(struct jval *json, const struct count *count)
{
	double k = (double)count->nr_alarms;
	double n = (double)count->nr_rows;
	const double ci95[] = {
		k > 0.0 ? dist_beta_quantile(0.025, k, n - k + 1.0) : 0.0,
		k < n ? dist_beta_quantile(0.975, k + 1.0, n - k) : 1.0,
	};

	return json_put_interval(json, "rate_ci95", ci95);
}

static struct jval *profile_json(const struct profile_origin *origin,
				 const struct count *count, double alpha,
				 struct jval *rows)
{
	struct jval *json = jval_object();
	int bad = put_known(json, "schema", schema);

	bad |= put_known(json, "version", origin->version);
	bad |= put_known(json, "date", origin->date);
	bad |= jval_put(json, "machine", jval_copy(origin->machine));
	bad |= put_known(json, "kernel", origin->kernel);
	bad |= put_known(json, "grid", origin->grid);
	bad |= json_put_real(json, "alpha", alpha);
	bad |= json_put_uint(json, "rows", count->nr_rows);
	bad |= json_put_uint(json, "alarms", count->nr_alarms);
	bad |= json_put_uint(json, "allowed", allowed(count->nr_rows, alpha));
	bad |= put_rate(json, count);
	bad |= json_put_uint(json, "changed", count->nr_changed);
	bad |= json_put_interval(json, "cv", count->cv);
	bad |= jval_put(json, "cells", rows);
	return or_nothing(json, bad);
}

int profile_new(const struct table *table, const struct profile_origin *origin,
		struct jval **ret, struct err *err)
{
	struct count count = { .cv = { (double)NAN, (double)NAN } };
	struct jval *rows = jval_array();
	struct jval *json;
	size_t nr = table->nr_columns > OTHER ? table->nr_sections : 0;
	int bad = rows ? 0 : -ENOMEM;
	size_t i, j;

	for (i = 0; !bad && i < nr; i++) {
		const struct table_section *section = &table->sections[i];

		for (j = 0; !bad && j < section->nr_rows; j++)
			bad = add_row(table, section, &section->rows[j], &count, rows);
	}
	if (!bad && !count.nr_rows)
		bad = -EINVAL;
	if (bad) {
		jval_free(rows);
		return bad == -EINVAL
			       ? err_set(err, bad,
					 "no row has two runs a side with numbers to compare")
			       : err_nomem(err);
	}
	json = profile_json(origin, &count, table->judgement->rule.alpha, rows);
	if (!json)
		return err_nomem(err);
	*ret = json;
	return 0;
}

/* Whether all that profile_line() reads is there. */
static bool is_whole(const struct jval *profile)
{
	const char *date = jval_get_text(profile, "date");
	uint64_t number;

	return date && strlen(date) >= DATE_LEN &&
	       jval_is_object(jval_get(profile, "machine")) &&
	       jval_uint(jval_get(profile, "rows"), &number) &&
	       jval_uint(jval_get(profile, "alarms"), &number) &&
	       jval_uint(jval_get(profile, "allowed"), &number);
}

int profile_load(const char *path, struct jval **ret, struct err *err)
{
	struct err why = { 0 };
	struct jval *json = NULL;
	const char *found;
	char *text = NULL;
	size_t len;
	int bad = file_read(path, MAX_BYTES, &text, &len, err);

	if (bad)
		return bad;
	if (jval_parse(text, len, &json, &why))
		bad = err_set(err, why.code, "%s: %s", path, why.text);
	free(text);
	if (bad)
		return bad;
	found = jval_get_text(json, "schema");
	if (!found || strcmp(found, schema) != 0)
		bad = err_set(err, -EPROTO,
			      "%s: schema '%s' is not known (expected '%s')", path,
			      found ? found : "", schema);
	else if (!is_whole(json))
		bad = err_set(err, -EPROTO,
			      "%s: damaged (expected the date, machine, rows and alarms "
			      "that `schedgrid calibrate` writes)",
			      path);
	if (bad)
		jval_free(json);
	else
		*ret = json;
	return bad;
}

bool profile_is_of(const struct jval *profile, const struct jval *machine)
{
	return jval_equal(jval_get(profile, "machine"), machine);
}

/* ", CV 0.8..6.2%"; empty where it isn't known. */
static void cv_text(const struct jval *cv, char *text, size_t size)
{
	double low, high;

	*text = '\0';
	if (!jval_real(jval_item(cv, 0), &low) || !jval_real(jval_item(cv, 1), &high))
		return;
	if (high - low < 0.0005)
		(void)snprintf(text, size, ", CV %.1f%%", 100.0 * high);
	else
		(void)snprintf(text, size, ", CV %.1f..%.1f%%", 100.0 * low,
			       100.0 * high);
}

char *profile_line(const struct jval *profile)
{
	uint64_t rows = 0;
	uint64_t alarms = 0;
	uint64_t most = 0;
	char range[64] = "";
	char surprise[64] = "";

	(void)jval_uint(jval_get(profile, "rows"), &rows);
	(void)jval_uint(jval_get(profile, "alarms"), &alarms);
	(void)jval_uint(jval_get(profile, "allowed"), &most);
	cv_text(jval_get(profile, "cv"), range, sizeof(range));
	if (alarms > most)
		(void)snprintf(surprise, sizeof(surprise), " (at most %ju expected)",
			       (uintmax_t)most);
	return file_path("machine profile of %.10s: %ju false alarm%s in %ju row%s%s%s",
			 jval_get_text(profile, "date"), (uintmax_t)alarms,
			 alarms == 1 ? "" : "s", (uintmax_t)rows, rows == 1 ? "" : "s",
			 surprise, range);
}
