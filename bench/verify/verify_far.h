/* Verification on problems so large that an index, or the product of two sizes, exceeds 2^32. */
#pragma once

#include "bench/table/op.h"
#include "bench/table/registry.h"

/* Verifies the end of the rung's answer on the far problems of its operation: rungs with a memory of their own on those
 * that the memory has room for, simulated ones on all. Rungs of the CPU are not, and `check` is left as it is. If one
 * of the problems was left out, or refused, `check` has a mark, and `note` a sentence. */
void verify_far(const struct rung *rung, uint64_t seed, struct check *check, struct error *note);
