// SPDX-License-Identifier: GPL-2.0-or-later
/* Guests without starting one: machines, images, archives, and what guests say. */
#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "benchmarks/bench.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/topo.h"
#include "record/host.h"
#include "runner/grid.h"
#include "runner/guest.h"
#include "runner/guest_boot.h"
#include "runner/guest_cpio.h"
#include "runner/guest_image.h"
#include "runner/guest_job.h"
#include "runner/guest_report.h"
#include "runner/guest_run.h"
#include "runner/guest_spec.h"
#include "runner/local.h"
#include "runner/plan.h"

/* struct place - a directory of a test's own */
struct place {
	char dir[64];
};

static int enter(void **state)
{
	static struct place place;

	(void)snprintf(place.dir, sizeof(place.dir), "/tmp/test-guest-XXXXXX");
	if (!mkdtemp(place.dir) || chdir(place.dir))
		return -1;
	*state = &place;
	return 0;
}

static int leave(void **state)
{
	static const char *const names[] = {
		"image",     "log",	"said",	    "grid.yaml",   "other",
		"prog",	     "archive", "job.json", "initrd.cpio", "tree/boot/vmlinuz-1",
		"tree/boot", "tree"
	};
	struct place *place = *state;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		(void)remove(names[i]);
	return chdir("/") || rmdir(place->dir);
}

static void put(const char *path, const void *data, size_t len)
{
	FILE *out = fopen(path, "we");

	assert_non_null(out);
	assert_int_equal(fwrite(data, 1, len, out), len);
	assert_int_equal(fclose(out), 0);
}

static void put_text(const char *path, const char *text)
{
	put(path, text, strlen(text));
}

/* A bzImage's head and nothing behind it. */
static void put_image(const char *path, const char *name)
{
	char head[0x1000] = "";

	(void)snprintf(head + 0x202, 8, "HdrS");
	head[0x20f] = 0x08;
	(void)snprintf(head + 0x200 + 0x800, 200, "%s", name);
	put(path, head, sizeof(head));
}

static const char kernel[] = "6.1.0-1-test (me@here) #1 SMP Debian 6.1.1-1 (2026-01-01)";

static void test_guest_topologies(void **state)
{
	const char *const *names = guest_topology_names();
	struct guest_topology topology;

	(void)state;
	for (; *names; names++) {
		struct guest_spec spec;
		struct topo *topo;

		guest_spec_init(&spec);
		assert_int_equal(guest_topology_find(*names, &spec.topology), 0);
		assert_int_equal(guest_spec_finish(&spec, NULL), 0);
		assert_int_equal(guest_topo(&spec.topology, &topo), 0);
		assert_int_equal(topo->nr_cpus, guest_nr_cpus(&spec.topology));
		assert_int_equal(topo->nr_nodes, spec.topology.nodes);
		assert_int_equal(guest_check_topo(&spec.topology, topo, NULL), 0);
		topo_free(topo);
	}
	assert_int_equal(guest_topology_find("two-node", &topology), -ENOENT);
}

static void test_guest_topo_numbers(void **state)
{
	struct guest_topology topology;
	struct err err = { 0 };
	struct topo *topo;

	(void)state;
	assert_int_equal(guest_topology_find("two-node-8", &topology), 0);
	assert_int_equal(guest_topo(&topology, &topo), 0);
	assert_int_equal(topo->cpus[5].core, 2);
	assert_int_equal(topo->cpus[5].llc, 1);
	assert_int_equal(topo->cpus[5].node, 1);
	assert_int_equal(topo->cpus[3].node, 0);
	topo->cpus[5].node = 0;
	assert_int_equal(guest_check_topo(&topology, topo, &err), -EPROTO);
	assert_non_null(strstr(err.text, "CPU 5"));
	err = (struct err){ 0 };
	topo->nr_llcs = 1;
	assert_int_equal(guest_check_topo(&topology, topo, &err), -EPROTO);
	assert_string_equal(err.text,
			    "the guest's kernel sees 1 last-level caches (expected 2)");
	topo_free(topo);
}

static void test_guest_spec_refuses(void **state)
{
	static const struct {
		struct guest_topology topology;
		uint64_t memory;
		const char *text;
	} cases[] = {
		{ { "", 16, 2, 8, 2, 1, 21 }, 0, "the topology has 512 CPUs" },
		{ { "", 3, 1, 2, 1, 2, 21 }, 0, "2 nodes can't share 3" },
		{ { "", 1, 1, 2, 1, 2, 21 }, 0, "2 nodes and 1 last-level caches" },
		{ { "", 2, 1, 2, 1, 2, 21 }, 100, "memory of 100 MiB (expected" },
		{ { "", 2, 1, 2, 1, 2, 21 }, 1001, "can't be shared out" },
	};
	struct guest_spec spec;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = { 0 };

		guest_spec_init(&spec);
		spec.topology = cases[i].topology;
		spec.memory_mib = cases[i].memory;
		assert_int_equal(guest_spec_finish(&spec, &err), -EINVAL);
		assert_non_null(strstr(err.text, cases[i].text));
	}
	guest_spec_init(&spec);
	spec.mode = GUEST_DETERMINISTIC;
	spec.accel = GUEST_KVM;
	assert_int_equal(guest_spec_finish(&spec, NULL), -EINVAL);
	guest_spec_init(&spec);
	*spec.topology.name = '\0';
	assert_int_equal(guest_spec_finish(&spec, NULL), 0);
	assert_string_equal(spec.topology.name, "guest-2s1l2c2t2n");
}

static void test_guest_image_open(void **state)
{
	struct guest_image image;
	struct err err = { 0 };
	const struct place *place = *state;

	put_image("image", kernel);
	assert_int_equal(guest_image_open("image", ".", &image, &err), 0);
	assert_string_equal(image.release, "6.1.0-1-test");
	assert_string_equal(image.version, "#1 SMP Debian 6.1.1-1 (2026-01-01)");
	assert_int_equal(strncmp(image.path, place->dir, strlen(place->dir)), 0);
	assert_int_equal(strlen(image.sha256), 64);
	guest_image_release(&image);

	assert_int_equal(file_make_dirs("tree/boot", NULL), 0);
	assert_int_equal(guest_image_open("tree", ".", &image, &err), -ENOENT);
	assert_non_null(strstr(err.text, "has no kernel image"));
	put_image("tree/boot/vmlinuz-1", kernel);
	assert_int_equal(guest_image_open("tree", ".", &image, &err), 0);
	guest_image_release(&image);
}

/* "p.deb" of what is below "package". */
static void build_package(void)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		(void)dup2(STDERR_FILENO, STDOUT_FILENO);
		(void)execlp("dpkg-deb", "dpkg-deb", "--root-owner-group", "-Znone", "-b",
			     "package", "p.deb", NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static size_t count_entries(const char *path)
{
	DIR *entries = opendir(path);
	size_t nr = 0;

	assert_non_null(entries);
	while (readdir(entries))
		nr++;
	(void)closedir(entries);
	return nr - 2;
}

static void test_guest_image_package(void **state)
{
	const struct place *place = *state;
	struct guest_image image;
	struct err err = { 0 };

	assert_int_equal(setenv("XDG_CACHE_HOME", place->dir, 1), 0);
	assert_int_equal(file_make_dirs("package/DEBIAN", NULL), 0);
	assert_int_equal(file_make_dirs("package/boot", NULL), 0);
	put_text("package/DEBIAN/control", "Package: x\nVersion: 1\nArchitecture: all\n"
					   "Maintainer: a <a@example.org>\n"
					   "Description: x\n");
	put_image("package/boot/vmlinuz-1", kernel);
	put_text("package/boot/config-6.1.0-1-test", "CONFIG_SMP=y\n");
	build_package();
	assert_int_equal(guest_image_open("p.deb", ".", &image, &err), 0);
	assert_string_equal(image.release, "6.1.0-1-test");
	assert_non_null(strstr(image.config, "/boot/config-6.1.0-1-test"));
	guest_image_release(&image);
	assert_int_equal(count_entries("schedgrid/kernels"), 1);

	/* What was unpacked of a torn one doesn't stay. */
	assert_int_equal(truncate("p.deb", 12000), 0);
	assert_int_equal(guest_image_open("p.deb", ".", &image, &err), -EINVAL);
	assert_non_null(strstr(err.text, "can't be unpacked by dpkg-deb"));
	assert_int_equal(count_entries("schedgrid/kernels"), 1);
	(void)unsetenv("XDG_CACHE_HOME");
	(void)unlink("p.deb");
	file_remove_tree("package");
	file_remove_tree("schedgrid");
}

static void test_guest_image_refuses(void **state)
{
	struct guest_image image;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(guest_image_open("other", ".", &image, &err), -ENOENT);
	assert_string_equal(err.text,
			    "cannot open the kernel image './other': No such file "
			    "or directory");
	put_text("other", "text");
	err = (struct err){ 0 };
	assert_int_equal(guest_image_open("other", ".", &image, &err), -EINVAL);
	assert_non_null(strstr(err.text, "is no kernel image"));
	put_image("other", "no builder");
	assert_int_equal(guest_image_open("other", ".", &image, NULL), -EINVAL);
	put_image("other", "");
	assert_int_equal(guest_image_open("other", ".", &image, NULL), -EINVAL);
}

static void test_guest_cpio(void **state)
{
	/* Header of 110 bytes, "dir" in 4 more, 2 of padding; and so on. */
	static const char dir[] = "070701"
				  "00000001000041ED000000000000000000000001"
				  "00000000000000000000000000000000"
				  "0000000000000000"
				  "0000000400000000"
				  "dir";
	struct guest_cpio cpio = { .out = fopen("archive", "we") };
	struct err err = { 0 };
	char *text;
	size_t len;

	(void)state;
	assert_non_null(cpio.out);
	put_text("prog", "12345");
	guest_cpio_dir(&cpio, "dir");
	guest_cpio_device(&cpio, "dir/console", 5, 1);
	guest_cpio_data(&cpio, "a", 0644, "abcd", 4);
	assert_int_equal(guest_cpio_file(&cpio, "p", "prog", &err), 0);
	assert_int_equal(guest_cpio_file(&cpio, "p", "missing", &err), -ENOENT);
	assert_int_equal(guest_cpio_end(&cpio), 0);
	assert_int_equal(fclose(cpio.out), 0);
	assert_int_equal(file_read("archive", 1 << 16, &text, &len, NULL), 0);
	assert_int_equal(len % 4, 0);
	assert_memory_equal(text, dir, sizeof(dir));
	/* The device's numbers, and the data behind a padded name. */
	assert_memory_equal(text + 116 + 78, "0000000500000001", 16);
	assert_memory_equal(text + 116 + 124 + 110, "a\0abcd070701", 12);
	free(text);
}

static const char said[] =
	"{\"event\":\"hello\",\"release\":\"6.1\",\"version\":\"#1\"}\n"
	"{\"event\":\"machine\",\"files\":{\"/a\":\"b\"}}\n"
	"{\"event\":\"start\",\"turn\":0}\n"
	"{\"event\":\"end\",\"turn\":0,\"end\":\"exited\"}\n"
	"{\"event\":\"start\",\"turn\":1}\n"
	"{\"event\":\"end\",\"turn\":1,\"end\":\"exited\"}\n"
	"{\"event\":\"done\"}\n";

static void test_guest_report_whole(void **state)
{
	struct guest_report report;

	(void)state;
	put_text("said", said);
	assert_int_equal(guest_report_read("said", 2, &report, NULL), 0);
	assert_string_equal(report.release, "6.1");
	assert_string_equal(report.version, "#1");
	assert_string_equal(jval_get_text(report.files, "/a"), "b");
	assert_non_null(report.ends[0]);
	assert_non_null(report.ends[1]);
	assert_true(report.is_done);
	assert_int_equal(report.nr_damaged, 0);
	guest_report_release(&report);
}

/* A guest may die at any byte: what was whole stays, what was torn is never read. */
static void test_guest_report_cut_anywhere(void **state)
{
	size_t len;

	(void)state;
	for (len = 0; len < sizeof(said) - 1; len++) {
		size_t nr_lines = 0;
		struct guest_report report;
		size_t i;

		for (i = 0; i < len; i++)
			nr_lines += said[i] == '\n';
		put("said", said, len);
		assert_int_equal(guest_report_read("said", 2, &report, NULL), 0);
		assert_int_equal(report.release != NULL, nr_lines >= 1);
		assert_int_equal(report.ends[0] != NULL, nr_lines >= 4);
		assert_int_equal(report.has_started[1], nr_lines >= 5);
		assert_int_equal(report.ends[1] != NULL, nr_lines >= 6);
		assert_false(report.is_done);
		guest_report_release(&report);
	}
}

static void test_guest_report_damaged(void **state)
{
	static const char text[] = "{\"event\":\"end\",\"turn\":7}\n"
				   "{\"event\":\"end\",\"turn\":-1}\n"
				   "\x01\x02 noise\n"
				   "[]\n"
				   "{\"event\":\"end\",\"turn\":0,\"n\":1}\n"
				   "{\"event\":\"end\",\"turn\":0,\"n\":2}\n";
	struct guest_report report;
	uint64_t n;

	(void)state;
	put_text("said", text);
	assert_int_equal(guest_report_read("said", 2, &report, NULL), 0);
	assert_int_equal(report.nr_damaged, 4);
	assert_true(jval_uint(jval_get(report.ends[0], "n"), &n) && n == 1);
	assert_null(report.ends[1]);
	assert_null(report.release);
	guest_report_release(&report);
	assert_int_equal(guest_report_read("missing", 2, &report, NULL), 0);
	assert_null(report.files);
	guest_report_release(&report);
}

static void test_guest_machine(void **state)
{
	struct jval *files = jval_object();
	struct host *host = NULL;
	struct topo *topo = NULL;
	struct err err = { 0 };
	struct stat info;
	char release[] = "6.1";
	char config[] = "config-of-it";
	const struct guest_image image = { .release = release, .config = config };

	(void)state;
	put_text("config-of-it",
		 "# Linux/x86 6.1.9 Kernel Configuration\nCONFIG_SMP=y\n");
	(void)jval_put(files, "/proc/sys/kernel/hostname", jval_from_string("box\n"));
	(void)jval_put(files, "/proc/sys/kernel/osrelease", jval_from_string("6.1\n"));
	(void)jval_put(files, "/proc/sys/kernel/version", jval_from_string("#1\n"));
	(void)jval_put(files, "/sys/kernel/notes",
		       jval_from_string("hex:040000000200000003000000474e5500abcd0000"));
	(void)jval_put(files, "/sys/devices/system/cpu/online",
		       jval_from_string("0-1\n"));
	(void)jval_put(files, "/sys/devices/system/cpu/cpu0/topology/core_id",
		       jval_from_string("0\n"));
	(void)jval_put(files, "/sys/devices/system/cpu/cpu0/topology/core_cpus",
		       jval_from_string("1\n"));
	(void)jval_put(files, "/sys/devices/system/cpu/cpu0/topology/package_cpus",
		       jval_from_string("1\n"));
	assert_int_equal(guest_machine(files, &image, "./tree", &topo, &host, &err), 0);
	assert_string_equal(host->machine, "box");
	assert_string_equal(host->build_id, "abcd");
	assert_non_null(strstr(host->config, "CONFIG_SMP=y"));
	assert_int_equal(unlink(config), 0);
	assert_null(getenv("HWLOC_FSROOT"));
	assert_int_equal(stat("tree", &info), -1);
	host_free(host);
	topo_free(topo);
	/* Nothing of a guest may land elsewhere. */
	(void)jval_put(files, "/../../escaped", jval_from_string("x"));
	assert_int_equal(guest_machine(files, &image, "./tree", &topo, &host, &err),
			 -EPROTO);
	assert_int_equal(stat("tree", &info), -1);
	jval_free(files);
}

static void test_guest_last_words(void **state)
{
	char text[100];

	(void)state;
	put_text("log", "a\r\n[ 1.0] Kernel panic - not syncing: No init\r\nCPU: 0\r\n"
			"---[ end Kernel panic - not syncing: No init ]---\r\n");
	guest_last_words("log", text, sizeof(text));
	assert_string_equal(text, "[ 1.0] Kernel panic - not syncing: No init");
	put_text("log", "one\ntwo\x1b[0m\n  \n");
	guest_last_words("log", text, sizeof(text));
	assert_string_equal(text, "two\\x1b[0m");
	put_text("log", "");
	guest_last_words("log", text, sizeof(text));
	assert_string_equal(text, "");
	guest_last_words("missing", text, sizeof(text));
	assert_string_equal(text, "");
}

static void test_guest_first_warning(void **state)
{
	char text[100];

	(void)state;
	put_text("log", "[    0.1] x: WARNING: no\r\n[    1.5] WARNING: CPU: 1 PID: 2 at "
			"kernel/sched/fair.c:1\r\n[    2.5] BUG: later\r\n");
	guest_first_warning("log", text, sizeof(text));
	assert_string_equal(text, "WARNING: CPU: 1 PID: 2 at kernel/sched/fair.c:1");
	put_text("log", "[    0.1] all is well\n");
	guest_first_warning("log", text, sizeof(text));
	assert_string_equal(text, "");
}

static struct grid *load_grid(const char *executor, const char *columns)
{
	struct grid *grid = NULL;
	struct err err = { 0 };
	FILE *out = fopen("grid.yaml", "we");

	assert_non_null(out);
	(void)fprintf(out,
		      "schema: schedgrid-grid-1\nname: g\nseed: 7\n"
		      "executor: {type: guest%s}\n"
		      "repeat: {boots: 3, iterations: 2, warmup: 1}\n"
		      "columns: %s\n"
		      "workloads: [{workload: \"null\"}]\n",
		      executor, columns);
	assert_int_equal(fclose(out), 0);
	if (grid_load("grid.yaml", &grid, &err))
		print_error("%s\n", err.text);
	return grid;
}

/* How the file is refused; the grid names the kernel "image" only. */
static void refuse_grid(const char *executor, const char *rest, const char *text)
{
	struct grid *grid = NULL;
	struct err err = { 0 };
	FILE *out = fopen("grid.yaml", "we");

	assert_non_null(out);
	(void)fprintf(out,
		      "schema: schedgrid-grid-1\nname: g\nexecutor: {type: %s}\n%s"
		      "workloads: [{workload: \"null\"}]\n",
		      executor, rest);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(grid_load("grid.yaml", &grid, &err), -EINVAL);
	if (!strstr(err.text, text))
		fail_msg("'%s' (expected '%s')", err.text, text);
}

#define IMAGE "columns: [{name: a, kernel: {image: image}}]\n"

static void test_guest_grid_refusals(void **state)
{
	static const struct {
		const char *executor, *rest, *text;
	} cases[] = {
		{ "guest, topology: two-node-9", IMAGE,
		  "3:35: unknown topology 'two-node-9'; expected one of one-node-2" },
		{ "guest, topology: {sockets: 2}", IMAGE, "'cores' is missing" },
		{ "guest, topology: {cores: 0}", IMAGE, "cores: '0' is out of range" },
		{ "guest, topology: {cores: 1, distance: 10}", IMAGE,
		  "distance: '10' is out of range (expected 11 to 254)" },
		{ "guest, topology: {cores: 4, nodes: 3}", IMAGE,
		  "3 nodes and 1 last-level caches" },
		{ "guest, accel: hax", IMAGE,
		  "unknown accel 'hax'; expected one of kvm" },
		{ "guest, mode: fast", IMAGE, "unknown mode 'fast'; expected one of" },
		{ "guest, mode: deterministic, accel: kvm", IMAGE,
		  "(expected accel: tcg)" },
		{ "guest, memory: 1024", IMAGE, "with M or G behind it" },
		{ "guest, memory: 99999G", IMAGE, "memory: '99999' is out of range" },
		{ "guest, timeout: 0s", IMAGE, "timeout: " },
		{ "guest, machine: x", IMAGE, "unknown key 'machine' in 'executor'" },
		{ "guest", "columns: [{name: a}]\n", "column 'a' has no kernel to boot" },
		{ "guest", "columns: [{name: a, kernel: {running: true}}]\n",
		  "column 'a' has no kernel to boot" },
		{ "local", IMAGE, "needs executor: {type: guest}" },
		{ "guest", IMAGE "quiet: {busy: 5%}\n", "'quiet' is not supported" },
		{ "guest", IMAGE "monitors: [perf-stat]\n",
		  "monitor 'perf-stat' is not supported with guests" },
		{ "guest", IMAGE "repeat: {boots: 1000, iterations: 1000}\n",
		  "1000 boots of 1000 iterations each" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		refuse_grid(cases[i].executor, cases[i].rest, cases[i].text);
}

#define TWO_COLUMNS                                                                      \
	"[{name: a, kernel: {image: image}}, {name: b, kernel: {image: image, cmdline: " \
	"quiet}}]"

static void test_guest_open(void **state)
{
	struct bench_command command = { 0 };
	struct guest *guest = NULL;
	struct err err = { 0 };
	struct grid *grid;
	size_t i;

	(void)state;
	put_image("image", kernel);
	grid = load_grid(", accel: tcg, mode: deterministic", TWO_COLUMNS);
	assert_non_null(grid);
	assert_int_equal(grid->iterations, 6);
	assert_int_equal(guest_open(grid, &guest, &err), 0);
	assert_true(guest->is_emulated);
	assert_int_equal(guest->nr_kernels, 2);
	assert_int_equal(guest->topo->nr_cpus, 8);
	assert_int_equal(guest_seed(guest, 1), guest_seed(guest, 1));
	assert_int_not_equal(guest_seed(guest, 1), guest_seed(guest, 2));
	assert_int_not_equal(guest_offset_ns(guest, 1), guest_offset_ns(guest, 2));
	assert_true(guest_offset_ns(guest, 1) <= 20000000);
	assert_int_equal(guest_command(guest, 1, 1, &command), 0);
	assert_string_equal(command.argv[command.nr_args - 1],
			    "console=ttyS0 panic=-1 loglevel=5 nokaslr quiet");
	for (i = 0; i < command.nr_args; i++)
		if (!strcmp(command.argv[i], "-smp"))
			assert_string_equal(command.argv[i + 1],
					    "8,sockets=2,dies=1,cores=2,threads=2");
	bench_command_release(&command);
	guest_free(guest);
	grid_free(grid);
}

static void test_guest_open_refuses_an_image(void **state)
{
	struct guest *guest = NULL;
	struct err err = { 0 };
	struct grid *grid;

	(void)state;
	put_text("image", "text");
	grid = load_grid("", TWO_COLUMNS);
	assert_non_null(grid);
	assert_int_equal(guest_open(grid, &guest, &err), -EINVAL);
	assert_int_equal(strncmp(err.text, "grid.yaml:6:37: '", 17), 0);
	grid_free(grid);
}

/* A plan for guests, of a machine that has nothing of them. */
static struct plan *build(struct grid *grid, struct host **ret_host)
{
	struct topo *topo = NULL;
	struct plan *plan = NULL;
	struct err err = { 0 };

	assert_int_equal(topo_discover(&topo, NULL), 0);
	assert_int_equal(host_discover(topo, ret_host, NULL), 0);
	if (plan_build(grid, topo, *ret_host, &plan, &err))
		print_error("%s\n", err.text);
	topo_free(topo);
	return plan;
}

static void test_guest_plan(void **state)
{
	struct program program = { 0 };
	struct err err = { 0 };
	struct host *host;
	struct grid *grid;
	struct plan *plan;
	struct jval *json;

	(void)state;
	put_image("image", kernel);
	grid = load_grid(", accel: tcg", TWO_COLUMNS);
	assert_non_null(grid);
	plan = build(grid, &host);
	assert_non_null(plan);
	assert_int_equal(plan->nr_cells, 2);
	/* The command line is a part of what was measured. */
	assert_string_not_equal(plan->cells[0].id, plan->cells[1].id);
	assert_int_equal(plan->cells[0].cpus.nr, 8);
	json = plan_json(plan);
	assert_string_equal(jval_get_text(json, "executor"), "guest");
	assert_null(jval_get(json, "kernel"));
	assert_string_equal(
		jval_get_text(jval_get(jval_item(jval_get(json, "columns"), 0), "kernel"),
			      "release"),
		"6.1.0-1-test");
	jval_free(json);
	program.name = program.word = strdup("x");
	assert_int_equal(guest_use_program(&program, NULL), 0);
	free(plan->guest->unfit);
	plan->guest->unfit = NULL;
	assert_int_equal(guest_check(plan->guest, &plan->programs[0], &err), 0);
	assert_int_equal(guest_check(plan->guest, &program, &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "program 'x' of x can't run in a guest"));
	err = (struct err){ 0 };
	plan->guest->unfit = strdup("no emulator");
	assert_int_equal(guest_check(plan->guest, &program, &err), -EOPNOTSUPP);
	assert_string_equal(err.text, "no emulator");
	free(program.name);
	plan_free(plan);
	host_free(host);
	grid_free(grid);
}

static void test_guest_job(void **state)
{
	struct local_turn turn = { .block = 1, .iteration = 1, .attempt = 1 };
	struct guest_boot boot = { .block = 1, .turns = &turn, .nr_turns = 1 };
	struct local local = { 0 };
	struct jval *job = NULL;
	struct host *host;
	struct grid *grid;
	struct plan *plan;
	char *text;
	size_t len;

	(void)state;
	put_image("image", kernel);
	grid = load_grid(", accel: tcg", TWO_COLUMNS);
	plan = build(grid, &host);
	assert_non_null(plan);
	local.plan = plan;
	boot.local = &local;
	turn.cell = &plan->cells[0];
	assert_int_equal(guest_job_write(&boot, ".", NULL), 0);
	assert_int_equal(file_read("job.json", 1 << 20, &text, &len, NULL), 0);
	assert_int_equal(jval_parse(text, len, &job, NULL), 0);
	assert_string_equal(jval_get_text(job, "release"), "6.1.0-1-test");
	assert_string_equal(jval_get_text(jval_item(jval_get(job, "turns"), 0), "path"),
			    "/programs/null");
	jval_free(job);
	free(text);
	assert_int_equal(file_read("initrd.cpio", 1 << 26, &text, &len, NULL), 0);
	assert_memory_equal(text, "070701", 6);
	assert_non_null(memmem(text, len, "programs/null", 13));
	free(text);
	plan_free(plan);
	host_free(host);
	grid_free(grid);
}

/* struct seen - what guest_run() asked for */
struct seen {
	unsigned int nr_asked, nr_boots;
};

static bool is_never_missing(const struct local_turn *turn, uint64_t *ret_attempt,
			     void *data)
{
	struct seen *seen = data;

	assert_in_range(turn->iteration, 1, 6);
	assert_true(!turn->block || turn->block == (turn->iteration + 1) / 2);
	seen->nr_asked += turn->block > 0;
	*ret_attempt = 1;
	return false;
}

static int count_boot(const struct local_turn *turn, void *data, struct err *err)
{
	struct seen *seen = data;

	(void)turn;
	(void)err;
	seen->nr_boots++;
	return 0;
}

/* Every turn belongs to one boot, and what misses nothing isn't booted. */
static void test_guest_run_asks_for_each_turn_once(void **state)
{
	struct seen seen = { 0 };
	struct local local = { 0 };
	const struct guest_run run = {
		.local = &local,
		.nr_iterations = 6,
		.is_missing = is_never_missing,
		.on_boot = count_boot,
		.data = &seen,
	};
	struct host *host;
	struct grid *grid;
	struct plan *plan;

	(void)state;
	put_image("image", kernel);
	grid = load_grid(", accel: tcg", TWO_COLUMNS);
	plan = build(grid, &host);
	assert_non_null(plan);
	local.plan = plan;
	free(plan->cells[0].unfit);
	free(plan->cells[1].unfit);
	plan->cells[0].unfit = plan->cells[1].unfit = NULL;
	assert_int_equal(guest_run(&run, NULL), 0);
	assert_int_equal(seen.nr_asked, 12);
	assert_int_equal(seen.nr_boots, 0);
	plan_free(plan);
	host_free(host);
	grid_free(grid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_guest_topologies),
		cmocka_unit_test(test_guest_topo_numbers),
		cmocka_unit_test(test_guest_spec_refuses),
		cmocka_unit_test(test_guest_image_open),
		cmocka_unit_test(test_guest_image_package),
		cmocka_unit_test(test_guest_image_refuses),
		cmocka_unit_test(test_guest_cpio),
		cmocka_unit_test(test_guest_report_whole),
		cmocka_unit_test(test_guest_report_cut_anywhere),
		cmocka_unit_test(test_guest_report_damaged),
		cmocka_unit_test(test_guest_machine),
		cmocka_unit_test(test_guest_last_words),
		cmocka_unit_test(test_guest_first_warning),
		cmocka_unit_test(test_guest_grid_refusals),
		cmocka_unit_test(test_guest_open),
		cmocka_unit_test(test_guest_open_refuses_an_image),
		cmocka_unit_test(test_guest_plan),
		cmocka_unit_test(test_guest_job),
		cmocka_unit_test(test_guest_run_asks_for_each_turn_once),
	};

	return cmocka_run_group_tests(tests, enter, leave);
}
