/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An A/B comparison without a grid file: reads what two sides and a few workloads are
 * called on a command line, and writes the grid for it. What is written is an ordinary
 * grid, and whatever happens then happens to it; nothing is started here.
 */
#ifndef RUNNER_AB_H
#define RUNNER_AB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct estimate;
struct plan;

enum {
	AB_SIDES = 2,
	AB_BOOT_ITERATIONS = 2, /* measured ones of each cell in one boot of a guest */
	AB_LEAST_BOOTS = 2,	/* fewer can't tell the kernel from the boot */
	AB_MOST_BOOTS = 100,
};

/** enum ab_place - where the sides run */
enum ab_place {
	AB_ANYWHERE, /* in guests when a side is a kernel image, else here */
	AB_LOCAL,
	AB_GUEST,
};

/**
 * struct ab_wish - what the command line asks for
 * @sides: A and B, each KERNEL[,pin=CPUS][,cmdline=WORDS], a setting pin=CPUS, or CPUS
 *         alone; KERNEL is a path, or "running"
 * @workloads: names separated by commas, each with parameters or words of its variant
 *             behind it: "hackbench task=thread groups=1/4,stream"; NULL: some
 * @topology: of the guests, NULL: two-node-8
 * @accel: of the guests, "kvm" or "tcg"; NULL: whatever there is
 * @place: where to
 * @time_ns: that all iterations may take
 */
struct ab_wish {
	const char *sides[AB_SIDES];
	const char *workloads, *topology, *accel;
	enum ab_place place;
	uint64_t time_ns;
};

/**
 * struct ab_side - a column to be
 * @image: absolute path of a kernel as a grid names it; NULL: the running one
 * @cmdline: added to its command line, NULL: nothing
 * @pin: CPU list or pin word, NULL: all CPUs
 */
struct ab_side {
	char *image, *cmdline, *pin;
};

/**
 * struct ab - the comparison
 * @sides: A and B
 * @workloads: entries of the grid's list, as text
 * @topology: lent by the wish
 * @accel: likewise
 * @is_guest: whether guests run it
 * @time_ns: as in the wish
 */
struct ab {
	struct ab_side sides[AB_SIDES];
	char *workloads;
	const char *topology, *accel;
	bool is_guest;
	uint64_t time_ns;
};

/**
 * ab_init - understand and check a wish
 * @ab: to be released by ab_release(), also after a failure
 * @wish: lent, as are its texts
 * @err: says for what a side was taken, and what was expected
 *
 * Images are opened, packages unpacked, as guest_image_open() does. What needs the
 * machine, such as whether it has the CPUs, is for the plan of the grid.
 *
 * Return: 0, -EINVAL for what the wish says, or another negative errno.
 */
int ab_init(struct ab *ab, const struct ab_wish *wish, struct err *err);

/** ab_release - free what @ab owns; an empty one is fine */
void ab_release(struct ab *ab);

/**
 * ab_grid - the text of a grid file
 * @ab: after ab_init()
 * @boots: of each side, where guests run it; see ab_boots()
 *
 * Here the run ends by its precision, at half of the default delta, or when the time is
 * over. Guests can't do that: they have a number of boots.
 *
 * Return: the caller's to free(); NULL: out of memory.
 */
char *ab_grid(const struct ab *ab, uint64_t boots);

/**
 * ab_boots - how many boots of each side fit into a time
 * @plan: of ab_grid() with one boot
 * @estimate: of that plan
 * @time_ns: for all of it
 *
 * A boot is taken as 4 s and another half for each CPU, as measured of Debian's kernels
 * on two CPUs without KVM (docs/guests.md); an iteration that never ran as 1 s.
 *
 * Return: AB_LEAST_BOOTS to AB_MOST_BOOTS.
 */
uint64_t ab_boots(const struct plan *plan, const struct estimate *estimate,
		  uint64_t time_ns);

#endif
