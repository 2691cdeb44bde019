#include "permutation.h"

#include "bench/base/seeded.h"

#include <math.h>
#include <stdlib.h>

enum { ALL_UP_TO = 1 << 18, DRAWS = 1 << 18 };

/* Relative to the largest value: far above the rounding error of sums of a few hundred values, far below any effect. */
static const double relative_rounding = 1e-12;

static double largest(const double *values, size_t count, double at_least)
{
    for (size_t i = 0; i < count; i++)
        at_least = fmax(at_least, fabs(values[i]));
    return at_least;
}

static bool allocate(struct permutation *permutation, size_t room, bool exact, double scale)
{
    *permutation = (struct permutation){.typical = malloc(room * sizeof(double)), .exact = exact};
    permutation->rounding_margin = relative_rounding * scale;
    return permutation->typical != NULL;
}

/* Two samples, pooled; `base` comes first. */
struct pool {
    const double *base, *other;
    size_t base_count, other_count;
    double other_sum;
};

/* Adds the division in which the values at `chosen` form the second sample. Values that left the second sample change
 * places with the same number from the first. The division ties with the data if theta is the difference of the means
 * of these two groups. */
static void add_division(const struct pool *pool, const size_t *chosen, struct permutation *permutation)
{
    double from_base = 0, from_other = 0;
    size_t moved = 0;
    for (size_t i = 0; i < pool->other_count; i++) {
        if (chosen[i] < pool->base_count) {
            from_base += pool->base[chosen[i]];
            moved++;
        } else {
            from_other += pool->other[chosen[i] - pool->base_count];
        }
    }
    if (moved == 0)
        permutation->identities++;
    else
        permutation->typical[permutation->count++] = (pool->other_sum - from_other - from_base) / (double)moved;
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

static void random_divisions(const struct pool *pool, size_t *order, size_t *chosen, uint64_t seed,
                             struct permutation *permutation)
{
    size_t all = pool->base_count + pool->other_count;
    uint64_t draws = 0;
    permutation->identities = 1; /* the data */
    for (size_t i = 0; i < all; i++)
        order[i] = i;
    for (size_t draw = 0; draw < DRAWS; draw++) {
        for (size_t i = 0; i < pool->other_count; i++) {
            size_t place = i + (size_t)(seeded_bits(seed, draws++) % (all - i)), picked = order[place];
            order[place] = order[i];
            chosen[i] = order[i] = picked;
        }
        add_division(pool, chosen, permutation);
    }
}

/* n choose k; ALL_UP_TO + 1 if it is larger than ALL_UP_TO. */
static size_t combinations(size_t n, size_t k)
{
    size_t product = 1;
    for (size_t i = 1; i <= k && product <= ALL_UP_TO; i++)
        product = product * (n - k + i) / i;
    return product <= ALL_UP_TO ? product : ALL_UP_TO + 1;
}

bool permutation_of_samples(const double *base, size_t base_count, const double *other, size_t other_count,
                            uint64_t seed, struct permutation *permutation)
{
    struct pool pool = {base, other, base_count, other_count, 0};
    size_t all = base_count + other_count, divisions = combinations(all, other_count);
    bool exact = divisions <= ALL_UP_TO;
    size_t *chosen = malloc(other_count * sizeof *chosen), *order = malloc(all * sizeof *order);
    bool ok = allocate(permutation, exact ? divisions : DRAWS, exact,
                       largest(other, other_count, largest(base, base_count, 0)));
    ok = ok && chosen && order;
    for (size_t i = 0; i < other_count && ok; i++) {
        chosen[i] = i;
        pool.other_sum += other[i];
    }
    if (ok && !exact)
        random_divisions(&pool, order, chosen, seed, permutation);
    else if (ok)
        do {
            add_division(&pool, chosen, permutation);
        } while (next_combination(chosen, other_count, all));
    free(chosen);
    free(order);
    if (!ok)
        permutation_free(permutation);
    return ok;
}

void permutation_free(struct permutation *permutation)
{
    free(permutation->typical);
    permutation->typical = NULL;
}

static double p_value(const struct permutation *permutation, size_t hits)
{
    return (double)(hits + permutation->identities) / (double)(permutation->count + permutation->identities);
}

double permutation_p_greater(const struct permutation *permutation, double theta)
{
    size_t hits = 0;
    for (size_t i = 0; i < permutation->count; i++)
        hits += permutation->typical[i] <= theta + permutation->rounding_margin;
    return p_value(permutation, hits);
}

double permutation_p_less(const struct permutation *permutation, double theta)
{
    size_t hits = 0;
    for (size_t i = 0; i < permutation->count; i++)
        hits += permutation->typical[i] >= theta - permutation->rounding_margin;
    return p_value(permutation, hits);
}

double permutation_p_error(const struct permutation *permutation, double p)
{
    return permutation->exact ? 0 : sqrt(p * (1 - p) / (double)(permutation->count + permutation->identities));
}

/* The value that sorting would put at `rank` (C. A. R. Hoare, "Algorithm 65: Find", Comm. of the ACM 4, 1961). */
static double select_rank(double *values, size_t count, size_t rank)
{
    size_t first = 0, last = count - 1;
    while (first < last) {
        double middle = values[first + (last - first) / 2];
        size_t up = first, down = last;
        for (;;) {
            while (values[up] < middle)
                up++;
            while (values[down] > middle)
                down--;
            if (up >= down)
                break;
            double swapped = values[up];
            values[up++] = values[down];
            values[down--] = swapped;
        }
        if (rank <= down)
            last = down;
        else
            first = down + 1;
    }
    return values[rank];
}

struct interval permutation_interval(struct permutation *permutation, double tail)
{
    size_t count = permutation->count;
    /* For theta below the outer-th smallest value, p is at most `tail`: outer - 1 hits and the identities count. */
    double allowed = floor(tail * (double)(count + permutation->identities) * (1 + relative_rounding));
    if (allowed < (double)permutation->identities)
        return (struct interval){-INFINITY, INFINITY};
    size_t outer = (size_t)allowed - permutation->identities + 1;
    double low = select_rank(permutation->typical, count, outer - 1);
    return (struct interval){low, select_rank(permutation->typical, count, count - outer)};
}
