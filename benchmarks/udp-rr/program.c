// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The udp-rr workload: requests and responses as datagrams on the loopback
 * device, each pair of processes on two connected sockets of its own.
 *
 * Nobody sends a datagram again: one that is lost ends the run.
 */
#include <netinet/in.h>

#include "benchmarks/udp-rr/pairs.h"

static int open_at(struct sockaddr_in *address)
{
	socklen_t len = sizeof(*address);
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (fd < 0)
		return -1;
	if (!bind(fd, (struct sockaddr *)address, len) &&
	    !getsockname(fd, (struct sockaddr *)address, &len))
		return fd;
	close(fd);
	return -1;
}

static int join(int ends[2])
{
	struct sockaddr_in address[2];
	size_t i;

	for (i = 0; i < 2; i++) {
		address[i] = (struct sockaddr_in){
			.sin_family = AF_INET,
			.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		};
		ends[i] = open_at(&address[i]);
		if (ends[i] < 0)
			return -1;
	}
	for (i = 0; i < 2; i++) {
		if (connect(ends[i], (struct sockaddr *)&address[!i], sizeof(*address)))
			return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	static const struct rr_kind kind = {
		.name = "udp-rr",
		.patience_sec = 1,
		.join = join,
	};

	rr_main(&kind, argc, argv);
}
