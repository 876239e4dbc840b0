// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tbench's packets and its own load, to the byte: whoever counts otherwise
 * measures something else. And whose programs take part in a run.
 */
#include "tests/unit/fixture.h"

#include "benchmarks/tbench/load.h"
#include "runner/program.h"

static int read_text(const char *text, unsigned int client, struct wire_request *request)
{
	char line[WIRE_LINE];

	(void)snprintf(line, sizeof(line), "%s", text);
	*request = (struct wire_request){ 0 };
	return wire_read(line, client, request);
}

static void each_operation_has_its_lengths(void **state)
{
	static const struct {
		const char *line;
		uint32_t send, reply, payload;
	} cases[] = {
		/* "./clients" has 9 bytes, "./clients/client0" has 17. */
		{ "Mkdir \"\\clients\" NT_STATUS_OK\n", 61, 39, 0 },
		{ "NTCreateX \"\\clients\\client1\" 0x1 0x2 7 0x0", 108, 87, 0 },
		{ "Close 7 NT_STATUS_OK", 47, 39, 0 },
		{ "Rename \"\\clients\" \"\\clients\\client1\" NT_STATUS_OK", 99, 39, 0 },
		{ "Unlink \"\\clients\\client1\" 0x6 NT_STATUS_OK", 77, 39, 0 },
		{ "Rmdir \"\\clients\" NT_STATUS_OK", 61, 39, 0 },
		{ "QUERY_PATH_INFORMATION \"\\clients\" 9 NT_STATUS_OK", 73, 71, 0 },
		{ "QUERY_FILE_INFORMATION 7 258 NT_STATUS_OK", 59, 71, 0 },
		{ "QUERY_FS_INFORMATION 259 NT_STATUS_OK", 59, 71, 0 },
		{ "SET_FILE_INFORMATION 7 258 NT_STATUS_OK", 71, 47, 0 },
		{ "FIND_FIRST \"\\clients\" 260 1366 0 NT_STATUS_OK", 77, 39, 0 },
		{ "FIND_FIRST \"\\clients\" 260 1366 11 NT_STATUS_OK", 77, 1029, 0 },
		{ "WriteX 7 65534 1 1 NT_STATUS_OK", 60, 55, 1 },
		{ "WriteX 7 0 65536 65536 NT_STATUS_OK", 65595, 55, 65536 },
		{ "ReadX 7 0 4096 4000 NT_STATUS_OK", 59, 4059, 4000 },
		{ "LockX 7 0 1 NT_STATUS_OK", 51, 39, 0 },
		{ "UnlockX 7 0 1 NT_STATUS_OK", 51, 39, 0 },
		{ "Flush 7 NT_STATUS_OK", 41, 39, 0 },
		{ "12.5 Flush 7 NT_STATUS_OK", 41, 39, 0 },
		{ "Unlink \"\\a b\" 0x6 NT_STATUS_OK", 53, 39, 0 },
	};
	struct wire_request request;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (read_text(cases[i].line, 0, &request) != 1)
			fail_msg("no packet: %s", cases[i].line);
		assert_int_equal(request.send, cases[i].send);
		assert_int_equal(request.reply, cases[i].reply);
		assert_int_equal(request.payload, cases[i].payload);
	}
}

static void a_client_has_a_folder_of_its_own(void **state)
{
	static const char line[] =
		"Unlink \"\\clients\\client1\\client1x\" 0x6 NT_STATUS_OK";
	struct wire_request request;

	(void)state;
	assert_int_equal(read_text(line, 7, &request), 1);
	assert_int_equal(request.send, 43 + 2 * strlen("./clients/client7/client7x"));
	assert_int_equal(read_text(line, 123, &request), 1);
	assert_int_equal(request.send, 43 + 2 * strlen("./clients/client123/client123x"));
}

static void some_lines_have_no_packet(void **state)
{
	static const char *const lines[] = {
		"",
		"\n",
		"# Close 7 NT_STATUS_OK\n",
		"Deltree \"\\clients\\client1\" NT_STATUS_OK\n",
	};
	struct wire_request request;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		assert_int_equal(read_text(lines[i], 0, &request), 0);
}

static void what_is_no_operation_is_refused(void **state)
{
	static const char *const lines[] = {
		"Open 7 NT_STATUS_OK",
		"Close 7",
		"Close",
		"12",
		"WriteX 7 0 NT_STATUS_OK",
		"WriteX 7 0 -1 1 NT_STATUS_OK",
		"WriteX 7 0 69999 69999 NT_STATUS_OK",
		"ReadX 7 0 4096 9x NT_STATUS_OK",
		"FIND_FIRST \"\\clients\" 260 1366 4096 NT_STATUS_OK",
		"Rename \"\\clients\" NT_STATUS_OK",
		"Close 1 2 3 4 5 6 7 8 9 NT_STATUS_OK",
	};
	struct wire_request request;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (read_text(lines[i], 0, &request) != -1)
			fail_msg("not refused: %s", lines[i]);
	}
}

static void lengths_are_big_endian(void **state)
{
	unsigned char bytes[WIRE_WORD];

	(void)state;
	wire_put(bytes, 0x01020304);
	assert_int_equal(bytes[0], 1);
	assert_int_equal(bytes[3], 4);
	assert_int_equal(wire_get(bytes), 0x01020304);
}

static FILE *open_synthetic(struct load *load)
{
	FILE *file;

	if (load_prepare(load, tbench_load_at(0)))
		fail_msg("%s", load->reason);
	file = fopen(load->path, "r");
	assert_non_null(file);
	return file;
}

static void synthetic_load_comes_to_the_same_everywhere(void **state)
{
	static const uint32_t first[] = { 59, 156, 135, 47, 65595, 59, 115, 156 };
	struct wire_request request;
	char line[WIRE_LINE];
	struct load load;
	FILE *file = open_synthetic(&load);
	size_t i;

	(void)state;
	assert_int_equal(load.packets, 10002);
	assert_int_equal(load.payload, 54270063);
	for (i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
		assert_non_null(fgets(line, sizeof(line), file));
		assert_int_equal(wire_read(line, 0, &request), 1);
		assert_int_equal(request.send, first[i]);
	}
	(void)fclose(file);
}

/* Bytes a packet as in dbench's load, 5428.4, and its share of reads, 59.2 %. */
static void synthetic_load_is_like_dbenchs(void **state)
{
	struct wire_request request;
	char line[WIRE_LINE];
	struct load load;
	FILE *file = open_synthetic(&load);
	double read = 0;
	int nr_reads = 0;

	(void)state;
	while (fgets(line, sizeof(line), file)) {
		bool is_read = !strncmp(line, "ReadX ", 6);

		assert_int_equal(wire_read(line, 0, &request), 1);
		read += is_read ? request.payload : 0;
		nr_reads += is_read;
	}
	(void)fclose(file);
	assert_int_equal(nr_reads, 2710);
	assert_in_range(load.payload * 10 / load.packets, 54284 - 250, 54284 + 250);
	assert_in_range((uint64_t)(read * 1000 / (double)load.payload), 585, 598);
}

static void a_load_that_is_not_what_its_name_says_is_refused(void **state)
{
	const struct tbench_load longer = { "synthetic", 0, 0, 10003, 54270063 };
	struct load load;

	(void)state;
	assert_int_equal(load_prepare(&load, &longer), -1);
	assert_non_null(strstr(load.reason, "has 10002 packets with 54270063 bytes"));
	assert_non_null(strstr(load.reason, "expected 10003"));
}

/* What a program starts is a part of it: another build of it is another program. */
static void programs_that_are_started_are_identified(void **state)
{
	static const struct bench_program parts[] = {
		{ .name = "toys", .command = "sh", .package = "dash" },
		{ .name = "toys", .command = "no-such-program", .package = "none" },
		{ 0 },
	};
	const struct bench_program with = { .name = "toys", .starts = parts };
	struct workload workload;
	struct program alone, both;
	struct err err = { 0 };

	(void)state;
	workload_init(&workload, bench_find("tbench"));
	assert_int_equal(program_find(&workload, ".", &alone, &err), 0);
	workload.program = &with;
	assert_int_equal(program_find(&workload, ".", &both, &err), 0);
	assert_string_equal(alone.path, both.path);
	assert_string_not_equal(alone.sha256, both.sha256);
	assert_int_equal(strlen(both.sha256), strlen(alone.sha256));
	assert_non_null(strstr(both.version, ", sh"));
	assert_null(strstr(both.version, "no-such"));
	program_release(&alone);
	program_release(&both);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_operation_has_its_lengths),
		cmocka_unit_test(a_client_has_a_folder_of_its_own),
		cmocka_unit_test(some_lines_have_no_packet),
		cmocka_unit_test(what_is_no_operation_is_refused),
		cmocka_unit_test(lengths_are_big_endian),
		cmocka_unit_test(synthetic_load_comes_to_the_same_everywhere),
		cmocka_unit_test(synthetic_load_is_like_dbenchs),
		cmocka_unit_test(a_load_that_is_not_what_its_name_says_is_refused),
		cmocka_unit_test(programs_that_are_started_are_identified),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
