// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes a guest's job and archive; see guest_job.h and guest/init.c, which reads them. */
#include "runner/guest_job.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "runner/guest.h"
#include "runner/guest_boot.h"
#include "runner/guest_cpio.h"
#include "runner/guest_spec.h"
#include "runner/local.h"
#include "runner/plan.h"

/* Where the facts of the guest come from, see record/host.h and lib/topo.h. */
static const char *const wanted[] = {
	"/proc/cmdline",	   "/proc/cpuinfo",
	"/proc/meminfo",	   "/proc/self/cgroup",
	"/proc/sys/kernel",	   "/sys/devices/system/clocksource/clocksource0",
	"/sys/devices/system/cpu", "/sys/devices/system/node",
	"/sys/kernel/debug/sched", "/sys/kernel/mm/transparent_hugepage",
	"/sys/kernel/notes",	   "/proc/version",
};

static struct jval *files_json(void)
{
	struct jval *list = jval_array();
	int bad = 0;
	size_t i;

	for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		bad |= jval_push(list, jval_from_string(wanted[i]));
	if (!bad)
		return list;
	jval_free(list);
	return NULL;
}

static const struct program *program_of(const struct guest_boot *boot, size_t turn)
{
	return &boot->local->plan->programs[boot->turns[turn].cell->program];
}

static struct jval *turn_json(const struct guest_boot *boot, size_t idx)
{
	const struct local_turn *turn = &boot->turns[idx];
	struct bench_command command = { 0 };
	struct jval *json = jval_object();
	struct jval *args = jval_array();
	char *path = file_path("/programs/%s", program_of(boot, idx)->name);
	char *cpus = cpulist_write(&turn->cell->cpus);
	int bad = plan_command(turn->cell, turn->block ? turn->iteration : 0, &command);
	size_t i;

	for (i = 0; !bad && i < command.nr_args; i++)
		bad = jval_push(args, jval_from_string(command.argv[i]));
	bad |= jval_put(json, "path", path ? jval_from_string(path) : NULL);
	bad |= jval_put(json, "argv", args);
	bad |= jval_put(json, "cpus", cpus ? jval_from_string(cpus) : NULL);
	bad |= jval_put(json, "timeout_ns",
			jval_from_uint(boot->local->plan->grid->timeout_ns));
	bench_command_release(&command);
	free(cpus);
	free(path);
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

static struct jval *job_json(const struct guest_boot *boot)
{
	const struct guest *guest = boot->local->plan->guest;
	const struct guest_image *image = &guest->kernels[boot->column];
	struct jval *json = jval_object();
	struct jval *turns = jval_array();
	int bad = 0;
	size_t i;

	bad |= jval_put(json, "schema", jval_from_string("schedgrid-job-1"));
	bad |= jval_put(json, "machine",
			jval_from_string(guest->grid->guest->topology.name));
	bad |= jval_put(json, "release", jval_from_string(image->release));
	bad |= jval_put(json, "version", jval_from_string(image->version));
	bad |= jval_put(json, "offset_ns",
			jval_from_uint(guest_offset_ns(guest, boot->block)));
	bad |= jval_put(json, "files", files_json());
	if (boot->local->monitors.has_placement)
		bad |= jval_put(json, "placement", jval_from_bool(true));
	if (boot->local->monitors.has_schedstat)
		bad |= jval_put(json, "schedstat", jval_from_bool(true));
	for (i = 0; i < boot->nr_turns; i++)
		bad |= jval_push(turns, turn_json(boot, i));
	bad |= jval_put(json, "turns", turns);
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

/* Whether an earlier turn has brought the program already. */
static bool is_first_use(const struct guest_boot *boot, size_t idx)
{
	size_t i;

	for (i = 0; i < idx; i++)
		if (program_of(boot, i) == program_of(boot, idx))
			return false;
	return true;
}

static int add_programs(const struct guest_boot *boot, struct guest_cpio *cpio,
			struct err *err)
{
	int bad = 0;
	size_t i;

	guest_cpio_dir(cpio, "programs");
	for (i = 0; !bad && i < boot->nr_turns; i++) {
		const struct program *program = program_of(boot, i);
		char *path;

		if (!is_first_use(boot, i))
			continue;
		path = file_path("programs/%s", program->name);
		bad = path ? guest_cpio_file(cpio, path, program->path, err)
			   : err_nomem(err);
		free(path);
	}
	return bad;
}

static int fill_archive(const struct guest_boot *boot, const char *job,
			struct guest_cpio *cpio, struct err *err)
{
	enum { CONSOLE_MAJOR = 5, CONSOLE_MINOR = 1 };
	int bad;

	/* What init prints before it has mounted anything. */
	guest_cpio_dir(cpio, "dev");
	guest_cpio_device(cpio, "dev/console", CONSOLE_MAJOR, CONSOLE_MINOR);
	guest_cpio_data(cpio, "job.json", 0644, job, strlen(job));
	bad = guest_cpio_file(cpio, "init", boot->local->plan->guest->init, err);
	return bad ? bad : add_programs(boot, cpio, err);
}

static int write_archive(const struct guest_boot *boot, const char *job, const char *path,
			 struct err *err)
{
	struct guest_cpio cpio = { .out = fopen(path, "wxe") };
	int bad;

	if (!cpio.out)
		return err_set(err, -errno, "cannot create '%s': %m", path);
	bad = fill_archive(boot, job, &cpio, err);
	if (!bad && guest_cpio_end(&cpio))
		bad = err_set(err, -errno, "cannot write '%s': %m", path);
	if (fclose(cpio.out) && !bad)
		bad = err_set(err, -errno, "cannot write '%s': %m", path);
	return bad;
}

int guest_job_write(const struct guest_boot *boot, const char *dir, struct err *err)
{
	char *job_path = file_path("%s/job.json", dir);
	char *archive = file_path("%s/initrd.cpio", dir);
	struct jval *json = job_json(boot);
	char *job = json ? jval_write(json, JVAL_LINE) : NULL;
	int bad = job_path && archive && job ? 0 : err_nomem(err);

	if (!bad)
		bad = file_replace(job_path, job, strlen(job), err);
	if (!bad)
		bad = write_archive(boot, job, archive, err);
	free(job);
	jval_free(json);
	free(archive);
	free(job_path);
	return bad;
}
