// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the subcommand and prints the help. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "lib/text.h"

static const struct command *const commands[] = {
	&cmd_run,	&cmd_restore, &cmd_ab,	    &cmd_plan,	  &cmd_compare,
	&cmd_list,	&cmd_doctor,  &cmd_reparse, &cmd_import,  &cmd_audit,
	&cmd_calibrate, &cmd_show,    &cmd_grid,    &cmd_publish,
};

enum { NR_COMMANDS = sizeof(commands) / sizeof(commands[0]) };

static int print_help(void)
{
	size_t i;

	(void)printf(
		"usage: schedgrid COMMAND [OPTION...] [ARGUMENT...]\n\n"
		"Did this kernel, or this setting, make scheduling better or worse?\n"
		"\n");
	for (i = 0; i < NR_COMMANDS; i++)
		(void)printf("  %-9s %s\n", commands[i]->name, commands[i]->summary);
	(void)printf("\nschedgrid COMMAND --help tells a command's options; "
		     "schedgrid --version the version.\n");
	return finish_stdout();
}

static int unknown_command(const char *name)
{
	const char *names[NR_COMMANDS + 1] = { NULL };
	const char *nearest;
	size_t i;

	for (i = 0; i < NR_COMMANDS; i++)
		names[i] = commands[i]->name;
	nearest = text_nearest(name, names);
	if (nearest)
		say("unknown command '%s'; did you mean '%s'?", name, nearest);
	else
		say("unknown command '%s' (schedgrid --help lists them)", name);
	return EXIT_CONFIG;
}

/*
 * A stream that the caller closed would be the next file we open, and what we
 * print would go there.
 */
static void open_standard_streams(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd > STDERR_FILENO)
		(void)close(fd);
}

int main(int argc, char **argv)
{
	size_t i;

	open_standard_streams();
	if (argc < 2) {
		say("no command given (schedgrid --help lists them)");
		return EXIT_CONFIG;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
	    !strcmp(argv[1], "help"))
		return print_help();
	if (!strcmp(argv[1], "--version")) {
		(void)printf("schedgrid %s\n", SCHEDGRID_VERSION);
		return finish_stdout();
	}
	for (i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(argv[1], commands[i]->name))
			return commands[i]->run(argc - 1, argv + 1);
	return unknown_command(argv[1]);
}
