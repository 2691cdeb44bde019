/* A GPU may do some things in any order. A simulated launch does them in one of these orders. */
#pragma once

#include "bench/table/backend.h"
#include "sim_launch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_order {
    /* Of blocks, and of the threads of a block between two waits. */
    enum { SIM_FORWARD, SIM_REVERSE, SIM_SHUFFLED } sequence;
    /* When an asynchronous copy happens: when it is waited for, when it is asked for, or either, at random. */
    enum { SIM_COPY_LATE, SIM_COPY_EARLY, SIM_COPY_EITHER } copies;
    uint32_t poison; /* in memory that nobody wrote (shared, and of cudaMalloc()), and in values of absent lanes */
    uint64_t seed;   /* of all that is random */
};

/* The order in use; forward at first. */
extern struct sim_order sim_order;

/* All orders; the first is forward. */
size_t sim_order_count(void);
const struct work_order *sim_order_use(size_t index);

/* Before the blocks of a launch, `count` of them or of their groups. */
void sim_order_launch(uint64_t count);
/* Which one has that turn. */
uint64_t sim_order_block(uint64_t turn);
/* Restarts the random numbers, so that all launches in an order run alike, and each turn, whatever runs beside. */
void sim_order_begin(uint64_t turn);

/* Fills memory with the poison of the order. */
void sim_order_poison(void *memory, size_t bytes);

/* Fills `threads` with the numbers below `count`, in that order. */
void sim_order_threads(unsigned *threads, unsigned count);

/* Whether a warp that has completed an exchange runs on before others. Where nothing is shuffled, always: the first
 * warp, or the last, runs ahead of all others. Else at random, so that warps also run side by side. */
bool sim_order_warp_goes_ahead(void);

extern SIM_OWN uint64_t sim_order_accesses; /* until the next interrupt; 0: there are none */
void sim_order_count_anew(void);

/* Whether the thread that is about to touch memory lets others run before. Shuffled orders do so now and then: other
 * threads may come between any two accesses. */
static inline bool sim_order_interrupts(void)
{
    if (sim_order_accesses == 0 || --sim_order_accesses > 0)
        return false;
    sim_order_count_anew();
    return true;
}

/* Whether a copy happens at once when it is asked for. */
bool sim_order_copies_now(void);
