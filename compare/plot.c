// SPDX-License-Identifier: GPL-2.0-or-later
/* Starts gnuplot in a directory of its own, and takes its pictures; see plot.h. */
#include "compare/plot.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compare/plot_script.h"
#include "lib/clock.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/proc.h"

enum {
	TIMEOUT_SEC = 60,
	TIMEOUT_MS_EACH = 200,
	SVG_BYTES_MAX = 64 << 20,
	MESSAGE_BYTES_MAX = 1 << 16,
	MESSAGE_SHOWN = 200,
};

static const char script_name[] = "plots.gp";

/* The first gnuplot on PATH, the caller's; NULL when there is none, or no memory. */
static char *find_gnuplot(void)
{
	const char *at = getenv("PATH");

	while (at && *at) {
		size_t len = strcspn(at, ":");
		char *path = file_path("%.*s/gnuplot", (int)len, at);
		struct stat info;

		if (path && len && !stat(path, &info) && S_ISREG(info.st_mode) &&
		    !access(path, X_OK))
			return path;
		free(path);
		at += len + (at[len] == ':');
	}
	return NULL;
}

static int write_script(const char *dir, const struct plot *plots, size_t nr,
			struct err *err)
{
	char *path = file_path("%s/%s", dir, script_name);
	FILE *out = path ? fopen(path, "wxe") : NULL;
	size_t i;
	int ret = 0;

	if (!out)
		ret = path ? err_set(err, -errno, "cannot create '%s': %m", path)
			   : err_nomem(err);
	for (i = 0; !ret && i < nr; i++) {
		if (plot_can_draw(&plots[i]))
			plot_script(out, &plots[i], i);
	}
	if (out && fclose(out) && !ret)
		ret = err_set(err, -errno, "cannot write '%s': %m", path);
	free(path);
	return ret;
}

/* The first line that gnuplot complained with, as far as it says something. */
static int refuse(const char *dir, struct err *err)
{
	char *path = file_path("%s/stderr", dir);
	char *text = NULL;
	const char *line;

	if (!path || file_read(path, MESSAGE_BYTES_MAX, &text, NULL, NULL))
		text = NULL;
	free(path);
	line = text ? text + strspn(text, " \t\r\n") : "";
	err_set(err, -EPROTO, "gnuplot failed (expected a picture): '%.*s'",
		(int)(strcspn(line, "\n") < MESSAGE_SHOWN ? strcspn(line, "\n")
							  : MESSAGE_SHOWN),
		line);
	free(text);
	return -EPROTO;
}

static int run_gnuplot(const char *path, const char *dir, struct plot_result *result,
		       struct err *err)
{
	char name[] = "gnuplot";
	char defaults[] = "-d";
	char script[sizeof(script_name)];
	char *argv[] = { name, defaults, script, NULL };
	const struct proc_spec spec = {
		.path = path,
		.argv = argv,
		.dir = dir,
		.timeout_ns = TIMEOUT_SEC * CLOCK_SEC +
			      TIMEOUT_MS_EACH * (CLOCK_SEC / 1000) * result->nr,
		.max_file_bytes = SVG_BYTES_MAX,
	};
	struct proc_watch watch;
	struct proc_result how;
	int ret = proc_watch_open(&watch, err);

	if (ret)
		return ret;
	memcpy(script, script_name, sizeof(script));
	ret = proc_run(&watch, &spec, &how, err);
	result->signal = watch.signal;
	proc_watch_close(&watch);
	if (ret)
		return ret;
	if (result->signal)
		return err_set(err, -EINTR, "stopped while gnuplot was drawing");
	if (how.end == PROC_TIMEOUT)
		return err_set(err, -ETIME, "gnuplot took longer than %ju s",
			       (uintmax_t)(spec.timeout_ns / CLOCK_SEC));
	if (!WIFEXITED(how.wait_status) || WEXITSTATUS(how.wait_status))
		return refuse(dir, err);
	return 0;
}

static int take_picture(const char *dir, const struct plot *plot, size_t idx,
			struct plot_result *result)
{
	char *path = file_path("%s/%zu.svg", dir, idx);
	char *svg = NULL;

	if (!path)
		return -ENOMEM;
	if (!file_read(path, SVG_BYTES_MAX, &svg, NULL, NULL))
		result->svgs[idx] = plot_clean(svg, plot, idx);
	free(svg);
	free(path);
	return 0;
}

/* Whatever is there by the names that we gave; nothing else can be. */
static void remove_dir(const char *dir, size_t nr)
{
	const char *const names[] = { script_name, "stdout", "stderr" };
	size_t i;

	for (i = 0; i < nr + sizeof(names) / sizeof(*names); i++) {
		char *path = i < nr ? file_path("%s/%zu.svg", dir, i)
				    : file_path("%s/%s", dir, names[i - nr]);

		if (path)
			(void)unlink(path);
		free(path);
	}
	(void)rmdir(dir);
}

static int draw_in(const char *dir, const char *gnuplot, const struct plot *plots,
		   struct plot_result *result, struct err *err)
{
	int ret = write_script(dir, plots, result->nr, err);
	size_t i;

	if (!ret)
		ret = run_gnuplot(gnuplot, dir, result, err);
	for (i = 0; !ret && i < result->nr; i++) {
		if (take_picture(dir, &plots[i], i, result))
			ret = err_nomem(err);
	}
	return ret;
}

int plot_draw(const struct plot *plots, size_t nr, struct plot_result *result,
	      struct err *err)
{
	const char *top = getenv("TMPDIR");
	char *gnuplot;
	char *dir;
	int ret;

	*result =
		(struct plot_result){ .svgs = calloc(nr + 1, sizeof(char *)), .nr = nr };
	if (!result->svgs)
		return err_nomem(err);
	gnuplot = find_gnuplot();
	if (!gnuplot)
		return err_set(err, -ENOENT, "no gnuplot on PATH");
	dir = file_path("%s/schedgrid-plots-XXXXXX", top && *top == '/' ? top : "/tmp");
	if (!dir)
		ret = err_nomem(err);
	else if (!mkdtemp(dir))
		ret = err_set(err, -errno, "cannot create '%s': %m", dir);
	else {
		ret = draw_in(dir, gnuplot, plots, result, err);
		remove_dir(dir, nr);
	}
	free(dir);
	free(gnuplot);
	return ret;
}

void plot_release(struct plot_result *result)
{
	size_t i;

	for (i = 0; result->svgs && i < result->nr; i++)
		free(result->svgs[i]);
	free(result->svgs);
	*result = (struct plot_result){ 0 };
}
