/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts about this host at one start of its kernel: what a reader needs to
 * know to trust a number, and what tells one kernel from another. Written to
 * hosts/<boot>.json of a run, schema "schedgrid-host-1", the configuration of
 * the kernel to hosts/<boot>.config. What can't be read is absent.
 */
#ifndef RECORD_HOST_H
#define RECORD_HOST_H

struct err;
struct jval;
struct topo;

/**
 * struct host - this host, now
 * @machine: its name
 * @release: of the running kernel, as uname -r
 * @version: likewise uname -v, which tells builds of one release apart
 * @build_id: GNU build id of the running kernel, or NULL when not known
 * @boot_id: the kernel's random name of this start, or NULL when not known
 * @cpu_model: or NULL when not known
 * @config: what the running kernel was built with, as text, or NULL when not known
 * @facts: all of it but the configuration, and more, as an object
 */
struct host {
	char *machine, *release, *version, *build_id, *boot_id, *cpu_model, *config;
	struct jval *facts;
};

/**
 * host_discover - read the facts of this host
 * @topo: its topology
 * @ret: the facts, to be freed by host_free(); written on success only
 * @err: says what failed
 *
 * Return: 0 or -ENOMEM.
 */
int host_discover(const struct topo *topo, struct host **ret, struct err *err);

/**
 * host_discover_at - likewise, of the machine below @root
 * @root: directory in front of /proc, /sys and /boot; "" for this host
 * @topo: its topology
 * @ret: the facts, to be freed by host_free(); written on success only
 * @err: says what failed
 *
 * Return: 0, -ENOENT when @root has no kernel's name, or -ENOMEM.
 */
int host_discover_at(const char *root, const struct topo *topo, struct host **ret,
		     struct err *err);

/**
 * host_kernel - what identifies the running kernel
 *
 * Return: new object of release, version and build_id; NULL: out of memory.
 */
struct jval *host_kernel(const struct host *host);

/** host_topology - what facts say of a topology, a new object; NULL: out of memory */
struct jval *host_topology(const struct topo *topo);

/**
 * host_find - the name that this start has in @dir/hosts/
 * @host: the facts
 * @dir: directory of a run, or of none yet
 * @ret_boot: receives the name that host_save() would give it; the caller's to free
 * @err: says what failed
 *
 * Return: 0; -ENOENT, with the name and without a word, when it isn't there yet; or
 * another negative errno.
 */
int host_find(const struct host *host, const char *dir, char **ret_boot, struct err *err);

/**
 * host_save - keep the facts in @dir/hosts/
 * @host: the facts
 * @dir: directory of a run
 * @ret_boot: receives the name of this start, "b1" for the run's first; a
 *            start that is there already keeps its name, and one whose boot_id
 *            isn't known has that of the newest with the same facts; the
 *            caller's to free
 * @err: says what failed
 *
 * Return: 0 or a negative errno.
 */
int host_save(const struct host *host, const char *dir, char **ret_boot, struct err *err);

/**
 * host_save_as - keep the facts of a start that has a name already
 * @host: the facts
 * @dir: directory of a run
 * @boot: the name; facts that are there under it are replaced
 * @err: says what failed
 *
 * Return: 0 or a negative errno.
 */
int host_save_as(const struct host *host, const char *dir, const char *boot,
		 struct err *err);

/**
 * host_check_boot - refuse what can't be the name of a start
 * @boot: as a record has it; it becomes a part of paths
 * @err: says what was expected
 *
 * Return: 0 or -EPROTO.
 */
int host_check_boot(const char *boot, struct err *err);

/**
 * host_load - facts that a run kept of one start
 * @dir: directory of a run
 * @boot: name of the start
 * @ret: the object, the caller's; written on success only
 * @err: says what failed
 *
 * Return: 0, -ENOENT, what host_check_boot() says, or another negative errno.
 */
int host_load(const char *dir, const char *boot, struct jval **ret, struct err *err);

/** host_free - NULL is fine */
void host_free(struct host *host);

#endif
