/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values put into the objects of fmt_json.h. What isn't known is left out. */
#ifndef COMPARE_JSON_PUT_H
#define COMPARE_JSON_PUT_H

#include <stdint.h>

struct jval;

/** json_put_text - put a copy of @text; 0 or a negative errno, as all of these */
int json_put_text(struct jval *object, const char *key, const char *text);

/** json_put_uint - put a whole number */
int json_put_uint(struct jval *object, const char *key, uint64_t value);

/** json_put_real - put a number; nothing where it isn't finite */
int json_put_real(struct jval *object, const char *key, double value);

/** json_put_interval - put an array of two numbers; nothing unless both are finite */
int json_put_interval(struct jval *object, const char *key, const double *interval);

#endif
