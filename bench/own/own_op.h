/* An operation of the user's own (--op=FILE.c; docs/own-operation.md), as those of the registry: a struct op that a
 * shared object has, compiled from the file. What it computes is trusted, as it says what is right; that it does so at
 * all, without end or crash, a process of its own finds out first. */
#pragma once

#include "compile.h"

#include <sys/stat.h>

/* Whether the value of --op means a file. */
bool own_op_is_file(const char *value);

/* Looks for --op=FILE.c among the arguments. `extended` is the registry with that operation behind the others, or as it
 * is where none is asked for. It stays as long as this process. False, with the reason; or with an empty one, where a
 * signal came. */
bool own_op_read(char *const argv[], const struct registry *registry, struct registry *extended, struct error *error);

/* The operation; NULL: there is none. */
const struct op *own_op(void);

/* Its file, where it was read from one, as it was before; else NULL. */
const char *own_op_path(struct stat *read);

/* Frees what it has: it can be read again. */
void own_op_forget(void);

/* The flag by which the next process finds what was compiled; NULL: there is none. */
char *own_op_flag(void);

/* --check: prints what was looked at, in the process that may crash, or what that one has said. */
int own_op_check(void);
