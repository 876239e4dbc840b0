// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads squeue's and sinfo's JSON; see slurm_queue.h. */
#include "runner/slurm_queue.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "lib/json.h"
#include "lib/text.h"

/* Who writes a shape that is read here: the name in "meta", and which versions. */
static const struct {
	const char *prefix;
	uint64_t first, last;
} shapes[] = {
	{ "openapi/v0.0.", 36, 39 },
	{ "openapi/dbv0.0.", 36, 39 },
	{ "data_parser/v0.0.", 39, 44 },
};

enum { MAX_VERSION = 1000 };

static bool is_known_shape(const char *name)
{
	size_t i;

	for (i = 0; name && i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		size_t len = strlen(shapes[i].prefix);
		uint64_t version;

		if (!strncmp(name, shapes[i].prefix, len) &&
		    !text_uint(name + len, 0, MAX_VERSION, &version, NULL))
			return version >= shapes[i].first && version <= shapes[i].last;
	}
	return false;
}

/* From 23.11 on the name is under data_parser, and type is something else or empty. */
static int check_shape(const struct jval *top, struct err *err)
{
	const struct jval *plugin = jval_get(jval_get(top, "meta"), "plugin");
	const char *name = jval_get_text(plugin, "data_parser");

	name = name ? name : jval_get_text(plugin, "type");
	if (is_known_shape(name))
		return 0;
	return err_set(err, -EPROTO,
		       "the shape '%s' of Slurm's JSON isn't known (expected "
		       "openapi/v0.0.36 to 39 or data_parser/v0.0.39 to 44)",
		       name ? name : "");
}

/* A number as it is, or as {set, infinite, number}; false where it is unset or null. */
static bool read_number(const struct jval *value, uint64_t *ret)
{
	const struct jval *set = jval_get(value, "set");

	if (set && !jval_is_true(set))
		return false;
	return jval_uint(set ? jval_get(value, "number") : value, ret);
}

/* A text as it is, or a list of texts with commas between them; "" for neither. */
static char *read_words(const struct jval *value)
{
	size_t nr = jval_is_array(value) ? jval_count(value) : 0;
	const char *plain = jval_text(value);
	size_t len = 1;
	char *words;
	size_t i;

	if (!nr)
		return strdup(plain ? plain : "");
	for (i = 0; i < nr; i++) {
		const char *word = jval_text(jval_item(value, i));

		len += (word ? strlen(word) : 0) + 1;
	}
	words = calloc(len, 1);
	for (i = 0; words && i < nr; i++) {
		const char *word = jval_text(jval_item(value, i));
		char *end = words + strlen(words);

		if (i)
			*end++ = ',';
		if (word)
			memcpy(end, word, strlen(word) + 1);
	}
	return words;
}

bool slurm_has_word(const char *list, const char *word)
{
	size_t len = strlen(word);
	const char *at = list;

	while (*at) {
		size_t span = strcspn(at, ",");

		if (span == len && !strncasecmp(at, word, len))
			return true;
		at += span + (at[span] == ',');
	}
	return false;
}

static bool has_any(const char *list, const char *const *words)
{
	size_t i;

	for (i = 0; words[i]; i++)
		if (slurm_has_word(list, words[i]))
			return true;
	return false;
}

/* A state may come with flags beside it, such as REQUEUED or COMPLETING. */
static int read_phase(const char *state, enum slurm_phase *ret, struct err *err)
{
	static const char *const waiting[] = {
		"PENDING",     "REQUEUED",     "REQUEUE_HOLD",
		"REQUEUE_FED", "SPECIAL_EXIT", "RESV_DEL_HOLD",
		NULL
	};
	static const char *const starting[] = { "CONFIGURING", "POWER_UP_NODE", NULL };
	static const char *const running[] = { "RUNNING",  "SUSPENDED", "COMPLETING",
					       "RESIZING", "SIGNALING", "STAGE_OUT",
					       "STOPPED",  NULL };
	static const char *const over[] = { "COMPLETED", "CANCELLED",	  "FAILED",
					    "TIMEOUT",	 "NODE_FAIL",	  "PREEMPTED",
					    "BOOT_FAIL", "DEADLINE",	  "OUT_OF_MEMORY",
					    "REVOKED",	 "LAUNCH_FAILED", NULL };

	if (has_any(state, starting))
		*ret = SLURM_STARTING;
	else if (has_any(state, waiting))
		*ret = SLURM_WAITING;
	else if (has_any(state, running))
		*ret = SLURM_RUNNING;
	else if (has_any(state, over))
		*ret = SLURM_OVER;
	else
		return err_set(
			err, -EPROTO,
			"the state '%s' of a job isn't known (expected one such as "
			"PENDING, RUNNING or COMPLETED)",
			state);
	return 0;
}

static int read_job(const struct jval *json, struct slurm_job *job, struct err *err)
{
	char *state = read_words(jval_get(json, "job_state"));
	int bad;

	job->name = read_words(jval_get(json, "name"));
	job->reason = read_words(jval_get(json, "state_reason"));
	job->tasks = read_words(jval_get(json, "array_task_string"));
	bad = state && job->name && job->reason && job->tasks
		      ? read_phase(state, &job->phase, err)
		      : err_nomem(err);
	free(state);
	if (bad)
		return bad;
	if (!read_number(jval_get(json, "job_id"), &job->id))
		return err_set(err, -EPROTO,
			       "a job has no 'job_id' (expected a whole number)");
	(void)read_number(jval_get(json, "restart_cnt"), &job->nr_restarts);
	/* What stands for the rest has no task, or, in some releases, one all the same. */
	job->has_task =
		!*job->tasks && read_number(jval_get(json, "array_task_id"), &job->task);
	if (!strcmp(job->reason, "None"))
		*job->reason = '\0';
	return 0;
}

/* The list @key of a text that is one of Slurm's; its shape is known then. */
static int open_list(const char *text, size_t len, const char *key, struct jval **ret_top,
		     const struct jval **ret, struct err *err)
{
	struct err why = { 0 };
	int bad = jval_parse(text, len, ret_top, &why);

	*ret = NULL;
	if (bad)
		return err_set(err, bad, "Slurm's answer is no JSON: %s", why.text);
	bad = check_shape(*ret_top, err);
	if (bad)
		return bad;
	*ret = jval_get(*ret_top, key);
	return 0;
}

static int no_list(const char *key, struct err *err)
{
	return err_set(err, -EPROTO, "Slurm's answer has no list '%s'", key);
}

int slurm_queue_parse(const char *text, size_t len, struct slurm_queue *ret,
		      struct err *err)
{
	struct slurm_queue queue = { 0 };
	const struct jval *list;
	struct jval *top = NULL;
	int bad = open_list(text, len, "jobs", &top, &list, err);
	size_t i;

	*ret = (struct slurm_queue){ 0 };
	if (!bad && !jval_is_array(list))
		bad = no_list("jobs", err);
	if (!bad) {
		queue.jobs = calloc(jval_count(list) + 1, sizeof(*queue.jobs));
		bad = queue.jobs ? 0 : err_nomem(err);
	}
	for (i = 0; !bad && i < jval_count(list); i++)
		bad = read_job(jval_item(list, i), &queue.jobs[queue.nr_jobs++], err);
	jval_free(top);
	if (bad)
		slurm_queue_release(&queue);
	else
		*ret = queue;
	return bad;
}

void slurm_queue_release(struct slurm_queue *queue)
{
	size_t i;

	for (i = 0; i < queue->nr_jobs; i++) {
		free(queue->jobs[i].name);
		free(queue->jobs[i].reason);
		free(queue->jobs[i].tasks);
	}
	free(queue->jobs);
	*queue = (struct slurm_queue){ 0 };
}

/* "4-9" or "12", with a step behind ":" perhaps; @at moves behind it. */
static bool is_in_range(const char **at, uint64_t task)
{
	uint64_t first = 0;
	uint64_t last;

	while (isdigit((unsigned char)**at))
		first = first * 10 + (uint64_t)(*(*at)++ - '0');
	last = first;
	if (**at == '-') {
		(*at)++;
		for (last = 0; isdigit((unsigned char)**at); (*at)++)
			last = last * 10 + (uint64_t)(**at - '0');
	}
	return task >= first && task <= last;
}

bool slurm_job_has_task(const struct slurm_job *job, uint64_t task)
{
	const char *at = job->tasks;

	if (job->has_task)
		return job->task == task;
	if (strstr(at, "...") || !*at)
		return true;
	for (; *at && *at != '%'; at += *at == ',') {
		if (is_in_range(&at, task))
			return true;
		/* A step only leaves tasks out: none that is there is missed. */
		at += strcspn(at, ",%");
	}
	return false;
}

static int judge_node(struct slurm_node *node, const char *state, const char *flags)
{
	/* One that boots doesn't respond either. */
	static const char *const down[] = { "DOWN", "ERROR", "FUTURE", "FAIL", NULL };
	static const char *const drained[] = { "DRAIN", "DRAINED", "DRAINING", NULL };

	if (!node->name || !node->features || !node->active || !node->partitions ||
	    !node->reason || !state || !flags)
		return -ENOMEM;
	node->is_down = has_any(state, down) || has_any(flags, down);
	node->is_drained = has_any(state, drained) || has_any(flags, drained);
	return 0;
}

/* One entry of "nodes": up to 23.02, and of scontrol later. */
static int read_node(const struct jval *json, struct slurm_node *node, struct err *err)
{
	char *state = read_words(jval_get(json, "state"));
	char *flags = read_words(jval_get(json, "state_flags"));
	int bad;

	node->name = read_words(jval_get(json, "name"));
	node->features = read_words(jval_get(json, "features"));
	node->active = read_words(jval_get(json, "active_features"));
	node->partitions = read_words(jval_get(json, "partitions"));
	node->reason = read_words(jval_get(json, "reason"));
	bad = judge_node(node, state, flags) ? err_nomem(err) : 0;
	if (!bad && (!*node->name || !*state))
		bad = err_set(err, -EPROTO,
			      "a node has no 'name' or no 'state' (expected both)");
	free(state);
	free(flags);
	return bad;
}

/* The node @name of an entry of "sinfo", which stands for several that are alike. */
static int read_member(const struct jval *json, const char *name, struct slurm_node *node,
		       struct err *err)
{
	const struct jval *features = jval_get(json, "features");
	char *state = read_words(jval_get(jval_get(json, "node"), "state"));
	char *flags = strdup("");
	int bad;

	node->name = strdup(name);
	node->features = read_words(jval_get(features, "total"));
	node->active = read_words(jval_get(features, "active"));
	node->partitions = read_words(jval_get(jval_get(json, "partition"), "name"));
	node->reason = read_words(jval_get(jval_get(json, "reason"), "description"));
	bad = judge_node(node, state, flags) ? err_nomem(err) : 0;
	if (!bad && !*state)
		bad = err_set(err, -EPROTO, "node '%s' has no 'state'", name);
	free(state);
	free(flags);
	return bad;
}

static struct slurm_node *add_node(struct slurm_nodes *nodes, struct err *err)
{
	struct slurm_node *grown =
		reallocarray(nodes->nodes, nodes->nr_nodes + 1, sizeof(*grown));

	if (!grown) {
		(void)err_nomem(err);
		return NULL;
	}
	nodes->nodes = grown;
	grown[nodes->nr_nodes] = (struct slurm_node){ 0 };
	return &grown[nodes->nr_nodes++];
}

/* A group is of one partition, so a node of two is there twice. */
static int add_partition(struct slurm_node *node, const struct jval *group)
{
	const char *name = jval_get_text(jval_get(group, "partition"), "name");
	char *both;

	if (!name || asprintf(&both, "%s,%s", node->partitions, name) < 0)
		return name ? -ENOMEM : 0;
	free(node->partitions);
	node->partitions = both;
	return 0;
}

static int add_member(const struct jval *group, const char *name,
		      struct slurm_nodes *nodes, struct err *err)
{
	struct slurm_node *node;
	size_t i;

	for (i = 0; i < nodes->nr_nodes; i++)
		if (!strcmp(nodes->nodes[i].name, name))
			return add_partition(&nodes->nodes[i], group) ? err_nomem(err)
								      : 0;
	node = add_node(nodes, err);
	return node ? read_member(group, name, node, err) : err->code;
}

static int read_groups(const struct jval *list, struct slurm_nodes *nodes,
		       struct err *err)
{
	size_t i, j;

	for (i = 0; i < jval_count(list); i++) {
		const struct jval *group = jval_item(list, i);
		const struct jval *names = jval_get(jval_get(group, "nodes"), "nodes");

		for (j = 0; j < jval_count(names); j++) {
			const char *name = jval_text(jval_item(names, j));

			if (!name)
				return no_list("nodes", err);
			if (add_member(group, name, nodes, err))
				return err->code;
		}
	}
	return 0;
}

static int read_nodes(const struct jval *list, struct slurm_nodes *nodes, struct err *err)
{
	size_t i;

	for (i = 0; i < jval_count(list); i++) {
		struct slurm_node *node = add_node(nodes, err);

		if (!node || read_node(jval_item(list, i), node, err))
			return err->code;
	}
	return 0;
}

int slurm_nodes_parse(const char *text, size_t len, struct slurm_nodes *ret,
		      struct err *err)
{
	struct slurm_nodes nodes = { 0 };
	struct err local = { 0 };
	struct err *why = err ? err : &local;
	const struct jval *list;
	struct jval *top = NULL;
	int bad = open_list(text, len, "nodes", &top, &list, why);

	*ret = (struct slurm_nodes){ 0 };
	if (!bad && jval_is_array(list))
		bad = read_nodes(list, &nodes, why);
	else if (!bad && jval_is_array(jval_get(top, "sinfo")))
		bad = read_groups(jval_get(top, "sinfo"), &nodes, why);
	else if (!bad)
		bad = no_list("nodes", why);
	jval_free(top);
	if (bad)
		slurm_nodes_release(&nodes);
	else
		*ret = nodes;
	return bad;
}

void slurm_nodes_release(struct slurm_nodes *nodes)
{
	size_t i;

	for (i = 0; i < nodes->nr_nodes; i++) {
		free(nodes->nodes[i].name);
		free(nodes->nodes[i].features);
		free(nodes->nodes[i].active);
		free(nodes->nodes[i].partitions);
		free(nodes->nodes[i].reason);
	}
	free(nodes->nodes);
	*nodes = (struct slurm_nodes){ 0 };
}

const struct slurm_node *slurm_nodes_find(const struct slurm_nodes *nodes,
					  const char *name)
{
	size_t i;

	for (i = 0; i < nodes->nr_nodes; i++)
		if (!strcmp(nodes->nodes[i].name, name))
			return &nodes->nodes[i];
	return NULL;
}
