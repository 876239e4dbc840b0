// SPDX-License-Identifier: GPL-2.0-or-later
/* See pelt.h. */
#include "policy/pelt.h"

enum { HALF_LIFE = 32, GONE = 63 * HALF_LIFE };

uint32_t pelt_factor(unsigned int n)
{
	static const uint32_t factors[HALF_LIFE] = {
		0xffffffff, 0xfa83b2da, 0xf5257d14, 0xefe4b99a, 0xeac0c6e6, 0xe5b906e6,
		0xe0ccdeeb, 0xdbfbb796, 0xd744fcc9, 0xd2a81d91, 0xce248c14, 0xc9b9bd85,
		0xc5672a10, 0xc12c4cc9, 0xbd08a39e, 0xb8fbaf46, 0xb504f333, 0xb123f581,
		0xad583ee9, 0xa9a15ab4, 0xa5fed6a9, 0xa2704302, 0x9ef5325f, 0x9b8d39b9,
		0x9837f050, 0x94f4efa8, 0x91c3d373, 0x8ea4398a, 0x8b95c1e3, 0x88980e80,
		0x85aac367, 0x82cd8698,
	};

	return factors[n % HALF_LIFE];
}

uint64_t pelt_decay(uint64_t value, uint64_t periods)
{
	if (periods > GONE)
		return 0;
	value >>= periods / HALF_LIFE;
	return (uint64_t)((unsigned __int128)value * pelt_factor(periods % HALF_LIFE) >>
			  32);
}

/* What an active stretch adds: rest of the old period, whole periods, part of the new. */
static uint64_t contribution(uint64_t periods, uint64_t first, uint64_t last)
{
	uint64_t whole = PELT_MAX - pelt_decay(PELT_MAX, periods) - PELT_PERIOD;

	return pelt_decay(first, periods) + whole + last;
}

bool pelt_advance(struct pelt *signal, uint64_t delta_us, unsigned int times)
{
	uint64_t passed = signal->contrib + delta_us;
	uint64_t periods = passed / PELT_PERIOD;
	uint64_t added = delta_us;

	if (periods) {
		signal->sum = pelt_decay(signal->sum, periods);
		added = contribution(periods, PELT_PERIOD - signal->contrib,
				     passed % PELT_PERIOD);
	}
	signal->contrib = (unsigned int)(passed % PELT_PERIOD);
	signal->sum += added * times;
	if (periods)
		signal->avg =
			signal->sum * 1024 / (PELT_MAX - PELT_PERIOD + signal->contrib);
	return periods;
}

uint64_t pelt_new_task_util(uint64_t util, uint64_t load, uint64_t weight)
{
	uint64_t most = util < 1024 ? (1024 - util) / 2 : 0;
	uint64_t share = util * weight / (load + 1);

	return util && share < most ? share : most;
}
