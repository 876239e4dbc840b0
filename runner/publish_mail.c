// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes mails; see publish_mail.h. */
#include "runner/publish_mail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runner/publish_target.h"
#include "runner/spool.h"

/* RFC 5322 wants English names, whatever the locale. */
static void put_date(FILE *out, uint64_t time_s, const char *eol)
{
	static const char days[7][4] = {
		"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"
	};
	static const char months[12][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
					    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
	time_t time = (time_t)time_s;
	struct tm utc;

	if (gmtime_r(&time, &utc))
		(void)fprintf(out, "Date: %s, %d %s %d %02d:%02d:%02d +0000%s",
			      days[utc.tm_wday], utc.tm_mday, months[utc.tm_mon],
			      utc.tm_year + 1900, utc.tm_hour, utc.tm_min, utc.tm_sec,
			      eol);
}

static void put_headers(FILE *out, const struct spool_entry *entry,
			const struct publish_target *target, const char *eol)
{
	put_date(out, entry->created_s, eol);
	(void)fprintf(out, "From: %s%s", target->from, eol);
	(void)fprintf(out, "To: %s%s", target->to, eol);
	(void)fprintf(out, "Message-ID: <%s@schedgrid.invalid>%s", entry->id, eol);
}

char *publish_mail(const struct spool_entry *entry, const struct publish_target *target,
		   const char *text, const char *eol)
{
	char *mail = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&mail, &len);

	if (!out)
		return NULL;
	put_headers(out, entry, target, eol);
	while (*text) {
		size_t line = strcspn(text, "\n");

		(void)fwrite(text, 1, line, out);
		(void)fputs(eol, out);
		text += line + (text[line] == '\n');
	}
	if (!fclose(out))
		return mail;
	free(mail);
	return NULL;
}
