/* Verification of many calls. */
#pragma once

#include "verify_input.h"

enum { REPEATS = 4096, REPEATS_AT_LEAST = 1100 };

/* Many calls on one small size: REPEATS, but REPEATS_AT_LEAST on a simulator, and where calls take long. Each answer is
 * compared with the first one bit for bit. Outputs are poisoned, or hold the right answer but for one element, or what
 * the last call left. At random moments the inputs change, to some with a known answer. */
void verify_repeats(const struct rung *rung, uint64_t seed, struct check *worst);
