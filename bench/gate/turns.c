#include "turns.h"

#include "identity.h"

#include <math.h>
#include <string.h>

static bool is_same_round(const struct observation *a, const struct observation *b, long turns)
{
    return a->round / turns == b->round / turns && strcmp(a->sitting, b->sitting) == 0 && strcmp(a->name, b->name) == 0;
}

/* How many observations from `items` on are turns of one round. */
static size_t count_turns(const struct observation *items, size_t count, long turns)
{
    size_t same = 1;
    while (same < count && is_same_round(&items[0], &items[same], turns))
        same++;
    return same;
}

/* The worse status wins; of two that are ok, the shorter time. */
static void merge(struct observation *round, const struct observation *turn)
{
    if (turn->status > round->status) {
        round->status = turn->status;
        round->reason = turn->reason;
        round->line = turn->line;
    } else if (turn->time_s < round->time_s) {
        round->time_s = turn->time_s;
        round->line = turn->line;
    }
    if (round->status != STATUS_OK)
        round->time_s = NAN;
    round->tick_s = fmax(round->tick_s, turn->tick_s);
    round->launch_bound = round->launch_bound || turn->launch_bound;
    round->slowed = round->slowed || turn->slowed;
}

static bool fold(struct recording *recording, long turns, bool whole, struct error *error)
{
    struct observation *items = recording->items;
    size_t kept = 0;
    for (size_t i = 0, count; i < recording->count; i += count) {
        struct observation round = items[i];
        count = count_turns(&items[i], recording->count - i, turns);
        if (whole && count < (size_t)turns)
            continue;
        for (size_t turn = 1; turn < count; turn++) {
            const struct observation *next = &items[i + turn];
            bool comparable = items[i].status == STATUS_OK && next->status == STATUS_OK;
            if (comparable && !identity_check(&items[i], recording->name, next, recording->name, IDENTITY_SAME, error))
                return false;
            merge(&round, next);
        }
        round.round /= turns;
        items[kept++] = round;
    }
    recording->count = kept;
    return true;
}

bool turns_fold(struct recording *recording, size_t turns, struct error *error)
{
    return fold(recording, (long)turns, false, error);
}

bool turns_fold_whole(struct recording *recording, size_t turns, struct error *error)
{
    return fold(recording, (long)turns, true, error) &&
           (recording->count > 0 ||
            error_set(error, "%s: no row has rounds 0 to %zu of a sitting, expected %zu, of which the least counts",
                      recording->name, turns - 1, turns));
}
