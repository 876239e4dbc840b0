/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The identity of a cell: what was measured, never how it was called. Two
 * cells with equal ids are the same experiment, whatever their labels.
 */
#ifndef RECORD_CELL_ID_H
#define RECORD_CELL_ID_H

struct jval;

/**
 * cell_id - shortened SHA-256 of a cell's canonical description
 * @kernel: object that identifies the kernel, see host_kernel()
 * @settings: object of the column's settings in effect, CPUs included
 * @workload: such as "hackbench"
 * @variant: such as "hackbench-process-pipes"
 * @parameters: object of every parameter's value
 *
 * Return: 16 hexadecimal digits, the caller's to free(); NULL: out of memory.
 */
char *cell_id(const struct jval *kernel, const struct jval *settings,
	      const char *workload, const char *variant, const struct jval *parameters);

#endif
