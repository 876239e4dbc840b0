// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads /proc/self/cgroup and mountinfo; see cgroup.h. */
#include "lib/cgroup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "lib/text.h"

enum { LIST_MAX = 1 << 24 };

/* Whether @word is in the list of words between commas. */
static bool has_word(const char *list, size_t len, const char *word)
{
	size_t size = strlen(word);
	const char *end = list + len;

	while (list < end) {
		const char *comma = memchr(list, ',', (size_t)(end - list));
		size_t part = (size_t)((comma ? comma : end) - list);

		if (part == size && !strncmp(list, word, size))
			return true;
		list += part + 1;
	}
	return false;
}

/* Cuts the next line off @text; NULL at the end. */
static char *next_line(char **text)
{
	char *line = *text;
	char *end = strchr(line, '\n');

	if (!*line)
		return NULL;
	*text = end ? end + 1 : line + strlen(line);
	if (end)
		*end = '\0';
	return line;
}

/* The group's path in its hierarchy, in @list; NULL: none. Version 1 goes first. */
static const char *find_path(char *list, const char *controller, bool *is_v2)
{
	const char *path = NULL;
	char *line;

	while ((line = next_line(&list))) {
		char *words = strchr(line, ':');
		char *rest = words ? strchr(words + 1, ':') : NULL;

		if (!rest)
			continue;
		if (has_word(words + 1, (size_t)(rest - words - 1), controller)) {
			*is_v2 = false;
			return rest + 1;
		}
		if (!strncmp(line, "0::", 3)) {
			*is_v2 = true;
			path = rest + 1;
		}
	}
	return path;
}

/* struct mount - what one line of mountinfo says */
struct mount {
	char *root, *point, *type, *options;
};

static void mount_release(struct mount *mount)
{
	free(mount->root);
	free(mount->point);
	free(mount->type);
	free(mount->options);
	*mount = (struct mount){ 0 };
}

static bool parse_mount(const char *line, struct mount *mount)
{
	const char *rest = strstr(line, " - ");

	*mount = (struct mount){ 0 };
	if (rest &&
	    sscanf(line, "%*s %*s %*s %ms %ms", &mount->root, &mount->point) == 2 &&
	    sscanf(rest, " - %ms %*s %ms", &mount->type, &mount->options) == 2)
		return true;
	mount_release(mount);
	return false;
}

static bool is_for(const struct mount *mount, const char *controller, bool is_v2)
{
	if (is_v2)
		return !strcmp(mount->type, "cgroup2");
	return !strcmp(mount->type, "cgroup") &&
	       has_word(mount->options, strlen(mount->options), controller);
}

/* A container sees its own part of the hierarchy only. */
static const char *below_mount(const char *path, const char *mounted)
{
	size_t len = strlen(mounted);

	if (!strcmp(mounted, "/"))
		return strcmp(path, "/") ? path : "";
	if (!strncmp(path, mounted, len) && (path[len] == '/' || !path[len]))
		return path + len;
	return "";
}

static int find_mount(const char *root, char *list, const char *controller,
		      const char *path, struct cgroup *ret)
{
	struct mount mount = { 0 };
	bool is_found = false;
	char *line;

	while (!is_found && (line = next_line(&list)))
		if (parse_mount(line, &mount)) {
			is_found = is_for(&mount, controller, ret->is_v2);
			if (!is_found)
				mount_release(&mount);
		}
	if (!is_found)
		return -ENOENT;
	ret->top = file_path("%s%s", root, mount.point);
	ret->dir = file_path("%s%s%s", root, mount.point, below_mount(path, mount.root));
	mount_release(&mount);
	if (ret->top && ret->dir)
		return 0;
	cgroup_release(ret);
	return -ENOMEM;
}

static char *read_list(const char *root, const char *name)
{
	char *path = file_path("%s/proc/self/%s", root, name);
	char *text = NULL;

	if (path)
		(void)file_read(path, LIST_MAX, &text, NULL, NULL);
	free(path);
	return text;
}

int cgroup_find(const char *root, const char *controller, struct cgroup *ret)
{
	struct cgroup group = { 0 };
	char *groups = read_list(root, "cgroup");
	char *mounts = read_list(root, "mountinfo");
	const char *path = NULL;
	int bad = -ENOENT;

	if (groups && mounts)
		path = find_path(groups, controller, &group.is_v2);
	if (path)
		bad = find_mount(root, mounts, controller, path, &group);
	if (!bad)
		*ret = group;
	free(mounts);
	free(groups);
	return bad;
}

bool cgroup_up(struct cgroup *group)
{
	char *slash = strrchr(group->dir, '/');

	if (strlen(group->dir) <= strlen(group->top) || !slash)
		return false;
	*slash = '\0';
	return true;
}

bool cgroup_number(const struct cgroup *group, const char *file, uint64_t *ret)
{
	char *path = file_path("%s/%s", group->dir, file);
	char *line = path ? file_read_line(path) : NULL;
	bool is_known = false;

	if (line && !strcmp(line, "max")) {
		*ret = UINT64_MAX;
		is_known = true;
	} else if (line) {
		is_known = !text_uint(line, 0, UINT64_MAX, ret, NULL);
	}
	free(line);
	free(path);
	return is_known;
}

void cgroup_release(struct cgroup *group)
{
	free(group->dir);
	free(group->top);
	*group = (struct cgroup){ 0 };
}
