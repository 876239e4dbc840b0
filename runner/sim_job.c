// SPDX-License-Identifier: GPL-2.0-or-later
/* Runs a workload's model in the simulator; see sim_job.h. */
#include "runner/sim_job.h"

#include <errno.h>
#include <math.h>

#include "benchmarks/model.h"
#include "lib/cpulist.h"
#include "lib/err.h"
#include "lib/rng.h"
#include "policy/domains.h"
#include "policy/sim.h"
#include "runner/sim_places.h"

static int build_graph(const struct workload *workload, struct program_graph *graph,
		       struct err *err)
{
	int bad = workload->ops->model->graph(workload, graph, err);

	if (!bad && graph->is_short)
		bad = err_nomem(err);
	return bad;
}

int sim_job_check(const struct workload *workload, struct err *err)
{
	struct program_graph graph = { 0 };
	struct err why = { 0 };
	int bad;

	if (!workload->ops->model)
		return err_set(err, -EOPNOTSUPP, "workload '%s' has no model to simulate",
			       workload->ops->name);
	bad = build_graph(workload, &graph, &why);
	program_graph_free(&graph);
	if (bad == -ENOMEM)
		return err_nomem(err);
	return bad ? err_set(err, -EOPNOTSUPP, "%s", why.text) : 0;
}

/* Nobody pins a program's first task to one CPU. */
static int first_cpu(const struct sim_job *job)
{
	struct rng rng;

	rng_seed(&rng, job->seed, UINT64_MAX);
	return (int)job->cpus->cpu[rng_below(&rng, job->cpus->nr)];
}

static int run_graph(const struct sim_job *job, const struct program_graph *graph,
		     struct sim_places *places, struct sim_result *ret, struct err *err)
{
	struct cpumask allowed = { { 0 } };
	const struct sim_options options = {
		.variant = job->variant,
		.domains = job->domains,
		.costs = job->costs,
		.graph = graph,
		.allowed = &allowed,
		.first_cpu = first_cpu(job),
		.seed = job->seed,
		.limit_ns = job->limit_ns,
		.observe = sim_places_observe,
		.arg = places,
	};
	size_t i;

	for (i = 0; i < job->cpus->nr; i++)
		cpumask_add(&allowed, (int)job->cpus->cpu[i]);
	return sim_run(&options, ret, err);
}

static double share(uint64_t part_ns, uint64_t all_ns)
{
	return all_ns ? (double)part_ns / (double)all_ns : (double)NAN;
}

int sim_job_run(const struct sim_job *job, struct sim_report *ret, struct err *err)
{
	const struct bench_model *model = job->workload->ops->model;
	struct sim_report report = { 0 };
	struct program_graph graph = { 0 };
	struct sim_result result = { 0 };
	struct sim_places places;
	int bad = sim_places_begin(&places, job->domains->machine) ? err_nomem(err) : 0;

	if (!bad)
		bad = build_graph(job->workload, &graph, err);
	if (!bad)
		bad = run_graph(job, &graph, &places, &result, err);
	if (!bad)
		bad = model->samples(job->workload, &result.outcome, &report.samples,
				     err);
	if (!bad) {
		sim_places_end(&places);
		report.placement = places.placement;
		report.placement.idle_share =
			share(result.overloaded_idle_ns, result.outcome.end_ns);
		*ret = report;
	}
	sim_result_free(&result);
	program_graph_free(&graph);
	sim_places_release(&places);
	return bad;
}
