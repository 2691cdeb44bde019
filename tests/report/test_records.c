/* What is written record by record, CSV and samples: whole results only. */
#define _GNU_SOURCE /* RLIMIT_FSIZE and SIGXFSZ together with -std=c17 */
#include "bench/report/reporter.h"
#include "sample_results.h"
#include "tests/unit.h"

#include <stdint.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char file[] = "records.csv", partial[] = "records.csv.partial";
static const char header[] = "name,round,index,seconds,iterations\n";

static int remove_files(void **state)
{
    remove(file);
    remove(partial);
    return 0;
}

static void begin(struct output *output, const char *columns)
{
    struct error error = {""};
    if (!output_open(output, file, &error) || !output_write_preamble(output, columns, strlen(columns), &error))
        fail_msg("%s", error.text);
    assert_true(output->preamble > 0 && output->preamble == output->whole);
}

static void assert_written(const char *path, const char *rows)
{
    char text[TEXT_MAX], expected[TEXT_MAX];
    read_file(path, text);
    snprintf(expected, sizeof expected, "%s%s", header, rows);
    assert_string_equal(text, expected);
}

/* A row with so many samples, in the order in which they were taken. */
static struct result sampled(const double *samples, size_t count, int round)
{
    struct result r = in_round(timed(row("matmul", "mnist", "cuda_tiled", "hot"), 1e-6), round);
    r.statistics.count = count;
    r.iterations = 20 * (int64_t)count;
    r.sample_s = samples;
    return r;
}

TEST(each_sample_is_a_line)
{
    const double samples[] = {3.5e-6, 1.23456789e-6, 2};
    const struct result results[] = {sampled(samples, 3, 3), sampled(NULL, 9, 3), sampled(samples + 2, 1, 4),
                                     skipped(row("matmul", "mnist", "cuda_tiled", "hot"), "no GPU")};
    struct output output;
    struct error error;
    begin(&output, report_samples_header);
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
        assert_true(report_samples_result(&output, &results[i], &error));
    assert_true(output_commit(&output, &error));
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
    struct output output;
    struct error error = {""};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    begin(&output, report_samples_header);
    bool wrote_small = report_samples_result(&output, &small, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){1000, unlimited.rlim_max}), 0);
    bool wrote_large = report_samples_result(&output, &large, &error);
    setrlimit(RLIMIT_FSIZE, &unlimited);
    signal(SIGXFSZ, handler);
    assert_true(wrote_small && !wrote_large);
    assert_non_null(strstr(error.text, file));
    assert_true(output_commit_all(&output, 1, true, &error));
    assert_written(partial, "matmul/mnist/cuda_tiled/hot,3,0,0,20\n");
}

TEST(a_row_is_no_preamble)
{
    struct output output;
    struct error error = {""};
    const struct result r = row("matmul", "mnist", "cpu_scalar", "hot");
    begin(&output, report_csv_header);
    assert_true(report_csv_result(&output, &r, &error));
    assert_true(output.preamble < output.whole);
    output_discard(&output);
}

TEST(what_cannot_be_written_is_an_error_that_names_the_file)
{
    struct output read_only = {.fd = open("/dev/null", O_RDONLY), .in_place = true, .path = "results"};
    const double sample = 1;
    const struct result r = sampled(&sample, 1, 0);
    const struct result_list list = {(struct result *)&r, 1, 1};
    const struct options options = {.context_count = 0};
    struct error errors[3] = {{""}};
    assert_false(report_csv_result(&read_only, &r, &errors[0]));
    assert_false(report_samples_result(&read_only, &r, &errors[1]));
    assert_false(report_json(&list, "./rungbench", &options, &read_only, &errors[2]));
    for (size_t i = 0; i < 3; i++)
        assert_non_null(strstr(errors[i].text, "results"));
    close(read_only.fd);
}

AROUND_EACH_TEST(remove_files, NULL)
AROUND_ALL_TESTS(NULL, remove_files)
