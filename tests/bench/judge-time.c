// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Milliseconds of processor time that the verdicts of a run take, once it is read:
 *
 *	judge-time DIR
 */
#include <stdio.h>
#include <time.h>

#include "compare/judge.h"
#include "compare/load.h"
#include "compare/table.h"
#include "lib/err.h"

int main(int argc, char **argv)
{
	const struct load_options options = {
		.dirs = (const char *const *)argv + 1,
		.nr_dirs = 1,
	};
	struct judgement *judgement;
	struct table *table;
	struct err err = { 0 };
	clock_t start;

	if (argc != 2)
		return 2;
	if (load_table(&options, &table, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	start = clock();
	if (judge_table(table, &rule_default, &judgement, &err))
		return 1;
	printf("%.2f\n", 1e3 * (double)(clock() - start) / CLOCKS_PER_SEC);
	judgement_free(judgement);
	table_free(table);
	return 0;
}
