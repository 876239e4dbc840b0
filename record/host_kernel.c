// SPDX-License-Identifier: GPL-2.0-or-later
/* What identifies the kernel and how it was started; see host_facts.h. */
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "lib/json.h"
#include "record/host.h"
#include "record/host_facts.h"

/* Looked for among the ELF notes of the running kernel; as hexadecimal. */
char *host_build_id(const struct host_source *source)
{
	char *path = file_path("%s/sys/kernel/notes", source->root);
	size_t at = 0;
	char *notes = NULL;
	char *hex = NULL;
	size_t len = 0;
	size_t i;

	if (path)
		(void)file_read(path, 1 << 16, &notes, &len, NULL);
	free(path);
	while (notes && !hex && at + sizeof(Elf32_Nhdr) <= len) {
		Elf32_Nhdr note;
		size_t name, desc;

		memcpy(&note, notes + at, sizeof(note));
		name = at + sizeof(note);
		desc = name + (((size_t)note.n_namesz + 3) & ~(size_t)3);
		at = desc + (((size_t)note.n_descsz + 3) & ~(size_t)3);
		if (at > len || note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 ||
		    memcmp(notes + name, ELF_NOTE_GNU, 4))
			continue;
		hex = calloc(2 * (size_t)note.n_descsz + 1, 1);
		for (i = 0; hex && i < note.n_descsz; i++)
			(void)snprintf(hex + 2 * i, 3, "%02x",
				       (unsigned char)notes[desc + i]);
	}
	free(notes);
	return hex;
}

/* The last preempt= of the command line, as the kernel takes it; or NULL. */
static const char *mode_of_cmdline(const char *cmdline)
{
	static const char *const options[] = { "preempt=none", "preempt=voluntary",
					       "preempt=full", "preempt=lazy" };
	const char *last = NULL;
	const char *mode = NULL;
	size_t i;

	for (i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		const char *at = host_last_word(cmdline, options[i]);

		if (!at || (last && at < last))
			continue;
		last = at;
		mode = strchr(options[i], '=') + 1;
	}
	return mode;
}

/* Absent when only the configuration would tell. */
static int put_preempt(const struct host_source *source, const struct host *host,
		       struct jval *facts)
{
	static const char debugfs[] = "/sys/kernel/debug/sched/preempt";
	char *cmdline;
	int bad;

	if (host_last_word(host->version, "PREEMPT_RT"))
		return host_put_text(facts, "preempt", "rt");
	if (host_has_file(source, debugfs))
		return host_put_chosen(source, facts, "preempt", debugfs);
	if (host_last_word(host->version, "PREEMPT"))
		return host_put_text(facts, "preempt", "full");
	if (host_last_word(host->version, "PREEMPT_LAZY"))
		return host_put_text(facts, "preempt", "lazy");
	if (!host_last_word(host->version, "PREEMPT_DYNAMIC"))
		return 0;
	cmdline = host_read_line(source, "/proc/cmdline");
	bad = cmdline ? host_put_text(facts, "preempt", mode_of_cmdline(cmdline)) : 0;
	free(cmdline);
	return bad;
}

/* "-g" and an abbreviated commit id, as git describe has it; NULL: there is none. */
static const char *find_commit(const char *text, size_t *ret_len)
{
	enum { MIN_DIGITS = 7, MAX_DIGITS = 40 };
	const char *at = text;

	while ((at = strstr(at, "-g"))) {
		size_t len;

		at += 2;
		len = strspn(at, "0123456789abcdef");
		if (len < MIN_DIGITS || len > MAX_DIGITS ||
		    isalnum((unsigned char)at[len]))
			continue;
		*ret_len = len;
		return at;
	}
	return NULL;
}

/* What was built of a tree with changes is more than its commit, and says so. */
static int put_commit(const struct host *host, struct jval *facts)
{
	static const char dirty[] = "-dirty";
	size_t len = 0;
	const char *at = find_commit(host->release, &len);
	char *commit;
	int bad;

	if (!at)
		at = find_commit(host->version, &len);
	if (!at)
		return 0;
	if (!strncmp(at + len, dirty, strlen(dirty)))
		len += strlen(dirty);
	commit = strndup(at, len);
	bad = commit ? host_put_text(facts, "commit", commit) : -ENOMEM;
	free(commit);
	return bad;
}

int host_kernel_facts(const struct host_source *source, const struct host *host,
		      struct jval *facts)
{
	int bad = 0;

	bad |= put_commit(host, facts);
	bad |= host_put_line(source, facts, "cmdline", "/proc/cmdline");
	bad |= host_put_line(source, facts, "tainted", "/proc/sys/kernel/tainted");
	bad |= put_preempt(source, host, facts);
	return bad;
}
