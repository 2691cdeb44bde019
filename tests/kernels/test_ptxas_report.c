/* Reading what nvcc -Xptxas -v says. */
#include "kernels/resources/ptxas_report.h"
#include "tests/unit.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define VERSION                                        \
    "nvcc: NVIDIA (R) Cuda compiler driver\n"          \
    "Copyright (c) 2005-2025 NVIDIA Corporation\n"     \
    "Cuda compilation tools, release 13.0, V13.0.88\n" \
    "Build cuda_13.0.r13.0/compiler.36424714_0\n"
#define ENTRY(symbol, arch) "ptxas info    : Compiling entry function '" symbol "' for '" arch "'\n"
#define PROPERTIES(symbol) "ptxas info    : Function properties for " symbol "\n"
#define NO_SPILLS "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
#define USED "ptxas info    : Used "

static bool read_text(const char *text, struct ptxas_report *report, struct error *error)
{
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(file);
    bool right = ptxas_report_read(file, "a.report", report, error);
    fclose(file);
    return right;
}

static struct ptxas_report read_right(const char *text)
{
    struct ptxas_report report;
    struct error error = {.text = ""};
    if (!read_text(text, &report, &error))
        fail_msg("%s", error.text);
    return report;
}

static void refuse(const char *text, const char *expected)
{
    struct ptxas_report report;
    struct error error;
    assert_false(read_text(text, &report, &error));
    assert_int_equal(report.count, 0);
    assert_string_equal(error.text, expected);
}

TEST(a_kernel_has_its_figures)
{
    struct ptxas_report report = read_right(
        VERSION "ptxas info    : 0 bytes gmem\n" ENTRY("_Z5tiledPf", "sm_90a")
            PROPERTIES("_Z5tiledPf") "    16 bytes stack frame, 24 bytes spill stores, 40 bytes spill loads\n" USED
                                     "43 registers, used 1 barriers, 16 bytes cumulative stack size, 8192 bytes smem, "
                                     "408 bytes cmem[0]\n"
                                     "ptxas info    : Compile time = 44.254 ms\n");
    assert_string_equal(report.compiler, "13.0.88");
    assert_int_equal(report.count, 1);
    const struct ptxas_kernel *kernel = &report.kernels[0];
    assert_string_equal(kernel->symbol, "_Z5tiledPf");
    assert_string_equal(kernel->arch, "sm_90a");
    assert_int_equal(kernel->registers, 43);
    assert_int_equal(kernel->barriers, 1);
    assert_int_equal(kernel->static_shared_bytes, 8192);
    assert_int_equal(kernel->stack_bytes, 16);
    assert_int_equal(kernel->spill_store_bytes, 24);
    assert_int_equal(kernel->spill_load_bytes, 40);
    ptxas_report_free(&report);
}

/* Of constant memory, texts of older releases, and kernels that use nothing. */
TEST(what_is_not_said_is_none)
{
    struct ptxas_report report = read_right(VERSION ENTRY("k", "sm_80") PROPERTIES("k") NO_SPILLS USED
                                            "8 registers, 360 bytes cmem[0], 8 bytes cmem[2]\n");
    assert_int_equal(report.kernels[0].registers, 8);
    assert_int_equal(report.kernels[0].barriers, 0);
    assert_int_equal(report.kernels[0].static_shared_bytes, 0);
    ptxas_report_free(&report);
}

TEST(kernels_and_architectures_stay_apart)
{
    struct ptxas_report report = read_right(
        VERSION ENTRY("_Z1kILi1EEvv", "sm_80") PROPERTIES("_Z1kILi1EEvv") NO_SPILLS USED
        "10 registers, 64 bytes smem\n" ENTRY("_Z1kILi2EEvv", "sm_80") PROPERTIES("_Z1kILi2EEvv") NO_SPILLS USED
        "20 registers\n" ENTRY("_Z1kILi1EEvv", "sm_120")
            PROPERTIES("_Z1kILi1EEvv") "    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads\n" USED
                                       "30 registers\n");
    static const int registers[] = {10, 20, 30};
    static const size_t spills[] = {0, 0, 4}, shared[] = {64, 0, 0};
    assert_int_equal(report.count, 3);
    for (size_t i = 0; i < report.count; i++) {
        assert_int_equal(report.kernels[i].registers, registers[i]);
        assert_int_equal(report.kernels[i].spill_store_bytes, spills[i]);
        assert_int_equal(report.kernels[i].static_shared_bytes, shared[i]);
    }
    assert_string_equal(report.kernels[1].symbol, "_Z1kILi2EEvv");
    assert_string_equal(report.kernels[2].arch, "sm_120");
    ptxas_report_free(&report);
}

/* A function that is not inlined is reported behind each kernel that calls it. */
TEST(spills_of_called_functions_count)
{
    struct ptxas_report report = read_right(VERSION ENTRY("k", "sm_80") PROPERTIES(
        "k") "    160 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads\n" USED "30 registers\n"
             "ptxas info    : Compile time = 40.106 ms\n" PROPERTIES(
                 "_Z1ffi") "    8 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads\n" ENTRY("l", "sm_80")
                                                PROPERTIES("l") NO_SPILLS USED "9 registers\n");
    assert_int_equal(report.kernels[0].stack_bytes, 168);
    assert_int_equal(report.kernels[0].spill_store_bytes, 16);
    assert_int_equal(report.kernels[0].spill_load_bytes, 24);
    assert_int_equal(report.kernels[1].spill_store_bytes, 0);
    ptxas_report_free(&report);
}

TEST(other_lines_are_passed_over)
{
    struct ptxas_report report = read_right(
        VERSION "k.cu(3): warning #177-D: Used 99 registers, 5 bytes smem\n"
                "ptxas info    : Overriding maximum register limit 256 for 'k' with  24 of maxrregcount option\n" ENTRY(
                    "k", "sm_80") "    9 bytes stack frame, 9 bytes spill stores, 9 bytes spill loads\n" PROPERTIES("k")
                    NO_SPILLS USED
        "24 registers\n    7 bytes stack frame, 7 bytes spill stores, 7 bytes spill loads\n");
    assert_int_equal(report.count, 1);
    assert_int_equal(report.kernels[0].registers, 24);
    assert_int_equal(report.kernels[0].stack_bytes, 0);
    ptxas_report_free(&report);
}

TEST(something_may_be_missing)
{
    refuse("", "a.report: does not say whose it is; expected nvcc's version before its report");
    refuse(ENTRY("k", "sm_80") PROPERTIES("k") NO_SPILLS USED "24 registers\n",
           "a.report: does not say whose it is; expected nvcc's version before its report");
    refuse(VERSION, "a.report: names no kernel; expected the report of nvcc -Xptxas -v");
    refuse(VERSION ENTRY("k", "sm_80") PROPERTIES("k") NO_SPILLS,
           "a.report: k for sm_80: its registers are missing; expected the whole report of nvcc -Xptxas -v");
    refuse(VERSION ENTRY("k", "sm_80") USED "24 registers\n",
           "a.report: k for sm_80: its spills are missing; expected the whole report of nvcc -Xptxas -v");
    refuse(VERSION ENTRY("k", "sm_80") ENTRY("l", "sm_80") PROPERTIES("l") NO_SPILLS USED "24 registers\n",
           "a.report: k for sm_80: its registers are missing; expected the whole report of nvcc -Xptxas -v");
    refuse(VERSION ENTRY("k", "sm_80") PROPERTIES("k") NO_SPILLS USED "24 registers\n" ENTRY("l", "sm_80"),
           "a.report: l for sm_80: its registers are missing; expected the whole report of nvcc -Xptxas -v");
    refuse(VERSION "ptxas info    : Compiling entry function 'k'\n",
           "a.report: kernel k is for no architecture; expected one such as sm_90a");
}
