/* What tuned CPU rungs share: how many threads share work, and memory that is kept. */
#pragma once

#include <omp.h>
#include <stdint.h>
#include <stdlib.h>

enum { CACHE_LINE = 64 };

static inline int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The size of all teams, while a rung runs others as its parts; 0: each has the size that suits it. GNU's OpenMP ends
 * the threads that a smaller team leaves over, and starts others for the next larger one, which takes longer than the
 * work. */
extern int work_team;

/* As many threads as find so much work each, for less of which none is woken: one at least, and at most all that rungs
 * may use, or WORK_THREADS_MAX; or one, or work_team. */
enum { WORK_THREADS_MAX = 1024 };
static inline int work_threads(double work, double of_thread)
{
    const int most = (int)smaller(omp_get_max_threads(), WORK_THREADS_MAX);
    const int threads = work / of_thread < most - 1 ? (int)(1 + work / of_thread) : most;
    return threads > 1 && work_team ? work_team : threads;
}

/* Memory for floats that hold anything, aligned to cache lines; NULL: there is none. It is kept from call to call. Each
 * file that includes this has one piece of its own. */
static inline float *work_memory(size_t floats)
{
    static float *memory;
    static size_t capacity;
    const size_t bytes = (floats * sizeof(float) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    if (bytes > capacity) {
        free(memory);
        memory = aligned_alloc(CACHE_LINE, bytes);
        capacity = memory ? bytes : 0;
    }
    return memory;
}
