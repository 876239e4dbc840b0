// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * PostgreSQL and MariaDB as services: private servers on a UNIX socket in the
 * service's directory, without any port, and with what they do by themselves
 * (vacuum, statistics, syncing what is thrown away anyhow) turned off.
 */
#include "benchmarks/sysbench/databases.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "benchmarks/native.h"
#include "benchmarks/service.h"
#include "benchmarks/sysbench/command.h"

/* The arguments below have BENCH_SERVICE_DIR written out: {service}. */

/* Connections that a server keeps beside those of the threads. */
enum { SPARE_CONNECTIONS = 10 };

static int add_all(struct bench_command *command, const char *const *args)
{
	int bad = 0;

	for (; !bad && *args; args++)
		bad = bench_arg(command, "%s", *args);
	return bad;
}

static uint64_t nr_connections(const struct workload *workload)
{
	return workload_uint(workload, "threads") + SPARE_CONNECTIONS;
}

static int plan_postgresql(const struct workload *workload,
			   enum bench_service_phase phase, unsigned int step,
			   struct bench_command *command)
{
	static const char *const init[] = {
		"initdb",    "-D",	    "{service}/data", "-U",
		"schedgrid", "-A",	    "trust",	      "-E",
		"UTF8",	     "--no-locale", "--no-sync",      "--no-clean",
		NULL,
	};
	static const char *const serve[] = {
		"postgres",
		"-D",
		"{service}/data",
		"-c",
		"listen_addresses=",
		"-c",
		"unix_socket_directories={service}",
		"-c",
		"dynamic_shared_memory_type=mmap",
		"-c",
		"autovacuum=off",
		"-c",
		"fsync=off",
		"-c",
		"full_page_writes=off",
		NULL,
	};
	static const char *const vacuum[] = {
		"vacuumdb", "-h",	 "{service}", "-U", "schedgrid",
		"-q",	    "--analyze", "postgres",  NULL,
	};
	int bad;

	switch (phase) {
	case BENCH_SERVICE_INIT:
		return step ? 0 : add_all(command, init);
	case BENCH_SERVICE_SERVE:
		bad = add_all(command, serve);
		if (!bad)
			bad = bench_arg(command, "-c");
		return bad ? bad
			   : bench_arg(command, "max_connections=%ju",
				       (uintmax_t)nr_connections(workload));
	case BENCH_SERVICE_LOAD:
		if (!step)
			return sysbench_command(workload, "prepare", command);
		return step > 1 ? 0 : add_all(command, vacuum);
	}
	return 0;
}

static int plan_mariadb(const struct workload *workload, enum bench_service_phase phase,
			unsigned int step, struct bench_command *command)
{
	static const char *const init[] = {
		"mariadb-install-db",
		"--no-defaults",
		"--datadir={service}/data",
		"--auth-root-authentication-method=normal",
		NULL,
	};
	static const char *const serve[] = {
		"mariadbd",
		"--no-defaults",
		"--datadir={service}/data",
		"--socket={service}/socket",
		"--pid-file={service}/pid",
		"--skip-networking",
		"--innodb-flush-log-at-trx-commit=0",
		"--innodb-doublewrite=0",
		NULL,
	};
	int bad;

	switch (phase) {
	case BENCH_SERVICE_INIT:
		return step ? 0 : add_all(command, init);
	case BENCH_SERVICE_SERVE:
		bad = add_all(command, serve);
		return bad ? bad
			   : bench_arg(command, "--max-connections=%ju",
				       (uintmax_t)nr_connections(workload));
	case BENCH_SERVICE_LOAD:
		return step ? 0 : sysbench_command(workload, "prepare", command);
	}
	return 0;
}

static const char *const postgresql_users[] = { "postgres", "nobody", NULL };
static const char *const mariadb_users[] = { "mysql", "nobody", NULL };
static const char *const version_args[] = { "--version", NULL };

/* In the order of the choice's words. */
static const struct bench_service services[] = {
	{
		.program = {
			.name = "postgresql",
			.command = "/usr/lib/postgresql/*/bin/postgres",
			.package = "postgresql",
			.version_args = version_args,
		},
		.users = postgresql_users,
		.socket = ".s.PGSQL.5432",
		.ready_file = "data/postmaster.pid",
		.ready_text = "ready",
		.room_bytes = 80 << 20,
		.reads_disk = true,
		.plan = plan_postgresql,
	},
	{
		.program = {
			.name = "mariadb",
			.command = "mariadbd",
			.package = "mariadb-server-core mariadb-client-core",
			.version_args = version_args,
		},
		.users = mariadb_users,
		.socket = "socket",
		.room_bytes = 160 << 20,
		.reads_disk = true,
		.plan = plan_mariadb,
	},
};

const struct bench_service *sysbench_service(const struct workload *workload)
{
	if (sysbench_test(workload) != SYSBENCH_OLTP)
		return NULL;
	/* The second of the choices. */
	return &services[workload->choice[1]];
}

int sysbench_add_database(const struct workload *workload, struct bench_command *command)
{
	static const char *const postgresql[] = {
		"--db-driver=pgsql",
		"--pgsql-host={service}",
		"--pgsql-user=schedgrid",
		"--pgsql-db=postgres",
		NULL,
	};
	static const char *const mariadb[] = {
		"--db-driver=mysql",
		"--mysql-socket={service}/socket",
		"--mysql-user=root",
		"--mysql-db=test",
		NULL,
	};
	static const char *const *const options[] = { postgresql, mariadb };

	return add_all(command, options[workload->choice[1]]);
}
