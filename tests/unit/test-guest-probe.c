// SPDX-License-Identifier: GPL-2.0-or-later
/* runner/guest_probe: what QEMU's end says of KVM; scripts stand for QEMU. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/err.h"
#include "runner/guest_probe.h"

static int probe_with(const char *script, struct err *err)
{
	char path[] = "/tmp/test-guest-probe-XXXXXX";
	int fd = mkstemp(path);
	int bad;

	assert_true(fd >= 0);
	assert_true(dprintf(fd, "#!/bin/sh\n%s\n", script) > 0);
	assert_int_equal(fchmod(fd, 0755), 0);
	assert_int_equal(close(fd), 0);
	bad = guest_probe_kvm(path, err);
	assert_int_equal(unlink(path), 0);
	return bad;
}

static void test_the_status_of_the_firmware_is_the_proof(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_int_equal(probe_with("exit 33", &err), 0);
	assert_int_equal(probe_with("exit 0", &err), -EOPNOTSUPP);
	assert_int_equal(probe_with("exit 1", &err), -EOPNOTSUPP);
	assert_int_equal(probe_with("kill -ABRT $$", &err), -EOPNOTSUPP);
}

static void test_the_reason_is_told_in_its_words(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_int_equal(probe_with("echo 'no such module' >&2; exit 1", &err),
			 -EOPNOTSUPP);
	assert_string_equal(err.text, "QEMU can't use KVM here: no such module");
}

static void test_the_firmware_is_given_where_an_x86_cpu_begins(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_int_equal(
		probe_with(
			"[ $(wc -c < firmware) -eq 65536 ] || exit 1\n"
			"[ $(od -An -tu1 -j65520 -N1 firmware) -eq 176 ] || exit 1\n"
			"case \"$*\" in *'-accel kvm'*isa-debug-exit*) exit 33 ;; esac",
			&err),
		0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_status_of_the_firmware_is_the_proof),
		cmocka_unit_test(test_the_reason_is_told_in_its_words),
		cmocka_unit_test(test_the_firmware_is_given_where_an_x86_cpu_begins),
	};

	return cmocka_run_group_tests_name("guest-probe", tests, NULL, NULL);
}
