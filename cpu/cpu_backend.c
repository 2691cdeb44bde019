/* The CPU as a backend: host memory, the calling thread as the stream, CLOCK_MONOTONIC. Everything is done at once, so
 * there is nothing to hold back. */
#include "backend.h"

#include "cpu_blas.h"
#include "cpu_ceilings.h"
#include "cpu_describe.h"
#include "cpu_energy.h"
#include "cpu_evict.h"
#include "cpu_files.h"
#include "cpu_limits.h"
#include "cpu_mask.h"
#include "cpu_state.h"

#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    ALIGNMENT = 256,
    TICK_READS = 10000,
};

static const char root[] = ""; /* of /proc and /sys */

static struct cpu_mask mask;
static struct cpu_energy energy;
static struct timespec marks[BACKEND_MARKS];

static const char *open_cpu(const struct backend_settings *settings)
{
    int threads = settings->threads;
    if (threads <= 0) {
        /* This number respects the affinity mask. */
        threads = omp_get_num_procs();
        double quota = ceil(cpu_limits_find(root).processors);
        if (quota < threads)
            threads = (int)quota;
    }
    omp_set_dynamic(0);
    omp_set_num_threads(threads);
    cpu_blas_set_threads(threads);
    cpu_mask_read(&mask);
    energy = (struct cpu_energy){0};
    return NULL;
}

static void close_cpu(void)
{
}

static void describe(struct device_info *info)
{
    memset(info, 0, sizeof *info);
    info->power_limit_w = info->sm_clock_set_mhz = NAN;
    info->threads = omp_get_max_threads();
    for (int by_writing = 0; by_writing < 2; by_writing++)
        snprintf(info->eviction[by_writing], sizeof info->eviction[by_writing], "%s", cpu_evict_method);
    cpu_describe(root, &mask, info);
    cpu_blas_describe(info);
}

/* Where nothing tells, as in a container without /proc, nothing is refused. */
static size_t free_memory(void)
{
    /* In kB, as /proc/meminfo has it. */
    double available = cpu_file_number(root, "/proc/meminfo", "MemAvailable:", INFINITY) * 1024;
    double free_bytes = fmin(available, cpu_limits_find(root).free_bytes);
    return free_bytes < (double)SIZE_MAX ? (size_t)free_bytes : SIZE_MAX;
}

static const char *allocate(size_t bytes, void **memory)
{
    static char error[96];
    size_t rounded = bytes == 0 ? ALIGNMENT : (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    *memory = rounded < bytes ? NULL : aligned_alloc(ALIGNMENT, rounded);
    if (*memory != NULL)
        return NULL;
    snprintf(error, sizeof error, "cannot allocate %zu bytes of host memory", bytes);
    return error;
}

static void release(void *memory)
{
    free(memory);
}

static void *stream(void)
{
    return NULL;
}

static const char *copy(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return NULL;
}

static const char *fill(void *memory, int byte, size_t bytes)
{
    memset(memory, byte, bytes);
    return NULL;
}

static const char *finish(void)
{
    return NULL;
}

/* `by_writing` means nothing here: lines are flushed, written or not, and leave nothing to be written back later. */
static const char *evict(const struct span *spans, size_t count, bool by_writing)
{
    (void)by_writing;
    return cpu_evict(spans, count);
}

static const char *mark(int index)
{
    return clock_gettime(CLOCK_MONOTONIC, &marks[index]) == 0 ? NULL : "cannot read CLOCK_MONOTONIC";
}

static double difference(const struct timespec *from, const struct timespec *to)
{
    return (double)(to->tv_sec - from->tv_sec) + 1e-9 * (double)(to->tv_nsec - from->tv_nsec);
}

static const char *elapsed(int from, int to, double *seconds)
{
    *seconds = difference(&marks[from], &marks[to]);
    return NULL;
}

static double tick(void)
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

static void read_state(struct device_state *state)
{
    cpu_state_read(root, &mask, &energy, state);
}

/* By the clock of the marks: CLOCK_MONOTONIC_RAW runs up to 0.05 % faster or slower while NTP corrects the other. */
static const char *spin(int64_t nanoseconds)
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

const struct backend cpu_backend = {
    .open = open_cpu,
    .close = close_cpu,
    .describe = describe,
    .free_memory = free_memory,
    .allocate = allocate,
    .release = release,
    .stream = stream,
    .upload = copy,
    .download = copy,
    .fill = fill,
    .finish = finish,
    .evict = evict,
    .mark = mark,
    .elapsed = elapsed,
    .tick = tick,
    .read_state = read_state,
    .spin = spin,
    .ceiling_variants = cpu_ceiling_variants,
    .ceiling = cpu_ceiling,
    .seed = cpu_seed,
};
