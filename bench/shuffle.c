#include "shuffle.h"

#include "seeded.h"

#include <stdlib.h>
#include <string.h>

/* Whether two rows stay together at this depth: rows of a workload, then of a rung, then single rows. */
typedef bool same_function(const struct row *a, const struct row *b);

static bool same_workload(const struct row *a, const struct row *b)
{
    return a->rung->op == b->rung->op && a->workload == b->workload;
}

static bool same_rung(const struct row *a, const struct row *b)
{
    return a->rung == b->rung;
}

static bool same_row(const struct row *a, const struct row *b)
{
    return a == b;
}

static same_function *const depths[] = {same_workload, same_rung, same_row};
enum { DEPTHS = sizeof depths / sizeof depths[0] };

struct shuffle {
    uint64_t seed, draws;
    struct row *scratch;
    size_t *starts;
};

/* From 0 to below `limit`. The bias of a remainder is below limit / 2^64. */
static size_t draw(struct shuffle *shuffle, size_t limit)
{
    return (size_t)(seeded_bits(shuffle->seed, shuffle->draws++) % limit);
}

static size_t group_end(const struct row *rows, size_t count, size_t start, same_function *same)
{
    size_t end = start + 1;
    while (end < count && same(&rows[start], &rows[end]))
        end++;
    return end;
}

static void shuffle_groups(struct shuffle *shuffle, struct row *rows, size_t count, same_function *same)
{
    size_t groups = 0, place = 0;
    for (size_t start = 0; start < count; start = group_end(rows, count, start, same))
        shuffle->starts[groups++] = start;
    memcpy(shuffle->scratch, rows, count * sizeof *rows);
    for (; groups > 0; groups--) {
        size_t chosen = draw(shuffle, groups), start = shuffle->starts[chosen];
        size_t rows_in_group = group_end(shuffle->scratch, count, start, same) - start;
        memcpy(rows + place, shuffle->scratch + start, rows_in_group * sizeof *rows);
        place += rows_in_group;
        shuffle->starts[chosen] = shuffle->starts[groups - 1];
    }
}

static void shuffle_depth(struct shuffle *shuffle, struct row *rows, size_t count, int depth)
{
    shuffle_groups(shuffle, rows, count, depths[depth]);
    for (size_t start = 0, end; start < count && depth + 1 < DEPTHS; start = end) {
        end = group_end(rows, count, start, depths[depth]);
        shuffle_depth(shuffle, rows + start, end - start, depth + 1);
    }
}

bool shuffle_rows(struct selection *selection, uint64_t seed)
{
    struct shuffle shuffle = {
        .seed = seed,
        .scratch = malloc(selection->count * sizeof *shuffle.scratch),
        .starts = malloc(selection->count * sizeof *shuffle.starts),
    };
    bool ok = shuffle.scratch && shuffle.starts;
    if (ok)
        shuffle_depth(&shuffle, selection->rows, selection->count, 0);
    free(shuffle.scratch);
    free(shuffle.starts);
    return ok;
}
