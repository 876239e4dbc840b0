// SPDX-License-Identifier: GPL-2.0-or-later
/* From a grid file to a plan on this machine: what plan and run begin with. */
#include <errno.h>
#include <string.h>

#include "cli/command.h"
#include "cli/restore.h"
#include "lib/err.h"
#include "lib/topo.h"
#include "record/host.h"
#include "runner/grid.h"
#include "runner/plan.h"
#include "runner/plan_settings.h"
#include "runner/run.h"

static int open_grid(struct session *session, const struct session_wish *wish,
		     struct err *err)
{
	int bad = grid_load(wish->path, &session->grid, err);

	if (bad)
		return bad == -EINVAL || bad == -ENOENT ? EXIT_CONFIG : EXIT_DATA;
	session->grid->allow_same = wish->columns != COLUMNS_DISTINCT;
	session->grid->root = wish->root ? wish->root : "";
	if (wish->columns != COLUMNS_SAME || !grid_make_same(session->grid))
		return EXIT_DONE;
	(void)err_nomem(err);
	return EXIT_HOST;
}

int session_try(struct session *session, const struct session_wish *wish, struct err *err)
{
	int code;
	int bad;

	*session = (struct session){ 0 };
	code = wish->path ? open_grid(session, wish, err) : EXIT_DONE;
	if (code)
		return code;
	if (topo_discover(&session->topo, err) ||
	    host_discover_at(wish->root ? wish->root : "", session->topo, &session->host,
			     err))
		return wish->root ? EXIT_CONFIG : EXIT_HOST;
	if (!session->grid)
		return EXIT_DONE;
	if (plan_is_here(session->grid) &&
	    plan_tell_effects(session->grid, session->host->release)) {
		(void)err_nomem(err);
		return EXIT_HOST;
	}
	bad = plan_build(session->grid, session->topo, session->host, &session->plan,
			 err);
	if (bad)
		return bad == -EINVAL ? EXIT_CONFIG : EXIT_HOST;
	return EXIT_DONE;
}

int session_open(struct session *session, const char *path, enum session_columns columns)
{
	struct session_wish wish = { .path = path, .columns = columns };
	struct err err = { 0 };
	const char *root;
	int code;

	*session = (struct session){ 0 };
	if (restore_root(&root, &err))
		return complain(&err, EXIT_CONFIG);
	wish.root = *root ? root : NULL;
	code = session_try(session, &wish, &err);
	return code ? complain(&err, code) : EXIT_DONE;
}

char *session_dir(const struct session *session, const char *dir)
{
	char *ret = dir ? strdup(dir) : run_default_dir(session->plan);

	if (!ret)
		(void)complain_nomem();
	return ret;
}

void session_close(struct session *session)
{
	plan_free(session->plan);
	host_free(session->host);
	topo_free(session->topo);
	grid_free(session->grid);
}
