// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The first and only process of a guest: says which kernel runs and what machine it
 * sees, carries out the turns of /job.json one after the other, and ends the guest.
 * What it says goes to the second serial port, one JSON object a line, so that a
 * guest that dies leaves all that it said before. It judges nothing.
 *
 *	{"event":"hello","release":...,"version":...}
 *	{"event":"machine","files":{"/proc/cmdline":"...",...}}
 *	{"event":"start","turn":0}
 *	{"event":"end","turn":0,"end":"exited","wait_status":0,"wall_ns":...,...}
 *	{"event":"done"}
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <termios.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/cpulist.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/proc.h"
#include "runner/placement_trace.h"
#include "runner/schedstat.h"

/* Of a file of the machine, and of what a program prints. */
enum { FACT_MAX = 1 << 16, OUTPUT_MAX = 1 << 20, MAX_DEPTH = 6, MAX_ARGS = 64 };

/*
 * libtraceevent can load plugins, which takes a loader that a static program doesn't have.
 * Nothing asks it to; with this here, that part of it isn't linked at all.
 */
struct tep_handle;
void free_tep_plugin_paths(struct tep_handle *tep);
void free_tep_plugin_paths(struct tep_handle *tep)
{
	(void)tep;
}

/* struct port - where lines go; once one is lost no more are sent */
struct port {
	int fd;
	bool is_broken;
};

static void send_line(struct port *port, struct jval *json)
{
	char *text = json ? jval_write(json, JVAL_LINE) : NULL;

	jval_free(json);
	port->is_broken |= !text || file_write_all(port->fd, text, strlen(text)) ||
			   file_write_all(port->fd, "\n", 1);
	free(text);
}

static struct jval *event(const char *name)
{
	struct jval *json = jval_object();

	(void)jval_put(json, "event", jval_from_string(name));
	return json;
}

static void mount_all(void)
{
	static const struct {
		const char *type, *place;
	} mounts[] = {
		{ "proc", "/proc" },	{ "sysfs", "/sys" },
		{ "devtmpfs", "/dev" }, { "debugfs", "/sys/kernel/debug" },
		{ "tmpfs", "/tmp" },	{ "tracefs", "/sys/kernel/tracing" },
	};
	size_t i;

	for (i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		(void)mkdir(mounts[i].place, 0755);
		(void)mount(mounts[i].type, mounts[i].place, mounts[i].type, 0, NULL);
	}
}

/* Where the kernel has the file; its absence says as much. */
static void set(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	(void)file_write_all(fd, text, strlen(text));
	(void)close(fd);
}

static void raise_loopback(void)
{
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return;
	(void)ioctl(fd, SIOCSIFFLAGS, &request);
	(void)close(fd);
}

static int open_port(const char *path)
{
	struct termios raw;
	int fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);

	if (fd < 0 || tcgetattr(fd, &raw))
		return fd;
	cfmakeraw(&raw);
	(void)tcsetattr(fd, TCSANOW, &raw);
	return fd;
}

static char *hex_of(const char *data, size_t len)
{
	char *hex = calloc(2 * len + 1, 1);
	size_t i;

	for (i = 0; hex && i < len; i++)
		(void)snprintf(hex + 2 * i, 3, "%02x", (unsigned char)data[i]);
	return hex;
}

/* As text, or as hexadecimal after "hex:" where text can't hold it. */
static void add_file(struct jval *files, const char *path)
{
	char *hex, *marked;
	char *text = NULL;
	size_t len = 0;

	if (file_read(path, FACT_MAX, &text, &len, NULL))
		return;
	if (strlen(text) == len) {
		(void)jval_put(files, path, jval_from_string(text));
	} else {
		hex = hex_of(text, len);
		marked = hex ? file_path("hex:%s", hex) : NULL;
		if (marked)
			(void)jval_put(files, path, jval_from_string(marked));
		free(marked);
		free(hex);
	}
	free(text);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Not what is long and tells nothing of the machine. */
static int is_wanted(const struct dirent *entry)
{
	static const char *const others[] = { "cpuidle",   "debug", "hotplug",
					      "hugepages", "power", "numastat",
					      "uevent",	   "vmstat" };
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strcmp(entry->d_name, others[i]))
			return 0;
	return *entry->d_name != '.';
}

/* All files below @path, and @path itself when it is one; links are not followed. */
static void add_tree(struct jval *files, const char *path, int depth)
{
	struct dirent **entries = NULL;
	struct stat info;
	int nr, i;

	if (lstat(path, &info))
		return;
	if (S_ISREG(info.st_mode) && info.st_mode & 0444)
		add_file(files, path);
	if (!S_ISDIR(info.st_mode) || !depth)
		return;
	nr = scandir(path, &entries, is_wanted, by_name);
	for (i = 0; i < nr; i++) {
		char *inner = file_path("%s/%s", path, entries[i]->d_name);

		if (inner)
			add_tree(files, inner, depth - 1);
		free(inner);
		free(entries[i]);
	}
	free(entries);
}

/* What tells the machine and how its kernel is set, for the facts of the host. */
static struct jval *machine_files(const struct jval *wanted)
{
	struct jval *files = jval_object();
	size_t i;

	for (i = 0; i < jval_count(wanted); i++) {
		const char *path = jval_text(jval_item(wanted, i));

		if (path)
			add_tree(files, path, MAX_DEPTH);
	}
	return files;
}

/* Whether this is the kernel that the job is for. */
static bool say_hello(struct port *port, const struct jval *job)
{
	const char *release = jval_get_text(job, "release");
	const char *version = jval_get_text(job, "version");
	struct jval *hello = event("hello");
	const char *machine = jval_get_text(job, "machine");
	struct utsname name;

	if (uname(&name) || (machine && sethostname(machine, strlen(machine))))
		return false;
	(void)jval_put(hello, "release", jval_from_string(name.release));
	(void)jval_put(hello, "version", jval_from_string(name.version));
	send_line(port, hello);
	return release && version && !strcmp(release, name.release) &&
	       !strcmp(version, name.version);
}

static int put_output(struct jval *end, const char *dir, const char *name)
{
	char *path = file_path("%s/%s", dir, name);
	char *text = NULL;
	struct err why = { 0 };
	int bad = path ? file_read(path, OUTPUT_MAX, &text, NULL, &why) : -ENOMEM;

	if (!bad)
		bad = jval_put(end, name, jval_from_string(text));
	else
		(void)jval_put(end, "broken", jval_from_string(why.text));
	if (path)
		(void)unlink(path);
	free(text);
	free(path);
	return bad;
}

static struct jval *describe_end(const struct proc_result *result, const char *dir)
{
	static const char *const ends[] = {
		[PROC_EXITED] = "exited",
		[PROC_TIMEOUT] = "timeout",
		[PROC_SIGNALED] = "signaled",
	};
	struct jval *end = event("end");

	(void)jval_put(end, "end", jval_from_string(ends[result->end]));
	(void)jval_put(end, "wait_status", jval_from_uint((uint64_t)result->wait_status));
	(void)jval_put(end, "wall_ns", jval_from_uint(result->wall_ns));
	(void)jval_put(end, "left", jval_from_uint(result->nr_left));
	(void)put_output(end, dir, "stdout");
	(void)put_output(end, dir, "stderr");
	return end;
}

/* The child that a turn asks for; its strings are lent by the job. */
static int read_turn(const struct jval *turn, struct proc_spec *spec, char **argv,
		     struct cpulist *cpus, struct err *err)
{
	const struct jval *args = jval_get(turn, "argv");
	const char *list = jval_get_text(turn, "cpus");
	size_t i;

	if (jval_count(args) > MAX_ARGS || !list)
		return err_set(err, -EPROTO, "the job has no such turn");
	for (i = 0; i < jval_count(args); i++)
		argv[i] = (char *)(uintptr_t)jval_text(jval_item(args, i));
	spec->path = jval_get_text(turn, "path");
	spec->argv = argv;
	if (!spec->path || !argv[0] ||
	    !jval_uint(jval_get(turn, "timeout_ns"), &spec->timeout_ns))
		return err_set(err, -EPROTO, "the job has no such turn");
	return cpulist_parse(list, cpus, err);
}

static struct jval *run_turn(struct proc_watch *watch, const struct jval *turn)
{
	char *argv[MAX_ARGS + 1] = { NULL };
	struct cpulist cpus = { 0 };
	struct proc_spec spec = {
		.dir = "/tmp",
		.cpus = &cpus,
		.max_file_bytes = OUTPUT_MAX,
	};
	struct proc_result result;
	struct err why = { 0 };
	struct jval *end;

	if (read_turn(turn, &spec, argv, &cpus, &why) ||
	    proc_run(watch, &spec, &result, &why)) {
		end = event("end");
		(void)jval_put(end, "broken", jval_from_string(why.text));
		(void)unlink("/tmp/stdout");
		(void)unlink("/tmp/stderr");
	} else {
		end = describe_end(&result, spec.dir);
	}
	cpulist_release(&cpus);
	return end;
}

/**
 * struct recorder - what monitors of the scheduler need
 * @trace: of placements; NULL where it isn't asked for or failed
 * @failure: why it failed
 * @has_schedstat: readings of schedstat are asked for
 */
struct recorder {
	struct placement_trace *trace;
	char *failure;
	bool has_schedstat;
};

static void open_recorder(struct recorder *recorder, const struct jval *job)
{
	struct err why = { 0 };

	if (jval_get(job, "placement") && placement_trace_open(&recorder->trace, &why))
		recorder->failure = file_path("failed %s\n", why.text);
	recorder->has_schedstat = jval_get(job, "schedstat") != NULL;
	if (recorder->has_schedstat)
		set("/proc/sys/kernel/sched_schedstats", "1");
}

/* A reading as text of @name; what can't be read is missing there. */
static void put_reading(struct jval *end, const char *name, char *reading)
{
	if (reading)
		(void)jval_put(end, name, jval_from_string(reading));
	free(reading);
}

/* run_turn() and what the scheduler did meanwhile. */
static struct jval *run_recorded(struct proc_watch *watch, const struct jval *turn,
				 const struct recorder *recorder)
{
	char *before = NULL;
	char *after = NULL;
	struct jval *end;
	char *text;

	placement_trace_begin(recorder->trace);
	if (recorder->has_schedstat)
		before = schedstat_take(NULL);
	end = run_turn(watch, turn);
	if (recorder->has_schedstat)
		after = schedstat_take(NULL);
	put_reading(end, "schedstat_before", before);
	put_reading(end, "schedstat_after", after);
	text = recorder->trace ? placement_trace_end(recorder->trace, getpid()) : NULL;
	if (text || recorder->failure)
		(void)jval_put(end, "trace",
			       jval_from_string(text ? text : recorder->failure));
	free(text);
	return end;
}

static void wait_for(struct proc_watch *watch, uint64_t ns)
{
	uint64_t until_ns = clock_ns() + ns;

	while (proc_wait(watch, until_ns))
		;
}

/* A start of its own for each boot, or all boots of one image would be the same. */
static void wait_offset(struct proc_watch *watch, const struct jval *job)
{
	uint64_t ns;

	if (jval_uint(jval_get(job, "offset_ns"), &ns))
		wait_for(watch, ns);
}

/*
 * What the last program and its report left to do is done by tasks of the kernel, on CPUs
 * that the next one would find busy. Nothing tells when they are through.
 */
static void settle(struct proc_watch *watch, const struct port *port)
{
	enum { SETTLE_NS = 20000000 };

	(void)tcdrain(port->fd);
	wait_for(watch, SETTLE_NS);
}

static void carry_out(struct port *port, const struct jval *job)
{
	const struct jval *turns = jval_get(job, "turns");
	struct recorder recorder = { 0 };
	struct proc_watch watch;
	struct jval *json;
	size_t i;

	if (proc_watch_open(&watch, NULL))
		return;
	open_recorder(&recorder, job);
	wait_offset(&watch, job);
	for (i = 0; i < jval_count(turns) && !port->is_broken; i++) {
		json = event("start");
		(void)jval_put(json, "turn", jval_from_uint(i));
		send_line(port, json);
		settle(&watch, port);
		json = run_recorded(&watch, jval_item(turns, i), &recorder);
		(void)jval_put(json, "turn", jval_from_uint(i));
		send_line(port, json);
	}
	proc_watch_close(&watch);
	placement_trace_close(recorder.trace);
	free(recorder.failure);
	send_line(port, event("done"));
}

static struct jval *read_job(void)
{
	enum { JOB_MAX = 1 << 26 };
	struct jval *job = NULL;
	char *text = NULL;
	size_t len;

	if (!file_read("/job.json", JOB_MAX, &text, &len, NULL))
		(void)jval_parse(text, len, &job, NULL);
	free(text);
	return job;
}

int main(void)
{
	struct port port = { .fd = -1 };
	struct jval *machine, *job;

	if (getpid() != 1)
		return 1;
	mount_all();
	set("/sys/kernel/debug/sched/verbose", "Y");
	/* Kernels come with other defaults of these; what is compared has the same. */
	set("/proc/sys/kernel/sched_autogroup_enabled", "0");
	set("/proc/sys/kernel/numa_balancing", "0");
	raise_loopback();
	port.fd = open_port("/dev/ttyS1");
	job = read_job();
	if (port.fd >= 0 && job && say_hello(&port, job)) {
		machine = event("machine");
		(void)jval_put(machine, "files", machine_files(jval_get(job, "files")));
		send_line(&port, machine);
		carry_out(&port, job);
	}
	(void)tcdrain(port.fd);
	sync();
	/* The emulator is told to end where a machine would start again. */
	(void)reboot(RB_AUTOBOOT);
	return 1;
}
