/* The CPU as a backend: host memory, CLOCK_MONOTONIC, and the calling thread, which does all work at once. So there is
 * nothing to hold back. */
#include "bench/base/ceil_div.h"
#include "bench/base/parallel.h"
#include "bench/data/made.h"
#include "bench/table/backend.h"

#include "cpu_parts.h"
#include "guarded_memory.h"
#include "opened_blas.h"

#include <malloc.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

#if defined(__x86_64__) || defined(__aarch64__)
enum { CAN_FLUSH = true };
#else
enum { CAN_FLUSH = false };
#endif

enum { TICK_READS = 10000, PIECE_BYTES = 1 << 20, LEAK_CALLS = 64 };

static const char root[] = ""; /* of /proc and /sys */

static int wanted; /* threads; a team of `mask` has those that there are */
static struct cpu_mask mask;
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
    while (difference(&start, &now) < 1e-9 * (double)nanoseconds);
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

struct filling {
    char *memory;
    size_t bytes;
    const struct made *made;
};

static void fill_piece(void *self, int64_t number)
{
    const struct filling *filling = self;
    const size_t first = (size_t)number * PIECE_BYTES, left = filling->bytes - first;
    made_fill(filling->memory + first, left < PIECE_BYTES ? left : PIECE_BYTES, filling->made, first);
}

/* By many threads, since it takes longer than many a sample; but not OpenMP's, which go on spinning beside the rung. */
const char *cpu_fill(void *memory, size_t bytes, const struct made *made)
{
    struct filling filling = {memory, bytes, made};
    parallel_each(ceil_div((int64_t)bytes, PIECE_BYTES), fill_piece, &filling);
    return NULL;
}

static const char *finish(void)
{
    return NULL;
}

size_t cpu_free_memory(void)
{
    /* /proc/meminfo counts kB */
    double available = cpu_file_number(root, "/proc/meminfo", "MemAvailable:", INFINITY) * 1024;
    double free_bytes = fmin(available, cpu_limits_find(root).free_bytes);
    return free_bytes < (double)SIZE_MAX ? (size_t)free_bytes : SIZE_MAX;
}

/* AddressSanitizer has its own malloc(), of which the C library knows nothing. */
size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

static size_t held_memory(void)
{
    if (__sanitizer_get_current_allocated_bytes)
        return __sanitizer_get_current_allocated_bytes();
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

enum { LINE = 64 }; /* where lines are longer, some are flushed twice */

/* Where user programs may do so. Flushes of x86's newer kind are not ordered, so many lines are in flight at a time. */
static void flush_lines(const char *line, const char *end)
{
#if defined(__x86_64__)
    unsigned eax, ebx, ecx, edx;
    /* Not every compiler knows this feature by name. */
    bool unordered = __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (ebx & bit_CLFLUSHOPT);
    for (; line < end; line += LINE)
        if (unordered)
            __asm__ volatile("clflushopt (%0)" : : "r"(line) : "memory");
        else
            _mm_clflush(line);
    _mm_mfence();
#elif defined(__aarch64__)
    for (; line < end; line += LINE)
        __asm__ volatile("dc civac, %0" : : "r"(line) : "memory");
    __asm__ volatile("dsb ish" : : : "memory");
#endif
}

/* Line by line. The last-level cache of a server has hundreds of MB; filling it with other lines would take longer than
 * most rungs. One thread does it: OpenMP's threads would go on spinning beside the rung that is timed next, which may
 * have threads of its own. */
static const char *evict(const struct span *spans, size_t count, bool by_writing)
{
    (void)by_writing;
    for (size_t i = 0; i < count; ++i) {
        const char *start = spans[i].start;
        flush_lines(start - (uintptr_t)start % LINE, start + spans[i].bytes);
    }
    return CAN_FLUSH ? NULL : "this processor is not known here: nothing flushes its caches";
}

static bool knows_team; /* by the first calls of a row that were timed */
static int team_size;   /* of OpenMP's threads, if they use them */

static void begin_row(void)
{
    knows_team = false;
    team_size = 0;
    cpu_threads_spread(omp_get_max_threads());
}

/* Threads sleep while caches are emptied, and one that is woken may share the CPU of one that waits for it. Where calls
 * do not use them, they go on sleeping. */
static void begin_calls(void)
{
    if (team_size > 0)
        cpu_threads_spread(team_size);
}

static const char *mark(int index)
{
    if (!knows_team && index == 0)
        cpu_threads_watch();
    const char *error = cpu_mark(index);
    if (!knows_team && index == 1) {
        team_size = cpu_threads_worked();
        knows_team = true;
    }
    return error;
}

static const char *open_cpu(const struct backend_settings *settings)
{
    wanted = cpu_threads_open(settings->threads, cpu_limits_find(root).processors, &mask);
    cpu_process_remember();
    return NULL;
}

static void close_cpu(void)
{
}

static void describe(struct device_info *info)
{
    memset(info, 0, sizeof *info);
    info->power_limit_w = info->sm_clock_set_mhz = NAN;
    info->threads = mask.threads;
    info->tick_s = cpu_tick();
    for (int by_writing = 0; by_writing < 2; by_writing++)
        snprintf(info->eviction[by_writing], sizeof info->eviction[by_writing], "%s", CAN_FLUSH ? "flush-lines" : "");
    cpu_threads_note(wanted, &mask, info);
    cpu_describe(root, &mask, info);
    cpu_blas_describe(info);
}

static const char *allocate(size_t bytes, enum edge edge, void **memory)
{
    return guarded_memory_allocate(&cpu_backend, bytes, edge, 1, memory);
}

static volatile bool is_closed;

static void protect(void *memory, bool accessible)
{
    is_closed = !accessible;
    guarded_memory_protect(memory, accessible);
}

/* Memory is closed after a rung's return. */
static bool describe_address(const void *address, char *text, size_t size)
{
    if (!guarded_memory_describe(address, text, size))
        return false;
    size_t length = strlen(text);
    if (is_closed)
        snprintf(text + length, size - length, ", after the return");
    return true;
}

static void read_state(struct device_state *state, bool brief)
{
    (void)brief; /* it is at once */
    cpu_state_read(root, &mask, state);
}

/* Kernels of the user's own in C are compiled as the rungs of the CPU are (CMakeLists.txt). */
static const char *const libraries[] = {"cblas_", "sgemm_", "dnnl_", NULL};
static const char *const suffixes[] = {".c", ".cpp", NULL};
static const char *const compilers[] = {"cc", "gcc", "clang", NULL}, *const cpp_compilers[] = {"c++", "g++", "clang++",
                                                                                               NULL};
static const char *const flags[] = {"-D_XOPEN_SOURCE=700",
                                    "-O3",
                                    "-ffp-contract=fast",
                                    "-fopenmp",
                                    "-falign-functions=64",
                                    "-falign-loops=64",
                                    "-fPIC",
                                    "-shared",
                                    "-Wl,-Bsymbolic",
                                    "-fdiagnostics-color=never",
                                    NULL};

static const struct toolchain toolchain = {
    .suffixes = suffixes,
    .libraries = libraries,
    .compilers = compilers,
    .cpp_compilers = cpp_compilers,
    .flags = flags,
    .after_solution = "cpu/solution.h",
};

const struct backend cpu_backend = {
    .toolchain = &toolchain,
    .before_start = cpu_set_for_players,
    .open = open_cpu,
    .close = close_cpu,
    .describe = describe,
    .free_memory = cpu_free_memory,
    .held_memory = held_memory,
    .leak_calls = LEAK_CALLS,
    .allocate = allocate,
    .release = guarded_memory_release,
    .freeze = guarded_memory_freeze,
    .describe_address = describe_address,
    .lacks = opened_blas_lacks,
    .protect = protect,
    .guard_page = guarded_memory_page,
    .stream = cpu_stream,
    .upload = cpu_copy,
    .download = cpu_copy,
    .fill = cpu_fill,
    .finish = finish,
    .changed = cpu_process_changed,
    .begin_row = begin_row,
    .begin_calls = begin_calls,
    .evict = evict,
    .mark = mark,
    .elapsed = cpu_elapsed,
    .read_state = read_state,
    .spin = cpu_spin,
    .ceiling_variants = cpu_ceiling_variants,
    .ceiling = cpu_ceiling,
};
