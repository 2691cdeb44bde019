#include "evidence.h"

#include "bench/base/memory.h"
#include "bench/base/seeded.h"
#include "bench/base/statistics.h"

#include <math.h>
#include <stdlib.h>

/* Both tests ask in how many rearrangements of the data, each of which was as likely if the difference is theta, the
 * statistic is at least as extreme as in the data. The data count as one of the random rearrangements, so that no
 * p-value is too small (B. Phipson and G. K. Smyth, "Permutation p-values should never be zero", 2010). Intervals are
 * all theta that neither one-sided test rejects. */
static const double tail = 0.025; /* on each side of the interval */

/* What rounding may put between two equal values, relative to the largest value: far above the rounding error of sums
 * of a few hundred values, far below any effect. */
static const double relative_rounding = 1e-12;

/* One-sided p-values of the hypotheses "the difference is theta or less" (greater) and "theta or more" (less). */
struct p_values {
    double greater, less;
};

typedef struct p_values p_function(const void *test, double theta);

static void weigh(p_function *p, const void *test, bool exact, struct evidence *evidence)
{
    double ignored = log1p(evidence->limits.threshold);
    evidence->p_slower = p(test, ignored).greater;
    evidence->p_faster = p(test, -ignored).less;
    evidence->p_clear = p(test, log1p(evidence->limits.clear)).less;
    if (!exact)
        evidence->p_error = sqrt(evidence->p_slower * (1 - evidence->p_slower) / (double)evidence->arrangements);
}

static int larger_first(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a < b) - (a > b);
}

enum {
    EXACT_UP_TO = 20,
    PATTERNS_DRAWN = 1 << 16,
    TRIMMED_FROM = 5,
    HALF = EXACT_UP_TO / 2,
    WORD_BITS = 64,
    STEPS = 40
};

/* Beyond all differences by that much, far above what rounding does: the p-value is as small as it gets. */
static const double far_enough = 1e-6;

struct sign_flips {
    double *differences, *scratch; /* `count` each */
    size_t count;
    uint64_t seed;
    size_t patterns;    /* how many are tried, the data's own included */
    bool exact;         /* all of them; otherwise they are drawn at random */
    double mean;        /* the statistic of the data */
    double least, most; /* of the differences */
};

static double statistic(double sum, double least, double most, size_t count)
{
    return count < TRIMMED_FROM ? sum / (double)count : (sum - least - most) / (double)(count - 2);
}

/* Most of the gate's time goes here: fmin() and fmax() would be calls. */
static double statistic_of(const double *values, size_t count)
{
    double sum = 0, least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
        least = values[i] < least ? values[i] : least;
        most = values[i] > most ? values[i] : most;
    }
    return statistic(sum, least, most, count);
}

static struct sign_flips make_flips(const double *base_s, const double *new_s, size_t count, uint64_t seed)
{
    double *room = memory_get(2 * count, sizeof *room);
    bool exact = count <= EXACT_UP_TO;
    struct sign_flips flips = {.differences = room,
                               .scratch = room + count,
                               .count = count,
                               .seed = seed,
                               .patterns = exact ? (size_t)1 << count : PATTERNS_DRAWN + 1,
                               .exact = exact,
                               .least = INFINITY,
                               .most = -INFINITY};
    for (size_t i = 0; i < count; i++) {
        room[i] = log(new_s[i] / base_s[i]);
        flips.least = fmin(flips.least, room[i]);
        flips.most = fmax(flips.most, room[i]);
    }
    flips.mean = statistic_of(room, count);
    return flips;
}

/* Counts the patterns whose statistic is at least, and at most, as large as that of the data. */
static void count_pattern(double value, double seen, double slack, struct p_values *hits)
{
    hits->greater += value >= seen - slack;
    hits->less += value <= seen + slack;
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
static struct p_values try_all(const struct sign_flips *flips, double theta, double slack)
{
    double seen = flips->mean - theta, *sizes = flips->scratch, low_sums[1 << HALF], high_sums[1 << HALF];
    size_t count = flips->count, low_count = count / 2, all = flips->patterns - 1;
    struct p_values hits = {0, 0};
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

static struct p_values try_drawn(const struct sign_flips *flips, double theta, double slack)
{
    double seen = flips->mean - theta;
    struct p_values hits = {1, 1}; /* the data */
    uint64_t words = 0;
    for (size_t draw = 0; draw < PATTERNS_DRAWN; draw++) {
        uint64_t bits = 0;
        for (size_t i = 0; i < flips->count; i++, bits >>= 1) {
            if (i % WORD_BITS == 0)
                bits = seeded_bits(flips->seed, words++);
            flips->scratch[i] =
                (flips->differences[i] - theta) * (1 - 2 * (double)(bits & 1)); /* sooner than a branch */
        }
        count_pattern(statistic_of(flips->scratch, flips->count), seen, slack, &hits);
    }
    return hits;
}

/* As theta rises, no pattern's statistic falls faster than that of the data, so `greater` never falls. */
static struct p_values p_of_flips(const void *test, double theta)
{
    const struct sign_flips *flips = test;
    double largest = fmax(fabs(flips->least), fabs(flips->most)), patterns = (double)flips->patterns;
    double slack = relative_rounding * (largest + fabs(theta));
    struct p_values hits = flips->exact ? try_all(flips, theta, slack) : try_drawn(flips, theta, slack);
    return (struct p_values){hits.greater / patterns, hits.less / patterns};
}

/* The end of the interval that one of the tests bounds: between `rejected` and `kept`, with that on its inner side. */
static double bisect(const struct sign_flips *flips, double rejected, double kept)
{
    for (int i = -1; i < STEPS; i++) {
        double theta = i < 0 ? rejected : rejected + (kept - rejected) / 2;
        struct p_values p = p_of_flips(flips, theta);
        bool is_kept = (rejected < kept ? p.greater : p.less) > tail * (1 + relative_rounding);
        if (is_kept && i < 0)
            return copysign(INFINITY, rejected - kept);
        *(is_kept ? &kept : &rejected) = theta;
    }
    return kept;
}

static struct interval interval_of_flips(const struct sign_flips *flips)
{
    double beyond = fmax(flips->most - flips->least, far_enough);
    return (struct interval){exp(bisect(flips, flips->least - beyond, flips->mean)),
                             exp(bisect(flips, flips->most + beyond, flips->mean))};
}

struct evidence evidence_of_pairs(const double *base_s, const double *new_s, size_t count, double tick_s,
                                  struct limits limits, uint64_t seed, bool has_interval)
{
    struct sign_flips flips = make_flips(base_s, new_s, count, seed);
    struct evidence evidence = {.base_rounds = count,
                                .new_rounds = count,
                                .base_s = statistics_median(base_s, count, flips.scratch),
                                .new_s = statistics_median(new_s, count, flips.scratch),
                                .ratio = exp(flips.mean),
                                .interval = {NAN, NAN},
                                .tick_s = tick_s,
                                .limits = limits,
                                .arrangements = flips.patterns};
    weigh(p_of_flips, &flips, flips.exact, &evidence);
    if (has_interval)
        evidence.interval = interval_of_flips(&flips);
    free(flips.differences);
    return evidence;
}

enum { ALL_DIVISIONS_UP_TO = 1 << 18, DIVISIONS_DRAWN = 1 << 18 };

/* Two samples, pooled, and their divisions. A division ties with the data at exactly one theta, its typical value, so
 * p-values for any theta, and the ends of the interval, are counts of typical values (J. A. Hartigan, "Using subsample
 * values as typical values", Journal of the American Statistical Association 64, 1969). */
struct divisions {
    double *pooled; /* the base first; after them room for as many */
    size_t base_count, new_count, *chosen;
    double new_sum;
    double *typical; /* of each division but those that equal the data; the largest first */
    size_t count;
    size_t identities; /* divisions that equal the data; they count in each p-value */
    bool exact;        /* all divisions; otherwise they are drawn at random */
    double slack;      /* what rounding may put between two equal values */
};

/* Adds the division in which the values at `chosen` form the second sample. Values that left it change places with the
 * same number from the first. The division ties with the data if theta is the difference of the means of these two
 * groups. */
static void add_division(struct divisions *divisions)
{
    double from_base = 0, from_new = 0;
    size_t moved = 0;
    for (size_t i = 0; i < divisions->new_count; i++) {
        bool is_moved = divisions->chosen[i] < divisions->base_count;
        *(is_moved ? &from_base : &from_new) += divisions->pooled[divisions->chosen[i]];
        moved += is_moved;
    }
    if (moved == 0)
        divisions->identities++;
    else
        divisions->typical[divisions->count++] = (divisions->new_sum - from_new - from_base) / (double)moved;
}

/* The next combination in lexicographic order; false after the last. */
static bool next_combination(size_t *chosen, size_t count, size_t from)
{
    for (size_t i = count; i-- > 0;) {
        if (chosen[i] == from - count + i)
            continue;
        chosen[i]++;
        for (size_t j = i + 1; j < count; j++)
            chosen[j] = chosen[j - 1] + 1;
        return true;
    }
    return false;
}

static void draw_divisions(struct divisions *divisions, size_t *order, uint64_t seed)
{
    size_t all = divisions->base_count + divisions->new_count;
    uint64_t draws = 0;
    divisions->identities = 1; /* the data */
    for (size_t i = 0; i < all; i++)
        order[i] = i;
    for (size_t draw = 0; draw < DIVISIONS_DRAWN; draw++) {
        for (size_t i = 0; i < divisions->new_count; i++) {
            size_t place = i + (size_t)(seeded_bits(seed, draws++) % (all - i)), picked = order[place];
            order[place] = order[i];
            divisions->chosen[i] = order[i] = picked;
        }
        add_division(divisions);
    }
}

/* n choose k; more than ALL_DIVISIONS_UP_TO if it is. */
static size_t combinations(size_t n, size_t k)
{
    size_t product = 1;
    for (size_t i = 1; i <= k && product <= ALL_DIVISIONS_UP_TO; i++)
        product = product * (n - k + i) / i;
    return product;
}

static struct divisions make_divisions(const double *base_s, size_t base_count, const double *new_s, size_t new_count,
                                       uint64_t seed)
{
    size_t all = base_count + new_count, ways = combinations(all, new_count);
    bool exact = ways <= ALL_DIVISIONS_UP_TO;
    struct divisions divisions = {.pooled = memory_get(2 * all, sizeof(double)),
                                  .base_count = base_count,
                                  .new_count = new_count,
                                  .chosen = memory_get(all + new_count, sizeof(size_t)),
                                  .typical = memory_get(exact ? ways : DIVISIONS_DRAWN, sizeof(double)),
                                  .exact = exact};
    for (size_t i = 0; i < all; i++) {
        double value = log(i < base_count ? base_s[i] : new_s[i - base_count]);
        divisions.pooled[i] = value;
        divisions.new_sum += i < base_count ? 0 : value;
        divisions.slack = fmax(divisions.slack, relative_rounding * fabs(value));
    }
    for (size_t i = 0; i < new_count; i++)
        divisions.chosen[i] = i;
    if (!exact)
        draw_divisions(&divisions, divisions.chosen + new_count, seed);
    else
        do
            add_division(&divisions);
        while (next_combination(divisions.chosen, new_count, all));
    qsort(divisions.typical, divisions.count, sizeof(double), larger_first);
    return divisions;
}

static struct p_values p_of_divisions(const void *test, double theta)
{
    const struct divisions *divisions = test;
    size_t greater = divisions->identities, less = greater;
    for (size_t i = 0; i < divisions->count; i++) {
        greater += divisions->typical[i] <= theta + divisions->slack;
        less += divisions->typical[i] >= theta - divisions->slack;
    }
    double all = (double)(divisions->count + divisions->identities);
    return (struct p_values){(double)greater / all, (double)less / all};
}

/* For theta below the outer-th smallest value, p is at most `tail`: outer - 1 hits and the identities count. */
static struct interval interval_of_divisions(const struct divisions *divisions)
{
    size_t all = divisions->count + divisions->identities;
    double allowed = floor(tail * (double)all * (1 + relative_rounding)) - (double)divisions->identities;
    if (allowed < 0)
        return (struct interval){-INFINITY, INFINITY};
    size_t outer = (size_t)allowed;
    return (struct interval){divisions->typical[divisions->count - 1 - outer], divisions->typical[outer]};
}

struct evidence evidence_of_samples(const double *base_s, size_t base_count, const double *new_s, size_t new_count,
                                    double tick_s, struct limits limits, uint64_t seed)
{
    struct divisions divisions = make_divisions(base_s, base_count, new_s, new_count, seed);
    double base_sum = 0, *scratch = divisions.pooled + base_count + new_count;
    for (size_t i = 0; i < base_count; i++)
        base_sum += divisions.pooled[i];
    struct interval logarithms = interval_of_divisions(&divisions);
    struct evidence evidence = {.base_rounds = base_count,
                                .new_rounds = new_count,
                                .base_s = statistics_median(base_s, base_count, scratch),
                                .new_s = statistics_median(new_s, new_count, scratch),
                                .ratio = exp(divisions.new_sum / (double)new_count - base_sum / (double)base_count),
                                .interval = {exp(logarithms.low), exp(logarithms.high)},
                                .tick_s = tick_s,
                                .limits = limits,
                                .arrangements = divisions.count + divisions.identities};
    weigh(p_of_divisions, &divisions, divisions.exact, &evidence);
    free(divisions.pooled);
    free(divisions.chosen);
    free(divisions.typical);
    return evidence;
}

size_t evidence_fewest_rounds(const struct evidence *evidence)
{
    return evidence->base_rounds < evidence->new_rounds ? evidence->base_rounds : evidence->new_rounds;
}

/* From TRIMMED_FROM pairs on, flipping the value next to zero changes nothing: two patterns are the most extreme.
 * Without pairs, r rounds per side have (2r choose r) divisions. */
size_t evidence_rounds_needed(bool paired, size_t rows, double level)
{
    size_t rounds = 1;
    double divisions = 2, least = 0.5;
    while (least * (double)rows > level) {
        divisions *= 2 * (2 * (double)rounds + 1) / ((double)rounds + 1);
        rounds++;
        least = paired ? ldexp(rounds < TRIMMED_FROM ? 1 : 2, -(int)rounds) : 1 / divisions;
    }
    return rounds;
}
