/* Verification of many calls. */
#pragma once

#include "verify_input.h"

enum { REPEATS = 4096, REPEATS_SIMULATED = 1100 };

/* So many calls on one small size, each compared with the first answer bit for bit. Outputs are poisoned, or hold the
 * right answer but for one element, or what the last call left. At random moments the inputs change, to some with a
 * known answer. */
void verify_repeats(const struct rung *rung, uint64_t seed, struct check *worst);
