#define _DEFAULT_SOURCE /* getentropy() */
#include "entropy.h"

#include <stdlib.h>
#include <unistd.h>

uint64_t entropy_bits(void)
{
    uint64_t bits;
    if (getentropy(&bits, sizeof bits) != 0) /* Linux before 3.17 has none */
        abort();
    return bits != 0 ? bits : 1;
}
