// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether a Slurm keeps out of what its jobs measure, for grids that it runs. */
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/proc.h"
#include "runner/doctor_checks.h"
#include "runner/grid.h"
#include "runner/plan.h"
#include "runner/slurm_call.h"

static const char thing[] = "slurm";

/* struct rule - what a setting should be */
struct rule {
	const char *key, *value, *cost;
};

static const struct rule rules[] = {
	{ "ProctrackType", "proctrack/linuxproc",
	  "a cgroup of the job's own is another task group than on a machine by itself" },
	{ "TaskPlugin", "task/none", "Slurm pins what is measured" },
	{ "JobAcctGatherType", "jobacct_gather/none",
	  "it wakes up in the middle of what is measured" },
	{ "HealthCheckProgram", "(null)", "it runs in the middle of what is measured" },
	{ "NodeFeaturesPlugins", "node_features/helpers",
	  "no node boots into the kernel that a column asks for" },
	{ "RequeueExit", "75", "a task that has to wait for another counts as failed" },
};

static void check_rule(const char *config, const struct rule *rule, struct doctor *doctor,
		       size_t *nr_broken)
{
	char *value = slurm_setting(config, rule->key);
	const struct doctor_advice advice = { rule->cost,
					      "the lines of configs/slurm/slurm.conf" };

	if (value && strcmp(value, rule->value) != 0) {
		(*nr_broken)++;
		doctor_add(doctor, DOCTOR_NOTE, thing, &advice, "%s is %s (expected %s)",
			   rule->key, value, rule->value);
	}
	free(value);
}

static void check_prolog(const char *config, struct doctor *doctor, size_t *nr_broken)
{
	static const struct doctor_advice advice = {
		"a node whose boot fell back to another kernel isn't drained; its tasks "
		"measure nothing and fail",
		"Prolog as in configs/slurm/slurm.conf"
	};
	char *value = slurm_setting(config, "Prolog");

	if (value && !strcmp(value, "(null)")) {
		(*nr_broken)++;
		doctor_add(doctor, DOCTOR_NOTE, thing, &advice, "there is no Prolog");
	}
	free(value);
}

void doctor_slurm_config(const char *config, struct doctor *doctor)
{
	size_t nr_broken = 0;
	size_t i;

	for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		check_rule(config, &rules[i], doctor, &nr_broken);
	check_prolog(config, doctor, &nr_broken);
	if (!nr_broken)
		doctor_add(doctor, DOCTOR_OK, thing, NULL,
			   "its settings keep out of what is measured");
}

/* Inside a job: what Slurm made for it. */
static void check_job(const struct doctor_subject *subject, struct doctor *doctor)
{
	static const struct doctor_advice advice = {
		"what is measured competes as one group, and may have a part of the CPUs "
		"only",
		"ProctrackType and TaskPlugin as in configs/slurm/slurm.conf"
	};
	char *line = doctor_line(subject, "/proc/self/cgroup");

	if (line && strstr(line, "/job_"))
		doctor_add(doctor, DOCTOR_NOTE, thing, &advice,
			   "this job runs in a cgroup of its own: %s", line);
	free(line);
}

void doctor_slurm(const struct doctor_subject *subject, struct doctor *doctor)
{
	static const struct doctor_advice advice = {
		"its settings aren't known",
		"a Slurm that runs, and SLURM_CONF where it needs it"
	};
	struct proc_watch watch;
	struct err why = { 0 };
	char *config = NULL;

	if (!subject->plan || !subject->plan->grid->slurm)
		return;
	check_job(subject, doctor);
	if (!proc_watch_open(&watch, &why)) {
		(void)slurm_ask_config(&watch, &config, &why);
		proc_watch_close(&watch);
	}
	if (config)
		doctor_slurm_config(config, doctor);
	else
		doctor_add(doctor, DOCTOR_NOTE, thing, &advice, "%s", why.text);
	free(config);
}
