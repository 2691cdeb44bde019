/* What ncu counts, as sentences; and what becomes of --explain where it is, is not, or refuses. A script stands in for
 * it. */
#include "bench/run/explanation.h"

#include "bench/report/result.h"
#include "tests/unit.h"

/* As ncu 2025 prints on an H200, with fewer columns and other figures. */
#define BEFORE                                                         \
    "==PROF== Connected to process 1040 (/usr/bin/rungbench)\n"        \
    "==PROF== Profiling \"tiled\" - 0: 0%....50%....100% - 3 passes\n" \
    "==PROF== Disconnected from process 1040\n"                        \
    "\"ID\",\"Process ID\",\"Kernel Name\",\"Grid Size\",\"gpu__time_duration.sum\","
#define UNITS "\n\"\",\"\",\"\",\"\",\"ns\","
#define KERNEL "\n\"0\",\"1040\",\"tiled(long, const float *)\",\"(4096, 1, 1)\",\"2,004,480\","

static const char memory_bound[] =
    BEFORE "\"dram__bytes_read.sum\",\"dram__bytes_write.sum\",\"lts__t_sector_hit_rate.pct\","
           "\"smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio\","
           "\"sm__warps_active.avg.pct_of_peak_sustained_active\"" UNITS "\"byte\",\"byte\",\"%\",\"inst\",\"%\"" KERNEL
           "\"33,563,136\",\"2,436,864\",\"61.46\",\"3.47\",\"98.70\"\n";

static const char counted[] =
    "gpu__time_duration.sum=2004480,dram__bytes_read.sum=33563136,dram__bytes_write.sum=2436864,"
    "lts__t_sector_hit_rate.pct=61.46,smsp__average_warps_issue_stalled_long_scoreboard_per_"
    "issue_active.ratio=3.47,sm__warps_active.avg.pct_of_peak_sustained_active=98.7";

static struct result result;
static char text[4096];
static struct error error;

static int set_up(void **state)
{
    static struct run_facts facts;
    result = result_blank();
    result.run = &facts;
    result.round_count = 1;
    strcpy(result.name, "matmul/small/right/cold");
    strcpy(result.op, "matmul");
    strcpy(result.workload, "small");
    strcpy(result.variant, "right");
    strcpy(result.backend, "fake");
    strcpy(result.ceiling, "read");
    result.bytes = 12e6;
    result.statistics = statistics_of((double[]){1e-4}, 1);
    return 0;
}

AROUND_EACH_TEST(set_up, NULL)

#define COUNTED "\"dram__bytes_read.sum\"" UNITS "\"byte\""

/* What --explain prints of these rows where `script` is called ncu; without a script there is none. */
static const char *explain_rows(const char *script, struct result *rows, size_t count)
{
    struct result_list results = {.items = rows, .count = count};
    char *flags[] = {"--seed=7", NULL};
    char old_path[4096];
    FILE *to = fmemopen(text, sizeof text, "w"), *file = fopen("ncu", "w");
    assert_true(to && file);
    text[0] = '\0';
    snprintf(old_path, sizeof old_path, "%s", getenv("PATH"));
    char path[5000];
    snprintf(path, sizeof path, ".%s%s", script ? ":" : "", script ? old_path : "");
    fprintf(file, "#!/bin/sh\n%s\n", script ? script : "");
    fclose(file);
    assert_int_equal(chmod("ncu", script ? 0700 : 0600), 0);
    setenv("PATH", path, 1);
    assert_true(explanation_print(&results, flags, to, &error));
    setenv("PATH", old_path, 1);
    fclose(to);
    remove("ncu");
    for (char *c = text; *c; c++) /* lines are wrapped */
        if (*c == '\n' && c[1] == ' ' && c[2] == ' ')
            memmove(c, c + 2, strlen(c + 2) + 1);
    return text;
}

static const char *explain(const char *script)
{
    return explain_rows(script, &result, 1);
}

/* Of several kernels the longest counts. */
TEST(a_row_has_the_sentences_of_what_bounds_it)
{
    static const struct {
        const char *ceiling, *page, *second, *says;
    } cases[] = {
        {"read", memory_bound, "",
         " ncu counted: DRAM moved 36.00 MB, 3.00 times what must move. The L2 cache had 61 % of what it was asked "
         "for. For each that was issued, 3.47 warps waited for global memory. The occupancy was 99 % in fact.\n"},
        {"fma",
         BEFORE "\"sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active\","
                "\"smsp__issue_active.avg.pct_of_peak_sustained_active\","
                "\"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum\"" UNITS "\"%\",\"%\",\"\"" KERNEL
                "\"16.03\",\"46.30\",\"1,234\"\n",
         "",
         " ncu counted: The units for multiply-adds were busy to 16 %. An instruction was issued in 46 % of the "
         "cycles. Loads from shared memory had 1234 bank conflicts.\n"},
        {"fp16x3",
         BEFORE "\"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active\"" UNITS "\"%\"" KERNEL "\"71.5\"\n",
         "", " ncu counted: The tensor cores were busy to 72 %.\n"},
        {"read", memory_bound,
         "\"1\",\"1040\",\"split<4, 2>(const float *)\",\"(8, 1, 1)\",\"6,013,440\",\"10,000,000\",\"2,000,000\","
         "\"n/a\",\"0.50\",\"12.00\"\n",
         " ncu counted: Of 2 kernels split<4, 2> took the longest, 75 % of the time of all. DRAM moved 48.00 MB, 4.00 "
         "times what must move. For each that was issued, 0.50 warps waited for global memory. The occupancy was 12 % "
         "in fact.\n"},
        {"read", "==PROF== Connected\n==WARNING== No kernels were profiled.\n", "", " nothing here: it saw no kernel"},
        {"read", BEFORE COUNTED "\n", "", " nothing here: it counted none of what was asked for"},
        {"read", BEFORE COUNTED KERNEL "\"n/a\"\n", "", " nothing here: it counted"},
        {"read", "\"ID\",\"Kernel\n", "", "quoted cell has no end"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        char script[4096];
        strcpy(result.ceiling, cases[i].ceiling);
        snprintf(script, sizeof script, "cat <<'END'\n%s%sEND", cases[i].page, cases[i].second);
        if (!strstr(explain(script), cases[i].says))
            fail_msg("'%s' does not say '%s'", text, cases[i].says);
        if (cases[i].second[0]) /* of all kernels, or of the longest what is no sum */
            assert_non_null(strstr(result.counters, "duration.sum=8017920,dram__bytes_read.sum=43563136,"
                                                    "dram__bytes_write.sum=4436864,smsp__average"));
    }
}

/* What ncu was called with, call after call; empty: it was not called. */
static const char *calls_of(struct result *rows, size_t count)
{
    static char called[8192];
    char script[4096];
    snprintf(script, sizeof script, "printf '%%s ' \"$@\" >>called; cat <<'END'\n%sEND", memory_bound);
    remove("called");
    (void)explain_rows(script, rows, count);
    file_get("called", called, sizeof called);
    return called;
}

TEST(a_row_of_a_gpu_is_profiled_once)
{
    const char *called = calls_of(&result, 1);
    assert_non_null(strstr(text, "matmul/small/right/cold It takes 100.0 us; "));
    assert_non_null(strstr(text, " In one launch ncu counted: DRAM moved 36.00 MB, 3.00 times"));
    assert_non_null(strstr(called,
                           "--profile-from-start off --clock-control none --csv --page raw --print-units base "
                           "--metrics gpu__time_duration.sum,dram__bytes_read.sum,dram__bytes_write.sum,lts__t"));
    assert_non_null(strstr(called, "/test_ncu --seed=7 --profile=matmul/small/right/cold "));
    assert_ptr_equal(strstr(strstr(called, "--csv") + 1, "--csv"), NULL);
}

static void set_mode(struct result *row, const char *mode, const char *transfer)
{
    strcpy(row->mode, mode);
    strcpy(row->transfer, transfer);
    snprintf(row->name, sizeof row->name, "matmul/small/right/%s", mode);
}

TEST(rows_of_one_rung_share_what_ncu_counts)
{
    struct result rows[] = {result, result, result};
    set_mode(&rows[1], "hot", "");
    set_mode(&rows[2], "e2e", "pinned");
    const char *called = calls_of(rows, 3);
    assert_non_null(strstr(called, "--profile=matmul/small/right/cold "));
    assert_ptr_equal(strstr(strstr(called, "--csv") + 1, "--csv"), NULL);
    assert_string_equal(rows[0].counters, counted);
    assert_string_equal(rows[1].counters, counted);
    assert_string_equal(rows[2].counters, "");
    assert_non_null(strstr(text, "matmul/small/right/hot It takes"));
    assert_non_null(strstr(text, "matmul/small/right/e2e It takes"));
    assert_string_equal(calls_of(&rows[2], 1), "");
    strcpy(rows[1].workload, "another");
    assert_non_null(strstr(calls_of(rows, 2), "--profile=matmul/small/right/hot "));
    assert_null(strstr(explain_rows(NULL, &rows[2], 1), "ncu"));
}

TEST(a_refusal_is_said)
{
    assert_non_null(strstr(explain("echo '==PROF== Connected'; echo '==ERROR== ERR_NVGPUCTRPERM - no permission'"),
                           " ncu counts nothing here: ERR_NVGPUCTRPERM - no permission\n"));
    assert_non_null(
        strstr(explain("echo '==ERROR== The application failed.'; echo 'test_ncu: --x: no such flag' >&2; exit 2"),
               " here: The application failed. test_ncu: --x: no such flag\n"));
    assert_non_null(strstr(explain("exit 9"), " ncu counts nothing here: it ended with exit status 9\n"));
    assert_non_null(strstr(explain("exit 0"), " ncu counts nothing here: it saw no kernel\n"));
}

TEST(without_ncu_that_is_said_once)
{
    unsetenv("CUDA_HOME");
    if (access("/usr/local/cuda/bin/ncu", X_OK) == 0)
        skip();
    assert_non_null(strstr(explain(NULL), "\n\nThere is no ncu on the PATH, "));
    assert_null(strstr(text, "counted"));
}

TEST(rows_without_times_share_a_line)
{
    result.statistics.count = 0;
    assert_string_equal(explain("exit 9"), "\n1 row has nothing to explain: verified only.\n");
    result.status = STATUS_FAILED;
    assert_string_equal(explain("exit 9"), "");
}
