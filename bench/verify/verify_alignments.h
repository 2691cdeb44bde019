/* Verification at odd addresses. */
#pragma once

#include "verify_input.h"

/* On each ragged size that is small: buffers that start 4, 8 or 16 bytes behind an aligned address, or one element
 * behind it, in all combinations. */
void verify_alignments(const struct rung *rung, uint64_t seed, struct check *worst);
