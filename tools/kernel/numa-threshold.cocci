// SPDX-License-Identifier: GPL-2.0-or-later
// file: kernel/sched/fair.c
// fork stays in its node as long as no more than imb_numa_nr tasks would run there,
// whatever the difference in idle CPUs: the rule before 5.18-rc.
@@
expression running, most;
@@
find_idlest_group(...)
{
<...
-imbalance = abs(...);
-if (!adjust_numa_imbalance(imbalance, running, most)) {
+if (running <= most) {
 return NULL;
 }
...>
}
