#define _DEFAULT_SOURCE /* getrandom() */
#include "entropy.h"

#include "seeded.h"

#include <sys/random.h>
#include <time.h>

/* The clock is for a kernel that has no random numbers yet. */
static uint64_t some_bits(void)
{
    uint64_t bits;
    struct timespec now;
    if (getrandom(&bits, sizeof bits, GRND_NONBLOCK) == (ssize_t)sizeof bits)
        return bits;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return seeded_bits((uint64_t)now.tv_nsec, (uint64_t)now.tv_sec);
}

uint64_t entropy_bits(void)
{
    uint64_t bits = some_bits();
    return bits != 0 ? bits : 1;
}
