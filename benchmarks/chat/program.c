// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The chat workload: users in rooms take turns to speak over TCP on the
 * loopback device, and all others in the room hear each word.
 *
 * One process is the server, another has all users; a user is a connection with
 * two threads at either end. This process only waits for the two and prints the
 * result, so that nothing else runs beside them. Nobody's end goes unnoticed: a
 * process that dies closes its connections, and where no message comes any more
 * the client's watchdog says how many came.
 */
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "benchmarks/chat/client.h"
#include "benchmarks/chat/limits.h"
#include "benchmarks/chat/server.h"
#include "benchmarks/program.h"

static const char *const side_names[CHAT_NR_SIDES] = { "server", "client" };

static int listen_somewhere(struct chat *chat)
{
	socklen_t len = sizeof(chat->address);
	struct sockaddr *address = (struct sockaddr *)&chat->address;

	chat->address = (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	chat->listener = socket(AF_INET, SOCK_STREAM, 0);
	if (chat->listener < 0 || bind(chat->listener, address, len) ||
	    listen(chat->listener, SOMAXCONN) ||
	    getsockname(chat->listener, address, &len))
		return program_complain("chat", "cannot listen on the loopback device",
					errno);
	return 0;
}

static pid_t start_side(struct chat *chat, int side, pid_t parent)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	program_follow(parent);
	chat->fault.reason = chat->shared->reason[side];
	if (side == CHAT_SERVER)
		run_server(chat);
	else
		run_client(chat);
	pthread_attr_destroy(&chat->attr);
	exit(0);
}

static void end_sides(const pid_t pids[CHAT_NR_SIDES])
{
	int i;

	for (i = 0; i < CHAT_NR_SIDES; i++) {
		if (pids[i] > 0 && !kill(pids[i], SIGKILL))
			(void)waitpid(pids[i], NULL, 0);
	}
}

static int report(const struct chat *chat, int side, int status)
{
	if (WIFSIGNALED(status))
		fprintf(stderr, "chat: the %s was killed by signal %d (%s)\n",
			side_names[side], WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		fprintf(stderr, "chat: the %s failed: %s\n", side_names[side],
			chat->shared->reason[side]);
	return -1;
}

static bool lost_partner(int status)
{
	return WIFEXITED(status) && WEXITSTATUS(status) == PROGRAM_ENDED_EARLY;
}

/*
 * One has failed; the one whose partner ended early is not the cause, if the
 * partner failed as well.
 */
static int settle(const struct chat *chat, pid_t pids[CHAT_NR_SIDES], int side,
		  int status)
{
	int other = 0;
	int partner = !side;

	pids[side] = 0;
	if (lost_partner(status) && pids[partner]) {
		alarm((unsigned int)chat->patience_sec);
		if (waitpid(pids[partner], &other, 0) == pids[partner])
			pids[partner] = 0;
	}
	end_sides(pids);
	if (other && !lost_partner(other))
		return report(chat, partner, other);
	return report(chat, side, status);
}

static void nothing(int sig)
{
	(void)sig;
}

/* The client ends first; then the server has no reason to go on. */
static int await_sides(const struct chat *chat, pid_t pids[CHAT_NR_SIDES])
{
	const struct sigaction late = { .sa_handler = nothing };

	sigaction(SIGALRM, &late, NULL);
	while (pids[CHAT_SERVER] || pids[CHAT_CLIENT]) {
		int status;
		pid_t pid = waitpid(-1, &status, 0);
		int side = pid == pids[CHAT_CLIENT];

		if (pid < 0) {
			end_sides(pids);
			fprintf(stderr, "chat: the %s did not end with the other side\n",
				side_names[!pids[CHAT_SERVER]]);
			return -1;
		}
		if (pid != pids[side])
			continue;
		if (status)
			return settle(chat, pids, side, status);
		pids[side] = 0;
		alarm((unsigned int)chat->patience_sec);
	}
	return 0;
}

static int run(struct chat *chat)
{
	pid_t pids[CHAT_NR_SIDES] = { 0 };
	pid_t parent = getpid();
	int side;

	/* Whatever we were started with: children are waited for and end when told. */
	signal(SIGCHLD, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	if (listen_somewhere(chat))
		return -1;
	for (side = 0; side < CHAT_NR_SIDES; side++) {
		pids[side] = start_side(chat, side, parent);
		if (pids[side] < 0) {
			program_complain("chat", "cannot fork", errno);
			end_sides(pids);
			return -1;
		}
	}
	close(chat->listener);
	return await_sides(chat, pids);
}

static int print_result(const struct chat *chat)
{
	const struct chat_shared *shared = chat->shared;
	uint64_t sent = chat->nr_all * chat->messages;
	uint64_t received = sent * (chat->users - 1);
	uint64_t ns = shared->end_ns - shared->start_ns;

	if (shared->nr_sent != sent || shared->nr_received != received ||
	    shared->nr_relayed != received) {
		fprintf(stderr,
			"chat: sent %ju of %ju messages, relayed %ju, received %ju of %ju\n",
			(uintmax_t)shared->nr_sent, (uintmax_t)sent,
			(uintmax_t)shared->nr_relayed, (uintmax_t)shared->nr_received,
			(uintmax_t)received);
		return -1;
	}
	printf("{\"program\":\"chat\",\"rooms\":%ju,\"users\":%ju,\"messages\":%ju,"
	       "\"sent\":%ju,\"relayed\":%ju,\"received\":%ju,\"yields\":%ju,"
	       "\"metrics\":{\"rate\":%.3f,\"time\":%.9f}}\n",
	       (uintmax_t)chat->rooms, (uintmax_t)chat->users, (uintmax_t)chat->messages,
	       (uintmax_t)shared->nr_sent, (uintmax_t)shared->nr_relayed,
	       (uintmax_t)shared->nr_received,
	       (uintmax_t)(shared->nr_yields[CHAT_SERVER] +
			   shared->nr_yields[CHAT_CLIENT]),
	       (double)(sent + received) * 1e9 / (double)ns, (double)ns / 1e9);
	return program_flush("chat");
}

static int read_options(struct chat *chat, int argc, char **argv)
{
	int i;

	if (argc < 4 || program_number(argv[1], "rooms", CHAT_MAX_ROOMS, &chat->rooms) ||
	    program_number(argv[2], "users", CHAT_MAX_USERS, &chat->users) ||
	    program_number(argv[3], "messages", CHAT_MAX_MESSAGES, &chat->messages) ||
	    chat->users < CHAT_MIN_USERS)
		return -1;
	for (i = 4; i < argc; i++) {
		if (program_number(argv[i], "patience", 3600, &chat->patience_sec) &&
		    program_number(argv[i], "lose", UINT32_MAX, &chat->lose))
			return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct chat chat = { .patience_sec = 10, .fault = { ATOMIC_FLAG_INIT, NULL } };
	int code;

	if (read_options(&chat, argc, argv)) {
		fprintf(stderr,
			"chat: expected --rooms=N --users=N --messages=N, in this order, "
			"at least %d users;\n"
			"to test what becomes of a lost message: [--patience=SECONDS] "
			"[--lose=NUMBER]\n",
			CHAT_MIN_USERS);
		return 2;
	}
	chat.nr_all = chat.rooms * chat.users;
	chat.shared = mmap(NULL, sizeof(*chat.shared), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (chat.shared == MAP_FAILED) {
		program_complain("chat", "cannot share memory", errno);
		return 1;
	}
	pthread_attr_init(&chat.attr);
	pthread_attr_setstacksize(&chat.attr, CHAT_STACK_BYTES);
	code = run(&chat);
	if (!code)
		code = print_result(&chat);
	pthread_attr_destroy(&chat.attr);
	(void)munmap(chat.shared, sizeof(*chat.shared));
	return code ? 1 : 0;
}
