#include "sample_results.h"

#include "bench/measure/mode.h"
#include "bench/report/result.h"
#include "tests/unit.h"

const struct run_facts sample_facts = {
    .host = "lab-7",
    .git_revision = "0123456789ab",
    .compiler = "GNU 12.2.0 -O3",
    .timestamp = "2026-11-20T13:40:00Z",
    .sitting = "18a2b3c4d5e6f708-1f2",
    .seed = 42,
};
const struct device_info sample_cpu = {.name = "Example CPU @ 2.00GHz",
                                       .blas_version = "OpenBLAS 0.3.21",
                                       .eviction = {"flush-lines", "flush-lines"},
                                       .affinity = "0-3,8",
                                       .governor = "performance",
                                       .threads = 16};
const struct device_info sample_gpu = {
    .name = "Example H200, 141 GB",
    .uuid = "GPU-00000000-1111-2222-3333-444444444444",
    .driver_version = "550.54",
    .cuda_version = "12.4",
    .blas_version = "cuBLAS 12.4.5",
    .power_limit_w = 700,
    .sm_clock_set_mhz = 1980,
    .eviction = {"read", "write"},
};

static const struct {
    const char *name, *shape, *input;
    double bytes, flops;
} workloads[] = {
    {"mnist", "50000x784x10", "mnist-t10k (its 10000 images repeat)", 158831360, 784e6},
    {"square-128", "128x128x128", "random", 196608, 4194304},
    {"square-8192", "8192x8192x8192", "random", 805306368, 1099511627776},
    {"thumb", "150x216", "random", 129600, NAN},
    {"puppy", "1330x1920", "random", 10214400, NAN},
};

/* A row that nothing is known of yet but its name. */
struct result row(const char *op, const char *workload, const char *variant, const char *mode)
{
    bool is_gpu = strncmp(variant, "cu", 2) == 0, is_matmul = strcmp(op, "matmul") == 0;
    size_t w = 0;
    while (strcmp(workloads[w].name, workload) != 0)
        w++;
    struct backend_entry backend = {.name = is_gpu ? "cuda" : "cpu", .separate_memory = is_gpu};
    struct result r = result_blank();
    r.run = &sample_facts;
    r.round_count = 1;
    r.device = is_gpu ? &sample_gpu : &sample_cpu;
    r.bytes = workloads[w].bytes;
    r.flops = workloads[w].flops;
    strcpy(r.op, op);
    strcpy(r.workload, workload);
    strcpy(r.variant, variant);
    strcpy(r.mode, mode);
    strcpy(r.backend, backend.name);
    strcpy(r.precision, is_matmul ? "fp32" : "u8");
    const struct rung library = {.traits = RUNG_LIBRARY};
    result_classify(&r, &backend, strstr(variant, "blas") ? &library : NULL, mode_find(mode));
    snprintf(r.name, sizeof r.name, "%s/%s/%s/%s", op, workload, variant, mode);
    snprintf(r.shape, sizeof r.shape, "%s", workloads[w].shape);
    snprintf(r.input, sizeof r.input, "%s", workloads[w].input);
    return r;
}

static void note_gpu(struct result *r)
{
    r->empty_kernel_s = 2.5e-6;
    r->floor_s = 0.425 * r->statistics.median;
    strcpy(r->ceiling, "read");
    r->conditions.sm_clock_mhz = 1980;
    r->conditions.memory_clock_mhz = 2619;
    r->conditions.temperature_c = 41;
    r->conditions.power_w = 310.5;
    snprintf(r->conditions.throttled, sizeof r->conditions.throttled, "no");
}

struct result timed(struct result r, double median_s)
{
    double samples[9];
    for (int i = 0; i < 9; i++)
        samples[i] = median_s * (1 + 0.01 * (i - 4));
    r.statistics = statistics_of(samples, 9);
    r.cpu_s = 2 * median_s;
    r.iterations = strcmp(r.mode, "hot") == 0 ? 180 : 9;
    strcpy(r.stop_reason, "settled");
    r.tick_s = 1e-9;
    strcpy(r.baseline, "cpu_scalar");
    r.speedup = 0.1 / median_s;
    r.max_abs_err = 1.5e-6;
    r.err_bound = 4.5e-5;
    r.rms_err = 0.51;
    r.max_err = 2.5;
    if (strcmp(r.mode, "cold") == 0)
        strcpy(r.flush, "read");
    if (r.is_host)
        r.conditions.preemptions = 3;
    else
        note_gpu(&r);
    result_derive(&r);
    return r;
}

struct result in_round(struct result r, int round)
{
    r.round = round;
    r.round_count = 10;
    return r;
}

struct result skipped(struct result r, const char *reason)
{
    r.status = STATUS_SKIPPED;
    r.device = NULL;
    snprintf(r.reason, sizeof r.reason, "%s", reason);
    return r;
}

struct result failed(struct result r, const char *reason)
{
    result_fail(&r, false, "", reason);
    return r;
}

struct result wrong(struct result r, const char *reason)
{
    result_fail(&r, true, "", reason);
    return r;
}

size_t make_results(struct result results[SAMPLE_RESULTS])
{
    size_t n = 0;
    results[n++] = timed(row("matmul", "mnist", "cpu_scalar", "cold"), 0.125);
    results[n++] = timed(row("matmul", "mnist", "cpu_scalar", "hot"), 0.1);
    results[n++] = timed(row("matmul", "mnist", "cpu_auto", "hot"), 0.00421337);
    results[n++] = timed(row("matmul", "mnist", "cuda_tiled", "cold"), 41.5e-6);
    results[n++] = timed(row("matmul", "mnist", "cuda_tiled", "hot"), 38.25e-6);
    results[n] = timed(row("matmul", "mnist", "cuda_tiled", "e2e"), 3.2e-3);
    results[n].upload_s = 3.0e-3;
    results[n].kernel_s = 41e-6;
    results[n].download_s = 150e-6;
    strcpy(results[n++].transfer, "pinned");
    results[n] = timed(row("matmul", "mnist", "cublas_tf32", "hot"), 12e-6);
    strcpy(results[n].precision, "tf32");
    results[n].baseline[0] = '\0';
    results[n].speedup = NAN;
    results[n++].unfair = "tf32";
    results[n] = timed(row("matmul", "mnist", "cuda_skinny_tensor", "hot"), 38.2e-6);
    strcpy(results[n++].runs_as, "cuda_skinny");
    results[n++] = wrong(row("matmul", "mnist", "cuda_naive", "hot"),
                         "wrong answer: C[3,4] is 1, expected 2 within 1e-05; 1 of 500000 checked elements are wrong");
    results[n++] = skipped(row("matmul", "square-8192", "cpu_scalar", "cold"),
                           "too slow: 1.1e+12 operations, and this rung's limit is 2e+10");
    results[n++] = skipped(row("matmul", "square-8192", "cpu_scalar", "hot"),
                           "too slow: 1.1e+12 operations, and this rung's limit is 2e+10");
    results[n++] = skipped(row("matmul", "square-8192", "cuda_tiled", "hot"), "built without CUDA");
    results[n++] = skipped(row("matmul", "square-8192", "cublas", "hot"), "built without CUDA");
    results[n] = timed(row("matmul", "square-8192", "cpu_auto", "cold"), 12.75);
    results[n].statistics = statistics_of((double[]){12.75}, 1);
    results[n].iterations = 1;
    results[n].baseline[0] = '\0';
    results[n].speedup = NAN;
    strcpy(results[n++].stop_reason, "one-sample");
    results[n] = timed(row("grayscale", "thumb", "cpu_scalar", "hot"), 25.5e-6);
    results[n++].rms_err = NAN;
    results[n] = timed(row("grayscale", "thumb", "cuda_1d", "hot"), 812e-9);
    results[n].rms_err = NAN;
    results[n].launch_bound = true;
    snprintf(results[n].conditions.throttled, sizeof results[n].conditions.throttled, "power-cap+thermal");
    snprintf(results[n].conditions.marks, sizeof results[n].conditions.marks, "throttled other-work");
    results[n].conditions.energy_j = 210.25;
    results[n++].conditions.energy_over_s = 0.75;
    results[n++] = row("grayscale", "puppy", "cpu_scalar", "verify");
    results[n] = row("grayscale", "puppy", "cpu_tuned", "verify");
    results[n].max_abs_err = 1.5e-6;
    results[n].err_bound = 4.5e-5;
    results[n++].rms_err = 0.51;
    return n;
}

void assert_is_golden(const char *name, const char *text)
{
    char path[1024], expected[TEXT_MAX];
    snprintf(path, sizeof path, "%s/%s", TEST_GOLDEN_DIR, name);
    if (getenv("RUNGBENCH_UPDATE_GOLDEN"))
        file_put(path, text);
    file_get(path, expected, sizeof expected);
    assert_string_equal(text, expected);
}
