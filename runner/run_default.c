// SPDX-License-Identifier: GPL-2.0-or-later
/* Where a plan's run lies unless told otherwise; see run.h. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lib/digest.h"
#include "lib/file.h"
#include "lib/json.h"
#include "runner/plan.h"
#include "runner/run.h"

char *run_default_dir(const struct plan *plan)
{
	enum { NAME_MAX_SHOWN = 80, DIGITS = 8 };
	/* What a plan says of this machine tells nothing where Slurm runs it. */
	struct jval *json =
		plan->grid->slurm ? jval_from_string(plan->grid->text) : plan_json(plan);
	char *text = json ? jval_write(json, JVAL_CANONICAL) : NULL;
	char *name = strndup(plan->grid->name, NAME_MAX_SHOWN);
	char hex[DIGEST_HEX + 1];
	char *dir = NULL;
	char *at;

	if (text && name) {
		digest_bytes(text, strlen(text), hex);
		for (at = name; *at; at++)
			if (!isalnum((unsigned char)*at) && !strchr("._+-", *at))
				*at = '_';
		/* No hidden directory, and nothing that looks like an option. */
		if (*name == '.' || *name == '-')
			*name = '_';
		dir = file_path("results/%s-%.*s", name, DIGITS, hex);
	}
	free(name);
	free(text);
	jval_free(json);
	return dir;
}
