// SPDX-License-Identifier: GPL-2.0-or-later
/* Means of recorded durations; see estimate.h. */
#include "runner/estimate.h"

#include <dirent.h>
#include <errno.h>
#include <search.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/file.h"
#include "record/ledger.h"
#include "record/record.h"
#include "runner/plan.h"
#include "runner/run.h"

/* Output of this many iterations tells how large one is. */
enum { MOST_MEASURED = 1000 };

/* struct tally - durations of one cell or variant */
struct tally {
	double sum_ns;
	uint64_t nr;
};

/**
 * struct history - what earlier runs tell of a plan
 * @cells: as the plan's
 * @variants: of the first cell of each variant
 * @by_cell: index of a cell by its id
 * @by_variant: index of the first cell of a variant by its name
 * @dir: that is being read
 * @nr_lines: records read, of any cell
 * @nr_measured: iterations behind @raw_bytes
 */
struct history {
	const struct plan *plan;
	struct tally *cells, *variants;
	struct hsearch_data by_cell, by_variant;
	const char *dir;
	uint64_t nr_lines, ledger_bytes, nr_measured, raw_bytes, nr_records;
};

static struct tally *find(struct hsearch_data *table, struct tally *tallies,
			  const char *key)
{
	ENTRY wanted = { .key = (char *)(uintptr_t)key };
	ENTRY *found;

	return hsearch_r(wanted, FIND, &found, table) ? &tallies[(uintptr_t)found->data]
						      : NULL;
}

static int index_cells(struct history *history)
{
	const struct plan *plan = history->plan;
	ENTRY *slot;
	size_t i;

	for (i = 0; i < plan->nr_cells; i++) {
		void *data = (void *)(uintptr_t)i;
		ENTRY cell = { plan->cells[i].id, data };
		ENTRY variant = { plan->cells[i].variant, data };

		/* A variant that is there keeps its first cell. */
		if (!hsearch_r(cell, ENTER, &slot, &history->by_cell) ||
		    !hsearch_r(variant, ENTER, &slot, &history->by_variant))
			return -ENOMEM;
	}
	return 0;
}

static uint64_t bytes_on_disk(const char *path)
{
	enum { BLOCK = 512 };
	struct stat info;

	return stat(path, &info) ? 0 : (uint64_t)info.st_blocks * BLOCK;
}

static void measure_raw(struct history *history, const struct record *record)
{
	static const char *const names[] = { "", "/stdout", "/stderr" };
	size_t i;

	if (history->nr_measured == MOST_MEASURED || !record->boot)
		return;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *path =
			file_path("%s/raw/%s/%s-%c%ju-a%ju%s", history->dir, record->cell,
				  record->boot, record->flags & RECORD_WARMUP ? 'w' : 'i',
				  (uintmax_t)record->iteration,
				  (uintmax_t)record->attempt, names[i]);

		history->raw_bytes += path ? bytes_on_disk(path) : 0;
		free(path);
	}
	history->nr_measured++;
}

static void add(struct tally *tally, const struct record *record)
{
	tally->sum_ns += (double)record->wall_ns;
	tally->nr++;
}

static int take_record(const struct record *record, void *data, struct err *err)
{
	struct history *history = data;
	struct tally *cell = find(&history->by_cell, history->cells, record->cell);
	struct tally *variant =
		find(&history->by_variant, history->variants, record->variant);

	(void)err;
	history->nr_lines++;
	if (record->status != RECORD_OK || !record->wall_ns || (!cell && !variant))
		return 0;
	history->nr_records++;
	if (cell)
		add(cell, record);
	if (variant)
		add(variant, record);
	measure_raw(history, record);
	return 0;
}

static int read_run(struct history *history, const char *dir, struct err *err)
{
	char *path = file_path("%s/records.jsonl", dir);
	struct stat info;
	int bad = path ? 0 : err_nomem(err);

	history->dir = dir;
	/* A run that hasn't begun knows nothing, which is no error. */
	if (!bad && !stat(path, &info)) {
		history->ledger_bytes += (uint64_t)info.st_size;
		bad = ledger_read(dir, take_record, history, NULL, err);
	}
	free(path);
	return bad;
}

static bool knows_all(const struct history *history)
{
	size_t i;

	for (i = 0; i < history->plan->nr_cells; i++)
		if (!history->plan->cells[i].unfit && !history->cells[i].nr)
			return false;
	return true;
}

/* Every run in @results but @known. */
static int read_others(struct history *history, const char *results, const char *known)
{
	struct dirent *entry;
	DIR *folder = opendir(results);
	int bad = 0;

	while (folder && bad != -ENOMEM && (entry = readdir(folder))) {
		char *dir = *entry->d_name == '.'
				    ? NULL
				    : file_path("%s/%s", results, entry->d_name);

		bad = dir && strcmp(dir, known) ? read_run(history, dir, NULL) : 0;
		free(dir);
	}
	if (folder)
		(void)closedir(folder);
	return bad == -ENOMEM ? bad : 0;
}

static void conclude(struct history *history, struct estimate *ret)
{
	const struct plan *plan = history->plan;
	uint64_t each = plan->grid->warmup + plan->grid->iterations;
	double wall_ns = 0.0;
	double line = 0.0;
	size_t i;

	*ret = (struct estimate){ .nr_records = history->nr_records };
	for (i = 0; i < plan->nr_cells; i++) {
		const struct cell *cell = &plan->cells[i];
		const struct tally *tally = &history->cells[i];

		if (cell->unfit)
			continue;
		if (!tally->nr)
			tally = find(&history->by_variant, history->variants,
				     cell->variant);
		if (!tally || !tally->nr) {
			ret->nr_unknown++;
			continue;
		}
		wall_ns += tally->sum_ns / (double)tally->nr * (double)each;
		ret->nr_iterations += each;
	}
	if (history->nr_lines)
		line = (double)history->ledger_bytes / (double)history->nr_lines;
	if (history->nr_measured)
		line += (double)history->raw_bytes / (double)history->nr_measured;
	ret->wall_ns = (uint64_t)wall_ns;
	ret->disk_bytes = (uint64_t)(line * (double)ret->nr_iterations);
}

static int read_all(struct history *history, const char *dir, const char *results,
		    struct err *err)
{
	char *own = dir ? strdup(dir) : run_default_dir(history->plan);
	int bad = own ? read_run(history, own, err) : err_nomem(err);

	if (!bad && !dir && !knows_all(history) && read_others(history, results, own))
		bad = err_nomem(err);
	free(own);
	return bad;
}

int estimate_plan(const struct plan *plan, const char *dir, const char *results,
		  struct estimate *ret, struct err *err)
{
	struct history history = { .plan = plan };
	int bad = 0;

	history.cells = calloc(plan->nr_cells + 1, sizeof(*history.cells));
	history.variants = calloc(plan->nr_cells + 1, sizeof(*history.variants));
	if (!history.cells || !history.variants ||
	    !hcreate_r(2 * plan->nr_cells + 1, &history.by_cell) ||
	    !hcreate_r(2 * plan->nr_cells + 1, &history.by_variant) ||
	    index_cells(&history))
		bad = err_nomem(err);
	if (!bad)
		bad = read_all(&history, dir, results, err);
	if (!bad)
		conclude(&history, ret);
	hdestroy_r(&history.by_cell);
	hdestroy_r(&history.by_variant);
	free(history.cells);
	free(history.variants);
	return bad;
}
