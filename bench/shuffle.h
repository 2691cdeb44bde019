/* The order of rows in a round. */
#ifndef RUNGBENCH_SHUFFLE_H
#define RUNGBENCH_SHUFFLE_H

#include "selection.h"

#include <stdint.h>

/* Shuffles the workloads, the rungs within each, and the modes within each of these: rows that share their input and
 * their verified answer stay together. Every order of each is equally likely (D. E. Knuth, "The Art of Computer
 * Programming", volume 2, 3rd ed., section 3.4.2, algorithm P). False: no memory. */
bool shuffle_rows(struct selection *selection, uint64_t seed);

#endif
