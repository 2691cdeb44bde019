/* How rounds are compared: in pairs if both files are of one session, otherwise as two samples. */
#include "gate_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#define assert_close(actual, expected) assert_true(is_close(actual, expected))

static int is_close(double actual, double expected)
{
    return fabs(actual - expected) <= 1e-9 * fabs(expected);
}

static void rounds_of_one_sitting_are_paired(void **state)
{
    (void)state;
    gate_rounds(&base_rows, GATE_GPU_ROW, 1e-5, 0.1, "tick_s", "2e-6");
    for (int round = 9; round >= 0; round--)
        gate_row(&new_rows, GATE_GPU_ROW, round, 1.02e-5 * (1 + 0.1 * round));
    gate_compare();
    assert_true(compared.paired);
    const struct evidence *e = &compared.rows[0].evidence;
    assert_int_equal(e->arrangements, 1024);
    assert_close(e->ratio, 1.02);
    assert_close(e->p_slower, 11.0 / 1024); /* all alike: the data, and those with one flipped */
    assert_close(e->base_s, 1.45e-5);
    assert_close(e->new_s, 1.45e-5 * 1.02);
    assert_close(e->tick_s, 2e-7); /* the largest tick, divided by ten iterations */
    assert_true(e->limits.threshold == 0.01 && e->limits.clear == 0.02);
    assert_string_equal(compared.rows[0].name, GATE_GPU_ROW);
}

static void rounds_of_two_sittings_are_two_samples(void **state)
{
    (void)state;
    gate_rounds(&base_rows, GATE_GPU_ROW, 1e-5, 0.1);
    gate_rounds(&new_rows, GATE_GPU_ROW, 1.02e-5, 0.1, "tick_s", "2e-6");
    for (size_t i = 0; i < 4; i++)
        gate_row(&base_rows, GATE_GPU_ROW, (int)(10 + i), 1e-5);
    gate_unpair();
    gate_compare();
    assert_false(compared.paired);
    const struct evidence *e = &compared.rows[0].evidence;
    assert_int_equal(e->base_rounds, 14);
    assert_int_equal(e->new_rounds, 10);
    assert_true(e->p_slower > 0.05 && e->p_slower < 0.5 && e->p_error > 0);
    assert_close(e->tick_s, 5e-8); /* the tick of the base */
    assert_true(e->limits.threshold == 0.03 && e->limits.clear == 0.06);
    double p = e->p_slower;
    compare_settings.seed = 1;
    gate_compare();
    assert_true(compared.rows[0].evidence.p_slower != p);
}

static void rounds_that_do_not_pair_are_refused(void **state)
{
    (void)state;
    gate_add_to_both(GATE_GPU_ROW, 1);
    gate_row(&base_rows, GATE_GPU_ROW, 10, 1e-5);
    gate_assert_refused("rounds do not pair: round 10 of session monday is in base.csv and not in new.csv");
    gate_row(&new_rows, GATE_GPU_ROW, 10, 1e-5);
    gate_row(&new_rows, GATE_GPU_ROW, 3, 1e-5, "sitting", "tuesday");
    gate_assert_refused("rounds do not pair: round 3 of session tuesday is in new.csv and not in base.csv");
    gate_row(&base_rows, GATE_GPU_ROW, 3, 1e-5, "sitting", "tuesday");
    gate_compare();
    gate_set_all(&new_rows, "round", "3");
    new_rows.count = 1;
    gate_set(&new_rows, "sitting", "tuesday");
    gate_assert_refused("rounds do not pair: round 0 of session monday is in base.csv and not in new.csv");
}

/* All rounds are in both files, but one row lacks a round. */
static void rows_that_lack_a_round_are_refused(void **state)
{
    static const int lacking[] = {0, 4, 9};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 3; i++) {
            gate_files_start(state);
            gate_add_to_both(GATE_GPU_ROW, 1);
            for (int round = 0; round < 10; round++) {
                if (side == 0 || round != lacking[i])
                    gate_row(&base_rows, "zz", round, 1e-5);
                if (side == 1 || round != lacking[i])
                    gate_row(&new_rows, "zz", round, 1e-5);
            }
            char line[100];
            snprintf(line, sizeof line, "rounds do not pair: zz is in round %d of %s and not of %s", lacking[i],
                     side ? "new.csv" : "base.csv", side ? "base.csv" : "new.csv");
            gate_assert_refused(line);
            gate_unpair();
            gate_compare();
        }
}

static void add_launch_bound(struct gate_rows *rows, int first, int end)
{
    for (int round = 0; round < 10; round++)
        gate_row(rows, GATE_GPU_ROW, round, 1e-5, "launch_bound", round >= first && round < end ? "yes" : "no");
}

static void launch_bound_rounds_are_not_weighed(void **state)
{
    static const char bound[] = "launch-bound: the host was too slow to keep the device busy";
    static const struct {
        int base_first, base_end, new_first, new_end;
        bool paired;
        enum verdict verdict; /* VERDICTS: the row has evidence */
        size_t base, other;   /* rounds in the evidence */
    } table[] = {
        {0, 6, 0, 0, false, VERDICT_INCONCLUSIVE, 0, 0},
        {0, 6, 0, 6, false, VERDICT_NOT_GATED, 0, 0},
        {0, 5, 0, 0, false, VERDICTS, 5, 10},
        {0, 10, 0, 10, false, VERDICT_NOT_GATED, 0, 0},
        {0, 0, 0, 6, false, VERDICT_INCONCLUSIVE, 0, 0},
        {0, 0, 0, 5, false, VERDICTS, 10, 5},
        {0, 5, 5, 10, false, VERDICTS, 5, 5},
        {0, 5, 5, 10, true, VERDICT_INCONCLUSIVE, 0, 0},
        {0, 5, 0, 5, true, VERDICTS, 5, 5},
        {0, 5, 1, 6, true, VERDICT_INCONCLUSIVE, 0, 0},
        {0, 6, 0, 5, true, VERDICT_INCONCLUSIVE, 0, 0},
        {0, 6, 0, 6, true, VERDICT_NOT_GATED, 0, 0},
        {0, 0, 0, 10, true, VERDICT_INCONCLUSIVE, 0, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        gate_files_start(state);
        add_launch_bound(&base_rows, table[i].base_first, table[i].base_end);
        add_launch_bound(&new_rows, table[i].new_first, table[i].new_end);
        if (!table[i].paired)
            gate_unpair();
        gate_compare();
        const struct compared_row *row = &compared.rows[0];
        bool weighed = table[i].verdict == VERDICTS;
        assert_int_equal(row->has_evidence, weighed);
        assert_int_equal(row->is_decided, !weighed);
        assert_string_equal(row->reason, weighed ? "" : bound);
        if (!weighed)
            assert_int_equal(row->verdict, table[i].verdict);
        assert_int_equal(row->evidence.base_rounds, table[i].base);
        assert_int_equal(row->evidence.new_rounds, table[i].other);
    }
}

static void launch_bound_rounds_take_their_pairs_with_them(void **state)
{
    (void)state;
    for (int side = 0; side < 2; side++)
        for (int round = 0; round < 10; round++)
            gate_row(side ? &new_rows : &base_rows, GATE_GPU_ROW, round, (side ? 1.02e-5 : 1e-5) * (1 + 0.1 * round),
                     "launch_bound", (side ? round == 2 || round == 7 : round < 2) ? "yes" : "no");
    gate_compare();
    const struct evidence *e = &compared.rows[0].evidence;
    assert_int_equal(e->base_rounds, 6);
    assert_close(e->ratio, 1.02);
    assert_close(e->base_s, 1.55e-5);
    assert_close(e->new_s, 1.55e-5 * 1.02);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, gate_files_start, gate_files_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(rounds_of_one_sitting_are_paired),    TEST(rounds_of_two_sittings_are_two_samples),
        TEST(rounds_that_do_not_pair_are_refused), TEST(rows_that_lack_a_round_are_refused),
        TEST(launch_bound_rounds_are_not_weighed), TEST(launch_bound_rounds_take_their_pairs_with_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
