// SPDX-License-Identifier: GPL-2.0-or-later
/* What the processors are and how they are set; see host_facts.h. */
#include <stdlib.h>
#include <string.h>

#include "lib/json.h"
#include "record/host.h"
#include "record/host_facts.h"

static const char cpuinfo[] = "/proc/cpuinfo";

/* What stands behind "<key><blanks>:" when @line begins so; or NULL. */
static const char *value_of(const char *line, const char *key)
{
	size_t len = strlen(key);

	if (strncmp(line, key, len))
		return NULL;
	line += len + strspn(line + len, " \t");
	return *line == ':' ? line + 1 + strspn(line + 1, " \t") : NULL;
}

/* The value of the first line of @key, the caller's; or NULL. */
static char *cpuinfo_value(const char *text, const char *key)
{
	const char *line = text;
	const char *value = NULL;

	while (line && !value) {
		value = value_of(line, key);
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return value && *value && *value != '\n' ? strndup(value, strcspn(value, "\n"))
						 : NULL;
}

char *host_cpu_model(const struct host_source *source)
{
	static const char *const keys[] = { "model name", "cpu model", "cpu", "Model" };
	char *text = host_read_text(source, cpuinfo);
	char *model = NULL;
	size_t i;

	for (i = 0; text && !model && i < sizeof(keys) / sizeof(keys[0]); i++)
		model = cpuinfo_value(text, keys[i]);
	free(text);
	return model;
}

/* Only x86 says by a flag of the CPU whether something is below the kernel. */
static int put_cpuinfo(const struct host_source *source, struct jval *facts)
{
	char *text = host_read_text(source, cpuinfo);
	char *flags = text ? cpuinfo_value(text, "flags") : NULL;
	char *microcode = text ? cpuinfo_value(text, "microcode") : NULL;
	int bad = 0;

	/* The CPUs' own files tell each one's, but a guest has none. */
	if (!jval_get(facts, "microcode"))
		bad |= host_put_text(facts, "microcode", microcode);
	if (flags)
		bad |= jval_put(facts, "hypervisor",
				jval_from_bool(strstr(flags, " hypervisor")));
	free(microcode);
	free(flags);
	free(text);
	return bad;
}

#define CPU_DIR "/sys/devices/system/cpu/"

static int put_frequency(const struct host_source *source, struct jval *facts)
{
	struct jval *json = jval_object();
	int bad = 0;

	bad |= host_put_per_cpu(source, json, "driver", "cpufreq/scaling_driver");
	bad |= host_put_per_cpu(source, json, "min_khz", "cpufreq/scaling_min_freq");
	bad |= host_put_per_cpu(source, json, "max_khz", "cpufreq/scaling_max_freq");
	bad |= host_put_per_cpu(source, json, "preference",
				"cpufreq/energy_performance_preference");
	bad |= host_put_line(source, json, "boost", CPU_DIR "cpufreq/boost");
	bad |= host_put_line(source, json, "no_turbo", CPU_DIR "intel_pstate/no_turbo");
	return bad | host_put_filled(facts, "frequency", json);
}

int host_cpu_facts(const struct host_source *source, const struct host *host,
		   struct jval *facts)
{
	int bad = 0;

	bad |= host_put_text(facts, "cpu_model", host->cpu_model);
	bad |= host_put_per_cpu(source, facts, "microcode", "microcode/version");
	bad |= put_cpuinfo(source, facts);
	bad |= host_put_per_cpu(source, facts, "governor", "cpufreq/scaling_governor");
	bad |= put_frequency(source, facts);
	bad |= host_put_dir(source, facts, "mitigations", CPU_DIR "vulnerabilities", "");
	bad |= host_put_line(source, facts, "smt", CPU_DIR "smt/control");
	bad |= host_put_line(source, facts, "isolated_cpus", CPU_DIR "isolated");
	bad |= host_put_line(source, facts, "nohz_full_cpus", CPU_DIR "nohz_full");
	bad |= host_put_line(
		source, facts, "clocksource",
		"/sys/devices/system/clocksource/clocksource0/current_clocksource");
	return bad;
}
