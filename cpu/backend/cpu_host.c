#include "cpu_host.h"

#include "bench/table/backend.h"
#include "bench/table/made.h"
#include "cpu_files.h"
#include "cpu_limits.h"

#include <malloc.h>
#include <math.h>
#include <string.h>
#include <time.h>

enum { TICK_READS = 10000, PIECE_BYTES = 1 << 20 };

static struct timespec marks[BACKEND_MARKS];

const char *cpu_mark(int index)
{
    return clock_gettime(CLOCK_MONOTONIC, &marks[index]) == 0 ? NULL : "cannot read CLOCK_MONOTONIC";
}

static double difference(const struct timespec *from, const struct timespec *to)
{
    return (double)(to->tv_sec - from->tv_sec) + 1e-9 * (double)(to->tv_nsec - from->tv_nsec);
}

const char *cpu_elapsed(int from, int to, double *seconds)
{
    *seconds = difference(&marks[from], &marks[to]);
    return NULL;
}

double cpu_tick(void)
{
    double smallest = INFINITY;
    struct timespec last, now;
    clock_gettime(CLOCK_MONOTONIC, &last);
    for (int i = 0; i < TICK_READS; ++i, last = now) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        double step = difference(&last, &now);
        if (step > 0 && step < smallest)
            smallest = step;
    }
    return isinf(smallest) ? 1e-9 : smallest;
}

/* Uses the clock of the marks: CLOCK_MONOTONIC_RAW differs by up to 0.05 % while NTP corrects the other. */
const char *cpu_spin(int64_t nanoseconds)
{
    struct timespec start, now;
    if (nanoseconds == BACKEND_NO_SPIN)
        return NULL;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - start.tv_sec) * INT64_C(1000000000) + (now.tv_nsec - start.tv_nsec) < nanoseconds);
    return NULL;
}

void *cpu_stream(void)
{
    return NULL;
}

const char *cpu_copy(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return NULL;
}

/* Large memory is written by all threads: between samples that takes longer than the samples. Little memory is not, nor
 * in a parallel region that a condition restricts to one thread: that ends the threads which wait for the next region.
 */
const char *cpu_fill(void *memory, size_t bytes, const struct made *made)
{
    const int64_t pieces = (int64_t)((bytes + PIECE_BYTES - 1) / PIECE_BYTES);
    if (pieces <= 1) {
        made_fill(memory, bytes, made, 0);
        return NULL;
    }
#pragma omp parallel for
    for (int64_t i = 0; i < pieces; i++) {
        size_t first = (size_t)i * PIECE_BYTES, left = bytes - first;
        made_fill((char *)memory + first, left < PIECE_BYTES ? left : PIECE_BYTES, made, first);
    }
    return NULL;
}

const char *cpu_finish(void)
{
    return NULL;
}

size_t cpu_free_memory(void)
{
    /* /proc/meminfo counts kB */
    double available = cpu_file_number("", "/proc/meminfo", "MemAvailable:", INFINITY) * 1024;
    double free_bytes = fmin(available, cpu_limits_find("").free_bytes);
    return free_bytes < (double)SIZE_MAX ? (size_t)free_bytes : SIZE_MAX;
}

/* AddressSanitizer has its own malloc(), of which the C library knows nothing. */
size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

size_t cpu_held_memory(void)
{
    if (__sanitizer_get_current_allocated_bytes)
        return __sanitizer_get_current_allocated_bytes();
#if __GLIBC_PREREQ(2, 33)
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}
