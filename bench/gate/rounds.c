#define _GNU_SOURCE /* tdestroy() */
#include "rounds.h"

#include "bench/base/memory.h"

#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

bool walk_to_next_row(struct row_walk *walk)
{
    walk->name = NULL;
    for (int s = 0; s < 2; s++) {
        const struct recording *recording = walk->recordings[s];
        if (walk->at[s] < recording->count &&
            (!walk->name || strcmp(recording->items[walk->at[s]].name, walk->name) < 0))
            walk->name = recording->items[walk->at[s]].name;
    }
    for (int s = 0; s < 2 && walk->name; s++) {
        const struct recording *recording = walk->recordings[s];
        bool has_it = walk->at[s] < recording->count && strcmp(recording->items[walk->at[s]].name, walk->name) == 0;
        walk->rounds[s] = has_it ? recording_row_at(recording, walk->at[s]) : (struct row_rounds){0};
        walk->at[s] += walk->rounds[s].count;
    }
    return walk->name;
}

/* The column that identifies the machine: the UUID for a device, the host name for CPU rungs. */
static enum column_id machine_column(const struct observation *observation)
{
    return observation->text[COLUMN_threads][0] != '\0' ? COLUMN_host : COLUMN_device_uuid;
}

static bool is_compared(const struct observation *observation, enum gate_use use, enum identity_demand demand)
{
    return use == GATE_WORK || (demand != IDENTITY_ANY_MACHINE && (use == GATE_MACHINE || observation->on_host));
}

bool identity_check(const struct observation *base, const struct observation *other, enum identity_demand demand,
                    struct error *error)
{
    for (enum gate_use use = GATE_WORK; use <= GATE_HOST && is_compared(base, use, demand); use++)
        for (int i = 0; i < RESULT_COLUMNS; i++)
            if (result_columns[i].gate == use && strcmp(base->text[i], other->text[i]) != 0)
                return error_set(error, "%s: %s is '%s' in %s and '%s' in %s, expected the same%s", base->name,
                                 result_columns[i].name, base->text[i], base->file, other->text[i], other->file,
                                 use == GATE_WORK ? " work" : " machine; --other-device compares anyway");
    enum column_id needed = machine_column(base);
    if (demand == IDENTITY_KNOWN && base->text[needed][0] == '\0')
        return error_set(error, "%s: %s is empty in %s, so it may be another machine; --other-device compares anyway",
                         base->name, result_columns[needed].name, base->file);
    return true;
}

static bool starts_sitting(const struct recording *recording, size_t i)
{
    return i == 0 || strcmp(recording->items[i].sitting, recording->items[i - 1].sitting) != 0;
}

bool rounds_are_paired(const struct recording *base, const struct recording *other)
{
    for (size_t i = 0; i < base->count; i++)
        for (size_t j = 0; j < other->count && starts_sitting(base, i); j++)
            if (starts_sitting(other, j) && strcmp(base->items[i].sitting, other->items[j].sitting) == 0)
                return true;
    return false;
}

/* What all recordings have of a round. */
struct seen_round {
    const char *sitting;
    long number;
    bool has_failed;
    uint64_t turns[]; /* of each recording, a bit per turn */
};

static int by_number(const void *left, const void *right)
{
    const struct seen_round *a = left, *b = right;
    int sittings = strcmp(a->sitting, b->sitting);
    return sittings ? sittings : (a->number > b->number) - (a->number < b->number);
}

/* Of one that was seen. */
static struct seen_round *find_round(void *const *rounds, const struct observation *o, long turns)
{
    const struct seen_round wanted = {o->sitting, o->round / turns, false};
    return *(struct seen_round *const *)tfind(&wanted, rounds, by_number);
}

/* What the recording with this index, of so many, has. */
static void see_rounds(void **rounds, const struct recording *recording, size_t index, size_t recordings, long turns)
{
    for (size_t i = 0; i < recording->count; i++) {
        const struct observation *o = &recording->items[i];
        struct seen_round *made = memory_get(1, sizeof *made + recordings * sizeof made->turns[0]);
        made->sitting = o->sitting;
        made->number = o->round / turns;
        struct seen_round **kept = memory_have(tsearch(made, rounds, by_number));
        if (*kept != made)
            free(made);
        (*kept)->turns[index] |= UINT64_C(1) << (o->round % turns);
        (*kept)->has_failed = (*kept)->has_failed || o->status == STATUS_FAILED;
    }
}

bool rounds_check_pairs(const struct recording *base, const struct recording *other, struct error *error)
{
    const struct recording *const both[] = {base, other};
    void *rounds = NULL;
    bool ok = true;
    see_rounds(&rounds, base, 0, 2, TURNS_ALONE);
    see_rounds(&rounds, other, 1, 2, TURNS_ALONE);
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < both[s]->count && ok; i++) {
            const struct observation *o = &both[s]->items[i];
            ok = find_round(&rounds, o, TURNS_ALONE)->turns[1 - s] ||
                 error_set(error, "rounds do not pair: round %ld of sitting %s is in %s and not in %s", o->round,
                           o->sitting, both[s]->name, both[1 - s]->name);
        }
    tdestroy(rounds, free);
    return ok;
}

bool rounds_check_row_pairs(const struct row_rounds *base, const struct row_rounds *other, struct error *error)
{
    for (size_t i = 0; i < base->count || i < other->count; i++) {
        int order = i == base->count    ? 1
                    : i == other->count ? -1
                                        : observation_compare_rounds(&base->items[i], &other->items[i]);
        const struct observation *alone = order < 0 ? &base->items[i] : &other->items[i];
        if (order != 0)
            return error_set(error, "rounds do not pair: %s is in round %ld of %s and not of %s", alone->name,
                             alone->round, alone->file, (order < 0 ? other : base)->items[0].file);
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

void rounds_drop_unfinished(struct recording *const *recordings, size_t count, size_t turns)
{
    void *rounds = NULL;
    for (size_t i = 0; i < count; i++)
        see_rounds(&rounds, recordings[i], i, count, (long)turns);
    for (size_t i = 0; i < count; i++) {
        size_t kept = 0;
        for (size_t j = 0; j < recordings[i]->count; j++) {
            const struct observation *o = &recordings[i]->items[j];
            if (!is_unfinished(find_round(&rounds, o, (long)turns), count, turns))
                recordings[i]->items[kept++] = *o;
        }
        recordings[i]->count = kept;
    }
    tdestroy(rounds, free);
}

/* The number of observations from `items` on that are turns of the same round of a row. */
static size_t count_turns(const struct observation *items, size_t count, long turns)
{
    size_t same = 1;
    while (same < count && strcmp(items[0].name, items[same].name) == 0 &&
           strcmp(items[0].sitting, items[same].sitting) == 0 && items[0].round / turns == items[same].round / turns)
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
    return identity_check(first, turn, IDENTITY_SAME, &difference) ||
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
    struct observation merged = replaces ? *turn : *round;
    merged.partial = round->partial || turn->status != round->status;
    merged.tick_s = fmax(round->tick_s, turn->tick_s);
    merged.launch_bound = round->launch_bound || turn->launch_bound;
    merged.slowed = round->slowed || turn->slowed;
    *round = merged;
}

bool rounds_fold(struct recording *recording, size_t turns, struct error *error)
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
