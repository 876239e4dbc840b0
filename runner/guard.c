// SPDX-License-Identifier: GPL-2.0-or-later
/* Looking at the machine; what a look means is guard_judge.c's part. */
#include "runner/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/text.h"

/* How long a look stands for another one. */
#define STANDS_NS (CLOCK_SEC / 10)

/**
 * struct guard - the files that a look reads, -1 where there is none
 * @kmsg: the kernel's log, read on from where the last look ended
 * @governor: of each policy
 * @frequency: of each policy
 * @last: the last look
 */
struct guard {
	int taint, online, kmsg, stat;
	struct guard_snapshot last;
	int governor[GUARD_MAX_POLICIES], frequency[GUARD_MAX_POLICIES];
	size_t nr_policies;
};

static int open_below(const char *root, const char *path)
{
	char *whole = file_path("%s%s", root, path);
	int fd = whole ? open(whole, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;

	free(whole);
	return fd;
}

/* The file from its start, NUL-terminated; false when there is nothing. */
static bool read_start(int fd, char *text, size_t size)
{
	ssize_t got = fd < 0 ? -1 : pread(fd, text, size - 1, 0);

	text[got > 0 ? got : 0] = '\0';
	return got > 0;
}

/* The number of the first policy at or after @cpu; -1: none. */
static int next_policy(const char *root, int cpu, int most)
{
	char path[96];
	char *whole;
	bool is_there;

	for (; cpu <= most; cpu++) {
		(void)snprintf(path, sizeof(path),
			       "/sys/devices/system/cpu/cpufreq/policy%d", cpu);
		whole = file_path("%s%s", root, path);
		is_there = whole && !access(whole, F_OK);
		free(whole);
		if (is_there)
			return cpu;
	}
	return -1;
}

static int last_cpu(const struct guard *guard)
{
	char text[4096];
	char *last;

	if (!read_start(guard->online, text, sizeof(text)))
		return -1;
	last = strpbrk(text, "\n");
	if (last)
		*last = '\0';
	while (last > text && last[-1] >= '0' && last[-1] <= '9')
		last--;
	return last ? (int)strtol(last, NULL, 10) : -1;
}

static void open_policies(struct guard *guard, const char *root)
{
	int most = last_cpu(guard);
	int step = 1 + most / GUARD_MAX_POLICIES;
	int cpu = next_policy(root, 0, most);
	char path[96];

	while (cpu >= 0 && guard->nr_policies < GUARD_MAX_POLICIES) {
		(void)snprintf(path, sizeof(path),
			       "/sys/devices/system/cpu/cpufreq/policy%d/"
			       "scaling_governor",
			       cpu);
		guard->governor[guard->nr_policies] = open_below(root, path);
		(void)snprintf(path, sizeof(path),
			       "/sys/devices/system/cpu/cpufreq/policy%d/"
			       "scaling_cur_freq",
			       cpu);
		guard->frequency[guard->nr_policies++] = open_below(root, path);
		cpu = next_policy(root, cpu + step, most);
	}
}

int guard_open(const char *root, struct guard **ret, struct err *err)
{
	struct guard *guard = calloc(1, sizeof(*guard));

	if (!guard)
		return err_nomem(err);
	guard->taint = open_below(root, "/proc/sys/kernel/tainted");
	guard->online = open_below(root, "/sys/devices/system/cpu/online");
	guard->kmsg = open_below(root, "/dev/kmsg");
	if (guard->kmsg >= 0)
		(void)lseek(guard->kmsg, 0, SEEK_END);
	guard->stat = open_below(root, "/proc/stat");
	open_policies(guard, root);
	*ret = guard;
	return 0;
}

static uint64_t now_ns(clockid_t id)
{
	struct timespec now;

	(void)clock_gettime(id, &now);
	return (uint64_t)now.tv_sec * CLOCK_SEC + (uint64_t)now.tv_nsec;
}

/* All clocks at one moment: again when something came in between. */
static void look_at_clocks(struct guard_snapshot *ret)
{
	const uint64_t most_ns = CLOCK_SEC / 1000;
	uint64_t end_ns;
	int tries = 10;

	do {
		ret->monotonic_ns = now_ns(CLOCK_MONOTONIC);
		ret->boottime_ns = now_ns(CLOCK_BOOTTIME);
		ret->realtime_ns = now_ns(CLOCK_REALTIME);
		end_ns = now_ns(CLOCK_MONOTONIC);
	} while (end_ns - ret->monotonic_ns > most_ns && --tries);
}

static bool to_number(char *text, uint64_t *ret)
{
	text[strcspn(text, "\n")] = '\0';
	return !text_uint(text, 0, UINT64_MAX, ret, NULL);
}

static void look_at_online(int fd, struct guard_snapshot *ret)
{
	/* FNV-1a: a list of CPUs may be longer than what a snapshot keeps. */
	uint64_t digest = UINT64_C(14695981039346656037);
	char text[4096];
	const char *at;

	if (!read_start(fd, text, sizeof(text)))
		return;
	text[strcspn(text, "\n")] = '\0';
	for (at = text; *at; at++)
		digest = (digest ^ (unsigned char)*at) * UINT64_C(1099511628211);
	ret->online_digest = digest;
	text_printable(text, ret->online, sizeof(ret->online));
}

static void look_at_policies(const struct guard *guard, struct guard_snapshot *ret)
{
	char text[64];
	size_t i;

	ret->nr_policies = guard->nr_policies;
	for (i = 0; i < guard->nr_policies; i++) {
		struct guard_policy *policy = &ret->policy[i];

		if (read_start(guard->governor[i], text, sizeof(text))) {
			text[strcspn(text, "\n")] = '\0';
			text_printable(text, policy->governor, sizeof(policy->governor));
		}
		if (read_start(guard->frequency[i], text, sizeof(text)))
			(void)to_number(text, &policy->khz);
	}
}

/*
 * What seldom changes, and the counters that tell nothing of a time that is short
 * beside their ticks, are the dear ones: a younger look at them stands.
 */
static void look_at_settings(const struct guard *guard, struct guard_snapshot *ret)
{
	const struct guard_snapshot *last = &guard->last;

	if (last->cpu.at_ns && clock_ns() - last->cpu.at_ns < STANDS_NS) {
		ret->cpu = last->cpu;
		ret->online_digest = last->online_digest;
		memcpy(ret->online, last->online, sizeof(ret->online));
		ret->nr_policies = last->nr_policies;
		memcpy(ret->policy, last->policy, sizeof(ret->policy));
		return;
	}
	cputime_read(guard->stat, &ret->cpu);
	look_at_online(guard->online, ret);
	look_at_policies(guard, ret);
}

/* "level,number,time,flags;message"; the kernel's own have facility 0. */
static void take_line(char *line, struct guard_snapshot *ret)
{
	enum { LEVELS = 8 };
	char *message = strchr(line, ';');
	char *end;
	unsigned long priority = strtoul(line, &end, 10);

	if (!message || end == line || *end != ',' || priority >= LEVELS ||
	    !guard_is_warning(message + 1))
		return;
	if (!ret->nr_warnings++)
		text_printable(message + 1, ret->warning, sizeof(ret->warning));
}

/* A read yields one entry of the log; what it lost meanwhile is an EPIPE. */
static void look_at_log(int fd, struct guard_snapshot *ret)
{
	enum { MOST_ENTRIES = 100000 };
	char text[8192];
	char *rest;
	char *line;
	ssize_t got;
	int i;

	for (i = 0; fd >= 0 && i < MOST_ENTRIES; i++) {
		got = read(fd, text, sizeof(text) - 1);
		if (got < 0 && (errno == EPIPE || errno == EINTR))
			continue;
		if (got <= 0)
			return;
		text[got] = '\0';
		for (line = strtok_r(text, "\n", &rest); line;
		     line = strtok_r(NULL, "\n", &rest))
			take_line(line, ret);
	}
}

void guard_look(struct guard *guard, struct guard_snapshot *ret)
{
	char text[64];

	*ret = (struct guard_snapshot){ 0 };
	look_at_clocks(ret);
	ret->has_taint = read_start(guard->taint, text, sizeof(text)) &&
			 to_number(text, &ret->taint);
	look_at_settings(guard, ret);
	look_at_log(guard->kmsg, ret);
	guard->last = *ret;
}

void guard_look_before(struct guard *guard, struct guard_snapshot *ret)
{
	struct guard_snapshot *last = &guard->last;

	if (!last->monotonic_ns || clock_ns() - last->monotonic_ns > STANDS_NS)
		guard_look(guard, ret);
	else
		*ret = *last;
}

void guard_forget(struct guard *guard)
{
	guard->last = (struct guard_snapshot){ 0 };
}

static void close_one(int fd)
{
	if (fd >= 0)
		(void)close(fd);
}

void guard_close(struct guard *guard)
{
	size_t i;

	if (!guard)
		return;
	close_one(guard->taint);
	close_one(guard->online);
	close_one(guard->kmsg);
	close_one(guard->stat);
	for (i = 0; i < guard->nr_policies; i++) {
		close_one(guard->governor[i]);
		close_one(guard->frequency[i]);
	}
	free(guard);
}
