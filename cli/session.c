// SPDX-License-Identifier: GPL-2.0-or-later
/* From a grid file to a plan on this machine: what plan and run begin with. */
#include <errno.h>

#include "cli/command.h"
#include "lib/err.h"
#include "lib/topo.h"
#include "record/host.h"
#include "runner/grid.h"
#include "runner/plan.h"

int session_try(struct session *session, const char *path, enum session_columns columns,
		struct err *err)
{
	int bad;

	*session = (struct session){ 0 };
	bad = grid_load(path, &session->grid, err);
	if (bad)
		return bad == -EINVAL || bad == -ENOENT ? EXIT_CONFIG : EXIT_DATA;
	session->grid->allow_same = columns != COLUMNS_DISTINCT;
	if (columns == COLUMNS_SAME && grid_make_same(session->grid)) {
		(void)err_nomem(err);
		return EXIT_HOST;
	}
	if (topo_discover(&session->topo, err) ||
	    host_discover(session->topo, &session->host, err))
		return EXIT_HOST;
	bad = plan_build(session->grid, session->topo, session->host, &session->plan,
			 err);
	if (bad)
		return bad == -EINVAL ? EXIT_CONFIG : EXIT_HOST;
	return EXIT_DONE;
}

int session_open(struct session *session, const char *path, enum session_columns columns)
{
	struct err err = { 0 };
	int code = session_try(session, path, columns, &err);

	return code ? complain(&err, code) : EXIT_DONE;
}

void session_close(struct session *session)
{
	plan_free(session->plan);
	host_free(session->host);
	topo_free(session->topo);
	grid_free(session->grid);
}
