/* What a rung multiplies with, which decides the ceiling of its operations: FP32 multiply-adds, or the products of
 * tensor cores, one or several for each multiplication of the operation. */
#pragma once

#include "bench/table/backend.h"
#include "bench/table/rung.h"

/* Besides those of a backend: whichever is the fastest. */
enum { CEILING_ANY = -1 };

struct arithmetic {
    const char *name; /* column `arithmetic`; also the name of the ceiling */
    int kind;         /* what is measured, of enum ceiling_kind; or CEILING_ANY */
    int products;     /* that each multiplication takes: the operation's rate is this part of the ceiling's */
};

/* NULL: its operations have no ceiling. */
const struct arithmetic *arithmetic_of(enum precision precision, unsigned traits);

/* "any" is what a kernel may use of which nobody knows: the fastest arithmetic of the device is its ceiling, but for
 * that of integers, which is not measured. NULL: there is none of that name. */
const struct arithmetic *arithmetic_find(const char *name);
