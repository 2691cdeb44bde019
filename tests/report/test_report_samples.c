/* The CSV of samples: one line each, whole results only. */
#define _GNU_SOURCE /* RLIMIT_FSIZE and SIGXFSZ together with -std=c17 */
#include "bench/report/reporter.h"
#include "sample_results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char samples_file[] = "samples.csv", samples_partial[] = "samples.csv.partial";
static const char header[] = "name,round,index,seconds,iterations\n";

static int remove_files(void **state)
{
    (void)state;
    remove(samples_file);
    remove(samples_partial);
    return 0;
}

static void begin(struct output *output)
{
    struct error error = {""};
    if (!output_open(output, samples_file, &error) || !report_samples_begin(output, &error))
        fail_msg("%s", error.text);
}

static void commit(struct output *output, char text[TEXT_MAX])
{
    struct error error = {""};
    assert_true(output_commit(output, &error));
    read_file(samples_file, text);
}

/* A row with so many samples, in the order in which they were taken. */
static struct result sampled(const double *samples, size_t count)
{
    struct result r = in_round(timed(row("matmul", "mnist", "cuda_tiled", "hot"), 1e-6), 3);
    r.statistics.count = count;
    r.iterations = 20 * (int64_t)count;
    r.sample_s = samples;
    return r;
}

static void each_sample_is_a_line(void **state)
{
    (void)state;
    const double samples[] = {3.5e-6, 1.23456789e-6, 2};
    struct result first = sampled(samples, 3), second = in_round(sampled(samples + 2, 1), 4);
    struct output output;
    struct error error;
    char text[TEXT_MAX];
    begin(&output);
    assert_true(output.preamble > 0 && output.preamble == output.whole);
    assert_true(report_samples_result(&output, &first, &error));
    assert_true(report_samples_result(&output, &second, &error));
    commit(&output, text);
    assert_string_equal(text, "name,round,index,seconds,iterations\n"
                              "matmul/mnist/cuda_tiled/hot,3,0,3.5e-06,20\n"
                              "matmul/mnist/cuda_tiled/hot,3,1,1.23456789e-06,20\n"
                              "matmul/mnist/cuda_tiled/hot,3,2,2,20\n"
                              "matmul/mnist/cuda_tiled/hot,4,0,2,20\n");
}

static void a_result_without_samples_writes_nothing(void **state)
{
    (void)state;
    struct result results[] = {sampled(NULL, 9), skipped(row("matmul", "mnist", "cuda_tiled", "hot"), "no GPU")};
    struct output output;
    struct error error;
    char text[TEXT_MAX];
    begin(&output);
    for (size_t i = 0; i < 2; i++)
        assert_true(report_samples_result(&output, &results[i], &error));
    assert_true(output.whole == output.preamble);
    commit(&output, text);
    assert_string_equal(text, header);
}

/* The second result does not fit: none of its samples are there. */
static void samples_of_a_result_are_whole_or_absent(void **state)
{
    (void)state;
    static double samples[1000];
    struct result small = sampled(samples, 1), large = sampled(samples, 1000);
    struct rlimit unlimited;
    struct output output;
    struct error error = {""};
    char text[TEXT_MAX];
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    begin(&output);
    int wrote_small = report_samples_result(&output, &small, &error);
    struct rlimit limited = {1000, unlimited.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limited), 0);
    int wrote_large = report_samples_result(&output, &large, &error);
    setrlimit(RLIMIT_FSIZE, &unlimited);
    signal(SIGXFSZ, handler);
    assert_true(wrote_small);
    assert_false(wrote_large);
    assert_non_null(strstr(error.text, samples_file));
    assert_true(output_commit_all(&output, 1, true, &error));
    read_file(samples_partial, text);
    assert_string_equal(text, "name,round,index,seconds,iterations\nmatmul/mnist/cuda_tiled/hot,3,0,0,20\n");
}

static void samples_that_cannot_be_written_are_an_error(void **state)
{
    (void)state;
    struct output read_only = {.fd = open("/dev/null", O_RDONLY), .in_place = true, .path = "samples.csv"};
    struct error error = {""};
    assert_false(report_samples_begin(&read_only, &error));
    assert_non_null(strstr(error.text, "samples.csv"));
    close(read_only.fd);
}

#define test(function) cmocka_unit_test_setup(function, remove_files)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(each_sample_is_a_line),
        test(a_result_without_samples_writes_nothing),
        test(samples_of_a_result_are_whole_or_absent),
        test(samples_that_cannot_be_written_are_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, remove_files);
}
