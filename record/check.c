// SPDX-License-Identifier: GPL-2.0-or-later
/* Records that no run can have left; see check.h. */
#include "record/check.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/err.h"
#include "record/ledger.h"
#include "record/record.h"

/* No run comes near these; what a reader adds 1 to must not overflow. */
static int check_numbers(const struct record *record, struct err *err)
{
	static const uint64_t seq_max = 1000000000000;
	const struct {
		const char *key;
		uint64_t value, most;
	} numbers[] = {
		{ "block", record->block, seq_max },
		{ "iteration", record->iteration, seq_max },
		{ "attempt", record->attempt, LEDGER_MAX_ATTEMPT },
		{ "seq", record->seq, seq_max },
	};
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i].value > numbers[i].most)
			return err_set(err, -EPROTO,
				       "record '%s': %s is %ju (expected at most %ju)",
				       record->id, numbers[i].key,
				       (uintmax_t)numbers[i].value,
				       (uintmax_t)numbers[i].most);
	return 0;
}

/* The number behind one of @letters; false when there is anything else. */
static bool read_part(const char *part, const char *letters, uint64_t *ret,
		      const char **ret_end)
{
	char *end;

	if (!*part || !strchr(letters, *part) || !isdigit((unsigned char)part[1]))
		return false;
	*ret = strtoull(part + 1, &end, 10);
	*ret_end = end;
	return true;
}

/* Ids of runs end in /i2/a1, or /w2/a1 for a warm-up; those of others may not. */
static int check_id(const struct record *record, struct err *err)
{
	const char *last = strrchr(record->id, '/');
	uint64_t attempt, iteration;
	const char *part = last;
	const char *end;

	while (part && part > record->id && part[-1] != '/')
		part--;
	if (!part || part == last || !read_part(part, "iw", &iteration, &end) ||
	    end != last || !read_part(last + 1, "a", &attempt, &end) || *end)
		return 0;
	/* 0: not told. */
	if ((!record->iteration || iteration == record->iteration) &&
	    (!record->attempt || attempt == record->attempt))
		return 0;
	return err_set(err, -EPROTO,
		       "record '%s' is of iteration %ju, attempt %ju (expected those of "
		       "its id)",
		       record->id, (uintmax_t)record->iteration,
		       (uintmax_t)record->attempt);
}

static unsigned int two_digits(const char *at)
{
	return (unsigned int)(10 * (at[0] - '0') + at[1] - '0');
}

/* As clock_date() writes it; other writers' dates need no fractions. */
static bool is_date(const char *text)
{
	static const char form[] = "0000-00-00T00:00:00";
	size_t i;

	for (i = 0; form[i]; i++)
		if (form[i] == '0' ? !isdigit((unsigned char)text[i])
				   : text[i] != form[i])
			return false;
	return two_digits(text + 5) >= 1 && two_digits(text + 5) <= 12 &&
	       two_digits(text + 8) >= 1 && two_digits(text + 8) <= 31 &&
	       two_digits(text + 11) <= 23 && two_digits(text + 14) <= 59 &&
	       two_digits(text + 17) <= 60;
}

static int check_start(const struct record *record, struct err *err)
{
	if (!record->start || is_date(record->start))
		return 0;
	return err_set(err, -EPROTO,
		       "record '%s': its start is '%.40s' (expected a date such as "
		       "2026-12-01T02:00:00.123Z)",
		       record->id, record->start);
}

/* Times, rates and counts; what others measured may be a difference. */
static int check_samples(const struct record *record, struct err *err)
{
	size_t i, j;

	if (!record->executor || (strcmp(record->executor, "local") != 0 &&
				  strcmp(record->executor, "guest") != 0 &&
				  strcmp(record->executor, "slurm") != 0))
		return 0;
	for (i = 0; i < record->nr_metrics; i++)
		for (j = 0; j < record->metrics[i].nr_samples; j++)
			if (record->metrics[i].samples[j] < 0.0)
				return err_set(err, -EPROTO,
					       "record '%s': a sample of '%s' is %g "
					       "(expected 0 or more)",
					       record->id, record->metrics[i].name,
					       record->metrics[i].samples[j]);
	return 0;
}

int record_check(const struct record *record, struct err *err)
{
	int bad = check_numbers(record, err);

	if (!bad)
		bad = check_id(record, err);
	if (!bad)
		bad = check_start(record, err);
	return bad ? bad : check_samples(record, err);
}
