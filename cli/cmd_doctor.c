// SPDX-License-Identifier: GPL-2.0-or-later
/* schedgrid doctor: what this host can do for a grid, and what it can't. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "lib/err.h"
#include "runner/doctor.h"

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

static int print_findings(const struct doctor *doctor)
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
	return finish_stdout();
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
	int code;

	if (doctor_examine(&subject, &doctor, &err))
		return complain(&err, EXIT_HOST);
	if (wish->as_json)
		code = print_json(doctor_json(doctor));
	else
		code = print_findings(doctor);
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
	return complain_nomem();
}

static int open_subject(const struct wish *wish, struct session *session)
{
	const struct session_wish subject = { .path = wish->grid, .root = wish->root };
	struct err err = { 0 };
	int code = wish->root ? use_root(wish->root) : EXIT_DONE;

	if (code)
		return code;
	code = session_try(session, &subject, &err);
	return code ? complain(&err, code) : EXIT_DONE;
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
