// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes the facts of a simulated machine; see sim_host.h. */
#include "runner/sim_host.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "record/host.h"
#include "runner/sim_plan.h"

static int save(const struct simulation *sim, size_t column, const char *dir,
		const char *boot, struct err *err)
{
	struct host host = { .facts = jval_object() };
	struct jval *facts = host.facts;
	int bad = jval_put(facts, "schema", jval_from_string("schedgrid-host-1"));

	bad |= jval_put(facts, "machine", jval_from_string(sim->machine.name));
	bad |= jval_put(facts, "kernel", simulation_kernel(sim, column));
	bad |= jval_put(facts, "topology", host_topology(sim->machine.topo));
	bad |= jval_put(facts, "sim", simulation_json(sim));
	bad = bad ? err_nomem(err) : host_save_as(&host, dir, boot, err);
	jval_free(facts);
	return bad;
}

int sim_host_keep(const struct simulation *sim, size_t column, const char *dir,
		  const char *boot, struct err *err)
{
	char *path = file_path("%s/hosts/%s.json", dir, boot);
	int bad = 0;

	if (!path)
		return err_nomem(err);
	if (access(path, F_OK))
		bad = save(sim, column, dir, boot, err);
	free(path);
	return bad;
}
