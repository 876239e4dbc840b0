// SPDX-License-Identifier: GPL-2.0-or-later
/* Temporary folders and made-up machines; see fake-tree.h. */
#include "tests/unit/fake-tree.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/cpulist.h"
#include "lib/err.h"
#include "lib/file.h"

void fake_tree_init(struct fake_tree *tree)
{
	/* In memory where there is room: a machine is thousands of files. */
	enum { ROOM_MIB = 256 };
	const char *place = "/dev/shm";
	struct statvfs room;

	if (access(place, W_OK | X_OK) || statvfs(place, &room) ||
	    room.f_bavail < (ROOM_MIB << 20) / room.f_frsize)
		place = "/tmp";
	(void)snprintf(tree->dir, sizeof(tree->dir), "%s/schedgrid-test-XXXXXX", place);
	assert_non_null(mkdtemp(tree->dir));
}

void fake_tree_file(const struct fake_tree *tree, const char *path, const char *text)
{
	char *whole = file_path("%s/%s", tree->dir, path);
	char *slash;
	FILE *out;

	assert_non_null(whole);
	slash = strrchr(whole, '/');
	*slash = '\0';
	assert_int_equal(file_make_dirs(whole, NULL), 0);
	*slash = '/';
	out = fopen(whole, "we");
	if (!out)
		fail_msg("cannot create '%s'", whole);
	assert_true(fputs(text, out) >= 0);
	assert_int_equal(fclose(out), 0);
	free(whole);
}

char *fake_tree_read(const struct fake_tree *tree, const char *path, size_t *ret_len)
{
	char *whole = file_path("%s/%s", tree->dir, path);
	struct err err = { 0 };
	char *text = NULL;

	assert_non_null(whole);
	if (file_read(whole, 1 << 24, &text, ret_len, &err))
		fail_msg("%s", err.text);
	free(whole);
	return text;
}

/* As the kernel prints a mask: words of 32 bits, the highest first, with commas. */
static char *mask_text(const struct cpulist *set, unsigned int last)
{
	size_t nr_words = last / 32 + 1;
	uint32_t *words = calloc(nr_words, sizeof(*words));
	char *text = NULL;
	size_t size, i;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(words);
	assert_non_null(out);
	for (i = 0; i < set->nr; i++)
		words[set->cpu[i] / 32] |= UINT32_C(1) << set->cpu[i] % 32;
	for (i = nr_words; i > 0; i--)
		(void)fprintf(out, "%08x%s", words[i - 1], i > 1 ? "," : "\n");
	assert_int_equal(fclose(out), 0);
	free(words);
	return text;
}

/* What tells who shares a place with @cpu: 'c' core, 'p' package, 'l' LLC, 'n' node. */
static bool share(const struct fake_cpu *a, const struct fake_cpu *b, char place)
{
	switch (place) {
	case 'c':
		return a->package == b->package && a->core == b->core;
	case 'p':
		return a->package == b->package;
	case 'l':
		return a->llc == b->llc;
	default:
		return a->node == b->node;
	}
}

struct machine {
	const struct fake_tree *tree;
	const struct fake_cpu *cpus;
	size_t nr;
};

static void put_mask(const struct machine *machine, const struct fake_cpu *cpu,
		     char place, const char *path)
{
	struct cpulist set = { 0 };
	char *text;
	size_t i;

	for (i = 0; i < machine->nr; i++)
		if (share(&machine->cpus[i], cpu, place))
			assert_int_equal(cpulist_add(&set, machine->cpus[i].cpu), 0);
	text = mask_text(&set, machine->cpus[machine->nr - 1].cpu);
	fake_tree_file(machine->tree, path, text);
	free(text);
	cpulist_release(&set);
}

static void put_number(const struct fake_tree *tree, const char *path, int number)
{
	char text[16];

	(void)snprintf(text, sizeof(text), "%d\n", number);
	fake_tree_file(tree, path, text);
}

#define CPU_DIR	 "sys/devices/system/cpu/"
#define NODE_DIR "sys/devices/system/node/"

static void put_cpu(const struct machine *machine, const struct fake_cpu *cpu)
{
	const struct fake_tree *tree = machine->tree;
	char path[128];
	size_t len = (size_t)snprintf(path, sizeof(path), CPU_DIR "cpu%u/", cpu->cpu);
	char *at = path + len;
	size_t left = sizeof(path) - len;

	(void)snprintf(at, left, "topology/physical_package_id");
	put_number(tree, path, cpu->package);
	(void)snprintf(at, left, "topology/core_id");
	put_number(tree, path, cpu->core);
	(void)snprintf(at, left, "topology/thread_siblings");
	put_mask(machine, cpu, 'c', path);
	(void)snprintf(at, left, "topology/core_siblings");
	put_mask(machine, cpu, 'p', path);
	if (cpu->llc < 0)
		return;
	(void)snprintf(at, left, "cache/index0/level");
	put_number(tree, path, 3);
	(void)snprintf(at, left, "cache/index0/type");
	fake_tree_file(tree, path, "Unified\n");
	(void)snprintf(at, left, "cache/index0/size");
	fake_tree_file(tree, path, "16384K\n");
	(void)snprintf(at, left, "cache/index0/shared_cpu_map");
	put_mask(machine, cpu, 'l', path);
}

void fake_tree_cpus(const struct fake_tree *tree, const struct fake_cpu *cpus, size_t nr)
{
	const struct machine machine = { tree, cpus, nr };
	struct cpulist online = { 0 };
	char *text;
	size_t i;

	for (i = 0; i < nr; i++) {
		assert_int_equal(cpulist_add(&online, cpus[i].cpu), 0);
		put_cpu(&machine, &cpus[i]);
	}
	text = cpulist_write(&online);
	assert_non_null(text);
	fake_tree_file(tree, CPU_DIR "online", text);
	fake_tree_file(tree, CPU_DIR "present", text);
	fake_tree_file(tree, CPU_DIR "possible", text);
	free(text);
	cpulist_release(&online);
}

static void put_node(const struct machine *machine, const struct cpulist *nodes,
		     size_t idx, int bare)
{
	const struct fake_cpu any = { .node = (int)nodes->cpu[idx] };
	char path[128];
	char text[512];
	size_t len;
	size_t i;

	(void)snprintf(path, sizeof(path), NODE_DIR "node%d/cpumap", any.node);
	put_mask(machine, &any, 'n', path);
	(void)snprintf(path, sizeof(path), NODE_DIR "node%d/meminfo", any.node);
	(void)snprintf(text, sizeof(text), "Node %d MemTotal: %d kB\n", any.node,
		       any.node == bare ? 0 : 1048576);
	fake_tree_file(machine->tree, path, text);
	for (i = len = 0; i < nodes->nr; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%d",
					i ? " " : "", i == idx ? 10 : 40);
	(void)snprintf(path, sizeof(path), NODE_DIR "node%d/distance", any.node);
	fake_tree_file(machine->tree, path, text);
}

void fake_tree_nodes(const struct fake_tree *tree, const struct fake_cpu *cpus, size_t nr,
		     const char *online, int bare)
{
	const struct machine machine = { tree, cpus, nr };
	struct cpulist nodes = { 0 };
	size_t i;

	assert_int_equal(cpulist_parse(online, &nodes, NULL), 0);
	for (i = 0; i < nodes.nr; i++)
		put_node(&machine, &nodes, i, bare);
	fake_tree_file(tree, NODE_DIR "online", online);
	fake_tree_file(tree, NODE_DIR "possible", online);
	cpulist_release(&nodes);
}

static int remove_one(const char *path, const struct stat *stat, int type,
		      struct FTW *where)
{
	(void)stat;
	(void)type;
	(void)where;
	return remove(path);
}

void fake_tree_release(struct fake_tree *tree)
{
	(void)nftw(tree->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
