// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The least that a reader of ledgers does who takes the JSON library as it is: makes a
 * tree of each line and drops it.
 *
 *	json-load FILE...
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static int load(FILE *in)
{
	char *line = NULL;
	size_t size = 0;
	int bad = 0;

	while (!bad && getline(&line, &size, in) > 0) {
		json_t *json = json_loads(line, 0, NULL);

		bad = !json;
		json_decref(json);
	}
	free(line);
	return bad || !feof(in);
}

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		FILE *in = fopen(argv[i], "r");
		int bad = !in || load(in);

		if (in)
			fclose(in);
		if (bad) {
			fprintf(stderr, "json-load: cannot load '%s'\n", argv[i]);
			return 1;
		}
	}
	return 0;
}
