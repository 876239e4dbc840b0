// SPDX-License-Identifier: GPL-2.0-or-later
/* schedgrid doctor: what this host can do for a grid, and what it can't. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "lib/err.h"
#include "lib/json.h"
#include "lib/topo.h"
#include "record/host.h"
#include "runner/doctor.h"
#include "runner/grid.h"
#include "runner/plan.h"

static const struct option_def options[] = {
	{ "json", 0, NULL, "print the findings as JSON" },
	{ "monitors", 0, NULL, "measure what monitors cost, by a short hackbench" },
	{ "root", 0, "DIR", "look at the /proc and /sys below DIR instead" },
	{ 0 },
};

/**
 * struct wish - what the command line asks for
 * @grid: file, NULL: everything the suite has
 */
struct wish {
	const char *grid, *root;
	bool as_json, measures_monitors;
};

static void print_findings(const struct doctor *doctor)
{
	size_t i;

	for (i = 0; i < doctor->nr; i++) {
		const struct doctor_finding *finding = &doctor->findings[i];

		(void)printf("%-8s%s: %s", doctor_state_name(finding->state),
			     finding->thing, finding->text);
		if (finding->cost)
			(void)printf("; costs: %s", finding->cost);
		if (finding->remedy)
			(void)printf("; remedy: %s", finding->remedy);
		(void)putchar('\n');
	}
}

static int print_json(const struct doctor *doctor)
{
	struct jval *json = doctor_json(doctor);
	char *text = json ? jval_write(json, JVAL_SAFE) : NULL;

	jval_free(json);
	if (!text) {
		say("out of memory");
		return EXIT_HOST;
	}
	(void)puts(text);
	free(text);
	return EXIT_DONE;
}

static int examine(const struct wish *wish, const struct session *session)
{
	struct doctor_subject subject = {
		.root = wish->root ? wish->root : "",
		.topo = session->topo,
		.host = session->host,
		.plan = session->plan,
		.dir = access("results", F_OK) ? "." : "results",
		.measures_monitors = wish->measures_monitors,
	};
	struct doctor *doctor = NULL;
	struct err err = { 0 };
	int code = EXIT_DONE;

	if (doctor_examine(&subject, &doctor, &err))
		return complain(&err, EXIT_HOST);
	if (wish->as_json)
		code = print_json(doctor);
	else
		print_findings(doctor);
	if (!code)
		code = finish_stdout();
	if (!code && !doctor_is_fit(doctor))
		code = EXIT_HOST;
	doctor_free(doctor);
	return code;
}

/* Where the readers of the topology and of facts look; EXIT_DONE or said why not. */
static int use_root(const char *root)
{
	struct err err = { 0 };

	if (access(root, R_OK | X_OK)) {
		err_set(&err, -errno, "--root: cannot read '%s': %m", root);
		return complain(&err, EXIT_CONFIG);
	}
	if (!setenv("HWLOC_FSROOT", root, 1))
		return EXIT_DONE;
	say("out of memory");
	return EXIT_HOST;
}

/* As session_open(), but for a machine that may be another's. */
static int open_subject(const struct wish *wish, struct session *session)
{
	struct err err = { 0 };
	int bad = 0;
	int code;

	if (wish->grid)
		bad = grid_load(wish->grid, &session->grid, &err);
	if (bad)
		return complain(&err, bad == -EINVAL || bad == -ENOENT ? EXIT_CONFIG
								       : EXIT_DATA);
	code = wish->root ? use_root(wish->root) : EXIT_DONE;
	if (code)
		return code;
	bad = topo_discover(&session->topo, &err);
	if (!bad)
		bad = host_discover_at(wish->root ? wish->root : "", session->topo,
				       &session->host, &err);
	if (bad)
		return complain(&err, wish->root ? EXIT_CONFIG : EXIT_HOST);
	if (!session->grid)
		return EXIT_DONE;
	bad = plan_build(session->grid, session->topo, session->host, &session->plan,
			 &err);
	return bad ? complain(&err, bad == -EINVAL ? EXIT_CONFIG : EXIT_HOST) : EXIT_DONE;
}

static int run(int argc, char **argv)
{
	struct options opts = { &cmd_doctor, argc, argv };
	struct session session = { 0 };
	const struct option_def *option;
	struct wish wish = { 0 };
	const char *argument;
	int code;

	while ((option = options_next(&opts, &argument, &code))) {
		if (!strcmp(option->name, "root"))
			wish.root = argument;
		else if (!strcmp(option->name, "monitors"))
			wish.measures_monitors = true;
		else
			wish.as_json = true;
	}
	if (code)
		return code < 0 ? EXIT_DONE : code;
	if (opts.argc > 1) {
		say("doctor: one grid file at most");
		return EXIT_CONFIG;
	}
	if (wish.root && wish.measures_monitors) {
		say("doctor: --monitors measures this host and can't go with --root");
		return EXIT_CONFIG;
	}
	wish.grid = opts.argc ? opts.argv[0] : NULL;
	code = open_subject(&wish, &session);
	if (!code)
		code = examine(&wish, &session);
	session_close(&session);
	return code;
}

const struct command cmd_doctor = {
	.name = "doctor",
	.synopsis = "[GRID] [--json] [--monitors] [--root DIR]",
	.summary = "What this host can do for a grid, and what it can't",
	.options = options,
	.run = run,
};
