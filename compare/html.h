/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text in HTML: whatever bytes it has, it stays text. */
#ifndef COMPARE_HTML_H
#define COMPARE_HTML_H

#include <stdio.h>

/**
 * html_text - write @text so that no part of it is markup
 * @out: the stream
 * @text: any bytes; what isn't printable reads \xNN
 *
 * Good for the contents of elements and for attributes in either kind of quotes.
 *
 * Return: 0 or -ENOMEM; look at the stream for write errors.
 */
int html_text(FILE *out, const char *text);

/** html_put - html_text() of formatted text; 0 or -ENOMEM */
int html_put(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** html_lines - <pre> with the lines of @text, nothing when it is empty; 0 or -ENOMEM */
int html_lines(FILE *out, const char *text);

#endif
