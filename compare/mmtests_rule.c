// SPDX-License-Identifier: GPL-2.0-or-later
/* Distances in the units of mmtests; see mmtests_rule.h. */
#include "compare/mmtests_rule.h"

#include <math.h>

#include "compare/table.h"

static double over(double difference, double unit)
{
	return unit == 0.0 ? difference : difference / unit;
}

static double difference_of(const struct table_row *row, size_t column,
			    enum view_statistic mean)
{
	return view_value(&row->cells[column], mean) - view_value(&row->cells[0], mean);
}

double mmtests_distance(const struct table_row *row, size_t column,
			enum view_statistic mean)
{
	const double normal_975 = 1.959963984540054;
	enum view_statistic spread = view_spread(mean);
	double base = normal_975 * view_value(&row->cells[0], spread);
	double other = normal_975 * view_value(&row->cells[column], spread);

	return over(difference_of(row, column, mean), base + other);
}

double mmtests_sigmas(const struct table_row *row, size_t column,
		      enum view_statistic mean)
{
	double base = view_value(&row->cells[0], VIEW_STDDEV_N);
	double other = view_value(&row->cells[column], VIEW_STDDEV_N);

	return over(difference_of(row, column, mean),
		    sqrt((base * base + other * other) / 2.0));
}
