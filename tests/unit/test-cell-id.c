// SPDX-License-Identifier: GPL-2.0-or-later
/* record/cell_id: what makes two cells one experiment, and what makes them two. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/json.h"
#include "record/cell_id.h"

static const char kernel[] = "{\"release\":\"6.1.0\",\"version\":\"#1\"}";
static const char settings[] = "{\"cpus\":\"0-3\"}";
static const char parameters[] = "{\"groups\":4,\"loops\":100}";

struct cell {
	const char *kernel, *settings, *workload, *variant, *parameters;
};

static struct jval *object(const char *text)
{
	struct jval *jval = NULL;

	assert_int_equal(jval_parse(text, strlen(text), &jval, NULL), 0);
	return jval;
}

static char *id_of(const struct cell *cell)
{
	struct jval *k = object(cell->kernel);
	struct jval *s = object(cell->settings);
	struct jval *p = object(cell->parameters);
	char *id = cell_id(k, s, cell->workload, cell->variant, p);

	jval_free(k);
	jval_free(s);
	jval_free(p);
	assert_non_null(id);
	return id;
}

static void test_cell_id(void **state)
{
	static const struct cell cell = { kernel, settings, "hackbench",
					  "hackbench-process-pipes", parameters };
	/* The same, with the keys in another order and other white space. */
	static const struct cell same = { "{\"version\":\"#1\", \"release\":\"6.1.0\"}",
					  settings, "hackbench",
					  "hackbench-process-pipes",
					  "{\"loops\": 100, \"groups\": 4}" };
	char *id = id_of(&cell);
	char *other = id_of(&same);

	(void)state;
	/*
	 * The digest of {"kernel":{...},"parameters":...,"settings":...,
	 * "variant":...,"workload":...}: an id of an old ledger must stay what it is.
	 */
	assert_string_equal(id, "9ddc44629d18c945");
	assert_string_equal(other, id);
	free(id);
	free(other);
}

static void test_cell_id_differs(void **state)
{
	static const struct cell cells[] = {
		{ kernel, settings, "w", "v", parameters },
		{ "{\"release\":\"6.1.0\",\"version\":\"#2\"}", settings, "w", "v",
		  parameters },
		{ "{\"release\":\"6.1.0\"}", settings, "w", "v", parameters },
		{ kernel, "{}", "w", "v", parameters },
		{ kernel, "{\"cpus\":\"0-4\"}", "w", "v", parameters },
		{ kernel, settings, "w2", "v", parameters },
		{ kernel, settings, "w", "v2", parameters },
		{ kernel, settings, "w", "v", "{\"groups\":4,\"loops\":101}" },
		{ kernel, settings, "w", "v", "{\"groups\":\"4\",\"loops\":100}" },
		{ kernel, settings, "w", "v", "{\"groups\":4}" },
		{ settings, kernel, "w", "v", parameters },
		{ kernel, settings, "v", "w", parameters },
		{ kernel, settings, "w", "v\xff", parameters },
	};
	enum { NR = sizeof(cells) / sizeof(cells[0]) };
	char *ids[NR];
	size_t i, j;

	(void)state;
	for (i = 0; i < NR; i++) {
		ids[i] = id_of(&cells[i]);
		assert_int_equal(strlen(ids[i]), 16);
		assert_int_equal(strspn(ids[i], "0123456789abcdef"), 16);
		for (j = 0; j < i; j++)
			assert_string_not_equal(ids[i], ids[j]);
	}
	for (i = 0; i < NR; i++)
		free(ids[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cell_id),
		cmocka_unit_test(test_cell_id_differs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
