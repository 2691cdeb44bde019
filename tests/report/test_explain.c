/* Why a row is not faster, of made-up rows: each limit is named, and what stands out is said last. */
#define _DEFAULT_SOURCE /* strsep() */
#include "bench/report/explain.h"
#include "sample_results.h"
#include "tests/unit.h"

/* 100 us on a GPU, half of its ceiling, and nothing stands out; with its copies it is the same row in e2e. */
static const char on_gpu[] = "bytes=12e6;flops=1.2e9;ceiling=fma;floor_s=50e-6;floor_bytes_s=10e-6;floor_flops_s=50e-6;"
                             "ceiling_pct=50;empty_kernel_s=2e-6;sm_clock_mhz=1980;throttled=no;kernels=1;"
                             "kernel=tiled<32>;blocks=1056;block_threads=256;blocks_at_once=528;occupancy_pct=50;"
                             "occupancy_limit=registers;registers=64;local_bytes=0;shared_bytes=8192";
static const char by_memory[] = "ceiling=read;floor_bytes_s=50e-6;floor_flops_s=20e-6";
static const char pinned[] = "transfer=pinned;upload_s=50e-6;kernel_s=19e-6;download_s=28e-6";

/* "column=value;column=value" */
static void change(struct result *r, const char *changes)
{
    char text[1024], *rest = text;
    snprintf(text, sizeof text, "%s", changes);
    for (char *value = text; (value = strsep(&rest, ";")) && *value;) {
        const char *name = strsep(&value, "=");
        size_t i = 0;
        while (strcmp(result_columns[i].name, name) != 0)
            i++;
        assert_true(column_parse(&result_columns[i], value, r));
    }
}

static struct result gpu_row(const char *changes, const char *more)
{
    struct result r = timed(row("matmul", "square-128", "cuda_tiled", "cold"), 100e-6);
    change(&r, on_gpu);
    change(&r, changes);
    change(&r, more);
    return r;
}

/* The sentences have these words: at their end after $, and not at all after !. */
static void assert_says(const struct result *r, const char *expected)
{
    static char text[TEXT_MAX];
    bool is_last = expected[0] == '$', is_silent = expected[0] == '!';
    PRINT_TO(text, to, explain_row(r, to));
    const char *found = strstr(text, expected + (is_last || is_silent));
    if (!found != is_silent || (is_last && strstr(found, ". ") != found + strlen(found) - 2))
        fail_msg("'%s', expected '%s'", text, expected);
}

TEST(each_fact_has_its_sentence)
{
    static const struct {
        const char *changes, *more, *says;
    } cases[] = {
        {"", "",
         "It takes 100.0 us; so many multiply-adds would take 50.00 us at best, so it is at 50 % of the ceiling. "},
        {by_memory, "", "It takes 100.0 us; moving its bytes would take 50.00 us at best"},
        {"ceiling=tf32x3", "", "; so many products on tensor cores would take 50.00 us"},
        {"ceiling=;floor_s=", "", "It takes 100.0 us; no ceiling is known that it could be compared with. "},
        {"runs_as=cuda_skinny", "", "not made for this shape and ran the kernel of cuda_skinny. "},
        {by_memory, "",
         "A call moves at least 12.00 MB and does 1.200 Gflop, 100 flop per byte; this device does 250 in the time of "
         "a "
         "byte, so memory is the limit, and arithmetic alone would take 20.00 us. "},
        {"", "",
         "this device does 20.0 in the time of a byte, so arithmetic is the limit, and memory alone would take 10.00 "
         "us. "},
        {"flops=;floor_flops_s=", "", "A call moves at least 12.00 MB. "},
        {"", "", "clock was 1980 MHz. "},
        {"throttled=power-cap", "", "clock was 1980 MHz, lowered by the driver (power-cap). "},
        {"", "",
         "A call launches the kernel tiled<32>: 1056 blocks of 256 threads, 64 registers per thread, 8.192 kB of "
         "shared "
         "memory per block, nothing spilled. "},
        {"kernels=3;shared_bytes=0", "",
         "A call launches 3 kernels, the largest of them tiled<32>: 1056 blocks of 256 threads, 64 registers per "
         "thread, "
         "nothing spilled. "},
        {"local_bytes=96", "", "96 bytes of local memory per thread (spilled registers, or arrays). "},
        {"kernels=", "", "!launches"}, /* a library, or an old driver */
        {"kernels=", "", "!occupancy"},
        {"", "occupancy_limit=registers", "50 %, limited by registers. "},
        {"", "occupancy_limit=", "That allows an occupancy of 50 %. "},
        {"occupancy_pct=100", "occupancy_limit=threads", "That allows an occupancy of 100 %. "},
        {"occupancy_pct=", "", "!occupancy"},
        {"", "", "holds 528 such blocks at once, so they come in 2.0 waves. "},
        {"blocks=1188", "", "so they come in 2.2 waves. "},
        {"blocks=132", "", "holds 528 such blocks at once, so they come in 0.2 waves. "},
        {"blocks_at_once=", "", "!such blocks"},
        {"empty_kernel_s=40e-6", "", "An empty kernel takes 40.00 us in this mode, 40 % of the time. "},
        {"launch_bound=yes", "", "part of the time is the host's. "},
        {pinned, "", "; copying alone would take 50.00 us at best"},
        {pinned, "", "the upload has 50 %, the kernel 19 %, and the download 28 %. "},
        {pinned, "", "!launches the kernel"},
        {pinned, "", "!occupancy"},
        {pinned, "transfer=pageable", "pinned memory is copied faster (mode e2e)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct result r = gpu_row(cases[i].changes, cases[i].more);
        assert_says(&r, cases[i].says);
    }
}

/* From what matters least to what matters most: each hides those before it. */
TEST(what_stands_out_most_is_the_advice)
{
    static const char *const steps[][2] = {
        {"", "$loads, barriers"},
        {"occupancy_pct=12.5", "$The few threads stand out"},
        {"blocks=530", "$The last wave stands out"},
        {"blocks=132", "$The few blocks stand out"},
        {"local_bytes=96", "Local memory stands out"},
        {"empty_kernel_s=40e-6", "$Launches stand out"},
        {"ceiling_pct=85", "$Little is left to gain"},
        {"transfer=pinned;upload_s=50e-6;kernel_s=19e-6;download_s=28e-6",
         "$Most of the time is copies: only fewer bytes"},
        {"launch_bound=yes", "$only fewer bytes, or data that stay"},
        {"transfer=pageable;upload_s=30e-6", "$fewer bytes, or data that stay on the GPU, change most."},
        {"kernel_s=60e-6;download_s=10e-6", "$Most of the time is the kernel's: --modes=cold explains it. "},
        {"kernel_s=30e-6;upload_s=30e-6", "$What the host does for each call counts"},
    };
    struct result r = gpu_row("", "");
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        change(&r, steps[i][0]);
        assert_says(&r, steps[i][1]);
    }
    r = gpu_row("launch_bound=yes", "");
    assert_says(&r, "$Launches stand out");
}

TEST(the_rest_depends_on_the_bound)
{
    static const struct {
        const char *changes;
        enum bound bound;
        const char *says;
    } bounds[] = {{"ceiling=read", BOUND_MEMORY, "$how memory is read"},
                  {"ceiling=", BOUND_MEMORY, "$how memory is read"},
                  {"ceiling=fma", BOUND_FMA, "$what each multiply-add costs"},
                  {"ceiling=fp16x3", BOUND_TENSOR_CORES, "$how tensor cores are fed"}};
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        struct result r = gpu_row(bounds[i].changes, "");
        assert_says(&r, bounds[i].says);
        assert_int_equal(explain_bound(&r), bounds[i].bound);
    }
}

TEST(a_row_of_a_cpu_says_what_applies)
{
    static const char *const says[] = {
        "so many multiply-adds would take 500.0 us at best, so it is at 50 % of the ceiling. ",
        "It may use 16 CPU threads. The CPU's clock was 2900 MHz. It lost a CPU to others 3 times. ",
        "$Nothing that was measured explains the rest; `perf stat`", "!empty kernel", "!multiprocessors"};
    struct result r = timed(row("matmul", "square-128", "cpu_auto", "hot"), 1e-3);
    change(&r, "ceiling=fma;floor_s=0.5e-3;floor_flops_s=0.5e-3;floor_bytes_s=0.1e-3;empty_kernel_s=20e-9;"
               "cpu_clock_mhz=2900;ceiling_pct=50");
    for (size_t i = 0; i < sizeof says / sizeof says[0]; i++)
        assert_says(&r, says[i]);
}

TEST(only_times_can_be_explained)
{
    struct result r = gpu_row("", ""), verified = row("matmul", "mnist", "cpu_auto", "hot");
    struct result lost = failed(r, "wrong answer");
    assert_true(explain_can(&r));
    assert_false(explain_can(&verified) || explain_can(&lost));
    r.unfair = "simulated";
    assert_false(explain_can(&r));
}
