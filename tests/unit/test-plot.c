// SPDX-License-Identifier: GPL-2.0-or-later
/* Plots: what gnuplot is told, what of its answer is taken, and what it may do wrong. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include <errno.h>

#include "compare/plot.h"
#include "compare/plot_script.h"
#include "lib/err.h"
#include "lib/file.h"
#include "tests/unit/fake-tree.h"

static const double values[] = { 0.12, 0.13, 0.125 };
static const double order[] = { 1.0, 3.0, 2.0 };
static const struct plot_series two_series[] = {
	{ "1 <b>base", values, order, 3, 0.125, 0.11, 0.14 },
	{ "2 \"wake\" & ü", values, order, 2, 0.125, (double)NAN, (double)NAN },
};
static const struct plot two = { PLOT_SAMPLES, "Samples of <i>time", "time in s",
				 two_series, 2 };

static char *script_of(const struct plot *plot, size_t idx)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	assert_non_null(out);
	plot_script(out, plot, idx);
	assert_int_equal(fclose(out), 0);
	return text;
}

static char *read_fixture(void)
{
	char *svg = NULL;

	assert_int_equal(
		file_read("tests/fixtures/plot/samples.svg", 1 << 20, &svg, NULL, NULL),
		0);
	return svg;
}

static void test_plot_script_has_no_text_of_others(void **state)
{
	struct plot plot = two;
	char *text = script_of(&plot, 7);

	(void)state;
	assert_non_null(strstr(text, "set output \"7.svg\"\n"));
	assert_non_null(strstr(text, "\"@001.....\" 0, \"@002........\" 1"));
	assert_non_null(strstr(text, "set xlabel \"@000.....\""));
	assert_null(strstr(text, "base"));
	assert_null(strstr(text, "time in"));
	/* An interval that isn't known is as narrow as the mean. */
	assert_non_null(strstr(text, "0.125 1 0.125 0.125\n"));
	free(text);
	plot.kind = PLOT_ORDER;
	text = script_of(&plot, 8);
	assert_non_null(strstr(text, "$s0 << EOD\n1 0.12"));
	assert_non_null(strstr(text, "title \"@001.....\""));
	assert_null(strstr(text, "base"));
	free(text);
}

static void test_plot_can_draw(void **state)
{
	static const double huge[] = { 1e308, -1e308 };
	struct plot_series series = { "1 a", values, NULL, 3, 0.1, 0.1, 0.1 };
	struct plot plot = { PLOT_SAMPLES, "d", "a", &series, 1 };

	(void)state;
	assert_true(plot_can_draw(&plot));
	series.values = huge;
	series.nr = 2;
	assert_false(plot_can_draw(&plot));
	series = (struct plot_series){ "1 a",	    NULL,	 NULL,	     0,
				       (double)NAN, (double)NAN, (double)NAN };
	assert_false(plot_can_draw(&plot));
	/* A published mean without samples. */
	series.mean = 2.0;
	assert_true(plot_can_draw(&plot));
}

static void test_plot_script_of_equal_values(void **state)
{
	static const double same[] = { 5.0, 5.0 };
	static const double zero[] = { 0.0 };
	struct plot_series series = { "1 a", same, NULL, 2, 5.0, 5.0, 5.0 };
	const struct plot plot = { PLOT_SAMPLES, "d", "a", &series, 1 };
	char *text = script_of(&plot, 0);

	(void)state;
	assert_non_null(strstr(text, "set xrange [4.9"));
	free(text);
	series = (struct plot_series){ "1 a", zero, NULL, 1, 0.0, 0.0, 0.0 };
	text = script_of(&plot, 0);
	assert_non_null(strstr(text, "set xrange [-1:1]\n"));
	free(text);
}

static void test_plot_clean(void **state)
{
	char *svg = read_fixture();
	char *element = plot_clean(svg, &two, 3);

	(void)state;
	assert_non_null(element);
	assert_ptr_equal(strstr(element, "<svg role=\"img\" aria-label=\"Samples of "
					 "&lt;i&gt;time\""),
			 element);
	assert_non_null(strstr(element, "<text>1 &lt;b&gt;base</text>"));
	assert_non_null(strstr(element, "<text>2 &quot;wake&quot; &amp; ü</text>"));
	assert_non_null(strstr(element, "<text>time in s</text>"));
	assert_non_null(strstr(element, "id='p3-gpPt5'"));
	assert_non_null(strstr(element, "href='#p3-gpPt5'"));
	assert_null(strstr(element, "'#gp"));
	assert_null(strstr(element, "id='gp"));
	assert_null(strstr(element, "black"));
	assert_null(strstr(element, "white"));
	assert_null(strstr(element, "@"));
	assert_null(strstr(element, "<?xml"));
	assert_null(strstr(element, "<title>$"));
	free(element);
	free(svg);
}

/* The fixture with @text in place of its first "<g " is refused. */
static void assert_refused(const char *text)
{
	char *svg = read_fixture();
	size_t len = 0;
	char *changed;

	while (strncmp(svg + len, "<g ", 3) != 0)
		len++;
	changed = file_path("%.*s%s%s", (int)len, svg, text, svg + len);
	assert_non_null(changed);
	assert_null(plot_clean(changed, &two, 0));
	free(changed);
	free(svg);
}

static void test_plot_clean_refuses(void **state)
{
	char *svg = read_fixture();

	(void)state;
	assert_refused("<script>alert(1)</script>");
	assert_refused("<use href='http://example.org/a.svg#b'/>");
	assert_refused("<image href=\"#a\"/>");
	assert_refused("<rect ONLOAD='x'/>");
	assert_refused("<foreignObject/>");
	assert_refused("<rect fill='url(http://example.org)'/>");
	assert_refused("<!-- -->");
	assert_refused("</svg>");
	assert_null(plot_clean("", &two, 0));
	assert_null(plot_clean("no picture", &two, 0));
	/* Cut off, as by a full disk. */
	svg[strlen(svg) / 2] = '\0';
	assert_null(plot_clean(svg, &two, 0));
	free(svg);
}

/*
 * struct stage - a gnuplot of ours that is first on PATH
 */
struct stage {
	struct fake_tree tree;
	char *path, *tmpdir;
};

static void stage_init(struct stage *stage, const char *script)
{
	char *bin;
	char *path;

	fake_tree_init(&stage->tree);
	fake_tree_file(&stage->tree, "bin/gnuplot", script ? script : "");
	fake_tree_file(&stage->tree, "tmp/keep", "");
	bin = file_path("%s/bin/gnuplot", stage->tree.dir);
	assert_non_null(bin);
	/* One that can't be started is none. */
	assert_int_equal(chmod(bin, script ? 0755 : 0644), 0);
	free(bin);
	stage->path = strdup(getenv("PATH"));
	stage->tmpdir = file_path("%s/tmp", stage->tree.dir);
	path = file_path("%s/bin%s", stage->tree.dir, script ? ":/usr/bin:/bin" : "");
	assert_int_equal(setenv("PATH", path, 1), 0);
	assert_int_equal(setenv("TMPDIR", stage->tmpdir, 1), 0);
	free(path);
}

/* Nothing of the drawing is left. */
static void stage_release(struct stage *stage)
{
	struct stat info;

	assert_int_equal(stat(stage->tmpdir, &info), 0);
	assert_int_equal(info.st_nlink, 2);
	assert_int_equal(setenv("PATH", stage->path, 1), 0);
	assert_int_equal(unsetenv("TMPDIR"), 0);
	free(stage->path);
	free(stage->tmpdir);
	fake_tree_release(&stage->tree);
}

static int draw(struct plot_result *result, struct err *err)
{
	const struct plot plots[] = { two, two };

	memset(err, 0, sizeof(*err));
	return plot_draw(plots, 2, result, err);
}

static void test_plot_draw_without_gnuplot(void **state)
{
	struct plot_result result;
	struct stage stage;
	struct err err;

	(void)state;
	stage_init(&stage, NULL);
	assert_int_equal(draw(&result, &err), -ENOENT);
	assert_string_equal(err.text, "no gnuplot on PATH");
	plot_release(&result);
	stage_release(&stage);
}

static void test_plot_draw_with_one_that_fails(void **state)
{
	struct plot_result result;
	struct stage stage;
	struct err err;

	(void)state;
	stage_init(&stage, "#!/bin/sh\necho 'no terminal svg' >&2\nexit 1\n");
	assert_int_equal(draw(&result, &err), -EPROTO);
	assert_non_null(strstr(err.text, "no terminal svg"));
	assert_null(result.svgs[0]);
	plot_release(&result);
	stage_release(&stage);
}

/* Its exit status alone is no proof of a picture. */
static void test_plot_draw_with_one_that_draws_nothing(void **state)
{
	struct plot_result result;
	struct stage stage;
	struct err err;

	(void)state;
	stage_init(&stage, "#!/bin/sh\necho '<svg' > 1.svg\n");
	assert_int_equal(draw(&result, &err), 0);
	assert_null(result.svgs[0]);
	assert_null(result.svgs[1]);
	plot_release(&result);
	stage_release(&stage);
}

static void test_plot_draw(void **state)
{
	char *here = realpath("tests/fixtures/plot/samples.svg", NULL);
	struct plot_result result;
	struct stage stage;
	struct err err;
	char *script;

	(void)state;
	assert_non_null(here);
	script = file_path(
		"#!/bin/sh\n"
		"[ \"$1$LC_ALL\" = -dC ] && grep -q 'set output \"1.svg\"' \"$2\" &&\n"
		"cp '%s' 0.svg && cp 0.svg 1.svg\n",
		here);
	stage_init(&stage, script);
	assert_int_equal(draw(&result, &err), 0);
	assert_int_equal(result.signal, 0);
	assert_non_null(strstr(result.svgs[0], "p0-gpPt5"));
	assert_non_null(strstr(result.svgs[1], "p1-gpPt5"));
	plot_release(&result);
	plot_release(&result);
	stage_release(&stage);
	free(script);
	free(here);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plot_script_has_no_text_of_others),
		cmocka_unit_test(test_plot_can_draw),
		cmocka_unit_test(test_plot_script_of_equal_values),
		cmocka_unit_test(test_plot_clean),
		cmocka_unit_test(test_plot_clean_refuses),
		cmocka_unit_test(test_plot_draw_without_gnuplot),
		cmocka_unit_test(test_plot_draw_with_one_that_fails),
		cmocka_unit_test(test_plot_draw_with_one_that_draws_nothing),
		cmocka_unit_test(test_plot_draw),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
