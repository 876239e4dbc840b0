// SPDX-License-Identifier: GPL-2.0-or-later
/* Fills struct err; see err.h for the rules of the text. */
#include "lib/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "lib/text.h"

int err_set(struct err *err, int code, const char *fmt, ...)
{
	char raw[sizeof((struct err){ 0 }.text)];
	va_list args;

	if (!err)
		return code;
	if (err->code)
		return err->code;
	va_start(args, fmt);
	(void)vsnprintf(raw, sizeof(raw), fmt, args);
	va_end(args);
	err->code = code;
	text_printable(raw, err->text, sizeof(err->text));
	return code;
}

int err_nomem(struct err *err)
{
	return err_set(err, -ENOMEM, "out of memory");
}
