/* Flushes line by line, where user programs may do so. The last-level cache of a server has hundreds of MB; filling it
 * with other lines would take longer than most rungs. One thread does it: OpenMP's threads would go on spinning beside
 * the rung that is timed next, which may have threads of its own. */
#include "cpu_evict.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

const char cpu_evict_method[] = "flush-lines";

enum { EVICT_LINE = 64 };

/* These flushes are not ordered, so many lines are in flight at a time. */
static __attribute__((target("clflushopt"))) void flush_unordered(const char *start, const char *end)
{
    for (const char *line = start; line < end; line += EVICT_LINE)
        _mm_clflushopt((void *)(uintptr_t)line);
}

static void flush_ordered(const char *start, const char *end)
{
    for (const char *line = start; line < end; line += EVICT_LINE)
        _mm_clflush(line);
}

const char *cpu_evict(const struct span *spans, size_t count)
{
    unsigned eax, ebx, ecx, edx;
    /* Not every compiler knows this feature by name. */
    bool unordered = __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) && (ebx & bit_CLFLUSHOPT);
    for (size_t i = 0; i < count; ++i) {
        const char *start = spans[i].start;
        (unordered ? flush_unordered : flush_ordered)(start - (uintptr_t)start % EVICT_LINE, start + spans[i].bytes);
    }
    _mm_mfence();
    return NULL;
}

#elif defined(__aarch64__)

const char cpu_evict_method[] = "flush-lines";

const char *cpu_evict(const struct span *spans, size_t count)
{
    uint64_t cache_type;
    __asm__ volatile("mrs %0, ctr_el0" : "=r"(cache_type));
    const size_t line = (size_t)4 << (cache_type >> 16 & 15);
    for (size_t i = 0; i < count; ++i) {
        uintptr_t start = (uintptr_t)spans[i].start, end = start + spans[i].bytes;
        for (uintptr_t address = start - start % line; address < end; address += line)
            __asm__ volatile("dc civac, %0" : : "r"(address) : "memory");
    }
    __asm__ volatile("dsb ish" : : : "memory");
    return NULL;
}

#else

const char cpu_evict_method[] = "read";

/* Without such an instruction: reads twice the size of the last-level cache. */
const char *cpu_evict(const struct span *spans, size_t count)
{
    static volatile char *other;
    static size_t bytes = (size_t)128 << 20;
    (void)spans, (void)count;
    if (other == NULL) {
#ifdef _SC_LEVEL3_CACHE_SIZE
        long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
        if (cache > 0)
            bytes = 2 * (size_t)cache;
#endif
        other = malloc(bytes);
        if (other == NULL)
            return "no memory for the buffer that empties the last-level cache";
        /* pages that were never written are all the same page of zeros */
        for (size_t i = 0; i < bytes; ++i)
            other[i] = (char)i;
    }
    for (size_t i = 0; i < bytes; i += 16)
        (void)other[i];
    return NULL;
}

#endif
