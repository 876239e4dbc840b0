// SPDX-License-Identifier: GPL-2.0-or-later
/* A function in a process of its own: its answer, its time and its end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/apart.h"
#include "lib/clock.h"

static void add_one(const void *arg, void *ret)
{
	*(int *)ret = *(const int *)arg + 1;
}

static void wait_for_ever(const void *arg, void *ret)
{
	(void)arg;
	(void)ret;
	for (;;)
		(void)pause();
}

static void die(const void *arg, void *ret)
{
	(void)ret;
	(void)raise(*(const int *)arg);
}

static void assert_nobody_left(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void answer_comes_back(void **state)
{
	const int asked = 41;
	int answer = 0;

	(void)state;
	assert_int_equal(apart_call(add_one, &asked, &answer, sizeof(answer), CLOCK_SEC),
			 0);
	assert_int_equal(answer, 42);
	assert_nobody_left();
}

static void time_is_limited(void **state)
{
	const uint64_t limit_ns = CLOCK_SEC / 20;
	uint64_t start_ns = clock_ns();
	int answer = 7;

	(void)state;
	assert_int_equal(
		apart_call(wait_for_ever, NULL, &answer, sizeof(answer), limit_ns),
		-ETIME);
	assert_true(clock_ns() - start_ns >= limit_ns);
	assert_int_equal(answer, 7);
	assert_nobody_left();
}

static void death_is_no_answer(void **state)
{
	const int signal_nr = SIGKILL;
	int answer = 7;

	(void)state;
	assert_int_equal(
		apart_call(die, &signal_nr, &answer, sizeof(answer), 60 * CLOCK_SEC),
		-EIO);
	assert_int_equal(answer, 7);
	assert_nobody_left();
}

static void blocked_signal_ends_the_wait_and_stays(void **state)
{
	sigset_t set, before;
	int answer = 7;
	int got = 0;

	(void)state;
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGINT);
	assert_int_equal(sigprocmask(SIG_BLOCK, &set, &before), 0);
	assert_int_equal(raise(SIGINT), 0);
	assert_int_equal(
		apart_call(wait_for_ever, NULL, &answer, sizeof(answer), 600 * CLOCK_SEC),
		-EINTR);
	assert_int_equal(sigwait(&set, &got), 0);
	assert_int_equal(got, SIGINT);
	assert_int_equal(sigprocmask(SIG_SETMASK, &before, NULL), 0);
	assert_nobody_left();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answer_comes_back),
		cmocka_unit_test(time_is_limited),
		cmocka_unit_test(death_is_no_answer),
		cmocka_unit_test(blocked_signal_ends_the_wait_and_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
