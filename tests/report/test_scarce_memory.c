/* Reporters when one allocation fails, each in turn: the program says so, and ends. */
#include "bench/report/crossover.h"
#include "bench/report/merge_rounds.h"
#include "bench/report/report_text.h"
#include "bench/report/reporter.h"
#include "sample_results.h"
#include "tests/base/scarce_memory.h"
#include "tests/unit.h"

static struct result results[8];
static const struct result_list list = {results, 8};
static const char file[] = "scarce.txt", samples_file[] = "samples.txt";

/* Texts that have to be copied to become UTF-8, rounds, and a crossover. */
static void make_few_results(void)
{
    static const char *const workloads[] = {"mnist", "square-128", "square-8192"};
    for (int i = 0; i < 3; i++)
        for (int on_host = 0; on_host < 2; on_host++)
            results[2 * i + on_host] = timed(row("matmul", workloads[i], on_host ? "cpu_auto" : "cublas", "hot"), 1);
    results[6] = in_round(results[0], 1);
    results[7] = failed(row("matmul", "mnist", "cuda_tiled", "hot"), "caf\xff");
}

static bool json(struct error *error)
{
    const struct options options = {.context = {"a=b,c=d"}};
    static struct output output;
    if (!output_open(&output, file, error) ||
        !report_google(&list, "rungbench", &options, (struct google_form){.is_csv = false}, &output, error))
        return false;
    output_discard(&output);
    return true;
}

static bool records(struct error *error)
{
    static const struct options options = {.sitting = "of others"}; /* no failure is told */
    static double sample_s[9];
    struct outputs outputs = {.options = &options, .kinds = {OUTPUT_CSV, OUTPUT_SAMPLES}, .file_count = 2};
    bool ok = output_open(&outputs.files[0], file, error) && output_open(&outputs.files[1], samples_file, error);
    for (size_t i = 0; i < list.count && ok; i++) {
        results[i].sample_s = sample_s;
        ok = outputs_take_early(&outputs, &results[i], error);
    }
    return ok && output_commit_all(outputs.files, 2, true, error);
}

static bool text(struct error *error)
{
    struct result_list merged = {0};
    FILE *to = fopen("/dev/null", "w");
    assert_non_null(to);
    merge_rounds(&list, &merged);
    report_console(&merged, to, true);
    sentences_print(to, "", crossovers_json(&merged));
    return true;
}

TEST(json_is_whole_or_ends_the_program)
{
    make_few_results();
    assert_true(scarce_memory_try(json) > 500);
}

TEST(records_are_whole_or_an_error)
{
    make_few_results();
    assert_true(scarce_memory_try(records) > 10);
    remove(file);
    remove(samples_file);
}

TEST(tables_are_whole_or_end_the_program)
{
    make_few_results();
    assert_true(scarce_memory_try(text) > 6);
}
