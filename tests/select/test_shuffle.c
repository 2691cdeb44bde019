/* The order of rows in a round. */
#include "bench/select/selection.h"
#include "tests/fakes/fake_rungs.h"
#include "tests/unit.h"

/* Three workloads, four rungs, two modes. */
static const struct workload workloads[] = {{"a", {1, 2, 3}, 0}, {"b", {4, 5, 6}, 0}, {"c", {7, 8, 9}, 0}};
static const struct rung rungs[] = {{.variant = "v", .op = &matmul_op, .backend = &fake_entry},
                                    {.variant = "w", .op = &matmul_op, .backend = &fake_entry},
                                    {.variant = "x", .op = &matmul_op, .backend = &fake_entry, .traits = RUNG_LIBRARY},
                                    {.variant = "y", .op = &matmul_op, .backend = &fake_entry}};
enum { WORKLOADS = 3, RUNGS = 4, MODES = 2, ROWS = WORKLOADS * RUNGS * MODES };
static struct row rows[ROWS];
static struct selection selection;

static int set_up(void **state)
{
    for (size_t i = 0; i < ROWS; i++)
        rows[i] = (struct row){.workload = &workloads[i / (RUNGS * MODES)],
                               .rung = &rungs[i / MODES % RUNGS],
                               .mode = i % MODES ? &mode_hot : &mode_cold};
    selection = (struct selection){rows, ROWS};
    return 0;
}

TEST(what_belongs_together_stays_together)
{
    for (uint64_t seed = 0; seed < 50; seed++) {
        selection_shuffle(&selection, seed, 0);
        for (size_t i = 0; i < ROWS; i++) {
            assert_ptr_equal(rows[i].workload, rows[i / (RUNGS * MODES) * (RUNGS * MODES)].workload);
            assert_ptr_equal(rows[i].rung, rows[i / MODES * MODES].rung);
        }
    }
}

/* The number of the order in which `count` things stand, from 0 to below count!: of each, how many before it are
 * larger. */
static size_t order_of(const size_t *things, size_t count)
{
    size_t number = 0;
    for (size_t i = 1; i < count; i++) {
        size_t larger = 0;
        for (size_t before = 0; before < i; before++)
            larger += things[before] > things[i];
        number = number * (i + 1) + larger;
    }
    return number;
}

static void assert_even(const double *seen, size_t orders, double trials, double limit)
{
    double chi = 0, expected = trials / (double)orders;
    for (size_t i = 0; i < orders; i++)
        chi += (seen[i] - expected) * (seen[i] - expected) / expected;
    if (!(chi < limit))
        fail_msg("chi-square over %zu orders is %g, expected less than %g", orders, chi, limit);
}

/* Limits that chi-square with 5, 23 and 1 degrees of freedom exceeds once in 10000 times (and the seeds are fixed). */
TEST(every_order_is_equally_likely)
{
    enum { TRIALS = 600 };
    double of_workloads[6] = {0}, of_rungs[24] = {0}, of_modes[2] = {0};
    for (uint64_t seed = 0; seed < TRIALS; seed++) {
        size_t workload[WORKLOADS], rung[RUNGS];
        selection_shuffle(&selection, seed, 0);
        for (size_t i = 0; i < WORKLOADS; i++)
            workload[i] = (size_t)(rows[i * RUNGS * MODES].workload - workloads);
        for (size_t i = 0; i < RUNGS; i++)
            rung[i] = (size_t)(rows[i * MODES].rung - rungs);
        of_workloads[order_of(workload, WORKLOADS)]++;
        of_rungs[order_of(rung, RUNGS)]++;
        of_modes[rows[0].mode == &mode_cold]++;
    }
    assert_even(of_workloads, 6, TRIALS, 25.7);
    assert_even(of_rungs, 24, TRIALS, 57.1);
    assert_even(of_modes, 2, TRIALS, 15.1);
}

/* Rungs stand in one order in one workload, and in another in the next. */
TEST(workloads_do_not_repeat_each_other)
{
    enum { TRIALS = 300 };
    double same = 0;
    for (uint64_t seed = 0; seed < TRIALS; seed++) {
        selection_shuffle(&selection, seed, 0);
        same += rows[0].rung == rows[RUNGS * MODES].rung;
    }
    assert_true(fabs(same - TRIALS / 4.0) < 4 * sqrt(TRIALS * 3 / 16.0));
}

/* What one build has and the other has not: a workload, a rung, single rows. */
static bool is_left_out(const struct row *row, int what)
{
    return what == 0   ? row->workload == &workloads[1]
           : what == 1 ? row->rung == &rungs[2]
                       : row->mode == &mode_hot && (row->rung == &rungs[0] || row->workload == &workloads[0]);
}

TEST(other_rows_do_not_change_the_order)
{
    for (uint64_t seed = 0; seed < 100; seed++)
        for (int what = 0; what < 3; what++) {
            struct row fewer_rows[ROWS];
            struct selection fewer = {fewer_rows, 0};
            set_up(state);
            for (size_t i = ROWS; i-- > 0;) /* from the other end: where rows stand in the table is no matter either */
                if (!is_left_out(&rows[i], what))
                    fewer_rows[fewer.count++] = rows[i];
            assert_in_range(fewer.count, ROWS / 2, ROWS - 1);
            selection_shuffle(&fewer, seed, 0);
            selection_shuffle(&selection, seed, 0);
            size_t place = 0;
            for (size_t i = 0; i < ROWS; i++)
                if (!is_left_out(&rows[i], what))
                    assert_memory_equal(&rows[i], &fewer_rows[place++], sizeof rows[i]);
        }
}

TEST(a_round_is_shuffled_by_its_number)
{
    struct row first[ROWS];
    selection_shuffle(&selection, 42, 7);
    memcpy(first, rows, sizeof rows);
    selection_shuffle(&selection, 42, 8);
    assert_memory_not_equal(first, rows, sizeof rows);
    selection_shuffle(&selection, 42, 7);
    assert_memory_equal(first, rows, sizeof rows);
}

AROUND_EACH_TEST(set_up, NULL)
