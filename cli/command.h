/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The subcommands and what they share. Only this layer prints and chooses
 * exit codes: data on stdout, everything else on stderr.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct grid;
struct host;
struct jval;
struct plan;
struct run_options;
struct run_summary;
struct table;
struct topo;

/** enum exit_code - what a caller can tell from the exit status */
enum exit_code {
	EXIT_DONE = 0,
	EXIT_CELL_FAILED = 1,
	EXIT_CONFIG = 2,
	EXIT_HOST = 3,
	EXIT_DATA = 4,
	EXIT_TRY_AGAIN = 75,
	EXIT_SIGNAL_BASE = 128,
};

/**
 * struct command - one subcommand
 * @name: as typed
 * @synopsis: arguments, for the help
 * @summary: one line
 * @options: array ended by a NULL name
 * @run: does it; gets the positional arguments; returns an exit code
 */
struct command {
	const char *name;
	const char *synopsis;
	const char *summary;
	const struct option_def *options;
	int (*run)(int argc, char **argv);
};

/**
 * struct option_def - one option of a subcommand
 * @name: long name
 * @letter: short name, 0: none
 * @argument: name of its argument, NULL: it takes none
 * @help: one line
 */
struct option_def {
	const char *name;
	char letter;
	const char *argument;
	const char *help;
};

extern const struct command cmd_ab, cmd_audit, cmd_calibrate, cmd_compare, cmd_doctor,
	cmd_grid, cmd_import, cmd_list, cmd_plan, cmd_publish, cmd_reparse, cmd_restore,
	cmd_run, cmd_show;

/**
 * struct options - reading of a subcommand's arguments
 * @command: whose
 * @argc: as given to main, from the subcommand's name on
 * @argv: likewise
 */
struct options {
	const struct command *command;
	int argc;
	char **argv;
};

/**
 * options_next - the next option
 * @ret_argument: receives its argument; lent by argv
 *
 * Prints what is wrong with an unknown option or a missing argument.
 *
 * Return: the entry, or NULL: then *@ret_code is EXIT_DONE at the end of the
 * options, with @argc and @argv moved to the positional arguments; another
 * code, or -1 after --help, is for the caller to return.
 */
const struct option_def *options_next(struct options *options, const char **ret_argument,
				      int *ret_code);

/** say - one line on stderr, with the program's name in front */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/** say_note - say() as a callback that gets a note; @data is ignored */
void say_note(const char *note, void *data);

/** complain - say() the sentence of an error and return @code */
int complain(const struct err *err, int code);

/** complain_data - complain() with EXIT_HOST where memory ran out, else EXIT_DATA */
int complain_data(const struct err *err);

/** complain_nomem - say() that memory ran out and return EXIT_HOST */
int complain_nomem(void);

/**
 * find_word - which of several words was given
 * @place: where, for the message, such as "--adjust"
 * @kind: what the words are, such as "format"
 * @text: what was given
 * @words: array ended by NULL
 *
 * Return: its index, or -1 after saying what was expected.
 */
int find_word(const char *place, const char *kind, const char *text,
	      const char *const *words);

/**
 * struct session - a grid on this machine
 */
struct session {
	struct grid *grid;
	struct topo *topo;
	struct host *host;
	struct plan *plan;
};

/**
 * enum session_columns - which columns of the grid are planned
 * @COLUMNS_DISTINCT: all; those that are the same in effect are refused
 * @COLUMNS_ANY: all
 * @COLUMNS_SAME: the baseline twice, see grid_make_same()
 */
enum session_columns { COLUMNS_DISTINCT, COLUMNS_ANY, COLUMNS_SAME };

/**
 * struct session_wish - what to plan, and where
 * @path: of the grid; NULL: none, and no plan
 * @columns: which of its columns
 * @root: of the files that tell the machine, when that may be another's; NULL: this one
 */
struct session_wish {
	const char *path;
	enum session_columns columns;
	const char *root;
};

/**
 * session_open - read a grid and plan it for this machine
 *
 * Prints what is wrong. Return: EXIT_DONE, or the code to exit with.
 */
int session_open(struct session *session, const char *path, enum session_columns columns);
/**
 * session_try - session_open() that leaves it to the caller to print
 * @err: says what is wrong
 *
 * Return: EXIT_DONE, or the code to exit with.
 */
int session_try(struct session *session, const struct session_wish *wish,
		struct err *err);
/**
 * session_dir - the directory of its run
 * @dir: asked for, NULL: the default one
 *
 * Return: the caller's to free(); NULL after saying that memory ran out.
 */
char *session_dir(const struct session *session, const char *dir);
/** session_close - free all of it; half-open ones are fine */
void session_close(struct session *session);

/**
 * run_supervised - carry out a grid in a process of its own, and tell about it
 * @path: the grid file
 * @how: its directory NULL: the default one
 * @columns: which of the grid's columns
 *
 * Return: the code to exit with.
 */
int run_supervised(const char *path, const struct run_options *how,
		   enum session_columns columns);

/**
 * run_in_worker - do what measures in a process of its own
 * @work: its return value is the code to exit with
 * @data: for @work
 *
 * This process makes sure that nothing of it stays when it dies, and says how it died.
 *
 * Return: the code to exit with.
 */
int run_in_worker(int (*work)(void *data), void *data);

/** run_error_code - the code to exit with for what run_plan() returned */
int run_error_code(int bad);

/** run_exit_code - likewise, for what a run came to; says what stands as failed */
int run_exit_code(const struct run_summary *summary);

/**
 * print_plan - cells with their CPUs and command lines on stdout
 * @missing: for each cell what run_preview() says; NULL: print all cells
 */
int print_plan(const struct plan *plan, const uint64_t *missing);

/**
 * check_format - whether `compare` has a format
 * @command: who asks, for the message
 * @text: name of the format
 *
 * Return: EXIT_DONE, or EXIT_CONFIG after saying what was expected.
 */
int check_format(const char *command, const char *text);

/**
 * compare_run - the tables of one run, as `compare` prints them, and what follows
 * @dir: of the run
 * @format: see check_format()
 * @conclude: gets the table with its judgement once it is printed, and returns an exit code
 * @data: for @conclude
 *
 * Return: the code to exit with.
 */
int compare_run(const char *dir, const char *format,
		int (*conclude)(const struct table *table, void *data), void *data);

/**
 * compare_file - the tables of one run in a file, as `compare -o` writes them
 * @dir: of the run
 * @format: see check_format()
 * @output: path of the file
 *
 * Return: EXIT_DONE, or another code after saying why.
 */
int compare_file(const char *dir, const char *format, const char *output);

/**
 * print_json - a value on stdout
 * @json: taken over; NULL: there was no memory for it
 *
 * Return: the code to exit with.
 */
int print_json(struct jval *json);

/** finish_stdout - EXIT_DONE when all that was printed has arrived, else EXIT_DATA */
int finish_stdout(void);

#endif
