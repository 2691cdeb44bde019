/* The last word on the rows of a run: all by the same ceilings, the best that were measured, whenever that was. */
#include "bench/base/csv_text.h"
#include "bench/report/reporter.h"
#include "bench/run/results.h"
#include "tests/fakes/fake_backend.h"
#include "tests/fakes/fake_rungs.h"
#include "tests/unit.h"

static const struct rung rungs[] = {
    {.variant = "base", .op = &matmul_op, .backend = &fake_entry, .traits = RUNG_BASELINE},
    {.variant = "second", .op = &matmul_op, .backend = &fake_entry, .traits = RUNG_BASELINE},
    {.variant = "fast", .op = &matmul_op, .backend = &fake_entry}};
static const struct registry registry = {.backends = &fake_entry, .backend_count = 1, .rungs = rungs, .rung_count = 3};
static struct run_facts facts;

enum { KEPT_MAX = 8 };
static struct result early[KEPT_MAX];
static const struct result *last; /* of the list */
static size_t early_count, ok_count;
static struct results results;
static struct error error;

static bool keep_early(void *self, const struct result *result, struct error *ignored)
{
    early[early_count++] = *result;
    return true;
}

static int set_up(void **state)
{
    early_count = 0;
    results = (struct results){.registry = &registry, .early = keep_early};
    return 0;
}

static int tear_down(void **state)
{
    results_free(&results);
    return 0;
}

/* A row in hot that moves a megabyte in so many seconds. */
static struct result timed(const char *variant, int round, double seconds, bool is_host)
{
    struct result result = result_blank();
    result.run = &facts;
    result.round = round;
    snprintf(result.name, sizeof result.name, "matmul/m/%s/hot", variant);
    strcpy(result.op, matmul_op.name);
    strcpy(result.workload, "m");
    snprintf(result.variant, sizeof result.variant, "%s", variant);
    strcpy(result.backend, "fake");
    strcpy(result.precision, "u8");
    strcpy(result.mode, "hot");
    result.bytes = 1e6;
    result.statistics = (struct statistics){.count = 10, .median = seconds};
    result.iterations = 10;
    result.tick_s = 1e-9;
    result.baseline_mode = "hot";
    result.is_host = is_host;
    return result;
}

static void take(struct result result)
{
    assert_true(results_take(&results, &result, &error));
}

static void take_ceiling_of(double bytes, double seconds)
{
    const struct ceiling read = {"fake", "hot", CEILING_READ, bytes, "", seconds, 0};
    assert_true(ceiling_table_add(&results.ceilings.table, &read));
}

static void take_ceiling(double seconds)
{
    take_ceiling_of(1e6, seconds);
}

static void end(void)
{
    results_end(&results);
    last = results.list.items;
    ok_count = result_list_counts(&results.list).measured;
}

AROUND_EACH_TEST(set_up, tear_down)

/* What a row is called when it comes, and what the same ceilings or better ones make of it at the end. */
TEST(the_last_word_is_by_the_ceilings_of_the_whole_run)
{
    static const struct {
        double later_bytes, later_s; /* a ceiling that is measured after the row */
        bool is_host;
        enum status early, last;
        const char *marks;
    } cases[] = {{1e6, 2e-6, false, STATUS_FAILED, STATUS_FAILED, ""},
                 {1e6, 0.9e-6, false, STATUS_FAILED, STATUS_OK, ""},
                 {5e5, 0.4e-6, false, STATUS_FAILED, STATUS_OK, "over-ceiling"}, /* fewer bytes were moved faster */
                 {1e6, 2e-6, true, STATUS_OK, STATUS_OK, "over-ceiling"},
                 {1e6, 0.9e-6, true, STATUS_OK, STATUS_OK, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        set_up(state);
        take_ceiling(2e-6);
        take(timed("fast", 0, 1e-6, cases[i].is_host));
        assert_int_equal(early[0].status, cases[i].early);
        take_ceiling_of(cases[i].later_bytes, cases[i].later_s);
        end();
        assert_int_equal(last[0].status, cases[i].last);
        assert_int_equal(ok_count, cases[i].last == STATUS_OK);
        if (last[0].status == STATUS_OK)
            assert_string_equal(last[0].conditions.marks, cases[i].marks);
        else
            assert_true(isnan(last[0].statistics.median) && last[0].statistics.count == 0);
        tear_down(state);
    }
}

/* The same rung on the same input: whoever differs fails, whichever round is right. */
TEST(an_answer_that_is_another_in_a_later_round_fails_its_row)
{
    static const char *const answers[] = {"00000000000000aa", "", "00000000000000aa", "00000000000000bb"};
    for (int round = 0; round < 4; round++) {
        struct result row = timed("fast", round, 1e-6, true), other = timed("second", round, 1e-6, true);
        snprintf(row.answer, sizeof row.answer, "%s", answers[round]);
        snprintf(other.answer, sizeof other.answer, "00000000000000cc");
        take(row);
        take(other);
    }
    end();
    assert_int_equal(ok_count, 7);
    assert_int_equal(last[6].status, STATUS_FAILED);
    assert_true(result_is_wrong(&last[6]) && isnan(last[6].statistics.median));
    assert_string_equal(last[6].reason, "not the same in every round: its verified answer has the digest "
                                        "00000000000000bb, and in round 0 it had 00000000000000aa");
}

TEST(speedups_are_over_the_baseline_of_the_round)
{
    take(timed("base", 0, 8e-6, true));
    take(timed("fast", 0, 2e-6, true));
    take(timed("fast", 1, 1e-6, true)); /* before its baseline */
    take(timed("base", 1, 3e-6, true));
    end();
    assert_true(early[1].speedup == 4);
    assert_string_equal(early[2].baseline, "");
    assert_true(last[1].speedup == 4 && last[2].speedup == 3 && last[3].speedup == 1);
    assert_string_equal(last[2].baseline, "base");
}

TEST(the_first_baseline_that_was_reached_counts)
{
    struct result skipped = timed("base", 0, NAN, true), failed = skipped, slowed = timed("fast", 0, 1e-6, true);
    skipped.status = STATUS_SKIPPED;
    failed.status = STATUS_FAILED;
    failed.round = 1;
    slowed.slowdown_pct = 5;
    struct result slowed_base = timed("base", 2, 2e-6, true);
    slowed_base.slowdown_pct = 5;
    skipped.statistics.count = failed.statistics.count = 0;
    take(skipped);
    take(timed("second", 0, 4e-6, true));
    take(slowed);
    take(failed);
    take(timed("second", 1, 4e-6, true));
    take(slowed_base);
    take(timed("fast", 2, 1e-6, true));
    end();
    assert_string_equal(last[1].baseline, "second");
    assert_string_equal(last[2].baseline, ""); /* a slowed row is compared with nothing */
    assert_string_equal(last[4].baseline, ""); /* the baseline has failed */
    assert_string_equal(last[6].baseline, ""); /* the baseline was slowed */
}

/* The file has provisional rows until the end: an interrupted run leaves them. */
TEST(the_file_has_the_last_word)
{
    const struct options options = {.out = "judged.csv"};
    struct outputs outputs;
    assert_true(outputs_open(&options, "rungbench", &outputs, &error));
    results.early = outputs_take_early;
    results.self = &outputs;
    take_ceiling(2e-6);
    take(timed("base", 0, 4e-6, false));
    assert_true(outputs.files[0].whole > outputs.files[0].preamble);
    take_ceiling(1e-6);
    take_ceiling(3e-6); /* a worse one counts for nothing */
    take(timed("fast", 0, 2e-6, false));
    end();
    assert_true(outputs_take_all(&outputs, &results.list, &error) && output_commit(&outputs.files[0], &error));
    struct csv_table table;
    assert_true(csv_read("judged.csv", &table, &error));
    assert_int_equal(table.rows, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(csv_cell(&table, i, csv_column(&table, "floor_s")), "1e-06");
        assert_string_equal(csv_cell(&table, i, csv_column(&table, "ceiling_pct")), i ? "50" : "25");
    }
    csv_free(&table);
}

/* Only "skipped" is. */
TEST(a_rung_of_which_all_rows_are_skipped_is_unseen)
{
    struct result other = timed("base", 0, 1, true), skipped = timed("fast", 0, 1, true), of_other_op = skipped;
    skipped.status = STATUS_SKIPPED;
    strcpy(of_other_op.op, "dot");
    assert_null(results_find_unseen(&results, &rungs[2]));
    take(other);
    take(of_other_op);
    take(skipped);
    assert_string_equal(results_find_unseen(&results, &rungs[2])->variant, "fast");
    assert_null(results_find_unseen(&results, &rungs[0]));
    skipped.status = STATUS_FAILED;
    take(skipped);
    assert_null(results_find_unseen(&results, &rungs[2]));
}
