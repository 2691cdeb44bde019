/* The real table of rungs without their code, and the rows that a run selects from it. */
#pragma once

#include "bench/select/selection.h"

#define OP(name) extern const struct op name##_op;
#include "bench/table/rungs.def"

extern const struct registry real_table;

/* Of a suite, in cold, hot and e2e. */
struct options suite(const char *name);

/* Must succeed; rows are to be freed. */
struct selection select_rows(const struct options *options);
size_t count_rows(const struct options *options);

/* "op/workload shape, " of all workloads, each once, in order. */
void print_shapes(const struct options *options, char *text, size_t size);
