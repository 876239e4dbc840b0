// SPDX-License-Identifier: GPL-2.0-or-later
/* Machine, policies and facts of a simulation; see sim_plan.h. */
#include "runner/sim_plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "policy/domains.h"
#include "record/host.h"
#include "runner/grid.h"
#include "runner/plan.h"
#include "runner/program.h"
#include "runner/sim_job.h"
#include "runner/sim_policy.h"
#include "runner/sim_settings.h"

static int refuse(const struct simulation *sim, size_t column, const struct err *why,
		  struct err *err)
{
	const struct grid_pos *pos = &sim->grid->columns[column].pos;

	return err_set(err, -EINVAL, "%s:%u:%u: column '%s': %s", sim->grid->file,
		       pos->line, pos->column, sim->grid->columns[column].name,
		       why->text);
}

static int open_column(struct simulation *sim, const struct host *host, size_t idx,
		       struct err *err)
{
	const struct grid_column *from = &sim->grid->columns[idx];
	struct sim_column *column = &sim->columns[idx];
	struct domain_rules rules;
	struct err why = { 0 };
	int bad;

	bad = sim_policy_name(from, host->release, &column->policy, &why);
	if (!bad)
		bad = policy_variant_find(column->policy, &column->variant, &why);
	if (!bad) {
		domain_rules_of(column->variant.release, &rules);
		bad = sim_domains_new(sim->machine.machine, &rules, from->settings,
				      &column->domains, &why);
	}
	if (!bad || bad == -ENOMEM)
		return bad ? err_nomem(err) : 0;
	if (bad != -EOPNOTSUPP)
		return refuse(sim, idx, &why, err);
	column->unfit = strdup(why.text);
	return column->unfit ? 0 : err_nomem(err);
}

static int open_machine(struct simulation *sim, struct err *err)
{
	char *folder = grid_folder(sim->grid);
	const struct grid_pos *pos = &sim->grid->sim_pos;
	struct err why = { 0 };
	int bad = folder ? sim_machine_open(sim->grid->sim, folder, &sim->machine, &why)
			 : err_nomem(&why);

	free(folder);
	if (!bad || bad == -ENOMEM)
		return bad ? err_nomem(err) : 0;
	return err_set(err, -EINVAL, "%s:%u:%u: %s", sim->grid->file, pos->line,
		       pos->column, why.text);
}

int simulation_open(const struct grid *grid, const struct host *host,
		    struct simulation **ret, struct err *err)
{
	struct simulation *sim = calloc(1, sizeof(*sim));
	size_t i;
	int bad;

	if (!sim)
		return err_nomem(err);
	sim->grid = grid;
	sim->columns = calloc(grid->nr_columns, sizeof(*sim->columns));
	bad = sim->columns ? open_machine(sim, err) : err_nomem(err);
	for (i = 0; !bad && i < grid->nr_columns; i++)
		bad = open_column(sim, host, i, err);
	if (bad)
		simulation_free(sim);
	else
		*ret = sim;
	return bad;
}

void simulation_free(struct simulation *sim)
{
	size_t i;

	if (!sim)
		return;
	for (i = 0; sim->columns && i < sim->grid->nr_columns; i++) {
		domains_free(sim->columns[i].domains);
		free(sim->columns[i].policy);
		free(sim->columns[i].unfit);
	}
	free(sim->columns);
	sim_machine_release(&sim->machine);
	free(sim);
}

static struct jval *or_nothing(struct jval *json, int bad)
{
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

struct jval *simulation_kernel(const struct simulation *sim, size_t column)
{
	const struct sim_column *from = &sim->columns[column];
	char *version = file_path("simulated: %s", from->variant.follows);
	struct jval *json = jval_object();
	int bad = version ? 0 : -ENOMEM;

	bad |= jval_put(json, "release", jval_from_string(from->policy));
	bad |= jval_put(json, "version", version ? jval_from_string(version) : NULL);
	free(version);
	return or_nothing(json, bad);
}

struct jval *simulation_json(const struct simulation *sim)
{
	struct jval *json = jval_object();
	int bad = jval_put(json, "machine", jval_from_string(sim->machine.name));

	bad |= jval_put(json, "sha256", jval_from_string(sim->machine.sha256));
	return or_nothing(json, bad);
}

int simulation_program(struct program *ret)
{
	*ret = (struct program){
		.word = strdup("sim"),
		.name = strdup("sim"),
		.version = strdup(SCHEDGRID_VERSION),
		.is_own = true,
	};
	if (ret->word && ret->name && ret->version)
		return 0;
	program_release(ret);
	return -ENOMEM;
}

int simulation_check(const struct simulation *sim, const struct cell *cell,
		     struct err *err)
{
	const struct sim_column *column = &sim->columns[cell->column];

	if (column->unfit)
		return err_set(err, -EOPNOTSUPP, "%s", column->unfit);
	return sim_job_check(&cell->workload, err);
}
