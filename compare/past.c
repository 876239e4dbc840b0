// SPDX-License-Identifier: GPL-2.0-or-later
/* Takes the records of given cells out of ledgers; see past.h. */
#include "compare/past.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "compare/load.h"
#include "compare/table.h"
#include "compare/textmap.h"
#include "lib/err.h"
#include "record/ledger.h"
#include "record/record.h"

/*
 * struct search - what is found so far
 * @by_id: the cells
 * @boots: of the current run
 * @names: of the columns, ended by NULL
 */
struct search {
	struct past *past;
	struct textmap by_id, boots;
	const char **names;
};

static int index_cells(struct search *search, const struct past_wish *wish)
{
	size_t nr_names = 0;
	size_t i, j;

	search->names = calloc(wish->nr_cells + 1, sizeof(*search->names));
	if (!search->names)
		return -ENOMEM;
	for (i = 0; i < wish->nr_cells; i++) {
		const struct past_cell *cell = &wish->cells[i];
		struct textmap_entry *entry = textmap_add(&search->by_id, cell->id);

		if (!entry)
			return -ENOMEM;
		entry->value = (void *)(uintptr_t)cell->column;
		for (j = 0; j < nr_names && strcmp(search->names[j], cell->column); j++)
			;
		if (j == nr_names)
			search->names[nr_names++] = cell->column;
	}
	return 0;
}

/* The facts of a boot tell it from those of other runs. */
static int note_boot(struct search *search, const char *dir, const char *boot,
		     struct err *err)
{
	struct textmap_entry *entry = textmap_add(&search->boots, boot);

	if (!entry)
		return err_nomem(err);
	if (entry->value)
		return 0;
	entry->value = entry;
	return load_host(search->past->table, dir, boot, err);
}

struct reading {
	struct search *search;
	const char *dir;
};

static int take_record(const struct record *record, void *data, struct err *err)
{
	const struct reading *reading = data;
	struct search *search = reading->search;
	const struct textmap_entry *found = textmap_find(&search->by_id, record->cell);
	struct record renamed = *record;

	if (!found)
		return 0;
	renamed.column = found->value;
	if (record->status == RECORD_OK && !(record->flags & RECORD_WARMUP)) {
		search->past->nr_records++;
		search->past->wall_ns += record->wall_ns;
	}
	if (table_add_record(search->past->table, &renamed, err) ||
	    (record->boot && note_boot(search, reading->dir, record->boot, err)))
		return err->code;
	return 0;
}

static int read_runs(struct search *search, const struct past_wish *wish, struct err *err)
{
	size_t i;
	int bad = 0;

	for (i = 0; !bad && i < wish->nr_dirs; i++) {
		struct reading reading = { search, wish->dirs[i] };
		uint64_t ignored;

		if (i)
			table_next_run(search->past->table);
		bad = ledger_read_once(wish->dirs[i], take_record, &reading, &ignored,
				       err);
		textmap_release(&search->boots);
	}
	return bad;
}

int past_load(const struct past_wish *wish, struct past *ret, struct err *err)
{
	struct err local = { 0 };
	struct past past = { .table = table_new() };
	struct search search = { .past = &past };
	int bad = 0;

	err = err ? err : &local;
	if (!past.table || index_cells(&search, wish))
		bad = err_nomem(err);
	if (!bad)
		bad = read_runs(&search, wish, err);
	if (!bad)
		bad = table_finish(past.table, search.names, NULL, err);
	textmap_release(&search.by_id);
	textmap_release(&search.boots);
	free(search.names);
	if (bad)
		table_free(past.table);
	else
		*ret = past;
	return bad;
}
