/* The error rates of the tests and the coverage of the intervals, in simulated rounds with a fixed seed. */
#include "bench/base/seeded.h"
#include "bench/gate/permutation.h"
#include "bench/gate/sign_flips.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

enum { SETS = 2000, LARGEST_SET = 16 };

static const double level = 0.05;

/* Limit for the rejections in SETS by a test at `level`; exceeded by chance once in a thousand times. */
static double most_rejections(void)
{
    return SETS * (level + 3 * sqrt(level * (1 - level) / SETS));
}

static double uniform(uint64_t *position)
{
    return (seeded_signed_unit(20, (*position)++) + 1) / 2.0;
}

/* Noise with variance 1: even() is the sum of many small effects, skewed() of a few large ones. */
typedef double noise(uint64_t *position);

static double even(uint64_t *position)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += uniform(position);
    return sum;
}

static double skewed(uint64_t *position)
{
    return -log1p(-uniform(position));
}

/* Out of SETS: how often each one-sided test rejects the truth, and how often the interval contains it. */
struct tally {
    size_t greater, less, covered;
};

static void add_to_tally(struct tally *tally, double p_greater, double p_less, struct interval interval, double truth)
{
    tally->greater += p_greater <= level;
    tally->less += p_less <= level;
    tally->covered += interval.low <= truth && truth <= interval.high;
}

static struct tally tally_pairs(noise *draw, size_t count, double truth)
{
    struct tally tally = {0};
    uint64_t position = 0;
    for (int set = 0; set < SETS; set++) {
        double differences[LARGEST_SET];
        struct sign_flips flips;
        for (size_t i = 0; i < count; i++) {
            double base = draw(&position);
            differences[i] = truth + draw(&position) - base;
        }
        assert_true(sign_flips_make(differences, count, 0, &flips));
        add_to_tally(&tally, sign_flips_p_greater(&flips, truth), sign_flips_p_less(&flips, truth),
                     sign_flips_interval(&flips, 0.025), truth);
        sign_flips_free(&flips);
    }
    return tally;
}

static struct tally tally_samples(noise *draw, size_t base_count, size_t other_count, double truth)
{
    struct tally tally = {0};
    uint64_t position = 0;
    for (int set = 0; set < SETS; set++) {
        double base[LARGEST_SET], other[LARGEST_SET];
        struct permutation permutation;
        for (size_t i = 0; i < base_count; i++)
            base[i] = draw(&position);
        for (size_t i = 0; i < other_count; i++)
            other[i] = truth + draw(&position);
        assert_true(permutation_of_samples(base, base_count, other, other_count, 0, &permutation));
        double p_greater = permutation_p_greater(&permutation, truth), p_less = permutation_p_less(&permutation, truth);
        add_to_tally(&tally, p_greater, p_less, permutation_interval(&permutation, 0.025), truth);
        permutation_free(&permutation);
    }
    return tally;
}

static void assert_honest(struct tally tally)
{
    assert_true((double)tally.greater <= most_rejections());
    assert_true((double)tally.less <= most_rejections());
    assert_true((double)tally.greater >= SETS * 0.03 && (double)tally.less >= SETS * 0.03);
    assert_in_range(tally.covered, 0.935 * SETS, 0.97 * SETS);
}

static void pairs_reject_the_truth_as_rarely_as_they_say(void **state)
{
    (void)state;
    assert_honest(tally_pairs(even, 8, 0));
    assert_honest(tally_pairs(even, 8, 0.37));
    assert_honest(tally_pairs(skewed, 8, 0));
    assert_honest(tally_pairs(skewed, 10, -2));
}

static void samples_reject_the_truth_as_rarely_as_they_say(void **state)
{
    (void)state;
    assert_honest(tally_samples(even, 6, 6, 0));
    assert_honest(tally_samples(even, 4, 9, 0.37));
    assert_honest(tally_samples(skewed, 6, 6, -2));
    assert_honest(tally_samples(skewed, 9, 4, 0));
}

/* A test that never rejects would pass the tests above. */
static void a_false_hypothesis_is_rejected(void **state)
{
    (void)state;
    size_t rejected = 0;
    uint64_t position = 0;
    for (int set = 0; set < SETS; set++) {
        double differences[8];
        struct sign_flips flips;
        for (int i = 0; i < 8; i++)
            differences[i] = 1.5 + even(&position);
        assert_true(sign_flips_make(differences, 8, 0, &flips));
        rejected += sign_flips_p_greater(&flips, 0) <= level;
        sign_flips_free(&flips);
    }
    assert_true((double)rejected > 0.95 * SETS); /* Student's test: 0.98 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_reject_the_truth_as_rarely_as_they_say),
        cmocka_unit_test(samples_reject_the_truth_as_rarely_as_they_say),
        cmocka_unit_test(a_false_hypothesis_is_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
