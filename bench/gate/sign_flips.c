#include "sign_flips.h"

#include "bench/base/seeded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT_UP_TO = 18, DRAWS = 1 << 16, TRIMMED_FROM = 5, HALF = EXACT_UP_TO / 2, WORD_BITS = 64, STEPS = 40 };

/* What rounding may put between two equal values, relative to the largest value: far above the rounding error of sums
 * of a few hundred values, far below any effect. */
static const double relative_rounding = 1e-12;

/* Beyond all differences by that much, far above what rounding does: the p-value is as small as it gets. */
static const double far_enough = 1e-6;

static double statistic(double sum, double least, double most, size_t count)
{
    return count < TRIMMED_FROM ? sum / (double)count : (sum - least - most) / (double)(count - 2);
}

static double statistic_of(const double *values, size_t count)
{
    double sum = 0, least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
        least = fmin(least, values[i]);
        most = fmax(most, values[i]);
    }
    return statistic(sum, least, most, count);
}

bool sign_flips_make(const double *differences, size_t count, uint64_t seed, struct sign_flips *flips)
{
    double largest = 0;
    *flips = (struct sign_flips){.differences = malloc(2 * count * sizeof(double)), .count = count, .seed = seed};
    if (!flips->differences)
        return false;
    flips->scratch = flips->differences + count;
    memcpy(flips->differences, differences, count * sizeof *differences);
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(differences[i]));
    flips->exact = count <= EXACT_UP_TO;
    flips->patterns = flips->exact ? (size_t)1 << count : DRAWS + 1;
    flips->mean = statistic_of(differences, count);
    flips->largest = largest;
    return true;
}

void sign_flips_free(struct sign_flips *flips)
{
    free(flips->differences);
    *flips = (struct sign_flips){0};
}

/* How many patterns have a statistic that is at least, and at most, as large as that of the data. */
struct hits {
    size_t at_least, at_most;
};

static void count_pattern(double value, double seen, double slack, struct hits *hits)
{
    hits->at_least += value >= seen - slack;
    hits->at_most += value <= seen + slack;
}

static double margin(const struct sign_flips *flips, double theta)
{
    return relative_rounding * (flips->largest + fabs(theta));
}

static int larger_first(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a < b) - (a > b);
}

/* The sums of all signed subsets of `count` sizes: bit i of the index says whether size i is positive. */
static void signed_sums(const double *sizes, size_t count, double *sums)
{
    sums[0] = 0;
    for (size_t i = 0; i < count; i++)
        sums[0] -= sizes[i];
    for (size_t set = 1; set < (size_t)1 << count; set++)
        sums[set] = sums[set & (set - 1)] + 2 * sizes[__builtin_ctzll(set)];
}

/* With the sizes in falling order the largest value is the first that is positive, or the last; and so on. */
static struct hits try_all(const struct sign_flips *flips, double theta)
{
    double seen = flips->mean - theta, slack = margin(flips, theta), *sizes = flips->scratch, low_sums[1 << HALF],
           high_sums[1 << HALF];
    size_t count = flips->count, low_count = count / 2, all = flips->patterns - 1;
    struct hits hits = {0, 0};
    for (size_t i = 0; i < count; i++)
        sizes[i] = fabs(flips->differences[i] - theta);
    qsort(sizes, count, sizeof *sizes, larger_first);
    signed_sums(sizes, low_count, low_sums);
    signed_sums(sizes + low_count, count - low_count, high_sums);
    for (size_t up = 0; up <= all; up++) {
        double sum = low_sums[up & (((size_t)1 << low_count) - 1)] + high_sums[up >> low_count];
        double most = up ? sizes[__builtin_ctzll(up)] : -sizes[count - 1];
        double least = up < all ? -sizes[__builtin_ctzll(~up)] : sizes[count - 1];
        count_pattern(statistic(sum, least, most, count), seen, slack, &hits);
    }
    return hits;
}

static struct hits try_drawn(const struct sign_flips *flips, double theta)
{
    double seen = flips->mean - theta, slack = margin(flips, theta);
    struct hits hits = {1, 1}; /* the data */
    uint64_t words = 0;
    for (size_t draw = 0; draw < DRAWS; draw++) {
        uint64_t bits = 0;
        for (size_t i = 0; i < flips->count; i++, bits >>= 1) {
            if (i % WORD_BITS == 0)
                bits = seeded_bits(flips->seed, words++);
            double value = flips->differences[i] - theta;
            flips->scratch[i] = bits & 1 ? -value : value;
        }
        count_pattern(statistic_of(flips->scratch, flips->count), seen, slack, &hits);
    }
    return hits;
}

static struct hits try_patterns(const struct sign_flips *flips, double theta)
{
    return flips->exact ? try_all(flips, theta) : try_drawn(flips, theta);
}

double sign_flips_p_greater(const struct sign_flips *flips, double theta)
{
    return (double)try_patterns(flips, theta).at_least / (double)flips->patterns;
}

double sign_flips_p_less(const struct sign_flips *flips, double theta)
{
    return (double)try_patterns(flips, theta).at_most / (double)flips->patterns;
}

double sign_flips_p_error(const struct sign_flips *flips, double p)
{
    return flips->exact ? 0 : sqrt(p * (1 - p) / (double)flips->patterns);
}

typedef double p_function(const struct sign_flips *flips, double theta);

/* The end of the interval: between `rejected` and `kept`, with that on its inner side. */
static double bisect(const struct sign_flips *flips, p_function *p, double tail, double rejected, double kept)
{
    if (p(flips, rejected) > tail)
        return copysign(INFINITY, rejected - kept);
    for (int i = 0; i < STEPS; i++) {
        double middle = rejected + (kept - rejected) / 2;
        if (p(flips, middle) > tail)
            kept = middle;
        else
            rejected = middle;
    }
    return kept;
}

struct interval sign_flips_interval(const struct sign_flips *flips, double tail)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < flips->count; i++) {
        least = fmin(least, flips->differences[i]);
        most = fmax(most, flips->differences[i]);
    }
    double beyond = fmax(most - least, far_enough);
    tail *= 1 + relative_rounding;
    return (struct interval){bisect(flips, sign_flips_p_greater, tail, least - beyond, flips->mean),
                             bisect(flips, sign_flips_p_less, tail, most + beyond, flips->mean)};
}

size_t sign_flips_pairs_needed(double level, size_t rows)
{
    size_t pairs = 1;
    /* From TRIMMED_FROM on, flipping the value next to zero changes nothing: two patterns are the most extreme. */
    while (ldexp((double)rows, (pairs < TRIMMED_FROM ? 0 : 1) - (int)pairs) > level)
        pairs++;
    return pairs;
}
