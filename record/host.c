// SPDX-License-Identifier: GPL-2.0-or-later
/* Gathering, keeping and reading host facts; see host.h. */
#include "record/host.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "lib/cpulist.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/topo.h"

static const char schema[] = "schedgrid-host-1";

/* The build id among the ELF notes of the running kernel, as hexadecimal. */
static char *read_build_id(void)
{
	size_t at = 0;
	char *notes;
	char *hex = NULL;
	size_t len, i;

	if (file_read("/sys/kernel/notes", 1 << 16, &notes, &len, NULL))
		return NULL;
	while (!hex && at + sizeof(Elf32_Nhdr) <= len) {
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

/* The value behind the first "key<blanks>: value" of /proc/cpuinfo. */
static char *read_cpu_model(void)
{
	static const char *const keys[] = { "model name", "cpu model", "cpu\t", "Model" };
	char *text;
	char *model = NULL;
	size_t i;

	if (file_read("/proc/cpuinfo", 1 << 24, &text, NULL, NULL))
		return NULL;
	for (i = 0; !model && i < sizeof(keys) / sizeof(keys[0]); i++) {
		char *at = strstr(text, keys[i]);

		at = at ? strchr(at, ':') : NULL;
		if (!at)
			continue;
		at += 1 + strspn(at + 1, " \t");
		if (*at && *at != '\n')
			model = strndup(at, strcspn(at, "\n"));
	}
	free(text);
	return model;
}

static int put_text(struct jval *object, const char *key, const char *text)
{
	return text ? jval_put(object, key, jval_from_string(text)) : 0;
}

static int put_line(struct jval *object, const char *key, const char *path)
{
	char *line = file_read_line(path);
	int bad = put_text(object, key, line);

	free(line);
	return bad;
}

static int put_count(struct jval *object, const char *key, uint64_t count)
{
	return count ? jval_put(object, key, jval_from_uint(count)) : 0;
}

static struct jval *topology_json(const struct topo *topo)
{
	struct jval *json = jval_object();
	char *allowed = cpulist_write(&topo->allowed);
	int bad = allowed ? 0 : -ENOMEM;

	bad |= put_count(json, "cpus", topo->nr_cpus);
	bad |= put_count(json, "cores", topo->nr_cores);
	bad |= put_count(json, "llcs", topo->nr_llcs);
	bad |= put_count(json, "llc_bytes", topo->llc_bytes);
	bad |= put_count(json, "nodes", topo->nr_nodes);
	bad |= put_count(json, "packages", topo->nr_packages);
	bad |= put_text(json, "allowed", allowed);
	free(allowed);
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

struct jval *host_kernel(const struct host *host)
{
	struct jval *json = jval_object();
	int bad = 0;

	bad |= put_text(json, "release", host->release);
	bad |= put_text(json, "version", host->version);
	bad |= put_text(json, "build_id", host->build_id);
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

static int fill_facts(struct host *host, const struct topo *topo)
{
	struct jval *facts = jval_object();
	int bad = 0;

	host->facts = facts;
	bad |= put_text(facts, "schema", schema);
	bad |= put_text(facts, "machine", host->machine);
	bad |= put_text(facts, "boot_id", host->boot_id);
	bad |= jval_put(facts, "kernel", host_kernel(host));
	bad |= put_line(facts, "cmdline", "/proc/cmdline");
	bad |= put_line(facts, "tainted", "/proc/sys/kernel/tainted");
	bad |= put_text(facts, "cpu_model", host->cpu_model);
	bad |= jval_put(facts, "topology", topology_json(topo));
	bad |= put_line(facts, "sched_autogroup",
			"/proc/sys/kernel/sched_autogroup_enabled");
	bad |= put_line(facts, "numa_balancing", "/proc/sys/kernel/numa_balancing");
	bad |= put_line(facts, "transparent_hugepage",
			"/sys/kernel/mm/transparent_hugepage/enabled");
	bad |= put_line(facts, "governor",
			"/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
	bad |= put_line(facts, "smt", "/sys/devices/system/cpu/smt/control");
	bad |= put_line(facts, "cgroup", "/proc/self/cgroup");
	return bad;
}

int host_discover(const struct topo *topo, struct host **ret, struct err *err)
{
	struct host *host = calloc(1, sizeof(*host));
	struct utsname name;

	if (!host || uname(&name))
		goto out_nomem;
	host->machine = strdup(name.nodename);
	host->release = strdup(name.release);
	host->version = strdup(name.version);
	host->build_id = read_build_id();
	host->boot_id = file_read_line("/proc/sys/kernel/random/boot_id");
	host->cpu_model = read_cpu_model();
	if (!host->machine || !host->release || !host->version || fill_facts(host, topo))
		goto out_nomem;
	*ret = host;
	return 0;

out_nomem:
	host_free(host);
	return err_nomem(err);
}

int host_load(const char *dir, const char *boot, struct jval **ret, struct err *err)
{
	char *path = file_path("%s/hosts/%s.json", dir, boot);
	struct err why = { 0 };
	struct jval *facts = NULL;
	char *text = NULL;
	size_t len;
	int bad;

	if (!path)
		return err_nomem(err);
	bad = file_read(path, 1 << 24, &text, &len, err);
	if (!bad && jval_parse(text, len, &facts, &why))
		bad = err_set(err, why.code, "%s: %s", path, why.text);
	if (!bad && (!jval_get_text(facts, "schema") ||
		     strcmp(jval_get_text(facts, "schema"), schema)))
		bad = err_set(err, -EPROTO, "%s: schema is not known (expected '%s')",
			      path, schema);
	free(text);
	free(path);
	if (bad)
		jval_free(facts);
	else
		*ret = facts;
	return bad;
}

/* Whether @boot of @dir is this start; -ENOENT when there is no such file. */
static int is_this_boot(const struct host *host, const char *dir, const char *boot,
			struct err *err)
{
	struct jval *facts = NULL;
	struct err why = { 0 };
	const char *id;
	int bad = host_load(dir, boot, &facts, &why);

	if (bad == -ENOENT)
		return bad;
	if (bad)
		return err_set(err, bad, "%s", why.text);
	id = jval_get_text(facts, "boot_id");
	bad = id && host->boot_id && !strcmp(id, host->boot_id);
	jval_free(facts);
	return bad;
}

static int write_facts(const struct host *host, const char *dir, const char *boot,
		       struct err *err)
{
	char *folder = file_path("%s/hosts", dir);
	char *path = file_path("%s/hosts/%s.json", dir, boot);
	char *text = jval_write(host->facts, JVAL_PRETTY);
	int bad;

	if (!folder || !path || !text)
		bad = err_nomem(err);
	else
		bad = file_make_dirs(folder, err);
	if (!bad)
		bad = file_replace(path, text, strlen(text), err);
	/* Records will name this start: its file must not be lost where they aren't. */
	if (!bad)
		bad = file_sync_dir(folder, err);
	if (!bad)
		bad = file_sync_dir(dir, err);
	free(text);
	free(path);
	free(folder);
	return bad;
}

int host_save(const struct host *host, const char *dir, char **ret_boot, struct err *err)
{
	unsigned int number = 0;
	char *boot = NULL;
	int found;

	do {
		free(boot);
		boot = file_path("b%u", ++number);
		if (!boot)
			return err_nomem(err);
		found = is_this_boot(host, dir, boot, err);
	} while (!found);
	if (found == -ENOENT)
		found = write_facts(host, dir, boot, err);
	if (found < 0) {
		free(boot);
		return found;
	}
	*ret_boot = boot;
	return 0;
}

void host_free(struct host *host)
{
	if (!host)
		return;
	free(host->machine);
	free(host->release);
	free(host->version);
	free(host->build_id);
	free(host->boot_id);
	free(host->cpu_model);
	jval_free(host->facts);
	free(host);
}
