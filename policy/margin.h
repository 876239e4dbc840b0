/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much two loads must differ to count as different, from a level's imbalance_pct. */
#ifndef POLICY_MARGIN_H
#define POLICY_MARGIN_H

#include <stdint.h>

/** margin_percent - half of what imbalance_pct exceeds 100 by, on top of 100: 117 -> 108 */
static inline uint64_t margin_percent(int imbalance_pct)
{
	return 100 + (uint64_t)(imbalance_pct - 100) / 2;
}

/** margin_absolute - that excess as a share of one task's load: 117 -> 174 of 1024 */
static inline uint64_t margin_absolute(int imbalance_pct)
{
	return 1024 * (uint64_t)(imbalance_pct - 100) / 100;
}

#endif
