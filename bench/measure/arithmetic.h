/* What a rung multiplies with, which decides the ceiling of its operations: FP32 multiply-adds, or the products of
 * tensor cores, one or several for each multiplication of the operation. */
#pragma once

#include "bench/table/backend.h"
#include "bench/table/rung.h"

struct arithmetic {
    const char *name;       /* column `arithmetic`; also the name of the ceiling */
    enum ceiling_kind kind; /* what is measured */
    int products;           /* that each multiplication takes: the operation's rate is this part of the ceiling's */
};

/* NULL: its operations have no ceiling. */
const struct arithmetic *arithmetic_of(enum precision precision, unsigned traits);

/* NULL: there is none of that name. */
const struct arithmetic *arithmetic_find(const char *name);
