// SPDX-License-Identifier: GPL-2.0-or-later
/* The list of findings; see doctor.h. What is looked at is in doctor_*.c. */
#include "runner/doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/text.h"
#include "runner/doctor_checks.h"

static const char schema[] = "schedgrid-doctor-1";

const char *doctor_state_name(enum doctor_state state)
{
	static const char *const names[] = {
		[DOCTOR_OK] = "ok",
		[DOCTOR_MISSING] = "missing",
		[DOCTOR_NOTE] = "note",
	};

	return names[state];
}

static void finding_release(struct doctor_finding *finding)
{
	free(finding->thing);
	free(finding->text);
	free(finding->cost);
	free(finding->remedy);
}

void doctor_add(struct doctor *doctor, enum doctor_state state, const char *thing,
		const struct doctor_advice *advice, const char *fmt, ...)
{
	struct doctor_finding *findings =
		reallocarray(doctor->findings, doctor->nr + 1, sizeof(*findings));
	struct doctor_finding *finding;
	char raw[1024];
	char text[1024];
	va_list args;

	if (!findings) {
		doctor->nomem = true;
		return;
	}
	doctor->findings = findings;
	va_start(args, fmt);
	(void)vsnprintf(raw, sizeof(raw), fmt, args);
	va_end(args);
	text_printable(raw, text, sizeof(text));
	finding = &findings[doctor->nr++];
	*finding = (struct doctor_finding){
		.state = state,
		.thing = strdup(thing),
		.text = strdup(text),
		.cost = advice && advice->cost ? strdup(advice->cost) : NULL,
		.remedy = advice && advice->remedy ? strdup(advice->remedy) : NULL,
	};
	doctor->nomem |= !finding->thing || !finding->text ||
			 (advice && advice->cost && !finding->cost) ||
			 (advice && advice->remedy && !finding->remedy);
}

char *doctor_line(const struct doctor_subject *subject, const char *path)
{
	char *whole = file_path("%s%s", subject->root, path);
	char *line = whole ? file_read_line(whole) : NULL;

	free(whole);
	return line;
}

bool doctor_has(const struct doctor_subject *subject, const char *path, int mode)
{
	char *whole = file_path("%s%s", subject->root, path);
	bool has = whole && !access(whole, mode);

	free(whole);
	return has;
}

int doctor_examine(const struct doctor_subject *subject, struct doctor **ret,
		   struct err *err)
{
	struct doctor *doctor = calloc(1, sizeof(*doctor));
	int bad;

	if (!doctor)
		return err_nomem(err);
	bad = doctor_programs(subject, doctor, err);
	if (!bad) {
		doctor_grid(subject, doctor);
		doctor_kernel(subject, doctor);
		doctor_processor(subject, doctor);
		doctor_load(subject, doctor);
		doctor_monitors(subject, doctor);
		doctor_slurm(subject, doctor);
		if (doctor->nomem)
			bad = err_nomem(err);
	}
	if (bad)
		doctor_free(doctor);
	else
		*ret = doctor;
	return bad;
}

bool doctor_is_fit(const struct doctor *doctor)
{
	size_t i;

	for (i = 0; i < doctor->nr; i++)
		if (doctor->findings[i].state == DOCTOR_MISSING)
			return false;
	return true;
}

static int put_text(struct jval *object, const char *key, const char *text)
{
	return text ? jval_put(object, key, jval_from_string(text)) : 0;
}

static struct jval *finding_json(const struct doctor_finding *finding)
{
	struct jval *json = jval_object();
	int bad = 0;

	bad |= put_text(json, "state", doctor_state_name(finding->state));
	bad |= put_text(json, "thing", finding->thing);
	bad |= put_text(json, "text", finding->text);
	bad |= put_text(json, "cost", finding->cost);
	bad |= put_text(json, "remedy", finding->remedy);
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

struct jval *doctor_json(const struct doctor *doctor)
{
	struct jval *json = jval_object();
	struct jval *findings = jval_array();
	int bad = 0;
	size_t i;

	bad |= put_text(json, "schema", schema);
	bad |= jval_put(json, "fit", jval_from_bool(doctor_is_fit(doctor)));
	for (i = 0; i < doctor->nr; i++)
		bad |= jval_push(findings, finding_json(&doctor->findings[i]));
	bad |= jval_put(json, "findings", findings);
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

void doctor_free(struct doctor *doctor)
{
	size_t i;

	if (!doctor)
		return;
	for (i = 0; i < doctor->nr; i++)
		finding_release(&doctor->findings[i]);
	free(doctor->findings);
	free(doctor);
}
