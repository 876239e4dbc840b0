// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads what the two sides are called, and writes a grid of them; see ab.h. */
#include "runner/ab.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/cpulist.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/text.h"
#include "runner/ab_workloads.h"
#include "runner/estimate.h"
#include "runner/grid.h"
#include "runner/guest_image.h"
#include "runner/guest_spec.h"
#include "runner/pin.h"
#include "runner/plan.h"

static const char names[] = "AB";

static bool is_pin(const char *text)
{
	const char *const *words = pin_words();
	struct cpulist cpus = { 0 };
	bool is_list = !cpulist_parse(text, &cpus, NULL);
	size_t i;

	cpulist_release(&cpus);
	for (i = 0; words[i] && strcmp(words[i], text); i++)
		;
	return is_list || words[i];
}

/* Takes ",key=value" off the end of @text; it may also be all there is. */
static int take_setting(char *text, const char *key, char **ret)
{
	size_t len = strlen(key);
	char *at = strstr(text, key);
	const char *value = at ? at + len : NULL;

	if (!at && !strncmp(text, key + 1, len - 1)) {
		at = text;
		value = text + len - 1;
	}
	if (!at)
		return 0;
	*ret = strdup(value);
	*at = '\0';
	return *ret ? 0 : -ENOMEM;
}

static int refuse_side(char name, const char *text, struct err *err)
{
	static const char *const settings[] = { "pin", "cmdline", NULL };
	const char *equals = strchr(text, '=');
	char *key = strndup(text, equals ? (size_t)(equals - text) : strlen(text));
	const char *nearest =
		key ? text_nearest(key, equals ? settings : pin_words()) : NULL;

	if (!key)
		return err_nomem(err);
	if (equals)
		err_set(err, -EINVAL,
			"%c: '%s' was taken for a setting, and there is none of that "
			"name (expected pin=CPUS, or cmdline=WORDS behind a "
			"kernel)%s%s%s",
			name, text, nearest ? "; did you mean '" : "",
			nearest ? nearest : "", nearest ? "'?" : "");
	else
		err_set(err, -EINVAL,
			"%c: '%s' was taken for a kernel, and there is no such file "
			"(expected a bzImage, a .deb, a build directory, an unpacked "
			"package, 'running', or a setting such as "
			"pin=one-llc)%s%s%s",
			name, text, nearest ? "; did you mean 'pin=" : "",
			nearest ? nearest : "", nearest ? "'?" : "");
	free(key);
	return err->code;
}

/* What is left when the settings are taken off. */
static int take_kernel(struct ab_side *side, char name, const char *kernel,
		       struct err *err)
{
	if (!*kernel || !strcmp(kernel, "running"))
		return 0;
	side->image = realpath(kernel, NULL);
	if (side->image)
		return 0;
	if (errno == ENOMEM)
		return err_nomem(err);
	if (!side->pin && is_pin(kernel)) {
		side->pin = strdup(kernel);
		return side->pin ? 0 : err_nomem(err);
	}
	return refuse_side(name, kernel, err);
}

static int check_setting(char name, const char *key, const char *value, struct err *err)
{
	if (!value || *value)
		return 0;
	return err_set(err, -EINVAL, "%c: '%s=' has no value", name, key);
}

static int read_side(struct ab_side *side, char name, const char *text, struct err *err)
{
	char *rest = strdup(text);
	int bad;

	if (!rest)
		return err_nomem(err);
	if (!*rest)
		bad = err_set(err, -EINVAL,
			      "%c: '' names nothing (expected a kernel, or a setting "
			      "such as pin=one-llc)",
			      name);
	else if (take_setting(rest, ",cmdline=", &side->cmdline) ||
		 take_setting(rest, ",pin=", &side->pin))
		bad = err_nomem(err);
	else
		bad = take_kernel(side, name, rest, err);
	free(rest);
	if (!bad)
		bad = check_setting(name, "cmdline", side->cmdline, err);
	if (!bad)
		bad = check_setting(name, "pin", side->pin, err);
	if (!bad && side->pin && !is_pin(side->pin))
		bad = err_set(err, -EINVAL,
			      "%c: 'pin=%s' is no CPU list and no word for one (expected "
			      "such as 0-3,8 or one-llc)",
			      name, side->pin);
	return bad;
}

static int check_image(const struct ab_side *side, char name, struct err *err)
{
	struct guest_image image = { 0 };
	struct err why = { 0 };
	int bad = guest_image_open(side->image, "/", &image, &why);

	guest_image_release(&image);
	if (why.code == -ENOENT || why.code == -EPROTO)
		bad = -EINVAL;
	return why.code ? err_set(err, bad, "%c was taken for a kernel: %s", name,
				  why.text)
			: bad;
}

/* The running kernel as a file that a guest can boot. */
static int find_running(struct ab_side *side, char name, struct err *err)
{
	struct utsname uts;
	char *path;

	if (uname(&uts))
		return err_set(err, -errno, "cannot tell the running kernel: %m");
	path = file_path("/boot/vmlinuz-%s", uts.release);
	if (!path)
		return err_nomem(err);
	if (access(path, R_OK))
		err_set(err, -EINVAL,
			"%c: a guest can't boot the running kernel, as '%s' can't be "
			"read (expected an image, or --on local for settings of this "
			"machine)",
			name, path);
	else
		side->image = strdup(path);
	free(path);
	if (!side->image)
		return err->code ? err->code : err_nomem(err);
	return check_image(side, name, err);
}

static int check_topology(const struct ab *ab, struct err *err)
{
	struct guest_topology found;
	const char *nearest;

	if (!ab->is_guest && (ab->topology || ab->accel))
		return err_set(err, -EINVAL,
			       "--%s is for guests, and these sides run on this machine "
			       "(expected kernel images, or --on guest)",
			       ab->topology ? "topology" : "accel");
	if (!ab->topology || !guest_topology_find(ab->topology, &found))
		return 0;
	nearest = text_nearest(ab->topology, guest_topology_names());
	return err_set(err, -EINVAL,
		       "--topology: unknown topology '%s' (expected such as "
		       "two-node-8)%s%s%s",
		       ab->topology, nearest ? "; did you mean '" : "",
		       nearest ? nearest : "", nearest ? "'?" : "");
}

/* Where both run, and whether they can. */
static int find_place(struct ab *ab, enum ab_place place, struct err *err)
{
	size_t i;
	int bad = 0;

	ab->is_guest = place == AB_GUEST;
	for (i = 0; i < AB_SIDES; i++) {
		const struct ab_side *side = &ab->sides[i];

		if (!side->image && !side->cmdline)
			continue;
		if (place == AB_LOCAL)
			return err_set(err, -EINVAL,
				       "%c: this machine runs one kernel, and %s needs a "
				       "boot (expected --on guest, or settings such as "
				       "pin=one-llc)",
				       names[i], side->image ? side->image : "cmdline");
		ab->is_guest = true;
	}
	/* What was named is what to speak of first. */
	for (i = 0; !bad && i < AB_SIDES; i++)
		if (ab->sides[i].image)
			bad = check_image(&ab->sides[i], names[i], err);
	for (i = 0; !bad && ab->is_guest && i < AB_SIDES; i++)
		if (!ab->sides[i].image)
			bad = find_running(&ab->sides[i], names[i], err);
	return bad ? bad : check_topology(ab, err);
}

int ab_init(struct ab *ab, const struct ab_wish *wish, struct err *err)
{
	size_t i;
	int bad = 0;

	*ab = (struct ab){ .topology = wish->topology,
			   .accel = wish->accel,
			   .time_ns = wish->time_ns };
	for (i = 0; !bad && i < AB_SIDES; i++)
		bad = read_side(&ab->sides[i], names[i], wish->sides[i], err);
	if (!bad)
		bad = find_place(ab, wish->place, err);
	if (!bad)
		bad = ab_workloads(wish->workloads, ab->is_guest, &ab->workloads, err);
	return bad;
}

void ab_release(struct ab *ab)
{
	size_t i;

	for (i = 0; i < AB_SIDES; i++) {
		free(ab->sides[i].image);
		free(ab->sides[i].cmdline);
		free(ab->sides[i].pin);
	}
	free(ab->workloads);
	*ab = (struct ab){ 0 };
}

/* In single quotes, where only these mean anything. */
static void write_quoted(FILE *out, const char *text)
{
	(void)fputc('\'', out);
	for (; *text; text++) {
		if (*text == '\'')
			(void)fputc('\'', out);
		(void)fputc(*text, out);
	}
	(void)fputc('\'', out);
}

static void write_side(FILE *out, const struct ab_side *side, char name)
{
	(void)fprintf(out, "  - name: %c\n", name);
	if (side->image) {
		(void)fputs("    kernel: {image: ", out);
		write_quoted(out, side->image);
		if (side->cmdline) {
			(void)fputs(", cmdline: ", out);
			write_quoted(out, side->cmdline);
		}
		(void)fputs("}\n", out);
	}
	if (side->pin) {
		(void)fputs("    pin: ", out);
		write_quoted(out, side->pin);
		(void)fputc('\n', out);
	}
}

static void write_repeat(FILE *out, const struct ab *ab, uint64_t boots)
{
	enum { MOST = 200 };
	uint64_t ms = ab->time_ns / (CLOCK_SEC / 1000);

	if (ab->is_guest)
		(void)fprintf(out,
			      "executor: {type: guest, topology: %s%s%s}\n"
			      "repeat: {boots: %" PRIu64 ", iterations: %d, warmup: 1}\n"
			      "timeout: 120s\n",
			      ab->topology ? ab->topology : "two-node-8",
			      ab->accel ? ", accel: " : "", ab->accel ? ab->accel : "",
			      boots, AB_BOOT_ITERATIONS);
	else
		(void)fprintf(out,
			      "executor: {type: local}\n"
			      "repeat: {warmup: 1, until: {halfwidth: 1%%, max: %d, "
			      "budget: %" PRIu64 "ms}}\n"
			      "timeout: 300s\n",
			      MOST, ms ? ms : 1);
}

char *ab_grid(const struct ab *ab, uint64_t boots)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	size_t i;

	if (!out)
		return NULL;
	(void)fputs("# Made by schedgrid ab.\n"
		    "schema: schedgrid-grid-1\n"
		    "name: ab\n"
		    "seed: 42\n",
		    out);
	write_repeat(out, ab, boots);
	(void)fputs("columns:\n", out);
	for (i = 0; i < AB_SIDES; i++)
		write_side(out, &ab->sides[i], names[i]);
	(void)fprintf(out, "workloads:\n%s", ab->workloads);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

uint64_t ab_boots(const struct plan *plan, const struct estimate *estimate,
		  uint64_t time_ns)
{
	const uint64_t boot_ns =
		4 * CLOCK_SEC +
		guest_nr_cpus(&plan->grid->guest->topology) * CLOCK_SEC / 2;
	const uint64_t unknown_ns = estimate->nr_unknown *
				    (plan->grid->warmup + AB_BOOT_ITERATIONS) * CLOCK_SEC;
	uint64_t block_ns =
		plan->grid->nr_columns * boot_ns + estimate->wall_ns + unknown_ns;
	uint64_t boots = time_ns / block_ns;

	if (boots < AB_LEAST_BOOTS)
		return AB_LEAST_BOOTS;
	return boots < AB_MOST_BOOTS ? boots : AB_MOST_BOOTS;
}
