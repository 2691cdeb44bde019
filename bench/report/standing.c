#include "standing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct range standing_range(const struct result *row)
{
    const struct statistics *s = &row->statistics;
    bool is_single = row->round_count <= 1;
    struct range range = is_single ? (struct range){s->q1, s->q3} : (struct range){s->min, s->max};
    bool is_known = !isnan(range.low) && !isnan(range.high) && (is_single || s->count > 1);
    return is_known ? range : (struct range){NAN, NAN};
}

/* Whether the interval of a row that is no faster begins before that of the best one ends. */
static bool reaches(const struct result *other, const struct result *best)
{
    return other->statistics.median <= best->statistics.median ||
           result_interval(other).low <= result_interval(best).high;
}

struct ratio standing_ratio(const struct result *other, const struct result *row)
{
    if (!other || !result_has_ratio(other, row))
        return (struct ratio){NAN, NAN, NAN, false};
    if (other == row)
        return (struct ratio){1, 1, 1, false};
    struct range divided = standing_range(other), divisor = standing_range(row);
    return (struct ratio){other->statistics.median / row->statistics.median, divided.low / divisor.high,
                          divided.high / divisor.low, !result_has_interval(other) || !result_has_interval(row)};
}

static bool is_among(const struct result *row, const struct result *like, enum among among)
{
    const bool is_together = row->device && row->device->cards > 0;
    if (among == AMONG_HOST || among == AMONG_DEVICES)
        return row->is_host == (among == AMONG_HOST) && !is_together;
    if (among == AMONG_TOGETHER)
        return is_together;
    return among == AMONG_ALL || (strcmp(row->backend, like->backend) == 0 &&
                                  (among == AMONG_BACKEND || row->is_library == (among == AMONG_LIBRARIES)));
}

static bool is_over_ceiling(const struct result *row)
{
    return result_is_comparable(row) && strcmp(result_unfair(row), "over-ceiling") == 0;
}

static bool is_unfair(const struct result *row)
{
    return result_is_comparable(row) && result_unfair(row)[0];
}

static const struct result *find_fastest(const struct result_list *rows, const struct result *like, const char *mode,
                                         enum among among, bool (*counts)(const struct result *row))
{
    const struct result *found = NULL;
    for (const struct result *row = rows->items; row < rows->items + rows->count; row++)
        if (strcmp(row->mode, mode) == 0 && is_among(row, like, among) && result_same_workload(row, like) &&
            counts(row) && (!found || row->statistics.median < found->statistics.median))
            found = row;
    return found;
}

const struct result *standing_fastest(const struct result_list *rows, const struct result *like, const char *mode,
                                      enum among among)
{
    const struct result *fair = find_fastest(rows, like, mode, among, result_is_fair);
    const struct result *doubtful = among == AMONG_HOST ? find_fastest(rows, like, mode, among, is_over_ceiling) : NULL;
    return fair && doubtful && doubtful->statistics.median < fair->statistics.median ? NULL : fair;
}

const struct result *standing_doubtful(const struct result_list *rows, const struct result *like, const char *mode,
                                       enum among among)
{
    const struct result *over = among == AMONG_HOST ? find_fastest(rows, like, mode, among, is_over_ceiling) : NULL;
    return over ? over : find_fastest(rows, like, mode, among, is_unfair);
}

/* If the fastest one has no rank, nobody knows which is. NULL: none. */
static const struct result *find_best(const struct result_list *rows, const struct result *like, enum among among)
{
    const struct result *fastest = standing_fastest(rows, like, like->mode, among);
    return fastest && result_has_rank(fastest) ? fastest : NULL;
}

/* NULL: it has none. */
static const struct result *find_baseline(const struct result_list *rows, const struct result *of)
{
    for (const struct result *row = rows->items; row < rows->items + rows->count; row++)
        if (strcmp(row->variant, of->baseline) == 0 && strcmp(row->mode, of->baseline_mode) == 0 &&
            result_same_workload(row, of))
            return row;
    return NULL;
}

/* What the row is held against: the fastest of these, if there is a ratio to it; else NULL. */
static const struct result *find_rival(const struct result_list *rows, const struct result *row, const char *mode,
                                       enum among among)
{
    const struct result *fastest = standing_fastest(rows, row, mode, among);
    return fastest && result_has_ratio(fastest, row) ? fastest : NULL;
}

/* The library of its own player. */
static struct ratio ratio_to_library(const struct result *row)
{
    const double s = row->library_s;
    struct result library = *row;
    library.statistics = (struct statistics){1, s, s, s, s, s, s, 0, s, s};
    return standing_ratio(&library, row);
}

struct ratio standing_speedup(const struct result_list *rows, const struct result *row)
{
    return isnan(row->library_s) ? standing_ratio(find_baseline(rows, row), row) : ratio_to_library(row);
}

struct standing standing_of(const struct result_list *rows, const struct result *row)
{
    const struct result_list block = result_list_around(rows, row);
    const struct result *best = find_best(&block, row, AMONG_ALL);
    struct standing standing = {
        .is_best = row == best,
        .is_best_of_backend = row == find_best(&block, row, AMONG_BACKEND),
        .is_fastest_own = row == standing_fastest(&block, row, row->mode, AMONG_OWN),
        .is_tied = best && row != best && result_has_rank(row) && reaches(row, best),
        .library = find_rival(&block, row, row->mode, AMONG_LIBRARIES),
        .best_cpu = find_rival(&block, row, row->baseline_mode, AMONG_HOST),
        .speedup = standing_speedup(&block, row),
    };
    standing.over_library = isnan(row->library_s) ? standing_ratio(standing.library, row) : standing.speedup;
    standing.over_best_cpu = standing_ratio(standing.best_cpu, row);
    return standing;
}

void standing_put_ratio(json_t *to, const char *key, struct ratio ratio)
{
    char low[48], high[48], approximate[48];
    snprintf(approximate, sizeof approximate, "%s_approximate", key);
    snprintf(low, sizeof low, "%s_low", key);
    snprintf(high, sizeof high, "%s_high", key);
    bool has_interval = isfinite(ratio.low) && isfinite(ratio.high);
    JSON_PUT(to, {approximate, ratio.is_approximate ? json_true() : NULL}, {key, json_number(ratio.value)},
             {low, has_interval ? json_number(ratio.low) : NULL},
             {high, has_interval ? json_number(ratio.high) : NULL});
}
