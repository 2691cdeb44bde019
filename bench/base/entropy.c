#define _DEFAULT_SOURCE /* getrandom() */
#include "entropy.h"

#include "seeded.h"

#include <sys/random.h>
#include <time.h>

enum { WORDS = 32 }; /* as much as getrandom() gives at once whatever happens */

static uint64_t pool[WORDS];
static size_t left;

/* The clock is for a kernel that has no random numbers yet. */
static void fill_pool(void)
{
    struct timespec now;
    left = WORDS;
    if (getrandom(pool, sizeof pool, GRND_NONBLOCK) == (ssize_t)sizeof pool)
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    for (size_t i = 0; i < WORDS; i++)
        pool[i] = seeded_bits((uint64_t)now.tv_nsec, (uint64_t)now.tv_sec + i);
}

uint64_t entropy_bits(void)
{
    if (left == 0)
        fill_pool();
    uint64_t bits = pool[--left];
    pool[left] = 0;
    return bits != 0 ? bits : 1;
}
