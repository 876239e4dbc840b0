// SPDX-License-Identifier: GPL-2.0-or-later
/* runner/placement: what follows from a trace, and which traces are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cpulist.h"
#include "lib/err.h"
#include "lib/topo.h"
#include "lib/trace.h"
#include "runner/monitor.h"
#include "runner/placement.h"
#include "runner/placement_read.h"
#include "tests/unit/fake-tree.h"
#include "tests/unit/near.h"

/* Two nodes of two cores with two threads; each node has a cache of its own. */
#define MACHINE                                                  \
	"schedgrid-placement-1\n"                                \
	"cpu 0 core 0 llc 0 node 0\ncpu 1 core 0 llc 0 node 0\n" \
	"cpu 2 core 1 llc 0 node 0\ncpu 3 core 1 llc 0 node 0\n" \
	"cpu 4 core 2 llc 1 node 1\ncpu 5 core 2 llc 1 node 1\n" \
	"cpu 6 core 3 llc 1 node 1\ncpu 7 core 3 llc 1 node 1\n"

/* The program itself is placed by the runner; its three threads by the kernel. */
#define FORKS                                                                    \
	"main 0 4 100\nnew 10 4 100 2\nrun 20 2 100\n"                           \
	"fork 30 2 100 101\nnew 40 2 101 3\nfork 50 2 100 102\nnew 60 2 102 4\n" \
	"fork 70 2 100 103\nnew 80 2 103 4\n"

static void parse(const char *text, struct placement *ret)
{
	struct err err = { 0 };

	if (placement_parse(text, ret, &err))
		fail_msg("%s", err.text);
}

static void refuse(const char *text, int code, const char *expected)
{
	struct placement placement;
	struct err err = { 0 };

	assert_int_equal(placement_parse(text, &placement, &err), code);
	if (!strstr(err.text, expected))
		fail_msg("'%s' is not in '%s'", expected, err.text);
}

static void test_new_tasks(void **state)
{
	struct placement placement;

	(void)state;
	parse(MACHINE FORKS "end 9\n", &placement);
	assert_int_equal(placement.nr_new, 3);
	assert_int_equal(placement.new_on_node[0], 1);
	assert_int_equal(placement.new_on_node[1], 2);
	assert_int_equal(placement.spread[PLACEMENT_CPU].nr_units, 8);
	assert_int_equal(placement.spread[PLACEMENT_CPU].nr_used, 2);
	assert_int_equal(placement.spread[PLACEMENT_CORE].nr_units, 4);
	assert_int_equal(placement.spread[PLACEMENT_NODE].nr_units, 2);
	assert_int_equal(placement.spread[PLACEMENT_NODE].nr_used, 2);
	assert_near(placement.spread[PLACEMENT_NODE].largest, 2.0 / 3.0);
	/* 1/3 log2 3 + 2/3 log2 1.5 */
	assert_near(placement.spread[PLACEMENT_NODE].entropy, 0.9182958340544896);
	assert_int_equal(placement.nr_woken, 0);
	assert_int_equal(placement.nr_moves, 0);
}

static void test_wake_distances(void **state)
{
	struct placement placement;
	size_t i;

	(void)state;
	/* 101 is woken before it ever ran: from where isn't known. */
	parse(MACHINE FORKS "wake 90 2 101 3\n"
			    "run 91 2 101\nstop 92 2 101 1\nwake 93 0 101 2\n"
			    "wake 94 0 101 3\nwake 95 0 101 0\nwake 96 0 101 7\n"
			    "run 97 7 101\nstop 98 7 101 1\nwake 99 0 101 4\nend 19\n",
	      &placement);
	assert_int_equal(placement.nr_woken, 5);
	for (i = 0; i <= PLACEMENT_NR_LEVELS; i++)
		assert_int_equal(placement.nr_woken_near[i], i == PLACEMENT_LLC	   ? 2
							     : i == PLACEMENT_NODE ? 0
										   : 1);
}

static void test_moves(void **state)
{
	struct placement placement;

	(void)state;
	parse(MACHINE FORKS "move 90 0 101 3 2\nmove 91 0 101 2 6\nend 11\n", &placement);
	assert_int_equal(placement.nr_moves, 2);
	assert_int_equal(placement.nr_node_moves, 1);
}

/* The number of a task that has ended is given to another one. */
static void test_number_again(void **state)
{
	struct placement placement;

	(void)state;
	parse(MACHINE "main 0 0 100\nnew 1 0 100 0\nrun 2 0 100\nfork 3 0 100 101\n"
		      "new 4 0 101 5\nrun 5 5 101\nfork 6 0 100 101\nwake 7 0 101 0\n"
		      "end 8\n",
	      &placement);
	assert_int_equal(placement.nr_woken, 0);
	assert_int_equal(placement.nr_new, 1);
}

static const struct record_metric *find(const struct record_metric *metrics, size_t nr,
					const char *name)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (!strcmp(metrics[i].name, name))
			return &metrics[i];
	return NULL;
}

static void expect(const struct record_metric *metrics, size_t nr, const char *name,
		   double value, bool is_judged)
{
	const struct record_metric *metric = find(metrics, nr, name);

	if (!metric) {
		fail_msg("no metric '%s'", name);
		return;
	}
	assert_near(metric->samples[0], value);
	assert_int_equal(metric->better_higher, false);
	assert_int_equal(!metric->unjudged, is_judged);
}

static void test_metrics(void **state)
{
	struct record_metric metrics[PLACEMENT_MAX_METRICS];
	double values[PLACEMENT_MAX_METRICS];
	struct placement placement;
	size_t nr, i;

	(void)state;
	parse(MACHINE FORKS "run 90 2 101\nwake 91 0 101 2\nwake 92 0 101 4\nend 12\n",
	      &placement);
	nr = placement_metrics(&placement, metrics, values);
	for (i = 0; i < nr; i++)
		assert_true(metrics[i].secondary && metrics[i].nr_samples == 1);
	expect(metrics, nr, "new-node-largest", 200.0 / 3.0, true);
	expect(metrics, nr, "new-on-node1", 2.0, false);
	expect(metrics, nr, "wake-remote", 50.0, true);
	expect(metrics, nr, "migrations", 0.0, true);
	expect(metrics, nr, "migrations-node", 0.0, true);
}

/* What nothing happened of has no share, and what there is one of no spread. */
static void test_absent(void **state)
{
	struct record_metric metrics[PLACEMENT_MAX_METRICS];
	double values[PLACEMENT_MAX_METRICS];
	struct placement placement;
	size_t nr;

	(void)state;
	parse(MACHINE "main 0 0 100\nnew 1 0 100 0\nend 2\n", &placement);
	nr = placement_metrics(&placement, metrics, values);
	assert_non_null(find(metrics, nr, "new-tasks"));
	assert_null(find(metrics, nr, "new-cpu-largest"));
	assert_null(find(metrics, nr, "wake-same-cpu"));
	parse("schedgrid-placement-1\ncpu 0 core 0 llc - node 0\n"
	      "cpu 1 core 1 llc - node 0\nmain 0 0 100\nfork 1 0 100 101\n"
	      "new 2 0 101 0\nend 3\n",
	      &placement);
	nr = placement_metrics(&placement, metrics, values);
	assert_non_null(find(metrics, nr, "new-cores"));
	assert_null(find(metrics, nr, "new-llcs"));
	assert_null(find(metrics, nr, "new-nodes"));
	assert_null(find(metrics, nr, "new-on-node0"));
	assert_null(find(metrics, nr, "migrations-node"));
}

static void test_refusals(void **state)
{
	(void)state;
	refuse("", -EPROTO, "line 1 of a placement trace is missing");
	refuse("schedgrid-placement-2\nend 0\n", -EPROTO, "no placement trace");
	refuse(MACHINE, -EPROTO, "line 10 of a placement trace is missing or was cut");
	refuse(MACHINE FORKS, -EPROTO, "missing or was cut");
	refuse(MACHINE FORKS "end 8\n", -EPROTO, "line 19");
	refuse(MACHINE FORKS "end 9", -EPROTO, "was cut");
	refuse(MACHINE FORKS "end 9\nend 9\n", -EPROTO, "not the right end");
	refuse(MACHINE FORKS "lost 7\nend 10\n", -ENODATA, "7 events of the trace");
	refuse(MACHINE "end 0\n", -ENODATA, "no program that was started");
	refuse(MACHINE "failed no memory for the buffers\n", -ENODATA,
	       "no memory for the buffers");
	refuse(MACHINE "main 0 8 100\nend 1\n", -EPROTO, "numbers that can't be");
	refuse(MACHINE "main 0 0 9999999\nend 1\n", -EPROTO, "numbers that can't be");
	refuse(MACHINE "main 0 0 100 3\nend 1\n", -EPROTO, "numbers that can't be");
	refuse(MACHINE "main 5 0 100\nnew 4 0 100 1\nend 2\n", -EPROTO, "not later");
	refuse(MACHINE "moan 0 0 100\nend 1\n", -EPROTO, "isn't known");
	refuse(MACHINE "cpu 7 core 3 llc 1 node 1\nend 0\n", -EPROTO, "there before");
	refuse("schedgrid-placement-1\ncpu - core 0 llc 0 node 0\nend 0\n", -EPROTO,
	       "where a CPU belongs");
}

static void test_reads_lines(void **state)
{
	char *list = NULL;

	(void)state;
	assert_int_equal(placement_list(MACHINE FORKS "end 9\n", &list, NULL), 0);
	assert_non_null(strstr(list, "101: target_cpu=003 (LLC: 0)\n"));
	assert_non_null(strstr(list, "103: target_cpu=004 (LLC: 1)\n"));
	free(list);
	list = NULL;
	assert_int_equal(placement_list(MACHINE "end 0\n", &list, NULL), -ENODATA);
	assert_null(list);
}

static void count_mains(const struct placement_machine *machine,
			const struct placement_line *line, void *data)
{
	assert_int_equal(machine->nr_cpus, 8);
	*(unsigned int *)data += line->kind == PLACEMENT_MAIN;
}

static void test_read(void **state)
{
	struct placement_machine machine = { 0 };
	unsigned int nr = 0;

	(void)state;
	assert_int_equal(
		placement_read(MACHINE FORKS "end 9\n", &machine, count_mains, &nr, NULL),
		0);
	assert_int_equal(nr, 1);
	assert_int_equal(machine.units[5][PLACEMENT_CORE], 2);
	placement_machine_release(&machine);
	placement_machine_release(&machine);
}

/* Two CPUs of three may be used; one is free from 40 to 70 while the other has two. */
static void test_idle_while_overloaded(void **state)
{
	static const char machine[] = "schedgrid-placement-1\n"
				      "cpu 0 core 0 llc 0 node 0 allowed\n"
				      "cpu 1 core 1 llc 0 node 0 allowed\n"
				      "cpu 2 core 2 llc 0 node 0\n";
	static const char events[] =
		"main 0 2 9\nnew 10 2 9 0\nrun 20 0 9\n"
		"fork 30 0 9 10\nnew 40 0 10 0\n"   /* two on CPU 0, none on 1 */
		"stop 50 0 9 256\nrun 50 0 10\n"    /* preempted: still two */
		"move 70 1 9 0 1\nrun 75 1 9\n"	    /* one each */
		"stop 90 1 9 1\nstop 100 0 10 16\n" /* asleep, dead */
		"end 11\n";
	static const char others[] =
		"main 0 2 9\nnew 10 2 9 0\nrun 20 0 9\n"
		"fork 30 0 9 10\nnew 40 0 10 0\n"
		"other 50 1 1\nother 90 1 0\nidle 90 1\nother 95 1 2\n"
		"stop 100 0 9 1\nend 10\n";
	struct placement placement;
	char text[1000];

	(void)state;
	(void)snprintf(text, sizeof(text), "%s%s", machine, events);
	parse(text, &placement);
	assert_near(placement.idle_share, 0.3);
	/* CPU 1 is idle from 40 to 50 and from 90 to 95 only. */
	(void)snprintf(text, sizeof(text), "%s%s", machine, others);
	parse(text, &placement);
	assert_near(placement.idle_share, 0.15);
	refuse("schedgrid-placement-1\ncpu 0 core 0 llc 0 node 0\nidle 0 0 5\n", -EPROTO,
	       "has numbers that can't be");
	/* An older trace doesn't say where the program may run. */
	parse(MACHINE FORKS "end 9\n", &placement);
	assert_true(isnan(placement.idle_share));
	refuse("schedgrid-placement-1\ncpu 0 core 0 llc 0 node 0 permitted\n", -EPROTO,
	       "doesn't say where a CPU belongs");
}

/* Written for a machine and read again; what a collector makes of it. */
static void test_write(void **state)
{
	struct topo_cpu cpus[] = { { 0, 0, -1, 0, 0 }, { 1, 1, -1, 0, 0 } };
	const struct topo topo = { .cpus = cpus, .nr_cpus = 2 };
	unsigned int second = 1;
	const struct cpulist allowed = { .cpu = &second, .nr = 1 };
	const struct monitors monitors = { .has_placement = true };
	static struct monitor_report report;
	struct fake_tree tree;
	char *text;
	size_t len;

	(void)state;
	fake_tree_init(&tree);
	monitor_collect(&monitors, tree.dir, &report);
	assert_int_equal(report.nr_metrics, 0);
	assert_int_equal(report.nr_remarks, 1);
	assert_non_null(strstr(report.remarks[0], "placement: nothing counted: "));
	assert_int_equal(placement_write(tree.dir, &topo, &allowed,
					 "main 0 0 9\nfork 1 0 9 10\nnew 2 0 10 1\n"
					 "end 3\n",
					 NULL),
			 0);
	text = fake_tree_read(&tree, PLACEMENT_FILE, &len);
	assert_non_null(strstr(text, "cpu 0 core 0 llc - node 0\n"
				     "cpu 1 core 1 llc - node 0 allowed\nmain 0 0 9\n"));
	free(text);
	monitor_collect(&monitors, tree.dir, &report);
	assert_int_equal(report.nr_remarks, 0);
	assert_non_null(find(report.metrics, report.nr_metrics, "new-cpus"));
	assert_int_equal(placement_keep(NULL, tree.dir, &topo, &allowed, NULL), 0);
	fake_tree_release(&tree);
}

/* Whoever runs this, and whatever the kernel can: an event that nobody has is refused. */
static void test_trace_open(void **state)
{
	static const char *const events[] = { "sched_no_such_event", NULL };
	struct trace *trace = NULL;
	struct err err = { 0 };

	(void)state;
	assert_true(trace_open("sched", events, 1 << 16, &trace, &err) < 0);
	assert_null(trace);
	assert_true(*err.text);
	trace_close(NULL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_new_tasks),
		cmocka_unit_test(test_wake_distances),
		cmocka_unit_test(test_moves),
		cmocka_unit_test(test_number_again),
		cmocka_unit_test(test_metrics),
		cmocka_unit_test(test_absent),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_reads_lines),
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_idle_while_overloaded),
		cmocka_unit_test(test_write),
		cmocka_unit_test(test_trace_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
