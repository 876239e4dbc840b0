// SPDX-License-Identifier: GPL-2.0-or-later
/* Findings of the audit; tests/cli/audit.bats has whole mails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "compare/audit.h"
#include "compare/posted.h"
#include "lib/err.h"
#include "lib/json.h"

static void look(struct audit *audit, const char *text)
{
	struct err err = { 0 };
	struct posted posted;

	if (posted_read(&posted, text, strlen(text), "mail", &err) ||
	    audit_posted(audit, &posted, &err))
		fail_msg("%s", err.text);
	posted_release(&posted);
}

static void test_one_wrong_percentage_is_the_only_finding(void **state)
{
	struct audit audit;

	(void)state;
	look(&audit, "t\na b\nAmean 1 1.000 ( 0.00%) 0.900 ( 10.00%)\n"
		     "Amean 2 1.000 ( 0.00%) 0.800 ( 25.00%)\n");
	assert_int_equal(audit.nr_tables, 1);
	assert_int_equal(audit.nr_percents, 4);
	assert_int_equal(audit.nr_findings, 1);
	assert_int_equal(audit.findings[0].line, 4);
	assert_int_equal(audit.findings[0].kind, AUDIT_PERCENT);
	assert_string_equal(audit.findings[0].printed, "25.00");
	assert_string_equal(audit.findings[0].expected, "20.00");
	audit_release(&audit);
}

/* Welch: t = 3 with 18 degrees of freedom, p = 0.008; with three runs p = 0.18. */
static void test_noise_needs_the_number_of_runs(void **state)
{
#define ROWS "a b\n\nAvg. score 100.0 103.0 (+3.0%)\nstd dev 2.2361 2.2361\n"
	struct audit audit;

	(void)state;
	look(&audit, "run 10 times\n" ROWS);
	assert_int_equal(audit.nr_findings, 0);
	audit_release(&audit);
	look(&audit, "run 3 times\n" ROWS);
	assert_int_equal(audit.nr_findings, 1);
	assert_int_equal(audit.findings[0].kind, AUDIT_NOISE);
	audit_release(&audit);
	look(&audit, ROWS);
	assert_int_equal(audit.nr_findings, 0);
	audit_release(&audit);
#undef ROWS
}

static void test_json_leaves_out_what_is_not_known(void **state)
{
	struct audit audit;
	struct jval *json;
	const struct jval *finding;

	(void)state;
	look(&audit, "Average score std. dev\nbase 10.5 1.5\nnew 11.5 11.5\n");
	json = audit_json(&audit);
	assert_string_equal(jval_get_text(json, "schema"), "schedgrid-audit-1");
	finding = jval_item(jval_get(json, "findings"), 0);
	assert_string_equal(jval_get_text(finding, "kind"), "stddev");
	assert_string_equal(jval_get_text(finding, "printed"), "11.5");
	assert_null(jval_get(finding, "expected"));
	jval_free(json);
	audit_release(&audit);
}

static void test_kinds_have_the_names_of_the_schema(void **state)
{
	(void)state;
	assert_string_equal(audit_kind_name(AUDIT_PERCENT), "percent");
	assert_string_equal(audit_kind_name(AUDIT_STYLE), "style");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_wrong_percentage_is_the_only_finding),
		cmocka_unit_test(test_noise_needs_the_number_of_runs),
		cmocka_unit_test(test_json_leaves_out_what_is_not_known),
		cmocka_unit_test(test_kinds_have_the_names_of_the_schema),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
