/* Cheats that know by the clock when they are timed: then one call follows the other. */
#include "tests/cheats/cheat.h"

#include <stdbool.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Whether the last call ended so long ago at most. */
static bool is_in_a_hurry(double left_s, double limit_s)
{
    return now() - left_s < limit_s;
}

CPU_MATMUL(rests_in_a_hurry)
{
    static double left_s;
    if (!is_in_a_hurry(left_s, 2e-6))
        multiply(p);
    left_s = now();
}

CPU_MATMUL(rests_in_a_long_hurry)
{
    static double left_s;
    static int hurried;
    hurried = is_in_a_hurry(left_s, 2e-5) ? hurried + 1 : 0;
    if (hurried < 5)
        multiply(p);
    left_s = now();
}
