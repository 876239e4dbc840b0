/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * As much of JSON Schema as docs/schema/ uses, so that make check can hold what we write
 * against it. A keyword that isn't known here is a finding: nothing goes unchecked.
 */
#ifndef TESTS_UNIT_SCHEMA_CHECK_H
#define TESTS_UNIT_SCHEMA_CHECK_H

struct err;
struct jval;

/** schema_load - docs/schema/@name.json, the caller's; what can't be read ends the test */
struct jval *schema_load(const char *name);

/**
 * schema_check - hold a value against a schema
 * @schema: of schema_load()
 * @value: any
 * @err: says where it differs, and how
 *
 * Return: 0, or -EPROTO.
 */
int schema_check(const struct jval *schema, const struct jval *value, struct err *err);

#endif
