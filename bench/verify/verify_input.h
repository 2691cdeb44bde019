/* What the passes over sizes share: a size with generated input, and the worst result so far. */
#pragma once

#include "bench/place/host_problem.h"
#include "verify_once.h"

/* The result of a pass before its first size. */
struct check verify_none(void);

/* Takes the result for one size into that of the pass. The reason for a failure names the size and `how`, a format for
 * what is special about the call. */
__attribute__((format(printf, 4, 5))) void verify_note(struct check *worst, const struct check *check,
                                                       const struct workload *workload, const char *how, ...);

/* Generates input and verifies the rung on it: in all orders of the backend if `in_all_orders`, otherwise by one call
 * of this kind. */
void verify_input(const struct rung *rung, struct buffers *buffers, const struct workload *workload,
                  const struct input_source *source, bool in_all_orders, enum call_kind kind, struct check *worst);
