/* The order of rows in a round. */
#pragma once

#include "selection.h"

#include <stdint.h>

/* Shuffles the workloads, the rungs of each workload, and the modes of each rung: rows that share input and a verified
 * answer stay together. The order is that of digests of the seed and the name. So all orders are equally likely, and
 * rows that two builds have in common come in the same order in both. */
void shuffle_rows(struct selection *selection, uint64_t seed);

/* The rows with the libraries of each workload first: what others are compared with is known when they are done.
 * free(rows). */
struct selection libraries_first(const struct selection *selection);

/* The rows in the order of one round of the sitting with this seed; free(rows). */
struct selection shuffle_for_round(const struct selection *selection, uint64_t seed, int round);
