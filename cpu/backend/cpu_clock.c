#include "cpu_clock.h"

#include <math.h>
#include <stdint.h>
#include <time.h>

#if defined(__x86_64__)
#define ADD "add %0, %0\n\t"
#elif defined(__aarch64__)
#define ADD "add %0, %0, %0\n\t"
#endif

#ifdef ADD
/* The fastest of several looks is one that nothing interrupted. */
enum { LOOKS = 5, ROUNDS = 4000, ADDITIONS = 8 };

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double cpu_clock_mhz(void)
{
    double least_s = INFINITY;
    for (int look = 0; look < LOOKS; look++) {
        uint64_t number = 3;
        double start_s = now_s();
        for (int i = 0; i < ROUNDS; i++)
            __asm__ volatile(ADD ADD ADD ADD ADD ADD ADD ADD : "+r"(number));
        least_s = fmin(least_s, now_s() - start_s);
    }
    return ADDITIONS * ROUNDS / least_s * 1e-6;
}
#else
double cpu_clock_mhz(void)
{
    return NAN;
}
#endif
