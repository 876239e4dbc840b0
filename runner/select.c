// SPDX-License-Identifier: GPL-2.0-or-later
/* Matches cells against patterns; see select.h. */
#include "runner/select.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "runner/plan.h"

static bool point_matches(const char *point, const char *pattern)
{
	char *copy = strdup(point);
	char *rest = copy;
	bool found = false;
	char *word;

	while (!found && (word = strsep(&rest, " ")))
		found = !fnmatch(pattern, word, 0);
	free(copy);
	return found;
}

static bool word_matches(const struct cell *cell, const char *column, const char *point,
			 const char *pattern)
{
	return !fnmatch(pattern, cell->id, 0) || !fnmatch(pattern, column, 0) ||
	       !fnmatch(pattern, cell->workload.ops->name, 0) ||
	       !fnmatch(pattern, cell->variant, 0) || point_matches(point, pattern);
}

static bool words_match(const struct cell *cell, const char *column, const char *point,
			const char *pattern)
{
	char *copy = strdup(pattern);
	char *rest = copy;
	bool all = copy != NULL;
	char *word;

	while (all && (word = strsep(&rest, " ")))
		all = !*word || word_matches(cell, column, point, word);
	free(copy);
	return all;
}

bool select_cell(const struct cell *cell, const struct grid *grid, const char *pattern)
{
	const char *column = grid->columns[cell->column].name;
	char *point = cell_point(cell);
	char *whole = file_path("%s/%s/%s", cell->variant, point ? point : "", column);
	bool found =
		whole && (!fnmatch(pattern, whole, 0) || !fnmatch(pattern, column, 0) ||
			  words_match(cell, column, point ? point : "", pattern));

	free(whole);
	free(point);
	return found;
}
