/* Reporters when one allocation fails, each in turn: an error, or all is written as ever. The linker gives all
 * allocations of the harness to the functions here, and jansson is told to use them too. */
#include "bench/report/crossover.h"
#include "bench/report/merge_rounds.h"
#include "bench/report/reporter.h"
#include "sample_results.h"
#include "tests/unit.h"

#include <jansson.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long allocations_left;
static bool is_scarce;

static bool runs_out(void)
{
    return is_scarce && allocations_left-- == 0;
}

#define WRAP(type, name, parameters, arguments)             \
    type __real_##name parameters;                          \
    type __wrap_##name parameters;                          \
    type __wrap_##name parameters                           \
    {                                                       \
        return runs_out() ? NULL : __real_##name arguments; \
    }
WRAP(void *, malloc, (size_t bytes), (bytes))
WRAP(void *, calloc, (size_t count, size_t bytes), (count, bytes))
WRAP(void *, realloc, (void *memory, size_t bytes), (memory, bytes))
WRAP(char *, strdup, (const char *text), (text))
WRAP(FILE *, open_memstream, (char **text, size_t *count), (text, count))

/* The load changes from one run to the next. */
int getloadavg(double loads[], int count);
int getloadavg(double loads[], int count)
{
    (void)loads;
    (void)count;
    return 0;
}

static const char no_memory[] = "no memory";
static const char file[] = "scarce.txt", table_file[] = "table.txt";
static struct result results[40];
static struct outputs outputs;
static FILE *to;

/* More than the first room for results, and texts that have to be copied to become UTF-8. */
static void make_many_results(void)
{
    for (int i = 0; i < 40; i++)
        results[i] = in_round(timed(row("matmul", "mnist", "cuda_tiled", "hot"), i + 1), i);
    static const char *const workloads[] = {"mnist", "square-128", "square-8192"};
    for (int i = 0; i < 3; i++)
        for (int on_host = 0; on_host < 2; on_host++)
            results[2 * i + on_host] = timed(row("matmul", workloads[i], on_host ? "cpu_tuned" : "cublas", "hot"), 1);
    for (int i = 30; i < 35; i++)
        results[i] = failed(row("matmul", "mnist", "cublas", "hot"), "caf\xff");
}

/* As a run keeps them. */
static bool keep(size_t first, struct result_list *list, struct error *error)
{
    bool ok = true;
    for (size_t i = first; i < 40 && ok; i++)
        ok = result_list_add(list, &results[i], error);
    return ok;
}

/* A few of each kind: every cell takes memory, and each allocation is one more run. */
static bool json(struct error *error)
{
    struct result_list list = {0};
    const struct options options = {.context = {"a=b,c=d"}};
    bool ok = keep(33, &list, error) && report_json(&list, "rungbench", &options, &outputs.files[0], error);
    result_list_free(&list);
    return ok;
}

static bool take_all(struct error *error)
{
    bool ok = true;
    for (int i = 0; i < 40 && ok; i++)
        ok = outputs_take_early(&outputs, &results[i], error);
    return ok;
}

static bool csv(struct error *error)
{
    outputs.kinds[0] = OUTPUT_CSV;
    return take_all(error);
}

static bool samples(struct error *error)
{
    static double sample_s[40];
    outputs.kinds[0] = OUTPUT_SAMPLES;
    for (int i = 0; i < 40; i++)
        results[i].sample_s = sample_s;
    return take_all(error);
}

static bool text(struct error *error)
{
    struct result_list list = {0};
    bool ok = keep(0, &list, error) && report_console(&list, to, true, error) && crossovers_print(&list, to, error);
    result_list_free(&list);
    return ok;
}

static void name_of(const void *names, size_t i, char *text, size_t size)
{
    snprintf(text, size, "%s", ((const char *const *)names)[i]);
}

static bool merging(struct error *error)
{
    static const char *const names[] = {"matmul/mnist/cuda_tiled/hot", "matmul/mnist/cublas/hot"};
    struct result_list list = {results, 40}, merged = {0};
    bool ok = merge_rounds(&list, name_of, names, 2, &merged, error);
    assert_true(!ok || merged.count == 2);
    result_list_free(&merged);
    return ok;
}

/* Reports everything, with no memory after so many allocations, and keeps what it writes. */
static bool report_without(long allocation, bool (*report)(struct error *error), struct error *error,
                           char written[2][TEXT_MAX])
{
    static const struct options options = {.session = "of others"}; /* no failure is told */
    make_many_results();
    outputs = (struct outputs){.options = &options, .file_count = 1};
    assert_true(output_open(&outputs.files[0], file, error));
    to = fopen(table_file, "w");
    assert_non_null(to);
    allocations_left = allocation;
    is_scarce = true;
    bool ok = report(error);
    is_scarce = false;
    fclose(to);
    read_file(outputs.files[0].partial, written[0]);
    read_file(table_file, written[1]);
    output_discard(&outputs.files[0]);
    remove(table_file);
    return ok;
}

/* What it has written when it fails is the start of what it writes with memory enough. */
static void assert_fails_whole(const struct error *error, char written[2][TEXT_MAX], char whole[2][TEXT_MAX])
{
    if (!strstr(error->text, no_memory))
        fail_msg("the error is '%s', expected '%s'", error->text, no_memory);
    for (int i = 0; i < 2; i++)
        assert_memory_equal(written[i], whole[i], strlen(written[i]));
}

static void fail_each_allocation(bool (*report)(struct error *error))
{
    static char whole[2][TEXT_MAX], written[2][TEXT_MAX];
    struct error error = {""};
    long failures = 0, allocation = 0;
    json_set_alloc_funcs(__wrap_malloc, free);
    assert_true(report_without(LONG_MAX, report, &error, whole));
    for (allocations_left = -1; allocations_left < 0; allocation++) {
        if (report_without(allocation, report, &error, written)) {
            assert_string_equal(written[0], whole[0]);
            assert_string_equal(written[1], whole[1]);
        } else {
            assert_fails_whole(&error, written, whole);
            failures++;
        }
        error.text[0] = '\0';
    }
    assert_true(failures > 2);
}

TEST(json_is_whole_or_an_error)
{
    fail_each_allocation(json);
}

TEST(csv_is_whole_or_an_error)
{
    fail_each_allocation(csv);
}

TEST(samples_are_whole_or_an_error)
{
    fail_each_allocation(samples);
}

TEST(the_table_is_whole_or_an_error)
{
    fail_each_allocation(text);
}

TEST(merged_rounds_are_whole_or_an_error)
{
    fail_each_allocation(merging);
}
