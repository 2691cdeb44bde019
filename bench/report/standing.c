#include "standing.h"

#include <math.h>

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

static bool is_comparable(const struct result *row)
{
    return result_is_measured(row) && isnan(row->slowdown_pct);
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

/* What a row may be the fastest of, among those of its workload: `what` says of which. */
static struct row_key key_of(const char *what, const char *which, const struct result *like, const char *mode)
{
    return (struct row_key){{what, which, like->op, like->workload, mode}};
}

static struct row_key side_key(const struct result *like, const char *mode, enum side side)
{
    return key_of("side", side == SIDE_HOST ? "host" : "device", like, mode);
}

static struct row_key variant_key(const char *variant, const struct result *like, const char *mode)
{
    return key_of("variant", variant, like, mode);
}

/* The first of those with the same time is the best one. */
static bool is_faster(const struct result *row, const struct result *kept)
{
    return row->statistics.median < kept->statistics.median;
}

static void add_fair(struct row_index *fastest, const struct result *row)
{
    row_index_keep(fastest, side_key(row, row->mode, row->is_host ? SIDE_HOST : SIDE_DEVICE), row, is_faster);
    row_index_keep(fastest, key_of("mode", "", row, row->mode), row, is_faster);
    row_index_keep(fastest, key_of("backend", row->backend, row, row->mode), row, is_faster);
    if (row->is_library)
        row_index_keep(fastest, key_of("library", row->backend, row, row->mode), row, is_faster);
}

bool standings_make(const struct result_list *rows, struct standings *standings, struct error *error)
{
    *standings = (struct standings){.rows = rows};
    for (const struct result *row = rows->items; row < rows->items + rows->count; row++) {
        if (result_is_fair(row))
            add_fair(&standings->fastest, row);
        if (is_comparable(row))
            row_index_keep(&standings->fastest, variant_key(row->variant, row, row->mode), row, NULL);
    }
    if (!standings->fastest.lacks_memory)
        return true;
    standings_free(standings);
    return error_set(error, "no memory for how the rows stand");
}

void standings_free(struct standings *standings)
{
    row_index_free(&standings->fastest);
}

const struct result *standings_fastest(const struct standings *standings, const struct result *like, const char *mode,
                                       enum side side)
{
    return row_index_find(&standings->fastest, side_key(like, mode, side));
}

/* If the fastest one has no rank, nobody knows which is. NULL: none. */
static const struct result *find_best(const struct standings *standings, struct row_key key)
{
    const struct result *fastest = row_index_find(&standings->fastest, key);
    return fastest && result_has_rank(fastest) ? fastest : NULL;
}

/* The library of its own player. */
static struct ratio ratio_to_library(const struct result *row)
{
    const double s = row->library_s;
    struct result library = *row;
    library.statistics = (struct statistics){1, s, s, s, s, s, s, 0, s, s};
    return ratio_of(&library, row);
}

struct standing standing_of(const struct standings *standings, const struct result *row)
{
    const struct result *best = find_best(standings, key_of("mode", "", row, row->mode));
    const struct result *baseline =
        row_index_find(&standings->fastest, variant_key(row->baseline, row, row->baseline_mode));
    struct standing standing = {
        .is_best = row == best,
        .is_best_of_backend = row == find_best(standings, key_of("backend", row->backend, row, row->mode)),
        .is_tied = best && row != best && result_has_rank(row) && reaches(row, best),
        .library = row_index_find(&standings->fastest, key_of("library", row->backend, row, row->mode)),
        .best_cpu = standings_fastest(standings, row, row->baseline_mode, SIDE_HOST),
        .speedup = ratio_of(baseline, row),
    };
    standing.over_library = ratio_of(standing.library, row);
    standing.over_best_cpu = ratio_of(standing.best_cpu, row);
    if (!isnan(row->library_s))
        standing.speedup = standing.over_library = ratio_to_library(row);
    return standing;
}
