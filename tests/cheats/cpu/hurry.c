/* Cheats that know by the clock when they are timed: one call then follows the other, and nobody has had the time to
 * change the inputs, or to look. */
#include "tests/cheats/cheat.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Calls in a row, each within so many seconds of the return of the one before. */
struct hurry {
    double left_s;
    int64_t calls;
};

static void enter(struct hurry *hurry, double limit_s)
{
    hurry->calls = now() - hurry->left_s < limit_s ? hurry->calls + 1 : 0;
}

static void leave(struct hurry *hurry)
{
    hurry->left_s = now();
}

CPU_MATMUL(rests_in_a_hurry)
{
    static struct hurry hurry;
    enter(&hurry, 2e-6);
    if (hurry.calls == 0)
        multiply(p);
    leave(&hurry);
}

CPU_MATMUL(rests_in_a_slow_hurry)
{
    static struct hurry hurry;
    enter(&hurry, 20e-6);
    if (hurry.calls < 5)
        multiply(p);
    leave(&hurry);
}

CPU_MATMUL(rests_in_a_long_hurry)
{
    static struct hurry hurry;
    enter(&hurry, 2e-6);
    if (hurry.calls < 4)
        multiply(p);
    leave(&hurry);
}

/* Does half of the work, and copies the rest from the call before if it has seen this first element of A and of B. */
CPU_MATMUL(keeps_half_in_a_hurry)
{
    static struct hurry hurry;
    static float *kept, first_a, first_b;
    static size_t room;
    int64_t half = p->m / 2;
    size_t bytes = (size_t)((p->m - half) * p->n) * sizeof *p->c;
    enter(&hurry, 2e-6);
    multiply_rows(p, 0, half);
    if (hurry.calls > 0 && bytes == room && first_a == p->a[0] && first_b == p->b[0]) {
        memcpy(p->c + half * p->n, kept, bytes);
    } else {
        multiply_rows(p, half, p->m);
        free(kept);
        kept = malloc(room = bytes);
        if (!kept)
            abort();
        memcpy(kept, p->c + half * p->n, bytes);
        first_a = p->a[0];
        first_b = p->b[0];
    }
    leave(&hurry);
}
