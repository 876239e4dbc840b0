// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads placement traces; see placement_read.h. */
#include "runner/placement_read.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/text.h"

enum { MAX_LINE = 1100, MAX_WORDS = 10, CPU_WORDS = 2 * PLACEMENT_NR_LEVELS };

static const char schema[] = "schedgrid-placement-1";

/* What may stand behind the number of the task, or in place of it. */
enum arg { ARG_NONE, ARG_CPU, ARG_PID, ARG_ANY };

static const struct {
	const char *word;
	enum arg args[2];
	bool has_no_task;
} kinds[PLACEMENT_NR_KINDS] = {
	[PLACEMENT_MAIN] = { "main", { ARG_NONE }, false },
	[PLACEMENT_FORK] = { "fork", { ARG_PID }, false },
	[PLACEMENT_NEW] = { "new", { ARG_CPU }, false },
	[PLACEMENT_WAKE] = { "wake", { ARG_CPU }, false },
	[PLACEMENT_RUN] = { "run", { ARG_NONE }, false },
	[PLACEMENT_STOP] = { "stop", { ARG_ANY }, false },
	[PLACEMENT_MOVE] = { "move", { ARG_CPU, ARG_CPU }, false },
	[PLACEMENT_OTHER] = { "other", { ARG_ANY }, true },
	[PLACEMENT_IDLE] = { "idle", { ARG_NONE }, true },
};

/**
 * struct reader - one file being read
 * @rest: what comes behind the line
 * @nr_lines: lines read
 * @nr_events: of them, behind those of the machine
 * @nr_mains: of those, programs that were started
 * @words: of the line, which @line holds
 */
struct reader {
	const char *rest;
	size_t nr_lines;
	uint64_t nr_events, nr_mains, last_ns;
	char line[MAX_LINE];
	char *words[MAX_WORDS];
	size_t nr_words;
	struct placement_machine *machine;
	struct err *err;
};

static int refuse(const struct reader *reader, const char *what)
{
	return err_set(reader->err, -EPROTO, "line %zu of a placement trace %s",
		       reader->nr_lines, what);
}

/* The words of the next line. */
static int next_line(struct reader *reader)
{
	const char *end = strchr(reader->rest, '\n');
	char *rest = reader->line;
	char *word;

	reader->nr_lines++;
	if (!end)
		return refuse(reader, "is missing or was cut (expected 'end' and how "
				      "many events came before it)");
	if (end - reader->rest >= MAX_LINE)
		return refuse(reader, "is too long");
	memcpy(reader->line, reader->rest, (size_t)(end - reader->rest));
	reader->line[end - reader->rest] = '\0';
	reader->rest = end + 1;
	if (!strncmp(reader->line, "failed ", strlen("failed ")))
		return err_set(reader->err, -ENODATA, "%s",
			       reader->line + strlen("failed "));
	reader->nr_words = 0;
	while ((word = strsep(&rest, " ")) && reader->nr_words < MAX_WORDS)
		reader->words[reader->nr_words++] = word;
	return word ? refuse(reader, "has too many words") : 0;
}

static bool take_number(const struct reader *reader, size_t word, uint64_t max,
			uint64_t *ret)
{
	return word < reader->nr_words &&
	       !text_uint(reader->words[word], 0, max, ret, NULL);
}

static bool is_cpu(const struct placement_machine *machine, uint64_t cpu)
{
	return cpu < machine->nr_cpus && machine->units[cpu][PLACEMENT_CPU] >= 0;
}

/* "cpu 0 core 0 llc 0 node 0 allowed"; "-" is what isn't known. */
static int take_cpu(struct reader *reader)
{
	static const char *const names[] = { "cpu", "core", "llc", "node" };
	struct placement_machine *machine = reader->machine;
	bool is_allowed = reader->nr_words == CPU_WORDS + 1 &&
			  !strcmp(reader->words[CPU_WORDS], "allowed");
	uint64_t numbers[PLACEMENT_NR_LEVELS];
	size_t i;

	for (i = 0; i < PLACEMENT_NR_LEVELS; i++) {
		numbers[i] = PLACEMENT_MAX_CPUS;
		if (reader->nr_words != CPU_WORDS + (size_t)is_allowed ||
		    strcmp(reader->words[2 * i], names[i]) != 0 ||
		    ((!i || strcmp(reader->words[2 * i + 1], "-") != 0) &&
		     !take_number(reader, 2 * i + 1, PLACEMENT_MAX_CPUS - 1,
				  &numbers[i])))
			return refuse(reader, "doesn't say where a CPU belongs");
	}
	if (is_cpu(machine, numbers[0]))
		return refuse(reader, "has a CPU that was there before");
	for (i = 0; i < PLACEMENT_NR_LEVELS; i++)
		machine->units[numbers[0]][i] =
			numbers[i] < PLACEMENT_MAX_CPUS ? (int)numbers[i] : -1;
	if (numbers[0] >= machine->nr_cpus)
		machine->nr_cpus = numbers[0] + 1;
	machine->is_allowed[numbers[0]] = is_allowed;
	machine->nr_allowed += is_allowed;
	return 0;
}

static bool take_arg(const struct reader *reader, enum arg arg, size_t word,
		     uint64_t *ret)
{
	switch (arg) {
	case ARG_NONE:
		return reader->nr_words <= word;
	case ARG_CPU:
		return take_number(reader, word, UINT32_MAX, ret) &&
		       is_cpu(reader->machine, *ret);
	case ARG_PID:
		return take_number(reader, word, PLACEMENT_MAX_PID - 1, ret);
	case ARG_ANY:
		return take_number(reader, word, UINT64_MAX, ret);
	}
	return false;
}

static int take_event(struct reader *reader, struct placement_line *line)
{
	unsigned int kind = 0;
	size_t first;
	uint64_t cpu = 0;
	uint64_t pid = 0;

	while (kind < PLACEMENT_NR_KINDS &&
	       strcmp(reader->words[0], kinds[kind].word) != 0)
		kind++;
	if (kind == PLACEMENT_NR_KINDS)
		return refuse(reader, "has an event that isn't known");
	first = kinds[kind].has_no_task ? 3 : 4;
	*line = (struct placement_line){ .kind = (enum placement_kind)kind };
	if (!take_number(reader, 1, UINT64_MAX, &line->ns) || line->ns < reader->last_ns)
		return refuse(reader, "is not later than the one before it");
	if (!take_arg(reader, ARG_CPU, 2, &cpu) ||
	    (first == 4 && !take_arg(reader, ARG_PID, 3, &pid)) ||
	    !take_arg(reader, kinds[kind].args[0], first, &line->args[0]) ||
	    !take_arg(reader, kinds[kind].args[1], first + 1, &line->args[1]))
		return refuse(reader, "has numbers that can't be");
	line->cpu = (unsigned int)cpu;
	line->pid = (unsigned int)pid;
	reader->last_ns = line->ns;
	return 0;
}

static int read_machine(struct reader *reader)
{
	int bad = next_line(reader);

	if (!bad && (reader->nr_words != 1 || strcmp(reader->words[0], schema) != 0))
		bad = err_set(reader->err, -EPROTO,
			      "this is no placement trace "
			      "(expected 'schedgrid-placement-1')");
	if (!bad)
		bad = next_line(reader);
	while (!bad && !strcmp(reader->words[0], "cpu")) {
		bad = take_cpu(reader);
		if (!bad)
			bad = next_line(reader);
	}
	return bad;
}

/* The line that ends the file, or tells that something is missing. */
static int take_end(struct reader *reader)
{
	uint64_t nr;

	if (!strcmp(reader->words[0], "lost") && take_number(reader, 1, UINT64_MAX, &nr))
		return err_set(reader->err, -ENODATA,
			       "%ju events of the trace found no room in the kernel's "
			       "buffers",
			       (uintmax_t)nr);
	if (!take_number(reader, 1, UINT64_MAX, &nr) || nr != reader->nr_events ||
	    *reader->rest)
		return refuse(reader, "is not the right end of it");
	if (!reader->nr_mains)
		return err_set(reader->err, -ENODATA,
			       "the trace has no program that was started");
	return 0;
}

int placement_read(const char *text, struct placement_machine *machine,
		   void (*take)(const struct placement_machine *machine,
				const struct placement_line *line, void *data),
		   void *data, struct err *err)
{
	struct reader reader = { .rest = text, .machine = machine, .err = err };
	struct placement_line line;
	size_t i;
	int bad;

	*machine = (struct placement_machine){ 0 };
	machine->units = calloc(PLACEMENT_MAX_CPUS, sizeof(*machine->units));
	if (!machine->units)
		return err_nomem(err);
	for (i = 0; i < PLACEMENT_MAX_CPUS; i++)
		machine->units[i][PLACEMENT_CPU] = -1;
	bad = read_machine(&reader);
	while (!bad && strcmp(reader.words[0], "end") != 0 &&
	       strcmp(reader.words[0], "lost") != 0) {
		bad = take_event(&reader, &line);
		if (bad)
			break;
		take(machine, &line, data);
		reader.nr_events++;
		reader.nr_mains += line.kind == PLACEMENT_MAIN;
		bad = next_line(&reader);
	}
	return bad ? bad : take_end(&reader);
}

void placement_machine_release(struct placement_machine *machine)
{
	free(machine->units);
	machine->units = NULL;
}
