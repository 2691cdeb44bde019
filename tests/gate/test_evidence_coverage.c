/* The error rates of the tests and the coverage of the intervals, in simulated rounds with a fixed seed. */
#include "bench/base/seeded.h"
#include "bench/gate/evidence.h"
#include "tests/unit.h"

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
    return (double)(seeded_bits(20, (*position)++) >> 11) * 0x1p-53;
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

/* The evidence for the difference `theta` of logarithms whose true difference is `truth`; of pairs if there is no
 * number of base rounds. */
static struct evidence evidence_at(double theta, noise *draw, size_t base_rounds, size_t rounds, double truth,
                                   uint64_t *position)
{
    double base_s[LARGEST_SET], new_s[LARGEST_SET];
    const struct limits limits = {expm1(theta), expm1(theta)};
    for (size_t i = 0; i < (base_rounds ? base_rounds : rounds); i++)
        base_s[i] = exp(draw(position));
    for (size_t i = 0; i < rounds; i++)
        new_s[i] = exp(truth + draw(position));
    return base_rounds > 0 ? evidence_of_samples(base_s, base_rounds, new_s, rounds, 0, limits, 0)
                           : evidence_of_pairs(base_s, new_s, rounds, 0, limits, 0, true);
}

/* Each one-sided test rejects the truth about as often as its level says, and the interval contains it. */
static void assert_honest(noise *draw, size_t base_rounds, size_t rounds, double truth)
{
    size_t greater = 0, less = 0, covered = 0;
    uint64_t position = 0;
    for (int set = 0; set < SETS; set++) {
        struct evidence e = evidence_at(truth, draw, base_rounds, rounds, truth, &position);
        greater += e.p_slower <= level;
        less += e.p_clear <= level;
        covered += e.interval.low <= exp(truth) && exp(truth) <= e.interval.high;
    }
    assert_true((double)greater <= most_rejections() && (double)less <= most_rejections());
    assert_true((double)greater >= SETS * 0.03 && (double)less >= SETS * 0.03);
    assert_in_range(covered, 0.935 * SETS, 0.97 * SETS);
}

TEST(pairs_reject_the_truth_as_rarely_as_they_say)
{
    assert_honest(even, 0, 8, 0);
    assert_honest(even, 0, 8, 0.37);
    assert_honest(skewed, 0, 8, 0);
    assert_honest(skewed, 0, 10, -2);
}

TEST(samples_reject_the_truth_as_rarely_as_they_say)
{
    assert_honest(even, 6, 6, 0);
    assert_honest(even, 4, 9, 0.37);
    assert_honest(skewed, 6, 6, -2);
    assert_honest(skewed, 9, 4, 0);
}

/* A test that never rejects would pass the tests above. */
TEST(a_false_hypothesis_is_rejected)
{
    size_t rejected[2] = {0, 0};
    uint64_t position = 0;
    for (int set = 0; set < SETS; set++)
        for (size_t paired = 0; paired < 2; paired++)
            rejected[paired] += evidence_at(0, even, paired ? 0 : 6, 6, 4, &position).p_slower <= level;
    assert_true((double)rejected[0] > 0.95 * SETS && (double)rejected[1] > 0.95 * SETS);
}
