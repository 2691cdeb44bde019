#define _GNU_SOURCE /* tdestroy() */
#include "turns.h"

#include "identity.h"

#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

static bool is_same_round(const struct observation *a, const struct observation *b, long turns)
{
    return a->round / turns == b->round / turns && strcmp(a->session, b->session) == 0;
}

/* What all recordings have of a round. */
struct seen_round {
    const char *session;
    long number;
    bool has_failed;
    uint64_t turns[]; /* of each recording, a bit per turn */
};

static int by_number(const void *left, const void *right)
{
    const struct seen_round *a = left, *b = right;
    int sessions = strcmp(a->session, b->session);
    return sessions ? sessions : (a->number > b->number) - (a->number < b->number);
}

/* NULL: there is none. */
static struct seen_round *find_round(void *const *rounds, const struct observation *o, long turns)
{
    const struct seen_round wanted = {o->session, o->round / turns, false};
    struct seen_round *const *found = tfind(&wanted, rounds, by_number);
    return found ? *found : NULL;
}

static struct seen_round *add_round(void **rounds, const struct observation *o, long turns, size_t recordings)
{
    struct seen_round *round = calloc(1, sizeof *round + recordings * sizeof round->turns[0]);
    if (!round)
        return NULL;
    round->session = o->session;
    round->number = o->round / turns;
    if (tsearch(round, rounds, by_number))
        return round;
    free(round);
    return NULL;
}

static bool see_rounds(void **rounds, struct recording *const *recordings, size_t count, long turns)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < recordings[i]->count; j++) {
            const struct observation *o = &recordings[i]->items[j];
            struct seen_round *round = find_round(rounds, o, turns);
            round = round ? round : add_round(rounds, o, turns, count);
            if (!round)
                return false;
            round->turns[i] |= UINT64_C(1) << (o->round % turns);
            round->has_failed = round->has_failed || o->status == STATUS_FAILED;
        }
    return true;
}

static bool is_unfinished(const struct seen_round *round, size_t recordings, size_t turns)
{
    for (size_t i = 0; i < recordings; i++)
        if (round->turns[i] != 0 && round->turns[i] != (UINT64_C(1) << turns) - 1)
            return !round->has_failed;
    return false;
}

bool turns_drop_unfinished(struct recording *const *recordings, size_t count, size_t turns, struct error *error)
{
    void *rounds = NULL;
    bool ok = see_rounds(&rounds, recordings, count, (long)turns);
    for (size_t i = 0; i < count && ok; i++) {
        size_t kept = 0;
        for (size_t j = 0; j < recordings[i]->count; j++) {
            const struct observation *o = &recordings[i]->items[j];
            if (!is_unfinished(find_round(&rounds, o, (long)turns), count, turns))
                recordings[i]->items[kept++] = *o;
        }
        recordings[i]->count = kept;
    }
    tdestroy(rounds, free);
    return ok || error_set(error, "no memory for the rounds");
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
