// SPDX-License-Identifier: GPL-2.0-or-later
/* A firmware of four instructions that ends QEMU with a status; see guest_probe.h. */
#include "runner/guest_probe.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "lib/clock.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/proc.h"
#include "lib/scratch.h"

enum {
	FIRMWARE_SIZE = 65536,
	RESET_VECTOR = FIRMWARE_SIZE - 16, /* where an x86 CPU begins */
	WORD = 16,			   /* written to the port of isa-debug-exit, */
	STATUS = WORD << 1 | 1,		   /* which makes this exit status of it */
	TIMEOUT_SEC = 10,
	OUTPUT_MAX = 1 << 20,
};

/* mov al, WORD; out 0xf4, al; hlt; and again, should it still be there. */
static const unsigned char code[] = { 0xb0, WORD, 0xe6, 0xf4, 0xf4, 0xeb, 0xfd };

static int write_firmware(const char *dir, struct err *err)
{
	char *path = file_path("%s/firmware", dir);
	unsigned char *bytes = calloc(1, FIRMWARE_SIZE);
	int bad = path && bytes ? 0 : err_nomem(err);

	if (!bad) {
		memcpy(bytes + RESET_VECTOR, code, sizeof(code));
		bad = file_replace(path, bytes, FIRMWARE_SIZE, err);
	}
	free(bytes);
	free(path);
	return bad;
}

static int explain(const char *dir, const struct proc_result *result, struct err *err)
{
	char *path;
	char *line;

	if (result->end == PROC_SIGNALED)
		return err_set(err, -EINTR, "stopped by a signal");
	if (result->end == PROC_EXITED && WIFEXITED(result->wait_status) &&
	    WEXITSTATUS(result->wait_status) == STATUS)
		return 0;
	path = file_path("%s/stderr", dir);
	line = path ? file_read_line(path) : NULL;
	err_set(err, -EOPNOTSUPP, "QEMU can't use KVM here%s%s", line ? ": " : "",
		line ? line : "");
	free(line);
	free(path);
	return -EOPNOTSUPP;
}

static int start(const char *qemu, const char *dir, struct err *err)
{
	static const char *const words[] = {
		"qemu",	    "-nodefaults",
		"-display", "none",
		"-machine", "q35",
		"-m",	    "64",
		"-accel",   "kvm",
		"-cpu",	    "host",
		"-bios",    "firmware",
		"-device",  "isa-debug-exit,iobase=0xf4,iosize=1",
		NULL,
	};
	char *argv[sizeof(words) / sizeof(words[0])];
	struct proc_spec spec = {
		.path = qemu,
		.argv = argv,
		.dir = dir,
		.timeout_ns = TIMEOUT_SEC * CLOCK_SEC,
		.max_file_bytes = OUTPUT_MAX,
	};
	struct proc_watch watch;
	struct proc_result result;
	size_t i;
	int bad;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		argv[i] = (char *)(uintptr_t)words[i];
	bad = proc_watch_open(&watch, err);
	if (bad)
		return bad;
	bad = proc_run(&watch, &spec, &result, err);
	proc_watch_close(&watch);
	if (watch.signal)
		(void)raise(watch.signal);
	return bad ? bad : explain(dir, &result, err);
}

int guest_probe_kvm(const char *qemu, struct err *err)
{
	struct scratch scratch;
	int bad = scratch_open(&scratch, err);

	if (bad)
		return bad;
	bad = write_firmware(scratch.dir, err);
	if (!bad)
		bad = start(qemu, scratch.dir, err);
	scratch_close(&scratch);
	return bad;
}
