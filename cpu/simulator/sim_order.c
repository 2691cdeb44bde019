#include "sim_order.h"

#include "bench/base/seeded.h"

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

/* Random numbers, of which so many were taken. */
struct stream {
    uint64_t seed, taken;
};

SIM_OWN uint64_t sim_order_accesses;
static SIM_OWN struct stream interrupts; /* its own, so that orders stay when code has other accesses */
static SIM_OWN struct stream choices;

static uint64_t next_bits(struct stream *of)
{
    return seeded_bits(of->seed, of->taken++);
}

void sim_order_count_anew(void)
{
    sim_order_accesses = 1 + next_bits(&interrupts) % (2 * MEAN_ACCESSES);
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
    choices = interrupts = (struct stream){seeded_bits(sim_order.seed << 48 ^ turn, 0), 0};
    sim_order_accesses = 0;
    if (sim_order.sequence == SIM_SHUFFLED)
        sim_order_count_anew();
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    return b == 0 ? a : common_divisor(b, a % b);
}

/* Shuffled blocks need no list, for which there may be too many: a step that has no divisor in common with the count
 * visits all. */
static struct {
    uint64_t count, first, step;
} blocks;

void sim_order_launch(uint64_t count)
{
    enum { STEP_MAX = 1 << 30 }; /* times a turn, it stays a number of 64 bits */
    struct stream numbers = {sim_order.seed, 0};
    blocks.count = count;
    do
        blocks.step = 1 + next_bits(&numbers) % (count < STEP_MAX ? count : STEP_MAX);
    while (common_divisor(blocks.step, count) != 1);
    blocks.first = next_bits(&numbers) % count;
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
        unsigned j = (unsigned)(next_bits(&choices) % i), kept = threads[i - 1];
        threads[i - 1] = threads[j];
        threads[j] = kept;
    }
}

bool sim_order_warp_goes_ahead(void)
{
    return sim_order.sequence != SIM_SHUFFLED || next_bits(&choices) % 2 == 0;
}

bool sim_order_copies_now(void)
{
    if (sim_order.copies == SIM_COPY_EITHER)
        return next_bits(&choices) % 2 == 0;
    return sim_order.copies == SIM_COPY_EARLY;
}
