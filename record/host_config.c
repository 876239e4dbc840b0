// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds, keeps and reads the configuration of a kernel; see host_config.h. */
#include "record/host_config.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/digest.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/gz.h"
#include "lib/text.h"
#include "record/host.h"
#include "record/host_facts.h"

enum { CONFIG_BYTES_MAX = 4 << 20 };

static const char option_start[] = "CONFIG_";

/* uname -v names some options: the configuration must have them. */
static bool has_named_options(const char *config, const char *version)
{
	static const char *const words[] = { "SMP", "PREEMPT", "PREEMPT_DYNAMIC",
					     "PREEMPT_LAZY", "PREEMPT_RT" };
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const char *value;
		char option[64];

		if (!host_last_word(version, words[i]))
			continue;
		(void)snprintf(option, sizeof(option), "%s%s=", option_start, words[i]);
		value = text_behind(config, option);
		if (!value || *value != 'y')
			return false;
	}
	return true;
}

/*
 * The first lines have "# Linux/x86 6.1.90 Kernel Configuration". A distribution's release
 * needn't have the third number, so the first two are what must agree.
 */
static bool has_version(const char *config, const char *release)
{
	static const char mark[] = "\n# Linux/";
	const char *at = strstr(config, mark);
	size_t len;

	at = at ? strchr(at + strlen(mark), ' ') : NULL;
	if (!at || !isdigit((unsigned char)*++at))
		return true;
	len = strspn(at, "0123456789");
	len += at[len] == '.' ? 1 + strspn(at + len + 1, "0123456789") : 0;
	return !strncmp(at, release, len) && !isdigit((unsigned char)release[len]);
}

/* /proc/version has the compiler's own line since 5.8: "(gcc-12 ... 12.2.0, GNU ld". */
static bool has_compiler(const char *config, const char *built)
{
	const char *compiler = text_behind(config, "CONFIG_CC_VERSION_TEXT=\"");

	if (!compiler || !built ||
	    (!strstr(built, ", GNU ld") && !strstr(built, ", LLD") &&
	     !strstr(built, ", Debian LLD") && !strstr(built, ", Ubuntu LLD")))
		return true;
	return memmem(built, strlen(built), compiler, strcspn(compiler, "\"\n"));
}

static bool is_of_kernel(const struct host_source *source, const struct host *host,
			 const char *config)
{
	char *built = host_read_line(source, "/proc/version");
	bool is_so = has_named_options(config, host->version) &&
		     has_version(config, host->release) && has_compiler(config, built);

	free(built);
	return is_so;
}

/* The text of @path, or NULL: not there, not readable, not a configuration. */
static char *read_config(const char *path)
{
	char *text = NULL;
	size_t len = 0;

	if (gz_read(path, CONFIG_BYTES_MAX, &text, &len, NULL))
		return NULL;
	if (strlen(text) == len && strstr(text, option_start))
		return text;
	free(text);
	return NULL;
}

/* Takes @path where it is the one; *@ret_bad: no memory. */
static bool take_config(const struct host_source *source, struct host *host,
			struct jval *facts, const char *file, int *ret_bad)
{
	char *path = file_path("%s%s", source->root, file);
	char *config = path ? read_config(path) : NULL;
	char hex[DIGEST_HEX + 1];
	bool is_it =
		config &&
		(strncmp(file, "/boot/", 6) != 0 || is_of_kernel(source, host, config)) &&
		!digest_file(path, hex, NULL);

	if (is_it) {
		*ret_bad |= host_put_text(facts, "config_file", file);
		*ret_bad |= host_put_text(facts, "config_sha256", hex);
		host->config = config;
	} else {
		free(config);
	}
	*ret_bad |= path ? 0 : -ENOMEM;
	free(path);
	return is_it;
}

int host_config_facts(const struct host_source *source, struct host *host,
		      struct jval *facts)
{
	char *boot = file_path("/boot/config-%s", host->release);
	int bad = boot ? 0 : -ENOMEM;

	if (!bad && !take_config(source, host, facts, "/proc/config.gz", &bad))
		(void)take_config(source, host, facts, boot, &bad);
	free(boot);
	return bad;
}

int host_config_save(const char *config, const char *dir, const char *boot,
		     struct err *err)
{
	char *path = file_path("%s/hosts/%s.config", dir, boot);
	int bad = 0;

	if (!path)
		return err_nomem(err);
	if (config)
		bad = file_replace(path, config, strlen(config), err);
	else if (unlink(path) && errno != ENOENT)
		bad = err_set(err, -errno, "cannot remove '%s': %m", path);
	free(path);
	return bad;
}

int host_config_load(const char *dir, const char *boot, char **ret, struct err *err)
{
	int bad = host_check_boot(boot, err);
	char *path;

	if (bad)
		return bad;
	path = file_path("%s/hosts/%s.config", dir, boot);
	if (!path)
		return err_nomem(err);
	bad = file_read(path, CONFIG_BYTES_MAX, ret, NULL, err);
	free(path);
	return bad;
}

bool host_config_next(char **at, const char **name, const char **value)
{
	while (**at) {
		char *line = *at;
		char *end = line + strcspn(line, "\n");
		char *equals;

		*at = end + (*end == '\n');
		*end = '\0';
		equals = strchr(line, '=');
		if (!equals || strncmp(line, option_start, strlen(option_start)) != 0)
			continue;
		*equals = '\0';
		*name = line;
		*value = equals + 1;
		return true;
	}
	return false;
}
