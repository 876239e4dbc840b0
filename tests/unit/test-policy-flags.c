// SPDX-License-Identifier: GPL-2.0-or-later
/* policy/release and policy/flags: names and numbers of sched_domain flags by kernel. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/err.h"
#include "policy/flags.h"
#include "policy/release.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

static const struct sd_map *map_of(const char *release)
{
	const struct sd_map *map = NULL;
	struct err err = { 0 };

	if (sd_map_find(release, &map, &err))
		fail_msg("%s is refused: %s", release, err.text);
	return map;
}

static void check_decoded(const char *release, unsigned long value, const char *expected)
{
	const struct sd_map *map = map_of(release);
	unsigned int flags = 0;
	unsigned long back = 0;
	char *text;

	assert_int_equal(sd_flags_decode(map, value, &flags, NULL), 0);
	text = sd_flags_write(map, flags);
	assert_string_equal(text, expected);
	free(text);
	assert_int_equal(sd_flags_encode(map, flags, &back, NULL), 0);
	assert_int_equal(back, value);
}

static void test_release_parse(void **state)
{
	static const struct {
		const char *text;
		unsigned int number;
	} good[] = {
		{ "6.1.192", RELEASE(6, 1, 192) },
		{ "v5.18", RELEASE(5, 18, 0) },
		{ "2.6.32", RELEASE(2, 6, 32) },
		{ "4.9.0-rc6", RELEASE(4, 9, 0) },
		{ "6.12.57+deb13-amd64", RELEASE(6, 12, 57) },
		{ "5.4.195.2", RELEASE(5, 4, 195) },
		{ "6.1-rc3", RELEASE(6, 1, 0) },
	};
	static const char *const bad[] = { "",	    "v",    "6",       "6.",
					   "linux", "6.1x", "256.1.1", "6.1.99999",
					   "-5.4",  "6.1 " };
	unsigned int number = 0;
	size_t i;

	(void)state;
	for (i = 0; i < NR(good); i++) {
		assert_int_equal(release_parse(good[i].text, &number, NULL), 0);
		assert_int_equal(number, good[i].number);
	}
	for (i = 0; i < NR(bad); i++) {
		struct err err = { 0 };

		if (release_parse(bad[i], &number, &err) != -EINVAL)
			fail_msg("'%s' is accepted", bad[i]);
		assert_non_null(strstr(err.text, "6.1.192"));
	}
}

/* "decode 4671 and 703 with map B" */
static void test_decode_4671_and_703(void **state)
{
	(void)state;
	check_decoded("3.3", 4671,
		      "SD_LOAD_BALANCE SD_BALANCE_NEWIDLE SD_BALANCE_EXEC "
		      "SD_BALANCE_FORK SD_BALANCE_WAKE SD_WAKE_AFFINE "
		      "SD_SHARE_PKG_RESOURCES SD_PREFER_SIBLING");
	check_decoded("3.3", 703,
		      "SD_LOAD_BALANCE SD_BALANCE_NEWIDLE SD_BALANCE_EXEC "
		      "SD_BALANCE_FORK SD_BALANCE_WAKE SD_WAKE_AFFINE SD_SHARE_CPUPOWER "
		      "SD_SHARE_PKG_RESOURCES");
}

static void test_bl_019_a_number_has_the_meaning_of_its_kernel(void **state)
{
	(void)state;
	check_decoded("5.9.2", 4671,
		      "SD_BALANCE_NEWIDLE SD_BALANCE_EXEC SD_BALANCE_FORK "
		      "SD_BALANCE_WAKE SD_WAKE_AFFINE SD_ASYM_CPUCAPACITY SD_SERIALIZE "
		      "SD_OVERLAP");
	check_decoded("5.10", 4671,
		      "SD_BALANCE_NEWIDLE SD_BALANCE_EXEC SD_BALANCE_FORK "
		      "SD_BALANCE_WAKE SD_WAKE_AFFINE SD_ASYM_CPUCAPACITY "
		      "SD_ASYM_PACKING SD_NUMA");
	check_decoded("5.15", 4671,
		      "SD_BALANCE_NEWIDLE SD_BALANCE_EXEC SD_BALANCE_FORK "
		      "SD_BALANCE_WAKE SD_WAKE_AFFINE SD_ASYM_CPUCAPACITY SD_SERIALIZE "
		      "SD_OVERLAP");
	check_decoded("6.12.57", 4671,
		      "SD_BALANCE_NEWIDLE SD_BALANCE_EXEC SD_BALANCE_FORK "
		      "SD_BALANCE_WAKE SD_WAKE_AFFINE SD_ASYM_CPUCAPACITY SD_SHARE_LLC "
		      "SD_PREFER_SIBLING");
}

static void test_bl_019_an_unknown_kernel_is_refused(void **state)
{
	static const char *const unknown[] = { "2.6.31", "6.13", "7.0", "1.0" };
	const struct sd_map *map = NULL;
	size_t i;

	(void)state;
	for (i = 0; i < NR(unknown); i++) {
		struct err err = { 0 };

		assert_int_equal(sd_map_find(unknown[i], &map, &err), -ENOTSUP);
		assert_non_null(strstr(err.text, unknown[i]));
		assert_non_null(strstr(err.text, "2.6.32 to 6.12"));
	}
	assert_int_equal(sd_map_find("mine", &map, NULL), -EINVAL);
	assert_null(map);
}

static void test_bl_019_a_number_is_no_name(void **state)
{
	unsigned int flag = 0;

	(void)state;
	assert_int_equal(sd_flag_parse(map_of("3.3"), "4671", &flag, NULL), -EINVAL);
	assert_int_equal(sd_flags_parse(map_of("3.3"), "SD_BALANCE_WAKE 16", &flag, NULL),
			 -EINVAL);
	assert_int_equal(flag, 0);
}

static void test_bl_019_unknown_bits_are_refused(void **state)
{
	unsigned int flags = 0;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(sd_flags_decode(map_of("3.10"), 0x4001, &flags, &err), -EINVAL);
	assert_non_null(strstr(err.text, "0x4000"));
	assert_int_equal(flags, 0);
}

static void test_bl_025_a_renamed_flag_has_both_names(void **state)
{
	static const char *const kernels[] = { "3.3", "4.9", "5.10", "6.1.192", "6.8" };
	unsigned int flag = 0;
	char *text;
	size_t i;

	(void)state;
	for (i = 0; i < NR(kernels); i++) {
		assert_int_equal(
			sd_flag_parse(map_of(kernels[i]), "SD_SHARE_LLC", &flag, NULL),
			0);
		assert_int_equal(flag, SD_SHARE_LLC);
		text = sd_flags_write(map_of(kernels[i]), flag);
		assert_string_equal(text, "SD_SHARE_PKG_RESOURCES");
		free(text);
	}
	assert_int_equal(
		sd_flag_parse(map_of("6.12"), "SD_SHARE_PKG_RESOURCES", &flag, NULL), 0);
	text = sd_flags_write(map_of("6.12"), flag);
	assert_string_equal(text, "SD_SHARE_LLC");
	free(text);
	assert_int_equal(sd_flag_parse(map_of("4.9"), "SD_SHARE_CPUPOWER", &flag, NULL),
			 0);
	assert_int_equal(flag, SD_SHARE_CPUCAPACITY);
}

static void test_bl_025_a_name_unknown_to_the_kernel_is_an_error(void **state)
{
	static const struct {
		const char *kernel, *name, *expected;
	} cases[] = {
		{ "5.10", "SD_LOAD_BALANCE", "5.10 to 5.13" },
		{ "3.10", "SD_NUMA", "3.5 to 3.15" },
		{ "6.6", "SD_CLUSTER", "5.14 to 6.6" },
		{ "4.9", "SD_ASYM_CPUCAPACITY_FULL", "other kernels do" },
		{ "6.1", "SD_BALANCE_WAKEUP", "SD_BALANCE_WAKE?" },
		{ "6.1", "BALANCE_WAKE", "SD_BALANCE_WAKE?" },
		{ "6.1", "zzz", "SD_BALANCE_NEWIDLE" },
		{ "6.1", "", "SD_BALANCE_NEWIDLE" },
	};
	unsigned int flag = 0;
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++) {
		struct err err = { 0 };

		assert_int_equal(sd_flag_parse(map_of(cases[i].kernel), cases[i].name,
					       &flag, &err),
				 -EINVAL);
		if (!strstr(err.text, cases[i].expected))
			fail_msg("'%s' lacks '%s'", err.text, cases[i].expected);
	}
	assert_int_equal(flag, 0);
}

/* A new kernel's line as it prints it, and one of a NUMA machine with SD_OVERLAP. */
static void test_names_as_kernels_print_them(void **state)
{
	static const char line[] = "SD_BALANCE_NEWIDLE SD_BALANCE_EXEC SD_BALANCE_FORK "
				   "SD_WAKE_AFFINE SD_SERIALIZE SD_OVERLAP SD_NUMA \n";
	unsigned int flags = 0;
	unsigned long value = 0;

	(void)state;
	assert_int_equal(sd_flags_parse(map_of("6.1"), line, &flags, NULL), 0);
	assert_int_equal(sd_flags_encode(map_of("6.1"), flags, &value, NULL), 0);
	assert_int_equal(value, 8727 + 0x1000);
	assert_int_equal(sd_flags_parse(map_of("6.1"), "\n", &flags, NULL), 0);
	assert_int_equal(flags, 0);
	/* A far level of a 5.9 machine, as people print it. */
	check_decoded("5.9", 12801, "SD_BALANCE_NEWIDLE SD_SERIALIZE SD_OVERLAP SD_NUMA");
}

static void test_encode_refuses_what_the_kernel_lacks(void **state)
{
	unsigned long value = 0;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(sd_flags_encode(map_of("5.14"), SD_LOAD_BALANCE, &value, &err),
			 -EINVAL);
	assert_non_null(strstr(err.text, "SD_LOAD_BALANCE"));
	assert_int_equal(sd_map_flags(map_of("5.14")) & SD_LOAD_BALANCE, 0);
	assert_int_equal(sd_map_flags(map_of("5.7")) & SD_LOAD_BALANCE, SD_LOAD_BALANCE);
	assert_string_equal(sd_map_kernels(map_of("5.7.14")), "4.9 to 5.7");
}

/* Each map: every flag encodes to one bit and decodes back, no bit means two flags. */
static void test_every_map_is_a_bijection(void **state)
{
	static const char *const kernels[] = { "2.6.33", "3.0",	 "3.10", "3.16", "4.9",
					       "5.8",	 "5.10", "5.14", "6.8",	 "6.12" };
	size_t i, bit;

	(void)state;
	for (i = 0; i < NR(kernels); i++) {
		const struct sd_map *map = map_of(kernels[i]);
		unsigned long all = 0;

		for (bit = 0; bit < SD_FLAGS; bit++) {
			unsigned int flag = 1U << bit;
			unsigned int back = 0;
			unsigned long value = 0;

			if (!(sd_map_flags(map) & flag))
				continue;
			assert_int_equal(sd_flags_encode(map, flag, &value, NULL), 0);
			assert_true(value && !(value & (value - 1)));
			assert_int_equal(all & value, 0);
			all |= value;
			assert_int_equal(sd_flags_decode(map, value, &back, NULL), 0);
			assert_int_equal(back, flag);
		}
	}
}

static void test_effect_of_a_write(void **state)
{
	static const struct {
		unsigned int release;
		enum sd_flag flag;
		enum sd_effect expected;
	} cases[] = {
		{ RELEASE(3, 2, 41), SD_SHARE_LLC, SD_EFFECT_FULL },
		{ RELEASE(3, 3, 0), SD_SHARE_LLC, SD_EFFECT_WORD },
		{ RELEASE(6, 1, 192), SD_SHARE_LLC, SD_EFFECT_WORD },
		{ RELEASE(3, 3, 0), SD_BALANCE_WAKE, SD_EFFECT_FULL },
		{ RELEASE(3, 16, 0), SD_BALANCE_WAKE, SD_EFFECT_WORD },
		{ RELEASE(4, 8, 0), SD_BALANCE_WAKE, SD_EFFECT_FULL },
		{ RELEASE(6, 12, 0), SD_BALANCE_WAKE, SD_EFFECT_FULL },
		{ RELEASE(4, 19, 1), SD_SHARE_CPUCAPACITY, SD_EFFECT_FULL },
		{ RELEASE(5, 2, 0), SD_SHARE_CPUCAPACITY, SD_EFFECT_WORD },
		{ RELEASE(6, 12, 0), SD_BALANCE_FORK, SD_EFFECT_FULL },
		{ RELEASE(6, 12, 0), SD_PREFER_SIBLING, SD_EFFECT_FULL },
		{ RELEASE(6, 12, 0), SD_ASYM_CPUCAPACITY, SD_EFFECT_WORD },
	};
	size_t i;

	(void)state;
	for (i = 0; i < NR(cases); i++)
		assert_int_equal(sd_flag_effect(cases[i].release, cases[i].flag),
				 cases[i].expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_release_parse),
		cmocka_unit_test(test_decode_4671_and_703),
		cmocka_unit_test(test_bl_019_a_number_has_the_meaning_of_its_kernel),
		cmocka_unit_test(test_bl_019_an_unknown_kernel_is_refused),
		cmocka_unit_test(test_bl_019_a_number_is_no_name),
		cmocka_unit_test(test_bl_019_unknown_bits_are_refused),
		cmocka_unit_test(test_bl_025_a_renamed_flag_has_both_names),
		cmocka_unit_test(test_bl_025_a_name_unknown_to_the_kernel_is_an_error),
		cmocka_unit_test(test_names_as_kernels_print_them),
		cmocka_unit_test(test_encode_refuses_what_the_kernel_lacks),
		cmocka_unit_test(test_every_map_is_a_bijection),
		cmocka_unit_test(test_effect_of_a_write),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
