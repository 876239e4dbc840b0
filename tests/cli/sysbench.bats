#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The sysbench workload in grids: what is planned and refused, without the program.

bats_require_minimum_version 1.5.0
load common

# A grid of one cell of sysbench: variant, parameters.
sysbench_grid() {
	cat > grid.yaml <<-YAML
	schema: schedgrid-grid-1
	name: sysbench
	executor: {type: local}
	repeat: {iterations: 1, warmup: 0}
	columns:
	  - name: only
	workloads:
	  - workload: sysbench
	    variant: {$1}
	    parameters: {$2}
	YAML
}

@test "the plan shows sysbench's command with what the test takes" {
	sysbench_grid "test: cpu" "threads: [1, 2], seconds: 3, max_prime: 25000"
	run -0 "$schedgrid" plan grid.yaml
	says "sysbench-cpu  threads=2"
	says "sysbench cpu --threads=2 --time=3 --events=0 --cpu-max-prime=25000 run"
	[[ "$output" != *service* ]]
}

@test "the plan shows every command of the database beside it" {
	sysbench_grid "test: oltp-read-only" "threads: 4, rows: 5000"
	run -0 "$schedgrid" plan grid.yaml
	says "sysbench-oltp-read-only  threads=4"
	says "service: initdb -D '{service}/data'"
	says "service: postgres -D '{service}/data' -c listen_addresses= "
	says "--table-size=5000 prepare"
	says "service: vacuumdb "
	sysbench_grid "test: oltp-read-only, database: mariadb" "threads: 4"
	run -0 "$schedgrid" plan grid.yaml
	says "sysbench-oltp-read-only-mariadb"
	says "service: mariadbd --no-defaults "
	says "--skip-networking"
}

@test "values that mean nothing to the test are refused where they stand" {
	sysbench_grid "test: mutex" "threads: 2, seconds: 3"
	run -2 "$schedgrid" plan grid.yaml
	says "grid.yaml:8:5: parameter 'seconds' has no meaning for test 'mutex'"
	sysbench_grid "test: cpu, database: mariadb" "threads: 2"
	run -2 "$schedgrid" plan grid.yaml
	says "database 'mariadb' goes with test 'oltp-read-only' only"
	sysbench_grid "test: cpus" "threads: 2"
	run -2 "$schedgrid" plan grid.yaml
	says "did you mean 'cpu'?"
}

@test "list names tests, databases and metrics" {
	run -0 "$schedgrid" list sysbench
	says "not judged: it is transactions, 14 times"
	says "oltp-read-only"
	says "mariadb"
	says "transactions"
	says "95th percentile"
}
