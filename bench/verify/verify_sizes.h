/* Verification on awkward sizes. */
#pragma once

#include "verify_input.h"

/* On each ragged size, with all buffers against the end of their pages and then against the start: on random input,
 * and on the same buffers on input of another kind while the stream is held. Once, the rung's threads must rest
 * afterwards. */
void verify_sizes(const struct rung *rung, uint64_t seed, struct check *worst);
