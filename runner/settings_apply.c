// SPDX-License-Identifier: GPL-2.0-or-later
/* Switches the machine's settings between iterations; see settings_apply.h. */
#include "runner/settings_apply.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/text.h"
#include "record/host.h"
#include "runner/guard.h"
#include "runner/journal.h"
#include "runner/local.h"
#include "runner/plan.h"
#include "runner/plan_settings.h"

static bool plan_changes(const struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->grid->nr_columns; i++)
		if (settings_any(plan->grid->columns[i].settings))
			return true;
	return false;
}

/* One text of all that happened; NULL: nothing did. */
static char *note_of(const struct journal_report *report)
{
	char *text = NULL;
	size_t i;

	if (report->nr_restored)
		text = file_path("%zu settings that a run in '%s' left were put back",
				 report->nr_restored, report->run);
	for (i = 0; i < report->nr_notes; i++) {
		char *more = file_path("%s%s%s", text ? text : "", text ? "; " : "",
				       report->notes[i]);

		free(text);
		text = more;
	}
	return text;
}

int settings_open(struct local *local, struct settings_host *ret, char **ret_note,
		  struct err *err)
{
	const struct plan *plan = local->plan;
	const enum journal_use use =
		plan_changes(plan) ? JOURNAL_CHANGE : JOURNAL_MEASURE;
	struct journal_report report = { 0 };
	int bad;

	*ret_note = NULL;
	*ret = (struct settings_host){ .local = local };
	if (!plan_is_here(plan->grid))
		return 0;
	ret->place = (struct settings_place){ plan->grid->root, plan->host->release };
	if (journal_open(plan->grid->root, use, &ret->journal, err))
		return err->code;
	if (!ret->journal)
		return 0;
	bad = journal_recover(ret->journal, &report, err);
	*ret_note = note_of(&report);
	journal_report_release(&report);
	return bad;
}

/* Whether a failure is the machine's way of saying no, and not the end of the run. */
static bool is_refusal(int bad)
{
	return bad != -ENOMEM && bad != -EIO;
}

typedef int find_fn(const struct settings_place *place, const struct settings *settings,
		    struct journal_writes *writes, struct err *err);

static int find_domain(const struct settings_place *place,
		       const struct settings *settings, struct journal_writes *writes,
		       struct err *err)
{
	return settings_find_domain(place, &settings->domain, writes, err);
}

/*
 * Which CPUs there are comes first, since the kernel then builds its domains anew: where
 * their files are, and which they are, is known afterwards only.
 */
static int apply(struct settings_host *host, const struct settings *settings,
		 struct err *why)
{
	static find_fn *const steps[] = { settings_find_cpus, settings_find_knobs,
					  find_domain };
	int bad = 0;
	size_t i;

	for (i = 0; !bad && i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct journal_writes writes = { 0 };

		bad = steps[i](&host->place, settings, &writes, why);
		if (!bad)
			bad = journal_apply(host->journal, &writes, host->local->dir,
					    why);
		journal_writes_release(&writes);
	}
	return bad;
}

static int put_back(struct settings_host *host, struct err *err)
{
	host->active = NULL;
	if (host->local->guard)
		guard_forget(host->local->guard);
	return journal_restore(host->journal, err);
}

/* What every iteration begins with; it leaves nothing to put back. */
static int do_before(const struct settings_host *host, const struct settings *settings,
		     struct err *why)
{
	if (settings->sync)
		sync();
	if (!settings->drop_caches)
		return 0;
	return journal_poke(host->place.root, "/proc/sys/vm/drop_caches", "3", why);
}

static bool is_in_force(const struct settings_host *host, const struct settings *settings)
{
	char ignored[sizeof(host->changed)];

	return settings == host->active &&
	       journal_check(host->journal, ignored, sizeof(ignored));
}

static int provide(struct settings_host *host, const struct settings *settings,
		   struct err *err)
{
	struct err why = { 0 };
	int bad = 0;

	if (!is_in_force(host, settings)) {
		if (put_back(host, err))
			return err->code;
		if (!settings)
			return 0;
		bad = apply(host, settings, &why);
		host->active = settings;
	}
	if (!bad)
		bad = do_before(host, settings, &why);
	if (!bad)
		return 0;
	if (put_back(host, err))
		return err->code;
	if (!is_refusal(bad))
		return err_set(err, bad, "%s", why.text);
	(void)text_printable(why.text, host->unfit, sizeof(host->unfit));
	host->local->settings_unfit = host->unfit;
	return 0;
}

int settings_provide(struct settings_host *host, const struct cell *cell, struct err *err)
{
	const struct grid_column *column;
	const struct settings *settings;

	if (!host->journal || cell->unfit)
		return 0;
	column = &host->local->plan->grid->columns[cell->column];
	settings = settings_any(column->settings) ? column->settings : NULL;
	host->local->settings_unfit = NULL;
	return settings || host->active ? provide(host, settings, err) : 0;
}

void settings_note(struct settings_host *host, struct local_result *result)
{
	struct record *record = &result->record;

	if (!host->active || record->status == RECORD_SKIPPED ||
	    journal_check(host->journal, host->changed, sizeof(host->changed)))
		return;
	record->flags |= RECORD_SETTING_CHANGED;
	result->remarks[record->nr_remarks++] = host->changed;
	record->remarks = result->remarks;
}

int settings_close(struct settings_host *host, struct err *err)
{
	int bad = 0;

	if (!host->journal)
		return 0;
	bad = put_back(host, err);
	journal_close(host->journal);
	host->journal = NULL;
	return bad;
}
