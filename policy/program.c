// SPDX-License-Identifier: GPL-2.0-or-later
/* Building graphs of programs; see program.h. */
#include "policy/program.h"

#include <errno.h>
#include <stdlib.h>

/* @array with room for @nr elements, or NULL and @graph is short. */
static void *grow(struct program_graph *graph, void *array, size_t nr, size_t size)
{
	void *bigger = graph->is_short ? NULL : reallocarray(array, nr, size);

	if (!bigger)
		graph->is_short = true;
	return bigger;
}

int program_new(struct program_graph *graph, const char *name, bool is_thread,
		unsigned int footprint_kib)
{
	struct program *programs =
		grow(graph, graph->programs, graph->nr_programs + 1, sizeof(*programs));

	if (!programs)
		return 0;
	graph->programs = programs;
	programs[graph->nr_programs] = (struct program){
		.name = name,
		.is_thread = is_thread,
		.footprint_kib = footprint_kib,
	};
	return (int)graph->nr_programs++;
}

void program_add(struct program_graph *graph, int number, struct program_step step)
{
	struct program *program;

	if (graph->is_short)
		return;
	program = &graph->programs[number];
	if (program->nr_steps == program->room) {
		size_t room = program->room ? 2 * program->room : 8;
		struct program_step *steps =
			grow(graph, program->steps, room, sizeof(*steps));

		if (!steps)
			return;
		program->steps = steps;
		program->room = room;
	}
	program->steps[program->nr_steps++] = step;
}

void program_repeat(struct program_graph *graph, int number, unsigned int steps,
		    uint64_t times, int counter)
{
	if (times > 1)
		program_add(graph, number,
			    PROGRAM_STEP(.op = PROGRAM_REPEAT, .object = counter,
					 .back = steps, .amount = times - 1));
}

int program_channels(struct program_graph *graph, struct program_channel channel,
		     size_t nr)
{
	struct program_channel *channels = grow(
		graph, graph->channels, graph->nr_channels + nr + 1, sizeof(*channels));
	size_t first = graph->nr_channels;

	if (!channels)
		return 0;
	graph->channels = channels;
	while (graph->nr_channels < first + nr)
		channels[graph->nr_channels++] = channel;
	return (int)first;
}

int program_barrier(struct program_graph *graph, unsigned int parties)
{
	unsigned int *all =
		grow(graph, graph->parties, graph->nr_barriers + 1, sizeof(*all));

	if (!all)
		return 0;
	graph->parties = all;
	all[graph->nr_barriers] = parties;
	return (int)graph->nr_barriers++;
}

int program_note_add(struct program_outcome *outcome, int number, uint64_t ns)
{
	struct program_note *note = &outcome->notes[number];

	if (note->nr == note->room) {
		size_t room = note->room ? 2 * note->room : 64;
		uint64_t *bigger = reallocarray(note->ns, room, sizeof(*bigger));

		if (!bigger)
			return -ENOMEM;
		note->ns = bigger;
		note->room = room;
	}
	note->ns[note->nr++] = ns;
	return 0;
}

void program_outcome_release(struct program_outcome *outcome)
{
	size_t i;

	for (i = 0; i < PROGRAM_NOTES; i++) {
		free(outcome->notes[i].ns);
		outcome->notes[i] = (struct program_note){ .ns = NULL };
	}
}

void program_graph_free(struct program_graph *graph)
{
	size_t i;

	for (i = 0; i < graph->nr_programs; i++)
		free(graph->programs[i].steps);
	free(graph->programs);
	free(graph->channels);
	free(graph->parties);
	*graph = (struct program_graph){ .programs = NULL };
}
