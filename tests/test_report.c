/* What the CSV and the table say of results: cell by cell, and against golden files. RUNGBENCH_UPDATE_GOLDEN=1 writes
 * those anew. */
#include "reporter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MAX = 1 << 16, CELLS_MAX = 128 };

static const char csv_file[] = "results.csv", table_file[] = "table.txt";

static int remove_files(void **state)
{
    (void)state;
    remove(csv_file);
    remove(table_file);
    return 0;
}

static const struct run_facts facts = {
    .host = "lab-7",
    .git_revision = "0123456789ab",
    .timestamp = "2026-11-20T13:40:00Z",
    .sitting = "18a2b3c4d5e6f708-1f2",
    .seed = 42,
};
static const struct device_info cpu = {.name = "Example CPU @ 2.00GHz",
                                       .blas_version = "OpenBLAS 0.3.21",
                                       .eviction = {"flush-lines", "flush-lines"},
                                       .threads = 16};
static const struct device_info gpu = {
    .name = "Example H200, 141 GB",
    .uuid = "GPU-00000000-1111-2222-3333-444444444444",
    .driver_version = "550.54",
    .cuda_version = "12.4",
    .blas_version = "cuBLAS 12.4.5",
    .eviction = {"read", "write"},
};

static const struct {
    const char *name, *shape, *input;
    double bytes, flops;
} workloads[] = {
    {"mnist", "50000x784x10", "mnist-t10k (its 10000 images repeat)", 158831360, 784e6},
    {"square-128", "128x128x128", "random", 196608, 4194304},
    {"square-8192", "8192x8192x8192", "random", 805306368, 1099511627776},
    {"thumb", "150x216", "random", 129600, 0},
    {"puppy", "1330x1920", "random", 10214400, 0},
};

/* A row that nothing is known of yet but its name. */
static struct result row(const char *op, const char *workload, const char *variant, const char *mode)
{
    int is_gpu = strncmp(variant, "cu", 2) == 0, is_matmul = strcmp(op, "matmul") == 0;
    size_t w = 0;
    while (strcmp(workloads[w].name, workload) != 0)
        w++;
    struct result r = {
        .run = &facts,
        .device = is_gpu ? &gpu : &cpu,
        .op = op,
        .workload = workload,
        .variant = variant,
        .mode = mode,
        .backend = is_gpu ? "cuda" : "cpu",
        .precision = is_matmul ? "fp32" : "u8",
        .is_host = !is_gpu,
        .statistics = statistics_of(NULL, 0),
        .stop_reason = "",
        .transfer = "",
        .flush = "",
        .baseline = "",
        .tick_s = NAN,
        .upload_s = NAN,
        .kernel_s = NAN,
        .download_s = NAN,
        .bytes = workloads[w].bytes,
        .flops = workloads[w].flops,
        .speedup = NAN,
        .max_abs_err = NAN,
        .err_bound = NAN,
        .rms_err = NAN,
    };
    snprintf(r.name, sizeof r.name, "%s/%s/%s/%s", op, workload, variant, mode);
    snprintf(r.shape, sizeof r.shape, "%s", workloads[w].shape);
    snprintf(r.input, sizeof r.input, "%s", workloads[w].input);
    return r;
}

/* Nine samples, one per cent apart. */
static struct result timed(struct result r, double median_s)
{
    double samples[9];
    for (int i = 0; i < 9; i++)
        samples[i] = median_s * (1 + 0.01 * (i - 4));
    r.statistics = statistics_of(samples, 9);
    r.iterations = strcmp(r.mode, "hot") == 0 ? 20 : 1;
    r.stop_reason = "settled";
    r.tick_s = 1e-9;
    r.baseline = "cpu_scalar";
    r.speedup = 0.1 / median_s;
    r.max_abs_err = 1.5e-6;
    r.err_bound = 4.5e-5;
    r.rms_err = 0.51;
    if (strcmp(r.mode, "cold") == 0)
        r.flush = "read";
    return r;
}

static struct result skipped(struct result r, const char *reason)
{
    r.status = STATUS_SKIPPED;
    r.device = NULL;
    snprintf(r.reason, sizeof r.reason, "%s", reason);
    return r;
}

static struct result failed(struct result r, const char *reason)
{
    r.status = STATUS_FAILED;
    snprintf(r.reason, sizeof r.reason, "%s", reason);
    return r;
}

/* One row of each kind. */
static size_t make_results(struct result results[32])
{
    size_t n = 0;
    results[n++] = timed(row("matmul", "mnist", "cpu_scalar", "cold"), 0.125);
    results[n++] = timed(row("matmul", "mnist", "cpu_scalar", "hot"), 0.1);
    results[n++] = timed(row("matmul", "mnist", "cpu_tuned", "hot"), 0.00421337);
    results[n++] = timed(row("matmul", "mnist", "cuda_tiled", "cold"), 41.5e-6);
    results[n++] = timed(row("matmul", "mnist", "cuda_tiled", "hot"), 38.25e-6);
    results[n] = timed(row("matmul", "mnist", "cuda_tiled", "e2e"), 3.2e-3);
    results[n].upload_s = 3.0e-3;
    results[n].kernel_s = 41e-6;
    results[n].download_s = 150e-6;
    results[n++].transfer = "pinned";
    results[n] = timed(row("matmul", "mnist", "cublas_tf32", "hot"), 12e-6);
    results[n].precision = "tf32";
    results[n++].is_unfair = true;
    results[n++] = failed(row("matmul", "mnist", "cuda_naive", "hot"),
                          "wrong answer: C[3,4] is 1, expected 2 within 1e-05; 1 of 500000 checked elements are wrong");
    results[n++] = skipped(row("matmul", "square-8192", "cpu_scalar", "cold"),
                           "too slow: 1.1e+12 operations, and this rung's limit is 2e+10");
    results[n++] = skipped(row("matmul", "square-8192", "cpu_scalar", "hot"),
                           "too slow: 1.1e+12 operations, and this rung's limit is 2e+10");
    results[n++] = skipped(row("matmul", "square-8192", "cuda_tiled", "hot"), "built without CUDA");
    results[n++] = skipped(row("matmul", "square-8192", "cublas", "hot"), "built without CUDA");
    results[n] = timed(row("matmul", "square-8192", "cpu_tuned", "cold"), 12.75);
    results[n].statistics = statistics_of((double[]){12.75}, 1);
    results[n].baseline = "";
    results[n].speedup = NAN;
    results[n++].stop_reason = "one-sample";
    results[n] = timed(row("grayscale", "thumb", "cpu_scalar", "hot"), 25.5e-6);
    results[n++].rms_err = NAN;
    results[n] = timed(row("grayscale", "thumb", "cuda_1d", "hot"), 812e-9);
    results[n].rms_err = NAN;
    results[n++].launch_bound = true;
    results[n++] = row("grayscale", "puppy", "cpu_scalar", "verify");
    results[n] = row("grayscale", "puppy", "cpu_tuned", "verify");
    results[n].max_abs_err = 1.5e-6;
    results[n].err_bound = 4.5e-5;
    results[n++].rms_err = 0.51;
    return n;
}

static void read_file(const char *path, char text[TEXT_MAX])
{
    FILE *file = fopen(path, "r");
    text[0] = '\0';
    if (!file)
        return;
    size_t count = fread(text, 1, TEXT_MAX - 1, file);
    text[count] = '\0';
    fclose(file);
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

static void write_table(const struct result *results, size_t count, bool color, char text[TEXT_MAX])
{
    struct error error = {""};
    FILE *to = fopen(table_file, "w");
    assert_non_null(to);
    struct console_report *report = report_console_make(to, color);
    assert_non_null(report);
    for (size_t i = 0; i < count; i++)
        assert_true(report_console_result(report, &results[i], &error));
    assert_true(report_console_end(report, &error));
    fclose(to);
    read_file(table_file, text);
}

static void assert_is_golden(const char *name, const char *text)
{
    char path[1024], expected[TEXT_MAX];
    snprintf(path, sizeof path, "%s/%s", TEST_GOLDEN_DIR, name);
    if (getenv("RUNGBENCH_UPDATE_GOLDEN")) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(text, file);
        assert_int_equal(fclose(file), 0);
    }
    read_file(path, expected);
    assert_string_equal(text, expected);
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
    struct result results[32];
    char text[TEXT_MAX];
    write_csv(results, make_results(results), text);
    assert_is_golden("results.csv", text);
}

static void the_table_is_golden(void **state)
{
    (void)state;
    struct result results[32];
    char text[TEXT_MAX];
    write_table(results, make_results(results), false, text);
    assert_is_golden("table.txt", text);
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
        "sm_clock_mhz,throttled,energy_j,flush,seed,input";
    char text[TEXT_MAX];
    write_csv(NULL, 0, text);
    assert_memory_equal(text, promised, sizeof promised - 1);
    assert_true(text[sizeof promised - 1] == ',' || text[sizeof promised - 1] == '\n');
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
}

static void every_row_has_a_cell_for_every_column(void **state)
{
    (void)state;
    struct result results[32];
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
    assert_string_equal(cell("device_uuid"), gpu.uuid);
    assert_string_equal(cell("driver_version"), "550.54");
    assert_string_equal(cell("cuda_version"), "12.4");
    assert_string_equal(cell("blas_version"), "cuBLAS 12.4.5");
    assert_string_equal(cell("threads"), "");
    assert_string_equal(cell("git_rev"), "0123456789ab");
    assert_string_equal(cell("timestamp"), "2026-11-20T13:40:00Z");
    assert_string_equal(cell("sitting"), facts.sitting);
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
    r.transfer = "pinned";
    read_back(&r);
    assert_cell("upload_s", 3.0e-3);
    assert_cell("kernel_s", 41e-6);
    assert_cell("download_s", 150e-6);
    assert_string_equal(cell("transfer"), "pinned");
}

static const char *const measured_columns[] = {
    "samples",     "iterations",   "stop_reason",   "time_min_s",     "time_q1_s", "time_median_s", "time_q3_s",
    "time_mean_s", "time_stdev_s", "time_ci_low_s", "time_ci_high_s", "tick_s",    "upload_s",      "kernel_s",
    "download_s",  "gflops",       "bandwidth_gbs", "speedup",        "baseline",  "max_abs_err",   "err_bound",
    "rms_err",     "floor_s",      "ceiling_pct",   "sm_clock_mhz",   "energy_j",
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
    char text[TEXT_MAX];
    write_csv(&r, 1, text);
    assert_null(strchr(text, '"'));
}

static void a_seed_of_64_bits_is_whole(void **state)
{
    (void)state;
    struct run_facts large = facts;
    large.seed = UINT64_MAX;
    struct result r = row("matmul", "mnist", "cpu_scalar", "hot");
    r.run = &large;
    read_back(&r);
    assert_string_equal(cell("seed"), "18446744073709551615");
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

/* The table's line of the variant in the mode, without its end. */
static const char *line_of(const char *text, const char *variant, const char *mode)
{
    static char line[512];
    for (const char *start = text; *start; start += strcspn(start, "\n") + 1) {
        char its_variant[64] = "", its_mode[16] = "";
        snprintf(line, sizeof line, "%.*s", (int)strcspn(start, "\n"), start);
        if (sscanf(line + (line[0] == '*'), "%63s %15s", its_variant, its_mode) == 2 &&
            strcmp(its_variant, variant) == 0 && strcmp(its_mode, mode) == 0)
            return line;
        if (start[strcspn(start, "\n")] == '\0')
            break;
    }
    fail_msg("no line for %s %s in\n%s", variant, mode, text);
    return NULL;
}

static bool is_marked(const char *text, const char *variant, const char *mode)
{
    return line_of(text, variant, mode)[0] == '*';
}

static void the_fastest_rung_of_each_mode_is_marked(void **state)
{
    (void)state;
    struct result results[] = {
        timed(row("matmul", "mnist", "cpu_scalar", "cold"), 0.1),
        timed(row("matmul", "mnist", "cpu_scalar", "hot"), 0.1),
        timed(row("matmul", "mnist", "cpu_tuned", "cold"), 0.05),
        timed(row("matmul", "mnist", "cpu_tuned", "hot"), 0.2),
        timed(row("matmul", "mnist", "cublas", "e2e"), 0.5),
    };
    char text[TEXT_MAX];
    write_table(results, 5, false, text);
    assert_false(is_marked(text, "cpu_scalar", "cold"));
    assert_true(is_marked(text, "cpu_scalar", "hot"));
    assert_true(is_marked(text, "cpu_tuned", "cold"));
    assert_false(is_marked(text, "cpu_tuned", "hot"));
    assert_true(is_marked(text, "cublas", "e2e"));
}

static void lower_precision_is_named_and_never_best(void **state)
{
    (void)state;
    struct result results[] = {timed(row("matmul", "mnist", "cublas", "hot"), 0.2),
                               timed(row("matmul", "mnist", "cublas_tf32", "hot"), 0.1)};
    results[1].is_unfair = true;
    results[1].precision = "tf32";
    char text[TEXT_MAX];
    write_table(results, 2, false, text);
    assert_true(is_marked(text, "cublas", "hot"));
    assert_false(is_marked(text, "cublas_tf32", "hot"));
    assert_non_null(strstr(line_of(text, "cublas_tf32", "hot"), "tf32 "));
}

static void a_wrong_rung_is_named_and_never_best(void **state)
{
    (void)state;
    struct result results[] = {timed(row("matmul", "mnist", "cpu_scalar", "hot"), 0.2),
                               timed(row("matmul", "mnist", "cuda_tiled", "hot"), 0.1)};
    results[1] = failed(results[1], "wrong answer: C[0,0] is nan");
    char text[TEXT_MAX];
    write_table(results, 2, false, text);
    assert_true(is_marked(text, "cpu_scalar", "hot"));
    assert_false(is_marked(text, "cuda_tiled", "hot"));
    assert_non_null(strstr(line_of(text, "cuda_tiled", "hot"), "failed: wrong answer: C[0,0] is nan"));
}

static void skipped_rungs_are_named_with_their_reason(void **state)
{
    (void)state;
    struct result results[] = {timed(row("matmul", "mnist", "cpu_scalar", "hot"), 0.2),
                               skipped(row("matmul", "mnist", "cuda_tiled", "cold"), "built without CUDA"),
                               skipped(row("matmul", "mnist", "cuda_tiled", "hot"), "built without CUDA"),
                               skipped(row("matmul", "mnist", "cublas", "hot"), "no GPU")};
    char text[TEXT_MAX];
    write_table(results, 4, false, text);
    static const char *const expected[] = {"skipped", "cuda_tiled", "built without CUDA", "cublas", "no GPU"};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_non_null(strstr(text, expected[i]));
}

/* The last two numbers of the line. */
static void assert_speedups(const char *text, const char *variant, const char *mode, const char *expected)
{
    const char *line = line_of(text, variant, mode);
    char columns_of_speedup[64] = "";
    size_t length = strlen(line);
    assert_true(length > 22);
    char first[32] = "", second[32] = "";
    sscanf(line + length - 21, "%31s %31s", first, second);
    snprintf(columns_of_speedup, sizeof columns_of_speedup, "%s %s", first, second);
    assert_string_equal(columns_of_speedup, expected);
}

static void speedups_are_over_the_baseline_and_the_best_cpu_rung(void **state)
{
    (void)state;
    struct result results[] = {
        timed(row("matmul", "mnist", "cpu_scalar", "cold"), 0.1),
        timed(row("matmul", "mnist", "cpu_scalar", "hot"), 0.1),
        timed(row("matmul", "mnist", "cpu_tuned", "cold"), 0.02),
        timed(row("matmul", "mnist", "cpu_tuned", "hot"), 0.01),
        timed(row("matmul", "mnist", "cublas", "cold"), 0.005),
        timed(row("matmul", "mnist", "cublas", "hot"), 0.001),
        timed(row("matmul", "mnist", "cublas", "e2e"), 0.004),
    };
    char text[TEXT_MAX];
    write_table(results, 7, false, text);
    assert_non_null(strstr(text, "x cpu_scalar"));
    assert_non_null(strstr(text, "x best CPU"));
    assert_speedups(text, "cpu_scalar", "hot", "1.00 0.10");
    assert_speedups(text, "cpu_tuned", "cold", "5.00 1.00");
    assert_speedups(text, "cublas", "cold", "20.0 4.00");
    assert_speedups(text, "cublas", "hot", "100 10.0");
    assert_speedups(text, "cublas", "e2e", "25.0 2.50"); /* over the best hot row on the CPU */
}

static void times_are_shown_in_fitting_units(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } expected[] = {
        {1e-9, " 1.000 ns"},      {812e-9, " 812.0 ns"},    {0.99994e-6, " 999.9 ns"}, {0.99996e-6, " 1.000 us"},
        {4.2134e-6, " 4.213 us"}, {42.134e-6, " 42.13 us"}, {0.99996e-3, " 1.000 ms"}, {13.37e-3, " 13.37 ms"},
        {0.9996, " 999.6 ms"},    {0.99996, " 1.000 s"},    {12.75, " 12.75 s"},       {1234.5, " 1234.5 s"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        struct result r = timed(row("matmul", "mnist", "cpu_scalar", "hot"), expected[i].seconds);
        char text[TEXT_MAX];
        write_table(&r, 1, false, text);
        if (!strstr(line_of(text, "cpu_scalar", "hot"), expected[i].text))
            fail_msg("no '%s' in '%s'", expected[i].text, line_of(text, "cpu_scalar", "hot"));
    }
}

static void unknown_spread_is_a_question_mark(void **state)
{
    (void)state;
    struct result r = timed(row("matmul", "mnist", "cpu_scalar", "hot"), 2);
    char text[TEXT_MAX];
    write_table(&r, 1, false, text);
    assert_non_null(strstr(line_of(text, "cpu_scalar", "hot"), " 3.0% "));
    r.statistics = statistics_of((double[]){2}, 1);
    write_table(&r, 1, false, text);
    assert_non_null(strstr(line_of(text, "cpu_scalar", "hot"), " ? "));
}

static void a_launch_bound_row_is_marked(void **state)
{
    (void)state;
    struct result r = timed(row("grayscale", "thumb", "cuda_1d", "hot"), 1e-6);
    char text[TEXT_MAX];
    write_table(&r, 1, false, text);
    assert_null(strstr(text, "launch-bound"));
    read_back(&r);
    assert_string_equal(cell("launch_bound"), "no");
    r.launch_bound = true;
    write_table(&r, 1, false, text);
    assert_non_null(strstr(line_of(text, "cuda_1d", "hot"), "launch-bound"));
    read_back(&r);
    assert_string_equal(cell("launch_bound"), "yes");
}

static void each_workload_is_a_block(void **state)
{
    (void)state;
    struct result results[] = {timed(row("matmul", "mnist", "cpu_scalar", "hot"), 1),
                               timed(row("matmul", "square-128", "cpu_scalar", "hot"), 1),
                               timed(row("grayscale", "thumb", "cpu_scalar", "hot"), 1)};
    char text[TEXT_MAX];
    write_table(results, 3, false, text);
    assert_non_null(strstr(text, "\nmatmul/mnist  50000x784x10, 158.8 MB, 784.0 Mflop, input: mnist-t10k"));
    assert_non_null(strstr(text, "\nmatmul/square-128  128x128x128, 196.6 kB, 4.194 Mflop, input: random\n"));
    assert_non_null(strstr(text, "\ngrayscale/thumb  150x216, 129.6 kB, input: random\n"));
}

static void a_block_is_printed_when_the_next_one_starts(void **state)
{
    (void)state;
    struct error error;
    FILE *to = fopen(table_file, "w");
    assert_non_null(to);
    struct console_report *report = report_console_make(to, false);
    struct result first = timed(row("matmul", "mnist", "cpu_scalar", "hot"), 1);
    struct result second = timed(row("grayscale", "thumb", "cpu_scalar", "hot"), 1);
    char text[TEXT_MAX];
    assert_true(report_console_result(report, &first, &error));
    read_file(table_file, text);
    assert_string_equal(text, "");
    assert_true(report_console_result(report, &second, &error));
    read_file(table_file, text);
    assert_non_null(strstr(text, "matmul/mnist"));
    assert_null(strstr(text, "grayscale"));
    assert_true(report_console_end(report, &error));
    fclose(to);
    read_file(table_file, text);
    assert_non_null(strstr(text, "grayscale"));
}

static void no_results_are_no_table(void **state)
{
    (void)state;
    char text[TEXT_MAX];
    write_table(NULL, 0, true, text);
    assert_string_equal(text, "");
}

static void colours_change_nothing_but_colours(void **state)
{
    (void)state;
    struct result results[32];
    size_t count = make_results(results);
    char plain[TEXT_MAX], colored[TEXT_MAX];
    write_table(results, count, false, plain);
    write_table(results, count, true, colored);
    assert_null(strchr(plain, '\033'));
    assert_non_null(strchr(colored, '\033'));
    char *to = colored;
    for (const char *from = colored; *from;) {
        if (*from == '\033')
            from = strchr(from, 'm') + 1;
        else
            *to++ = *from++;
    }
    *to = '\0';
    assert_string_equal(colored, plain);
}

static void a_table_that_cannot_be_written_is_an_error(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        skip();
    struct error error = {""};
    struct console_report *report = report_console_make(full, false);
    struct result r = timed(row("matmul", "mnist", "cpu_scalar", "hot"), 1);
    assert_true(report_console_result(report, &r, &error));
    assert_false(report_console_end(report, &error));
    assert_non_null(strstr(error.text, "stdout"));
    fclose(full);
}

#define test(function) cmocka_unit_test_setup(function, remove_files)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(the_csv_is_golden),
        test(the_table_is_golden),
        test(the_columns_stand_in_the_order_that_is_promised),
        test(every_row_has_a_cell_for_every_column),
        test(a_measured_row_says_it_all),
        test(numbers_stand_in_seconds_bytes_and_flops),
        test(transfers_have_their_parts),
        test(a_skipped_row_has_a_reason_and_no_time),
        test(a_failed_row_has_a_reason_and_no_time),
        test(what_is_unknown_is_an_empty_cell),
        test(zero_is_a_value),
        test(commas_quotes_and_line_breaks_are_quoted),
        test(only_what_must_be_quoted_is),
        test(a_seed_of_64_bits_is_whole),
        test(a_csv_that_cannot_be_written_is_an_error),
        test(the_fastest_rung_of_each_mode_is_marked),
        test(lower_precision_is_named_and_never_best),
        test(a_wrong_rung_is_named_and_never_best),
        test(skipped_rungs_are_named_with_their_reason),
        test(speedups_are_over_the_baseline_and_the_best_cpu_rung),
        test(times_are_shown_in_fitting_units),
        test(unknown_spread_is_a_question_mark),
        test(a_launch_bound_row_is_marked),
        test(each_workload_is_a_block),
        test(a_block_is_printed_when_the_next_one_starts),
        test(no_results_are_no_table),
        test(colours_change_nothing_but_colours),
        test(a_table_that_cannot_be_written_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, remove_files);
}
