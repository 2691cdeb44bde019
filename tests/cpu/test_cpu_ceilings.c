/* The CPU's ceilings: that the work is done, all of it and no more, and that no rung could do it faster. */
#define _DEFAULT_SOURCE /* mincore, MADV_NOHUGEPAGE */
#include "cpu/backend/cpu_parts.h"

#include "bench/table/backend.h"
#include "bench/table/matmul.h"
#include "bench/table/rung.h"
#include "cpu/backend/cpu_isa.h"
#include "tests/unit.h"

#include "tests/skip.h"

#include <sys/mman.h>
#include <time.h>

static void open_with(int threads)
{
    assert_null(cpu_backend.open(&(struct backend_settings){.device = -1, .threads = threads}));
}

/* Of all processors, without the time of other processes. */
static double processor_time_s(void)
{
    struct timespec time;
    assert_int_equal(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time), 0);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double seconds(void (*work)(void *argument), void *argument)
{
    double best = INFINITY;
    for (int i = 0; i < 15; i++) {
        double start_s = processor_time_s();
        work(argument);
        best = fmin(best, processor_time_s() - start_s);
    }
    return best;
}

#define SKIP_TIMES()                                                     \
    do {                                                                 \
        if (!unit_at_length())                                           \
            skip_because("times are compared by scripts/test.sh --all"); \
    } while (0)

/* What shares the core can make any one comparison of times wrong. A kernel that leaves work out is wrong in each. */
#define ASSERT_ONCE(seen, condition, ...)            \
    for (int try_ = 0; (seen), !(condition); try_++) \
        if (try_ == 30)                              \
    fail_msg(__VA_ARGS__)

#if ISA_X86
/* Each of these additions waits for the one before, for a cycle. A core has several units for them, so others who use
 * it hardly delay them. */
enum { ADDITIONS = 8, ROUNDS = 75000 };

static void add(void *argument)
{
    uint64_t number = 3;
    for (int i = 0; i < ROUNDS; i++)
        __asm__ volatile("add %0, %0\n\tadd %0, %0\n\tadd %0, %0\n\tadd %0, %0\n\t"
                         "add %0, %0\n\tadd %0, %0\n\tadd %0, %0\n\tadd %0, %0"
                         : "+r"(number));
    *(uint64_t *)argument = number;
}

static double cycles_per_second(void)
{
    uint64_t number;
    return (double)ADDITIONS * ROUNDS / seconds(add, &number);
}
#endif

/* Some pages, none of which has been touched, with one behind them that may not be. */
struct pages {
    size_t size, count;
    char *start;
};

static struct pages map_pages(size_t count)
{
    struct pages pages = {.size = (size_t)sysconf(_SC_PAGESIZE), .count = count};
    pages.start = mmap(NULL, (count + 1) * pages.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(pages.start != MAP_FAILED);
    madvise(pages.start, count * pages.size, MADV_NOHUGEPAGE);
    assert_int_equal(mprotect(pages.start + count * pages.size, pages.size, PROT_NONE), 0);
    return pages;
}

static size_t count_touched(const struct pages *pages)
{
    unsigned char present[256];
    assert_true(pages->count <= sizeof present);
    assert_int_equal(mincore(pages->start, pages->count * pages->size, present), 0);
    size_t touched = 0;
    for (size_t i = 0; i < pages->count; i++)
        touched += present[i] & 1;
    return touched;
}

static void unmap(const struct pages *pages)
{
    munmap(pages->start, (pages->count + 1) * pages->size);
}

TEST(reading_touches_all_that_is_to_be_read)
{
    enum { PAGES = 201 };
    for (int threads = 1; threads <= 5; threads += 2) {
        open_with(threads);
        assert_int_equal(cpu_ceiling_variants(CEILING_READ), threads == 1 ? 2 : 4);
        for (int variant = 0; variant < cpu_ceiling_variants(CEILING_READ); variant++) {
            struct pages pages = map_pages(PAGES);
            /* ... to the last byte, and no further: behind it a read would end this test. */
            assert_null(cpu_ceiling(CEILING_READ, variant, pages.start, (double)((PAGES - 1) * pages.size)));
            assert_int_equal(count_touched(&pages), PAGES - 1);
            assert_null(cpu_ceiling(CEILING_READ, variant, pages.start, (double)((PAGES - 1) * pages.size + 1)));
            assert_int_equal(count_touched(&pages), PAGES);
            assert_null(cpu_ceiling(CEILING_READ, variant, pages.start + 32, (double)(PAGES * pages.size - 32)));
            unmap(&pages);
        }
        cpu_backend.close();
    }
}

/* By the kernels of all instruction sets that this machine has: from an odd address on, sizes that leave every rest. */
TEST(every_instruction_set_reads_to_the_end)
{
    assert_null(ceiling_kernels_of(isa_best() + 3));
    for (int isa = 0; isa <= isa_best(); isa++) {
        for (int spread = 0; spread < 2; spread++) {
            struct pages pages = map_pages(40);
            const char *end = pages.start + pages.count * pages.size;
            for (size_t bytes = 0; bytes < 9000; bytes += 1 + bytes / 32)
                ceiling_kernels_of(isa)->read[spread](end - bytes, bytes);
            assert_true(count_touched(&pages) <= 4);
            ceiling_kernels_of(isa)->read[spread](pages.start, pages.count * pages.size);
            assert_int_equal(count_touched(&pages), pages.count);
            unmap(&pages);
        }
    }
}

struct additions {
    const struct ceiling_kernels *kernels;
    int64_t rounds;
    float mean;
};

static void multiply_add(void *argument)
{
    struct additions *additions = argument;
    additions->mean = additions->kernels->multiply_add(additions->rounds);
}

TEST(multiply_adds_are_done_one_by_one)
{
    for (int isa = 0; isa <= isa_best(); isa++) {
        struct additions few = {ceiling_kernels_of(isa), 20000, 0}, many = {ceiling_kernels_of(isa), 160000, 0};
        double ratio;
        multiply_add(&few);
        multiply_add(&many);
        assert_true(fabs(few.mean - 1.5) < 0.02 && many.mean == few.mean);
        if (unit_at_length())
            ASSERT_ONCE(ratio = seconds(multiply_add, &many) / seconds(multiply_add, &few), ratio > 4 && ratio < 16,
                        "instruction set %d: eight times the work took %g times as long", isa, ratio);
    }
}

struct ceiling_work {
    int variant;
    double flop;
};

static void fma_ceiling(void *argument)
{
    const struct ceiling_work *work = argument;
    cpu_ceiling(CEILING_FMA, work->variant, NULL, work->flop);
}

#if ISA_X86
enum { IN_FIRST_CACHE = 16384, READINGS = 200 };

struct reading {
    void (*read)(const char *start, size_t bytes);
    const char *memory;
};

static void read_often(void *argument)
{
    const struct reading *reading = argument;
    for (int i = 0; i < READINGS; i++)
        reading->read(reading->memory, IN_FIRST_CACHE);
}
#endif

/* Three vectors a cycle is the most that any processor loads: who reads more has left something out. And two units for
 * multiply-adds, or for either half of them, is the most that there are in a core. */
TEST(no_ceiling_is_higher_than_loads_and_units_allow)
{
#if ISA_X86
    SKIP_TIMES();
    static _Alignas(64) char memory[IN_FIRST_CACHE];
    double per_cycle;
    for (int isa = 0; isa <= isa_best(); isa++)
        for (int spread = 0; spread < 2; spread++) {
            struct reading reading = {ceiling_kernels_of(isa)->read[spread], memory};
            ASSERT_ONCE(per_cycle = IN_FIRST_CACHE * READINGS / seconds(read_often, &reading) / cycles_per_second(),
                        per_cycle < 3.3 * (16 << isa), "instruction set %d, %d: %g bytes a cycle", isa, spread,
                        per_cycle);
        }
    for (int threads = 1; threads <= 2; threads++) {
        open_with(threads);
        for (int variant = 0; variant < cpu_ceiling_variants(CEILING_FMA); variant++) {
            struct ceiling_work work = {variant, 5e7}; /* each thread may have a core of its own */
            ASSERT_ONCE(per_cycle = work.flop / seconds(fma_ceiling, &work) / cycles_per_second(),
                        per_cycle < 1.3 * threads * 2 * 2 * (4 << isa_best()),
                        "%d threads, variant %d: %g operations a cycle", threads, variant, per_cycle);
        }
        cpu_backend.close();
    }
#else
    skip_because("not an x86 processor");
#endif
}

static void matmul(void *argument)
{
    matmul_cpu_auto(argument, NULL);
}

enum { SIDE = 384 };

TEST(no_matmul_is_faster_than_the_ceiling)
{
    SKIP_TIMES();
    static float a[SIDE * SIDE], b[SIDE * SIDE], c[SIDE * SIDE];
    struct matmul_problem problem = {.m = SIDE, .n = SIDE, .k = SIDE, .a = a, .b = b, .c = c};
    for (int i = 0; i < SIDE * SIDE; i++)
        a[i] = b[i] = 1.0F + (float)(i % 97) / 97;
    open_with(1);
    assert_int_equal(cpu_ceiling_variants(CEILING_FMA), 1);
    struct ceiling_work work = {.flop = 2.0 * SIDE * SIDE * SIDE};
    double ratio;
    ASSERT_ONCE(ratio = seconds(fma_ceiling, &work) / seconds(matmul, &problem), ratio < 1.02,
                "as many operations as a matmul take %g times as long", ratio);
    cpu_backend.close();
}

/* The largest team that was asked for; gcc's. */
static unsigned team;
void __real_GOMP_parallel(void (*function)(void *), void *data, unsigned threads, unsigned flags);
void __wrap_GOMP_parallel(void (*function)(void *), void *data, unsigned threads, unsigned flags);

void __wrap_GOMP_parallel(void (*function)(void *), void *data, unsigned threads, unsigned flags)
{
    team = threads > team ? threads : team;
    __real_GOMP_parallel(function, data, threads, flags);
}

TEST(variants_are_one_thread_and_all)
{
    static const struct {
        enum ceiling_kind kind;
        int variant;
        bool is_of_all;
    } cases[] = {{CEILING_FMA, 0, false},  {CEILING_FMA, 1, true},  {CEILING_READ, 0, false},
                 {CEILING_READ, 1, false}, {CEILING_READ, 2, true}, {CEILING_READ, 3, true}};
    char memory[4096];
    open_with(9);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        team = 0;
        assert_null(cpu_ceiling(cases[i].kind, cases[i].variant, memory, sizeof memory));
        assert_true(cases[i].is_of_all ? team == 9 : team <= 1);
    }
    assert_int_equal(cpu_ceiling_variants(CEILING_COPY), 0);
    assert_non_null(cpu_ceiling(CEILING_COPY, 0, NULL, 0));
    cpu_backend.close();
}
