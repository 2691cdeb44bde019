#include "turns.h"

#include "identity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_same_round(const struct observation *a, const struct observation *b, long turns)
{
    return a->round / turns == b->round / turns && strcmp(a->session, b->session) == 0;
}

/* Whether a recording has some but not all turns of this round. Sets `failed` if one of them failed. */
static bool has_some_turns(const struct recording *recording, const struct observation *round, long turns, bool *failed)
{
    uint64_t seen = 0, all = (UINT64_C(1) << turns) - 1;
    for (size_t i = 0; i < recording->count; i++) {
        const struct observation *o = &recording->items[i];
        if (!is_same_round(o, round, turns))
            continue;
        seen |= UINT64_C(1) << (o->round % turns);
        *failed = *failed || o->status == STATUS_FAILED;
    }
    return seen != 0 && seen != all;
}

static bool is_unfinished(struct recording *const *recordings, size_t count, const struct observation *round,
                          long turns)
{
    bool part = false, failed = false;
    for (size_t i = 0; i < count; i++)
        part = has_some_turns(recordings[i], round, turns, &failed) || part;
    return part && !failed;
}

bool turns_drop_unfinished(struct recording *const *recordings, size_t count, size_t turns, struct error *error)
{
    size_t total = 0, at = 0;
    for (size_t i = 0; i < count; i++)
        total += recordings[i]->count;
    bool *unfinished = malloc(total + 1);
    if (!unfinished)
        return error_set(error, "no memory for the rounds");
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < recordings[i]->count; j++)
            unfinished[at++] = turns > 1 && is_unfinished(recordings, count, &recordings[i]->items[j], (long)turns);
    at = 0;
    for (size_t i = 0; i < count; i++) {
        size_t kept = 0, all = recordings[i]->count;
        for (size_t j = 0; j < all; j++)
            if (!unfinished[at++])
                recordings[i]->items[kept++] = recordings[i]->items[j];
        recordings[i]->count = kept;
    }
    free(unfinished);
    return true;
}

/* The number of observations from `items` on that are turns of the same round of a row. */
static size_t count_turns(const struct observation *items, size_t count, long turns)
{
    size_t same = 1;
    while (same < count && strcmp(items[0].name, items[same].name) == 0 &&
           is_same_round(&items[0], &items[same], turns))
        same++;
    return same;
}

static bool check_turn(const struct recording *recording, const struct observation *first,
                       const struct observation *turn, struct error *error)
{
    struct error difference;
    if (turn->text[COLUMN_threads][0] == '\0')
        return error_set(error, "%s: line %zu: %s is not a CPU row, expected only CPU rows with --cpu-only",
                         recording->name, turn->line, turn->name);
    return identity_check(first, recording->name, turn, recording->name, IDENTITY_SAME, &difference) ||
           error_set(error, "%s: lines %zu and %zu differ in work or machine, expected turns of one round",
                     recording->name, first->line, turn->line);
}

/* Merges a turn into the round. If the statuses differ, failed wins over ok, and ok over skipped. */
static void merge(struct observation *round, const struct observation *turn)
{
    enum status status = round->status == STATUS_FAILED || turn->status == STATUS_FAILED ? STATUS_FAILED
                         : round->status == STATUS_OK || turn->status == STATUS_OK       ? STATUS_OK
                                                                                         : STATUS_SKIPPED;
    bool replaces = turn->status == status && (round->status != status || turn->time_s < round->time_s);
    bool partial = round->partial || turn->status != round->status;
    double tick_s = fmax(round->tick_s, turn->tick_s);
    bool bound = round->launch_bound || turn->launch_bound, slowed = round->slowed || turn->slowed;
    if (replaces)
        *round = *turn;
    round->partial = partial;
    round->tick_s = tick_s;
    round->launch_bound = bound;
    round->slowed = slowed;
}

bool turns_fold(struct recording *recording, size_t turns, struct error *error)
{
    struct observation *items = recording->items;
    size_t kept = 0;
    if (turns == 1)
        return true;
    for (size_t i = 0, count; i < recording->count; i += count) {
        const struct observation *timed = NULL;
        struct observation round = items[i];
        count = count_turns(&items[i], recording->count - i, (long)turns);
        for (size_t turn = 0; turn < count; turn++) {
            const struct observation *next = &items[i + turn];
            timed = timed || next->status != STATUS_OK ? timed : next;
            if (next->status == STATUS_OK && !check_turn(recording, timed, next, error))
                return false;
            if (turn > 0)
                merge(&round, next);
        }
        round.partial = round.partial || count < turns;
        round.round /= (long)turns;
        items[kept++] = round;
    }
    recording->count = kept;
    return true;
}
