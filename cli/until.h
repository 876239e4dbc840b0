/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between a run that a precision ends and the verdicts that know how precise it is: the
 * runner asks between two blocks, and the ledger is judged as compare judges it. */
#ifndef CLI_UNTIL_H
#define CLI_UNTIL_H

#include "runner/until.h"

struct plan;

/**
 * struct until_scope - what is looked at
 * @plan: of the run
 * @only: pattern for select_cell(): rows in which it means a cell; NULL: all rows
 */
struct until_scope {
	const struct plan *plan;
	const char *only;
};

/** until_measure - the until_measure_fn of a struct until_scope */
int until_measure(const char *dir, void *data, struct until_width *ret, struct err *err);

#endif
