/* The evidence of a row against counts by the definition of the test: of pairs, in each pattern, and of two samples. */
#include "bench/gate/rule.h"
#include "tests/unit.h"

enum { LARGEST = 40, TRIMMED_FROM = 5, PATTERNS_DRAWN = (1 << 16) + 1 };

/* With these p_slower and p_clear are those of "the logarithm of the ratio is theta or less", and "or more". */
static struct limits at(double theta)
{
    return (struct limits){.threshold = expm1(theta), .clear = expm1(theta)};
}

/* Of times whose ratios have these logarithms. */
static struct evidence evidence_at(const double *differences, size_t count, double unit, double theta)
{
    double base_s[LARGEST], new_s[LARGEST];
    for (size_t i = 0; i < count; i++) {
        base_s[i] = 1;
        new_s[i] = exp(unit * differences[i]);
    }
    return evidence_of_pairs(base_s, new_s, count, 0, at(unit * theta), 1, theta == 0);
}

/* By definition, in whole numbers: the sum of what sorting leaves between the ends. */
static double middle_sum(const double *values, size_t count)
{
    double sum = 0, least = values[0], most = values[0];
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
        least = values[i] < least ? values[i] : least;
        most = values[i] > most ? values[i] : most;
    }
    return count < TRIMMED_FROM ? sum : sum - least - most;
}

struct counts {
    double at_least, at_most, all;
};

static struct counts count(const double *differences, size_t count, double theta)
{
    double shifted[LARGEST] = {0}, flipped[LARGEST];
    struct counts counts = {0, 0, ldexp(1, (int)count)};
    for (size_t i = 0; i < count; i++)
        shifted[i] = differences[i] - theta;
    double seen = middle_sum(shifted, count);
    for (size_t pattern = 0; pattern < (size_t)1 << count; pattern++) {
        for (size_t i = 0; i < count; i++)
            flipped[i] = pattern >> i & 1 ? -shifted[i] : shifted[i];
        double sum = middle_sum(flipped, count);
        counts.at_least += sum >= seen;
        counts.at_most += sum <= seen;
    }
    return counts;
}

/* The last: R. A. Fisher, "The Design of Experiments", 1935, section 21: Darwin's differences between crossed and
 * self-fertilised maize in eighths of an inch. Their sums in thousandths tie in decimal, and not all of them in binary.
 */
static const struct {
    size_t count;
    double differences[LARGEST];
} cases[] = {
    {1, {20}},
    {2, {10, -30}},
    {4, {3, 9, 4, 1}},
    {5, {0, 0, 0, 0, 0}},
    {5, {100, 200, -300, 400, 100}},
    {6, {3, 9, 4, 1, 7, -2}},
    {6, {100, 200, -300, 700, -400, -300}},
    {7, {3, 9, 4, 1, 7, -2, 1000}},
    {8, {21, 9, -4, 17, 3, 28, 12, -8}},
    {8, {10, 10, 10, 10, 10, 10, 10, 10}},
    {12, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {12, {10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10}},
    {8, {10, 11, 12, 13, 14, 15, 16, -900}},
    {12, {13, -4, 7, 22, 5, 5, -9, 16, 1, 11, -2, 8}},
    {15, {49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48}},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static const double thousandth = 1e-3;

TEST(p_values_of_pairs_are_as_counted)
{
    for (size_t i = 0; i < CASES; i++) {
        const double *differences = cases[i].differences;
        size_t n = cases[i].count, middle = n < TRIMMED_FROM ? n : n - 2;
        for (double theta = -40; theta <= 40; theta += 20) {
            struct counts counts = count(differences, n, theta);
            struct evidence e = evidence_at(differences, n, thousandth, theta);
            assert_true(e.p_slower == counts.at_least / counts.all);
            assert_true(e.p_clear == counts.at_most / counts.all);
            assert_true((double)e.arrangements == counts.all && e.p_error == 0);
            assert_close(e.ratio, exp(thousandth * middle_sum(differences, n) / (double)middle));
        }
    }
}

static const double tail = 0.025;

/* Of the interval, as differences. It has them where so few arrangements are as extreme as any can be. */
static bool find_ends(const struct counts *least, const struct evidence *e, double *low, double *high)
{
    const bool is_finite = least->at_least / least->all <= tail;
    *low = log(e->interval.low) / thousandth;
    *high = log(e->interval.high) / thousandth;
    assert_int_equal(isfinite(*low), is_finite);
    assert_int_equal(isfinite(*high), is_finite);
    return is_finite;
}

/* An end is not rejected, and a value beyond it is. */
TEST(the_interval_of_pairs_ends_where_the_tests_begin_to_reject)
{
    static const double beyond = 1e-3;
    size_t finite = 0;
    for (size_t i = 0; i < CASES; i++) {
        const double *differences = cases[i].differences;
        size_t n = cases[i].count;
        struct counts least = count(differences, n, -1000);
        struct evidence e = evidence_at(differences, n, thousandth, 0);
        double low, high;
        if (!find_ends(&least, &e, &low, &high))
            continue;
        finite++;
        assert_true(e.interval.low <= e.ratio && e.ratio <= e.interval.high);
        assert_true(evidence_at(differences, n, thousandth, low).p_slower > tail);
        assert_true(evidence_at(differences, n, thousandth, low - beyond).p_slower <= tail);
        assert_true(evidence_at(differences, n, thousandth, high).p_clear > tail);
        assert_true(evidence_at(differences, n, thousandth, high + beyond).p_clear <= tail);
    }
    assert_int_equal(finite, 7);
}

TEST(pairs_are_weighed_by_their_logarithms)
{
    static const double base[] = {1, 2, 4, 1, 2, 4}, other[] = {2, 2, 8, 4, 1, 8};
    struct evidence e = evidence_of_pairs(base, other, 6, 0.125, (struct limits){0.05, 0.1}, 0, false);
    assert_int_equal(e.base_rounds, 6);
    assert_int_equal(e.new_rounds, 6);
    assert_close(e.base_s, 2);
    assert_close(e.new_s, 3);
    assert_close(e.ratio, pow(2, 3.0 / 4)); /* log2 of ratios: 1, 0, 1, 2, -1, 1, of which 2 and -1 are left out */
    assert_true(e.tick_s == 0.125 && e.limits.threshold == 0.05 && e.limits.clear == 0.1);
    /* Counted from the definition, at 5 %, -5 % and 10 %. */
    assert_close(e.p_slower, 12.0 / 64);
    assert_close(e.p_faster, 62.0 / 64);
    assert_close(e.p_clear, 54.0 / 64);
    assert_true(isnan(e.interval.low) && isnan(e.interval.high));
}

TEST(samples_are_weighed_by_their_logarithms)
{
    static const double base[] = {1, 2, 4}, other[] = {8, 4, 16, 8};
    struct evidence e = evidence_of_samples(base, 3, other, 4, 0.125, (struct limits){0.03, 0.06}, 0);
    assert_int_equal(e.base_rounds, 3);
    assert_int_equal(e.new_rounds, 4);
    assert_close(e.base_s, 2);
    assert_close(e.new_s, 8);
    assert_close(e.ratio, 4);
    assert_true(e.tick_s == 0.125 && e.limits.threshold == 0.03 && e.limits.clear == 0.06);
    assert_int_equal(e.arrangements, 35);
    assert_close(e.p_slower, 2.0 / 35); /* the data, and the division with the two values 4 exchanged */
    assert_close(e.p_faster, 1);
    assert_true(e.interval.low == 0 && isinf(e.interval.high)); /* 1/35 > 0.025 */
}

/* Of so many rounds the most extreme data reject, and of one round fewer they do not. */
TEST(rounds_needed_are_as_many_as_reject)
{
    double base[LARGEST], other[LARGEST];
    for (int i = 0; i < LARGEST; i++) {
        base[i] = 1 + 1e-3 * i;
        other[i] = base[i] * (1.5 + 0.01 * i);
    }
    for (int paired = 0; paired < 2; paired++)
        for (size_t rows = 1; rows <= (paired ? 2600 : 40); rows += 1 + rows / 3) {
            size_t needed = evidence_rounds_needed(paired, rows, 0.005);
            for (size_t n = needed - 1; n <= needed; n++) {
                struct evidence e = paired ? evidence_of_pairs(base, other, n, 0, at(0), 0, false)
                                           : evidence_of_samples(base, n, other, n, 0, at(0), 0);
                assert_int_equal(e.p_slower * (double)rows <= 0.005, n == needed);
            }
        }
    assert_int_equal(evidence_rounds_needed(true, 1, 1), 1);
    assert_int_equal(evidence_rounds_needed(true, 0, 0.01), 1);
}

/* Evidence of so many rounds that rearrangements are drawn at random; `apart`: of sides that do not overlap. */
static struct evidence drawn(bool paired, bool apart, uint64_t seed)
{
    double base[LARGEST], other[LARGEST];
    size_t rounds = paired ? 22 : 11;
    for (size_t i = 0; i < rounds; i++) {
        base[i] = apart ? 1 : exp((double)((3 * i) % 7));
        other[i] = apart ? 2 + 0.01 * (double)i : base[i] * exp((double)((i * 7) % 13) - 5);
    }
    return paired ? evidence_of_pairs(base, other, rounds, 0, at(0), seed, false)
                  : evidence_of_samples(base, rounds, other, rounds, 0, at(0), seed);
}

/* The p-value of another seed is as near as the standard error says. */
TEST(p_values_that_are_drawn_state_their_error)
{
    enum { SEEDS = 12 };
    for (int paired = 0; paired < 2; paired++) {
        double p[SEEDS], sum = 0, squares = 0, error = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            struct evidence e = drawn(paired, false, seed);
            p[seed] = e.p_slower;
            error = e.p_error;
            sum += p[seed];
            assert_true(seed > 0 || drawn(paired, false, seed).p_slower == p[seed]);
            assert_true(seed == 0 || p[seed] != p[seed - 1]);
            assert_true(error > 0 && is_close(error, sqrt(p[seed] * (1 - p[seed]) / (double)e.arrangements)));
        }
        for (int i = 0; i < SEEDS; i++)
            squares += pow((p[i] - sum / SEEDS) / error, 2);
        assert_true(squares / (SEEDS - 1) > 0.2 && squares / (SEEDS - 1) < 3);
    }
}

TEST(p_values_that_are_drawn_are_near_those_that_are_counted)
{
    enum { TOO_MANY_TO_TRY = 21 };
    double differences[TOO_MANY_TO_TRY];
    for (int i = 0; i < TOO_MANY_TO_TRY; i++)
        differences[i] = i * 7 % TOO_MANY_TO_TRY - 6;
    struct counts counts = count(differences, TOO_MANY_TO_TRY, 0);
    struct evidence e = evidence_at(differences, TOO_MANY_TO_TRY, thousandth, 0);
    assert_true(e.p_error > 0 && fabs(e.p_slower - counts.at_least / counts.all) < 5 * e.p_error);
}

/* The data count as one of the random rearrangements. */
TEST(no_p_value_is_zero)
{
    struct evidence pairs = drawn(true, true, 3), samples = drawn(false, true, 3);
    assert_int_equal(pairs.arrangements, PATTERNS_DRAWN);
    assert_true(pairs.p_slower == 1.0 / PATTERNS_DRAWN && pairs.p_clear == 1);
    assert_true(samples.p_slower == 1.0 / (double)samples.arrangements && samples.p_clear == 1);
}

/* All ways to take so many of the values, and those whose sum is at least, or at most, what was seen. */
static void divide(const double *values, size_t count, size_t take, double sum, double seen, struct counts *counts)
{
    if (take > count)
        return;
    if (take == 0) {
        counts->at_least += sum >= seen;
        counts->at_most += sum <= seen;
        counts->all++;
        return;
    }
    divide(values + 1, count - 1, take - 1, sum + values[0], seen, counts);
    divide(values + 1, count - 1, take, sum, seen, counts);
}

/* In thousandths; `mice` are those of B. Efron and R. Tibshirani, "An Introduction to the Bootstrap", 1993, table 2.1,
 * whose p-value is 0.141. */
static const struct halves {
    size_t base_count, other_count;
    double base[LARGEST], other[LARGEST];
} halves[] = {
    {1, 1, {10}, {20}},
    {2, 3, {10, 40}, {20, 30, 70}},
    {3, 3, {10, 40, 25}, {20, 30, 70}},
    {4, 4, {5, 5, 5, 5}, {5, 5, 5, 5}},
    {5, 5, {100, 200, 300, 300, 100}, {300, 400, 200, 500, 300}},
    {3, 8, {11, 19, 14}, {25, 13, 22, 17, 30, 28, 16, 21}},
    {8, 3, {25, 13, 22, 17, 30, 28, 16, 21}, {11, 19, 14}},
    {1, 19, {42}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18}},
    {1, 39, {42}, {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
                   20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38}},
    {9, 7, {52, 104, 146, 10, 51, 30, 40, 27, 46}, {94, 197, 16, 38, 99, 141, 23}},
    {10, 10, {100, 103, 98, 105, 97, 102, 101, 99, 104, 96}, {104, 101, 107, 99, 103, 108, 100, 106, 98, 109}},
    {10, 11, {100, 103, 98, 105, 97, 102, 101, 99, 104, 96}, {104, 101, 107, 99, 103, 108, 100, 106, 98, 109, 102}},
};
enum { HALVES = sizeof halves / sizeof halves[0], LARGEST_EXACT = 1 << 18 };

static struct evidence samples_at(const struct halves *of, double theta)
{
    double base[LARGEST], other[LARGEST];
    for (size_t i = 0; i < of->base_count; i++)
        base[i] = exp(thousandth * of->base[i]);
    for (size_t i = 0; i < of->other_count; i++)
        other[i] = exp(thousandth * of->other[i]);
    return evidence_of_samples(base, of->base_count, other, of->other_count, 0, at(thousandth * theta), 1);
}

static struct counts count_divisions(const struct halves *of, double theta)
{
    double values[2 * LARGEST], seen = 0;
    struct counts counts = {0};
    memcpy(values, of->base, of->base_count * sizeof *values);
    for (size_t i = 0; i < of->other_count; i++)
        seen += values[of->base_count + i] = of->other[i] - theta;
    divide(values, of->base_count + of->other_count, of->other_count, 0, seen, &counts);
    return counts;
}

/* If too many to try are drawn, near enough. */
static void assert_p(double p, double expected, bool is_exact)
{
    double error = is_exact ? 0 : 4 * sqrt(expected * (1 - expected) / LARGEST_EXACT) + 1.0 / LARGEST_EXACT;
    assert_true(fabs(p - expected) <= error + 1e-15);
}

TEST(p_values_of_samples_are_as_counted)
{
    for (size_t i = 0; i < HALVES; i++)
        for (double theta = -15; theta <= 15; theta += 15) {
            struct counts counts = count_divisions(&halves[i], theta);
            struct evidence e = samples_at(&halves[i], theta);
            bool is_exact = counts.all <= LARGEST_EXACT;
            assert_true(!is_exact || e.p_error == 0);
            assert_true((double)e.arrangements == (is_exact ? counts.all : LARGEST_EXACT + 1));
            assert_p(e.p_slower, counts.at_least / counts.all, is_exact);
            assert_p(e.p_clear, counts.at_most / counts.all, is_exact);
        }
}

TEST(the_interval_of_samples_ends_where_the_tests_begin_to_reject)
{
    size_t finite = 0;
    for (size_t i = 0; i < HALVES; i++) {
        struct counts least = count_divisions(&halves[i], -1000);
        struct evidence e = samples_at(&halves[i], 0);
        double beyond = e.p_error > 0 ? 0.1 : 1e-3, low, high;
        if (!find_ends(&least, &e, &low, &high))
            continue;
        finite++;
        assert_true(samples_at(&halves[i], low + beyond).p_slower > tail);
        assert_true(samples_at(&halves[i], low - beyond).p_slower <= tail);
        assert_true(samples_at(&halves[i], high - beyond).p_clear > tail);
        assert_true(samples_at(&halves[i], high + beyond).p_clear <= tail);
    }
    assert_int_equal(finite, 8);
}
