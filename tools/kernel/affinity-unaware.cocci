// SPDX-License-Identifier: GPL-2.0-or-later
// file: kernel/sched/fair.c
// The threshold doesn't ask how many CPUs of the node the task may use.
@@
expression task;
@@
find_idlest_group(...)
{
<...
-if (task->nr_cpus_allowed != NR_CPUS) { ... }
...>
}
