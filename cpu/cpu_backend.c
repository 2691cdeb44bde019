/* The CPU as a backend: host memory, the calling thread as the stream, CLOCK_MONOTONIC. Everything is done at once, so
 * there is nothing to hold back. */
#include "backend.h"

#include "cpu_evict.h"
#include "cpu_limits.h"

#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#if HAVE_openblas
#include <cblas.h>
#endif

enum {
    ALIGNMENT = 256,
    TICK_READS = 10000,
};

static struct timespec marks[BACKEND_MARKS];

static const char *open_cpu(const struct backend_settings *settings)
{
    int threads = settings->threads;
    if (threads <= 0) {
        /* This number respects the affinity mask. */
        threads = omp_get_num_procs();
        double quota = ceil(find_limits().processors);
        if (quota < threads)
            threads = (int)quota;
    }
    omp_set_dynamic(0);
    omp_set_num_threads(threads);
#if HAVE_openblas
    openblas_set_num_threads(threads);
#endif
    return NULL;
}

static void close_cpu(void)
{
}

/* "model name : AMD EPYC 9654" of /proc/cpuinfo, which only some architectures have; else the architecture. */
static void read_model(char *name, size_t size)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    name[0] = '\0';
    while (file != NULL && name[0] == '\0' && fgets(line, sizeof line, file) != NULL) {
        const char *value = strchr(line, ':');
        if (value == NULL || strncmp(line, "model name", strlen("model name")) != 0)
            continue;
        value += 1 + strspn(value + 1, " \t");
        snprintf(name, size, "%.*s", (int)strcspn(value, "\n"), value);
    }
    if (file != NULL)
        fclose(file);
    struct utsname system;
    if (name[0] == '\0' && uname(&system) == 0)
        snprintf(name, size, "%s", system.machine);
}

#if HAVE_openblas
/* A processor newer than the library gets the kernels of one from 2004, at a fraction of its speed. */
static void warn_of_old_kernels(struct device_info *info)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && strcmp(openblas_get_corename(), "Prescott") == 0)
        snprintf(info->notes[info->note_count].mark, sizeof info->notes->mark, "openblas-old"),
            snprintf(info->notes[info->note_count++].text, sizeof info->notes->text,
                     "OpenBLAS does not know this processor and runs kernels for Prescott, without AVX; "
                     "OPENBLAS_CORETYPE=%s in the environment makes its rows fair",
                     __builtin_cpu_supports("avx512f") ? "SkylakeX" : "Haswell");
#else
    (void)info;
#endif
}
#endif

static void describe(struct device_info *info)
{
    memset(info, 0, sizeof *info);
    info->power_limit_w = info->sm_clock_set_mhz = NAN;
    read_model(info->name, sizeof info->name);
    info->threads = omp_get_max_threads();
    for (int by_writing = 0; by_writing < 2; by_writing++)
        snprintf(info->eviction[by_writing], sizeof info->eviction[by_writing], "%s", evict_method);
#if HAVE_openblas
    snprintf(info->blas_version, sizeof info->blas_version, "%s", openblas_get_config());
    warn_of_old_kernels(info);
#endif
}

/* Where nothing tells, as in a container without /proc, nothing is refused. */
static size_t free_memory(void)
{
    /* In kB, as /proc/meminfo has it. */
    double available = read_number("/proc", "meminfo", "MemAvailable:", INFINITY) * 1024;
    double free_bytes = fmin(available, find_limits().free_bytes);
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
    return evict_spans(spans, count);
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
};
