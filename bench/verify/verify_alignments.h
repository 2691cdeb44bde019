/* Verification at odd addresses. */
#pragma once

#include "verify_input.h"

/* On each ragged size that is small: buffers that start one element behind an aligned address, twice as far, and
 * so on up to 16 bytes, in all combinations. */
void verify_alignments(const struct rung *rung, uint64_t seed, struct check *worst);
