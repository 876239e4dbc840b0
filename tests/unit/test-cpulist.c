// SPDX-License-Identifier: GPL-2.0-or-later
/* lib/cpulist: list notation in and out, and sets with holes. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/cpulist.h"
#include "lib/err.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

static void check_list(const struct cpulist *list, const char *expected)
{
	char *text = cpulist_write(list);

	assert_non_null(text);
	assert_string_equal(text, expected);
	free(text);
}

static void parse(const char *text, struct cpulist *ret)
{
	struct err err = { 0 };

	*ret = (struct cpulist){ 0 };
	if (cpulist_parse(text, ret, &err))
		fail_msg("'%s' is refused: %s", text, err.text);
}

static void test_cpulist_parse(void **state)
{
	static const struct {
		const char *text, *canonical;
		size_t nr;
	} good[] = {
		{ "0", "0", 1 },
		{ "0-3", "0-3", 4 },
		{ "0-3,8,64-127", "0-3,8,64-127", 69 },
		{ "3,1,2,0", "0-3", 4 },
		{ "5,5,4-6,5", "4-6", 3 },
		{ "7-7", "7", 1 },
		{ "0,2,4,6", "0,2,4,6", 4 },
		{ "0,1", "0-1", 2 },
		{ "65535", "65535", 1 },
		{ "0-65535", "0-65535", 65536 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(good); i++) {
		struct cpulist list;

		parse(good[i].text, &list);
		assert_int_equal(list.nr, good[i].nr);
		check_list(&list, good[i].canonical);
		cpulist_release(&list);
	}
}

static void test_cpulist_parse_refuses(void **state)
{
	static const char *const bad[] = {
		"",	      ",",	    "0,",
		",0",	      "0,,1",	    "-",
		"0-",	      "-3",	    "3-1",
		"0-3-5",      "0--3",	    "0, 1",
		" 0",	      "0 ",	    "0\n",
		"01",	      "00",	    "0x3",
		"a",	      "0-a",	    "0;1",
		"65536",      "0-65536",    "99999999999999999999",
		"0000000000", "4294967296", "18446744073709551616",
		"0-3,8,x",    "0-3:2/4",    "\xef\xbc\x90",
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(bad); i++) {
		struct cpulist list = { 0 };
		struct err err = { 0 };

		if (cpulist_parse(bad[i], &list, &err) != -EINVAL)
			fail_msg("'%s' is not refused", bad[i]);
		assert_null(list.cpu);
		assert_non_null(strstr(err.text, "is not a CPU list (expected"));
	}
}

static void test_cpulist_write(void **state)
{
	struct cpulist list = { 0 };

	(void)state;
	check_list(&list, "");
	assert_int_equal(cpulist_add(&list, 9), 0);
	check_list(&list, "9");
	assert_int_equal(cpulist_add(&list, 7), 0);
	assert_int_equal(cpulist_add(&list, 8), 0);
	assert_int_equal(cpulist_add(&list, 0), 0);
	check_list(&list, "0,7-9");
	cpulist_release(&list);
}

static void test_cpulist_add(void **state)
{
	enum { PRIME = 2503 };
	struct cpulist list = { 0 };
	unsigned int i;

	(void)state;
	/* In an order that rises and falls, each twice. */
	for (i = 0; i < 2 * PRIME; i++)
		assert_int_equal(cpulist_add(&list, i * 1009 % PRIME), 0);
	assert_int_equal(list.nr, PRIME);
	for (i = 0; i < PRIME; i++)
		assert_int_equal(list.cpu[i], i);
	cpulist_release(&list);
}

static void test_cpulist_has(void **state)
{
	struct cpulist list;

	(void)state;
	parse("1,3,64-66", &list);
	assert_true(cpulist_has(&list, 1));
	assert_true(cpulist_has(&list, 3));
	assert_true(cpulist_has(&list, 66));
	assert_false(cpulist_has(&list, 0));
	assert_false(cpulist_has(&list, 2));
	assert_false(cpulist_has(&list, 67));
	cpulist_release(&list);
	assert_false(cpulist_has(&list, 0));
}

static void test_cpulist_copy_and_cpulist_equal(void **state)
{
	struct cpulist list, copy = { 0 };
	struct cpulist empty = { 0 };

	(void)state;
	parse("0,5-9", &list);
	assert_int_equal(cpulist_copy(&list, &copy), 0);
	assert_true(cpulist_equal(&list, &copy));
	assert_int_equal(cpulist_add(&copy, 5), 0);
	assert_true(cpulist_equal(&list, &copy));
	assert_int_equal(cpulist_add(&copy, 4), 0);
	assert_false(cpulist_equal(&list, &copy));
	cpulist_release(&copy);
	assert_false(cpulist_equal(&list, &copy));
	assert_true(cpulist_equal(&empty, &copy));
	assert_int_equal(cpulist_copy(&empty, &copy), 0);
	assert_int_equal(copy.nr, 0);
	cpulist_release(&list);
	cpulist_release(&copy);
}

static void test_cpulist_outside(void **state)
{
	struct cpulist list, whole;
	struct cpulist empty = { 0 };

	(void)state;
	parse("0-2,4", &whole);
	parse("0-4", &list);
	assert_int_equal(cpulist_outside(&list, &whole), 3);
	assert_int_equal(cpulist_outside(&whole, &list), -1);
	assert_int_equal(cpulist_outside(&whole, &whole), -1);
	assert_int_equal(cpulist_outside(&whole, &empty), 0);
	assert_int_equal(cpulist_outside(&empty, &whole), -1);
	cpulist_release(&list);
	cpulist_release(&whole);
}

static void test_cpulist_release(void **state)
{
	struct cpulist list;

	(void)state;
	parse("0-9", &list);
	cpulist_release(&list);
	assert_null(list.cpu);
	assert_int_equal(list.nr, 0);
	cpulist_release(&list);
	assert_int_equal(cpulist_add(&list, 3), 0);
	check_list(&list, "3");
	cpulist_release(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cpulist_parse),
		cmocka_unit_test(test_cpulist_parse_refuses),
		cmocka_unit_test(test_cpulist_write),
		cmocka_unit_test(test_cpulist_add),
		cmocka_unit_test(test_cpulist_has),
		cmocka_unit_test(test_cpulist_copy_and_cpulist_equal),
		cmocka_unit_test(test_cpulist_outside),
		cmocka_unit_test(test_cpulist_release),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
