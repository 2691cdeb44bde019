/* The order of rows in a round. */
#include "fake_rungs.h"
#include "shuffle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

/* Three workloads, four rungs, two modes. */
static const struct workload workloads[] = {{"a", {1, 2, 3}, 0}, {"b", {4, 5, 6}, 0}, {"c", {7, 8, 9}, 0}};
static const struct rung rungs[] = {{.variant = "v", .op = &matmul_op, .backend = &fake_entry},
                                    {.variant = "w", .op = &matmul_op, .backend = &fake_entry},
                                    {.variant = "x", .op = &matmul_op, .backend = &fake_entry},
                                    {.variant = "y", .op = &matmul_op, .backend = &fake_entry}};
enum { WORKLOADS = 3, RUNGS = 4, MODES = 2, ROWS = WORKLOADS * RUNGS * MODES };
static struct row rows[ROWS];
static struct selection selection;

static int set_up(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS; i++)
        rows[i] = (struct row){&workloads[i / (RUNGS * MODES)], &rungs[i / MODES % RUNGS],
                               i % MODES ? &mode_hot : &mode_cold};
    selection = (struct selection){rows, ROWS};
    return 0;
}

static void what_belongs_together_stays_together(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        assert_true(shuffle_rows(&selection, seed));
        for (size_t i = 0; i < ROWS; i++) {
            assert_ptr_equal(rows[i].workload, rows[i / (RUNGS * MODES) * (RUNGS * MODES)].workload);
            assert_ptr_equal(rows[i].rung, rows[i / MODES * MODES].rung);
        }
    }
}

/* Chi-square with 3 degrees of freedom is above 21.1 once in 10000 times (and the seed is fixed). */
static void every_place_is_equally_likely(void **state)
{
    (void)state;
    enum { TRIALS = 4000 };
    double seen[WORKLOADS] = {0}, seen_rung[RUNGS] = {0}, cold_first = 0, chi = 0;
    for (uint64_t seed = 0; seed < TRIALS; seed++) {
        set_up(state);
        assert_true(shuffle_rows(&selection, seed));
        seen[rows[0].workload - workloads]++;
        seen_rung[rows[0].rung - rungs]++;
        cold_first += rows[0].mode == &mode_cold;
    }
    for (size_t i = 0; i < RUNGS; i++)
        chi += (seen_rung[i] - TRIALS / 4.0) * (seen_rung[i] - TRIALS / 4.0) / (TRIALS / 4.0);
    assert_true(chi < 21.1);
    for (size_t i = 0; i < WORKLOADS; i++)
        assert_true(fabs(seen[i] - TRIALS / 3.0) < 4 * sqrt(TRIALS * 2 / 9.0));
    assert_true(fabs(cold_first - TRIALS / 2.0) < 4 * sqrt(TRIALS / 4.0));
}

static void the_seed_alone_makes_the_order(void **state)
{
    (void)state;
    struct row first[ROWS];
    shuffle_rows(&selection, 7);
    memcpy(first, rows, sizeof rows);
    set_up(state);
    shuffle_rows(&selection, 7);
    assert_memory_equal(first, rows, sizeof rows);
    set_up(state);
    shuffle_rows(&selection, 8);
    assert_memory_not_equal(first, rows, sizeof rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(what_belongs_together_stays_together, set_up),
        cmocka_unit_test_setup(every_place_is_equally_likely, set_up),
        cmocka_unit_test_setup(the_seed_alone_makes_the_order, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
