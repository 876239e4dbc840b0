// SPDX-License-Identifier: GPL-2.0-or-later
// file: arch/x86/kernel/smpboot.c
// QEMU's -icount gives one CPU the whole time until the next timer unless it executes a
// PAUSE: the CPU that boots the others waits for them in a loop without one.
@@
@@
do_boot_cpu(...)
{
<...
 schedule();
+cpu_relax();
...>
}
