/* Why a row is not faster, of made-up rows: each limit is named, and what stands out is said last. */
#include "bench/report/explain.h"
#include "sample_results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static char text[TEXT_MAX];

static const char *explain(const struct result *r)
{
    FILE *to = fmemopen(text, sizeof text, "w");
    assert_non_null(to);
    explain_row(r, to);
    fclose(to);
    return text;
}

static void assert_says(const struct result *r, const char *expected)
{
    if (!strstr(explain(r), expected))
        fail_msg("'%s' does not say '%s'", text, expected);
}

static void assert_silent(const struct result *r, const char *unexpected)
{
    if (strstr(explain(r), unexpected))
        fail_msg("'%s' says '%s'", text, unexpected);
}

/* 100 us, half of its ceiling, and nothing stands out. */
static struct result gpu_row(const char *ceiling, double floor_bytes_s, double floor_flops_s)
{
    struct result r = timed(row("matmul", "square-128", "cuda_tiled", "cold"), 100e-6);
    strcpy(r.ceiling, ceiling);
    r.bytes = 12e6;
    r.flops = 1.2e9;
    r.floor_bytes_s = floor_bytes_s;
    r.floor_flops_s = floor_flops_s;
    r.floor_s = fmax(floor_bytes_s, floor_flops_s);
    r.empty_kernel_s = 2e-6;
    r.conditions.sm_clock_mhz = 1980;
    strcpy(r.conditions.throttled, "no");
    r.launches = (struct kernel_launches){.kernels = 1,
                                          .kernel = "tiled<32>",
                                          .blocks = 1056,
                                          .block_threads = 256,
                                          .blocks_at_once = 528,
                                          .occupancy_pct = 50,
                                          .occupancy_limit = "registers",
                                          .registers = 64,
                                          .local_bytes = 0,
                                          .shared_bytes = 8192};
    result_derive(&r);
    return r;
}

static void each_ceiling_is_named(void **state)
{
    (void)state;
    struct result r = gpu_row("read", 50e-6, 20e-6);
    assert_says(&r,
                "It takes 100.0 us; moving its bytes would take 50.00 us at best, so it is at 50 % of the ceiling. ");
    assert_int_equal(explain_bound(&r), BOUND_MEMORY);
    r = gpu_row("fma", 10e-6, 50e-6);
    assert_says(&r, "so many multiply-adds would take 50.00 us");
    assert_int_equal(explain_bound(&r), BOUND_FMA);
    r = gpu_row("tf32x3", 10e-6, 50e-6);
    assert_says(&r, "so many products on tensor cores would take 50.00 us");
    assert_int_equal(explain_bound(&r), BOUND_TENSOR_CORES);
    r = gpu_row("", NAN, NAN);
    assert_says(&r, "It takes 100.0 us; no ceiling is known that it could be compared with. ");
}

static void the_balance_says_whether_memory_or_arithmetic_decides(void **state)
{
    (void)state;
    struct result r = gpu_row("read", 50e-6, 20e-6);
    assert_says(&r,
                "A call moves at least 12.00 MB and does 1.200 Gflop, 100 flop per byte; this device does 250 in the "
                "time of a byte, so memory is the limit, and arithmetic alone would take 20.00 us. ");
    r = gpu_row("fma", 10e-6, 50e-6);
    assert_says(&r,
                "this device does 20.0 in the time of a byte, so arithmetic is the limit, and memory alone would take "
                "10.00 us. ");
    r.flops = r.floor_flops_s = NAN;
    assert_says(&r, "A call moves at least 12.00 MB. ");
}

static void the_clock_and_what_lowers_it_are_said(void **state)
{
    (void)state;
    struct result r = gpu_row("read", 50e-6, 20e-6);
    assert_says(&r, "clock was 1980 MHz. ");
    strcpy(r.conditions.throttled, "power-cap");
    assert_says(&r, "clock was 1980 MHz, lowered by the driver (power-cap). ");
}

static void the_launch_is_described(void **state)
{
    (void)state;
    struct result r = gpu_row("fma", 10e-6, 50e-6);
    assert_says(&r,
                "A call launches the kernel tiled<32>: 1056 blocks of 256 threads, 64 registers per thread, 8.192 kB "
                "of shared memory per block, nothing spilled. ");
    r.launches.kernels = 3;
    r.launches.shared_bytes = 0;
    assert_says(&r,
                "A call launches 3 kernels, the largest of them tiled<32>: 1056 blocks of 256 threads, 64 registers "
                "per thread, nothing spilled. ");
    r.launches.kernels = 0; /* a library, or an old driver */
    assert_silent(&r, "launches");
    assert_silent(&r, "occupancy");
}

static void each_limit_of_occupancy_is_named(void **state)
{
    (void)state;
    static const char *const limits[][2] = {
        {"threads", "50 %: another block would have too many threads. "},
        {"registers", "50 %: no registers are left for another block. "},
        {"shared memory", "50 %: no shared memory is left for another block. "},
        {"blocks", "50 %: a multiprocessor holds no more blocks. "},
        {"barriers", "50 %: no barriers are left for another block. "},
        {"", "That allows an occupancy of 50 %. "},
    };
    struct result r = gpu_row("fma", 10e-6, 50e-6);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        strcpy(r.launches.occupancy_limit, limits[i][0]);
        assert_says(&r, limits[i][1]);
    }
    r.launches.occupancy_pct = 100;
    strcpy(r.launches.occupancy_limit, "threads");
    assert_says(&r, "That allows an occupancy of 100 %. ");
    r.launches.occupancy_pct = NAN;
    assert_silent(&r, "occupancy");
}

static void waves_are_counted(void **state)
{
    (void)state;
    struct result r = gpu_row("fma", 10e-6, 50e-6);
    assert_says(&r, "holds 528 such blocks at once, so they come in 2.0 waves. ");
    r.launches.blocks = 1188;
    assert_says(&r, "so they come in 2.2 waves, of which the last takes 25 % of the places. ");
    r.launches.blocks = 132;
    assert_says(&r, "holds 528 such blocks at once, so 25 % of its places are taken. ");
    r.launches.blocks_at_once = 0;
    assert_silent(&r, "such blocks");
}

static void ends_with(const struct result *r, const char *expected)
{
    const char *found = strstr(explain(r), expected);
    if (!found || strstr(found, ". ") != found + strlen(found) - 2)
        fail_msg("'%s' does not end with the sentence that says '%s'", text, expected);
}

/* From what matters most to what matters least: each is hidden by those before it. */
static void what_stands_out_most_is_the_advice(void **state)
{
    (void)state;
    struct result r = gpu_row("fma", 10e-6, 50e-6);
    ends_with(&r, "loads from shared memory, barriers");
    r.launches.occupancy_pct = 12.5;
    ends_with(&r, "The few threads stand out");
    r.launches.blocks = 530;
    ends_with(&r, "The last wave stands out");
    r.launches.blocks = 132;
    ends_with(&r, "The few blocks stand out");
    r.launches.local_bytes = 96;
    assert_says(&r, "96 bytes of local memory per thread (spilled registers, or arrays). ");
    assert_says(&r, "Local memory stands out");
    r.empty_kernel_s = 40e-6;
    assert_says(&r, "An empty kernel takes 40.00 us in this mode, 40 % of the time. ");
    ends_with(&r, "Launches stand out");
    r.ceiling_pct = 85;
    ends_with(&r, "Little is left to gain");
}

/* 100 us; what its own rows explain of the kernel is not said again. */
static struct result e2e_row(const char *transfer, double kernel_s, double download_s)
{
    struct result r = gpu_row("copy", 50e-6, 20e-6);
    strcpy(r.transfer, transfer);
    r.upload_s = 50e-6;
    r.kernel_s = kernel_s;
    r.download_s = download_s;
    return r;
}

static void of_a_row_with_copies_their_share_decides(void **state)
{
    (void)state;
    struct result r = e2e_row("pinned", 19e-6, 28e-6);
    assert_says(&r, "; copying alone would take 50.00 us at best");
    assert_says(&r, "the upload has 50 %, the kernel 19 %, and the download 28 %. ");
    ends_with(&r, "a faster kernel changes little: only fewer bytes, or data that stay on the GPU, would.");
    assert_silent(&r, "launches the kernel");
    assert_silent(&r, "occupancy");
    r.ceiling_pct = 85;
    r.launch_bound = true;
    ends_with(&r, "only fewer bytes, or data that stay");
    r = e2e_row("pageable", 19e-6, 28e-6);
    ends_with(&r, "fewer bytes, or data that stay on the GPU, change most.");
    assert_says(&r, "Pinned memory is copied faster (mode e2e)");
    r = e2e_row("pageable", 30e-6, 20e-6);
    ends_with(&r, "Both count: ");
    r = e2e_row("pinned", 60e-6, 10e-6);
    r.upload_s = 30e-6;
    ends_with(&r, "Most of the time is the kernel's: --modes=cold explains it. ");
    r.kernel_s = r.upload_s;
    ends_with(&r, "Neither has most of the time: ");
}

static void a_host_that_is_too_slow_stands_out(void **state)
{
    (void)state;
    struct result r = gpu_row("fma", 10e-6, 50e-6);
    r.launch_bound = true;
    assert_says(&r, "part of the time is the host's. ");
    ends_with(&r, "Launches stand out");
}

static void the_rest_depends_on_the_bound(void **state)
{
    (void)state;
    struct result r = gpu_row("read", 50e-6, 20e-6);
    ends_with(&r, "how memory is read");
    r = gpu_row("fp16x3", 20e-6, 50e-6);
    ends_with(&r, "how tensor cores are fed");
}

static void a_row_of_a_cpu_says_what_applies(void **state)
{
    (void)state;
    struct result r = timed(row("matmul", "square-128", "cpu_tuned", "hot"), 1e-3);
    strcpy(r.ceiling, "fma");
    r.floor_s = r.floor_flops_s = 0.5e-3;
    r.floor_bytes_s = 0.1e-3;
    r.empty_kernel_s = 20e-9;
    r.conditions.cpu_clock_mhz = 2900;
    result_derive(&r);
    assert_says(&r, "so many multiply-adds would take 500.0 us at best, so it is at 50 % of the ceiling. ");
    assert_says(&r, "It may use 16 CPU threads. The CPU's clock was 2900 MHz. It lost a CPU to others 3 times. ");
    ends_with(&r, "Nothing that was measured explains the rest; `perf stat`");
    assert_silent(&r, "empty kernel");
    assert_silent(&r, "multiprocessors");
}

static void another_rungs_kernel_is_named(void **state)
{
    (void)state;
    struct result r = gpu_row("read", 50e-6, 20e-6);
    strcpy(r.runs_as, "cuda_skinny");
    assert_says(&r, "not made for this shape and ran the kernel of cuda_skinny. ");
}

static void only_times_can_be_explained(void **state)
{
    (void)state;
    struct result r = gpu_row("read", 50e-6, 20e-6), verified = row("matmul", "mnist", "cpu_tuned", "hot");
    struct result lost = failed(r, "wrong answer");
    assert_true(explain_can(&r));
    assert_false(explain_can(&verified) || explain_can(&lost));
    r.unfair = "simulated";
    assert_false(explain_can(&r));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_ceiling_is_named),
        cmocka_unit_test(the_balance_says_whether_memory_or_arithmetic_decides),
        cmocka_unit_test(the_clock_and_what_lowers_it_are_said),
        cmocka_unit_test(the_launch_is_described),
        cmocka_unit_test(each_limit_of_occupancy_is_named),
        cmocka_unit_test(waves_are_counted),
        cmocka_unit_test(what_stands_out_most_is_the_advice),
        cmocka_unit_test(of_a_row_with_copies_their_share_decides),
        cmocka_unit_test(a_host_that_is_too_slow_stands_out),
        cmocka_unit_test(the_rest_depends_on_the_bound),
        cmocka_unit_test(a_row_of_a_cpu_says_what_applies),
        cmocka_unit_test(another_rungs_kernel_is_named),
        cmocka_unit_test(only_times_can_be_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
