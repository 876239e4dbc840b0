// SPDX-License-Identifier: GPL-2.0-or-later
/* What differs between columns as lines of text; see setup.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "compare/setup.h"
#include "compare/setup_config.h"
#include "compare/table.h"
#include "compare/view.h"
#include "lib/err.h"

/* Two kernels of a distribution differ in a thousand options. */
enum { LONG_VALUE = 300, OPTIONS_MAX = 10 };

/* Columns with equal values are named one by one: which they are matters. */
char *setup_line(const struct table *table, const struct setup_fact *fact)
{
	char *text = NULL;
	size_t len = 0;
	FILE *line = open_memstream(&text, &len);
	size_t i;

	if (!line)
		return NULL;
	(void)fprintf(line, "differs: %s:", fact->name);
	for (i = 0; i < table->nr_columns; i++) {
		const char *value = fact->values[i] ? fact->values[i] : "-";
		size_t shown = view_cut(value, LONG_VALUE);

		(void)fprintf(line, "%s %s: %.*s%s", i ? ";" : "", table->columns[i].name,
			      (int)shown, value, value[shown] ? "..." : "");
	}
	if (!fclose(line))
		return text;
	free(text);
	return NULL;
}

static char *rest_line(size_t nr)
{
	char *text;

	if (asprintf(&text,
		     "differs: and %zu more options of the kernels' configurations "
		     "(--format html has all)",
		     nr) < 0)
		return NULL;
	return text;
}

static void free_lines(char **lines, size_t nr)
{
	size_t i;

	for (i = 0; lines && i < nr; i++)
		free(lines[i]);
	free(lines);
}

int setup_option_lines(const struct setup *setup, const struct table *table, char ***ret)
{
	char **lines = calloc(OPTIONS_MAX + 2, sizeof(*lines));
	bool is_whole = lines;
	size_t nr;

	for (nr = 0; is_whole && nr < setup->nr_options && nr < OPTIONS_MAX; nr++) {
		lines[nr] = setup_line(table, &setup->options[nr]);
		is_whole = lines[nr];
	}
	if (is_whole && nr < setup->nr_options)
		is_whole = (lines[nr] = rest_line(setup->nr_options - nr));
	if (!is_whole) {
		free_lines(lines, nr);
		return -ENOMEM;
	}
	*ret = lines;
	return 0;
}

int setup_read_option_lines(const struct table *table, const char *const *dirs,
			    size_t nr_dirs, char ***ret, struct err *err)
{
	struct setup setup = { .nr_columns = table->nr_columns };
	int bad = 0;

	if (configs_may_differ(dirs, nr_dirs))
		bad = setup_load(&setup, table, dirs, nr_dirs, err);
	if (!bad && setup_option_lines(&setup, table, ret))
		bad = err_nomem(err);
	setup_release(&setup);
	return bad;
}
