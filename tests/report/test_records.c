/* What is written record by record, CSV and samples: whole results only. */
#define _GNU_SOURCE /* RLIMIT_FSIZE and SIGXFSZ together with -std=c17 */
#include "bench/report/reporter.h"
#include "sample_results.h"
#include "tests/unit.h"

#include <sys/resource.h>

static const char file[] = "records.csv", partial[] = "records.csv.partial";
static const char header[] = "name,round,index,seconds,iterations\n";

static int remove_files(void **state)
{
    remove(file);
    remove(partial);
    return 0;
}

static struct options options;
static struct outputs outputs;
static struct error error;

static void begin(const char *csv, const char *samples)
{
    options = (struct options){.out = csv, .samples = samples};
    if (!outputs_open(&options, "rungbench", &outputs, &error))
        fail_msg("%s", error.text);
    assert_true(outputs.files[0].preamble > 0 && outputs.files[0].preamble == outputs.files[0].whole);
}

static bool take(const struct result *result)
{
    return outputs_take_early(&outputs, result, &error);
}

static void assert_written(const char *path, const char *rows)
{
    char text[TEXT_MAX], expected[TEXT_MAX];
    file_get(path, text, TEXT_MAX);
    snprintf(expected, sizeof expected, "%s%s", header, rows);
    assert_string_equal(text, expected);
}

/* A row with so many samples, in the order in which they were taken. */
static struct result sampled(double *samples, size_t count, int round)
{
    struct result r = in_round(timed(row("matmul", "mnist", "cuda_tiled", "hot"), 1e-6), round);
    r.statistics.count = count;
    r.iterations = 20 * (int64_t)count;
    r.sample_s = samples;
    return r;
}

AROUND_EACH_TEST(remove_files, remove_files)

TEST(each_sample_is_a_line)
{
    double samples[] = {3.5e-6, 1.23456789e-6, 2};
    const struct result results[] = {sampled(samples, 3, 3), sampled(NULL, 9, 3), sampled(samples + 2, 1, 4),
                                     skipped(row("matmul", "mnist", "cuda_tiled", "hot"), "no GPU")};
    begin(NULL, file);
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
        assert_true(take(&results[i]));
    assert_true(output_commit(&outputs.files[0], &error));
    assert_written(file, "matmul/mnist/cuda_tiled/hot,3,0,3.5e-06,20\n"
                         "matmul/mnist/cuda_tiled/hot,3,1,1.23456789e-06,20\n"
                         "matmul/mnist/cuda_tiled/hot,3,2,2,20\n"
                         "matmul/mnist/cuda_tiled/hot,4,0,2,20\n");
}

/* The second result does not fit: none of its samples are there. */
TEST(samples_of_a_result_are_whole_or_absent)
{
    static double samples[1000];
    const struct result small = sampled(samples, 1, 3), large = sampled(samples, 1000, 3);
    struct rlimit unlimited;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    begin(NULL, file);
    bool wrote_small = take(&small);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){1000, unlimited.rlim_max}), 0);
    bool wrote_large = take(&large);
    setrlimit(RLIMIT_FSIZE, &unlimited);
    signal(SIGXFSZ, handler);
    assert_true(wrote_small && !wrote_large);
    assert_non_null(strstr(error.text, file));
    assert_true(output_commit_all(outputs.files, 1, true, &error));
    assert_written(partial, "matmul/mnist/cuda_tiled/hot,3,0,0,20\n");
}

TEST(what_cannot_be_written_is_an_error_that_names_the_file)
{
    double sample = 1;
    const struct result r = sampled(&sample, 1, 0);
    const struct result_list list = {(struct result *)&r, 1};
    const enum output_kind kinds[] = {OUTPUT_CSV, OUTPUT_SAMPLES, OUTPUT_JSON, OUTPUT_GOOGLE_CSV, OUTPUT_TABLE};
    options = (struct options){.sitting = "of others"}; /* who wait for each row */
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        outputs = (struct outputs){.options = &options, .program = "", .kinds = {kinds[i]}, .file_count = 1};
        outputs.files[0] = (struct output){.fd = open("/dev/null", O_RDONLY), .in_place = true, .path = "results"};
        error.text[0] = '\0';
        assert_false(kinds[i] >= OUTPUT_JSON ? outputs_commit(&outputs, &list, true, &error) : take(&r));
        assert_non_null(strstr(error.text, "results"));
        close(outputs.files[0].fd);
    }
}
