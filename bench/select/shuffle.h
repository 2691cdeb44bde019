/* The order of rows in a round. */
#ifndef RUNGBENCH_SHUFFLE_H
#define RUNGBENCH_SHUFFLE_H

#include "selection.h"

#include <stdint.h>

/* Shuffles the workloads, the rungs within each, and the modes within each of these: rows that share their input and
 * their verified answer stay together. They are sorted by random keys, each made of the seed and of the name alone:
 * over seeds every order of each is equally likely, and whatever other rows there are, those that two builds have in
 * common come in the same order. False: no memory. */
bool shuffle_rows(struct selection *selection, uint64_t seed);

/* The rows in the order of that round of a session with that seed, to be freed with free(rows). False: no memory. */
bool shuffle_for_round(const struct selection *selection, uint64_t seed, int round, struct selection *shuffled);

#endif
