// SPDX-License-Identifier: GPL-2.0-or-later
/* A run directory that was copied holds iterations of the original. Laid beside each
 * other, every one of them counts once. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "compare/table.h"
#include "compare/table_build.h"
#include "compare/table_layout.h"

static int note_copy(struct table_build *build, size_t run)
{
	size_t *copies;

	if (build_is_copy(build, run))
		return 0;
	copies = build_grow(build->copies, build->nr_copies, sizeof(*copies));
	if (!copies)
		return -ENOMEM;
	build->copies = copies;
	copies[build->nr_copies++] = run;
	return 0;
}

/* The boot as its kernel calls it; only where no facts say that, as the run does. */
static const char *boot_text(struct table_build *build, const struct source *source)
{
	const struct build_host *host = build_host_of(build, source);
	const char *at = source->boot;

	if (host && host->boot_id)
		return host->boot_id;
	/* Behind the number of the run. */
	while (*at && *at != ' ')
		at++;
	return at;
}

/* The iteration that was seen first of those that are @idx; @idx where it has no other. */
static int first_of(struct table_build *build, size_t idx, size_t *ret)
{
	const struct execution *execution = &build->executions[idx];
	const struct source *source = &build->sources[execution->source_idx];
	char iteration[32];
	char attempt[32];
	const char *parts[] = { "twin",
				source->column,
				source->cell,
				boot_text(build, source),
				source->machine ? source->machine : "",
				iteration,
				attempt,
				execution->start,
				NULL };

	(void)snprintf(iteration, sizeof(iteration), "%" PRIu64, execution->iteration);
	(void)snprintf(attempt, sizeof(attempt), "%" PRIu64, execution->first);
	return build_index(build, parts, idx, ret);
}

int build_find_twins(struct table *table)
{
	struct table_build *build = table->build;
	size_t i;

	for (i = 0; build->run && i < build->nr_executions; i++) {
		struct execution *execution = &build->executions[i];
		struct execution *first;
		size_t idx;

		if (!execution->start || !build->sources[execution->source_idx].boot)
			continue;
		if (first_of(build, i, &idx))
			return -ENOMEM;
		if (idx == i)
			continue;
		first = &build->executions[idx];
		if (note_copy(build, build->sources[execution->source_idx].run))
			return -ENOMEM;
		/* Either may have been tried again since; the last attempt counts. */
		if (execution->attempt > first->attempt) {
			struct execution older = *first;

			*first = *execution;
			*execution = older;
		}
		execution->is_twin = true;
	}
	return 0;
}
