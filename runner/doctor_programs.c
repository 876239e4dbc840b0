// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The programs that do the work, those that they start, and servers: whether each is
 * there in a version that can be used; see doctor_checks.h.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/bench.h"
#include "benchmarks/service.h"
#include "lib/err.h"
#include "lib/file.h"
#include "runner/doctor_checks.h"
#include "runner/plan.h"
#include "runner/program.h"

static bool is_told(const struct doctor *doctor, const char *thing)
{
	size_t i;

	for (i = 0; i < doctor->nr; i++)
		if (doctor->findings[i].thing &&
		    !strcmp(doctor->findings[i].thing, thing))
			return true;
	return false;
}

/**
 * struct trouble - why a program can't be used
 * @why: a sentence; code 0: it can
 * @package: that brings what is missing, NULL: none does
 */
struct trouble {
	struct err why;
	const char *package;
};

/* The program itself: 0, or -ENOENT or -EOPNOTSUPP with the sentence in @ret. */
static int judge_one(const struct workload *workload, const struct program *program,
		     struct trouble *ret)
{
	if (!program->path)
		(void)program_missing(workload, &ret->why);
	else
		(void)program_check(workload, program, &ret->why);
	/* What is there in a wrong version, the same package brings again. */
	if (ret->why.code && !program->path)
		ret->package = workload->program->package;
	return ret->why.code;
}

/* And those of others that it starts. */
static int judge(const struct workload *workload, const struct program *program,
		 struct trouble *ret, struct err *err)
{
	const struct bench_program *part = workload->program->starts;
	struct workload with = *workload;

	*ret = (struct trouble){ 0 };
	if (judge_one(workload, program, ret))
		return 0;
	for (; part && part->name && !ret->why.code; part++) {
		struct program found;

		with.program = part;
		if (program_find(&with, ".", &found, err))
			return err->code;
		(void)judge_one(&with, &found, ret);
		program_release(&found);
	}
	return 0;
}

/* How much the suite, or the grid, depends on a program. */
enum need { NICE_TO_HAVE, NEEDED };

static void tell(const struct program *program, const struct workload *workload,
		 const struct trouble *trouble, enum need need, struct doctor *doctor)
{
	const char *version = program->version;
	const char *slash = strrchr(program->name, '/');
	char *thing = file_path("program %s (%s)", slash ? slash + 1 : program->name,
				program->word);
	char *remedy = trouble->package
			       ? file_path("apt-get install %s", trouble->package)
			       : NULL;
	char *cost = file_path(need == NEEDED ? "its cells of %s are skipped"
					      : "%s can't be run with it",
			       workload->ops->name);
	struct doctor_advice advice = { cost, remedy };
	bool is_absent = !program->path;

	if (!thing || !cost)
		doctor->nomem = true;
	else if (is_told(doctor, thing))
		; /* One program may do the work of several workloads. */
	else if (!trouble->why.code)
		doctor_add(doctor, DOCTOR_OK, thing, NULL, "%s%s%s", program->path,
			   version ? ", version " : "", version ? version : "");
	else
		doctor_add(doctor, need == NEEDED ? DOCTOR_MISSING : DOCTOR_NOTE, thing,
			   &advice, is_absent ? "not found in %s" : "%s",
			   is_absent ? PROGRAM_PATH : trouble->why.text);
	free(cost);
	free(remedy);
	free(thing);
}

/* Half an installation: one of the suite's own isn't there. */
static int tell_lost(const struct workload *workload, const char *why,
		     struct doctor *doctor, struct err *err)
{
	static const struct doctor_advice advice = { "its workload can't run",
						     "make, or make install" };
	char *thing = file_path("program %s (%s)", workload->ops->name,
				workload->program->name);

	if (thing)
		doctor_add(doctor, DOCTOR_MISSING, thing, &advice, "%s", why);
	free(thing);
	return thing ? 0 : err_nomem(err);
}

/* One that is there and doesn't answer: whatever it is, it can't be used. */
static int tell_mute(const struct workload *workload, const char *why,
		     struct doctor *doctor, struct err *err)
{
	static const struct doctor_advice advice = { "a run that needs it ends there",
						     NULL };
	char *thing = file_path("program %s (%s)", workload->program->command,
				workload->program->name);

	if (thing && !is_told(doctor, thing))
		doctor_add(doctor, DOCTOR_MISSING, thing, &advice, "%s", why);
	free(thing);
	return thing ? 0 : err_nomem(err);
}

static int look_for(const struct workload *workload, struct doctor *doctor,
		    struct err *err)
{
	struct program program = { 0 };
	struct trouble trouble;
	struct err why = { 0 };
	int bad = program_find(workload, ".", &program, &why);

	if (bad == -ENOENT)
		return tell_lost(workload, why.text, doctor, err);
	if (bad == -ETIME || bad == -ECHILD)
		return tell_mute(workload, why.text, doctor, err);
	if (bad)
		return err_set(err, bad, "%s", why.text);
	bad = judge(workload, &program, &trouble, err);
	if (!bad)
		tell(&program, workload, &trouble, NICE_TO_HAVE, doctor);
	program_release(&program);
	return bad;
}

/* A variant that this machine lacks something for, such as a file; once for all. */
static void check_variant(const struct workload *workload, struct doctor *doctor)
{
	static const struct doctor_advice advice = { "its cells are skipped", NULL };
	const struct bench_ops *ops = workload->ops;
	char *variant = workload_variant(workload);
	char *thing = variant ? file_path("variant %s", variant) : NULL;
	struct err why = { 0 };

	if (!thing)
		doctor->nomem = true;
	else if (ops->check && !is_told(doctor, thing) &&
		 ops->check(workload, UINT_MAX, &why) == -EOPNOTSUPP)
		doctor_add(doctor, DOCTOR_NOTE, thing, &advice, "%s", why.text);
	free(thing);
	free(variant);
}

/* What only some choices need: a server, or something of the machine. */
static int look_at_variant(const struct workload *workload, struct doctor *doctor,
			   struct err *err)
{
	const struct bench_ops *ops = workload->ops;
	const struct bench_service *service =
		ops->service ? ops->service(workload) : NULL;
	struct workload server = *workload;

	check_variant(workload, doctor);
	if (!service)
		return 0;
	server.program = &service->program;
	return look_for(&server, doctor, err);
}

/* All combinations of a workload's choices. */
static int look_at_variants(const struct bench_ops *ops, struct doctor *doctor,
			    struct err *err)
{
	const struct bench_choice *choices = ops->choices;
	struct workload workload;
	size_t i;

	workload_init(&workload, ops);
	do {
		if (look_at_variant(&workload, doctor, err))
			return err->code;
		for (i = 0; choices[i].key; i++) {
			if (choices[i].words[++workload.choice[i]])
				break;
			workload.choice[i] = 0;
		}
	} while (choices[i].key);
	return 0;
}

static int all_programs(struct doctor *doctor, struct err *err)
{
	const struct bench_ops *const *ops;
	const struct bench_program *program;

	for (ops = bench_all(); *ops; ops++) {
		/* Its program is for the grid to say. */
		if ((*ops)->runs_command)
			continue;
		for (program = (*ops)->programs; program->name; program++) {
			struct workload workload;

			workload_init(&workload, *ops);
			workload.program = program;
			if (look_for(&workload, doctor, err))
				return err->code;
		}
		if (look_at_variants(*ops, doctor, err))
			return err->code;
	}
	return 0;
}

/* The first cell that needs the program, as its own or as its server. */
static bool find_user(const struct plan *plan, size_t program, struct workload *ret)
{
	size_t i;

	for (i = 0; i < plan->nr_cells; i++) {
		const struct cell *cell = &plan->cells[i];

		*ret = cell->workload;
		if (cell->program == program)
			return true;
		if (!cell->service || cell->server != program)
			continue;
		ret->program = &cell->service->program;
		return true;
	}
	return false;
}

int doctor_programs(const struct doctor_subject *subject, struct doctor *doctor,
		    struct err *err)
{
	const struct plan *plan = subject->plan;
	struct err local = { 0 };
	struct workload workload;
	struct trouble trouble;
	size_t i;

	err = err ? err : &local;
	if (!plan)
		return all_programs(doctor, err);
	for (i = 0; i < plan->nr_programs; i++) {
		if (!find_user(plan, i, &workload))
			continue;
		if (judge(&workload, &plan->programs[i], &trouble, err))
			return err->code;
		tell(&plan->programs[i], &workload, &trouble, NEEDED, doctor);
	}
	return 0;
}
