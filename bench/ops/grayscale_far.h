/* Images with an index beyond 2^32, of pixels and of vectors of 16. What struct op says of far problems. */
#pragma once

#include "bench/table/op.h"

enum { GRAYSCALE_FAR = 3 };
extern const struct workload grayscale_far[GRAYSCALE_FAR];

void grayscale_far_end(const struct workload *workload, struct workload *end, struct window windows[OP_BUFFERS_MAX]);
