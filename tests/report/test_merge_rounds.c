/* One result per row from those of all rounds: columns by how columns.def merges them, rows by their status. */
#include "bench/report/merge_rounds.h"
#include "sample_results.h"
#include "tests/unit.h"

enum { ROUNDS = 10 };

static struct result_list added, merged;

static int forget(void **state)
{
    result_list_free(&added);
    result_list_free(&merged);
    return 0;
}

static void add(struct result result)
{
    result_list_add(&added, &result);
}

static const char tiled[] = "matmul/mnist/cuda_tiled/hot";

static const struct result *only(void)
{
    result_list_free(&merged);
    merge_rounds(&added, &merged);
    assert_int_equal(merged.count, 1);
    assert_string_equal(merged.items->name, tiled);
    return merged.items;
}

static struct result unmeasured(int round)
{
    return in_round(row("matmul", "mnist", "cuda_tiled", "hot"), round);
}

static struct result in_time(const char *variant, const char *mode, int round, double median_s)
{
    return in_round(timed(row("matmul", "mnist", variant, mode), median_s), round);
}

AROUND_EACH_TEST(NULL, forget)

TEST(times_are_statistics_of_the_medians_of_rounds)
{
    for (int i = 0; i < ROUNDS; i++)
        add(in_time("cuda_tiled", "hot", i, (double[]){5, 3, 9, 1, 7, 2, 10, 4, 8, 6}[i]));
    const struct result *all = only();
    const struct statistics *s = &all->statistics;
    const double figures[][2] = {{(double)s->count, ROUNDS},
                                 {s->min, 1},
                                 {s->max, 10},
                                 {s->median, 5.5},
                                 {s->mean, 5.5},
                                 {s->q1, 3.25},
                                 {s->q3, 7.75},
                                 {s->ci_low, 2},
                                 {s->ci_high, 9},
                                 {all->gflops, 0.784 / 5.5},
                                 {all->bandwidth_gbs, 0.15883136 / 5.5},
                                 {all->ceiling_pct, 42.5 * 1 / 5.5}, /* by the best, which the fastest round saw */
                                 {all->sm_cycles, 1980e6 * 5.5}};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        assert_close(figures[i][0], figures[i][1]);
    assert_int_equal(all->round_count, ROUNDS);
    assert_true(isnan(all->speedup)); /* which is of the times that are shown: standing.h */
    assert_ptr_equal(all->run, &sample_facts);
    assert_ptr_equal(all->device, &sample_gpu);
}

/* What rounds say of a column, and what all say together. */
struct merging {
    enum merge merge;
    const char *rounds[4];
    const char *together;
};

static void merge_column(const struct column *column, const struct merging *how)
{
    char text[COLUMN_BUFFER];
    forget(NULL);
    for (int i = 0; i < 4; i++) {
        struct result r = in_time("cuda_tiled", "hot", i, 1);
        r.round_count = 4;
        r.ceiling[0] = '\0';
        assert_true(column_parse(column, how->rounds[i], &r));
        add(r);
    }
    const char *seen = column_text(column, only(), text);
    if (strcmp(seen, how->together) != 0)
        fail_msg("%s is '%s', expected '%s'", column->name, seen, how->together);
}

static bool is_text(const struct column *column)
{
    return column->type == TYPE_TEXT || column->type == TYPE_KNOWN;
}

TEST(each_column_is_merged_as_the_table_says)
{
    static const struct merging numbers[] = {
        {MERGE_SAME, {"3", "3", "3", "3"}, "3"},     {MERGE_MEDIAN, {"", "1", "3", "2"}, "2"},
        {MERGE_MEDIAN, {"7", "1", "3", "2"}, "2.5"}, {MERGE_MEDIAN, {"", "", "", ""}, ""},
        {MERGE_LEAST, {"", "4", "3", "5"}, "3"},     {MERGE_FIRST, {"", "4", "3", "5"}, "4"},
        {MERGE_DROPPED, {"4", "4", "4", "4"}, ""},
    };
    static const struct merging texts[] = {
        {MERGE_SAME, {"a", "a", "a", "a"}, "a"},   {MERGE_FIRST, {"", "no", "b", "c"}, "b"},
        {MERGE_FIRST, {"", "no", "", ""}, "no"},   {MERGE_JOINED, {"a", "", "b a", "c"}, "a b c"},
        {MERGE_DROPPED, {"a", "b", "c", "d"}, ""},
    };
    for (enum column_id id = 0; id < RESULT_COLUMNS; id++) {
        const struct column *column = &result_columns[id];
        const struct merging *how = is_text(column) ? texts : numbers;
        size_t count = is_text(column) ? sizeof texts / sizeof texts[0] : sizeof numbers / sizeof numbers[0];
        bool is_identity = id == COLUMN_schema || id == COLUMN_name || id == COLUMN_op || id == COLUMN_workload ||
                           id == COLUMN_variant || id == COLUMN_mode || id == COLUMN_backend || id == COLUMN_round;
        if (column->part != PART_result || is_identity || column->type == TYPE_STATUS || column->type == TYPE_FLAG)
            continue;
        for (size_t i = 0; i < count; i++)
            if (how[i].merge == column->merge)
                merge_column(column, &how[i]);
    }
    const struct merging bound = {MERGE_FIRST, {"no", "no", "yes", "no"}, "yes"};
    merge_column(&result_columns[COLUMN_launch_bound], &bound);
}

TEST(errors_are_those_of_the_worst_round)
{
    for (int i = 0; i < 4; i++) {
        struct result r = in_time("cuda_tiled", "hot", i, 1);
        r.max_abs_err = (double[]){NAN, 2, 3, 1}[i];
        r.err_bound = 10 * r.max_abs_err;
        r.rms_err = 100 - r.max_abs_err;
        add(r);
    }
    const struct result *all = only();
    assert_true(all->max_abs_err == 3 && all->err_bound == 30 && all->rms_err == 97);
}

TEST(a_row_that_failed_once_has_failed)
{
    add(in_time("cuda_tiled", "hot", 0, 1));
    add(failed(unmeasured(3), "wrong again"));
    add(failed(unmeasured(2), "wrong answer"));
    const struct result *all = only();
    assert_int_equal(all->status, STATUS_FAILED);
    assert_string_equal(all->reason, "round 2: wrong answer");
    assert_int_equal(all->statistics.count + (size_t)all->round, 0);
    memset(added.items[2].reason, 'x', sizeof added.items[2].reason - 1);
    assert_in_range(strlen(only()->reason), sizeof all->reason - 20, sizeof all->reason - 1); /* it is cut */
}

TEST(a_row_that_was_ok_in_some_rounds_is_ok_and_says_so)
{
    for (int i = 0; i < 4; i++)
        add(i == 0 ? skipped(unmeasured(i), "the --budget is spent") : in_time("cuda_tiled", "hot", i, i));
    const struct result *all = only();
    assert_int_equal(all->status, STATUS_OK);
    assert_int_equal(all->statistics.count, 3);
    assert_close(all->statistics.median, 2);
    assert_string_equal(all->reason, "");
    assert_string_equal(all->conditions.marks, "missing-rounds");
}

TEST(without_times_the_status_remains)
{
    for (int i = 3; i < 5; i++)
        add(skipped(unmeasured(i), "no GPU"));
    assert_int_equal(only()->status, STATUS_SKIPPED);
    assert_string_equal(merged.items->reason, "no GPU");
    assert_int_equal(merged.items->round, 0);
    forget(NULL);
    for (int i = 0; i < ROUNDS; i++)
        add(unmeasured(i)); /* verified */
    assert_int_equal(only()->status, STATUS_OK);
    assert_true(merged.items->statistics.count == 0 && isnan(merged.items->statistics.median));
}

/* In each round rows have an order of their own. */
TEST(rows_come_by_their_places)
{
    static const char *const variants[] = {"cublas", "cpu_auto", "cuda_naive", "cpu_scalar"};
    merge_rounds(&added, &merged);
    assert_int_equal(merged.count, 0);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < 4; i++) {
            const int at = (i * 3 + round) % 4;
            struct result r = in_time(variants[at], "hot", round, at + 1);
            r.place = (size_t)at;
            add(r);
        }
    merge_rounds(&added, &merged);
    assert_int_equal(merged.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(merged.items[i].variant, variants[i]);
        assert_close(merged.items[i].statistics.median, (double)i + 1);
        assert_int_equal(merged.items[i].statistics.count, ROUNDS);
    }
}
