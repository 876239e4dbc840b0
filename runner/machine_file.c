// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds and reads machine files; see machine_file.h. */
#include "runner/machine_file.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/err.h"
#include "lib/file.h"
#include "lib/text.h"
#include "runner/grid_read.h"
#include "runner/machine_costs.h"

enum { MAX_COUNT = 4096, MAX_DISTANCE = 254, MAX_LLC_KIB = 1 << 22, MAX_NAMES = 64 };

/* struct reading - a file being read onto what it is like */
struct reading {
	struct machine_file file;
	struct machine_costs costs;
	const char *path;
	unsigned int depth;
};

/* As installed, as built, and as the tests lie. */
static const char *const places[] = {
	"../share/schedgrid/configs/machines",
	"../../configs/machines",
	"../../../configs/machines",
};

static int suite_folder(char **ret, struct err *err)
{
	char self[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	size_t i;

	if (len <= 0)
		return err_set(err, -errno, "cannot tell where schedgrid is: %m");
	self[len] = '\0';
	*strrchr(self, '/') = '\0';
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char *folder = file_path("%s/%s", self, places[i]);

		if (!folder)
			return err_nomem(err);
		if (!access(folder, X_OK)) {
			*ret = folder;
			return 0;
		}
		free(folder);
	}
	return err_set(err, -ENOENT,
		       "the suite's machines are neither in %s/%s nor in "
		       "%s/%s",
		       self, places[0], self, places[1]);
}

/* The suite's names, for a message; what can't be read is left out. */
static size_t list_names(const char *folder, const char **names)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	size_t nr = 0;

	while (dir && nr < MAX_NAMES && (entry = readdir(dir))) {
		const char *dot = strstr(entry->d_name, ".yaml");

		if (dot && !dot[strlen(".yaml")])
			names[nr] = strndup(entry->d_name, (size_t)(dot - entry->d_name));
		nr += names[nr] != NULL;
	}
	if (dir)
		(void)closedir(dir);
	names[nr] = NULL;
	return nr;
}

static int by_name(const void *a, const void *b)
{
	return text_natural_order(*(const char *const *)a, *(const char *const *)b);
}

static int refuse_machine(const char *name, const char *folder, struct err *err)
{
	const char *names[MAX_NAMES + 1] = { NULL };
	size_t nr = list_names(folder, names);
	const char *nearest = text_nearest(name, names);
	char list[700] = "";
	size_t len = 0;
	size_t i;

	qsort(names, nr, sizeof(names[0]), by_name);
	for (i = 0; i < nr && len < sizeof(list); i++)
		if (strcmp(names[i], MACHINE_FILE_REFERENCE) != 0)
			len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%s",
						len ? ", " : "", names[i]);
	(void)err_set(err, -ENOENT,
		      "unknown machine '%.100s'; expected a file such as ./mine.yaml or "
		      "one of %s%s%s%s",
		      name, list, nearest ? "; did you mean '" : "",
		      nearest ? nearest : "", nearest ? "'?" : "");
	for (i = 0; i < nr; i++)
		free((void *)(uintptr_t)names[i]);
	return -ENOENT;
}

static bool is_path(const char *name)
{
	size_t len = strlen(name);
	const size_t end = strlen(".yaml");

	return strchr(name, '/') || (len > end && !strcmp(name + len - end, ".yaml"));
}

int machine_file_find(const char *name, const char *folder, char **ret, struct err *err)
{
	char *suite = NULL;
	char *path;

	if (is_path(name)) {
		path = *name == '/' ? strdup(name) : file_path("%s/%s", folder, name);
		if (!path)
			return err_nomem(err);
		*ret = path;
		return 0;
	}
	if (suite_folder(&suite, err))
		return err->code;
	path = file_path("%s/%s.yaml", suite, name);
	if (!path) {
		(void)err_nomem(err);
	} else if (access(path, R_OK)) {
		(void)refuse_machine(name, suite, err);
		free(path);
		path = NULL;
	}
	free(suite);
	if (path)
		*ret = path;
	return path ? 0 : err->code;
}

static int read_schema(const struct grid_in *in, const struct yaml_node *node,
		       void *target)
{
	static const char known[] = "schedgrid-machine-1";

	(void)target;
	if (node->kind == YAML_SCALAR && !strcmp(node->text, known))
		return 0;
	return grid_refuse(in, node, "expected the schema %s", known);
}

static int read_count(const struct grid_in *in, const struct yaml_node *node,
		      const char *what, uint64_t max, int *ret)
{
	uint64_t number = 0;
	int bad = grid_read_uint(in, node, what, 1, max, &number);

	*ret = (int)number;
	return bad;
}

/* One reader for each number of a shape, called as its key. */
#define READ_SHAPE(key, max)                                                          \
	static int read_##key(const struct grid_in *in, const struct yaml_node *node, \
			      void *target)                                           \
	{                                                                             \
		struct machine_shape *shape = target;                                 \
                                                                                      \
		return read_count(in, node, #key, max, &shape->key);                  \
	}

READ_SHAPE(packages, MAX_COUNT)
READ_SHAPE(nodes, MAX_COUNT)
READ_SHAPE(llcs, MAX_COUNT)
READ_SHAPE(clusters, MAX_COUNT)
READ_SHAPE(cores, MAX_COUNT)
READ_SHAPE(threads, MAX_COUNT)
READ_SHAPE(near_distance, MAX_DISTANCE)
READ_SHAPE(far_distance, MAX_DISTANCE)
READ_SHAPE(reclaim_distance, MAX_DISTANCE)

static int read_numbering(const struct grid_in *in, const struct yaml_node *node,
			  void *target)
{
	static const char *const words[] = { "blocked", "interleaved", "adjacent", NULL };
	struct machine_shape *shape = target;
	int i;

	if (node->kind != YAML_SCALAR || yaml_is_nothing(node))
		return grid_refuse_kind(in, node, "a numbering");
	for (i = 0; words[i]; i++)
		if (!strcmp(words[i], node->text)) {
			shape->numbering = (enum machine_numbering)i;
			return 0;
		}
	return grid_refuse_name(in, node, "numbering", "", words);
}

/* A topology is taken whole: parts of two machines make none. */
static int read_topology(const struct grid_in *in, const struct yaml_node *node,
			 void *target)
{
	static const struct grid_key keys[] = {
		{ "packages", read_packages, false },
		{ "nodes", read_nodes, false },
		{ "llcs", read_llcs, false },
		{ "clusters", read_clusters, false },
		{ "cores", read_cores, true },
		{ "threads", read_threads, false },
		{ "numbering", read_numbering, false },
		{ "near_distance", read_near_distance, false },
		{ "far_distance", read_far_distance, false },
		{ "reclaim_distance", read_reclaim_distance, false },
		{ NULL, NULL, false },
	};
	static const struct grid_mapping mapping = {
		"'topology'", "{packages: 2, cores: 12, threads: 2}", keys
	};
	struct reading *reading = target;

	reading->file.shape = (struct machine_shape){ 0 };
	reading->file.has_shape = true;
	return grid_read_mapping(in, node, &mapping, &reading->file.shape);
}

static int read_llc_kib(const struct grid_in *in, const struct yaml_node *node,
			void *target)
{
	struct reading *reading = target;

	return grid_read_uint(in, node, "llc_kib", 1, MAX_LLC_KIB,
			      &reading->file.llc_kib);
}

static int read_x86(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	static const char *const words[] = { "true", "false", NULL };
	struct reading *reading = target;

	if (node->kind != YAML_SCALAR || yaml_is_nothing(node))
		return grid_refuse_kind(in, node, "true or false");
	if (strcmp(node->text, "true") != 0 && strcmp(node->text, "false") != 0)
		return grid_refuse_name(in, node, "x86", "", words);
	reading->file.is_x86 = *node->text == 't';
	return 0;
}

static int read_costs(const struct grid_in *in, const struct yaml_node *node,
		      void *target)
{
	struct reading *reading = target;

	return machine_costs_read(in, node, &reading->costs);
}

static int load_onto(struct reading *reading, struct err *err);

/* Beside the file, or one of the suite's; the caller's, NULL with @err set. */
static char *like_path(const struct reading *reading, const char *name, struct err *err)
{
	const char *slash = strrchr(reading->path, '/');
	char *path = slash ? file_path("%.*s/%s.yaml", (int)(slash - reading->path),
				       reading->path, name)
			   : file_path("%s.yaml", name);

	if (!path)
		(void)err_nomem(err);
	if (!path || !access(path, R_OK))
		return path;
	free(path);
	path = NULL;
	(void)machine_file_find(name, ".", &path, err);
	return path;
}

/* Read before everything else of the file, which comes on top of it. */
static int read_like(const struct grid_in *in, const struct yaml_node *node, void *target)
{
	struct reading *reading = target;
	const char *own = reading->path;
	struct err why = { 0 };
	char *path;
	int bad;

	if (node->kind != YAML_SCALAR || yaml_is_nothing(node) || strchr(node->text, '/'))
		return grid_refuse_kind(in, node, "the name of a machine");
	if (++reading->depth > MACHINE_FILE_MAX_LIKE)
		return grid_refuse(in, node,
				   "more than %d files are like one another (expected "
				   "an end, such as " MACHINE_FILE_REFERENCE ")",
				   MACHINE_FILE_MAX_LIKE);
	path = like_path(reading, node->text, &why);
	if (!path)
		return grid_refuse(in, node, "%s", why.text);
	reading->path = path;
	bad = load_onto(reading, &why);
	reading->path = own;
	free(path);
	return bad ? err_set(in->err, bad, "%s", why.text) : 0;
}

static int read_file(const struct grid_in *in, const struct yaml_node *root,
		     struct reading *reading)
{
	static const struct grid_key keys[] = {
		{ "schema", read_schema, true },
		{ "like", read_like, false },
		{ "topology", read_topology, false },
		{ "llc_kib", read_llc_kib, false },
		{ "x86", read_x86, false },
		{ "costs", read_costs, false },
		{ NULL, NULL, false },
	};
	static const struct grid_mapping mapping = {
		"the machine", "'schema: schedgrid-machine-1' and so on", keys
	};

	return grid_read_mapping(in, root, &mapping, reading);
}

static int load_onto(struct reading *reading, struct err *err)
{
	struct yaml_source source = { reading->path, "machine", NULL, 0 };
	struct yaml_doc *doc = NULL;
	char *text = NULL;
	int bad =
		file_read_stream(reading->path, YAML_MAX_BYTES, &text, &source.len, err);

	source.text = text;
	if (!bad)
		bad = yaml_doc_parse(&source, &doc, err);
	if (!bad) {
		const struct grid_in in = { doc, err };

		bad = read_file(&in, yaml_doc_root(doc), reading);
	}
	yaml_doc_free(doc);
	free(text);
	return bad;
}

static void take_name(const char *path, struct machine_file *file)
{
	const char *slash = strrchr(path, '/');
	char *dot;

	(void)snprintf(file->name, sizeof(file->name), "%s", slash ? slash + 1 : path);
	dot = strstr(file->name, ".yaml");
	if (dot)
		*dot = '\0';
}

int machine_file_load(const char *path, struct machine_file *ret, struct err *err)
{
	struct reading reading = { .path = path, .file = { .is_x86 = true } };
	struct err why = { 0 };
	int bad = load_onto(&reading, &why);
	const char *missing = machine_costs_missing(&reading.costs);

	if (!bad && missing)
		bad = err_set(&why, -EINVAL,
			      "%s: no value for the cost '%s' (expected it there, or "
			      "'like: " MACHINE_FILE_REFERENCE "')",
			      path, missing);
	if (bad)
		return err_set(err, bad, "%s", why.text);
	take_name(path, &reading.file);
	reading.file.costs = reading.costs.model;
	*ret = reading.file;
	return 0;
}
