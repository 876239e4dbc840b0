/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The configuration that a kernel was built with: which file has it, and its text beside
 * the facts of a start, hosts/<boot>.config of a run.
 */
#ifndef RECORD_HOST_CONFIG_H
#define RECORD_HOST_CONFIG_H

#include <stdbool.h>

struct err;
struct host;
struct host_source;
struct jval;

/**
 * host_config_facts - find the running kernel's configuration
 * @source: where
 * @host: release and version known; its config is filled in where one is found
 * @facts: receives config_file and config_sha256, the digest of that file as it is
 *
 * /proc/config.gz is a part of the running kernel. /boot/config-RELEASE may be of another
 * build of that release: it counts unless its compiler, its version or an option that
 * uname -v names contradicts.
 *
 * Return: 0 or -ENOMEM.
 */
int host_config_facts(const struct host_source *source, struct host *host,
		      struct jval *facts);

/**
 * host_config_save - keep a configuration
 * @config: its text; NULL when not known, then one that is there goes away
 * @dir: directory of a run, which has hosts/
 * @boot: name of the start
 * @err: says what failed
 *
 * Return: 0 or a negative errno.
 */
int host_config_save(const char *config, const char *dir, const char *boot,
		     struct err *err);

/**
 * host_config_load - the text that a run kept of one start
 * @dir: directory of a run
 * @boot: name of the start
 * @ret: the caller's to free(); written on success only
 * @err: says what failed
 *
 * Return: 0, -ENOENT, what host_check_boot() says, or another negative errno.
 */
int host_config_load(const char *dir, const char *boot, char **ret, struct err *err);

/**
 * host_config_next - the next option that is set
 * @at: where to go on in a text, which is cut into its parts; moved on
 * @name: receives such as "CONFIG_HZ", a part of the text
 * @value: receives "y", "m", or what else stands there; a part of the text
 *
 * An option that isn't set is a remark or absent: neither is told.
 *
 * Return: false at the end.
 */
bool host_config_next(char **at, const char **name, const char **value);

#endif
