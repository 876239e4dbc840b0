// SPDX-License-Identifier: GPL-2.0-or-later
/* Which CPUs there are under some settings: SMT, CPUs offline, a cpuset. */
#include "runner/settings_find.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/cgroup.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/topo.h"

#define CPUS "/sys/devices/system/cpu"

static int take_offline(const struct settings_place *place, unsigned int cpu,
			struct journal_writes *writes, struct err *err)
{
	char *path = file_path(CPUS "/cpu%u/online", cpu);
	int bad;

	if (!path)
		return err_nomem(err);
	if (settings_has_file(place, path))
		bad = settings_want(place, writes, path, "0", err);
	else
		bad = settings_cant(err, "CPU %u can't be taken offline", cpu);
	free(path);
	return bad;
}

/* The first of each core stays; NULL with @err set. */
static char *read_siblings(const struct settings_place *place, unsigned int cpu)
{
	char *path = file_path(CPUS "/cpu%u/topology/thread_siblings_list", cpu);
	char *text = path ? journal_read_file(place->root, path) : NULL;

	free(path);
	return text;
}

/* Kernels before 4.19 have no switch: the other threads of each core go offline. */
static int smt_off_by_hand(const struct settings_place *place,
			   struct journal_writes *writes, struct err *err)
{
	char *text = journal_read_file(place->root, CPUS "/online");
	struct cpulist online = { 0 };
	int bad = text ? cpulist_parse(text, &online, NULL) : -ENOENT;
	size_t i;

	free(text);
	if (bad)
		return bad == -ENOMEM
			       ? err_nomem(err)
			       : settings_cant(err, "'" CPUS "/online' can't be read");
	for (i = 0; !bad && i < online.nr; i++) {
		struct cpulist threads = { 0 };
		char *siblings = read_siblings(place, online.cpu[i]);

		if (!siblings || cpulist_parse(siblings, &threads, NULL))
			bad = settings_cant(err, "threads of CPU %u aren't known",
					    online.cpu[i]);
		else if (threads.cpu[0] != online.cpu[i])
			bad = take_offline(place, online.cpu[i], writes, err);
		cpulist_release(&threads);
		free(siblings);
	}
	cpulist_release(&online);
	return bad;
}

static int find_smt(const struct settings_place *place, enum settings_switch state,
		    struct journal_writes *writes, struct err *err)
{
	static const char control[] = CPUS "/smt/control";
	char *now = journal_read_file(place->root, control);
	bool is_off = state == SETTINGS_OFF;
	int bad;

	if (now && (!strcmp(now, "on") || !strcmp(now, "off")))
		bad = settings_want(place, writes, control, is_off ? "off" : "on", err);
	else if (now && is_off)
		bad = 0; /* forceoff, notsupported, notimplemented: there is none */
	else if (now)
		bad = settings_cant(err, "SMT can't be put on: '%s' says '%s'", control,
				    now);
	else if (is_off)
		bad = smt_off_by_hand(place, writes, err);
	else
		bad = settings_cant(err, "kernel %s has no '%s' to put SMT on",
				    place->release, control);
	free(now);
	return bad;
}

static int find_offline(const struct settings_place *place, const struct cpulist *cpus,
			struct journal_writes *writes, struct err *err)
{
	int bad = 0;
	size_t i;

	for (i = 0; !bad && i < cpus->nr; i++)
		bad = take_offline(place, cpus->cpu[i], writes, err);
	return bad;
}

/* struct set - the cpuset that is made, and the one that this process is in */
struct set {
	const struct settings_place *place;
	struct journal_writes *writes;
	char *home, *dir, *from;
	bool is_v2;
	struct err *err;
};

static int add(const struct set *set, enum journal_kind kind, const char *name,
	       const char *value)
{
	char *path = file_path("%s%s", set->dir, name);
	int bad = path && journal_add(set->writes, kind, path, value)
			  ? 0
			  : err_nomem(set->err);

	free(path);
	return bad;
}

/* A child of version 2 has cpusets only where the group above says so. */
static int enable(const struct set *set)
{
	char *path = file_path("%s/cgroup.subtree_control", set->home);
	struct err why = { 0 };
	int bad = path ? journal_may_write(set->place->root, path, &why)
		       : err_nomem(set->err);

	if (bad && path)
		bad = settings_cant(set->err, "no cpuset can be made: %s", why.text);
	if (!bad && !journal_add(set->writes, JOURNAL_PART, path, "+cpuset"))
		bad = err_nomem(set->err);
	free(path);
	return bad;
}

/* Version 1 has no prefix when it is mounted as the file system "cpuset" was. */
static int fill(const struct set *set, const struct settings_cpuset *cpuset)
{
	char *cpus = cpulist_write(&cpuset->cpus);
	char *path = file_path("%s/cpuset.mems", set->home);
	char *above =
		path && !set->is_v2 ? journal_read_file(set->place->root, path) : NULL;
	const char *mems = cpuset->mems ? cpuset->mems : above;
	int bad = cpus && path ? 0 : err_nomem(set->err);

	if (!bad)
		bad = add(set, JOURNAL_GROUP, "", "");
	if (!bad)
		bad = add(set, JOURNAL_VALUE, "/cpuset.cpus", cpus);
	/* Nobody can be in a cpuset of version 1 that has no memory. */
	if (!bad && mems)
		bad = add(set, JOURNAL_VALUE, "/cpuset.mems", mems);
	if (!bad && cpuset->partition)
		bad = add(set, JOURNAL_VALUE, "/cpuset.cpus.partition",
			  cpuset->partition);
	free(above);
	free(path);
	free(cpus);
	return bad;
}

/* This process goes there, and what it starts is there from its first instruction on. */
static int move_in(const struct set *set)
{
	char pid[32];

	(void)snprintf(pid, sizeof(pid), "%ld", (long)getpid());
	if (add(set, JOURNAL_MOVE, "/cgroup.procs", pid))
		return set->err->code;
	set->writes->write[set->writes->nr - 1].before =
		file_path("%s/cgroup.procs", set->from);
	return set->writes->write[set->writes->nr - 1].before ? 0 : err_nomem(set->err);
}

static int find_cpuset(const struct settings_place *place,
		       const struct settings_cpuset *cpuset,
		       struct journal_writes *writes, struct err *err)
{
	const size_t skip = strlen(place->root);
	struct set set = { .place = place, .writes = writes, .err = err };
	struct cgroup group = { 0 };
	int bad = cgroup_find(place->root, "cpuset", &group);

	if (bad == -ENOENT)
		return settings_cant(err, "no hierarchy of cpusets is mounted");
	if (bad)
		return err_nomem(err);
	set.is_v2 = group.is_v2;
	/* Below version 2's top, a group with processes can have no parts. */
	set.home = strdup((group.is_v2 ? group.top : group.dir) + skip);
	set.from = strdup(group.dir + skip);
	if (set.home)
		set.dir = file_path("%s/schedgrid-%ld", set.home, (long)getpid());
	if (!set.home || !set.from || !set.dir)
		bad = err_nomem(err);
	else if (cpuset->partition && !set.is_v2)
		bad = settings_cant(err, "cpusets of version 1 have no 'partition'");
	if (!bad && set.is_v2)
		bad = enable(&set);
	if (!bad)
		bad = fill(&set, cpuset);
	if (!bad)
		bad = move_in(&set);
	free(set.home);
	free(set.from);
	free(set.dir);
	cgroup_release(&group);
	return bad;
}

int settings_find_cpus(const struct settings_place *place,
		       const struct settings *settings, struct journal_writes *writes,
		       struct err *err)
{
	int bad = 0;

	if (settings->smt)
		bad = find_smt(place, settings->smt, writes, err);
	if (!bad)
		bad = find_offline(place, &settings->offline, writes, err);
	if (!bad && settings->cpuset.cpus.nr)
		bad = find_cpuset(place, &settings->cpuset, writes, err);
	return bad;
}

/* The first thread of its core, as far as the machine is known. */
static bool is_first_thread(const struct topo *topo, unsigned int cpu)
{
	const struct topo_cpu *entry = topo_find(topo, cpu);
	size_t i;

	if (!entry || entry->core < 0)
		return true;
	for (i = 0; i < topo->nr_cpus; i++)
		if (topo->cpus[i].core == entry->core)
			return topo->cpus[i].cpu == cpu;
	return true;
}

int settings_cpus(const struct settings *settings, const struct topo *topo,
		  struct cpulist *cpus)
{
	struct cpulist left = { 0 };
	int bad = 0;
	size_t i;

	for (i = 0; !bad && i < cpus->nr; i++) {
		unsigned int cpu = cpus->cpu[i];

		if (cpulist_has(&settings->offline, cpu) ||
		    (settings->smt == SETTINGS_OFF && !is_first_thread(topo, cpu)) ||
		    (settings->cpuset.cpus.nr &&
		     !cpulist_has(&settings->cpuset.cpus, cpu)))
			continue;
		bad = cpulist_add(&left, cpu);
	}
	if (bad) {
		cpulist_release(&left);
		return bad;
	}
	cpulist_release(cpus);
	*cpus = left;
	return 0;
}
