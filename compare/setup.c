// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads plans and host facts again, this time to show them; see setup.h. */
#include "compare/setup.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/setup_config.h"
#include "compare/table.h"
#include "compare/textmap.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "record/host.h"
#include "record/host_config.h"
#include "record/ledger.h"
#include "record/record.h"

enum { PLAN_BYTES_MAX = 1 << 30 };

/*
 * struct reading - one load in progress
 * @index: names of facts to their index + 1
 * @seen: columns and boots of the directory that were read
 * @configs: of the kernels so far
 * @dir: being read
 */
struct reading {
	struct setup *setup;
	const struct table *table;
	struct textmap index, seen;
	struct configs configs;
	const char *dir;
};

int setup_fact_new(struct setup_fact **facts, size_t *nr, const char *name,
		   size_t nr_columns)
{
	struct setup_fact *grown = reallocarray(*facts, *nr + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	*facts = grown;
	grown[*nr] = (struct setup_fact){
		.name = strdup(name),
		.values = calloc(nr_columns + 1, sizeof(char *)),
	};
	(*nr)++;
	return grown[*nr - 1].name && grown[*nr - 1].values ? 0 : -ENOMEM;
}

static int find_fact(struct reading *reading, const char *name, struct setup_fact **ret)
{
	struct setup *setup = reading->setup;
	struct textmap_entry *entry = textmap_add(&reading->index, name);

	if (!entry)
		return -ENOMEM;
	if (!entry->value) {
		if (setup_fact_new(&setup->facts, &setup->nr_facts, name,
				   setup->nr_columns))
			return -ENOMEM;
		entry->value = (void *)(uintptr_t)setup->nr_facts;
	}
	*ret = &setup->facts[(uintptr_t)entry->value - 1];
	return 0;
}

static const char between[] = " | ";

/* Whether @value is one of those that @values joins, or all of it. */
static bool has_value(const char *values, const char *value)
{
	size_t len = strlen(value);
	const char *at = values;

	if (!strcmp(values, value))
		return true;
	for (;;) {
		const char *end = strstr(at, between);
		size_t part = end ? (size_t)(end - at) : strlen(at);

		if (part == len && !memcmp(at, value, len))
			return true;
		if (!end)
			return false;
		at = end + strlen(between);
	}
}

int setup_fact_add(struct setup_fact *fact, size_t column, const char *value)
{
	char *joined;

	if (!fact->values[column]) {
		fact->values[column] = strdup(value);
		return fact->values[column] ? 0 : -ENOMEM;
	}
	if (has_value(fact->values[column], value))
		return 0;
	if (asprintf(&joined, "%s%s%s", fact->values[column], between, value) < 0)
		return -ENOMEM;
	free(fact->values[column]);
	fact->values[column] = joined;
	return 0;
}

static int add_value(struct reading *reading, size_t column, const char *name,
		     const char *value)
{
	struct setup_fact *fact;

	if (find_fact(reading, name, &fact))
		return -ENOMEM;
	return setup_fact_add(fact, column, value);
}

static int add_word(struct reading *reading, size_t column, const char *key,
		    const char *word, size_t len)
{
	size_t name_len = strcspn(word, "= ");
	char *name;
	char *value;
	int ret = -ENOMEM;

	name_len = name_len < len ? name_len : len;
	if (asprintf(&name, "%s %.*s", key, (int)name_len, word) < 0)
		return -ENOMEM;
	value = name_len < len ? strndup(word + name_len + 1, len - name_len - 1)
			       : strdup("yes");
	if (value)
		ret = add_value(reading, column, name, value);
	free(name);
	free(value);
	return ret;
}

static int add_words(struct reading *reading, size_t column, const char *key,
		     const char *text)
{
	int ret = 0;

	while (!ret && *text) {
		size_t len = strcspn(text, " ");

		if (len)
			ret = add_word(reading, column, key, text, len);
		text += len + (text[len] == ' ');
	}
	return ret;
}

static int add_leaf(struct reading *reading, size_t column, const char *name,
		    const struct jval *value)
{
	const char *text = jval_text(value);
	char *written = text ? NULL : jval_write(value, JVAL_LINE);
	int ret = -ENOMEM;

	if (text && !strcmp(name, "cmdline"))
		ret = add_words(reading, column, name, text);
	else if (text || written)
		ret = add_value(reading, column, name, text ? text : written);
	free(written);
	return ret;
}

/* What is another one at each start, or says nothing of the host. */
static bool is_left_out(const char *name)
{
	static const char *const names[] = { "schema", "boot_id", "name" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return false;
}

/* Objects in objects have names with points; facts are at most three deep. */
static int add_object(struct reading *reading, size_t column, const char *prefix,
		      const struct jval *object)
{
	const struct jval *value;
	const char *key;
	void *pos = NULL;
	int ret = 0;

	while (!ret && jval_each(object, &pos, &key, &value)) {
		char *name;

		if (!*prefix && is_left_out(key))
			continue;
		if (asprintf(&name, "%s%s%s", prefix, *prefix ? "." : "", key) < 0)
			return -ENOMEM;
		if (jval_is_object(value))
			ret = add_object(reading, column, name, value);
		else
			ret = add_leaf(reading, column, name, value);
		free(name);
	}
	return ret;
}

/* The column called @name, or as many as there are. */
static size_t column_of(const struct table *table, const char *name)
{
	size_t i;

	for (i = 0; i < table->nr_columns; i++) {
		if (!strcmp(table->columns[i].name, name))
			break;
	}
	return i;
}

/* The facts and the configuration that there are of a boot. */
static int read_boot(struct reading *reading, size_t column, const char *boot)
{
	struct jval *facts = NULL;
	char *config = NULL;
	int bad = host_load(reading->dir, boot, &facts, NULL);

	if (!bad && add_object(reading, column, "", facts))
		bad = -ENOMEM;
	jval_free(facts);
	if (bad == -ENOMEM)
		return bad;
	bad = host_config_load(reading->dir, boot, &config, NULL);
	if (!bad)
		bad = configs_add(&reading->configs, column, config);
	return bad == -ENOMEM ? bad : 0;
}

static int take_record(const struct record *record, void *data, struct err *err)
{
	struct reading *reading = data;
	const char *const parts[] = { record->column, record->boot, NULL };
	size_t column = column_of(reading->table, record->column);
	struct textmap_entry *entry;
	char *key;

	if (!record->boot || column == reading->table->nr_columns)
		return 0;
	key = textmap_join(parts);
	entry = key ? textmap_add(&reading->seen, key) : NULL;
	free(key);
	if (!entry)
		return err_nomem(err);
	if (entry->value)
		return 0;
	entry->value = entry;
	return read_boot(reading, column, record->boot) ? err_nomem(err) : 0;
}

static void grid_release(struct setup_grid *grid)
{
	free(grid->name);
	free(grid->text);
}

/* "seed 42, 10 iterations, 1 warm-up"; the caller's, NULL: not known, or no memory. */
static char *grid_text(const struct jval *plan)
{
	uint64_t seed;
	uint64_t iterations;
	uint64_t warmup = 0;
	char *text;

	if (!jval_uint(jval_get(plan, "seed"), &seed) ||
	    !jval_uint(jval_get(plan, "iterations"), &iterations))
		return strdup("");
	(void)jval_uint(jval_get(plan, "warmup"), &warmup);
	if (asprintf(&text,
		     "seed %" PRIu64 ", %" PRIu64 " iteration%s, %" PRIu64 " warm-up%s",
		     seed, iterations, iterations == 1 ? "" : "s", warmup,
		     warmup == 1 ? "" : "s") < 0)
		return NULL;
	return text;
}

static bool has_grid(const struct setup *setup, const struct setup_grid *grid)
{
	size_t i;

	for (i = 0; i < setup->nr_grids; i++) {
		if (!strcmp(setup->grids[i].name, grid->name) &&
		    !strcmp(setup->grids[i].text, grid->text))
			return true;
	}
	return false;
}

static int add_grid(struct setup *setup, const struct jval *plan)
{
	const char *name = jval_get_text(plan, "name");
	struct setup_grid grid = { 0 };
	struct setup_grid *grids;

	if (!name)
		return 0;
	grid.name = strdup(name);
	grid.text = grid_text(plan);
	if (!grid.name || !grid.text) {
		grid_release(&grid);
		return -ENOMEM;
	}
	if (has_grid(setup, &grid)) {
		grid_release(&grid);
		return 0;
	}
	grids = reallocarray(setup->grids, setup->nr_grids + 1, sizeof(*grids));
	if (!grids) {
		grid_release(&grid);
		return -ENOMEM;
	}
	grids[setup->nr_grids++] = grid;
	setup->grids = grids;
	return 0;
}

/* What the plan says of each column besides its name, such as where it is pinned. */
static int add_columns(struct reading *reading, const struct jval *plan)
{
	const struct jval *columns = jval_get(plan, "columns");
	size_t i;
	int ret = add_grid(reading->setup, plan);

	for (i = 0; !ret && i < jval_count(columns); i++) {
		const struct jval *column = jval_item(columns, i);
		const char *name = jval_get_text(column, "name");
		size_t idx = name ? column_of(reading->table, name)
				  : reading->table->nr_columns;

		if (idx < reading->table->nr_columns)
			ret = add_object(reading, idx, "", column);
	}
	return ret;
}

/* That it can be read was checked when the table was made. */
static int read_plan(struct reading *reading)
{
	char *path = file_path("%s/plan.json", reading->dir);
	struct jval *plan = NULL;
	char *text = NULL;
	size_t len;
	int ret = path ? 0 : -ENOMEM;

	if (path && !file_read(path, PLAN_BYTES_MAX, &text, &len, NULL) &&
	    !jval_parse(text, len, &plan, NULL))
		ret = add_columns(reading, plan);
	jval_free(plan);
	free(text);
	free(path);
	return ret;
}

static void mark_differences(struct setup *setup)
{
	size_t i, j;

	for (i = 0; i < setup->nr_facts; i++) {
		struct setup_fact *fact = &setup->facts[i];

		for (j = 1; j < setup->nr_columns; j++) {
			const char *a = fact->values[0];
			const char *b = fact->values[j];

			fact->differs |= a && b ? strcmp(a, b) != 0 : a != b;
		}
	}
}

int setup_load(struct setup *setup, const struct table *table, const char *const *dirs,
	       size_t nr_dirs, struct err *err)
{
	struct reading reading = { .setup = setup, .table = table };
	size_t i;
	int ret = 0;

	*setup = (struct setup){ .nr_columns = table->nr_columns };
	for (i = 0; !ret && i < nr_dirs; i++) {
		uint64_t nr_repeated;

		reading.dir = dirs[i];
		ret = read_plan(&reading);
		if (ret)
			err_nomem(err);
		else
			ret = ledger_read_once(dirs[i], take_record, &reading,
					       &nr_repeated, err);
		textmap_release(&reading.seen);
	}
	textmap_release(&reading.index);
	if (!ret)
		mark_differences(setup);
	if (!ret && configs_differences(&reading.configs, setup))
		ret = err_nomem(err);
	configs_release(&reading.configs);
	return ret;
}

static void facts_release(struct setup_fact *facts, size_t nr, size_t nr_columns)
{
	size_t i, j;

	for (i = 0; i < nr; i++) {
		for (j = 0; facts[i].values && j < nr_columns; j++)
			free(facts[i].values[j]);
		free(facts[i].values);
		free(facts[i].name);
	}
	free(facts);
}

void setup_release(struct setup *setup)
{
	size_t i;

	facts_release(setup->facts, setup->nr_facts, setup->nr_columns);
	facts_release(setup->options, setup->nr_options, setup->nr_columns);
	for (i = 0; i < setup->nr_grids; i++)
		grid_release(&setup->grids[i]);
	free(setup->grids);
	*setup = (struct setup){ 0 };
}
