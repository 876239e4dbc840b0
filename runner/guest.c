// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds what guests need, and their command lines; see guest.h. */
#include "runner/guest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "benchmarks/bench.h"
#include "benchmarks/native.h"
#include "lib/clock.h"
#include "lib/digest.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/rng.h"
#include "lib/topo.h"
#include "runner/grid.h"
#include "runner/guest_probe.h"
#include "runner/guest_spec.h"

static struct workload qemu_workload(void)
{
	static const char *const version[] = { "--version", NULL };
	static const struct bench_program qemu = {
		.name = "QEMU",
		.command = "qemu-system-x86_64",
		.package = "qemu-system-x86",
		.version_args = version,
	};
	static const struct bench_ops ops = { .name = "guest", .programs = &qemu };

	return (struct workload){ .ops = &ops, .program = &qemu };
}

static int open_kernels(struct guest *guest, struct err *err)
{
	const struct grid *grid = guest->grid;
	char *folder = grid_folder(grid);
	int bad = folder ? 0 : err_nomem(err);
	size_t i;

	for (i = 0; !bad && i < grid->nr_columns; i++) {
		const struct grid_column *column = &grid->columns[i];
		struct err why = { 0 };

		bad = guest_image_open(column->image, folder, &guest->kernels[i], &why);
		if (!bad)
			guest->nr_kernels++;
		else if (bad != -ENOMEM)
			bad = err_set(err, -EINVAL, "%s:%u:%u: %s", grid->file,
				      column->image_pos.line, column->image_pos.column,
				      why.text);
	}
	free(folder);
	return bad;
}

static int mark_unfit(struct guest *guest, const char *reason, struct err *err)
{
	free(guest->unfit);
	guest->unfit = strdup(reason);
	return guest->unfit ? 0 : err_nomem(err);
}

/* KVM is tried once, where the grid doesn't say that it isn't wanted. */
static int choose_accel(struct guest *guest, struct err *err)
{
	enum guest_accel accel = guest->grid->guest->accel;
	struct err why = { 0 };
	char reason[700];
	int bad;

	guest->is_emulated =
		accel == GUEST_TCG || guest->grid->guest->mode == GUEST_DETERMINISTIC;
	if (guest->is_emulated || !guest->qemu.path)
		return 0;
	bad = guest_probe_kvm(guest->qemu.path, &why);
	if (bad != -EOPNOTSUPP)
		return bad ? err_set(err, bad, "%s", why.text) : 0;
	if (accel == GUEST_ACCEL_ANY) {
		guest->is_emulated = true;
		return 0;
	}
	(void)snprintf(reason, sizeof(reason), "%.600s (accel: tcg needs none)",
		       why.text);
	return mark_unfit(guest, reason, err);
}

/* Without one the cells are skipped, and the reason says what to install. */
static int find_emulator(struct guest *guest, struct err *err)
{
	const struct workload qemu = qemu_workload();
	struct err why = { 0 };
	int bad = program_find(&qemu, ".", &guest->qemu, err);

	if (bad)
		return bad;
	if (guest->qemu.path)
		return choose_accel(guest, err);
	guest->is_emulated = guest->grid->guest->accel != GUEST_KVM;
	(void)program_missing(&qemu, &why);
	return mark_unfit(guest, why.text, err);
}

/* The suite's own program in the folder of those for guests. */
static int static_path(const char *path, const char *name, char **ret, struct err *err)
{
	const char *slash = strrchr(path, '/');
	char *found = file_path("%.*s/static/%s", (int)(slash - path), path, name);

	if (!found)
		return err_nomem(err);
	if (access(found, X_OK)) {
		err_set(err, -ENOENT, "'%s' is not there (expected it from `make`)",
			found);
		free(found);
		return -ENOENT;
	}
	*ret = found;
	return 0;
}

/* Beside the workload's programs, so one of them tells where. */
static int find_init(struct guest *guest, struct err *err)
{
	static const struct bench_program own = { .name = "native" };
	static const struct bench_ops ops = { .name = "null", .programs = &own };
	const struct workload any = { .ops = &ops, .program = &own };
	struct program program;
	int bad = program_find(&any, ".", &program, err);

	if (bad)
		return bad;
	bad = static_path(program.path, "guest-init", &guest->init, err);
	program_release(&program);
	return bad;
}

int guest_open(const struct grid *grid, struct guest **ret, struct err *err)
{
	struct guest *guest = calloc(1, sizeof(*guest));
	int bad;

	if (!guest)
		return err_nomem(err);
	guest->grid = grid;
	guest->kernels = calloc(grid->nr_columns, sizeof(*guest->kernels));
	bad = guest->kernels && !guest_topo(&grid->guest->topology, &guest->topo)
		      ? 0
		      : err_nomem(err);
	if (!bad)
		bad = open_kernels(guest, err);
	if (!bad)
		bad = find_emulator(guest, err);
	if (!bad)
		bad = find_init(guest, err);
	if (bad)
		guest_free(guest);
	else
		*ret = guest;
	return bad;
}

void guest_free(struct guest *guest)
{
	size_t i;

	if (!guest)
		return;
	for (i = 0; i < guest->nr_kernels; i++)
		guest_image_release(&guest->kernels[i]);
	free(guest->kernels);
	program_release(&guest->qemu);
	topo_free(guest->topo);
	free(guest->init);
	free(guest->unfit);
	free(guest);
}

struct jval *guest_kernel(const struct guest *guest, size_t column)
{
	const struct guest_image *image = &guest->kernels[column];
	struct jval *json = jval_object();
	int bad = 0;

	bad |= jval_put(json, "release", jval_from_string(image->release));
	bad |= jval_put(json, "version", jval_from_string(image->version));
	bad |= jval_put(json, "image_sha256", jval_from_string(image->sha256));
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

/* The machine, and what emulates it. */
static struct jval *machine_json(const struct guest *guest)
{
	struct jval *json = guest_spec_json(guest->grid->guest);
	int bad = json ? 0 : -ENOMEM;

	bad |= jval_put(json, "accel",
			jval_from_string(guest->is_emulated ? "tcg" : "kvm"));
	if (guest->qemu.version)
		bad |= jval_put(json, "qemu", jval_from_string(guest->qemu.version));
	if (!bad)
		return json;
	jval_free(json);
	return NULL;
}

struct jval *guest_settings(const struct guest *guest, size_t column)
{
	const char *cmdline = guest->grid->columns[column].cmdline;
	struct jval *json = machine_json(guest);

	if (!json || !cmdline || !jval_put(json, "cmdline", jval_from_string(cmdline)))
		return json;
	jval_free(json);
	return NULL;
}

struct jval *guest_json(const struct guest *guest)
{
	struct jval *json = machine_json(guest);

	if (!json || !jval_put(json, "boots", jval_from_uint(guest->grid->boots)))
		return json;
	jval_free(json);
	return NULL;
}

static bool is_for_guests(const struct program *program)
{
	return program->is_own && program->path && strstr(program->path, "/static/");
}

int guest_check(const struct guest *guest, const struct program *program, struct err *err)
{
	if (guest->unfit)
		return err_set(err, -EOPNOTSUPP, "%s", guest->unfit);
	if (is_for_guests(program))
		return 0;
	return err_set(
		err, -EOPNOTSUPP,
		"program '%s' of %s can't run in a guest (expected one of the suite's "
		"own that is linked statically)",
		program->name, program->word);
}

int guest_use_program(struct program *program, struct err *err)
{
	char hex[DIGEST_HEX + 1];
	struct err absent = { 0 };
	char *path = NULL;
	int bad;

	if (!program->is_own)
		return 0;
	if (static_path(program->path, program->name, &path, &absent))
		return absent.code == -ENOENT ? 0 : err_nomem(err);
	bad = digest_file(path, hex, err);
	if (bad) {
		free(path);
		return bad;
	}
	free(program->path);
	program->path = path;
	memcpy(program->sha256, hex, sizeof(hex));
	return 0;
}

uint64_t guest_seed(const struct guest *guest, uint64_t block)
{
	enum { SEED_MAX = INT32_MAX };
	struct rng rng;

	rng_seed(&rng, guest->grid->seed, block);
	return rng_below(&rng, SEED_MAX);
}

uint64_t guest_offset_ns(const struct guest *guest, uint64_t block)
{
	enum { OFFSET_MAX_NS = 20000000 };
	struct rng rng;

	if (guest->grid->guest->mode != GUEST_DETERMINISTIC)
		return 0;
	rng_seed(&rng, guest->grid->seed, block);
	(void)rng_below(&rng, OFFSET_MAX_NS);
	return 1 + rng_below(&rng, OFFSET_MAX_NS);
}

/* Intel's, as only that one's guests have SMT under TCG. */
static int add_cpu(const struct guest *guest, uint64_t block,
		   struct bench_command *command)
{
	int bad = 0;

	bad |= bench_arg(command, "-accel");
	if (!guest->is_emulated) {
		bad |= bench_arg(command, "kvm");
		bad |= bench_arg(command, "-cpu");
		return bad | bench_arg(command, "host");
	}
	if (guest->grid->guest->mode == GUEST_PARALLEL) {
		bad |= bench_arg(command, "tcg,thread=multi");
	} else {
		bad |= bench_arg(command, "tcg,thread=single");
		bad |= bench_arg(command, "-icount");
		bad |= bench_arg(command, "shift=3,sleep=off");
		bad |= bench_arg(command, "-rtc");
		bad |= bench_arg(command, "base=2020-01-01T00:00:00,clock=vm");
		bad |= bench_arg(command, "-seed");
		bad |= bench_arg(command, "%ju", (uintmax_t)guest_seed(guest, block));
	}
	bad |= bench_arg(command, "-cpu");
	return bad | bench_arg(command, "max,vendor=GenuineIntel");
}

int guest_command(const struct guest *guest, size_t column, uint64_t block,
		  struct bench_command *command)
{
	const char *cmdline = guest->grid->columns[column].cmdline;
	static const char *const fixed[] = { "-nodefaults",
					     "-no-user-config",
					     "-no-reboot",
					     "-display",
					     "none",
					     "-machine",
					     "q35",
					     "-serial",
					     "file:console.log",
					     "-serial",
					     "file:guest.jsonl",
					     "-initrd",
					     "initrd.cpio" };
	int bad = bench_arg(command, "%s", guest->qemu.name);
	size_t i;

	for (i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		bad |= bench_arg(command, "%s", fixed[i]);
	bad |= add_cpu(guest, block, command);
	bad |= guest_machine_args(guest->grid->guest, command);
	bad |= bench_arg(command, "-kernel");
	bad |= bench_arg(command, "%s", guest->kernels[column].path);
	bad |= bench_arg(command, "-append");
	bad |= bench_arg(command, "console=ttyS0 panic=-1 loglevel=5 nokaslr%s%s",
			 cmdline ? " " : "", cmdline ? cmdline : "");
	if (!bad)
		return 0;
	bench_command_release(command);
	return -ENOMEM;
}
