// SPDX-License-Identifier: GPL-2.0-or-later
/* Cell identity by digest of canonical JSON. */
#include "record/cell_id.h"

#include <stdlib.h>
#include <string.h>

#include "lib/digest.h"
#include "lib/json.h"

/* 64 bits: with a hundred thousand cells a collision has odds of 1 to 10^9. */
enum { ID_HEX = 16 };

char *cell_id(const struct jval *kernel, const struct jval *settings,
	      const char *workload, const char *variant, const struct jval *parameters)
{
	struct jval *json = jval_object();
	char hex[DIGEST_HEX + 1];
	char *text = NULL;
	char *id = NULL;
	int bad = 0;

	bad |= jval_put(json, "kernel", jval_copy(kernel));
	bad |= jval_put(json, "settings", jval_copy(settings));
	bad |= jval_put(json, "workload", jval_from_string(workload));
	bad |= jval_put(json, "variant", jval_from_string(variant));
	bad |= jval_put(json, "parameters", jval_copy(parameters));
	if (!bad)
		text = jval_write(json, JVAL_CANONICAL);
	if (text) {
		digest_bytes(text, strlen(text), hex);
		id = strndup(hex, ID_HEX);
	}
	free(text);
	jval_free(json);
	return id;
}
