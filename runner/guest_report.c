// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads what guests said; see guest_report.h. */
#include "runner/guest_report.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/text.h"
#include "lib/topo.h"
#include "record/host.h"
#include "runner/guard.h"
#include "runner/guest_image.h"

enum { REPORT_MAX = 1 << 28, CONSOLE_MAX = 1 << 28 };

static const char fsroot[] = "HWLOC_FSROOT";

static void note_turn(struct guest_report *report, const struct jval *line, bool is_end)
{
	uint64_t turn;

	if (!jval_uint(jval_get(line, "turn"), &turn) || turn >= report->nr_turns) {
		report->nr_damaged++;
		return;
	}
	report->has_started[turn] = true;
	/* The first counts: nothing ends twice. */
	if (is_end && !report->ends[turn])
		report->ends[turn] = line;
}

static void note_line(struct guest_report *report, const struct jval *line)
{
	const char *event = jval_get_text(line, "event");

	if (!event) {
		report->nr_damaged++;
	} else if (!strcmp(event, "hello") && !report->release) {
		report->release = jval_get_text(line, "release");
		report->version = jval_get_text(line, "version");
	} else if (!strcmp(event, "machine") && !report->files) {
		report->files = jval_get(line, "files");
	} else if (!strcmp(event, "start") || !strcmp(event, "end")) {
		note_turn(report, line, !strcmp(event, "end"));
	} else if (!strcmp(event, "done")) {
		report->is_done = true;
	}
}

/* Every whole line; what stands behind the last newline was torn. */
static int note_lines(struct guest_report *report, char *text, size_t len)
{
	char *line = text;
	char *end;
	size_t i;

	while ((end = memchr(line, '\n', len - (size_t)(line - text)))) {
		struct jval *json = NULL;

		if (jval_parse(line, (size_t)(end - line), &json, NULL))
			report->nr_damaged++;
		else if (jval_push(report->lines, json))
			return -ENOMEM;
		line = end + 1;
	}
	report->nr_damaged += line < text + len;
	for (i = 0; i < jval_count(report->lines); i++)
		note_line(report, jval_item(report->lines, i));
	return 0;
}

int guest_report_read(const char *path, size_t nr_turns, struct guest_report *ret,
		      struct err *err)
{
	struct guest_report report = { .nr_turns = nr_turns };
	struct err why = { 0 };
	char *text = NULL;
	size_t len = 0;
	int bad = file_read(path, REPORT_MAX, &text, &len, &why);

	if (bad && bad != -ENOENT)
		return err_set(err, bad, "%s", why.text);
	report.lines = jval_array();
	report.ends = calloc(nr_turns + 1, sizeof(const struct jval *));
	report.has_started = calloc(nr_turns + 1, sizeof(*report.has_started));
	bad = report.lines && report.ends && report.has_started ? 0 : -ENOMEM;
	if (!bad && text)
		bad = note_lines(&report, text, len);
	free(text);
	if (bad) {
		guest_report_release(&report);
		return err_nomem(err);
	}
	*ret = report;
	return 0;
}

void guest_report_release(struct guest_report *report)
{
	jval_free(report->lines);
	free(report->ends);
	free(report->has_started);
	*report = (struct guest_report){ 0 };
}

static int nibble(char digit)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = digit ? strchr(digits, digit) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* In place of the text, which is twice as long; its length, or -EPROTO. */
static ssize_t decode_hex(const char *hex, char *out)
{
	size_t len = strlen(hex);
	size_t i;

	for (i = 0; i + 1 < len; i += 2) {
		int high = nibble(hex[i]);
		int low = nibble(hex[i + 1]);

		if (high < 0 || low < 0)
			return -EPROTO;
		out[i / 2] = (char)(high * 16 + low);
	}
	return (ssize_t)(len / 2);
}

/* A kernel under test may say anything: nothing outside the directory. */
static bool is_safe(const char *path)
{
	return *path == '/' && !strstr(path, "/..");
}

static int write_file(const char *path, const char *text)
{
	static const char mark[] = "hex:";
	ssize_t len = (ssize_t)strlen(text);
	char *folder = strdup(path);
	char *data = malloc((size_t)len + 1);
	FILE *out = NULL;
	int bad = folder && data ? 0 : -ENOMEM;

	if (!bad) {
		*strrchr(folder, '/') = '\0';
		bad = file_make_dirs(folder, NULL);
	}
	if (!bad && !strncmp(text, mark, strlen(mark)))
		len = decode_hex(text + strlen(mark), data);
	else if (!bad)
		memcpy(data, text, (size_t)len);
	if (!bad && len < 0)
		bad = (int)len;
	if (!bad)
		out = fopen(path, "we");
	if (!bad && (!out || fwrite(data, 1, (size_t)len, out) != (size_t)len))
		bad = -EIO;
	if (out && fclose(out))
		bad = -EIO;
	free(data);
	free(folder);
	return bad;
}

static int write_tree(const struct jval *files, const char *dir, struct err *err)
{
	const struct jval *value;
	const char *path;
	void *pos = NULL;
	int bad = 0;

	while (!bad && jval_each(files, &pos, &path, &value)) {
		const char *text = jval_text(value);
		char *whole = file_path("%s%s", dir, path);

		if (!whole)
			bad = err_nomem(err);
		else if (!text || !is_safe(path) || write_file(whole, text))
			bad = err_set(err, -EPROTO,
				      "the guest's file '%s' can't be kept in '%s'", path,
				      dir);
		free(whole);
	}
	return bad;
}

/* The topology's reader takes its root from the environment only. */
static int discover_topo(const char *root, struct topo **ret, struct err *err)
{
	const char *was = getenv(fsroot);
	char *before = was ? strdup(was) : NULL;
	int bad = (was && !before) || setenv(fsroot, root, 1) ? err_nomem(err) : 0;

	if (!bad)
		bad = topo_discover(ret, err);
	if (before)
		(void)setenv(fsroot, before, 1);
	else
		(void)unsetenv(fsroot);
	free(before);
	return bad;
}

/* What a package installs beside its kernel; a guest has no /boot of its own. */
static int write_config(const struct guest_image *image, const char *dir, struct err *err)
{
	enum { CONFIG_MAX = 1 << 22 };
	char *boot = file_path("%s/boot", dir);
	char *path = file_path("%s/boot/config-%s", dir, image->release);
	char *text = NULL;
	size_t len;
	int bad = boot && path ? 0 : err_nomem(err);

	/* One that can't be read is one that isn't known. */
	if (!bad && image->config &&
	    !file_read(image->config, CONFIG_MAX, &text, &len, NULL)) {
		bad = file_make_dirs(boot, err);
		if (!bad)
			bad = file_replace(path, text, len, err);
	}
	free(text);
	free(path);
	free(boot);
	return bad;
}

int guest_machine(const struct jval *files, const struct guest_image *image,
		  const char *dir, struct topo **ret_topo, struct host **ret_host,
		  struct err *err)
{
	struct topo *topo = NULL;
	int bad = write_tree(files, dir, err);

	if (!bad)
		bad = write_config(image, dir, err);
	if (!bad)
		bad = discover_topo(dir, &topo, err);
	if (!bad)
		bad = host_discover_at(dir, topo, ret_host, err);
	file_remove_tree(dir);
	if (bad)
		topo_free(topo);
	else
		*ret_topo = topo;
	return bad;
}

void guest_last_words(const char *path, char *text, size_t size)
{
	const char *panic = NULL;
	const char *last = NULL;
	char *console = NULL;
	char *rest;
	char *line;

	*text = '\0';
	if (file_read(path, CONSOLE_MAX, &console, NULL, NULL))
		return;
	for (line = strtok_r(console, "\r\n", &rest); line;
	     line = strtok_r(NULL, "\r\n", &rest)) {
		last = line[strspn(line, " \t")] ? line : last;
		panic = strstr(line, "Kernel panic") && !strstr(line, "end Kernel panic")
				? line
				: panic;
	}
	if (last)
		(void)text_printable(panic ? panic : last, text, size);
	free(console);
}

/* Behind "[    1.234567] ", which the console has in front of every line. */
static const char *message_of(const char *line)
{
	const char *end = *line == '[' ? strstr(line, "] ") : NULL;

	return end ? end + 2 : line;
}

void guest_first_warning(const char *path, char *text, size_t size)
{
	char *console = NULL;
	char *rest;
	char *line;

	*text = '\0';
	if (file_read(path, CONSOLE_MAX, &console, NULL, NULL))
		return;
	for (line = strtok_r(console, "\r\n", &rest); line && !*text;
	     line = strtok_r(NULL, "\r\n", &rest))
		if (guard_is_warning(message_of(line)))
			(void)text_printable(message_of(line), text, size);
	free(console);
}
