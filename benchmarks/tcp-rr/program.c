// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tcp-rr workload: requests and responses over TCP on the loopback device,
 * each pair of processes on a connection of its own.
 *
 * A connection is made through a listening socket that lives only that long,
 * on a port that the kernel picks, so runs never wait for each other's ports.
 */
#include <netinet/in.h>
#include <netinet/tcp.h>

#include "benchmarks/tcp-rr/pairs.h"

static int listen_at(struct sockaddr_in *address)
{
	socklen_t len = sizeof(*address);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0)
		return -1;
	if (!bind(fd, (struct sockaddr *)address, len) && !listen(fd, 1) &&
	    !getsockname(fd, (struct sockaddr *)address, &len))
		return fd;
	close(fd);
	return -1;
}

static int send_at_once(int fd)
{
	const int on = 1;

	return setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

/* Server's end, then client's; anybody else who found the port is sent away. */
static int accept_from(int listener, int client)
{
	struct sockaddr_in mine = { 0 }, theirs;
	socklen_t len = sizeof(mine);

	if (getsockname(client, (struct sockaddr *)&mine, &len))
		return -1;
	for (;;) {
		int fd;

		theirs = (struct sockaddr_in){ 0 };
		len = sizeof(theirs);
		fd = accept(listener, (struct sockaddr *)&theirs, &len);
		if (fd < 0 || (theirs.sin_port == mine.sin_port &&
			       theirs.sin_addr.s_addr == mine.sin_addr.s_addr))
			return fd;
		close(fd);
	}
}

static int join(int ends[2])
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int listener = listen_at(&address);

	if (listener < 0)
		return -1;
	ends[0] = -1;
	ends[1] = socket(AF_INET, SOCK_STREAM, 0);
	if (ends[1] >= 0 &&
	    !connect(ends[1], (struct sockaddr *)&address, sizeof(address)))
		ends[0] = accept_from(listener, ends[1]);
	if (ends[0] < 0 || send_at_once(ends[0]) || send_at_once(ends[1]))
		return -1;
	close(listener);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct rr_kind kind = {
		.name = "tcp-rr",
		.patience_sec = 10,
		.is_stream = true,
		.join = join,
	};

	rr_main(&kind, argc, argv);
}
