/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a guest said on its second serial port, one JSON object a line: which
 * kernel it runs, what machine it sees, and how each turn went. It may have
 * died in the middle of any line, and what it says isn't trusted.
 */
#ifndef RUNNER_GUEST_REPORT_H
#define RUNNER_GUEST_REPORT_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct guest_image;
struct host;
struct jval;
struct topo;

/**
 * struct guest_report - the lines of one boot
 * @release: of the kernel that runs, NULL when the guest never got so far; lent
 * @version: likewise; lent
 * @files: of the machine, each path with its text; NULL likewise; lent
 * @ends: for each turn how it ended, NULL: not told; lent
 * @has_started: for each turn whether it began
 * @nr_turns: how many
 * @is_done: all turns were carried out
 * @nr_damaged: lines that can't be read
 * @lines: what the others point into; owned
 */
struct guest_report {
	const char *release, *version;
	const struct jval *files;
	const struct jval **ends;
	bool *has_started;
	size_t nr_turns;
	bool is_done;
	size_t nr_damaged;
	struct jval *lines;
};

/**
 * guest_report_read - read what there is
 * @path: of the file; one that isn't there says nothing
 * @nr_turns: of the job
 * @ret: to be released by guest_report_release() on success
 * @err: says what failed
 *
 * Return: 0, or the negative errno of reading.
 */
int guest_report_read(const char *path, size_t nr_turns, struct guest_report *ret,
		      struct err *err);

/** guest_report_release - free what the report owns */
void guest_report_release(struct guest_report *report);

/**
 * guest_machine - the guest's topology and facts, by the files that it sent
 * @files: of a report
 * @image: the kernel, whose configuration lies here
 * @dir: a directory that isn't there yet; made, and removed again
 * @ret_topo: the caller's to topo_free(); written on success only
 * @ret_host: the caller's to host_free(); likewise
 * @err: says what failed
 *
 * The calling process must have one thread.
 *
 * Return: 0 or a negative errno.
 */
int guest_machine(const struct jval *files, const struct guest_image *image,
		  const char *dir, struct topo **ret_topo, struct host **ret_host,
		  struct err *err);

/**
 * guest_last_words - what a console says of a guest's end
 * @path: of the console's log
 * @text: receives the last line with "Kernel panic" in it, else the last line that
 *        isn't empty, else nothing
 * @size: bytes at @text
 */
void guest_last_words(const char *path, char *text, size_t size);

/**
 * guest_first_warning - what a kernel first warned of on its console
 * @path: of the console's log
 * @text: receives the line without its time, see guard_is_warning(); else nothing
 * @size: bytes at @text
 */
void guest_first_warning(const char *path, char *text, size_t size);

#endif
