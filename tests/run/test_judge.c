/* The last word on the rows of a run: all by the same ceilings, the best that were measured, whenever that was. */
#include "bench/base/csv_text.h"
#include "bench/report/column.h"
#include "bench/run/judge.h"
#include "tests/fakes/fake_backend.h"
#include "tests/fakes/fake_rungs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct rung rungs[] = {
    {.variant = "base", .op = &matmul_op, .backend = &fake_entry, .traits = RUNG_BASELINE},
    {.variant = "second", .op = &matmul_op, .backend = &fake_entry, .traits = RUNG_BASELINE},
    {.variant = "fast", .op = &matmul_op, .backend = &fake_entry}};
static const struct registry registry = {.backends = &fake_entry, .backend_count = 1, .rungs = rungs, .rung_count = 3};
static struct run_facts facts;

enum { KEPT_MAX = 8 };
static struct result early[KEPT_MAX], last[KEPT_MAX];
static size_t early_count, last_count;
static struct judge judge;
static struct run_outcome outcome;
static struct error error;

static bool keep_early(void *self, const struct result *result, struct error *ignored)
{
    (void)self, (void)ignored;
    early[early_count++] = *result;
    return true;
}

static bool keep_last(void *self, const struct result *result, struct error *ignored)
{
    (void)self, (void)ignored;
    last[last_count++] = *result;
    return true;
}

static const struct reporter keeper = {.early = keep_early, .result = keep_last};

static int set_up(void **state)
{
    (void)state;
    early_count = last_count = 0;
    judge = (struct judge){.registry = &registry, .reporters = &keeper, .reporter_count = 1};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    judge_free(&judge);
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
    assert_true(judge_early(&judge, &result, &error));
}

static void take_ceiling(double seconds)
{
    const struct ceiling read = {"fake", "hot", CEILING_READ, 1e6, "", seconds, 0};
    judge_ceiling(&judge, &read);
}

static void end(void)
{
    assert_true(judge_end(&judge, &outcome, &error));
}

static void a_later_and_better_ceiling_judges_earlier_rows(void **state)
{
    (void)state;
    take_ceiling(2e-6);
    take(timed("base", 0, 4e-6, false));
    assert_true(fabs(early[0].ceiling_pct - 50) < 1e-9);
    take_ceiling(1e-6);
    take_ceiling(3e-6); /* a worse one counts for nothing */
    take(timed("fast", 0, 2e-6, false));
    end();
    assert_true(fabs(last[0].ceiling_pct - 25) < 1e-9 && last[0].floor_s == 1e-6);
    assert_true(fabs(last[1].ceiling_pct - 50) < 1e-9 && last[1].floor_s == 1e-6);
    assert_string_equal(last[0].ceiling, "read");
}

static void a_row_that_seemed_impossible_may_be_possible(void **state)
{
    (void)state;
    take_ceiling(2e-6);
    take(timed("fast", 0, 1e-6, false));
    assert_int_equal(early[0].status, STATUS_FAILED);
    assert_non_null(strstr(early[0].reason, "an error in the measurement: 1 us is less than the 2 us"));
    assert_true(isnan(early[0].statistics.median) && early[0].statistics.count == 0);
    take_ceiling(0.9e-6);
    end();
    assert_int_equal(last[0].status, STATUS_OK);
    assert_int_equal(outcome.ok, 1);
    assert_true(last[0].statistics.median == 1e-6);
}

/* Fewer bytes were moved faster. */
static void a_row_that_seemed_impossible_may_be_over_its_ceiling(void **state)
{
    (void)state;
    const struct ceiling fewer = {"fake", "hot", CEILING_READ, 5e5, "", 0.4e-6, 0};
    take_ceiling(2e-6);
    take(timed("fast", 0, 1e-6, false));
    assert_int_equal(early[0].status, STATUS_FAILED);
    judge_ceiling(&judge, &fewer);
    end();
    assert_int_equal(last[0].status, STATUS_OK);
    assert_string_equal(last[0].conditions.marks, "over-ceiling");
    assert_true(fabs(last[0].ceiling_pct - 200) < 1e-9);
}

static void a_host_row_loses_its_mark(void **state)
{
    (void)state;
    take_ceiling(2e-6);
    take(timed("fast", 0, 1e-6, true));
    assert_string_equal(early[0].conditions.marks, "over-ceiling");
    take_ceiling(0.9e-6);
    end();
    assert_string_equal(last[0].conditions.marks, "");
}

static void an_impossible_row_stays_so(void **state)
{
    (void)state;
    take_ceiling(2e-6);
    take(timed("fast", 0, 1e-6, false));
    end();
    assert_int_equal(last[0].status, STATUS_FAILED);
    assert_int_equal(outcome.failed, 1);
}

static void speedups_are_over_the_baseline_of_the_round(void **state)
{
    (void)state;
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

static void the_first_baseline_that_was_reached_counts(void **state)
{
    (void)state;
    struct result skipped = timed("base", 0, NAN, true), failed = skipped, slowed = timed("fast", 0, 1e-6, true);
    skipped.status = STATUS_SKIPPED;
    failed.status = STATUS_FAILED;
    failed.round = 1;
    slowed.slowdown_pct = 5;
    skipped.statistics.count = failed.statistics.count = 0;
    take(skipped);
    take(timed("second", 0, 4e-6, true));
    take(slowed);
    take(failed);
    take(timed("second", 1, 4e-6, true));
    end();
    assert_string_equal(last[1].baseline, "second");
    assert_string_equal(last[2].baseline, ""); /* a slowed row is compared with nothing */
    assert_string_equal(last[4].baseline, ""); /* the baseline has failed */
}

/* The file has provisional rows until the end: an interrupted run leaves them. */
static void the_file_has_the_last_word(void **state)
{
    (void)state;
    struct output file;
    assert_true(output_open(&file, "judged.csv", &error) && report_csv_begin(&file, &error));
    const struct reporter csv = {
        .self = &file, .early = report_csv_result, .begin_again = report_csv_begin_again, .result = report_csv_result};
    judge.reporters = &csv;
    take_ceiling(2e-6);
    take(timed("base", 0, 4e-6, false));
    off_t early_bytes = file.whole;
    assert_true(early_bytes > file.preamble);
    take_ceiling(1e-6);
    take(timed("fast", 0, 2e-6, false));
    end();
    assert_true(output_commit(&file, &error));
    char *text = malloc(16384); /* the table's, then */
    FILE *written = fopen("judged.csv", "r");
    assert_non_null(text);
    assert_non_null(written);
    size_t bytes = fread(text, 1, 16383, written);
    fclose(written);
    text[bytes] = '\0';
    struct csv_table table;
    assert_true(csv_parse(text, bytes, "judged.csv", &table, &error));
    assert_int_equal(table.rows, 2);
    for (size_t i = 0; i < 2; i++)
        assert_string_equal(csv_cell(&table, i, csv_column(&table, "floor_s")), "1e-06");
    csv_free(&table);
}

/* Only "skipped" is. */
static void a_rung_of_which_all_rows_are_skipped_is_unseen(void **state)
{
    (void)state;
    struct result other = timed("base", 0, 1, true), skipped = timed("fast", 0, 1, true), of_other_op = skipped;
    skipped.status = STATUS_SKIPPED;
    strcpy(of_other_op.op, "dot");
    assert_null(judge_find_unseen(&judge, &rungs[2]));
    take(other);
    take(of_other_op);
    take(skipped);
    assert_string_equal(judge_find_unseen(&judge, &rungs[2])->variant, "fast");
    assert_null(judge_find_unseen(&judge, &rungs[0]));
    skipped.status = STATUS_FAILED;
    take(skipped);
    assert_null(judge_find_unseen(&judge, &rungs[2]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_later_and_better_ceiling_judges_earlier_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_row_that_seemed_impossible_may_be_possible, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_row_that_seemed_impossible_may_be_over_its_ceiling, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_host_row_loses_its_mark, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_impossible_row_stays_so, set_up, tear_down),
        cmocka_unit_test_setup_teardown(speedups_are_over_the_baseline_of_the_round, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_first_baseline_that_was_reached_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_file_has_the_last_word, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_rung_of_which_all_rows_are_skipped_is_unseen, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
