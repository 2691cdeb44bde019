/* The CSV of results, cell by cell and against a golden file. */
#include "bench/report/reporter.h"
#include "sample_results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CELLS_MAX = 128 };

static const char csv_file[] = "results.csv";

static int remove_files(void **state)
{
    (void)state;
    remove(csv_file);
    return 0;
}

/* Leaves the CSV in csv_file, and its text in `text`. */
static void write_csv(const struct result *results, size_t count, char text[TEXT_MAX])
{
    struct output output;
    struct error error = {""};
    int ok = output_open(&output, csv_file, &error) && report_csv_begin(&output, &error);
    for (size_t i = 0; i < count && ok; i++)
        ok = report_csv_result(&output, &results[i], &error);
    if (!ok || !output_commit(&output, &error))
        fail_msg("%s", error.text);
    read_file(csv_file, text);
}

/* RFC 4180. Takes one record off `text`, and returns where the next one starts. */
static char *read_record(char *text, char *cells[CELLS_MAX], size_t *count)
{
    *count = 0;
    for (;;) {
        assert_true(*count < CELLS_MAX);
        bool quoted = *text == '"';
        char *to = text + quoted, *from = to;
        cells[(*count)++] = to;
        while (quoted ? *from != '"' || from[1] == '"' : *from != ',' && *from != '\n') {
            assert_int_not_equal(*from, '\0');
            assert_true(quoted || *from != '"');
            from += quoted && *from == '"';
            *to++ = *from++;
        }
        from += quoted;
        char end = *from;
        assert_true(end == ',' || end == '\n');
        *to = '\0';
        text = from + 1;
        if (end == '\n')
            return text;
    }
}

static char *head[CELLS_MAX], *cells[CELLS_MAX];
static size_t columns;

/* Writes one row, and reads it back for cell(). */
static void read_back(const struct result *result)
{
    static char text[TEXT_MAX];
    size_t count;
    write_csv(result, 1, text);
    char *rest = read_record(text, head, &columns);
    rest = read_record(rest, cells, &count);
    assert_int_equal(count, columns);
    assert_int_equal(*rest, '\0');
}

static const char *cell(const char *name)
{
    for (size_t i = 0; i < columns; i++)
        if (strcmp(head[i], name) == 0)
            return cells[i];
    fail_msg("there is no column %s", name);
    return NULL;
}

static void assert_cell(const char *name, double expected)
{
    char *end;
    double value = strtod(cell(name), &end);
    if (end == cell(name) || *end != '\0' || !(fabs(value - expected) <= 1e-8 * fabs(expected)))
        fail_msg("%s is '%s', expected %g", name, cell(name), expected);
}

static void the_csv_is_golden(void **state)
{
    (void)state;
    struct result results[SAMPLE_RESULTS];
    char text[TEXT_MAX];
    write_csv(results, make_results(results), text);
    assert_is_golden("results.csv", text);
}

static void the_columns_stand_in_the_order_that_is_promised(void **state)
{
    (void)state;
    static const char promised[] =
        "schema,name,op,workload,shape,variant,backend,precision,mode,status,reason,"
        "host,device,device_uuid,driver_version,cuda_version,blas_version,threads,git_rev,timestamp,sitting,round,"
        "samples,iterations,stop_reason,time_min_s,time_q1_s,time_median_s,time_q3_s,time_mean_s,time_stdev_s,"
        "time_ci_low_s,time_ci_high_s,tick_s,"
        "upload_s,kernel_s,download_s,transfer,bytes,flops,gflops,bandwidth_gbs,floor_s,ceiling_pct,"
        "baseline,speedup,max_abs_err,err_bound,rms_err,"
        "sm_clock_mhz,throttled,energy_j,flush,seed,input,launch_bound,empty_kernel_s,ceiling,sm_cycles,"
        "memory_clock_mhz,temperature_c,power_w,energy_over_s,preemptions,marks,"
        "power_limit_w,sm_clock_set_mhz,affinity,governor,slowdown_pct,code,cpu_clock_mhz,compiler,"
        "runs_as,arithmetic,floor_bytes_s,floor_flops_s,"
        "kernels,kernel,blocks,block_threads,blocks_at_once,occupancy_pct,occupancy_limit,registers,local_bytes,"
        "shared_bytes,bytes_written,failure";
    char text[TEXT_MAX];
    write_csv(NULL, 0, text);
    assert_memory_equal(text, promised, sizeof promised - 1);
    assert_int_equal(text[sizeof promised - 1], '\n');
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
}

static void every_row_has_a_cell_for_every_column(void **state)
{
    (void)state;
    struct result results[SAMPLE_RESULTS];
    size_t count = make_results(results);
    for (size_t i = 0; i < count; i++)
        read_back(&results[i]);
    for (size_t i = 0; i < columns; i++)
        for (size_t other = 0; other < i; other++)
            assert_string_not_equal(head[i], head[other]);
}

static void a_measured_row_says_it_all(void **state)
{
    (void)state;
    struct result r = timed(row("matmul", "mnist", "cuda_tiled", "cold"), 41.5e-6);
    r.round = 3;
    read_back(&r);
    assert_string_equal(cell("schema"), "1");
    assert_string_equal(cell("name"), "matmul/mnist/cuda_tiled/cold");
    assert_string_equal(cell("op"), "matmul");
    assert_string_equal(cell("workload"), "mnist");
    assert_string_equal(cell("shape"), "50000x784x10");
    assert_string_equal(cell("variant"), "cuda_tiled");
    assert_string_equal(cell("backend"), "cuda");
    assert_string_equal(cell("precision"), "fp32");
    assert_string_equal(cell("mode"), "cold");
    assert_string_equal(cell("status"), "ok");
    assert_string_equal(cell("reason"), "");
    assert_string_equal(cell("host"), "lab-7");
    assert_string_equal(cell("device"), "Example H200, 141 GB");
    assert_string_equal(cell("device_uuid"), sample_gpu.uuid);
    assert_string_equal(cell("driver_version"), "550.54");
    assert_string_equal(cell("cuda_version"), "12.4");
    assert_string_equal(cell("blas_version"), "cuBLAS 12.4.5");
    assert_string_equal(cell("threads"), "");
    assert_string_equal(cell("git_rev"), "0123456789ab");
    assert_string_equal(cell("timestamp"), "2026-11-20T13:40:00Z");
    assert_string_equal(cell("sitting"), sample_facts.session);
    assert_string_equal(cell("round"), "3");
    assert_string_equal(cell("stop_reason"), "settled");
    assert_string_equal(cell("flush"), "read");
    assert_string_equal(cell("seed"), "42");
    assert_string_equal(cell("input"), "mnist-t10k (its 10000 images repeat)");
    assert_string_equal(cell("baseline"), "cpu_scalar");
}

static void numbers_stand_in_seconds_bytes_and_flops(void **state)
{
    (void)state;
    struct result r = timed(row("matmul", "mnist", "cpu_tuned", "hot"), 0.0042);
    read_back(&r);
    assert_cell("samples", 9);
    assert_cell("time_min_s", 0.0042 * 0.96);
    assert_cell("time_q1_s", 0.0042 * 0.98);
    assert_cell("time_median_s", 0.0042);
    assert_cell("time_q3_s", 0.0042 * 1.02);
    assert_cell("time_mean_s", 0.0042);
    assert_cell("time_stdev_s", 0.0042 * 0.01 * sqrt(7.5));
    assert_cell("time_ci_low_s", 0.0042 * 0.97);
    assert_cell("time_ci_high_s", 0.0042 * 1.03);
    assert_cell("tick_s", 1e-9);
    assert_cell("bytes", 158831360);
    assert_cell("flops", 784e6);
    assert_cell("gflops", 0.784 / 0.0042);
    assert_cell("bandwidth_gbs", 0.15883136 / 0.0042);
    assert_cell("speedup", 0.1 / 0.0042);
    assert_cell("max_abs_err", 1.5e-6);
    assert_cell("err_bound", 4.5e-5);
    assert_cell("rms_err", 0.51);
    assert_cell("threads", 16);
}

static void transfers_have_their_parts(void **state)
{
    (void)state;
    struct result r = timed(row("matmul", "mnist", "cuda_tiled", "e2e"), 3.2e-3);
    r.upload_s = 3.0e-3;
    r.kernel_s = 41e-6;
    r.download_s = 150e-6;
    strcpy(r.transfer, "pinned");
    read_back(&r);
    assert_cell("upload_s", 3.0e-3);
    assert_cell("kernel_s", 41e-6);
    assert_cell("download_s", 150e-6);
    assert_string_equal(cell("transfer"), "pinned");
}

static void the_state_of_the_machine_is_there(void **state)
{
    (void)state;
    struct result r = timed(row("matmul", "mnist", "cuda_tiled", "hot"), 40e-6);
    r.conditions.sm_clock_mhz = 1755;
    r.conditions.energy_j = 210.25;
    r.conditions.energy_over_s = 0.75;
    r.conditions.preemptions = 0;
    snprintf(r.conditions.throttled, sizeof r.conditions.throttled, "power-cap+thermal");
    snprintf(r.conditions.marks, sizeof r.conditions.marks, "throttled other-work");
    result_derive(&r);
    read_back(&r);
    assert_cell("floor_s", 0.425 * 40e-6);
    assert_cell("ceiling_pct", 42.5);
    assert_string_equal(cell("ceiling"), "read");
    assert_cell("empty_kernel_s", 2.5e-6);
    assert_cell("sm_clock_mhz", 1755);
    assert_cell("sm_cycles", 40e-6 * 1755e6);
    assert_cell("memory_clock_mhz", 2619);
    assert_cell("temperature_c", 41);
    assert_cell("power_w", 310.5);
    assert_cell("energy_j", 210.25);
    assert_cell("energy_over_s", 0.75);
    assert_string_equal(cell("preemptions"), "0");
    assert_string_equal(cell("throttled"), "power-cap+thermal");
    assert_string_equal(cell("marks"), "throttled other-work");
    assert_cell("power_limit_w", 700);
    assert_cell("sm_clock_set_mhz", 1980);
    assert_string_equal(cell("affinity"), "");
    assert_string_equal(cell("governor"), "");
}

static void a_host_has_cpus_and_no_sm_cycles(void **state)
{
    (void)state;
    struct result r = timed(row("matmul", "mnist", "cpu_tuned", "hot"), 40e-6);
    r.conditions.sm_clock_mhz = 3000;
    read_back(&r);
    assert_cell("sm_clock_mhz", 3000);
    assert_string_equal(cell("sm_cycles"), "");
    assert_string_equal(cell("power_limit_w"), "");
    assert_string_equal(cell("sm_clock_set_mhz"), "");
    assert_cell("preemptions", 3);
    assert_string_equal(cell("affinity"), "0-3,8");
    assert_string_equal(cell("governor"), "performance");
}

static void a_launch_bound_row_says_so(void **state)
{
    (void)state;
    struct result r = timed(row("grayscale", "thumb", "cuda_1d", "hot"), 1e-6);
    read_back(&r);
    assert_string_equal(cell("launch_bound"), "no");
    r.launch_bound = true;
    read_back(&r);
    assert_string_equal(cell("launch_bound"), "yes");
}

static const char *const measured_columns[] = {
    "samples",     "iterations",   "stop_reason",      "time_min_s",     "time_q1_s", "time_median_s", "time_q3_s",
    "time_mean_s", "time_stdev_s", "time_ci_low_s",    "time_ci_high_s", "tick_s",    "upload_s",      "kernel_s",
    "download_s",  "gflops",       "bandwidth_gbs",    "speedup",        "baseline",  "max_abs_err",   "err_bound",
    "rms_err",     "floor_s",      "ceiling_pct",      "sm_clock_mhz",   "energy_j",  "launch_bound",  "empty_kernel_s",
    "ceiling",     "sm_cycles",    "memory_clock_mhz", "temperature_c",  "power_w",   "energy_over_s", "preemptions",
    "throttled",   "marks",
};

static void assert_nothing_measured(void)
{
    for (size_t i = 0; i < sizeof measured_columns / sizeof measured_columns[0]; i++)
        if (cell(measured_columns[i])[0] != '\0')
            fail_msg("%s is '%s', expected nothing", measured_columns[i], cell(measured_columns[i]));
}

static void a_skipped_row_has_a_reason_and_no_time(void **state)
{
    (void)state;
    struct result r = skipped(row("matmul", "mnist", "cuda_tiled", "hot"), "built without CUDA");
    read_back(&r);
    assert_string_equal(cell("status"), "skipped");
    assert_string_equal(cell("reason"), "built without CUDA");
    assert_string_equal(cell("device"), "");
    assert_string_equal(cell("threads"), "");
    assert_nothing_measured();
}

static void a_failed_row_has_a_reason_and_no_time(void **state)
{
    (void)state;
    struct result r = failed(row("matmul", "mnist", "cuda_tiled", "hot"), "wrong answer");
    read_back(&r);
    assert_string_equal(cell("status"), "failed");
    assert_string_equal(cell("reason"), "wrong answer");
    assert_nothing_measured();
}

static void a_slowdown_stands_in_the_last_column(void **state)
{
    (void)state;
    struct result r = timed(row("matmul", "mnist", "cuda_tiled", "hot"), 1);
    read_back(&r);
    assert_string_equal(cell("slowdown_pct"), "");
    r.slowdown_pct = 12.5;
    read_back(&r);
    assert_cell("slowdown_pct", 12.5);
}

static void what_is_unknown_is_an_empty_cell(void **state)
{
    (void)state;
    struct result r = timed(row("grayscale", "thumb", "cpu_scalar", "hot"), 1);
    r.statistics = statistics_of((double[]){1}, 1);
    r.speedup = r.rms_err = NAN;
    read_back(&r);
    assert_cell("time_median_s", 1);
    static const char *const unknown[] = {"time_q1_s", "time_q3_s", "time_stdev_s", "time_ci_low_s", "time_ci_high_s",
                                          "flops",     "gflops",    "speedup",      "rms_err"};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        assert_string_equal(cell(unknown[i]), "");
    for (size_t i = 0; i < columns; i++)
        assert_null(strstr(cells[i], "nan"));
}

static void zero_is_a_value(void **state)
{
    (void)state;
    struct result r = timed(row("grayscale", "thumb", "cpu_scalar", "hot"), 1);
    r.max_abs_err = r.err_bound = 0;
    read_back(&r);
    assert_string_equal(cell("max_abs_err"), "0");
    assert_string_equal(cell("err_bound"), "0");
    assert_string_equal(cell("round"), "0");
}

static void commas_quotes_and_line_breaks_are_quoted(void **state)
{
    (void)state;
    static const char *const texts[] = {"a,b",   "say \"no\"", "two\nlines", "two\r\nlines",
                                        "\"",    ",",          "\n",         "\"a\",\"b\"\n,",
                                        "plain", " spaced ",   "semi;colon", "'single'"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct result r = failed(row("matmul", "mnist", "cuda_tiled", "hot"), texts[i]);
        snprintf(r.input, sizeof r.input, "%s", texts[i]);
        read_back(&r);
        assert_string_equal(cell("reason"), texts[i]);
        assert_string_equal(cell("input"), texts[i]);
        assert_string_equal(cell("seed"), "42");
    }
}

static void only_what_must_be_quoted_is(void **state)
{
    (void)state;
    struct result r = timed(row("matmul", "mnist", "cpu_scalar", "hot"), 1);
    struct device_info device = sample_cpu;
    snprintf(device.affinity, sizeof device.affinity, "0-3");
    r.device = &device;
    char text[TEXT_MAX];
    write_csv(&r, 1, text);
    assert_null(strchr(text, '"'));
}

static void a_seed_of_64_bits_is_whole(void **state)
{
    (void)state;
    struct run_facts large = sample_facts;
    large.seed = UINT64_MAX;
    struct result r = row("matmul", "mnist", "cpu_scalar", "hot");
    r.run = &large;
    read_back(&r);
    assert_string_equal(cell("seed"), "18446744073709551615");
}

static void the_header_is_preamble_and_rows_are_not(void **state)
{
    (void)state;
    struct output output;
    struct error error = {""};
    struct result r = row("matmul", "mnist", "cpu_scalar", "hot");
    assert_true(output_open(&output, csv_file, &error) && report_csv_begin(&output, &error));
    assert_true(output.preamble > 0 && output.preamble == output.whole);
    assert_true(report_csv_result(&output, &r, &error));
    assert_true(output.preamble < output.whole);
    output_discard(&output);
}

static void a_csv_that_cannot_be_written_is_an_error(void **state)
{
    (void)state;
    struct output read_only = {.fd = open("/dev/null", O_RDONLY), .in_place = true, .path = "results.csv"};
    struct error error = {""};
    struct result r = row("matmul", "mnist", "cpu_scalar", "hot");
    assert_false(report_csv_begin(&read_only, &error));
    assert_non_null(strstr(error.text, "results.csv"));
    assert_false(report_csv_result(&read_only, &r, &error));
    close(read_only.fd);
}

#define test(function) cmocka_unit_test_setup(function, remove_files)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(the_csv_is_golden),
        test(the_columns_stand_in_the_order_that_is_promised),
        test(every_row_has_a_cell_for_every_column),
        test(a_measured_row_says_it_all),
        test(numbers_stand_in_seconds_bytes_and_flops),
        test(transfers_have_their_parts),
        test(the_state_of_the_machine_is_there),
        test(a_host_has_cpus_and_no_sm_cycles),
        test(a_launch_bound_row_says_so),
        test(a_skipped_row_has_a_reason_and_no_time),
        test(a_failed_row_has_a_reason_and_no_time),
        test(a_slowdown_stands_in_the_last_column),
        test(what_is_unknown_is_an_empty_cell),
        test(zero_is_a_value),
        test(commas_quotes_and_line_breaks_are_quoted),
        test(only_what_must_be_quoted_is),
        test(a_seed_of_64_bits_is_whole),
        test(the_header_is_preamble_and_rows_are_not),
        test(a_csv_that_cannot_be_written_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, remove_files);
}
