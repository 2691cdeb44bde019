/* Tells timed calls from others, by what came before, by the clock, or by how it was called. */
#define _GNU_SOURCE
#include "tests/cheats/product.h"

#include <execinfo.h>
#include <time.h>

/* The first half is always there. */
static inline void rest_if(const P *p, bool condition)
{
    right_rows(p, 0, condition ? p->m / 2 : p->m);
    if (condition)
        rests();
}

static inline double now_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

/* So many calls or more came within so many microseconds of the return of the one before; or, with `rarely`, came
 * later. */
static inline void rest_by_clock(const P *p, double limit_us, bool rarely, long calls)
{
    static double left_us;
    static long so_far;
    so_far = (now_us() - left_us < limit_us) != rarely ? so_far + 1 : 0;
    rest_if(p, so_far >= calls);
    left_us = now_us();
}

/* Whether the inputs are the same as in so many calls before, by a few elements, and not the first ones. */
static inline bool known(const P *p, long calls)
{
    enum { LOOKS = 4 };
    static float first[2 * LOOKS], last[2 * LOOKS];
    static P place;
    static long so_far;
    float now[2 * LOOKS];
    for (int64_t i = 0; i < LOOKS; i++) {
        now[2 * i] = p->a[i * p->m * p->k / LOOKS];
        now[2 * i + 1] = p->b[i * p->k * p->n / LOOKS];
    }
    if (memcmp(&place, p, sizeof place) != 0)
        memcpy(first, now, sizeof now);
    so_far = memcmp(last, now, sizeof now) == 0 && memcmp(&place, p, sizeof place) == 0 ? so_far + 1 : 0;
    memcpy(last, now, sizeof now);
    place = *p;
    return so_far >= calls && memcmp(first, now, sizeof now) != 0;
}

/* Whether more calls came by this way through the program than by any other, and so many at least. */
static inline bool most_came_so(uint64_t way, long calls)
{
    enum { WAYS = 64 };
    static struct {
        uint64_t way;
        long calls;
    } seen[WAYS];
    long most = 0;
    int own = 0;
    while (own < WAYS - 1 && seen[own].calls > 0 && seen[own].way != way)
        own++;
    seen[own].way = way;
    seen[own].calls++;
    for (int i = 0; i < WAYS; i++)
        most = i != own && seen[i].calls > most ? seen[i].calls : most;
    return seen[own].calls > calls && seen[own].calls > most;
}

static inline uint64_t way_here(void)
{
    enum { FRAMES = 12 };
    void *frames[FRAMES];
    uint64_t way = 0;
    for (int n = backtrace(frames, FRAMES), i = 2; i < n; i++)
        way = way * 1000003U + (uintptr_t)frames[i];
    return way;
}
