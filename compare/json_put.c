// SPDX-License-Identifier: GPL-2.0-or-later
/* Values of JSON objects; see json_put.h. */
#include "compare/json_put.h"

#include <errno.h>
#include <math.h>

#include "lib/json.h"

int json_put_text(struct jval *object, const char *key, const char *text)
{
	return jval_put(object, key, jval_from_string(text));
}

int json_put_uint(struct jval *object, const char *key, uint64_t value)
{
	return jval_put(object, key, jval_from_uint(value));
}

int json_put_real(struct jval *object, const char *key, double value)
{
	return isfinite(value) ? jval_put(object, key, jval_from_real(value)) : 0;
}

int json_put_interval(struct jval *object, const char *key, const double *interval)
{
	struct jval *array;

	if (!isfinite(interval[0]) || !isfinite(interval[1]))
		return 0;
	array = jval_array();
	if (!array)
		return -ENOMEM;
	if (jval_push(array, jval_from_real(interval[0])) ||
	    jval_push(array, jval_from_real(interval[1]))) {
		jval_free(array);
		return -ENOMEM;
	}
	return jval_put(object, key, array);
}
