/* The verdict that follows from the rounds of a row. */
#include "bench/gate/rule.h"
#include "tests/unit.h"

enum { PAIRS = 12 };

#define just 1e-9

/* Evidence of pairs whose ratios are within 0.1 % of `ratio`, which is their geometric mean. */
static struct evidence paired(double ratio, double base_s, double tick_s, struct limits limits)
{
    double base[PAIRS], other[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        base[i] = base_s * (1 + 0.01 * (i % 5 - 2));
        other[i] = base[i] * ratio * exp(i % 2 ? 0.001 : -0.001);
    }
    return evidence_of_pairs(base, other, PAIRS, tick_s, limits, 0, false);
}

/* Evidence with these values, of a row of 1 s. */
static struct evidence made(double ratio, double p_slower, double p_faster, double p_clear)
{
    return (struct evidence){.base_s = 1,
                             .new_s = ratio,
                             .ratio = ratio,
                             .limits = limits_of(false, true),
                             .p_slower = p_slower,
                             .p_faster = p_faster,
                             .p_clear = p_clear};
}

static enum verdict verdict_of(const struct evidence *evidence, double level)
{
    struct decision decision = {*evidence, true, VERDICTS};
    rule_decide(&decision, 1, level);
    return decision.verdict;
}

TEST(too_few_rounds_bound_nothing)
{
    static const double base[] = {1, 1, 1, 1, 1, 1, 1}, other[] = {1.51, 1.52, 1.53, 1.54, 1.55, 1.56, 1.57};
    for (size_t count = 1; count <= 7; count++) {
        struct evidence e = evidence_of_pairs(base, other, count, 0, limits_of(false, true), 0, true);
        assert_int_equal(isinf(e.interval.high), count < 7);
        assert_int_equal(e.interval.low == 0, count < 7);
        assert_close(e.p_slower, ldexp(count < 5 ? 1 : 2, -(int)count));
        assert_int_equal(verdict_of(&e, RULE_FILES_LEVEL), count < 6 ? VERDICT_INCONCLUSIVE : VERDICT_SLOWER);
    }
}

/* The threshold is 1 %; the tick is relative. */
TEST(a_change_is_beyond_the_threshold_and_two_ticks)
{
    static const struct {
        double ratio, tick;
        enum verdict verdict;
    } table[] = {
        {1.03, 0, VERDICT_SLOWER},
        {1.012, 0, VERDICT_SLOWER},
        {1.01 + just, 0, VERDICT_CLEARED}, /* it may be the threshold itself */
        {1.01 - just, 0, VERDICT_CLEARED},
        {0.9, 0, VERDICT_FASTER},
        {1 / 1.012, 0, VERDICT_FASTER},
        {1 / 1.01 - just, 0, VERDICT_CLEARED},
        {1 / 1.01 + just, 0, VERDICT_CLEARED},
        {1.03, 0.0149, VERDICT_SLOWER},
        {1.03, 0.0151, VERDICT_INCONCLUSIVE}, /* 2 ticks are 3.02 % */
        {1.03, 0.0175, VERDICT_INCONCLUSIVE},
        {1 / 1.03, 0.0149, VERDICT_FASTER},
        {1 / 1.03, 0.0151, VERDICT_CLEARED},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        for (double base_s = 1e-3; base_s <= 1; base_s *= 1000) {
            struct evidence e = paired(table[i].ratio, base_s, table[i].tick * base_s, limits_of(false, true));
            assert_int_equal(verdict_of(&e, RULE_SITTING_LEVEL), table[i].verdict);
        }
}

TEST(limits_and_levels_are_within)
{
    const double next = nextafter(1.01, 2);
    const struct {
        double ratio, p_slower, p_faster, p_clear, level;
        enum verdict verdict;
    } table[] = {
        {1.01, 0, 1, 1, 0.01, VERDICT_INCONCLUSIVE},
        {next, 0, 1, 1, 0.01, VERDICT_SLOWER},
        {1 / 1.01, 1, 0, 0, 0.01, VERDICT_CLEARED},
        {nextafter(1 / 1.01, 0), 1, 0, 0, 0.01, VERDICT_FASTER},
        {1.5, 0.01, 1, 1, 0.01, VERDICT_SLOWER},
        {1.5, 0.01, 1, 1, nextafter(0.01, 0), VERDICT_INCONCLUSIVE},
        {0.5, 1, 0.01, 0, 0.01, VERDICT_FASTER},
        {0.5, 1, 0.01, 0, nextafter(0.01, 0), VERDICT_CLEARED},
        {1.015, 0.02, 1, 0.02, 0.01, VERDICT_CLEARED}, /* at twice the level, */
        {1.015, 0.02, 1, nextafter(0.02, 1), 0.01, VERDICT_INCONCLUSIVE},
        {1.015, 1, 1, 0.05, 0.1, VERDICT_CLEARED}, /* and at 0.05 at most */
        {1.015, 1, 1, nextafter(0.05, 1), 0.1, VERDICT_INCONCLUSIVE},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct evidence e = made(table[i].ratio, table[i].p_slower, table[i].p_faster, table[i].p_clear);
        assert_int_equal(verdict_of(&e, table[i].level), table[i].verdict);
    }
}

/* Which rows are slower, and which are faster, at a level just above or below that. One that is not open counts for
 * nothing. */
static void assert_rejected(const double *p, const double *adjusted, size_t count)
{
    struct decision rows[2][11];
    for (size_t i = 0; i < count; i++) {
        rows[0][i] = (struct decision){made(1.5, p[i], 1, 1), true, VERDICTS};
        rows[1][i] = (struct decision){made(0.5, 1, p[i], 1), true, VERDICTS};
    }
    rows[0][count] = rows[1][count] = (struct decision){made(1.5, 1, 1, 0), false, VERDICT_ACCEPTED};
    for (size_t at = 0; at < count; at++)
        for (int i = 0; i < 4; i++) {
            double level = adjusted[at] * (i % 2 ? 1 + just : 1 - just);
            rule_decide(rows[i / 2], count + 1, level);
            for (size_t j = 0; j < count; j++)
                assert_int_equal(rows[i / 2][j].verdict == (i / 2 ? VERDICT_FASTER : VERDICT_SLOWER),
                                 adjusted[j] <= level);
            assert_int_equal(rows[i / 2][count].verdict, VERDICT_ACCEPTED);
        }
}

/* The first by R's multtest: mt.rawp2adjp(p, "Holm"), quoted in the tests of statsmodels' multipletests; the third is
 * the example of "Holm-Bonferroni method", Wikipedia. */
TEST(rows_are_decided_by_holms_procedure)
{
    static const struct {
        size_t count;
        double p[10], adjusted[10];
    } table[] = {{10,
                  {0.838541367553, 0.642193923795, 0.680845947633, 0.967833824309, 0.71626938238, 0.177096952723,
                   5.23656777208e-05, 0.0202732688798, 0.00028140506198, 0.0149877310796},
                  {1, 1, 1, 1, 1, 1, 5.23656777208e-04, 0.1419128821586, 0.00253264555782, 0.1199018486368}},
                 {6, {0.008, 0.002, 0.012, 0.004, 0.01, 0.006}, {0.024, 0.012, 0.024, 0.02, 0.024, 0.024}},
                 {4, {0.01, 0.04, 0.03, 0.005}, {0.03, 0.06, 0.06, 0.02}},
                 {1, {0.03}, {0.03}},
                 {3, {0.02, 0.02, 0.02}, {0.06, 0.06, 0.06}},
                 {2, {0.9, 0.6}, {1, 1}},
                 {0, {0}, {0}}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_rejected(table[i].p, table[i].adjusted, table[i].count);
    rule_decide(NULL, 0, 0.01);
}

TEST(a_row_goes_to_confirmation_for_one_of_three_causes)
{
    const double at[][2] = {{1, 0.01}, {1, 0.05}, {1.005, 0.01}, {1 / 1.01, 0.01}};
    const double beyond[][2] = {{1, nextafter(0.05, 1)}, {nextafter(1.005, 2), 0.01}, {nextafter(1 / 1.01, 0), 0.01}};
    for (size_t i = 0; i < 4; i++) {
        struct evidence e = made(at[i][0], 0.5, 0.5, at[i][1]);
        assert_false(rule_needs_confirmation(&e));
    }
    for (size_t i = 0; i < 3; i++) {
        struct evidence e = made(beyond[i][0], 0.5, 0.5, beyond[i][1]);
        assert_true(rule_needs_confirmation(&e));
    }
}

TEST(pairs_needed_reach_the_level)
{
    for (size_t rows = 1; rows <= 40; rows++) /* enough for suite gate */
        assert_true(evidence_rounds_needed(true, rows, RULE_SITTING_LEVEL) <= RULE_CONFIRM_PAIRS);
    assert_true(evidence_rounds_needed(true, 41, RULE_SITTING_LEVEL) > RULE_CONFIRM_PAIRS);
}

/* Rows that are as they were, slower, unsteady until the second confirmation, and unsteady all the time. */
enum { SAME, SLOWER, UNSTEADY_ONCE, UNSTEADY, KINDS_OF_ROWS };

static struct evidence evidence_of_kind(void *self, size_t row, size_t first, size_t count)
{
    size_t *pairs = self;
    double base[RULE_RUN_PAIRS], other[RULE_RUN_PAIRS];
    bool unsteady = row == UNSTEADY || (row == UNSTEADY_ONCE && first < RULE_SCREEN_PAIRS + RULE_CONFIRM_PAIRS);
    for (size_t i = 0; i < count; i++) {
        base[i] = 1;
        other[i] = (row == SLOWER || row == UNSTEADY_ONCE ? 1.03 : 1) * (1 + 0.001 * (double)((first + i) % 3));
        if (unsteady)
            other[i] *= i % 2 ? 1.2 : 0.9;
    }
    pairs[row] += count;
    return evidence_of_pairs(base, other, count, 0, limits_of(false, true), 0, false);
}

TEST(a_run_confirms_what_is_open)
{
    struct decision rows[KINDS_OF_ROWS];
    size_t pairs[KINDS_OF_ROWS] = {0};
    rule_decide_run(evidence_of_kind, pairs, rows, KINDS_OF_ROWS);
    assert_int_equal(rows[SAME].verdict, VERDICT_CLEARED);
    assert_int_equal(rows[SLOWER].verdict, VERDICT_SLOWER);
    assert_int_equal(rows[UNSTEADY_ONCE].verdict, VERDICT_SLOWER);
    assert_int_equal(rows[UNSTEADY].verdict, VERDICT_INCONCLUSIVE);
    assert_int_equal(pairs[SAME], RULE_SCREEN_PAIRS);
    assert_int_equal(pairs[SLOWER], RULE_SCREEN_PAIRS + RULE_CONFIRM_PAIRS);
    assert_int_equal(pairs[UNSTEADY_ONCE], RULE_RUN_PAIRS);
    assert_int_equal(pairs[UNSTEADY], RULE_RUN_PAIRS);
}
