// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Services: prepared once, started on the CPUs asked for, waited for, and ended
 * with all that they left. This program is the server too, called by its modes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "benchmarks/native.h"
#include "benchmarks/service.h"
#include "lib/clock.h"
#include "lib/cpulist.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/proc.h"
#include "lib/supervise.h"
#include "runner/plan.h"
#include "runner/service.h"
#include "runner/service_place.h"
#include "runner/service_server.h"

/* What the server is asked to be: each word is a mode of this program. */
static int serve(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	sigset_t set;
	int signal_nr, segment;
	char *mark;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTERM);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	(void)unlink(path);
	if (bind(fd, (const struct sockaddr *)&address, sizeof(address)) || listen(fd, 5))
		return 4;
	/* As a database has it: given back in the end, but not when killed. */
	segment = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
	/* Whoever waits looks again when a file appears. */
	mark = file_path("%s.there", path);
	(void)close(open(mark, O_CREAT | O_WRONLY, 0600));
	free(mark);
	(void)sigwait(&set, &signal_nr);
	return shmctl(segment, IPC_RMID, NULL) ? 5 : 0;
}

static int be_mode(int argc, char **argv)
{
	const char *mode = argv[1];

	if (!strcmp(mode, "serve"))
		return serve(argv[2]);
	if (!strcmp(mode, "mute"))
		return pause();
	if (!strcmp(mode, "once"))
		return open(argv[2], O_CREAT | O_EXCL | O_WRONLY, 0600) < 0;
	(void)fprintf(stderr, "12:00 LOG: begin\n12:00 FATAL: no room for %d\n", argc);
	return 3;
}

static char self_path[4096];

/* struct bed - what a test of a server needs */
struct bed {
	struct proc_watch watch;
	struct place place;
	char *socket, *log;
	char *argv[4];
	struct proc_spec proc;
	struct server_spec spec;
};

static void bed_make(struct bed *bed, const char *mode)
{
	struct err err = { 0 };

	memset(bed, 0, sizeof(*bed));
	assert_int_equal(proc_watch_open(&bed->watch, NULL), 0);
	if (place_make(geteuid(), getegid(), &bed->place, &err))
		fail_msg("%s", err.text);
	bed->socket = file_path("%s/socket", bed->place.home);
	bed->log = place_log(&bed->place, &err);
	assert_non_null(bed->log);
	bed->argv[0] = self_path;
	bed->argv[1] = (char *)(uintptr_t)mode;
	bed->argv[2] = bed->socket;
	bed->proc = (struct proc_spec){ .path = self_path,
					.argv = bed->argv,
					.dir = bed->log,
					.timeout_ns = SERVER_FOREVER_NS };
	bed->spec = (struct server_spec){ .name = "toy",
					  .proc = &bed->proc,
					  .keep = bed->place.lock,
					  .socket = bed->socket,
					  .timeout_ns = 20 * CLOCK_SEC };
}

static void bed_drop(struct bed *bed)
{
	char *dir = strdup(bed->place.dir);

	place_remove(&bed->place);
	assert_int_equal(access(dir, F_OK), -1);
	proc_watch_close(&bed->watch);
	free(dir);
	free(bed->socket);
	free(bed->log);
}

/* The dead may still be there for a moment, until their parent has looked. */
static void is_gone(pid_t pid)
{
	uint64_t until_ns = clock_ns() + 5 * CLOCK_SEC;

	while (!kill(pid, 0) && clock_ns() < until_ns)
		(void)poll(NULL, 0, 1);
	assert_int_equal(kill(pid, 0), -1);
}

static unsigned int first_cpu(void)
{
	cpu_set_t allowed;
	unsigned int cpu = 0;

	assert_int_equal(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
	while (!CPU_ISSET(cpu, &allowed))
		cpu++;
	return cpu;
}

static void server_is_pinned_waited_for_and_ends_in_order(void **state)
{
	struct cpulist cpus = { 0 };
	cpu_set_t allowed;
	struct bed bed;
	struct server server;
	struct err err = { 0 };
	pid_t pid;

	(void)state;
	bed_make(&bed, "serve");
	assert_int_equal(cpulist_add(&cpus, first_cpu()), 0);
	bed.proc.cpus = &cpus;
	if (server_start(&bed.spec, &bed.watch, &server, &err))
		fail_msg("%s", err.text);
	pid = server.pid;
	assert_int_equal(sched_getaffinity(pid, sizeof(allowed), &allowed), 0);
	assert_int_equal(CPU_COUNT(&allowed), 1);
	assert_true(CPU_ISSET(first_cpu(), &allowed));
	assert_int_equal(server_check(&server, "toy", 0, &err), 0);
	assert_true(server_stop(&server));
	is_gone(pid);
	bed_drop(&bed);
	cpulist_release(&cpus);
}

/* A program of the run comes and goes, and the server stays. */
static void server_is_no_child_of_ours(void **state)
{
	static char *const argv[] = { (char *)(uintptr_t) "true", NULL };
	struct bed bed;
	struct server server;
	struct proc_result result;
	struct proc_spec spec = { .path = "/bin/true",
				  .argv = argv,
				  .timeout_ns = 20 * CLOCK_SEC };
	struct err err = { 0 };
	char *log;

	(void)state;
	bed_make(&bed, "serve");
	assert_int_equal(server_start(&bed.spec, &bed.watch, &server, &err), 0);
	spec.dir = log = place_log(&bed.place, &err);
	assert_int_equal(proc_run(&bed.watch, &spec, &result, &err), 0);
	assert_int_equal(result.nr_left, 0);
	assert_int_equal(server_check(&server, "toy", 0, &err), 0);
	assert_true(server_stop(&server));
	free(log);
	bed_drop(&bed);
}

static void server_that_fails_says_why(void **state)
{
	struct bed bed;
	struct server server;
	struct err err = { 0 };

	(void)state;
	bed_make(&bed, "fail");
	assert_int_equal(server_start(&bed.spec, &bed.watch, &server, &err), -EIO);
	assert_string_equal(err.text, "the service toy ended with exit status 3: FATAL: "
				      "no room for 3");
	bed_drop(&bed);

	memset(&err, 0, sizeof(err));
	bed_make(&bed, "serve");
	bed.proc.path = "/nowhere/server";
	assert_int_equal(server_start(&bed.spec, &bed.watch, &server, &err), -ENOENT);
	assert_non_null(strstr(err.text, "the service toy can't be started: cannot run "
					 "'/nowhere/server'"));
	bed_drop(&bed);
}

static void server_that_never_listens_is_ended(void **state)
{
	struct bed bed;
	struct server server;
	struct err err = { 0 };

	(void)state;
	bed_make(&bed, "mute");
	bed.spec.timeout_ns = CLOCK_SEC / 10;
	assert_int_equal(server_start(&bed.spec, &bed.watch, &server, &err), -ETIME);
	assert_string_equal(err.text, "the service toy accepted no connection in time");
	bed_drop(&bed);
}

static void signal_ends_the_waiting(void **state)
{
	struct bed bed;
	struct server server;
	struct err err = { 0 };
	sigset_t set;

	(void)state;
	bed_make(&bed, "mute");
	(void)raise(SIGTERM);
	assert_int_equal(server_start(&bed.spec, &bed.watch, &server, &err), -EINTR);
	assert_int_equal(bed.watch.signal, SIGTERM);
	bed_drop(&bed);
	(void)sigfillset(&set);
	(void)sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* How many lines of the table have the creator in their column. */
static unsigned int nr_segments_of(pid_t creator)
{
	char *table = NULL;
	char *rest = NULL;
	char *line;
	char *end;
	unsigned int nr = 0;
	size_t i;

	assert_int_equal(file_read("/proc/sysvipc/shm", 1 << 20, &table, NULL, NULL), 0);
	for (line = strtok_r(table, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		for (i = 0; i < 4; i++, line = end)
			(void)strtol(line, &end, 10);
		nr += strtol(line, NULL, 10) == creator;
	}
	free(table);
	return nr;
}

static void server_that_was_killed_is_noticed_and_leaves_nothing(void **state)
{
	struct bed bed;
	struct server server;
	struct err err = { 0 };
	pid_t pid;

	(void)state;
	bed_make(&bed, "serve");
	assert_int_equal(server_start(&bed.spec, &bed.watch, &server, &err), 0);
	pid = server.pid;
	assert_int_equal(place_note(&bed.place, pid, &err), 0);
	assert_int_equal(nr_segments_of(pid), 1);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(server_check(&server, "toy", 20 * CLOCK_SEC, &err), -EIO);
	assert_string_equal(err.text, "the service toy was killed by signal 9 (Killed)");
	assert_false(server_stop(&server));
	bed_drop(&bed);
	assert_int_equal(nr_segments_of(pid), 0);
}

/* A file as PostgreSQL has it for memory that it shares; the caller's to free(). */
static char *make_shared(const char *mark)
{
	char *path = file_path("/dev/shm/PostgreSQL.test-%d-%s", (int)getpid(), mark);
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 4096), 0);
	(void)close(fd);
	return path;
}

static void memory_that_nobody_maps_goes_with_the_place(void **state)
{
	const struct timespec long_ago[] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
	struct place place;
	char *left, *mapped, *older;
	void *memory;
	int fd;

	(void)state;
	assert_int_equal(place_make(geteuid(), getegid(), &place, NULL), 0);
	left = make_shared("left");
	mapped = make_shared("mapped");
	older = make_shared("older");
	assert_int_equal(utimensat(AT_FDCWD, older, long_ago, 0), 0);
	fd = open(mapped, O_RDWR | O_CLOEXEC);
	memory = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(memory, MAP_FAILED);
	(void)close(fd);
	/* The note of the server doesn't make the place any younger. */
	assert_int_equal(place_note(&place, 1, NULL), 0);
	place_remove(&place);
	assert_int_equal(access(left, F_OK), -1);
	assert_int_equal(access(mapped, F_OK), 0);
	assert_int_equal(access(older, F_OK), 0);
	(void)munmap(memory, 4096);
	(void)unlink(mapped);
	(void)unlink(older);
	free(left);
	free(mapped);
	free(older);
}

/* After a boot the process id that is noted is somebody else's. */
static void place_of_an_earlier_boot_says_nothing_of_memory(void **state)
{
	static const char note[] = "1 1000 01234567-89ab-cdef-0123-456789abcdef\n";
	struct place place;
	char *path;

	(void)state;
	assert_int_equal(place_make(geteuid(), getegid(), &place, NULL), 0);
	path = make_shared("other-boot");
	assert_int_equal(pwrite(place.lock, note, strlen(note), 0), strlen(note));
	place_remove(&place);
	assert_int_equal(access(path, F_OK), 0);
	(void)unlink(path);
	free(path);
}

static void room_is_told_in_numbers(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_int_equal(place_check_room(1, &err), 0);
	assert_int_equal(place_check_room(UINT64_MAX / 2, &err), -ENOSPC);
	assert_memory_equal(err.text, "needs 8796093022207 MiB in '/var/tmp', ", 39);
}

static void directory_without_a_lock_is_swept(void **state)
{
	struct place used, left;
	char *dir;

	(void)state;
	assert_int_equal(place_make(geteuid(), getegid(), &used, NULL), 0);
	assert_int_equal(place_make(geteuid(), getegid(), &left, NULL), 0);
	dir = strdup(left.dir);
	(void)close(left.lock);
	place_sweep();
	assert_int_equal(access(used.home, F_OK), 0);
	assert_int_equal(access(dir, F_OK), -1);
	left.lock = -1;
	place_remove(&left);
	place_remove(&used);
	place_remove(&used);
	free(dir);
}

static void complaint_is(const char *text, const char *expected)
{
	char dir[] = "/tmp/schedgrid-complaint-XXXXXX";
	char said[100];
	char *path;

	assert_non_null(mkdtemp(dir));
	path = file_path("%s/stderr", dir);
	assert_int_equal(file_replace(path, text, strlen(text), NULL), 0);
	place_complaint(dir, said, sizeof(said));
	assert_string_equal(said, expected);
	(void)unlink(path);
	(void)rmdir(dir);
	free(path);
}

static void complaint_is_the_line_of_the_error(void **state)
{
	(void)state;
	complaint_is("", "");
	complaint_is("a\nb\n", "b");
	complaint_is("2026 [7] LOG:  x\n2026 [7] FATAL:  no room\n2026 LOG:  down\n",
		     "FATAL:  no room");
	complaint_is("x\ninitdb: error: y\n", "error: y");
}

/* The toy as a workload declares it: made and filled once. */
static const char *const root[] = { "root", NULL };
static const char *init_mode = "once";

static int plan_toy(const struct workload *workload, enum bench_service_phase phase,
		    unsigned int step, struct bench_command *command)
{
	static const char *const files[] = { "made", "socket", "filled" };
	const char *mode = phase == BENCH_SERVICE_SERVE ? "serve" : "once";

	(void)workload;
	if (step)
		return 0;
	if (phase == BENCH_SERVICE_INIT)
		mode = init_mode;
	return bench_arg(command, "test-service") || bench_arg(command, "%s", mode) ||
	       bench_arg(command, BENCH_SERVICE_DIR "/%s", files[phase]);
}

static const struct bench_service toy = {
	.program = { .name = "toy" },
	.users = root,
	.socket = "socket",
	.plan = plan_toy,
};

/* struct run - a plan of two cells on the same service, or on two CPU lists */
struct run {
	struct grid grid;
	struct program program;
	struct cell cells[2];
	struct plan plan;
	struct proc_watch watch;
	struct services *services;
};

static void run_make(struct run *run)
{
	memset(run, 0, sizeof(*run));
	run->grid.timeout_ns = 20 * CLOCK_SEC;
	run->program =
		(struct program){ .path = self_path,
				  .word = (char *)(uintptr_t) "toy",
				  .version = (char *)(uintptr_t) "7.1",
				  .sha256 = (char *)(uintptr_t) "0123456789abcdef" };
	run->plan = (struct plan){ .grid = &run->grid,
				   .cells = run->cells,
				   .nr_cells = 2,
				   .programs = &run->program,
				   .nr_programs = 1 };
	run->cells[0].service = run->cells[1].service = &toy;
	assert_int_equal(cpulist_add(&run->cells[1].cpus, first_cpu()), 0);
	assert_int_equal(proc_watch_open(&run->watch, NULL), 0);
	run->services = services_new(&run->plan, &run->watch);
	assert_non_null(run->services);
}

static void run_drop(struct run *run)
{
	services_free(run->services);
	cpulist_release(&run->cells[1].cpus);
	proc_watch_close(&run->watch);
}

/* Where the service lies, as a command is told. */
static char *home_of(const struct run *run)
{
	struct bench_command command = { 0 };
	char *home;

	assert_int_equal(bench_arg(&command, "--at=" BENCH_SERVICE_DIR "/x"), 0);
	assert_int_equal(services_fill(run->services, &command), 0);
	assert_int_equal(strncmp(command.argv[0], "--at=/var/tmp/schedgrid-", 24), 0);
	home = strdup(command.argv[0] + strlen("--at="));
	*strrchr(home, '/') = '\0';
	bench_command_release(&command);
	return home;
}

static void provide(struct run *run, size_t cell)
{
	char remark[SERVICE_REMARK_SIZE] = "";
	struct err err = { 0 };

	if (services_provide(run->services, &run->cells[cell], remark, &err))
		fail_msg("%s", err.text);
	assert_string_equal(remark, "");
	assert_int_equal(services_check(run->services, false, &err), 0);
}

static ino_t socket_of(const char *home)
{
	char *path = file_path("%s/socket", home);
	struct stat info;

	assert_int_equal(stat(path, &info), 0);
	free(path);
	return info.st_ino;
}

static void service_is_prepared_once_and_restarted_for_other_cpus(void **state)
{
	struct run run;
	char *home, *same;
	ino_t first;

	(void)state;
	run_make(&run);
	provide(&run, 0);
	home = home_of(&run);
	first = socket_of(home);
	provide(&run, 0);
	assert_int_equal(socket_of(home), first);
	/* "made" and "filled" would refuse to be made again. */
	provide(&run, 1);
	same = home_of(&run);
	assert_string_equal(same, home);
	free(same);
	run_drop(&run);
	assert_int_equal(access(home, F_OK), -1);
	free(home);
}

static void service_that_cannot_be_made_says_why(void **state)
{
	char remark[SERVICE_REMARK_SIZE] = "";
	struct run run;
	struct err err = { 0 };

	(void)state;
	run_make(&run);
	init_mode = "fail";
	assert_int_equal(services_provide(run.services, &run.cells[0], remark, &err),
			 -EIO);
	assert_string_equal(err.text,
			    "the service toy can't be prepared: test-service ended with "
			    "exit status 3: FATAL: no room for 3");
	init_mode = "once";
	provide(&run, 0);
	run_drop(&run);
}

static void version_names_program_and_server(void **state)
{
	struct run run;
	char text[200];

	(void)state;
	run_make(&run);
	services_version(&run.plan, &run.cells[0], text, sizeof(text));
	assert_string_equal(text, "7.1 with toy 7.1 (sha256 0123456789ab)");
	run_drop(&run);
}

static int all_tests(void *data)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(server_is_pinned_waited_for_and_ends_in_order),
		cmocka_unit_test(server_is_no_child_of_ours),
		cmocka_unit_test(server_that_fails_says_why),
		cmocka_unit_test(server_that_never_listens_is_ended),
		cmocka_unit_test(signal_ends_the_waiting),
		cmocka_unit_test(server_that_was_killed_is_noticed_and_leaves_nothing),
		cmocka_unit_test(memory_that_nobody_maps_goes_with_the_place),
		cmocka_unit_test(place_of_an_earlier_boot_says_nothing_of_memory),
		cmocka_unit_test(room_is_told_in_numbers),
		cmocka_unit_test(directory_without_a_lock_is_swept),
		cmocka_unit_test(complaint_is_the_line_of_the_error),
		cmocka_unit_test(service_is_prepared_once_and_restarted_for_other_cpus),
		cmocka_unit_test(service_that_cannot_be_made_says_why),
		cmocka_unit_test(version_names_program_and_server),
	};

	(void)data;
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Supervised, as a run is: a server's keeper is the supervisor's child. */
int main(int argc, char **argv)
{
	struct supervise_result result = { 0 };

	if (argc > 1)
		return be_mode(argc, argv);
	if (readlink("/proc/self/exe", self_path, sizeof(self_path) - 1) <= 0 ||
	    supervise(all_tests, NULL, &result, NULL))
		return 1;
	return WIFEXITED(result.status) ? WEXITSTATUS(result.status) : 1;
}
