#include "sim_order.h"

#include <string.h>

/* As FP32: -391.5 and infinity. As integers: negative and positive. One of them shows in a sum, a minimum or a maximum,
 * and infinity even in a product with 0. */
#define POISON 0xC3C3C3C3u
#define OTHER_POISON 0x7F800000u

static const char unwritten[] = "reads memory before it is written";
static const char racing[] = "depends on the order in which threads run";
static const char unawaited[] = "depends on when asynchronous copies arrive";

static const struct {
    struct work_order named;
    struct sim_order order;
} orders[] = {
    {{"forward", ""}, {SIM_FORWARD, SIM_COPY_LATE, POISON, 0}},
    /* Before the other poison, which also shows where a copy that nobody waited for has not arrived. */
    {{"forward, early copies", unawaited}, {SIM_FORWARD, SIM_COPY_EARLY, POISON, 0}},
    {{"forward, other poison", unwritten}, {SIM_FORWARD, SIM_COPY_LATE, OTHER_POISON, 0}},
    {{"reverse", racing}, {SIM_REVERSE, SIM_COPY_LATE, POISON, 0}},
    {{"shuffled, seed 1", racing}, {SIM_SHUFFLED, SIM_COPY_EITHER, POISON, 1}},
    {{"shuffled, seed 2", racing}, {SIM_SHUFFLED, SIM_COPY_EITHER, POISON, 2}},
    {{"shuffled, seed 3", racing}, {SIM_SHUFFLED, SIM_COPY_EITHER, POISON, 3}},
};

struct sim_order sim_order = {SIM_FORWARD, SIM_COPY_LATE, POISON, 0};

enum { MEAN_ACCESSES = 64 }; /* between two interrupts */

SIM_OWN uint64_t sim_order_accesses;
static SIM_OWN uint64_t state_of_interrupts; /* its own, so that orders stay when code has other accesses */
static SIM_OWN uint64_t state; /* of SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
                                * 2014 */

static uint64_t next_bits(uint64_t *of)
{
    uint64_t z = *of += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static uint64_t random_bits(void)
{
    return next_bits(&state);
}

void sim_order_count_anew(void)
{
    sim_order_accesses = 1 + next_bits(&state_of_interrupts) % (2 * MEAN_ACCESSES);
}

size_t sim_order_count(void)
{
    return sizeof orders / sizeof orders[0];
}

const struct work_order *sim_order_use(size_t index)
{
    sim_order = orders[index].order;
    return &orders[index].named;
}

void sim_order_begin(uint64_t turn)
{
    uint64_t seed = sim_order.seed << 48 ^ turn;
    state = state_of_interrupts = next_bits(&seed);
    sim_order_accesses = 0;
    if (sim_order.sequence == SIM_SHUFFLED)
        sim_order_count_anew();
}

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Shuffled blocks need no list, for which there may be too many: a step that has no divisor in common with the count
 * visits all. */
static struct {
    uint64_t count, first, step;
} blocks;

void sim_order_launch(uint64_t count)
{
    enum { STEP_MAX = 1 << 30 }; /* times a turn, it stays a number of 64 bits */
    uint64_t seed = sim_order.seed;
    blocks.count = count;
    do
        blocks.step = 1 + next_bits(&seed) % (count < STEP_MAX ? count : STEP_MAX);
    while (greatest_common_divisor(blocks.step, count) != 1);
    blocks.first = next_bits(&seed) % count;
}

void sim_order_poison(void *memory, size_t bytes)
{
    const uint32_t word = sim_order.poison;
    unsigned char *byte = memory;
    for (size_t i = 0; i < bytes; i += sizeof word)
        memcpy(byte + i, &word, bytes - i < sizeof word ? bytes - i : sizeof word);
}

uint64_t sim_order_block(uint64_t turn)
{
    if (sim_order.sequence == SIM_SHUFFLED)
        return (blocks.first + turn * blocks.step) % blocks.count;
    return sim_order.sequence == SIM_FORWARD ? turn : blocks.count - 1 - turn;
}

void sim_order_threads(unsigned *threads, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        threads[i] = sim_order.sequence == SIM_REVERSE ? count - 1 - i : i;
    if (sim_order.sequence != SIM_SHUFFLED)
        return;
    for (unsigned i = count; i > 1; i--) { /* Fisher and Yates */
        unsigned j = (unsigned)(random_bits() % i), kept = threads[i - 1];
        threads[i - 1] = threads[j];
        threads[j] = kept;
    }
}

bool sim_order_warp_goes_ahead(void)
{
    return sim_order.sequence != SIM_SHUFFLED || random_bits() % 2 == 0;
}

bool sim_order_copies_now(void)
{
    if (sim_order.copies == SIM_COPY_EITHER)
        return random_bits() % 2 == 0;
    return sim_order.copies == SIM_COPY_EARLY;
}
