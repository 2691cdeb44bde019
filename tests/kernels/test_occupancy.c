/* Occupancies worked out by hand from the limits of a multiprocessor: threads, registers (64 Ki, given to warps by
 * 256), shared memory (a block takes 1 KiB more than it asks for), blocks. */
#include "kernels/resources/occupancy.h"
#include "tests/unit.h"

#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KIB = 1024 };

/* A multiprocessor that can hold `most` warps holds so many. */
static void expect(const struct ptxas_kernel *kernel, unsigned threads, size_t dynamic_shared_bytes, int warps,
                   int most)
{
    struct error error;
    double pct = -1;
    assert_true(occupancy_pct(kernel, threads, dynamic_shared_bytes, &pct, &error));
    if (fabs(pct - 100.0 * warps / most) > 1e-9)
        fail_msg("%s, %d registers, %zu + %zu bytes, %u threads: %g %%, expected %d of %d warps", kernel->arch,
                 kernel->registers, kernel->static_shared_bytes, dynamic_shared_bytes, threads, pct, warps, most);
}

TEST(registers_limit_it)
{
    expect(&(struct ptxas_kernel){.arch = "sm_90a", .registers = 32}, 256, 0, 64, 64);
    expect(&(struct ptxas_kernel){.arch = "sm_90a", .registers = 33}, 256, 0, 48, 64);  /* 40 a thread: 6 blocks */
    expect(&(struct ptxas_kernel){.arch = "sm_90a", .registers = 36}, 1024, 0, 32, 64); /* and 1 of 32 warps */
    expect(&(struct ptxas_kernel){.arch = "sm_90a", .registers = 255}, 256, 0, 8, 64);
    expect(&(struct ptxas_kernel){.arch = "sm_86", .registers = 40}, 256, 0, 48, 48);
    expect(&(struct ptxas_kernel){.arch = "sm_120", .registers = 48}, 256, 0, 40, 48);
}

TEST(shared_memory_limits_it)
{
    struct ptxas_kernel kernel = {.registers = 32, .static_shared_bytes = 16 * KIB};
    static const struct {
        const char *arch;
        int blocks, most;
    } expected[] = {
        {"sm_80", 4, 64},  {"sm_86", 3, 48},  {"sm_89", 3, 48},  {"sm_90a", 6, 64},
        {"sm_100", 6, 64}, {"sm_103", 6, 64}, {"sm_120", 3, 48}, {"sm_121", 3, 48},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        snprintf(kernel.arch, sizeof kernel.arch, "%s", expected[i].arch);
        expect(&kernel, 256, 16 * KIB, 8 * expected[i].blocks, expected[i].most); /* 33 KiB a block */
    }
}

TEST(blocks_and_warps_limit_it)
{
    struct ptxas_kernel a100 = {.arch = "sm_80", .registers = 16}, a10 = {.arch = "sm_86", .registers = 16};
    expect(&a100, 32, 0, 32, 64);  /* 32 blocks */
    expect(&a10, 32, 0, 16, 48);   /* 16 */
    expect(&a10, 1024, 0, 32, 48); /* half a block is none */
    expect(&a100, 33, 0, 64, 64);  /* a warp of one thread is a warp */
}

TEST(what_cannot_be_launched_has_none)
{
    struct ptxas_kernel h100 = {.arch = "sm_90a", .registers = 32}, a10 = {.arch = "sm_86", .registers = 32};
    expect(&h100, 1025, 0, 0, 64);
    expect(&h100, 0, 0, 0, 64);
    expect(&h100, 256, 227 * KIB, 8, 64);
    expect(&h100, 256, 227 * KIB + 1, 0, 64);
    expect(&a10, 256, 99 * KIB, 8, 48);
    expect(&a10, 256, 99 * KIB + 1, 0, 48);
    h100.registers = 128;
    expect(&h100, 1024, 0, 0, 64);
}

/* All 16 barriers of a block; the calculator heeds them from 9.0 on. */
TEST(barriers_limit_it)
{
    expect(&(struct ptxas_kernel){.arch = "sm_90a", .registers = 16, .barriers = 16}, 256, 0, 32, 64);
    expect(&(struct ptxas_kernel){.arch = "sm_120", .registers = 16, .barriers = 16}, 256, 0, 8, 48);
}

TEST(an_architecture_may_be_unknown)
{
    static const char *const names[] = {"sm_75", "sm_9", "90a", "", "compute_90"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct ptxas_kernel kernel = {.registers = 16};
        struct error error;
        double pct;
        snprintf(kernel.arch, sizeof kernel.arch, "%s", names[i]);
        assert_false(occupancy_pct(&kernel, 256, 0, &pct, &error));
        assert_non_null(strstr(error.text, "its multiprocessor is not known"));
    }
}
