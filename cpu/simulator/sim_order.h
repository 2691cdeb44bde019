/* In which order a simulated launch does what a GPU may do in any order. */
#ifndef RUNGBENCH_SIM_ORDER_H
#define RUNGBENCH_SIM_ORDER_H

#include "bench/table/backend.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_order {
    /* Of blocks, and of the threads of a block between two places at which they wait. */
    enum { SIM_FORWARD, SIM_REVERSE, SIM_SHUFFLED } sequence;
    /* When an asynchronous copy happens: as it is waited for, as it is asked for, or either, by chance. */
    enum { SIM_COPY_LATE, SIM_COPY_EARLY, SIM_COPY_EITHER } copies;
    uint32_t poison; /* what shared memory is full of that nobody wrote, and what absent lanes say */
    uint64_t seed;   /* of what is shuffled and left to chance */
};

/* The order in force; forward at first. */
extern struct sim_order sim_order;

/* All there are, for the harness; the first is forward. */
size_t sim_order_count(void);
const struct work_order *sim_order_use(size_t index);

/* Starts the chances of a launch anew, so that each launch in one order is done the same way. */
void sim_order_begin(void);

/* Fills memory with the order's poison. */
void sim_order_poison(void *memory, size_t bytes);

/* Which of `count` blocks is the `turn`th, by that order. To be asked for one turn after the other. */
uint64_t sim_order_block(uint64_t turn, uint64_t count);

/* Fills `threads` with the numbers below `count`, by that order. */
void sim_order_threads(unsigned *threads, unsigned count);

/* Whether a warp whose lanes have come together runs on before others that come first. Always where nothing is
 * shuffled: the first warp then runs ahead of all others, or the last; else by chance, so that warps also stay side by
 * side. */
bool sim_order_warp_goes_ahead(void);

/* Whether a copy that was asked for happens now. */
bool sim_order_copies_now(void);

#endif
