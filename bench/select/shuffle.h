/* The order of rows in a round. */
#pragma once

#include "selection.h"

#include <stdint.h>

/* For one round of the sitting with this seed, shuffles the workloads, the rungs of each workload, and the modes of
 * each rung: rows that share input and a verified answer stay together. The order is that of digests of the seed and
 * the name. So all orders are equally likely, and rows that two builds have in common come in the same order in both.
 */
void shuffle_rows(struct selection *selection, uint64_t seed, int round);
