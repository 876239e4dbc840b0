// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * schedgrid publish: results to where others look for them. All of it lies in the spool
 * before anything is sent, so that measuring never depends on a server.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/command.h"
#include "cli/publish_parts.h"
#include "lib/clock.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/scratch.h"
#include "runner/anonymize.h"
#include "runner/publish.h"
#include "runner/publish_target.h"
#include "runner/spool.h"

static const struct option_def options[] = {
	{ "to", 0, "TARGET", "a target's name" },
	{ "retry", 0, NULL, "send what waits and is due; the entries named, due or not" },
	{ "list", 0, NULL, "print what waits" },
	{ "anonymize", 0, NULL, "leave out the user, names of machines, and paths" },
	{ "targets", 0, "FILE",
	  "file of targets, mode 0600 (default: ~/.config/schedgrid/targets.yaml)" },
	{ "spool", 0, "DIR",
	  "where entries wait (default: ~/.local/state/schedgrid/spool)" },
	{ 0 },
};

/* struct wish - what the command line asks for; @targets and @spool are owned */
struct wish {
	const char *to;
	char *targets, *spool;
	bool retries, lists, anonymizes;
};

static uint64_t now_s(void)
{
	return (uint64_t)time(NULL);
}

/* A folder that the user may move by @variable; NULL after saying why there is none. */
static char *user_path(const char *variable, const char *usual, const char *rest)
{
	const char *moved = getenv(variable);
	const char *home = getenv("HOME");
	char *path;

	if (moved && *moved == '/') {
		path = file_path("%s/schedgrid/%s", moved, rest);
	} else if (home && *home == '/') {
		path = file_path("%s/%s/schedgrid/%s", home, usual, rest);
	} else {
		say("publish: neither %s nor HOME is set (expected --targets FILE and "
		    "--spool DIR)",
		    variable);
		return NULL;
	}
	if (!path)
		(void)complain_nomem();
	return path;
}

static int complain_config(const struct err *err)
{
	bool is_config =
		err->code == -EINVAL || err->code == -ENOENT || err->code == -EPERM;

	return is_config ? complain(err, EXIT_CONFIG) : complain_data(err);
}

static int tell(const struct spool_entry *entry, enum publish_outcome outcome)
{
	uint64_t now = now_s();
	char span[CLOCK_SPAN_SIZE];

	switch (outcome) {
	case PUBLISH_SENT:
		say("%s: published to '%s'", entry->id, entry->target);
		return EXIT_DONE;
	case PUBLISH_LATER:
		clock_span((entry->next_s > now ? entry->next_s - now : 0) * CLOCK_SEC,
			   span);
		say("%s; '%s' stays in the spool, 'schedgrid publish --retry' tries it "
		    "again in %s or later",
		    entry->reason, entry->id, span);
		return EXIT_TRY_AGAIN;
	case PUBLISH_REFUSED:
	default:
		say("%s; '%s' stays in the spool, marked as failed: 'schedgrid publish "
		    "--retry %s' tries it again",
		    entry->reason, entry->id, entry->id);
		return EXIT_DATA;
	}
}

/* @is_asked: also what isn't due, or failed. */
static int send_entry(const struct wish *wish, const struct publish_targets *targets,
		      const char *id, bool is_asked)
{
	const struct publish_target *target;
	enum publish_outcome outcome = PUBLISH_LATER;
	struct spool_entry entry;
	struct err err = { 0 };
	int code = EXIT_DONE;
	int bad = spool_open(wish->spool, id, &entry, &err);

	/* Sent by another publisher, which was faster. */
	if (bad == -ENOENT && !is_asked)
		return EXIT_DONE;
	if (bad == -EBUSY)
		return complain(&err, EXIT_TRY_AGAIN);
	if (bad)
		return complain_config(&err);
	if (is_asked || (!entry.is_failed && entry.next_s <= now_s())) {
		target = publish_target_find(targets, entry.target, &err);
		bad = target ? publish_send(&entry, target, now_s(), &outcome, &err)
			     : err.code;
		code = bad ? complain_config(&err) : tell(&entry, outcome);
	}
	spool_close(&entry);
	return code;
}

/* Failures weigh more than what is only put off. */
static int worse(int a, int b)
{
	if (a == EXIT_DONE || b == EXIT_DONE)
		return a == EXIT_DONE ? b : a;
	return a == EXIT_TRY_AGAIN ? b : a;
}

static int retry(const struct wish *wish, const struct publish_targets *targets,
		 char **asked, size_t nr_asked)
{
	struct err err = { 0 };
	char **ids = NULL;
	int code = EXIT_DONE;
	size_t i;

	for (i = 0; i < nr_asked; i++)
		code = worse(code, send_entry(wish, targets, asked[i], true));
	if (nr_asked)
		return code;
	if (spool_list(wish->spool, &ids, &err))
		return complain_data(&err);
	for (i = 0; ids[i]; i++)
		code = worse(code, send_entry(wish, targets, ids[i], false));
	spool_list_free(ids);
	return code;
}

static void print_entry(const struct spool_entry *entry)
{
	uint64_t now = now_s();
	char span[CLOCK_SPAN_SIZE];

	clock_span((entry->next_s > now ? entry->next_s - now : 0) * CLOCK_SEC, span);
	(void)printf("%s: %zu of %zu sent, %" PRIu64 " tries, %s%s%s%s\n", entry->id,
		     entry->nr_sent, entry->nr_parts, entry->nr_tries,
		     entry->is_failed	    ? "failed"
		     : entry->next_s <= now ? "due"
					    : "due in ",
		     entry->is_failed || entry->next_s <= now ? "" : span,
		     entry->reason ? ": " : "", entry->reason ? entry->reason : "");
}

static int list(const struct wish *wish)
{
	struct err err = { 0 };
	char **ids = NULL;
	int code = EXIT_DONE;
	size_t i;

	if (spool_list(wish->spool, &ids, &err))
		return complain_data(&err);
	for (i = 0; ids[i]; i++) {
		struct spool_entry entry;
		struct err why = { 0 };
		int bad = spool_open(wish->spool, ids[i], &entry, &why);

		if (!bad)
			print_entry(&entry);
		else if (bad == -EBUSY)
			(void)printf("%s: being sent\n", ids[i]);
		else if (bad != -ENOENT)
			code = complain_data(&why);
		spool_close(&entry);
	}
	spool_list_free(ids);
	return code == EXIT_DONE ? finish_stdout() : code;
}

static int spool_named(const struct wish *wish, const struct publish_target *target,
		       const char *dir, const char *run, char **ret_id, struct err *err)
{
	struct publish_parts parts = { 0 };
	struct spool_content content;
	int bad = publish_parts_make(dir, run, target, &parts, err);

	content = (struct spool_content){ target->name, parts.part, parts.nr };
	if (!bad)
		bad = spool_add(wish->spool, &content, now_s(), ret_id, err);
	publish_parts_release(&parts);
	return bad;
}

/* All that is published is made of the copy, so nothing can be forgotten. */
static int spool_copy(const struct wish *wish, const struct publish_target *target,
		      const char *dir, const char *run, char **ret_id, struct err *err)
{
	struct anonymize_names names = { 0 };
	struct scratch scratch;
	char *copy = NULL;
	char *safe = NULL;
	int bad = scratch_open(&scratch, err);

	if (bad)
		return bad;
	bad = anonymize_names_read(dir, &names, err);
	if (!bad) {
		safe = anonymize_text(&names, run);
		copy = file_path("%s/run", scratch.dir);
		bad = safe && copy ? anonymize_run(dir, &names, copy, err)
				   : err_nomem(err);
	}
	if (!bad)
		bad = spool_named(wish, target, copy, safe, ret_id, err);
	scratch_close(&scratch);
	anonymize_names_release(&names);
	free(copy);
	free(safe);
	return bad;
}

static int spool_run(const struct wish *wish, const struct publish_target *target,
		     const char *dir, char **ret_id, struct err *err)
{
	char *name = publish_run_name(dir, err);
	int bad = !name		     ? err->code
		  : wish->anonymizes ? spool_copy(wish, target, dir, name, ret_id, err)
				     : spool_named(wish, target, dir, name, ret_id, err);

	free(name);
	return bad;
}

static int publish(const struct wish *wish, const struct publish_targets *targets,
		   const char *dir)
{
	struct err err = { 0 };
	char *id = NULL;
	int code;
	const struct publish_target *target =
		publish_target_find(targets, wish->to, &err);

	if (!target || spool_run(wish, target, dir, &id, &err))
		return complain_config(&err);
	code = send_entry(wish, targets, id, true);
	free(id);
	return code;
}

static int with_targets(const struct wish *wish, int argc, char **argv)
{
	struct publish_targets targets;
	struct err err = { 0 };
	int code;

	if (publish_targets_read(wish->targets, &targets, &err))
		return complain_config(&err);
	code = wish->retries ? retry(wish, &targets, argv, (size_t)argc)
			     : publish(wish, &targets, argv[0]);
	publish_targets_release(&targets);
	return code;
}

static int take_option(struct wish *wish, const char *name, const char *argument)
{
	char **path = !strcmp(name, "targets") ? &wish->targets
		      : !strcmp(name, "spool") ? &wish->spool
					       : NULL;

	if (path) {
		free(*path);
		*path = strdup(argument);
		return *path ? EXIT_DONE : complain_nomem();
	}
	if (!strcmp(name, "to"))
		wish->to = argument;
	else if (!strcmp(name, "retry"))
		wish->retries = true;
	else if (!strcmp(name, "anonymize"))
		wish->anonymizes = true;
	else
		wish->lists = true;
	return EXIT_DONE;
}

static int carry_out(struct wish *wish, int argc, char **argv)
{
	if (wish->lists + wish->retries + (wish->to != NULL) != 1 ||
	    (wish->to && argc != 1) || (wish->lists && argc) ||
	    (wish->anonymizes && !wish->to)) {
		say("publish: either RUN and --to TARGET (with or without --anonymize), "
		    "--retry, or --list expected");
		return EXIT_CONFIG;
	}
	if (!wish->spool)
		wish->spool = user_path("XDG_STATE_HOME", ".local/state", "spool");
	if (!wish->targets && !wish->lists)
		wish->targets = user_path("XDG_CONFIG_HOME", ".config", "targets.yaml");
	if (!wish->spool || (!wish->targets && !wish->lists))
		return EXIT_CONFIG;
	return wish->lists ? list(wish) : with_targets(wish, argc, argv);
}

static int run(int argc, char **argv)
{
	struct options opts = { &cmd_publish, argc, argv };
	const struct option_def *option;
	struct wish wish = { 0 };
	const char *argument;
	int taken = EXIT_DONE;
	int code;

	while (taken == EXIT_DONE && (option = options_next(&opts, &argument, &code)))
		taken = take_option(&wish, option->name, argument);
	if (taken != EXIT_DONE)
		code = taken;
	else if (!code)
		code = carry_out(&wish, opts.argc, opts.argv);
	else
		code = code < 0 ? EXIT_DONE : code;
	free(wish.targets);
	free(wish.spool);
	return code;
}

const struct command cmd_publish = {
	.name = "publish",
	.synopsis = "RUN --to TARGET [--anonymize] | --retry [ENTRY...] | --list",
	.summary = "Send a run's results to where others look for them",
	.options = options,
	.run = run,
};
