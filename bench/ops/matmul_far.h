/* Products with an index beyond 2^32: in A, in B, in C. What struct op says of far problems. */
#pragma once

#include "bench/table/op.h"

enum { MATMUL_FAR = 5 };
extern const struct workload matmul_far[MATMUL_FAR];

void matmul_far_end(const struct workload *workload, struct workload *end, struct window windows[OP_BUFFERS_MAX]);
