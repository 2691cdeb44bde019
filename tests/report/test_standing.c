/* How rows stand among those of their workload. */
#include "bench/report/standing.h"
#include "sample_results.h"
#include "tests/unit.h"

static struct result_list rows;

static int end(void **state)
{
    result_list_free(&rows);
    return 0;
}

/* A row of workload mnist whose time lies between these, in seconds. */
static void add(const char *variant, const char *mode, double low, double median, double high)
{
    struct result r = timed(row("matmul", "mnist", variant, mode), median);
    r.statistics.q1 = r.statistics.ci_low = low;
    r.statistics.q3 = r.statistics.ci_high = high;
    strcpy(r.baseline, "cpu_auto");
    result_list_add(&rows, &r);
}

static struct standing of(size_t i)
{
    return standing_of(&rows, &rows.items[i]);
}

/* Of each row in order: B best, b best of its backend alone, t tied, - nothing. */
static void assert_ranks(const char *expected)
{
    char ranks[16] = "";
    for (size_t i = 0; i < rows.count; i++) {
        struct standing standing = of(i);
        assert_true(!standing.is_best || (standing.is_best_of_backend && !standing.is_tied));
        ranks[i] = standing.is_best ? 'B' : standing.is_best_of_backend ? 'b' : standing.is_tied ? 't' : '-';
    }
    assert_string_equal(ranks, expected);
}

static void assert_ratio(struct ratio ratio, double value, double low, double high)
{
    const double seen[] = {ratio.value, ratio.low, ratio.high}, expected[] = {value, low, high};
    for (size_t i = 0; i < 3; i++)
        assert_true(isnan(expected[i]) ? isnan(seen[i]) : fabs(seen[i] / expected[i] - 1) < 1e-12);
}

/* Of equal times the first is best. */
AROUND_EACH_TEST(NULL, end)

TEST(the_fastest_fair_row_of_a_mode_and_of_each_backend_is_best)
{
    add("cuda_tiled", "hot", 2, 2, 2);
    add("cuda_wmma", "hot", 1, 1, 1);
    add("cublas", "hot", 3, 3, 3);
    add("cublas", "cold", 1, 1, 1);
    add("cpu_auto", "hot", 5, 5, 5);
    add("cpu_scalar", "hot", 6, 6, 6);
    rows.items[1].unfair = "tf32";
    assert_ranks("B--Bb-");
    rows.items[2].statistics.median = 2;
    rows.items[5].statistics.median = 5;
    assert_ranks("B-tBb-");
}

TEST(rows_whose_intervals_overlap_are_tied)
{
    add("cuda_tiled", "hot", 1.9, 2, 2.1);
    add("cublas", "hot", 2.05, 2.2, 2.3);
    add("cuda_naive", "hot", 2.11, 2.2, 2.3);
    add("cuda_wmma", "hot", 1.9, 2.05, 2.1);
    rows.items[3].unfair = "tf32";
    assert_ranks("Bt--");
}

TEST(few_rounds_are_tied_by_what_they_saw)
{
    add("cuda_tiled", "hot", NAN, 2, NAN);
    add("cublas", "hot", NAN, 2.2, NAN);
    for (size_t i = 0; i < rows.count; i++) {
        struct statistics *s = &rows.items[i].statistics;
        rows.items[i].round_count = 3;
        s->count = 3;
        s->min = s->median - 0.15;
        s->max = s->median + 0.15;
    }
    assert_ranks("Bt");
    rows.items[0].statistics.max = 2.04;
    assert_ranks("B-");
}

/* Nor does anybody else where it may be the fastest. */
TEST(a_row_without_an_interval_wins_nothing)
{
    add("cuda_tiled", "hot", 1, 1, 1);
    add("cublas", "hot", 2, 2, 2.1);
    add("cpu_auto", "hot", 3, 3, 3);
    const struct range without[] = {{NAN, NAN}, {1, 1.51}, {1.2, 1.1}};
    struct statistics *first = &rows.items[0].statistics;
    for (size_t i = 0; i < 3; i++) {
        first->ci_low = without[i].low;
        first->ci_high = without[i].high;
        assert_ranks("--b");
        assert_true(of(0).over_best_cpu.is_approximate && of(0).over_best_cpu.value == 3);
        assert_false(of(1).over_best_cpu.is_approximate);
    }
    first->median = 2.05;
    first->ci_low = 1;
    first->ci_high = 1.51;
    assert_ranks("-Bb");
    first->ci_high = 1.5;
    assert_ranks("tBb");
    assert_false(of(0).over_best_cpu.is_approximate);
}

/* Half a spread is none. */
TEST(a_ratio_has_the_spread_of_both)
{
    add("cpu_auto", "hot", 60, 80, 120);
    add("cuda_tiled", "hot", 4, 5, 6);
    assert_ratio(of(1).speedup, 16, 10, 30);
    assert_ratio(of(1).over_best_cpu, 16, 10, 30);
    assert_ratio(of(0).speedup, 1, 1, 1);
    rows.items[0].statistics.q3 = NAN;
    assert_true(isnan(standing_range(&rows.items[0]).low));
    assert_ratio(of(1).speedup, 16, NAN, NAN);
}

TEST(the_library_is_the_fastest_of_the_same_backend_and_mode)
{
    add("openblas", "hot", 1, 1, 1);
    add("cublas", "cold", 2, 2, 2);
    add("cublas", "hot", 6, 6, 6);
    add("cublas_other", "hot", 4, 4, 4);
    add("cuda_tiled", "hot", 8, 8, 8);
    add("cpu_auto", "hot", 5, 5, 5);
    assert_ptr_equal(of(4).library->variant, rows.items[3].variant);
    assert_ratio(of(4).over_library, 0.5, 0.5, 0.5);
    assert_ptr_equal(of(5).library->variant, rows.items[0].variant);
    rows.items[3].unfair = "tf32";
    assert_ptr_equal(of(4).library->variant, rows.items[2].variant);
    rows.items[4] = failed(row("matmul", "mnist", "cuda_tiled", "hot"), "wrong"); /* without a time */
    assert_ratio(of(4).over_library, NAN, NAN, NAN);
}

/* A graph's is hot, and so is that of a row with transfers. */
TEST(the_cpu_is_the_best_in_the_mode_of_the_baseline)
{
    static const double expected[] = {1, 1, 4, 5, 2.5};
    add("cpu_auto", "cold", 20, 20, 20);
    add("cpu_auto", "hot", 10, 10, 10);
    add("cublas", "cold", 5, 5, 5);
    add("cublas", "graph", 2, 2, 2);
    add("cublas", "e2e", 4, 4, 4);
    for (size_t i = 0; i < rows.count; i++) {
        assert_ratio(of(i).over_best_cpu, expected[i], expected[i], expected[i]);
        assert_ratio(of(i).speedup, expected[i], expected[i], expected[i]);
    }
    rows.items[3].baseline_mode = "cold";
    assert_ratio(of(3).over_best_cpu, 10, 10, 10);
    rows.items[3].baseline_mode = "";
    assert_null(of(3).best_cpu);
}

TEST(no_gain_over_the_cpu_is_told_where_its_fastest_time_is_not_believed)
{
    add("cuda_tiled", "hot", 1, 1, 1);
    add("openblas", "hot", 9, 9, 9);
    add("cpu_auto", "hot", 3, 3, 3);
    for (size_t i = 1; i < rows.count; i++)
        rows.items[i].is_host = true;
    for (size_t i = 0; i < rows.count; i++)
        rows.items[i].baseline_mode = "hot";
    assert_ratio(of(0).over_best_cpu, 3, 3, 3);
    conditions_mark(&rows.items[2].conditions, "over-ceiling");
    assert_null(of(0).best_cpu);
    assert_ratio(of(0).over_best_cpu, NAN, NAN, NAN);
    rows.items[2].statistics.median = 10;
    assert_ratio(of(0).over_best_cpu, 9, 9, 9);
}

TEST(there_are_no_ratios_across_accuracies)
{
    add("cuda_tiled", "hot", 1, 1, 1);
    add("cublas", "hot", 9, 9, 9);
    add("cpu_auto", "hot", 3, 3, 3);
    struct result *const r = rows.items;
    r[2].is_host = true;
    r[0].baseline_mode = "hot";
    for (enum precision of = PRECISION_FP32; of <= PRECISION_INT; of++)
        for (enum precision over = PRECISION_FP32; over <= PRECISION_INT; over++) {
            const double there = of == over ? 1 : (double)NAN;
            strcpy(r[0].precision, precision_name(of));
            for (size_t i = 1; i < rows.count; i++)
                strcpy(r[i].precision, precision_name(over));
            const struct standing standing = standing_of(&rows, r);
            assert_ratio(standing.over_library, 9 * there, 9 * there, 9 * there);
            assert_ratio(standing.over_best_cpu, 3 * there, 3 * there, 3 * there);
            assert_ratio(standing.speedup, 3 * there, 3 * there, 3 * there);
            assert_true((standing.library != NULL) == (of == over) && (standing.best_cpu != NULL) == (of == over));
        }
}
