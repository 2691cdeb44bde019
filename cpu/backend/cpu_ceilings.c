#include "cpu_parts.h"

#include "bench/base/ceil_div.h"
#include "cpu_isa.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum { CACHE_LINE = 64 };
enum { STREAMS = 8 };

/* The constraint of an asm statement that puts a vector into a register. */
#if ISA_X86
#define VECTOR_REGISTER "v"
#elif defined(__aarch64__)
#define VECTOR_REGISTER "w"
#else
#define VECTOR_REGISTER "m"
#endif

#define ISA_TEMPLATE "cpu/backend/cpu_ceiling_kernels_isa.h"
#include "cpu_each_isa.h"

const struct ceiling_kernels *ceiling_kernels_of(int isa)
{
    static const struct ceiling_kernels *const by_isa[] = ISA_TABLE(ceiling_kernels);
    return isa < (int)(sizeof by_isa / sizeof by_isa[0]) ? by_isa[isa] : NULL;
}

/* Variants: one thread, and all threads. Small work is fastest on one thread, because no other has to be woken. Reading
 * has two variants of each: one stream, and several at a time, which some processors read faster. The ceiling of
 * copying is not known: a processor may or may not read a line before it overwrites it. */
int cpu_ceiling_variants(enum ceiling_kind kind)
{
    const int teams = omp_get_max_threads() > 1 ? 2 : 1;
    switch (kind) {
    case CEILING_READ: return 2 * teams;
    case CEILING_FMA: return teams;
    default: return 0;
    }
}

static int team_of(int variant)
{
    return variant == 0 ? 1 : omp_get_max_threads();
}

static void read_all(int threads, bool spread, const char *memory, size_t bytes)
{
    void (*read)(const char *start, size_t bytes) = ceiling_kernels_of(isa_best())->read[spread];
    if (threads == 1) {
        read(memory, bytes);
        return;
    }
    const size_t lines = (size_t)ceil_div((int64_t)bytes, CACHE_LINE);
#pragma omp parallel num_threads(threads)
    {
        size_t team = (size_t)omp_get_num_threads(), self = (size_t)omp_get_thread_num();
        size_t start = lines * self / team * CACHE_LINE, end = lines * (self + 1) / team * CACHE_LINE;
        if (end > bytes)
            end = bytes;
        if (start < end)
            read(memory + start, end - start);
    }
}

static const char *multiply_add_all(int threads, double flop)
{
    const struct ceiling_kernels *kernels = ceiling_kernels_of(isa_best());
    bool wrong = false;
#pragma omp parallel num_threads(threads) reduction(|| : wrong) if (threads > 1)
    {
        float mean = kernels->multiply_add((int64_t)ceil(flop / omp_get_num_threads() / kernels->round_flop));
        wrong = wrong || !(mean > 1 && mean < 2);
    }
    return wrong ? "the timed multiply-adds have a wrong result" : NULL;
}

const char *cpu_ceiling(enum ceiling_kind kind, int variant, void *memory, double amount)
{
    switch (kind) {
    case CEILING_READ: read_all(team_of(variant / 2), variant % 2 == 1, memory, (size_t)amount); return NULL;
    case CEILING_FMA: return multiply_add_all(team_of(variant), amount);
    default: return "this ceiling is not known for CPUs";
    }
}
