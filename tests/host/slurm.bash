# SPDX-License-Identifier: GPL-2.0-or-later
# A Slurm of two nodes, n1 and n2, on this machine's loopback, as whoever runs the test,
# below $cluster. The nodes' kernels are directories: a boot moves a node to another.

kernel_a=6.1.0-a
kernel_b=6.2.0-b
build_a=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
build_b=bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb

# Writes the /proc and /sys of kernel $2 with build id $3 for the node $1.
write_kernel() {
	local root=$cluster/kernels/$1-$2
	mkdir -p "$root/proc/sys/kernel/random" "$root/sys/kernel"
	echo "$1" > "$root/proc/sys/kernel/hostname"
	echo "$2" > "$root/proc/sys/kernel/osrelease"
	echo "#1 SMP" > "$root/proc/sys/kernel/version"
	# An ELF note: sizes of name and contents, the type, and both.
	printf '%b' '\4\0\0\0\x14\0\0\0\3\0\0\0GNU\0' > "$root/sys/kernel/notes"
	bytes_of "$3" >> "$root/sys/kernel/notes"
}

# The bytes that the hexadecimal digits $1 stand for.
bytes_of() {
	local at
	for ((at = 0; at < ${#1}; at += 2)); do
		printf '%b' "\\x${1:at:2}"
	done
}

# Starts kernel $2 on node $1: a boot has an id of its own.
boot_kernel() {
	cat /proc/sys/kernel/random/uuid > "$cluster/kernels/$1-$2/proc/sys/kernel/random/boot_id"
	ln -sfn "$1-$2" "$cluster/kernels/running-$1"
}

write_scripts() {
	local tools=${SCHEDGRID_SOURCE:-$BATS_TEST_DIRNAME/../..}/configs/slurm
	cat > "$cluster/helper" <<-SH
	#!/bin/sh
	[ \$# -eq 0 ] || { echo "\$1" > "$cluster/next-\$GRID_NODE"; exit 0; }
	SCHEDGRID_ROOT=$cluster/kernels/running-\$GRID_NODE exec $tools/feature
	SH
	cat > "$cluster/prolog" <<-SH
	#!/bin/sh
	SCHEDGRID_ROOT=$cluster/kernels/running-\$SLURMD_NODENAME exec $tools/prolog
	SH
	# A boot: what the helper chose takes the place of what runs, unless it is broken.
	cat > "$cluster/reboot" <<-SH
	#!/bin/bash
	exec > /dev/null 2>&1 < /dev/null
	setsid "$cluster/boot" &
	SH
	cat > "$cluster/boot" <<-SH
	#!/bin/bash
	cluster=$cluster
	$(declare -f boot_kernel)
	pid=\$(cat "\$cluster/run/slurmd.\$GRID_NODE.pid")
	kill -TERM "\$pid"
	while [ -d "/proc/\$pid" ] && ! grep -q '^State:.Z' "/proc/\$pid/status"; do sleep 0.05; done
	for release in $kernel_a $kernel_b; do
		[ "\$($tools/feature \$release)" = "\$(cat "\$cluster/next-\$GRID_NODE")" ] || continue
		[ -e "\$cluster/broken-\$GRID_NODE-\$release" ] && release=$kernel_a
		boot_kernel "\$GRID_NODE" "\$release"
	done
	exec slurmd -N "\$GRID_NODE" -b
	SH
	# The nodes' schedgrid: it finds the kernel where the node has it.
	# shellcheck disable=SC2154 # of common.bash
	cat > "$cluster/schedgrid" <<-SH
	#!/bin/sh
	exec "$schedgrid" "\$@" --root "$cluster/kernels/running-\$SLURMD_NODENAME"
	SH
	chmod +x "$cluster"/{helper,prolog,reboot,boot,schedgrid}
}

# $1: the first of three ports
write_config() {
	local user host cpus features
	user=$(id -un)
	host=$(hostname -s)
	cpus=$(nproc)
	features=k6.1.0_a,k6.2.0_b
	mkdir -p "$cluster"/{etc,munge,state,run,log}
	cat > "$cluster/etc/slurm.conf" <<-CONF
	ClusterName=schedgrid
	SlurmctldHost=$host(127.0.0.1)
	SlurmctldPort=$1
	SlurmUser=$user
	SlurmdUser=$user
	AuthType=auth/munge
	AuthInfo=socket=$cluster/munge/sock,cred_expire=5
	CredType=cred/munge
	StateSaveLocation=$cluster/state
	SlurmdSpoolDir=$cluster/spool.%n
	SlurmctldPidFile=$cluster/run/slurmctld.pid
	SlurmdPidFile=$cluster/run/slurmd.%n.pid
	SlurmctldLogFile=$cluster/log/slurmctld.log
	SlurmdLogFile=$cluster/log/slurmd.%n.log
	MailProg=/bin/true
	ProctrackType=proctrack/linuxproc
	TaskPlugin=task/none
	JobAcctGatherType=jobacct_gather/none
	AccountingStorageType=accounting_storage/none
	JobCompType=jobcomp/none
	SelectType=select/cons_tres
	SelectTypeParameters=CR_CPU
	SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0,sched_min_interval=0,nohold_on_prolog_fail
	MpiDefault=none
	ReturnToService=2
	SlurmctldTimeout=10
	SlurmdTimeout=5
	KillWait=1
	MinJobAge=600
	ResumeTimeout=20
	RequeueExit=75
	Prolog=$cluster/prolog
	PrologFlags=Alloc
	RebootProgram=$cluster/reboot
	NodeFeaturesPlugins=node_features/helpers
	NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$(($1 + 1)) CPUs=$cpus Feature=$features
	NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$(($1 + 2)) CPUs=$cpus Feature=$features
	PartitionName=bench Nodes=n1,n2 Default=YES MaxTime=60 State=UP OverSubscribe=EXCLUSIVE
	CONF
	cat > "$cluster/etc/helpers.conf" <<-CONF
	Feature=k6.1.0_a Helper=$cluster/helper
	Feature=k6.2.0_b Helper=$cluster/helper
	MutuallyExclusive=$features
	BootTime=20
	ExecTime=5
	CONF
}

start_munged() {
	(umask 077 && head -c 1024 /dev/urandom > "$cluster/munge/key")
	chmod 711 "$cluster/munge"
	munged --key-file="$cluster/munge/key" --socket="$cluster/munge/sock" \
		--pid-file="$cluster/munge/pid" --log-file="$cluster/munge/log" \
		--seed-file="$cluster/munge/seed" 3>&-
}

# $1: name of the node
start_slurmd() {
	GRID_NODE=$1 slurmd -N "$1" 3>&-
}

# Waits until the shell command $2 succeeds; $1 seconds at most.
wait_until() {
	local end=$((SECONDS + $1))
	until eval "$2"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.1
	done
}

are_idle() {
	[ "$(sinfo -h -N -o '%T' 2> /dev/null | sort | uniq -c | tr -d ' \n')" = 2idle ]
}

# Starts it all below a new directory, $cluster.
start_cluster() {
	local port
	cluster=$(mktemp -d /tmp/schedgrid-slurm-XXXXXX)
	chmod 711 "$cluster"
	export cluster SLURM_CONF=$cluster/etc/slurm.conf
	port=$((20000 + RANDOM % 10000))
	write_config "$port"
	write_scripts
	for node in n1 n2; do
		write_kernel $node $kernel_a $build_a
		write_kernel $node $kernel_b $build_b
		boot_kernel $node $kernel_a
	done
	start_munged
	slurmctld 3>&-
	start_slurmd n1
	start_slurmd n2
	wait_until 20 are_idle
}

# What belongs to the cluster and works: a process that nobody reaps doesn't.
cluster_pids() {
	local pid
	for pid in $(grep -laFz -e "$cluster" /proc/[0-9]*/environ 2> /dev/null | cut -d / -f 3) \
		$(cat "$cluster"/run/*.pid "$cluster/munge/pid" 2> /dev/null); do
		[ "$pid" -ne $$ ] && [ "$pid" -ne "$BASHPID" ] &&
			grep -qsE '^(slurm|munged)' "/proc/$pid/comm" &&
			! grep -qs '^State:.Z' "/proc/$pid/status" && echo "$pid"
	done | sort -u
}

# Ends all of it, whatever state it is in, and removes its directory.
stop_cluster() {
	local pid pids
	[ -n "${cluster:-}" ] || return 0
	pids=$(cluster_pids)
	timeout 5 scancel -u "$(id -un)" 2> /dev/null || true
	timeout 5 scontrol shutdown > /dev/null 2>&1 || true
	wait_until 5 '[ -z "$(cluster_pids | grep -vxF -e "$(cat "$cluster/munge/pid" 2> /dev/null)")" ]' || true
	for pid in $pids $(cluster_pids); do
		kill -KILL "$pid" 2> /dev/null || true
	done
	wait_until 5 '[ -z "$(cluster_pids)" ]'
	rm -rf "$cluster"
}

# A node that loses its power: its daemon, and all that it had started.
crash_node() {
	local pid node=$1
	pid=$(cat "$cluster/run/slurmd.$node.pid")
	kill -KILL "$pid"
	while read -r pid; do
		grep -qsFz -e "$cluster" "/proc/$pid/environ" && kill -KILL "$pid" 2> /dev/null
	done < <(grep -laFz -e "SLURMD_NODENAME=$node" /proc/[0-9]*/environ 2> /dev/null | cut -d / -f 3)
	for pid in $(pgrep -x slurmstepd); do
		grep -qsFz -e "GRID_NODE=$node" "/proc/$pid/environ" && kill -KILL "$pid" 2> /dev/null
	done
	return 0
}

# Writes grid.yaml for the cluster: $1 nodes, $2 scripts of the null workload, $3 kernels
# (a, b or both), $4 repeat.
slurm_grid() {
	local kernel release build
	cat > grid.yaml <<-YAML
	schema: schedgrid-grid-1
	name: cluster
	executor: {type: slurm, nodes: [$1], program: $cluster/schedgrid}
	repeat: ${4:-{iterations: 2, warmup: 0\}}
	columns:
	YAML
	for kernel in $3; do
		release=kernel_$kernel build=build_$kernel
		cat >> grid.yaml <<-YAML
		  - name: $kernel
		    kernel: {release: ${!release}, build_id: "${!build}"}
		YAML
	done
	cat >> grid.yaml <<-YAML
	workloads:
	  - workload: "null"
	    parameters: {script: [$2]}
	YAML
}
