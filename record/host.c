// SPDX-License-Identifier: GPL-2.0-or-later
/* Gathering, keeping and reading host facts; see host.h. */
#include "record/host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "lib/cpulist.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/topo.h"
#include "record/host_config.h"
#include "record/host_facts.h"

static const char schema[] = "schedgrid-host-1";

static int put_count(struct jval *object, const char *key, uint64_t count)
{
	return count ? jval_put(object, key, jval_from_uint(count)) : 0;
}

struct jval *host_topology(const struct topo *topo)
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
	bad |= host_put_text(json, "allowed", allowed);
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

	bad |= host_put_text(json, "release", host->release);
	bad |= host_put_text(json, "version", host->version);
	bad |= host_put_text(json, "build_id", host->build_id);
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

static int fill_facts(struct host *host, const struct host_source *source)
{
	struct jval *facts = jval_object();
	int bad = 0;

	host->facts = facts;
	bad |= host_put_text(facts, "schema", schema);
	bad |= host_put_text(facts, "machine", host->machine);
	bad |= host_put_text(facts, "boot_id", host->boot_id);
	bad |= jval_put(facts, "kernel", host_kernel(host));
	bad |= host_config_facts(source, host, facts);
	bad |= host_kernel_facts(source, host, facts);
	bad |= jval_put(facts, "topology", host_topology(source->topo));
	bad |= host_cpu_facts(source, host, facts);
	bad |= host_sched_facts(source, facts);
	bad |= host_bounds_facts(source, facts);
	return bad;
}

/* A tree is named by its files; this host also where /proc is not mounted. */
static void name_host(const struct host_source *source, struct host *host)
{
	struct utsname name;

	if (!*source->root && !uname(&name)) {
		host->machine = strdup(name.nodename);
		host->release = strdup(name.release);
		host->version = strdup(name.version);
		return;
	}
	host->machine = host_read_line(source, "/proc/sys/kernel/hostname");
	host->release = host_read_line(source, "/proc/sys/kernel/osrelease");
	host->version = host_read_line(source, "/proc/sys/kernel/version");
}

int host_discover_at(const char *root, const struct topo *topo, struct host **ret,
		     struct err *err)
{
	const struct host_source source = { root, topo };
	struct host *host = calloc(1, sizeof(*host));

	if (!host)
		return err_nomem(err);
	name_host(&source, host);
	if (*root && (!host->machine || !host->release || !host->version)) {
		host_free(host);
		return err_set(err, -ENOENT,
			       "cannot read the names of machine and kernel in "
			       "'%s/proc/sys/kernel'",
			       root);
	}
	host->build_id = host_build_id(&source);
	host->boot_id = host_read_line(&source, "/proc/sys/kernel/random/boot_id");
	host->cpu_model = host_cpu_model(&source);
	if (!host->machine || !host->release || !host->version ||
	    fill_facts(host, &source)) {
		host_free(host);
		return err_nomem(err);
	}
	*ret = host;
	return 0;
}

int host_discover(const struct topo *topo, struct host **ret, struct err *err)
{
	return host_discover_at("", topo, ret, err);
}

int host_check_boot(const char *boot, struct err *err)
{
	if (*boot && *boot != '.' && !strchr(boot, '/'))
		return 0;
	return err_set(err, -EPROTO,
		       "'%s' is no name of a boot (expected one such as 'b1', without "
		       "slashes and no dot at its start)",
		       boot);
}

int host_load(const char *dir, const char *boot, struct jval **ret, struct err *err)
{
	char *path = NULL;
	struct err why = { 0 };
	struct jval *facts = NULL;
	const char *found;
	char *text = NULL;
	size_t len;
	int bad = host_check_boot(boot, err);

	if (bad)
		return bad;
	path = file_path("%s/hosts/%s.json", dir, boot);
	if (!path)
		return err_nomem(err);
	bad = file_read(path, 1 << 24, &text, &len, err);
	if (!bad && jval_parse(text, len, &facts, &why))
		bad = err_set(err, why.code, "%s: %s", path, why.text);
	found = jval_get_text(facts, "schema");
	if (!bad && (!found || strcmp(found, schema)))
		bad = err_set(err, -EPROTO,
			      "%s: schema '%s' is not known (expected '%s')", path,
			      found ? found : "", schema);
	free(text);
	free(path);
	if (bad)
		jval_free(facts);
	else
		*ret = facts;
	return bad;
}

/*
 * Whether @boot of @dir is this start; -ENOENT when there is no such file. A
 * start without a name is known by all of its other facts.
 */
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
	if (host->boot_id)
		bad = id && !strcmp(id, host->boot_id);
	else
		bad = jval_equal(facts, host->facts);
	jval_free(facts);
	return bad;
}

int host_save_as(const struct host *host, const char *dir, const char *boot,
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
	/* First: a start whose facts are there is saved. */
	if (!bad)
		bad = host_config_save(host->config, dir, boot, err);
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

int host_find(const struct host *host, const char *dir, char **ret_boot, struct err *err)
{
	unsigned int number = 0;
	unsigned int newest = 0;
	char *boot = NULL;
	int found;

	do {
		free(boot);
		boot = file_path("b%u", ++number);
		if (!boot)
			return err_nomem(err);
		found = is_this_boot(host, dir, boot, err);
		if (found > 0)
			newest = number;
	} while (found >= 0 && !(found && host->boot_id));
	if (found == -ENOENT && newest) {
		free(boot);
		boot = file_path("b%u", newest);
		found = boot ? 0 : err_nomem(err);
	}
	if (found < 0 && found != -ENOENT) {
		free(boot);
		return found;
	}
	*ret_boot = boot;
	return found < 0 ? found : 0;
}

int host_save(const struct host *host, const char *dir, char **ret_boot, struct err *err)
{
	char *boot = NULL;
	int bad = host_find(host, dir, &boot, err);

	if (bad == -ENOENT)
		bad = host_save_as(host, dir, boot, err);
	if (bad)
		free(boot);
	else
		*ret_boot = boot;
	return bad;
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
	free(host->config);
	jval_free(host->facts);
	free(host);
}
