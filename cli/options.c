// SPDX-License-Identifier: GPL-2.0-or-later
/* Options of subcommands, their help, and how messages look. */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "lib/err.h"
#include "lib/json.h"
#include "lib/text.h"

enum { MAX_OPTIONS = 24 };

void say(const char *fmt, ...)
{
	enum { LONGEST = 8192 };
	char safe[LONGEST];
	char *text = NULL;
	va_list args;
	int len;

	va_start(args, fmt);
	len = vasprintf(&text, fmt, args);
	va_end(args);
	if (len < 0)
		return;
	text_printable(text, safe, sizeof(safe));
	free(text);
	(void)fprintf(stderr, "schedgrid: %s\n", safe);
}

int complain(const struct err *err, int code)
{
	say("%s", err->text);
	return code;
}

void say_note(const char *note, void *data)
{
	(void)data;
	say("%s", note);
}

int complain_data(const struct err *err)
{
	return complain(err, err->code == -ENOMEM ? EXIT_HOST : EXIT_DATA);
}

int complain_nomem(void)
{
	say("out of memory");
	return EXIT_HOST;
}

/* "bh, holm or none" */
static void join_words(const char *const *words, char *text, size_t size)
{
	size_t len = 0;
	size_t i;

	*text = '\0';
	for (i = 0; words[i] && len < size; i++)
		len += (size_t)snprintf(text + len, size - len, "%s%s",
					!i	       ? ""
					: words[i + 1] ? ", "
						       : " or ",
					words[i]);
}

int find_word(const char *place, const char *kind, const char *text,
	      const char *const *words)
{
	const char *nearest;
	char expected[512];
	int i;

	for (i = 0; words[i]; i++)
		if (!strcmp(words[i], text))
			return i;
	nearest = text_nearest(text, words);
	join_words(words, expected, sizeof(expected));
	say("%s: unknown %s '%s' (expected %s)%s%s%s", place, kind, text, expected,
	    nearest ? "; did you mean '" : "", nearest ? nearest : "",
	    nearest ? "'?" : "");
	return -1;
}

int print_json(struct jval *json)
{
	char *text = json ? jval_write(json, JVAL_SAFE) : NULL;

	jval_free(json);
	if (!text)
		return complain_nomem();
	(void)puts(text);
	free(text);
	return finish_stdout();
}

int finish_stdout(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return EXIT_DONE;
	say("cannot write to standard output");
	return EXIT_DATA;
}

static void print_command_help(const struct command *command)
{
	const struct option_def *option;

	(void)printf("usage: schedgrid %s %s\n\n%s.\n\n", command->name,
		     command->synopsis, command->summary);
	for (option = command->options; option->name; option++) {
		char left[64];

		(void)snprintf(
			left, sizeof(left), "%c%c%c --%s%s%s", option->letter ? '-' : ' ',
			option->letter ? option->letter : ' ', option->letter ? ',' : ' ',
			option->name, option->argument ? " " : "",
			option->argument ? option->argument : "");
		(void)printf("  %-24s %s\n", left, option->help);
	}
	(void)printf("  %-24s %s\n", "-h, --help", "this help");
}

static int refuse_option(const struct options *options, const char *text)
{
	const char *names[MAX_OPTIONS + 2] = { "help" };
	const char *nearest = NULL;
	size_t i;

	for (i = 0; options->command->options[i].name; i++)
		names[i + 1] = options->command->options[i].name;
	if (!strncmp(text, "--", 2))
		nearest = text_nearest(text + 2, names);
	if (nearest)
		say("%s: unknown option '%s'; did you mean '--%s'?",
		    options->command->name, text, nearest);
	else
		say("%s: unknown option '%s' (schedgrid %s --help lists them)",
		    options->command->name, text, options->command->name);
	return EXIT_CONFIG;
}

/* getopt_long()'s two tables from ours. */
static void build_tables(const struct option_def *defs, struct option *longs,
			 char *letters)
{
	size_t i;

	*letters++ = ':';
	*letters++ = 'h';
	for (i = 0; i < MAX_OPTIONS && defs[i].name; i++) {
		longs[i] = (struct option){
			.name = defs[i].name,
			.has_arg = defs[i].argument ? required_argument : no_argument,
			.val = 256 + (int)i,
		};
		if (!defs[i].letter)
			continue;
		*letters++ = defs[i].letter;
		if (defs[i].argument)
			*letters++ = ':';
	}
	longs[i] = (struct option){ .name = "help", .val = 'h' };
	longs[i + 1] = (struct option){ 0 };
	*letters = '\0';
}

static const struct option_def *find_option(const struct option_def *defs, int found)
{
	if (found >= 256)
		return &defs[found - 256];
	for (; defs->name; defs++)
		if (defs->letter == found)
			return defs;
	return NULL;
}

const struct option_def *options_next(struct options *options, const char **ret_argument,
				      int *ret_code)
{
	struct option longs[MAX_OPTIONS + 2];
	char letters[2 * MAX_OPTIONS + 3];
	const char *text;
	int found;

	build_tables(options->command->options, longs, letters);
	opterr = 0;
	found = getopt_long(options->argc, options->argv, letters, longs, NULL);
	*ret_argument = optarg;
	*ret_code = EXIT_DONE;
	switch (found) {
	case -1:
		options->argc -= optind;
		options->argv += optind;
		return NULL;
	case 'h':
		print_command_help(options->command);
		*ret_code = finish_stdout() ? EXIT_DATA : -1;
		return NULL;
	case ':':
		text = options->argv[optind - 1];
		say("%s: option '%s' needs an argument", options->command->name, text);
		*ret_code = EXIT_CONFIG;
		return NULL;
	case '?':
		text = options->argv[optind - 1];
		*ret_code = refuse_option(options, text);
		return NULL;
	default:
		return find_option(options->command->options, found);
	}
}
