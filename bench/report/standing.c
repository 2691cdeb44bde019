#include "standing.h"

#include <math.h>
#include <string.h>

struct range standing_range(const struct result *row)
{
    const struct statistics *s = &row->statistics;
    if (row->round_count <= 1)
        return (struct range){s->q1, s->q3};
    return s->count > 1 ? (struct range){s->min, s->max} : (struct range){NAN, NAN};
}

/* Whether the interval of a row that is no faster begins before that of the best one ends. */
static bool reaches(const struct result *other, const struct result *best)
{
    return other->statistics.median <= best->statistics.median ||
           result_interval(other).low <= result_interval(best).high;
}

static bool is_comparable(const struct result *row)
{
    return row->status == STATUS_OK && row->statistics.count > 0 && isnan(row->slowdown_pct);
}

static struct ratio ratio_of(const struct result *other, const struct result *row)
{
    if (!other || !is_comparable(row))
        return (struct ratio){NAN, NAN, NAN, false};
    if (other == row)
        return (struct ratio){1, 1, 1, false};
    struct range divided = standing_range(other), divisor = standing_range(row);
    return (struct ratio){other->statistics.median / row->statistics.median, divided.low / divisor.high,
                          divided.high / divisor.low, !result_has_interval(other) || !result_has_interval(row)};
}

static const struct result *find_library(const struct result_list *rows, const struct result *like)
{
    const struct result *found = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const struct result *row = &rows->items[i];
        if (row->is_library && result_is_fair(row) && strcmp(row->mode, like->mode) == 0 &&
            result_same_workload(row, like) && strcmp(row->backend, like->backend) == 0 &&
            (!found || row->statistics.median < found->statistics.median))
            found = row;
    }
    return found;
}

/* The first of those with the same time is the best one. */
static bool is_faster(const struct result *a, const struct result *b)
{
    double a_s = a->statistics.median, b_s = b->statistics.median;
    return a_s < b_s || (a_s == b_s && a < b);
}

/* The fastest fair one of one backend or of all, if it has a rank: if not, nobody knows which is. NULL: none. */
static const struct result *find_best(const struct result_list *rows, const struct result *like, const char *backend)
{
    const struct result *best = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const struct result *row = &rows->items[i];
        if (result_is_fair(row) && result_same_workload(row, like) && strcmp(row->mode, like->mode) == 0 &&
            (!backend || strcmp(row->backend, backend) == 0) && (!best || is_faster(row, best)))
            best = row;
    }
    return best && result_has_rank(best) ? best : NULL;
}

static const struct result *find_baseline(const struct result_list *rows, const struct result *like)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct result *row = &rows->items[i];
        if (is_comparable(row) && result_same_workload(row, like) && strcmp(row->variant, like->baseline) == 0 &&
            strcmp(row->mode, like->baseline_mode) == 0)
            return row;
    }
    return NULL;
}

struct standing standing_of(const struct result_list *rows, const struct result *row)
{
    const struct result *best = find_best(rows, row, NULL);
    struct standing standing = {
        .is_best = row == best,
        .is_best_of_backend = row == find_best(rows, row, row->backend),
        .is_tied = best && row != best && result_has_rank(row) && reaches(row, best),
        .library = find_library(rows, row),
        .best_cpu = result_list_fastest(rows, row, row->baseline_mode, SIDE_HOST),
        .speedup = ratio_of(find_baseline(rows, row), row),
    };
    standing.over_library = ratio_of(standing.library, row);
    standing.over_best_cpu = ratio_of(standing.best_cpu, row);
    return standing;
}
