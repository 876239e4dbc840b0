/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Between host.c and the files that gather the facts: each reads its part of
 * a machine below a root directory, and leaves out what can't be read.
 */
#ifndef RECORD_HOST_FACTS_H
#define RECORD_HOST_FACTS_H

#include <stdbool.h>

struct host;
struct jval;
struct topo;

/**
 * struct host_source - where facts come from
 * @root: directory in front of /proc, /sys and /boot; "" for this host
 * @topo: the machine's topology
 */
struct host_source {
	const char *root;
	const struct topo *topo;
};

/* These put facts into an object and return 0 or -ENOMEM. */

/** host_put_text - @text unless it is NULL */
int host_put_text(struct jval *object, const char *key, const char *text);
/** host_put_line - the first line of the file @path below the root */
int host_put_line(const struct host_source *source, struct jval *object, const char *key,
		  const char *path);
/** host_put_chosen - likewise; of several words the one in brackets or parentheses */
int host_put_chosen(const struct host_source *source, struct jval *object,
		    const char *key, const char *path);
/**
 * host_put_dir - the first line of every regular file of a folder by its name
 * @source: where
 * @object: receives an object under @key; nothing when there are none
 * @key: see @object
 * @path: the folder, below the root
 * @prefix: only names that begin so
 */
int host_put_dir(const struct host_source *source, struct jval *object, const char *key,
		 const char *path, const char *prefix);
/**
 * host_put_per_cpu - the first line of a file that each CPU has
 * @source: where
 * @object: receives one text under @key where all CPUs agree, else an object
 *          of CPU lists by text
 * @key: see @object
 * @name: of the file, below cpu<N>/
 */
int host_put_per_cpu(const struct host_source *source, struct jval *object,
		     const char *key, const char *name);
/** host_put_filled - take @value, which is dropped when empty; NULL: no memory */
int host_put_filled(struct jval *object, const char *key, struct jval *value);

/** host_read_text - all of @path below the root, the caller's; or NULL */
char *host_read_text(const struct host_source *source, const char *path);
/** host_read_line - first line of @path below the root, the caller's; or NULL */
char *host_read_line(const struct host_source *source, const char *path);
/** host_has_file - whether @path is there below the root */
bool host_has_file(const struct host_source *source, const char *path);

/** host_last_word - where @word last stands in @text between blanks or ends; or NULL */
const char *host_last_word(const char *text, const char *word);

/** host_build_id - GNU build id of the kernel, the caller's; or NULL */
char *host_build_id(const struct host_source *source);
/** host_cpu_model - name of the processor, the caller's; or NULL */
char *host_cpu_model(const struct host_source *source);

/* Each puts its part into an object and returns 0 or -ENOMEM. */

/** host_kernel_facts - commit, command line, taint, preemption */
int host_kernel_facts(const struct host_source *source, const struct host *host,
		      struct jval *facts);
/** host_cpu_facts - model, microcode, frequency, mitigations, SMT, clock */
int host_cpu_facts(const struct host_source *source, const struct host *host,
		   struct jval *facts);
/** host_sched_facts - what the scheduler was told: features, domains, sysctls */
int host_sched_facts(const struct host_source *source, struct jval *facts);
/** host_bounds_facts - cgroup, affinity and memory */
int host_bounds_facts(const struct host_source *source, struct jval *facts);

#endif
