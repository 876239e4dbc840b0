// SPDX-License-Identifier: GPL-2.0-or-later
/* Collects what the rules find; see audit.h. */
#include "compare/audit.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/audit_rules.h"
#include "compare/posted.h"
#include "lib/err.h"
#include "lib/json.h"

const char *audit_kind_name(enum audit_kind kind)
{
	static const char *const names[] = {
		[AUDIT_PERCENT] = "percent",	 [AUDIT_SIGN] = "sign",
		[AUDIT_STDDEV] = "stddev",	 [AUDIT_NOISE] = "noise",
		[AUDIT_DUPLICATE] = "duplicate", [AUDIT_STYLE] = "style",
	};

	return names[kind];
}

void audit_copy(const struct posted_token *token, char *out)
{
	(void)snprintf(out, AUDIT_TEXT_SIZE, "%.*s", (int)token->len, token->text);
}

static void drop_finding(struct audit_finding *finding)
{
	free(finding->printed);
	free(finding->expected);
	free(finding->text);
}

int audit_add(struct audit *audit, const struct audit_finding *finding, const char *fmt,
	      ...)
{
	struct audit_finding *grown = reallocarray(
		audit->findings, audit->nr_findings + 1, sizeof(*audit->findings));
	struct audit_finding copy = { .line = finding->line, .kind = finding->kind };
	va_list args;

	if (!grown)
		return -ENOMEM;
	audit->findings = grown;
	copy.printed = strdup(finding->printed);
	copy.expected = finding->expected ? strdup(finding->expected) : NULL;
	va_start(args, fmt);
	if (vasprintf(&copy.text, fmt, args) < 0)
		copy.text = NULL;
	va_end(args);
	if (!copy.printed || !copy.text || (finding->expected && !copy.expected)) {
		drop_finding(&copy);
		return -ENOMEM;
	}
	grown[audit->nr_findings++] = copy;
	return 0;
}

static int by_line(const void *a, const void *b)
{
	const struct audit_finding *left = a;
	const struct audit_finding *right = b;

	if (left->line != right->line)
		return left->line < right->line ? -1 : 1;
	return (int)left->kind - (int)right->kind;
}

int audit_posted(struct audit *audit, const struct posted *posted, struct err *err)
{
	int bad;
	size_t i;

	*audit = (struct audit){ 0 };
	bad = audit_percents(audit, posted);
	for (i = 0; !bad && i < posted->nr_tables; i++) {
		if (posted->tables[i].is_copy)
			continue;
		audit->nr_tables++;
		bad = audit_deviations(audit, &posted->tables[i]);
		if (!bad)
			bad = audit_duplicates(audit, &posted->tables[i]);
	}
	if (!bad)
		bad = audit_claims(audit, posted);
	if (audit->nr_findings)
		qsort(audit->findings, audit->nr_findings, sizeof(*audit->findings),
		      by_line);
	return bad ? err_nomem(err) : 0;
}

void audit_release(struct audit *audit)
{
	size_t i;

	for (i = 0; i < audit->nr_findings; i++)
		drop_finding(&audit->findings[i]);
	free(audit->findings);
	*audit = (struct audit){ 0 };
}

static struct jval *finding_json(const struct audit_finding *finding)
{
	struct jval *json = jval_object();
	int bad = 0;

	bad |= jval_put(json, "line", jval_from_uint(finding->line));
	bad |= jval_put(json, "kind", jval_from_string(audit_kind_name(finding->kind)));
	bad |= jval_put(json, "printed", jval_from_string(finding->printed));
	if (finding->expected)
		bad |= jval_put(json, "expected", jval_from_string(finding->expected));
	bad |= jval_put(json, "text", jval_from_string(finding->text));
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

struct jval *audit_json(const struct audit *audit)
{
	struct jval *json = jval_object();
	struct jval *findings = jval_array();
	int bad = 0;
	size_t i;

	bad |= jval_put(json, "schema", jval_from_string("schedgrid-audit-1"));
	for (i = 0; i < audit->nr_findings; i++)
		bad |= jval_push(findings, finding_json(&audit->findings[i]));
	bad |= jval_put(json, "findings", findings);
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}
